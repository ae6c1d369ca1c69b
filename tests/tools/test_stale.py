"""After a build nothing is stale; then exactly what a page was made from makes it so again."""

import asyncio

import pytest
from nbformat import v4

from tools import execute, stale
from tools.notebooks import canonical

MODULE = '''"""A module."""


def double(x):
    """Twice x."""
    return 2 * x
'''
CELLS = ["import json, numbers_of_ours", "numbers_of_ours.double(json.load(open('data.json')))"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of one page, which imports one module of two and reads one file; executed."""
    book = tmp_path / "book"
    book.mkdir()
    (book / "numbers_of_ours.py").write_text(MODULE)
    (book / "unused.py").write_text("x = 1\n")
    (book / "data.json").write_text("21")
    (book / "page.ipynb").write_text(canonical(v4.new_notebook(cells=[v4.new_code_cell(c) for c in CELLS])))
    (tmp_path / "requirements.txt").write_text("torch\n")
    for name, value in (("ROOT", tmp_path), ("CACHE", tmp_path / ".cache")):
        monkeypatch.setattr(stale, name, value)
    monkeypatch.setattr(execute, "ROOT", tmp_path)
    assert run(book) == []
    return book


def run(book):
    """The names of the pages that could not be executed."""
    return asyncio.run(execute.run_all([book / "page.ipynb"]))


def test_after_the_build_nothing_is_stale(project):
    assert not stale.is_stale(project / "page.ipynb")
    assert run(project) == []
    assert not stale.is_stale(project / "page.ipynb")


def test_another_python_makes_the_page_stale(project, monkeypatch):
    monkeypatch.setattr(stale.platform, "python_version", lambda: "3.8.0")
    assert stale.is_stale(project / "page.ipynb")


HARMLESS = {
    "docstring": ("numbers_of_ours.py", "Twice x", "Two x"),
    "comment": ("numbers_of_ours.py", "\n\n\n", "\n# new\n\n"),
    "module that the page does not import": ("unused.py", "1", "2"),
}
CHANGES = {
    "imported code": ("numbers_of_ours.py", "2 * x", "3 * x"),
    "data": ("data.json", "21", "22"),
    "stored output": ("page.ipynb", "42", "43"),
    "cell": ("page.ipynb", "json.load", "1 + json.load"),
    "pin": ("../requirements.txt", "torch", "torch==2.13.0"),
}


@pytest.mark.parametrize(("file", "old", "new"), HARMLESS.values(), ids=HARMLESS)
def test_a_change_that_no_output_can_show_leaves_the_page_fresh(project, file, old, new):
    text = (project / file).read_text()
    assert old in text
    (project / file).write_text(text.replace(old, new))
    assert not stale.is_stale(project / "page.ipynb")


@pytest.mark.parametrize(("file", "old", "new"), CHANGES.values(), ids=CHANGES)
def test_whatever_the_page_is_made_from_makes_it_stale(project, file, old, new):
    text = (project / file).read_text()
    assert old in text
    (project / file).write_text(text.replace(old, new))
    assert stale.is_stale(project / "page.ipynb")


def test_a_file_that_is_gone_makes_the_page_stale(project):
    (project / "data.json").unlink()
    assert stale.is_stale(project / "page.ipynb")


def test_a_page_that_fails_is_named_and_stays_as_it_was(project, capsys):
    page = project / "page.ipynb"
    page.write_text(page.read_text().replace("json.load", "json.lost"))
    before = page.read_bytes()
    assert run(project) == ["book/page.ipynb"] and page.read_bytes() == before
    assert "has no attribute 'lost'" in capsys.readouterr().out
