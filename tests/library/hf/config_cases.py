"""What the tests of the reader of configs are given, written as data."""

from pathlib import Path

import yaml


def cases(name, folder="hf"):
    return yaml.safe_load((Path(__file__).parents[1] / folder / f"{name}.yml").read_text("utf-8"))
