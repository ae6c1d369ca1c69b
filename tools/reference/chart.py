"""The map of the book: a circle for each chapter, a line from each to those that build on it.

A chapter builds on the pages that it names after "Before this page", and, by a thicker line, on a page one of
whose proved results it recalls.
"""

import posixpath
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tools import contents
from tools.chapter_numbers import dotted, number
from tools.reference.cards import core
from tools.reference.records import Page, own_results

BEFORE = re.compile(r"\*Before this page:\*.*")
DOC = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")
ACROSS, DOWN, RADIUS = 40, 78, 15  # from one circle to the next of its part, from part to part


def needs(root: Path) -> Iterator[tuple[str, str]]:
    """(page, page that it asks to be read before), for every chapter."""
    for page in filter(number, contents.page_names(root)):
        for line in BEFORE.findall(contents.text_of(page, root)):
            for link in DOC.findall(line):
                before = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
                if number(before):
                    yield page, before


def recalls(pages: list[Page]) -> set[tuple[str, str]]:
    """(page, page whose proved result it recalls), for chapters."""
    known = own_results(pages)
    found = ((page.name, record) for page in pages for record in page.results if record["kind"] == "recalled")
    pairs = {(name, known[record["label"]][0].name) for name, record in found}
    return {(page, before) for page, before in pairs if page != before and number(page) and number(before)}


def as_markdown(pages: list[Page], root: Path) -> str:
    """The map as SVG, whose circles are links, to be included in ``book/index``."""
    titles = {page.name: page.title for page in pages}
    parts = [part for part in contents.parts(root) if any(map(number, part.pages))]
    rows = [[page for page in part.pages if number(page)] for part in parts]
    places = ((page, column, row) for row, line in enumerate(rows) for column, page in enumerate(line))
    at = {page: (RADIUS + 5 + ACROSS * column, 40 + DOWN * row) for page, column, row in places}
    recalled = recalls(pages)
    lines = sorted({*needs(root), *recalled})
    drawn = [_line(at[before], at[page], (page, before) in recalled) for page, before in lines]
    heads = ((14 + DOWN * row, escape(part.title)) for row, part in enumerate(parts))
    names = [f'<text class="part" x="5" y="{y}">{title}</text>' for y, title in heads]
    circles = [_circle(page, place, titles[page]) for page, place in at.items()]
    wide = 2 * RADIUS + 10 + ACROSS * (max(map(len, rows)) - 1)
    label = "A map of the chapters, part by part; lines lead from each to those that build on it"
    drawing = f'<svg class="map" viewBox="0 0 {wide} {DOWN * len(rows)}" role="group" aria-label="{label}">'
    return "\n".join(["```{raw} html", drawing, *names, *drawn, *circles, "</svg>", "```", ""])


def _line(start: tuple[int, int], end: tuple[int, int], recalled: bool) -> str:
    (x, y), (u, v) = start, end
    kind = ' class="recalled"' if recalled else ""
    bow = f"Q{(x + u) // 2} {y + 38}" if y == v else f"C{x} {(y + v) // 2} {u} {(y + v) // 2}"
    return f'<path{kind} d="M{x} {y}{bow} {u} {v}"/>'


def _circle(page: str, place: tuple[int, int], title: str) -> str:
    shown = dotted(page)
    first = ' class="core"' if page in core() else ""
    x, y = place
    drawn = f'<circle cx="{x}" cy="{y}" r="{RADIUS}"/><text x="{x}" y="{y + 4}">{shown}</text>'
    named = f"<title>{shown} {escape(title)}</title>"
    return f'<a href="{page.removeprefix("book/")}.html"{first}>{named}{drawn}</a>'
