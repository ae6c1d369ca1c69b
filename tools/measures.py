"""What each page asks of a reader: screens, words, displayed steps, pictures, code, exercises.

    python -m tools.measures [parts of paths]

opens built pages in Chromium and prints a line for each. A screen is 1280 by 900 pixels, as a desktop's
window; ``first`` is how many screens down the first picture begins, ``rows`` how many rows of displayed
mathematics stand open. Folds are closed, but for ``open``, and code is hidden, but for ``code`` and ``open``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tools.browser import SITE, WIDTHS, asked_for, browser, open_page

SCREEN = 900
COLUMNS = ("screens", "code", "open", "words", "rows", "pictures", "first", "lines", "exercises")

#: A JavaScript function: the page's measures.
MEASURES = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")


def main() -> int:
    """Measure the pages named on the command line; returns the exit status."""
    chosen = asked_for(sys.argv[1:])
    print(f"{'page':40}" + "".join(f"{name:>10}" for name in COLUMNS))
    with browser() as chrome:
        tab = chrome.new_page(viewport={"width": WIDTHS["desktop"], "height": SCREEN})
        for page in chosen:
            open_page(tab, page)
            row = as_row(tab.evaluate(MEASURES))
            print(f"{page.relative_to(SITE / 'book').with_suffix('').as_posix():40}" + row)
    return 0


def as_row(measured: dict[str, Any]) -> str:
    """The measures of one page, lengths in screens with one decimal."""
    lengths = ("screens", "code", "open", "first")
    values = (measured[name] for name in COLUMNS)
    shown = (
        "–" if value is None else f"{value / SCREEN:.1f}" if name in lengths else str(value)
        for name, value in zip(COLUMNS, values, strict=True)
    )
    return "".join(f"{text:>10}" for text in shown)


if __name__ == "__main__":
    sys.exit(main())
