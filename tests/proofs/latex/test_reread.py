"""What is shown is read to its end, as what it looks like; tables/prints.txt has misprints."""

import random
import re
from contextlib import suppress

import pytest
from tables import confirm, written

from posenc_proofs.kernel.terms import I, add, read, var
from posenc_proofs.latex.definitions import definitions, one_row, rows
from posenc_proofs.latex.statements import Derived, third_order
from posenc_proofs.latex.tokens import Hand, Unread

EVEN = "for all x ∈ ℝ\neq-x: x + 1 = 1 + x"
GIVEN = r"""for all x ∈ ℝ and every real function f
model f(x) := 1
assume eq-shift: f(x + 1) = f(x)
eq-x: f(x + 2) = f(x)  -- twice  [follows eq-shift, eq-shift (x = x + 1)]"""


def test_a_letter_below_a_name_is_an_argument_where_the_meaning_contains_it():
    assert definitions([one_row(r"R_{\phi} := \cos(\phi)", Hand())])["R"].letters == ("phi",)
    assert definitions([one_row(r"B_{1} := 1 + x", Hand())])["B_1"].letters == ()
    assert definitions([one_row(r"R_{g}(x,y) := x y", Hand())])["R_g"].letters == ("x", "y")


def test_a_chain_is_read_row_by_row():
    assert [row.relation for row in rows(r"\sum_{i=0}^{2} i = 3 \le 4", Hand())] == ["=", "<="]


UNREAD = {
    r"x = \aleph": r"\\aleph", r"x = (x": "without its partner", r"x = \frac{x}": "is expected",
    r"x = ☃": "the sign", r"x = x_{3}": "the name x_3",
    r"x = \int_{0}^{1} x": r"\\int without its partner \\,d",
}  # fmt: skip


@pytest.mark.parametrize("latex", UNREAD)
def test_what_cannot_be_read_is_said(latex):
    with pytest.raises(Unread, match=UNREAD[latex]):
        confirm(written(EVEN), latex=latex)


BROKEN = {
    "nothing in a fraction": r"\frac{}{2} x = x",
    "nothing after a sign": "x +",
    "nothing in braces": "{} = x",
    "no relation": "x",
    "nothing": "",
    "a limit to nowhere": r"\lim_{N } N = x",
    "blocks over nothing": r"\bigoplus_{i} x = x",
    "a range of no letter": r"\sum_{0 \leq i + \leq N} x = x",
    "a derivative of no whole order": r"\frac{d^{2}}{d x^{y}} x = x",
    "an exponent of nothing": r"\cos^{}(x) = x",
    "brackets in brackets": "(" * 2000 + "x" + ")" * 2000 + " = x",
    "a letter that is none": "² = x",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_print_is_unread(name):
    with pytest.raises(Unread):
        confirm(written(EVEN), latex=BROKEN[name])


@pytest.mark.parametrize(
    "instead",
    [
        *({"latex": latex} for latex in ("", "f(x)", "f(x + 1) = f(x) = f(x)", "f(x + 2) = f(x)")),
        {"scope": "assumed of the real function f, for all x ∈ ℤ"},
        {"scope": "assumed of the real function f, for all x ∈ [0, 1]"},
        {"scope": "assumed of the real function f, for all x ∈ ℝ, with x <= y"},
        {"scope": "assumed of x ∈ ℝ and the real function f"},
    ],
    ids=str,
)
def test_a_hypothesis_that_is_shown_otherwise_is_not_the_one_that_is_used(instead):
    D = written(GIVEN)
    records = [result.record() for result in D.results.values()]
    with pytest.raises(Unread):
        Derived([records[0] | instead, records[1]], D.claimed).confirm("eq-x")


def test_an_order_that_a_theorem_supposes_is_between_real_numbers():
    D, x, y = written(EVEN), var("x", "R"), var("y", "R")
    D.claimed["eq-x"] = D.proof.step("assume", [], I, "<=", x)
    with pytest.raises(Unread, match="does not say"):
        confirm(D, latex=r"\mathrm{i} \le x", scope="for all x ∈ [0, 1]")
    D.claimed["eq-x"] = D.proof.step("assume", [], add(I, x), "<=", add(I, y))
    with pytest.raises(Unread, match="does not say"):
        confirm(D, latex=r"\mathrm{i} + x \le \mathrm{i} + y", scope="for all x, y ∈ ℝ, with x <= y")


def broken(latex, draw):
    """A piece is lost, doubled, put elsewhere, or another; or what follows is lost."""
    pieces = re.findall(r"\\[a-zA-Z]+|\\.|[a-zA-Z0-9]+|.", latex)
    k, other = draw.randrange(len(pieces)), draw.choice([*pieces, *STRAY])
    ways = [pieces[:k] + new + pieces[k + 1 :] for new in ([], [other], [pieces[k]] * 2, [other, pieces[k]])]
    return "".join(draw.choice([*ways, pieces[:k], pieces[k:]]))


STRAY = [*"{}^_!&O", r"\frac", r"\sum_", r"\lim_{N}", r"\bigoplus_{i}", "{}", ":=", r"\to"]
SUM = r"\sum_{i=0}^N \frac{\cos(ix)^2}2"
PRINTED = {
    "latex": f"for all x ∈ ℝ, N, i ∈ ℕ\neq-x: \\frac d{{dx}} \\sin(x) {SUM} = {SUM} \\cos(x)",
    "scope": "for all x ∈ ℝ, p ∈ ℝ₊, m ∈ ℤ\neq-x: 2\\sinh(x) + p + m = p + e^x - e^{-x} + m",
    "meant": f"for all x, y ∈ ℝ, N, i ∈ ℕ\ng(x) := \\frac{{x^2}}3 + {SUM}\neq-x: g(y) + y = y + g(y)",
}


@pytest.mark.parametrize("part", PRINTED)
def test_what_is_broken_is_never_read_otherwise_than_refused(part):
    """Whatever was lost, the answer is Unread, or that it still says the same: no other exception."""
    D = written(PRINTED[part].replace(f"\\frac d{{dx}} \\sin(x) {SUM}", f"(\\frac d{{dx}} \\sin(x)) {SUM}"))
    *_, record = (result.record() for result in D.results.values())
    said = record["meant"][0] if part == "meant" else record[part]
    draw = random.Random(11)
    for _ in range(250):
        text = broken(said, draw)
        with suppress(Unread):
            confirm(D, **{part: [text] if part == "meant" else text})


ZERO, ONE, B0 = ["num", "0", "0"], ["num", "1", "0"], ["bv", 0]
H, LATE = ["var", "h", "R"], ["var", "h", "R+"]
PEAK = ["*", ["^", ["inv", B0], 2], ["exp", ["*", ["num", "-1", "0"], ["^", ["*", H, ["inv", B0]], 2]]]]
REMAINDERS = {
    "of third order": (True, H, ONE, ["*", ["^", H, 3], B0]),
    "a square, as three over one": (False, LATE, ONE, ["*", ["^", LATE, 3], ["inv", LATE]]),
    "a square, by a range that grows": (False, H, ["inv", H], ["^", H, 3]),
    "a number, the letter called as the kernel's own": (False, ["var", "remainder", "R"], ONE, ["^", B0, 3]),
    "a square, by a peak that grows": (False, H, ONE, ["*", ["^", H, 3], PEAK]),
    "no integral": (False, H, None, ["^", H, 3]),
}


@pytest.mark.parametrize("name", REMAINDERS)
def test_a_remainder_of_third_order_is_bounded_by_a_cube(name):
    expected, small, end, body = REMAINDERS[name]
    rest = ["int", "u", ZERO, end, body] if end else body
    assert third_order(read(rest), [read(small)]) == expected
