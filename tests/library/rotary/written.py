"""The cases of this folder that are written as data, and tables as Hugging Face's models have them."""

from pathlib import Path

import torch
import yaml


def cases(name):
    return yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))


EXAMPLES = cases("scalings")
VARIANTS = EXAMPLES.pop("variants")


def doubled(table):
    return torch.cat((table, table), -1)
