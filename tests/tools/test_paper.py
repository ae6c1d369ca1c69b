"""The whole book on paper: one document, a bookmark for each page, no address of this machine."""

import io

from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from site_pages import looked_at

from tools.browser import SITE
from tools.chapter_numbers import number
from tools.contents import page_names, version
from tools.paper import FOOTER, Part, bound, by_part, printed, whole


def pdf(*addresses):
    made = PdfWriter()
    made.add_blank_page(100, 100)
    for address in addresses:
        made.add_annotation(0, Link(rect=(0, 0, 9, 9), url=address))
    written = io.BytesIO()
    made.write(written)
    return written.getvalue()


def read(book):
    written = io.BytesIO()
    book.write(written)
    return PdfReader(written)


def test_parts_are_bound_in_order_with_bookmarks_and_without_links_to_files():
    kept = "https://example.org/"
    one = pdf(kept, "file:///a/b.html", "file:///two.html#there")
    book = read(bound([Part("file:///one.html", "One", one), Part("file:///two.html", "Two", pdf())]))
    assert [mark.title for mark in book.outline] == ["One", "Two"] and len(book.pages) == 2
    assert book.get_destination_page_number(book.outline[1]) == 1
    out, inside = (note.get_object()["/A"] for note in book.pages[0].annotations)
    assert out["/URI"] == kept and inside["/D"][0].get_object() == book.pages[1].get_object()
    assert book.metadata.subject == f"Version {version()}" and "version {}" in FOOTER


def test_the_book_is_its_front_page_how_to_read_all_chapters_results_and_references():
    front, back = ["book/index", "book/how-to-read"], ["book/reference/results", "book/reference/references"]
    assert whole() == [*front, *(page for page in page_names() if number(page)), *back]


def test_each_part_is_its_chapters_in_order():
    pages = [Part((SITE / f"{name}.html").as_uri(), name, pdf()) for name in whole()]
    found = {folder: [page.title for page in parts] for folder, _, parts in by_part(pages)}
    assert [page for pages in found.values() for page in pages] == [name for name in whole() if number(name)]
    assert all(f"/{folder}/" in page for folder, pages in found.items() for page in pages)


@looked_at
def test_a_chapter_is_printed_under_its_title():
    chapter, listed = printed(["book/4-rotary/43-abel-bound"])
    assert "Abel" in chapter.title and len(PdfReader(io.BytesIO(chapter.pdf)).pages) > 3
    assert chapter.title in PdfReader(io.BytesIO(listed.pdf)).pages[0].extract_text()
