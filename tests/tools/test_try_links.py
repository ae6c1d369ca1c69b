"""Each derivation that a page holds as text can be tried: its link brings all that it rests on."""

import re
from urllib.parse import unquote

import nbformat
import pytest
from site_pages import built
from whole_runs import sample

from posenc_proofs.derivation.answers import answers
from posenc_proofs.derivation.records import Counts
from posenc_proofs.refutation import slips
from posenc_proofs.witness import opinion
from tools.browser import SITE, pages
from tools.contents import find_notebooks
from tools.reading import STEP
from tools.try_links import CELL, PAGE, alone, links

FIRST = r"""%%derive angles
for all a, b ∈ ℝ
eq-cos: \cos(a+b)  # remark
  = \cos(a)\cos(b) - \sin(a)\sin(b)  -- why
eq-b: b
  = b + 0"""
LAST = r"""%%derive angles
eq-two: \cos(2a)
  = \cos^2(a) - \sin^2(a)  -- twice  [follows eq-cos (b = a)]"""


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


#: The last linked cell of each derivation of a page, which brings the most.
LONGEST = {(name.rpartition("-")[0], CELL.match(cell.source)[1]): name for name, (_, cell) in TEXTS.items()}
#: Those that bring more than the cell, which is run with its page.
BROUGHT = [
    name
    for name in LONGEST.values()
    for linked, cell in [TEXTS[name]]
    if linked.text.strip() != cell.source.partition("\n")[2].strip()
]


@pytest.mark.parametrize("name", sample(BROUGHT, 8))
def test_a_linked_text_is_answered_as_on_the_page(name, monkeypatch):
    """Result by result: what was proved is proved, for the same values. Wrong versions are left out."""
    monkeypatch.setattr(slips, "of_rows", lambda *_: ([], Counts()))
    monkeypatch.setattr(opinion, "of_rows", lambda _: "")
    linked, cell = TEXTS[name]
    records = [output.data[STEP] for output in cell.outputs]
    found = {answer.label: answer for answer in answers(linked.text)}
    for record in records:
        if record["kind"] != "defined":  # a definition's label is its number
            answer = found[record["label"]]
            assert answer.kind in (record["kind"], "same") and answer.latex == record["latex"]
            assert answer.kind == "same" or record["kind"] == "refuted" or record["scope"] in answer.said
    kinds = {answer.kind for answer in found.values()}
    assert kinds <= {"proved", "defined", "recalled", "assumed", "refuted", "same"}


def test_most_have_a_link_and_no_exercise_is_without():
    cells = [(f"{path.stem}-{k}", cell) for path in find_notebooks() for k, cell in enumerate(cells_of(path))]
    without = [cell for name, cell in cells if CELL.match(cell.source) and name not in TEXTS]
    elsewhere = {label for _, cell in cells for label in re.findall(r"recall ([\w-]+):", cell.source)}
    exercises = [cell.source for cell in without if "hide-cell" in cell.metadata.get("tags", [])]
    assert all(elsewhere.intersection(re.findall(r"eq-[\w-]+", source)) for source in exercises)
    assert len(without) < len(TEXTS) / 2


def test_a_text_brings_the_scope_and_the_parts_that_it_uses_and_no_others():
    other = "%%derive elsewhere\nfor all c ∈ ℝ\neq-two-c: 2c\n  = c + c"
    brought = alone([FIRST, other, "x = 1", LAST]).text
    assert "eq-cos" in brought and not any(other in brought for other in ("eq-b:", "elsewhere", "#"))
    assert [answer.kind for answer in answers(brought)] == ["proved", "proved"]


def test_a_text_brings_definitions_and_hypotheses_with_their_model():
    defined = "%%derive w\nfor all n ∈ ℤ, a ∈ ℝ and every real function f, g\ng(a) := a + 1\n"
    supposed = "%%derive w\nmodel f(n) := 1\nassume eq-h: f(n+1)\n  = f(n)"
    last = "%%derive w\neq-f: f(n+1) + g(a)\n  = f(n) + a + 1  -- both  [follows eq-h]"
    said = [answer.kind for answer in answers(alone([defined, supposed, last]).text)]
    assert said == ["defined", "assumed", "proved"]


@pytest.mark.parametrize(
    "cells",
    [
        ["%%derive w\nfor all a ∈ ℝ\na_1 := a"],  # nothing is shown
        ["%%derive w\nwords thm-x (Theorem): all is well\n  steps: eq-x"],
        ["%%derive w\nfor all a ∈ ℝ\nrecall eq-t: a\n  = a", "%%derive w\neq-c: a\n  = a  -- [follows eq-t]"],
    ],
)  # fmt: skip
def test_what_rests_on_another_page_or_shows_nothing_has_no_link(cells):
    assert alone(cells) is None


@built
def test_built_pages_link_these_texts():
    linked = {}
    for page in pages():
        for address in re.findall(r'href="([^"]*)#text=([^"&]*)[^"]*"', page.read_text(encoding="utf-8")):
            assert (page.parent / address[0]).resolve() == SITE / f"{PAGE}.html"
            linked.setdefault(page.stem, []).append(unquote(address[1]))
    wanted = [each.text for each, _ in TEXTS.values()]
    for name, (each, cell) in TEXTS.items():  # the front page has no exercises
        if "hide-cell" in cell.metadata.get("tags", []) and not name.startswith("index"):
            wanted.append(each.task)
    assert sorted(text for texts in linked.values() for text in texts) == sorted(wanted)


def test_a_task_is_the_answer_without_its_right_sides_and_is_not_yet_proved():
    task = alone([FIRST, LAST]).task
    assert task.startswith("for all a, b ∈ ℝ\neq-cos: ") and task.endswith("\n  = ?  -- your line")
    assert [answer.kind for answer in answers(task)] == ["proved", "unread"]
