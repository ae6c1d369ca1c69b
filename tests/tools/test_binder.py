"""Binder installs what the book was made with: its files cannot include ours, so they are compared.

What repo2docker makes of the folder is generated here, and its last step is run; the steps before it bring a
Linux, Python with JupyterLab as repo2docker locks them, and the packages of ``binder/requirements.txt``.
"""

import os
import re
import shutil
import site
import subprocess
import sys
import venv

from repo2docker.app import Repo2Docker

from tools.lock import TORCH, requirements
from tools.notebooks import ROOT

WANTED = ROOT / "binder" / "requirements.txt"


def test_torch_is_the_file_for_the_python_of_binder_and_has_the_version_of_the_book():
    python = (ROOT / "binder" / "runtime.txt").read_text().removeprefix("python-").strip()
    plain, tag = re.search(r"/torch-([\d.]+)%2Bcpu-cp(\d+)-cp\2-manylinux\w+_x86_64\.whl", TORCH).groups()
    assert TORCH in WANTED.read_text() and f"torch=={plain}" in requirements()
    assert python == f"{tag[0]}.{tag[1:]}" == "3.11"  # as the outputs in the notebooks


def test_repo2docker_installs_these_files_and_runs_our_step(monkeypatch):
    monkeypatch.chdir(ROOT)
    builder = Repo2Docker()
    packs = [kind(builder.base_image) for kind in builder.buildpacks]
    pack = next(pack for pack in packs if pack.detect())
    pack.platform = "linux/amd64"
    steps = pack.render({})
    installs = steps.index('/bin/pip install --no-cache-dir -r "binder/requirements.txt"')
    assert installs < steps.index("COPY --chown=1000:1000 src/ ") < steps.index("RUN ./binder/postBuild")
    assert pack.python_version == "3.11"


def test_its_last_step_installs_library_checker_and_figures(tmp_path):
    tree = tmp_path / "home"
    for part in ("posenc_lib", "posenc_book", "distributions", "binder"):
        shutil.copytree(ROOT / part, tree / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tree)
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "what-is-there-before.pth").write_text("\n".join(site.getsitepackages()))
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    python = tmp_path / "env" / "bin" / "python"
    calls = f'"{sys.executable}" -m pip --python "{python}" "$@" --no-build-isolation --no-index'
    pip.write_text(f"#!/bin/sh\nexec {calls}\n")
    pip.chmod(0o755)
    path = f"{pip.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    step = [tree / "binder" / "postBuild"]
    done = subprocess.run(step, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    say = "import posenc_proofs as p, posenc_book as b; print(p.__file__, b.__file__)"
    installed = [python, "-I", "-c", say]  # without PYTHONPATH, which may name another copy
    done = subprocess.run(installed, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert [found.startswith(str(packages)) for found in done.stdout.split()] == [True, True], done.stdout
