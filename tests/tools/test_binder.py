"""Binder installs what the book was made with: its files cannot include ours, so they are compared."""

import re

import tomllib
import yaml

from tools.lock import pins
from tools.notebooks import ROOT

CONDA = {"pytorch-cpu": "torch"}  # conda-forge's name: PyPI's


def binder():
    """Package, by PyPI's name: what follows it in binder/environment.yml."""
    lines = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())["dependencies"]
    split = [re.fullmatch(r"([\w-]+)(.*)", line).groups() for line in lines]
    return {CONDA.get(name, name): wanted for name, wanted in split}


def test_torch_has_the_range_of_the_library():
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [f"torch{binder()['torch']}"] == needed


def test_what_notebooks_need_is_there():
    locked = {pin.name for pin in pins(ROOT / "binder" / "requirements.lock")}
    wanted = {"numpy", "matplotlib", "sympy", "python-flint", "ipykernel", "jupyterlab", "jupyterlab-myst"}
    assert wanted <= binder().keys() | locked
