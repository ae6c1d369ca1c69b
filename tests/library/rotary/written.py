"""The cases of this folder that are written as data."""

from pathlib import Path

import yaml


def cases(name):
    return yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))


EXAMPLES = cases("scalings")
VARIANTS = EXAMPLES.pop("variants")
