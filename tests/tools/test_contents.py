"""``_toc.yml``, not the names of files, decides which pages there are, and in which order."""

import nbformat
import pytest

from tools import contents
from tools.reference import records

ORDER = ["book/4-rotary/42-last", "book/4-rotary/410-tenth", "book/4-rotary/41-first"]


def write_toc(root, pages):
    lines = ["# The order is that of this file.", "format: jb-book", "root: book/index", "parts:"]
    lines += ["  - caption: Rotary", "    chapters:", *(f"      - file: {page}" for page in pages)]
    (root / "_toc.yml").write_text("\n".join(lines) + "\n")


@pytest.fixture
def book(tmp_path):
    """A front page and one part of three pages, in an order that is not that of their names."""
    (tmp_path / "book" / "4-rotary").mkdir(parents=True)
    (tmp_path / "book" / "index.md").write_text("# Front\n")
    for page in ORDER:
        (tmp_path / f"{page}.md").write_text(f"# Title of {page}\n")
    write_toc(tmp_path, ORDER)
    return tmp_path


def test_the_order_of_reading_is_that_of_the_contents(book):
    for page in ORDER[:2]:
        (book / f"{page}.md").unlink()
        (book / f"{page}.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook()))
    assert contents.parts(book) == [("Rotary", ORDER)]
    assert contents.page_names(book) == ["book/index", *ORDER]
    assert contents.find_notebooks(book) == [book / f"{page}.ipynb" for page in ORDER[:2]]
    assert [page.name for page in records.read_pages(book)] == ["book/index", *ORDER]


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        (ORDER[:2], "book/4-rotary/41-first.md is not in _toc.yml: no reader would find it"),
        ([*ORDER, "book/43"], "_toc.yml names book/43, but there is no book/43.ipynb or book/43.md"),
        ([*ORDER, ORDER[0]], "_toc.yml names book/4-rotary/42-last 2 times"),
    ],
)
def test_a_page_that_is_half_there_is_named(book, listed, problem):
    assert contents.problems(book) == []
    write_toc(book, listed)
    assert contents.problems(book) == [problem]


def test_what_nobody_wrote_need_not_be_listed(book):
    for folder in ("book/reference/generated", "book/4-rotary/.ipynb_checkpoints"):
        (book / folder).mkdir(parents=True)
        (book / folder / "made.md").write_text("# Made\n")
    assert contents.problems(book) == []
