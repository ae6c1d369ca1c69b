"""The command makes a page that every check of the book accepts, and refuses the rest without a trace."""

import asyncio
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import yaml

from tools import contents, guard, make_reference, new_page
from tools.execute import execute
from tools.notebooks import ROOT, canonical
from tools.page_template import FIRST_CELL, UNWRITTEN
from tools.reading import labels
from tools.reference.records import read_pages

PAGE, TITLE = "book/4-rotary/4999-made-by-a-test", "Made by a test"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the book in which the command has made a page."""
    root = tmp_path_factory.mktemp("copy")
    for name in ("book", "tools"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "generated"))
    for name in ("_toc.yml", "_config.yml", "requirements.txt"):
        shutil.copy(ROOT / name, root)
    command = [sys.executable, "-m", "tools.new_page", PAGE.removeprefix("book/"), TITLE]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5, done.stdout  # two of the execution, three of what to do next
    return root


@pytest.fixture(scope="module")
def made(copy):
    return nbformat.read(copy / f"{PAGE}.ipynb", as_version=4)


def test_a_new_page_passes_every_check_of_a_page(copy, made):
    assert guard.problems(made) == []
    assert canonical(made) == (copy / f"{PAGE}.ipynb").read_text(encoding="utf-8")
    pages = read_pages(copy)
    assert make_reference.all_problems(pages) == []
    (page,) = (page for page in pages if page.name == PAGE)
    assert page.title == TITLE
    assert {(r["label"], r["status"]) for r in page.results} == {
        ("eq-made-by-a-test-distance", "proved"), ("eq-made-by-a-test-slip", "refuted"),
    }  # fmt: skip


def test_a_new_page_has_what_a_page_has(made):
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    assert [labels(cell) for cell in code if labels(cell)]
    shown = [mime for cell in code for out in cell.outputs for mime in out.get("data", {})]
    assert "text/html" in shown, "a figure"
    assert [tag for cell in code for tag in cell.metadata.get("tags", [])] == [
        "remove-cell", "hide-input", "hide-input", "hide-cell",
    ]  # fmt: skip
    printed = [out.text for cell in code for out in cell.outputs if out.output_type == "stream"]
    first, moved = re.findall(r"score (\S+)", printed[0])
    assert float(first) == float(moved)
    left, right = re.fullmatch(r"1: (\S+) = (\S+)\n", printed[1]).groups()
    assert float(left) == float(right)


def test_a_new_page_gives_the_same_bytes_again(copy, made):
    assert canonical(asyncio.run(execute(copy / f"{PAGE}.ipynb"))[0]) == canonical(made)


def test_the_contents_gain_the_page_and_lose_nothing(copy):
    before, after = ((root / "_toc.yml").read_text().splitlines() for root in (ROOT, copy))
    assert [line for line in after if line not in before] == [f"      - file: {PAGE}"]
    assert [line for line in before if line not in after] == []
    (pages,) = (part.pages for part in contents.parts(copy) if PAGE in part.pages)
    assert pages[-1] == PAGE and {page.split("/")[1] for page in pages} == {"4-rotary"}


FULL = [f"book/4-rotary/4{k}-page-{k}" for k in range(1, 10)]
PARTS = {"Relative": ["book/3-relative/31-shaw"], "Rotary": FULL, "Reference": ["book/reference/ledger"]}


@pytest.fixture
def small(tmp_path):
    """A book whose part 4 has the nine pages 41 to 49."""
    parts = [{"caption": name, "chapters": [{"file": p} for p in pages]} for name, pages in PARTS.items()]
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"root": "book/index", "parts": parts}))
    for name in ("book/index", *(page for pages in PARTS.values() for page in pages)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.md").write_text(f"# Title of {name}\n")
    return tmp_path


def test_the_tenth_page_of_a_part_has_a_number(small):
    assert new_page.place("4-rotary/410-x", TITLE, small) == ("book/4-rotary/410-x", FULL[-1], "x")


@pytest.mark.parametrize(
    ("page", "title", "reason"),
    [
        ("41-x", TITLE, "'41-x' is not of the form PART/NN-name, as 4-rotary/410"),
        ("4-rotary/410_x", TITLE, "is not of the form PART/NN-name"),
        ("4-rotary/410-x.ipynb", TITLE, "is not of the form PART/NN-name"),
        ("6-other/61-x", TITLE, "no part '6-other'; the parts are 3-relative, 4-rotary"),
        ("reference/41-x", TITLE, "no part 'reference'"),
        ("4-rotary/41-x", TITLE, "41 is taken by book/4-rotary/41-page-1; the next free is 410"),
        ("3-relative/31-x", TITLE, "31 is taken by book/3-relative/31-shaw; the next free is 32"),
        ("4-rotary/50-x", TITLE, "numbers of 4-rotary are 41, 42 and so on; the next free is 410"),
        ("4-rotary/40-x", TITLE, "numbers of 4-rotary are 41, 42 and so on"),
        ("4-rotary/4-x", TITLE, "numbers of 4-rotary are 41, 42 and so on"),
        ("4-rotary/410-x", " ", "a title is a line of words, got ' '"),
        ("4-rotary/410-x", "Two\nlines", "a title is a line of words"),
        ("4-rotary/410-x", "title of book/index", "is the title of book/index"),
    ],
)
def test_what_cannot_be_made_is_refused_and_what_can_is_named(small, page, title, reason):
    with pytest.raises(new_page.Refused, match=re.escape(reason)):
        new_page.place(page, title, small)


def test_a_file_that_the_contents_do_not_name_is_not_overwritten(small):
    (small / "book/4-rotary/410-x.ipynb").write_text("{}")
    with pytest.raises(new_page.Refused, match=r"^book/4-rotary/410-x.ipynb is not in _toc.yml"):
        new_page.place("4-rotary/410-x", TITLE, small)


def test_the_command_says_why_in_one_line_and_leaves_no_trace(small, monkeypatch, capsys):
    monkeypatch.setattr(new_page, "ROOT", small)
    files = {path: path.read_bytes() for path in small.rglob("*") if path.is_file()}
    assert new_page.main(["4-rotary/41-x", TITLE]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("No page was made: 41 is taken") and said.err.count("\n") == 1 and not said.out
    assert {path: path.read_bytes() for path in small.rglob("*") if path.is_file()} == files


TOC = """\
# The order of reading.
root: front
parts:
  - caption: One
    chapters:
      - file: a/11-x   # why first
      - file: a/12-x
  - caption: Two
    chapters:
      - file: b/21-x"""


@pytest.mark.parametrize("after", ["a/11-x   # why first", "a/12-x", "b/21-x"])
def test_an_entry_leaves_every_other_line_alone(after):
    longer = new_page.with_entry(TOC, after.split()[0], "a/13-x")
    assert longer == TOC.replace(after, f"{after}\n      - file: a/13-x")


@pytest.mark.parametrize(
    "toc",
    [
        f"{TOC}\n        title: Another",
        TOC.replace("b/21-x", "'b/21-x'"),
        "parts: [{chapters: [{file: b/21-x}]}]",
    ],
)
def test_contents_of_another_form_are_not_guessed_at(toc):
    with pytest.raises(new_page.Refused, match="no line of its own for b/21-x"):
        new_page.with_entry(toc, "b/21-x", "b/22-x")


@pytest.mark.parametrize("path", contents.find_notebooks(), ids=lambda path: path.name)
def test_a_page_says_what_it_needs_as_the_template_does(path):
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert code[0].source == FIRST_CELL, "the first code cell; see page_template.py"
    assert code[0].metadata["tags"] == ["remove-cell"]


@pytest.mark.parametrize("path", contents.find_notebooks(), ids=lambda path: path.name)
def test_nothing_of_the_template_is_left_unwritten(path):
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert not [source for source in sources if UNWRITTEN in source]
