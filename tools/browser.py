"""The built book in headless Chromium: where it is, how to open a page, what to measure on it.

``tests/tools/test_pages.py`` fails on what :data:`MEASURE` finds; ``tools/screenshots.py`` shows it.
Scrollbars are shown, as most desktops do; Playwright would hide them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools import headless
from tools.notebooks import ROOT

SITE = ROOT / "_build" / "html"
WIDTHS = {"desktop": 1280, "phone": 390, "small phone": 320}
PAPER = (680, 1001)  # what is printed on a sheet of A4, less book.css's margins, in pixels of 1/96 inch
SCHEMES = ("light", "dark")
#: Letters have the widths of their font, as on most screens, not whole pixels.
FLAGS = ["--no-sandbox", "--font-render-hinting=none"]


def chromium() -> str | None:
    """Path of the machine's Chromium or Chrome, else of ours, if it is loaded."""
    return headless.of_the_machine() or (str(headless.PROGRAM) if headless.PROGRAM.exists() else None)


def pages() -> list[Path]:
    """Every page of the book that has been built."""
    return sorted((SITE / "book").rglob("*.html"))


def why_not() -> str:
    """Why the site cannot be looked at here; empty if it can."""
    if not pages():
        return "no built book to look at: make book"
    return "" if chromium() else "no Chromium on this machine: install it or set CHROMIUM"


@contextmanager
def browser() -> Iterator[Any]:
    """A headless browser (a Playwright ``Browser``)."""
    from playwright.sync_api import sync_playwright  # starts a process of its own: only when used

    options = {"executable_path": chromium(), "args": FLAGS, "ignore_default_args": ["--hide-scrollbars"]}
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as launched:
        yield launched


def open_page(tab: Any, page: Path) -> None:
    """Open ``page`` from disk, as a reader does, and wait for the fonts of what is not folded."""
    tab.goto(page.as_uri(), wait_until="load")
    _fonts_come(tab, "document.body.offsetHeight")


def next_frame(tab: Any) -> None:
    """Wait until the page's script, too, has seen a new size of the window."""
    tab.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def lay_out_all(tab: Any) -> None:
    """Unfold the page, and wait for the fonts that this asks for."""
    tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    fonts_of_all(tab)


def fonts_of_all(tab: Any) -> None:
    """Lay out what is folded, too, and wait for its fonts: with another one a formula may seem to scroll."""
    _fonts_come(tab, "document.querySelectorAll('.bd-article *').forEach(e => e.getBoundingClientRect())")


def _fonts_come(tab: Any, layout: str) -> None:
    tab.evaluate(f"() => {{ {layout}; return document.fonts.ready.then(() => true) }}")


#: A JavaScript function that lists what a reader could not see or read at this width and colour scheme.
MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
