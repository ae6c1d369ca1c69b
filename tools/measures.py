"""What each page asks of a reader: screens, words, displayed steps, pictures, code, exercises.

    python -m tools.measures [parts of paths]

opens built pages in Chromium and prints a line for each. A screen is 1280 by 900 pixels, as a desktop's
window; ``first`` is how many screens down the first picture begins, ``rows`` how many rows of displayed
mathematics stand open. Folds are closed, but for ``open``, and code is hidden, but for ``code`` and ``open``.
"""

from __future__ import annotations

import sys
from typing import Any

from tools.browser import SITE, WIDTHS, asked_for, browser, open_page

SCREEN = 900
COLUMNS = ("screens", "code", "open", "words", "rows", "pictures", "first", "lines", "exercises")

#: A JavaScript function: the page's measures, in pixels where they are lengths.
MEASURES = r"""() => {
  const root = document.documentElement, article = document.querySelector('.bd-article');
  const style = document.createElement('style');  // also what is far from the window is laid out
  style.textContent = 'section { content-visibility: visible !important }';
  document.head.append(style);
  const folds = [...article.querySelectorAll('details')];
  const all = selector => [...article.querySelectorAll(selector)].filter(e => e.checkVisibility());
  const opened = folds.map(fold => fold.open);
  const height = () => article.getBoundingClientRect().height;
  folds.forEach(fold => { fold.open = false });
  root.dataset.code = 'hidden';
  const pictures = all('figure, .output img');
  const text = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (text.nextNode()) {
    const seen = text.currentNode.parentElement;
    if (!seen.closest('.katex, svg, pre, script') && seen.checkVisibility())
      words += text.currentNode.data.split(/\s+/).filter(word => /\w/.test(word)).length;
  }
  const measured = {
    screens: height(), words, pictures: pictures.length,
    rows: all('.calc .rest, div.math:not(.calc div)').length,
    first: pictures.length ? pictures[0].getBoundingClientRect().top + scrollY : null,
    exercises: all('p > strong:first-child:has(+ em)').filter(e => /^\d+\.$/.test(e.textContent)).length,
  };
  root.dataset.code = 'shown';
  measured.code = height();
  measured.lines = all('.cell_input pre')
    .reduce((sum, block) => sum + block.textContent.trimEnd().split('\n').length, 0);
  folds.forEach(fold => { fold.open = true });
  measured.open = height();
  folds.forEach((fold, i) => { fold.open = opened[i] });
  return measured;
}"""


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
