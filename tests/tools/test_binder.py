"""Binder installs what the book was made with: its files cannot include ours, so they are compared.

What repo2docker makes of the folder is generated here, and its last step is run; the steps before it bring a
Linux, Python with JupyterLab as repo2docker locks them, and the packages of ``binder/requirements.txt``.
"""

import re

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
