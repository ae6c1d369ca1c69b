"""Pictures of built pages, for people to look at: desktop and phone, light and dark, and on paper.

    python -m tools.screenshots 4-rotary/41-complex-solution     # parts of paths; none: all

writes ``_build/screenshots/<page>-<width>-<scheme>.png``, and ``<page>-paper.pdf``, its sheets of A4.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.browser import SCHEMES, SITE, WIDTHS, asked_for, browser, open_page
from tools.notebooks import ROOT

#: A picture of a whole page has no scrollbar, and would be cut at its side by the width of one.
#: All sections of the page are in it, far ones too.
WHOLE = "html { scrollbar-width: none } section { content-visibility: visible !important }"


def main() -> int:
    """Photograph the pages named on the command line; returns the exit status."""
    chosen = asked_for(sys.argv[1:])
    folder = ROOT / "_build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as chrome:
        for width in WIDTHS.values():
            for scheme in SCHEMES:
                tab = chrome.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
                )
                for page in chosen:
                    open_page(tab, page)
                    picture = folder / f"{_name(page)}-{width}-{scheme}.png"
                    tab.screenshot(path=picture, full_page=True, style=WHOLE)
                    print(picture.relative_to(ROOT))
        tab = chrome.new_page()
        for page in chosen:
            open_page(tab, page)
            sheets = folder / f"{_name(page)}-paper.pdf"
            tab.pdf(path=sheets, format="A4")
            print(sheets.relative_to(ROOT))
    return 0


def _name(page: Path) -> str:
    return "-".join(page.relative_to(SITE / "book").with_suffix("").parts)


if __name__ == "__main__":
    sys.exit(main())
