"""The whole book as one PDF, in the order of reading: ``_build/book.pdf``.

    python -m tools.paper

prints each built page as a reader's browser would, of the reference part only the book's results and what it
cites, and puts them together with a bookmark for each. Every sheet says the version, and so does the file.
"""

import io
from collections.abc import Iterator

from pypdf import PdfWriter
from pypdf.generic import ArrayObject

from tools import contents
from tools.browser import SITE, browser, open_page
from tools.chapter_numbers import number
from tools.notebooks import ROOT

BOOK = ROOT / "_build" / "book.pdf"
FOOTER = (
    '<p style="width: 100%; font: 8px sans-serif; text-align: center">'
    '<span class="title"></span>, version {}, sheet <span class="pageNumber"></span></p>'
)
NAMED = ("book/how-to-read", "book/reference/results", "book/reference/references")
MARGIN = {"top": "15mm", "bottom": "18mm", "left": "15mm", "right": "15mm"}


def whole() -> list[str]:
    """The front page, how to read, each chapter, the book's results, and the works that it cites."""
    first, *names = contents.page_names()
    return [first, *(name for name in names if name in NAMED or number(name))]


def printed(names: list[str]) -> Iterator[tuple[str, bytes]]:
    """(title, PDF) of each of these built pages."""
    with browser() as chrome:
        tab = chrome.new_page()
        for name in names:
            open_page(tab, SITE / f"{name}.html")
            yield tab.title(), tab.pdf(
                format="A4", margin=MARGIN, display_header_footer=True, header_template="<p></p>",
                footer_template=FOOTER.format(contents.version()),
            )  # fmt: skip


def bound(parts: Iterator[tuple[str, bytes]]) -> PdfWriter:
    """One document with its version and a bookmark for each part, without links to files of this machine."""
    book = PdfWriter()
    book.add_metadata({"/Title": "posenc", "/Subject": f"Version {contents.version()}"})
    for title, pdf in parts:
        start = len(book.pages)
        book.append(io.BytesIO(pdf), outline_item=title, import_outline=False)
        print(f"  {title}: {len(book.pages) - start} sheets", flush=True)
    for page in book.pages:
        kept = [note for note in page.annotations or [] if not _is_local(note.get_object())]
        if page.annotations:
            page.annotations = ArrayObject(kept)
    return book


def _is_local(note: dict) -> bool:
    return str(note.get("/A", {}).get("/URI", "")).startswith("file:")


def main() -> None:
    """Print the book that has been built."""
    book = bound(printed(whole()))
    book.write(BOOK)
    print(f"{BOOK.relative_to(ROOT)}: {len(book.pages)} sheets")


if __name__ == "__main__":
    main()
