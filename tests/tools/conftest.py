"""What the tests of packaging share: the distributions, built as a user's pip would build them."""

import subprocess
import sys

import pytest

from tools.notebooks import ROOT

#: The folder of each distribution, beside the name that pip knows it by.
FOLDERS = {
    "posenc_lib": ROOT,
    "posenc-proofs": ROOT / "distributions" / "proofs",
    "posenc-book": ROOT / "distributions" / "book",
}


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """Each distribution's wheel."""
    return {name: build("wheel", folder, tmp_path_factory.mktemp(name)) for name, folder in FOLDERS.items()}


@pytest.fixture(scope="session")
def sdist(tmp_path_factory):
    """The library's sources, packed."""
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


def build(target, folder, out):
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", out]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built
