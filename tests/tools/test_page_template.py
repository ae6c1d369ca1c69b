"""The template of a page passes every check of a page, and no page of the book still holds its «…»."""

import asyncio

import nbformat
import pytest

from tools import contents, guard
from tools.execute import execute
from tools.notebooks import ROOT
from tools.reading import labels

TEMPLATE = ROOT / "tools" / "page_template.ipynb"


def first_cell(path):
    return next(cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")


def test_the_template_runs_and_passes_every_check_of_a_page():
    made, _ = asyncio.run(execute(TEMPLATE))
    assert guard.problems(made) == []
    found = [label for cell in made.cells if cell.cell_type == "code" for label in labels(cell)]
    assert found == ["eq-new-page-distance", "eq-new-page-slip"]


@pytest.mark.parametrize("path", contents.find_notebooks(), ids=lambda path: path.name)
def test_a_page_says_what_it_needs_as_the_template_does_and_holds_nothing_unwritten(path):
    first = first_cell(path)
    assert first.source == first_cell(TEMPLATE).source and first.metadata["tags"] == ["remove-cell"]
    assert "«" not in path.read_text(encoding="utf-8")
