"""Each derivation that a page holds as text can be tried: its link brings all that it rests on."""

import re
from urllib.parse import unquote

import nbformat
import pytest

from posenc_lib.proofs.cell import answers as plain
from posenc_lib.proofs.page import answers as latex
from tools.browser import SITE, pages, why_not
from tools.contents import find_notebooks
from tools.reading import STEP
from tools.try_links import CELL, LATEX, PAGE, alone, links

LETTERS = '%load_ext posenc_lib.proofs\na, b, th = reals("a b theta")\nD = Derivation("x")'


def answers(text):
    return (latex if text.startswith("for ") else plain).answers(text)


FIRST = "%%derive D\neq-cos: cos(a + b)  # remark\n  = cos(a)*cos(b) - sin(a)*sin(b)  -- why\neq-b: b = b + 0"


def cells_of(path):
    """The code cells that the site shows."""
    found = nbformat.read(path, as_version=4).cells
    return [c for c in found if c.cell_type == "code" and "remove-cell" not in c.metadata.get("tags", [])]


TEXTS = {
    f"{path.stem}-{k}": (linked, cells[k])
    for path in find_notebooks()
    for cells in [cells_of(path)]
    for k, linked in links([cell.source for cell in cells]).items()
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_linked_text_is_answered_as_on_the_page(name):
    """Result by result: what was proved is proved, for the same values."""
    linked, cell = TEXTS[name]
    records = [output.data[STEP] for output in cell.outputs]
    found = {answer.label: answer for answer in answers(linked.text)}
    for record in records:
        if record["kind"] != "defined":  # a definition's label is its number
            answer = found[record["label"]]
            assert answer.kind in (record["kind"], "same") and answer.latex == record["latex"]
            assert record["kind"] == "refuted" or record["scope"] in answer.said
    assert {answer.kind for answer in found.values()} <= {
        "proved",
        "defined",
        "recalled",
        "assumed",
        "refuted",
    }


def test_most_have_a_link_and_no_exercise_is_without():
    without = [
        cell
        for path in find_notebooks()
        for k, cell in enumerate(cells_of(path))
        if (CELL.match(cell.source) or LATEX.match(cell.source)) and f"{path.stem}-{k}" not in TEXTS
    ]
    elsewhere = {
        label
        for path in find_notebooks()
        for cell in cells_of(path)
        for label in re.findall(r"recall ([\w-]+):", cell.source)
    }
    exercises = [cell.source for cell in without if "hide-cell" in cell.metadata.get("tags", [])]
    assert all(elsewhere.intersection(re.findall(r"eq-[\w-]+", source)) for source in exercises)
    assert len(without) < len(TEXTS) / 2


def test_a_text_brings_the_letters_and_the_parts_that_it_uses_and_no_others():
    last = "%%derive D\neq-two: cos(2*a)\n  = cos(a)^2 - sin(a)^2  -- twice [follows eq-cos(b=a)]"
    assert alone([LETTERS, FIRST, last]).text.split("\n") == [
        'a, b = reals("a b")',
        *("eq-cos: cos(a + b)", "  = cos(a)*cos(b) - sin(a)*sin(b)  -- why"),
        *("eq-two: cos(2*a)", "  = cos(a)^2 - sin(a)^2  -- twice [follows eq-cos(b=a)]"),
    ]


def test_a_text_brings_definitions_and_what_they_use_in_turn():
    defined = "%%derive\nu := a + 1\nv := u^2\n"
    lines = alone([LETTERS, "u, v = reals('u v')", defined, "%%derive D\neq-v: v = (a + 1)^2"]).text.split(
        "\n"
    )
    assert sorted(lines[0].split(" = ")[0].split(", ")) == ["a", "u", "v"]
    assert lines[1:] == ["u := a + 1", "v := u^2", "eq-v: v = (a + 1)^2"]
    assert [answer.kind for answer in answers("\n".join(lines))] == ["defined", "defined", "proved"]


def test_the_last_declaration_counts_and_a_name_may_print_otherwise():
    text = alone([LETTERS, "a = positives('a')", "%%derive D\neq-a: sqrt(a^2) + th = a + th"]).text
    assert text.split("\n")[:2] == ['th = reals("theta")', 'a = positives("a")']


@pytest.mark.parametrize(
    "cells",
    [
        ["c = 2*a", "%%derive D\neq-c: c = 2*a"],  # a name that Python computes
        ["a = cos(b)", "%%derive D\neq-c: a = cos(b)"],  # also where it was a letter
        ['D.prove("eq-py", a, eq(a))', "%%derive D\neq-c: a = a + 0 -- why [follows eq-py]"],
        ["%%derive D\nassume eq-h: a = b -- why", "%%derive D\neq-c: 2*a = 2*b -- why [follows eq-h]"],
        [FIRST, 'D = new("eq-cos")', "%%derive D\neq-c: a = a + 0 -- why [follows eq-cos]"],
    ],
)  # fmt: skip
def test_what_rests_on_python_has_no_link(cells):
    assert alone([LETTERS, *cells]) is None


@pytest.mark.skipif(not pages(), reason=why_not())
def test_built_pages_link_these_texts():
    linked = {}
    for page in pages():
        for address in re.findall(r'href="([^"]*)#text=([^"&]*)[^"]*"', page.read_text(encoding="utf-8")):
            assert (page.parent / address[0]).resolve() == SITE / f"{PAGE}.html"
            linked.setdefault(page.stem, []).append(unquote(address[1]))
    wanted = [
        text
        for each, cell in TEXTS.values()
        for text in ([each.task] if "hide-cell" in cell.metadata.get("tags", []) else []) + [each.text]
    ]
    assert [text for texts in linked.values() for text in texts] == wanted


def test_a_task_is_the_answer_without_its_right_sides_and_is_not_yet_proved():
    last = "%%derive D\neq-two: cos(2*a)\n  = cos(a)^2 - sin(a)^2  -- twice [follows eq-cos(b=a)]"
    task = alone([LETTERS, FIRST, last]).task
    assert task.startswith('a, b = reals("a b")\neq-cos: cos(a + b)\n  = cos(a)*cos(b)')
    assert task.endswith("\neq-two: cos(2*a)\n  = ?  -- your line")
    assert [answer.kind for answer in answers(task)] == ["proved", "unread"]


def test_letters_of_several_kinds_on_one_line_are_read():
    made = "n, i, j, q = *counts('n'), *naturals('i j'), complexes('q')\nE = Derivation('clock')"
    asked = alone([made, "%%derive E\neq-x: q^i*q^j\n  = q^(i + j)  -- exponents add\neq-n: n = n + 0"])
    assert asked.given == ['n = counts("n")', 'i, j = naturals("i j")', 'q = complexes("q")']
