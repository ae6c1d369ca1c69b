"""Where the sentences of the book take their numbers from: stored results, and what a page prints."""

import functools
import json
import re

from page_numbers import Page, printed

from tools.contents import find_notebooks
from tools.notebooks import ROOT

_NUMBER = r"(\d[\d.]*\d|\d|\\frac\{\d+\}\{\d+\}|\d+/\d+)(?![\d.]*[\w/])"


@functools.cache
def stored(name):
    """A stored result: of a benchmark by its name, of a page by its path in ``book``."""
    folder = ROOT / ("book" if "/" in name else "benchmarks/results")
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


@functools.cache
def _printed(page):
    (path,) = [path for path in find_notebooks() if path.stem.startswith(f"{page}-")]
    cells = [cell for cell in Page(path).cells if cell.cell_type == "code"]
    return " ".join(" ".join(shown for cell in cells for shown in printed(cell)).split())


def shown(page, words):
    """The number without sign, a fraction too, that a page prints behind words (a regular expression).

    Any gap is a blank. Raises:
        LookupError: the page prints none there, or different ones.
    """
    found = {number_in(text) for text in re.findall(rf"(?<!\w){words} ?[-−]? ?{_NUMBER}", _printed(page))}
    if len(found) != 1:
        raise LookupError(f"page {page} prints {sorted(found) or 'nothing'} behind {words!r}")
    return found.pop()


def number_in(text):
    """The value of ``2.5``, ``5/2`` or ``\\frac{5}{2}``."""
    above, *below = re.findall(r"[\d.]+", text)
    return float(above) / (float(below[0]) if below else 1)
