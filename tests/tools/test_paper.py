"""The book on paper: one document, tagged, a bookmark for each heading, no address of this machine."""

import pytest
from pypdf import PdfReader
from site_pages import looked_at

from tools.browser import browser
from tools.chapter_numbers import number
from tools.contents import page_names, version
from tools.paper import by_part, document, printed, whole


def test_the_book_is_its_front_page_how_to_read_all_chapters_results_and_references():
    front, back = ["book/index", "book/how-to-read"], ["book/reference/results", "book/reference/references"]
    assert whole() == [*front, *(page for page in page_names() if number(page)), *back]


def test_each_part_is_its_chapters_in_order():
    found = {folder: names for folder, (_, names) in by_part().items()}
    assert [page for names in found.values() for page in names] == [name for name in whole() if number(name)]
    assert all(f"/{folder}/" in page for folder, names in found.items() for page in names)


@pytest.fixture(scope="module")
def two_chapters(tmp_path_factory):
    path = tmp_path_factory.mktemp("paper") / "two.pdf"
    names = ["book/4-rotary/42-rotation-algebra", "book/4-rotary/43-abel-bound"]
    with browser() as chrome:
        tab = chrome.new_page()
        sheets = printed(tab, document(tab, names, "Two chapters"), path)
    read = PdfReader(path)
    assert sheets == len(read.pages) > 10 and [*path.parent.iterdir()] == [path]
    return read


@looked_at
def test_the_sheets_are_counted_through_under_one_title_tagged_and_in_english(two_chapters):
    last = f"Two chapters, version {version()}, sheet {len(two_chapters.pages)} of {len(two_chapters.pages)}"
    assert last in two_chapters.pages[-1].extract_text()
    root = two_chapters.trailer["/Root"]
    assert root["/Lang"] == "en" and root["/MarkInfo"]["/Marked"] and root["/StructTreeRoot"]["/K"]
    assert two_chapters.metadata.title == "Two chapters"


@looked_at
def test_each_chapter_is_a_bookmark_and_links_between_them_lead_there(two_chapters):
    chapters = [mark for mark in two_chapters.outline if not isinstance(mark, list)][1:]
    first, second = map(two_chapters.get_destination_page_number, chapters)
    assert [mark.title[:4] for mark in chapters] == ["4.2.", "4.3."] and 0 < first < second
    leads = set()
    for place, page in enumerate(two_chapters.pages):
        for note in (note.get_object() for note in page.get("/Annots") or []):
            assert not str(note.get("/A", {}).get("/URI", "")).startswith("file:")
            if "/Dest" in note:
                there = two_chapters.named_destinations[note["/Dest"]]
                leads.add((place < second, two_chapters.get_destination_page_number(there) < second))
    assert {(True, False), (False, True)} <= leads
