"""The page on which the checker runs in the reader's browser, and what it loads.

The page's script, which ``tools/live_figures.py`` gives to it, loads them only when a reader asks. They are
copied where ``tools.pyodide`` has loaded them; elsewhere the book is built without them, and the page, which
finds no ``files.json``, says so.
"""

import io
import json
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from tools import pyodide
from tools.notebooks import ROOT

CHECKER = ROOT / "posenc_proofs"
PLACE = Path("_static", "try")


def checker() -> bytes:
    """The checker's modules, as its wheel holds them, in a zip archive that is always the same."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(CHECKER.rglob("*.py*")):
            if path.suffix in (".py", ".pyi"):
                entry = zipfile.ZipInfo(path.relative_to(ROOT).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def shipped() -> dict[str, bytes]:
    """Every file that the page loads besides its script, by name; none where Pyodide has not been loaded."""
    if not pyodide.is_loaded():
        return {}
    katex = files("sphinxcontrib").joinpath("katex.min.js").read_bytes()
    return {**pyodide.files(), "posenc_proofs.zip": checker(), "katex.mjs": katex}


def write_files(app: Any) -> None:
    """Copy what the script loads."""
    there = shipped()
    for name, data in there.items():
        (Path(app.outdir) / PLACE / name).write_bytes(data)
    if there:
        sizes = {name: len(data) for name, data in there.items()}
        (Path(app.outdir) / PLACE / "files.json").write_text(json.dumps(sizes))
