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
from tools.outline import difference, outline
from tools.page_template import INSTALL, UNWRITTEN
from tools.reading import labels
from tools.reference.records import read_pages

PAGE, TITLE = "book/4-rotary/410-partial-rotation", "Partial rotation"
ADDRESS = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["url"]


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
        ("eq-partial-rotation-distance", "proved"), ("eq-partial-rotation-slip", "refuted"),
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


def test_the_contents_and_the_outline_gain_the_page_and_lose_nothing(copy):
    before, after = ((root / "_toc.yml").read_text() for root in (ROOT, copy))
    assert difference(before, after) == [
        "       - file: book/4-rotary/49-base-bounds",
        f"+      - file: {PAGE}",
        "   - caption: In practice",
    ]
    changed = [line for line in difference(outline(ROOT), outline(copy)) if line[0] in "+-"]
    assert changed[0] == f"+{PAGE}" and not any(line[0] == "-" for line in changed)


@pytest.mark.parametrize(
    ("page", "title", "reason"),
    [
        ("41-x", TITLE, "'41-x' is not of the form PART/NN-name"),
        ("4-rotary/410_x", TITLE, "is not of the form PART/NN-name"),
        ("4-rotary/410-x.ipynb", TITLE, "is not of the form PART/NN-name"),
        ("6-other/61-x", TITLE, "no part '6-other'; the parts are 1-order, 2-sinusoid, 3-relative"),
        ("reference/41-x", TITLE, "no part 'reference'"),
        ("4-rotary/41-x", TITLE, "41 is taken by book/4-rotary/41-complex-solution; the next free is 410"),
        ("3-relative/31-x", TITLE, "the next free is 32"),
        ("4-rotary/50-x", TITLE, "numbers of 4-rotary are 41, 42 and so on; the next free is 410"),
        ("4-rotary/40-x", TITLE, "numbers of 4-rotary are 41, 42 and so on"),
        ("4-rotary/4-x", TITLE, "numbers of 4-rotary are 41, 42 and so on"),
        ("4-rotary/410-x", " ", "a title is a line of words, got ' '"),
        ("4-rotary/410-x", "Two\nlines", "a title is a line of words"),
        ("4-rotary/410-x", "precision", "'precision' is the title of book/5-practice/51-precision"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_line_that_says_what_can(page, title, reason, capsys):
    files = contents.find_notebooks()
    assert new_page.main([page, title]) == 1
    said = capsys.readouterr()
    assert reason in said.err and said.err.count("\n") == 1 and not said.out
    assert contents.find_notebooks() == files and contents.problems() == []


def test_a_file_that_the_contents_do_not_name_is_not_overwritten(tmp_path):
    (tmp_path / "book" / "4-rotary").mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts: [{caption: c, chapters: [{file: book/4-rotary/41-x}]}]\n"
    )
    for name in ("index", "4-rotary/41-x", "4-rotary/42-y"):
        (tmp_path / "book" / f"{name}.md").write_text("# A title\n")
    with pytest.raises(new_page.Refused, match=r"^book/4-rotary/42-y.md is not in _toc.yml"):
        new_page.place("4-rotary/42-y", TITLE, tmp_path)


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
def test_a_page_installs_the_library_as_the_template_does(path):
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert code[0].source == INSTALL.replace("ADDRESS", ADDRESS), "the first code cell; see page_template.py"
    assert code[0].metadata["tags"] == ["remove-cell"]


@pytest.mark.parametrize("path", contents.find_notebooks(), ids=lambda path: path.name)
def test_nothing_of_the_template_is_left_unwritten(path):
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert not [source for source in sources if UNWRITTEN in source]
