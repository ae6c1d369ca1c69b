"""Binder installs what the book was made with: its file cannot include ours, so the two are compared."""

import re

import pytest
import tomllib
import yaml

from tools.notebooks import ROOT

CONDA = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}  # conda-forge's name: PyPI's


def binder():
    """Package, by PyPI's name: what follows it in binder/environment.yml."""
    lines = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())["dependencies"]
    split = [re.fullmatch(r"([\w-]+)(.*)", line).groups() for line in lines]
    return {CONDA.get(name, name): wanted for name, wanted in split}


def requirements():
    lines = (line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines())
    return dict(re.fullmatch(r"([\w-]+)(.*)", line).groups() for line in lines if line)


@pytest.mark.parametrize("package", ["sympy", "python-flint"])
def test_what_checks_a_derivation_has_the_version_of_the_book(package):
    assert requirements()[package] == "=" + binder()[package]


def test_torch_has_the_range_of_the_library():
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [f"torch{binder()['torch']}"] == needed


def test_what_notebooks_need_is_there():
    assert {"numpy", "matplotlib", "ipykernel", "jupyterlab", "jupyterlab-myst"} <= binder().keys()
