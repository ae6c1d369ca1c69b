"""What a page recalls is what another page proves: the reader's command looks, and refuses anything else."""

import json

import pytest

from posenc_proofs.__main__ import main
from posenc_proofs.derivation.cells import Cells
from posenc_proofs.kernel.pages import found, rebuilt

SAID = "for all x, y ∈ ℝ, p ∈ ℝ₊, m ∈ ℤ, i, N ∈ ℕ and every real function f\n"
TURN = "R_x := \\begin{pmatrix} \\cos x & -\\sin x \\\\ \\sin x & \\cos x \\end{pmatrix}\n"
SQUARE = "K(x) := x^2\n"
CIRCLE = "eq-far: \\cos(x)^2 + \\sin(x)^2 = 1"
BOUND = "eq-far: |\\sin(p)| \\le |p|  -- [chord]"
CHAIN = "eq-far: p\n  \\le 2p  -- [adding rest p]\n  \\le 3p  -- [adding rest p]"
STRICT = "eq-far: p < 2p  -- [adding rest p]"
JET = "g(x) + h \\frac d{dx} g(x) + \\tfrac12 h^2 \\frac{d^2}{dx^2} g(x)"
NOT_IT = "not the combination"
WISH = "model f(x) := x^2\nassume eq-far: f(x) = x^2"

GRANTED = {
    "an equation": (CIRCLE, "\\cos(x)^2 + \\sin(x)^2 = 1"),
    "in another order": (CIRCLE, "\\sin(x)\\sin(x) + \\cos(x)^2 = 1"),
    "an inequality": (BOUND, "|\\sin(p)| \\le |p|"),
    "turned round": (BOUND, "|p| \\ge |\\sin(p)|"),
    "a chain, by its ends": (CHAIN, "p \\le 3p"),
    "strict": (STRICT, "p < 2p"),
    "weaker": (STRICT, "p \\le 2p"),
    "matrices": (TURN + "eq-far: R_x R_y = R_{x+y}", "R_x R_y = R_{x+y}", TURN),
    "bound letters called otherwise": (
        "eq-far: \\sum_{i=0}^N x = (N + 1) x", "\\sum_{k=0}^N x = (N + 1) x"),
    "a name that is defined in both": (SQUARE + "eq-far: K(x) + 1 = x^2 + 1", "K(x) + 1 = x^2 + 1", SQUARE),
    "of every function, for this one": (
        "eq-far: f(x) + f(y) = f(y) + f(x)", "f(x) + f(y) = f(y) + f(x)", "f(x) := x^2\n"),
}  # fmt: skip
REFUSED = {
    "no page proves it": ("eq-other: x + y = y + x", "x + y = y + x", "no result eq-far is rebuilt"),
    "a term on the other side": (CIRCLE, "\\sin(x)^2 = 1 - \\cos(x)^2", "not eq-far, recalled"),
    "another statement": (CIRCLE, "\\sin(x)^2 = \\cos(x)^2", NOT_IT),
    "a stronger relation": (STRICT.replace("<", "\\le"), "p < 2p", "nothing is strict"),
    "an equation for a bound": (
        "eq-far: x^2 \\le x^2 + p  -- [adding rest p]", "x^2 = x^2 + p", "an equation is expected"),
    "a chain without a strict row, called strict": (CHAIN, "p < 3p", "nothing is strict"),
    "a part of a chain": (CHAIN, "p \\le 2p", NOT_IT),
    "a name that is defined otherwise": (SQUARE + "eq-far: K(x) = x x", "f(x) = x x", NOT_IT),
    "assumed there": (WISH, "f(x) = x^2", "no result eq-far is rebuilt"),
    "resting on a hypothesis": (
        WISH.replace("far", "wish") + "\neq-far: f(x) + 1 = x^2 + 1  -- [follows eq-wish]",
        "f(x) + 1 = x^2 + 1", "other hypotheses"),
    "false": ("refute eq-far: \\cos(mx) = 1", "\\cos(m x) = \\cos(mx) + 0", "no result eq-far is rebuilt"),
    "in words": (
        CIRCLE.replace("far", "step") + "\nwords eq-far (Theorem): A circle.\n  steps: eq-step",
        "\\cos(x)^2 + \\sin(x)^2 = 1", "no result eq-far is rebuilt"),
}  # fmt: skip


def pages(folder, *texts):
    """Notebooks that show what each text derives."""
    made = []
    for k, text in enumerate(texts):
        results = Cells().write(f"of-{k}", SAID + text)
        cells = [{"outputs": [{"data": result._repr_mimebundle_()} for result in results]}]
        made.append(folder / f"page-{k}.ipynb")
        made[-1].write_text(json.dumps({"cells": cells}))
    return made


def refusals(paths):
    """Why claims are refused, by name."""
    return rebuilt([claim for path in paths for claim in found(path)])[1]


@pytest.mark.parametrize("name", GRANTED)
def test_recalled_as_it_is_proved(tmp_path, name):
    origin, said, *define = GRANTED[name]
    paths = pages(tmp_path, "".join(define) + f"recall eq-far: {said}", origin)
    assert refusals(paths) == {} and main(paths) == 0


@pytest.mark.parametrize("name", REFUSED)
def test_anything_else_is_refused(tmp_path, name):
    origin, said, reason = REFUSED[name]
    refused = refusals(pages(tmp_path, f"recall eq-far: {said}", origin))
    assert list(refused) == ["eq-far@of-0"] and reason in refused["eq-far@of-0"]


def test_what_is_proved_by_itself_is_no_result_of_another_page(tmp_path):
    here, there = pages(tmp_path, "recall eq-far: x + y = y + x", CIRCLE)
    (claim,) = found(here)
    certificate = json.loads(claim.certificate)
    certificate["steps"][-1][4][0][0] = ["num", "0", "0"]  # nothing of eq-far
    forged = claim._replace(certificate=json.dumps(certificate))
    assert rebuilt([forged, *found(there)])[1] == {"eq-far@of-0": "not eq-far, recalled"}


def test_no_remainder_is_left_out(tmp_path):
    said = "for all h ∈ ℝ and every smooth real function g\n"
    here, there = f"{said}recall eq-far: g(x + h) = {JET}", f"{said}eq-far: g(x + h) = {JET}"
    refused = refusals(pages(tmp_path, here, there + " + O(\\lVert(h)\\rVert^3)"))
    assert NOT_IT in refused["eq-far@of-0"]


def test_a_letter_keeps_its_set(tmp_path):
    there = BOUND.replace("p)", "q)").replace("|p|", "|q|")
    paths = pages(tmp_path, "for all q ∈ ℕ₊\nrecall eq-far: |\\sin(q)| \\le |q|", f"for all q ∈ ℝ₊\n{there}")
    assert NOT_IT in refusals(paths)["eq-far@of-0"]


def test_what_rests_on_it_has_no_free_hypothesis_where_all_pages_are_rebuilt(tmp_path):
    here = "recall eq-far: |\\sin(p)| \\le |p|\neq-near: 2|\\sin(p)| \\le 2|p|  -- [adding eq-far times 2]"
    paths = pages(tmp_path, here, BOUND)
    theorems, refused = rebuilt([claim for path in paths for claim in found(path)])
    assert not refused and theorems["eq-near"].hypotheses == frozenset()
    assert "triangle_integral" in theorems["eq-near"].axioms, "as the result of the other page does"
    assert main(paths) == 0 and main(paths[:1]) == 1


def test_a_condition_is_said_again(tmp_path):
    body = ": \\sum_{j=0}^{d-1} \\delta_{ij} a_j = a_i"
    said = "for all j ∈ ℕ, d ∈ ℕ₊ and every real sequence a"
    there = f"{said}, with i < d\neq-far{body}"
    assert refusals(pages(tmp_path, f"{said}, with i < d\nrecall eq-far{body}", there)) == {}
    assert (
        "has other hypotheses"
        in refusals(pages(tmp_path, f"{said}\nrecall eq-far{body}", there))["eq-far@of-0"]
    )


def test_results_that_recall_each_other_are_refused(tmp_path):
    one = "recall eq-b: |\\sin(p)| \\le |p|\neq-a: 2|\\sin(p)| \\le 2|p|  -- [adding eq-b times 2]"
    two = "recall eq-a: 2|\\sin(p)| \\le 2|p|\neq-b: |\\sin(p)| \\le |p|  -- [adding eq-a times \\tfrac12]"
    assert refusals(pages(tmp_path, one, two)).keys() == {"eq-b@of-0", "eq-a", "eq-a@of-1", "eq-b"}
