"""The whole book as one PDF, in the order of reading, behind its title and contents: ``_build/book.pdf``.

Each part of the book is a PDF of its own besides, ``_build/book-4-rotary.pdf`` say.

    python -m tools.paper

prints each built page as a reader's browser would, of the reference part only the book's results and what it
cites, and puts them together with a bookmark for each; links from page to page lead there. Every sheet says
the version, and so does the file.
"""

import io
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, NamedTuple

from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from tools import contents
from tools.browser import SITE, browser, open_page
from tools.chapter_numbers import number
from tools.notebooks import ROOT

BOOK = ROOT / "_build" / "book.pdf"
FOOTER = (
    '<p style="width: 100%; font: 8px sans-serif; text-align: center">'
    '<span class="title"></span>, version {}, sheet <span class="pageNumber"></span></p>'
)
TITLE = "Position encodings, step by step"
CONTENTS = """<html lang="en"><title>Contents</title>
<style>body {{ font: 11pt/1.5 serif }} p {{ margin: 0.35em 0 }} a {{ color: inherit }}</style>
<h1>{}</h1><p>Version {}. Text under CC BY 4.0, code under BSD-3-Clause.</p>{}"""
NAMED = ("book/how-to-read", "book/reference/results", "book/reference/references")
MARGIN = {"top": "15mm", "bottom": "18mm", "left": "15mm", "right": "15mm"}


class Part(NamedTuple):
    """A page of the book on paper: its address, its title, its sheets as a PDF."""

    address: str
    title: str
    pdf: bytes


def whole() -> list[str]:
    """The front page, how to read, each chapter, the book's results, and the works that it cites."""
    first, *names = contents.page_names()
    return [first, *(name for name in names if name in NAMED or number(name))]


def printed(names: list[str]) -> Iterator[Part]:
    """The contents, which come last because they have the titles, behind each of these built pages."""
    with browser() as chrome:
        tab, found = chrome.new_page(), []
        for name in names:
            open_page(tab, SITE / f"{name}.html")
            found.append(Part(tab.url, tab.title().partition(" — ")[0], _sheets(tab)))
            yield found[-1]
        lines = "".join(f'<p><a href="{part.address}">{escape(part.title)}</a></p>' for part in found)
        tab.set_content(CONTENTS.format(TITLE, contents.version(), lines))
        yield Part("", "Contents", _sheets(tab))


def _sheets(tab: Any) -> bytes:
    footer = FOOTER.format(contents.version())
    foot = {"display_header_footer": True, "header_template": "<p></p>", "footer_template": footer}
    return tab.pdf(format="A4", margin=MARGIN, **foot)


def by_part(pages: Iterable[Part]) -> Iterator[tuple[str, str, list[Part]]]:
    """The parts of the book that have chapters: where its chapters are, its title, its pages on paper."""
    found = {page.address: page for page in pages}
    for title, names in contents.parts():
        chapters = [name for name in names if number(name)]
        if chapters:
            folder = chapters[0].split("/")[-2]
            yield folder, title, [found[(SITE / f"{name}.html").as_uri()] for name in chapters]


def bound(parts: Iterable[Part], name: str = TITLE) -> PdfWriter:
    """One document with its version and a bookmark for each part, without links to files of this machine."""
    book, begins = PdfWriter(), {}
    book.add_metadata({"/Title": name, "/Subject": f"Version {contents.version()}"})
    book.root_object[NameObject("/Lang")] = TextStringObject("en")
    for address, title, pdf in parts:
        begins[address] = start = len(book.pages)
        book.append(io.BytesIO(pdf), outline_item=title, import_outline=False)
        print(f"  {title}: {len(book.pages) - start} sheets", flush=True)
    for page in book.pages:
        for note in [note.get_object() for note in page.annotations or []]:
            where = begins.get(str(note.get("/A", {}).get("/URI", "")).partition("#")[0])
            if where is not None:
                there = ArrayObject([book.pages[where].indirect_reference, NameObject("/Fit")])
                note[NameObject("/A")] = DictionaryObject(
                    {NameObject("/S"): NameObject("/GoTo"), NameObject("/D"): there}
                )
        kept = [note for note in page.annotations or [] if not _is_local(note.get_object())]
        if page.annotations:
            page.annotations = ArrayObject(kept)
    return book


def _is_local(note: dict) -> bool:
    return str(note.get("/A", {}).get("/URI", "")).startswith("file:")


def main() -> None:
    """Print the book that has been built, and each of its parts."""
    *pages, listed = printed(whole())
    book = bound([listed, *pages])
    book.write(BOOK)
    print(f"{BOOK.relative_to(ROOT)}: {len(book.pages)} sheets")
    for folder, title, chapters in by_part(pages):
        bound(chapters, f"{TITLE}: {title}").write(BOOK.with_name(f"book-{folder}.pdf"))


if __name__ == "__main__":
    main()
