"""The first code cell of every notebook: where the book is not installed, it gets it, or says where it is.

    python -m tools.first_cell    # write the cell into every notebook, after `repository.url` has changed

As long as the repository has no home its address is a placeholder, which anybody could register: a notebook
that installed from there would run a stranger's code. So until then the cell asks for a copy of the book.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import yaml

from tools.contents import find_notebooks
from tools.notebooks import ROOT, canonical
from tools.whole_files import write_whole

PLACEHOLDER = "/".join(("https://github.com", "posenc-book", "posenc"))  # in parts: not what a move renames

INSTALL = """\
try:
    import posenc_book
except ModuleNotFoundError:  # in Colab, say
    import subprocess
    import sys

    address = "git+ADDRESS"
    parts = [address] + [f"{address}#subdirectory=distributions/{part}" for part in ("proofs", "book")]
    install = [sys.executable, "-m", "pip", "-q", "install", "--no-deps"]
    subprocess.check_call([*install, *parts, "python-flint"])"""

NO_HOME = """\
try:
    import posenc_book
except ModuleNotFoundError as missing:  # in Colab, say
    where = "open this notebook in a copy of the book, in the environment that `make` sets up there"
    raise ModuleNotFoundError(f"the book has no public address to be installed from: {where}") from missing"""


def first_cell(address: str) -> str:
    """The cell's code, for the repository's address.

    Example:
        >>> "pip" in first_cell(PLACEHOLDER), "git+https://example.org/book" in first_cell("https://example.org/book")
        (False, True)
    """
    return NO_HOME if address == PLACEHOLDER else INSTALL.replace("ADDRESS", address)


def address_of(root: Path = ROOT) -> str:
    """The repository's address, as ``_config.yml`` says it."""
    address = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["repository"]["url"]
    return str(address)


def write_cells(root: Path = ROOT) -> list[Path]:
    """Write the cell into every notebook that has another one, and return those."""
    changed = []
    for path in find_notebooks(root):
        notebook = nbformat.read(path, as_version=4)
        cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
        if cell.source != first_cell(address_of(root)):
            cell.source = first_cell(address_of(root))
            write_whole(path, canonical(notebook))
            changed.append(path)
    return changed


if __name__ == "__main__":
    print(f"the first cell of {len(write_cells())} notebooks was written anew")
