"""Built pages, to look at: desktop and phone, light and dark, and on paper; and what each asks of a reader.

    python -m tools.screenshots 4-rotary/41-complex-solution     # parts of paths; none: all

writes ``_build/screenshots/<page>-<width>-<scheme>.png``, and ``<page>-paper.pdf``, its sheets of A4, and
prints how many screens, words and rows of mathematics a page has, and what else ``measures.js`` counts.
"""

import sys
from itertools import product
from pathlib import Path

from tools.browser import SCHEMES, SITE, WIDTHS, browser, open_page, pages
from tools.notebooks import ROOT

#: A picture of a whole page has no scrollbar, and would be cut at its side by the width of one.
WHOLE = "html { scrollbar-width: none }"
#: A JavaScript function: the page's measures.
MEASURES = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")
HEIGHT = 900  # of a desktop's window


def main() -> None:
    """Photograph the built pages whose path has a part that is named on the command line, or all."""
    chosen = [page for page in pages() if any(part in page.as_posix() for part in sys.argv[1:] or [""])]
    folder = ROOT / "_build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as chrome:
        tab = chrome.new_page(reduced_motion="reduce")
        for page in chosen:
            name = "-".join(page.relative_to(SITE / "book").with_suffix("").parts)
            open_page(tab, page)
            tab.set_viewport_size({"width": WIDTHS["desktop"], "height": HEIGHT})
            print(name, tab.evaluate(MEASURES))
            tab.pdf(path=folder / f"{name}-paper.pdf", format="A4")
            for width, scheme in product(WIDTHS.values(), SCHEMES):
                tab.set_viewport_size({"width": width, "height": HEIGHT})
                tab.emulate_media(color_scheme=scheme)
                tab.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True, style=WHOLE)
    print(f"{len(chosen)} of {len(pages())} built pages in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
