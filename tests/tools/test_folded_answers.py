"""On the site an executed answer stands in the fold of its solution, and none is lost on the way there."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from site_pages import built
from sphinx_design.shared import create_component

from tools.answers import TITLE, into_solutions
from tools.browser import SITE
from tools.contents import find_notebooks
from tools.notebooks import ROOT
from tools.reading import STEP

HEADING = re.compile(r"^## Exercises?$", re.MULTILINE)
SECTION = re.compile(r'<section id="exercises?">')
EXERCISE = re.compile(r"^\*\*(\d+)\.\*\* ", re.MULTILINE)


def answers(path):
    """(number of the exercise, code and what it prints, places) of each executed answer of a page."""
    number, found = None, []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            number = 0 if HEADING.search(cell.source) else number
            if number is not None and (numbers := EXERCISE.findall(cell.source)):
                number = int(numbers[-1])
        elif number is not None and "said" not in cell.metadata.get("tags", []):
            words = [out.text.strip("\n") for out in cell.outputs if out.output_type == "stream"]
            steps = [out.data[STEP] for out in cell.outputs if STEP in out.get("data", {})]
            places = [f"equation-{step['label']}" for step in steps if step["kind"] != "recalled"]
            found.append((number, [cell.source.strip(), *words], places))
    return found


ANSWERED = [path for path in find_notebooks() if answers(path)]


def shown(text):
    """The cells below the heading of a built page: each with its exercise, folds, words and places."""
    number, cells = 0, []
    for tag in BeautifulSoup(SECTION.split(text)[-1], "html.parser").find_all(["strong", "div"]):
        if tag.name == "strong" and re.fullmatch(r"\d+\.", tag.get_text()):
            number = int(tag.get_text()[:-1])
        elif tag.name == "div" and "cell" in tag.get("class", []):
            folds = [fold.find("summary").get_text().strip() for fold in tag.find_parents("details")]
            cells.append((number, folds, tag.get_text(), {part["id"] for part in tag.select("[id]")}))
    return cells


def lost(wanted, text):
    """What is wrong with the answers on a built page: astray, or not all there."""
    cells = shown(text)
    if [number for number, *_ in cells] != [number for number, *_ in wanted]:
        yield f"answers stand at the exercises {[number for number, *_ in cells]}"
        return
    for (_, folds, said, there), (number, words, places) in zip(cells, wanted, strict=True):
        if folds != [TITLE]:
            yield f"an answer of exercise {number} stands in the folds {folds}"
        for part in [*(part for part in words if part not in said), *(set(places) - there)]:
            yield f"exercise {number} has lost {part!r}"


@built
@pytest.mark.parametrize("path", ANSWERED, ids=lambda path: path.stem)
def test_each_executed_answer_stands_in_the_solution_of_its_exercise(path):
    page = SITE / path.relative_to(ROOT).with_suffix(".html")
    assert not list(lost(answers(path), page.read_text(encoding="utf-8")))


def dropdown(title):
    return create_component("dropdown", children=[nodes.rubric("", title), nodes.paragraph("", "words")])


def cell(hidden="all"):
    return nodes.container("", nb_element="cell_code", hide_mode=hidden)


def gathered(title, *parts):
    document = new_document("page")
    document += nodes.section("", nodes.title("", title), *parts)
    into_solutions(None, document, "page")
    return document[0].children[1:]


def test_answers_join_the_solution_before_them():
    parts = [dropdown(TITLE), cell(), nodes.paragraph(), dropdown(TITLE), cell(), cell()]
    first, second = gathered("Exercises", *parts)[::2]
    assert [len(first), len(second)] == [3, 4]
    assert [part["hide_mode"] for part in (first[2], second[2], second[3])] == ["", "", ""]
