"""The whole book as one PDF, in the order of reading, behind its title and contents: ``_build/book.pdf``.

Each part of the book is a PDF of its own besides, ``_build/book-4-rotary.pdf`` say.

    python -m tools.paper

puts built pages behind one another in one document, of the reference part only the book's results and what it
cites, and prints it as a reader's browser would. So sheets are counted through, links from page to page lead
there, each heading is a bookmark, and the file is tagged for those who hear it. Every sheet says the version.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from tools import contents
from tools.browser import SITE, browser, fonts_of_all, open_page
from tools.chapter_numbers import number
from tools.notebooks import ROOT

BOOK = ROOT / "_build" / "book.pdf"
FOOTER = (
    '<p style="width: 100%; font: 8px sans-serif; text-align: center"><span class="title"></span>, '
    'version {}, sheet <span class="pageNumber"></span> of <span class="totalPages"></span></p>'
)
TITLE = "Position encodings, step by step"
DOCUMENT = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title>{styles}
<style>article {{ break-before: page }} nav p {{ margin: 0.35em 0 }}</style>
<div class="page"><main><h1>{title}</h1>
<p>Version {version}. Text under CC BY 4.0, code under BSD-3-Clause.</p>
<nav aria-label="Contents">{lines}</nav>
{articles}</main></div></html>"""
#: A JavaScript function: the article of a page, its ids and links made for one document of all these pages.
ARTICLE = Path(__file__).with_name("paper.js").read_text(encoding="utf-8")
#: A link into a closed fold leads to what is printed of it.
LEADS = """document.querySelectorAll('a[href^="#"]').forEach((link, count) => {
  let there = document.getElementById(link.getAttribute('href').slice(1));
  while (there && !there.checkVisibility()) there = there.parentElement;
  if (there) link.setAttribute('href', `#${there.id ||= `to-${count}`}`); else link.removeAttribute('href');
})"""
SHEETS = "[...document.styleSheets].map(sheet => sheet.href).filter(Boolean)"
NAMED = ("book/how-to-read", "book/reference/results", "book/reference/references")
MARGIN = {"top": "15mm", "bottom": "18mm", "left": "15mm", "right": "15mm"}


def whole() -> list[str]:
    """The front page, how to read, each chapter, the book's results, and the works that it cites."""
    first, *names = contents.page_names()
    return [first, *(name for name in names if name in NAMED or number(name))]


def by_part() -> dict[str, tuple[str, list[str]]]:
    """Each part of the book that has chapters, by its folder: its title, its chapters."""
    found = {title: [name for name in names if number(name)] for title, names in contents.parts()}
    return {names[0].split("/")[-2]: (title, names) for title, names in found.items() if names}


def document(tab: Any, names: list[str], title: str) -> str:
    """These built pages as one, behind a title and a list of them."""
    addresses = [(SITE / f"{name}.html").as_uri() for name in names]
    articles, lines, sheets = "", "", {}
    for place, name in enumerate(names):
        open_page(tab, SITE / f"{name}.html")
        articles += tab.evaluate(ARTICLE, addresses)
        lines += f'<p><a href="#p{place}">{escape(tab.title().partition(" — ")[0])}</a></p>'
        sheets |= dict.fromkeys(tab.evaluate(SHEETS))
    styles = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    texts = {"styles": styles, "lines": lines, "articles": articles}
    return DOCUMENT.format(title=title, version=contents.version(), **texts)


def printed(tab: Any, page: str, path: Path) -> int:
    """Print this document to ``path``; the number of its sheets."""
    written = path.with_suffix(".html")
    written.write_text(page, encoding="utf-8")
    open_page(tab, written)
    fonts_of_all(tab)
    tab.emulate_media(media="print")
    tab.evaluate(LEADS)
    around = {"header_template": "<p></p>", "footer_template": FOOTER.format(contents.version())}
    pdf = tab.pdf(format="A4", margin=MARGIN, display_header_footer=True, tagged=True, outline=True, **around)
    tab.emulate_media(media="null")
    written.unlink()
    path.write_bytes(pdf)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def main() -> None:
    """Print the book that has been built, and each of its parts."""
    books = [(BOOK, TITLE, whole())]
    for folder, (title, names) in by_part().items():
        books.append((BOOK.with_name(f"book-{folder}.pdf"), f"{TITLE}: {title}", names))
    with browser() as chrome:
        tab = chrome.new_page()
        for path, title, names in books:
            sheets = printed(tab, document(tab, names, title), path)
            print(f"{path.relative_to(ROOT)}: {sheets} sheets", flush=True)


if __name__ == "__main__":
    main()
