"""Cells of a notebook: run again, run after a mistake, and what a theorem in words may name."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from posenc_proofs.derivation.cells import Cells
from posenc_proofs.text.blocks import Misread

FIRST = "for all a ∈ ℝ\neq-one: \\cos(a)^2 + \\sin(a)^2\n  = 1  -- Pythagoras"
THEN = "eq-two: 2\\cos(a)^2\n  = 2 - 2\\sin(a)^2  -- from it [follows eq-one]"


def test_a_cell_that_is_run_again_begins_anew_and_what_came_behind_it_is_forgotten():
    cells = Cells()
    for text in (FIRST, THEN, THEN.replace("from it", "twice"), FIRST.replace("Pythagoras", "a circle")):
        (made,) = cells.write("circle", text)
        assert made.kind == "proved"
    assert list(cells.page) == ["eq-one"] and cells.page["eq-one"].reasons == ["a circle"]


def test_after_a_mistake_the_cell_is_run_again():
    cells = Cells()
    cells.write("circle", FIRST)
    with pytest.raises(Misread, match="eq-none is no earlier result; there are eq-one"):
        cells.write("circle", THEN + "\neq-three: a\n  = a  -- [follows eq-none]")
    cells.write("circle", THEN)
    assert list(cells.page) == ["eq-one", "eq-two"]


def test_a_theorem_in_words_names_steps_of_any_derivation_of_the_page():
    cells = Cells()
    cells.write("circle", FIRST)
    (words,) = cells.write("theorem", "words thm-circle (Theorem): A *circle*.\n  steps: eq-one")
    assert words.badge() == "¶ in words; its step is eq-one"
    with pytest.raises(Misread, match="its step eq-other is not proved on this page"):
        cells.write("theorem", "words thm-other (Theorem): A line.\n  steps: eq-other")


def test_a_label_has_one_result():
    cells = Cells()
    cells.write("circle", FIRST)
    with pytest.raises(Misread, match="the label eq-one is taken"):
        cells.write("other", FIRST)


def test_another_derivation_of_the_page_recalls_a_result_under_its_label():
    cells = Cells()
    cells.write("circle", FIRST)
    (proved,) = cells.page.values()
    scope, _, row = FIRST.partition("\n")
    for name in ("other", "third"):
        (recalled,) = cells.write(name, f"{scope}\nrecall {row}")
        assert (recalled.kind, recalled.derivation) == ("recalled", name)
    assert list(cells.page.values()) == [proved]
    with pytest.raises(Misread, match="the label eq-one is taken"):
        Cells().write("circle", f"{FIRST}\nrecall {row}")


def test_what_is_false_is_not_recalled():
    cells = Cells()
    cells.write("circle", "for all x ∈ ℝ\nrefute eq-two: x\n  = 1   -- always\n  at: x = 2")
    with pytest.raises(Misread, match="the label eq-two is taken"):
        cells.write("other", "for all x ∈ ℝ\nrecall eq-two: x\n  = 1")


def test_a_cell_of_a_notebook_is_derived_and_kept(capsys):
    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "posenc_proofs")
        shell.run_cell_magic("derive", "circle", FIRST)
        shell.run_cell_magic("derive", "circle", THEN)
        kept = shell.user_ns["derivations"]["circle"].results
        assert [result.kind for result in kept.values()] == ["proved", "proved"]
        assert capsys.readouterr().out.strip()
    finally:
        InteractiveShell.clear_instance()
