"""What the tests of the reader of configs are given, written as data."""

import os
from pathlib import Path

import yaml


def cases(name, folder="hf"):
    return yaml.safe_load((Path(__file__).parents[1] / folder / f"{name}.yml").read_text("utf-8"))


def some(names):
    """One of eight; with ``WHOLE_RUNS=1``, as once a week, all."""
    return sorted(names) if os.environ.get("WHOLE_RUNS") else sorted(names)[::8]
