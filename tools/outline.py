"""The outline of every page: headings, the words, code cells and labels under each. Nothing is lost unseen.

    python -m tools.outline            # write book/outline.txt, and say what went
    python -m tools.outline --check    # compare only; `make test` does

A page's text is guarded by nothing else: an edit that drops a section passes every other test.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from tools.contents import page_names, source_of
from tools.notebooks import ROOT
from tools.reading import blocks, labels
from tools.whole_files import write_whole

OUTLINE = ROOT / "book" / "outline.txt"
_TYPED_LABEL = re.compile(
    r"\$\$ *\(([\w:-]+)\) *$|^\(([\w:-]+)\)=|^:(?:label|name): *([\w:-]+)", re.MULTILINE
)


@dataclass
class Section:
    """What stands under one heading of a page, down to the next: ``heading`` is its line of Markdown."""

    heading: str
    words: int = 0
    cells: int = 0
    labels: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        cells = f"{self.cells} code" if self.cells else ""
        first = f"{self.words:6d} words {cells:>8}  {self.heading}".rstrip()
        return "\n".join([first, *(f"{'':24}{label}" for label in self.labels)])


def sections(path: Path) -> Iterator[Section]:
    """The sections of a page, notebook or text, in order. A cell that readers never see is not counted."""
    current = Section("(above the first heading)")
    for kind, content in _parts(path):
        if kind == "code":
            current.cells += 1
            current.labels += content
            continue
        for heading, text in blocks(content):
            if heading:
                yield current
                current = Section(f"{'#' * heading.level} {heading.title}")
            current.words += len(text.split())
            current.labels += [next(filter(None, found)) for found in _TYPED_LABEL.findall(text)]
    yield current


def _parts(path: Path) -> Iterator[tuple[str, str | list[str]]]:
    if path.suffix == ".md":
        yield "text", path.read_text(encoding="utf-8")
        return
    for cell in nbformat.read(path, as_version=4).cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            yield "text", cell.source
        elif cell.cell_type == "code" and not tags & {"remove-cell"}:
            yield "code", [] if "remove-output" in tags else labels(cell)


def outline(root: Path = ROOT) -> str:
    """The outline of the book under ``root``: one block of lines a page, in the order of ``_toc.yml``."""
    written = []
    for name in page_names(root):
        path = source_of(name, root)
        if path is None:
            raise FileNotFoundError(f"_toc.yml names {name}, but there is no {name}.ipynb or {name}.md")
        shown = [str(s) for s in sections(path) if s.words or s.cells or s.heading.startswith("#")]
        written.append("\n".join([name, *shown]))
    return "\n\n".join(written) + "\n"


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
