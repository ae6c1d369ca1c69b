"""Pyodide, and what the checker needs in it: loaded once by npm and pip into ``.cache/``, pinned by digests.

    python -m tools.pyodide    # load them; from then on `make book` puts them on the site, for "Try it here"

Needs node (``tests/requirements.txt``) and a network.
"""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.notebooks import CACHE
from tools.registries import load_or_say, npm, require

PINS = Path(__file__).resolve().parent / "pyodide_pins"
PINNED = [PINS / name for name in ("package.json", "package-lock.json", "requirements.txt")]
WEBASSEMBLY = "--platform=pyemscripten_2026_0_wasm32 --python-version=3.14 --implementation=cp --abi=cp314"


def folder() -> Path:
    """Where the packages are, or will be."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in PINNED)).hexdigest()
    return CACHE / f"pyodide-{digest[:12]}"


def is_loaded() -> bool:
    """Whether they are there."""
    return (folder() / "complete").exists()


def load() -> Path:
    """The folder, with the packages in it; npm and pip compare the digests.

    Raises:
        Unreachable: without a network.
        RuntimeError: with what npm or pip says, if a digest is another, say.
    """
    here = folder()
    if is_loaded():
        return here
    here.mkdir(parents=True, exist_ok=True)
    for path in PINNED:
        (here / path.name).write_bytes(path.read_bytes())
    npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], here)
    asked = f"-m pip download --require-hashes --no-deps --retries=1 --only-binary=:all: {WEBASSEMBLY}"
    command = [sys.executable, *asked.split(), "-r", "requirements.txt", "-d", "wheels"]
    require(subprocess.run(command, cwd=here, capture_output=True, text=True))
    for wheel in here.glob("wheels/*.whl"):
        zipfile.ZipFile(wheel).extractall(here / "site")
    (here / "complete").touch()
    return here


def files() -> dict[str, bytes]:
    """What a browser loads, by name: Pyodide's core, and the wheels.

    Raises:
        ValueError: naming the file, if its digest is not the one that is pinned.
    """
    here = folder()
    core = dict(line.split()[::-1] for line in (PINS / "core.sha256").read_text().splitlines())
    wheels = set(re.findall(r"sha256:(\w+)", (PINS / "requirements.txt").read_text()))
    found = {name: (here / "node_modules" / "pyodide" / name).read_bytes() for name in core}
    found |= {path.name: path.read_bytes() for path in sorted(here.glob("wheels/*.whl"))}
    for name, data in found.items():
        digest = hashlib.sha256(data).hexdigest()
        if digest not in ({core[name]} if name in core else wheels):
            raise ValueError(f"{name} in {here} has the digest {digest}, which is not pinned in {PINS}")
    return found


if __name__ == "__main__":
    load_or_say(load, "Pyodide is not in .cache/, and there is no network: the page Try it here will say so")
