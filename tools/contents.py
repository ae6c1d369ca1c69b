"""The table of contents, ``_toc.yml``: the one order of the book's pages, whatever their files are called."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from tools.notebooks import ROOT


class Part(NamedTuple):
    """A part of the book: its title, and the names of its pages in reading order."""

    title: str
    pages: list[str]


def parts(root: Path = ROOT) -> list[Part]:
    """The parts of the book under ``root``; the front page belongs to none."""
    listed = _toc(root)["parts"]
    return [Part(part["caption"], [chapter["file"] for chapter in part["chapters"]]) for part in listed]


def version() -> str:
    """Of the book, as it is cited."""
    return str(yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"])


def page_names(root: Path = ROOT) -> list[str]:
    """The names of all pages, ``book/4-rotary/41-complex-solution`` say, in reading order."""
    return [_toc(root)["root"], *(page for part in parts(root) for page in part.pages)]


def source_of(name: str, root: Path = ROOT) -> Path | None:
    """The file that the page is written in: its notebook, else its text; None where there is neither."""
    written = (root / f"{name}.{kind}" for kind in ("ipynb", "md"))
    return next((path for path in written if path.exists()), None)


def find_notebooks(root: Path = ROOT) -> list[Path]:
    """The book's notebooks, in reading order."""
    written = (source_of(name, root) for name in page_names(root))
    return [path for path in written if path and path.suffix == ".ipynb"]


def words(text: str) -> str:
    """The text of a page, given what its file holds: of a notebook its text cells, of any other file all."""
    cells = json.loads(text)["cells"] if text.startswith("{") else [{"cell_type": "markdown", "source": text}]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def text_of(name: str, root: Path = ROOT) -> str:
    """The text of the page of this name; "" of one that nobody wrote."""
    path = source_of(name, root)
    return words(path.read_text(encoding="utf-8")) if path else ""


def problems(root: Path = ROOT) -> list[str]:
    """Pages that the contents name and nobody wrote, or name twice, and those that they do not name."""
    listed = Counter(page_names(root))
    unwritten = [name for name in listed if source_of(name, root) is None]
    unlisted = [path for path in _written(root) if path.rpartition(".")[0] not in listed]
    found = [f"_toc.yml names {name}, but there is no {name}.ipynb or {name}.md" for name in unwritten]
    found += [f"_toc.yml names {name} {times} times" for name, times in listed.items() if times > 1]
    return found + [f"{path} is not in _toc.yml: no reader would find it" for path in unlisted]


def _toc(root: Path) -> dict:
    return yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))


def _written(root: Path) -> Iterator[str]:
    """Every text and notebook below ``book/`` but those that are hidden or generated."""
    for path in sorted((root / "book").rglob("*")):
        place = path.relative_to(root)
        made = any(part == "generated" or part.startswith(".") for part in place.parts)
        if path.suffix in (".ipynb", ".md") and not made:
            yield place.as_posix()
