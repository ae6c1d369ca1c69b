"""Binder installs what the book was made with: its files cannot include ours, so they are compared.

What repo2docker makes of the folder is generated here, and its last step is run; the steps before it bring a
Linux, the packages of conda-forge and those of the lock.
"""

import os
import re
import shutil
import site
import subprocess
import sys
import venv

import pytest
import yaml
from repo2docker.app import Repo2Docker

from tools.lock import pins, requirements
from tools.notebooks import ROOT

CONDA = {"pytorch-cpu": "torch"}  # conda-forge's name: PyPI's


def binder():
    """Package, by PyPI's name: what follows it in binder/environment.yml."""
    lines = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())["dependencies"]
    split = [re.fullmatch(r"([\w-]+)(.*)", line).groups() for line in lines]
    return {CONDA.get(name, name): wanted for name, wanted in split}


def test_every_version_is_exact():
    lines = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())
    assert lines["channels"] == ["conda-forge"] and len(binder()) > 5
    assert not [name for name, version in binder().items() if not re.fullmatch(r"=\d+(\.\d+)+", version)]


@pytest.mark.parametrize("name", ["torch", "numpy"])
def test_torch_and_numpy_are_those_of_the_book(name):
    assert f"{name}={binder()[name]}" in requirements()


def test_what_notebooks_need_is_there():
    locked = {pin.name for pin in pins(ROOT / "binder" / "requirements.lock")}
    wanted = {
        "numpy",
        "matplotlib",
        "sympy",
        "python-flint",
        "transformers",
        "ipykernel",
        "jupyterlab",
        "jupyterlab-myst",
    }
    assert wanted <= binder().keys() | locked


def test_repo2docker_makes_an_environment_of_this_file_and_runs_our_step(monkeypatch):
    monkeypatch.chdir(ROOT)
    builder = Repo2Docker()
    packs = [kind(builder.base_image) for kind in builder.buildpacks]
    pack = next(pack for pack in packs if pack.detect())
    pack.platform = "linux/amd64"
    steps = pack.render({})
    assert re.search(r'env update -p \$\{NB_PYTHON_PREFIX\} --file "binder/environment.yml"', steps)
    assert steps.index("COPY --chown=1000:1000 src/ ") < steps.index("RUN ./binder/postBuild")
    assert re.fullmatch(rf"={pack.python_version}\.\d+", binder()["python"])


def test_its_last_step_installs_library_checker_and_figures(tmp_path):
    tree = tmp_path / "home"
    for part in ("posenc_lib", "posenc_book", "distributions", "binder"):
        shutil.copytree(ROOT / part, tree / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tree)
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "what-conda-brings.pth").write_text("\n".join(site.getsitepackages()))
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    python = tmp_path / "env" / "bin" / "python"
    calls = f'"{sys.executable}" -m pip --python "{python}" "$@" --no-build-isolation --no-index'
    locked = 'case "$*" in *"--require-hashes -r binder/requirements.lock"*) exit;; esac'  # they are here
    pip.write_text(f"#!/bin/sh\n{locked}\nexec {calls}\n")
    pip.chmod(0o755)
    path = f"{pip.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    step = [tree / "binder" / "postBuild"]
    done = subprocess.run(step, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    say = "import posenc_lib.proofs as p, posenc_book as b; print(p.__file__, b.__file__)"
    installed = [python, "-I", "-c", say]  # without PYTHONPATH, which may name another copy
    done = subprocess.run(installed, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert [found.startswith(str(packages)) for found in done.stdout.split()] == [True, True], done.stdout
