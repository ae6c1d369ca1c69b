"""The outline of every page: headings, the words, code cells and labels under each. Nothing is lost unseen.

Each line begins with a digest of what is said there, captions of figures included: a number's last digit, the
sign of a formula in a sentence or a word in place of another changes no count. That a text changed is seen;
whether it is true is not. The tables from which pages of the reference are made have a digest for each part,
and last come the files of tests, each with the number of its tests.

    python -m tools.outline            # write book/outline.txt, and say what went
    python -m tools.outline --check    # compare only; `make test` does

A page's text is guarded by nothing else: an edit that drops a section passes every other test.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import yaml

from tools.contents import page_names, parts, source_of
from tools.notebooks import ROOT
from tools.reading import blocks, labels
from tools.whole_files import write_whole

OUTLINE = ROOT / "book" / "outline.txt"
_TYPED_LABEL = re.compile(
    r"\$\$ *\(([\w:-]+)\) *$|^\(([\w:-]+)\)=|^:(?:label|name): *([\w:-]+)", re.MULTILINE
)
_FIGURE = re.compile(r"<figcaption>(.*?)</figcaption>|aria-label=\"([^\"]*)\"", re.DOTALL)
_TEST = re.compile(r"^ *def test_", re.MULTILINE)
#: What did not survive of each source, and what letters mean.
TABLES = ("tools/reference/inventory.yml", "tools/reference/notation.yml")


@dataclass
class Section:
    """What stands under one heading of a page, down to the next: ``heading`` is its line of Markdown."""

    heading: str
    words: int = 0
    cells: int = 0
    labels: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        cells = f"{self.cells} code" if self.cells else ""
        first = f"{_digest(' '.join(self.said))} {self.words:6d} words {cells:>8}  {self.heading}".rstrip()
        return "\n".join([first, *(f"{'':33}{label}" for label in self.labels)])


def _digest(said: str) -> str:
    """Of the words; where lines break does not matter."""
    return hashlib.sha256(" ".join(said.split()).encode()).hexdigest()[:8]


def sections(path: Path) -> Iterator[Section]:
    """The sections of a page, notebook or text, in order. A cell that readers never see is not counted."""
    current = Section("(above the first heading)")
    for kind, content in _parts(path):
        if kind == "caption":
            current.said.append(content)
            continue
        if kind == "code":
            current.cells += 1
            current.labels += content
            continue
        for heading, text in blocks(content):
            if heading:
                yield current
                current = Section(f"{'#' * heading.level} {heading.title}")
            current.words += len(text.split())
            current.said.append(text)
            current.labels += [next(filter(None, found)) for found in _TYPED_LABEL.findall(text)]
    yield current


def _parts(path: Path) -> Iterator[tuple[str, Any]]:
    if path.suffix == ".md":
        yield "text", path.read_text(encoding="utf-8")
        return
    for cell in nbformat.read(path, as_version=4).cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            yield "text", cell.source
        elif cell.cell_type == "code" and not tags & {"remove-cell"}:
            yield "code", [] if "remove-output" in tags else labels(cell)
            for output in cell.outputs:
                figures = _FIGURE.findall(output.get("data", {}).get("text/markdown", ""))
                yield from (("caption", "".join(words)) for words in figures)


def outline(root: Path = ROOT) -> str:
    """Of the book under ``root``: a block a page, in the order of ``_toc.yml``; then parts, tables, tests."""
    written = []
    for name in page_names(root):
        path = source_of(name, root)
        if path is None:
            raise FileNotFoundError(f"_toc.yml names {name}, but there is no {name}.ipynb or {name}.md")
        shown = [str(s) for s in sections(path) if s.words or s.cells or s.heading.startswith("#")]
        written.append("\n".join([name, *shown]))
    written.append("\n".join(["parts", *(part.title for part in parts(root))]))
    for name in filter(lambda name: (root / name).exists(), TABLES):
        table = yaml.safe_load((root / name).read_text(encoding="utf-8"))
        written.append("\n".join([name, *(f"{_digest(repr(part))} {key}" for key, part in table.items())]))
    written.append("\n".join(["tests", *tests(root)]))
    return "\n\n".join(written) + "\n"


def tests(root: Path = ROOT) -> Iterator[str]:
    """The files of tests under ``root``, each with the number of functions that are tests."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        number = len(_TEST.findall(path.read_text(encoding="utf-8")))
        yield f"{number:4d} {path.relative_to(root).as_posix()}"


def difference(stored: str, fresh: str) -> list[str]:
    """Line by line what went (-) and what came (+), under the page where it did."""
    lines = difflib.unified_diff(stored.splitlines(), fresh.splitlines(), n=1, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.outline")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    stored = OUTLINE.read_text(encoding="utf-8") if OUTLINE.exists() else ""
    fresh = outline()
    changed = difference(stored, fresh)
    if changed:
        print("\n".join(changed))
    if options.check:
        return 1 if changed else 0
    write_whole(OUTLINE, fresh)
    print(f"{OUTLINE.relative_to(ROOT)}: {'changed as above' if changed else 'unchanged'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
