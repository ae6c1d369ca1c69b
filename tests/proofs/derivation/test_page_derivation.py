"""Derivations in LaTeX: what is shown, what is proved, and what is refused."""

import pytest

from posenc_proofs.derivation.derivation import Derivation, Refuted
from posenc_proofs.latex.statements import Derived
from posenc_proofs.latex.tokens import Unread

SAID = "for all a, b, φ ∈ ℝ, n ∈ ℕ₊, i ∈ ℕ and every real sequence u\n"
PAGE = r"""for all a, b, φ ∈ ℝ, n ∈ ℕ₊, i ∈ ℕ and every real sequence u
R_\varphi := \begin{pmatrix} \cos\varphi & -\sin\varphi \\ \sin\varphi & \cos\varphi \end{pmatrix}  -- a turn
eq-turns: R_a R_b
  = R_{a+b}                                          -- angles add
eq-gauss: 1 + 2 + \cdots + n
  = \frac{n(n+1)}2                                   -- Gauss  [induction n]
model u_i := 1
assume eq-unit: u_i^2 = 1                            -- units
eq-square: \sum_{i=0}^{n-1} u_i^2
  = n                                                -- each is 1  [follows eq-unit]
"""


def test_rows_are_shown_as_they_were_written_and_say_what_is_proved():
    D = Derivation("first")
    made = D.write(PAGE)
    assert [result.kind for result in made] == ["defined", "proved", "proved", "assumed", "proved"]
    assert made[1].latex == "R_a R_b = R_{a+b}"
    assert made[1].scope == "for all a, b ∈ ℝ"
    assert made[4].rests_on == ["eq-unit"]
    assert made[3].scope == "assumed of the real sequence u, for all i ∈ ℕ"
    assert made[4].scope == "for all n ∈ ℕ₊ and every real sequence u as assumed"
    derived = Derived([result.record() for result in made], D.claimed)
    for result in made:
        if result.certificates:
            derived.confirm(result.label)


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (r"eq-x: a + \foo b = b", r"line 2, column 11: the command \\foo"),
        (r"eq-x: a + b = 2b3", r"line 2, column 17: b3: a number behind a letter: write b_3"),
        (r"eq-x: \sum_{k=0}^{2} k + k = b", r"line 2, column 26: the name k"),
        (r"eq-x: {a + b}^2 = b", r"line 2, column 7: braces around a \+ b"),
        (r"eq-x: a = u_{ab}", r"line 2, column 15: u at a product"),
        ("eq-x: a\n  = \\sin a b^2", r"line 3, column 13: \\sin a b"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(row, place):
    with pytest.raises(Unread, match=place):
        Derivation("misread").write(SAID + row)


def test_a_wrong_version_of_a_matrix_names_the_entry_that_fails():
    matrix = r"\begin{pmatrix} 0 & a & 0 \\ 0 & b & 0 \end{pmatrix}"
    (made,) = Derivation("x").write(f"{SAID}eq-x: {matrix}\n  = {matrix}  -- as it is")
    assert {w["changed"]: w["entry"] for w in made.wrong}["the sign of the whole"] == [1, 2]


def test_a_letter_with_the_name_of_a_function_is_named_as_it_is_written():
    (made,) = Derivation("x").write("for all δ ∈ ℝ\neq-x: 2\\delta\n  = \\delta + \\delta  -- twice")
    assert made.record()["letters"] == {"delta": "ℝ"}
    assert {name for wrong in made.wrong for name, _ in wrong["point"]} == {"δ"}


def test_a_letter_above_a_name_is_said_where_it_stands():
    D = Derivation("first")
    scope = "for all n ∈ ℕ₊, x⋆ ∈ ℝ and every real sequence W^Q, W^K\n"
    row = r"eq-w: x^\star \sum_{i=0}^{n-1} W^Q_i = \sum_{i=0}^{n-1} x^\star W^Q_i  -- linear"
    (result,) = D.write(scope + row)
    assert result.scope == "for all n ∈ ℕ₊, x⋆ ∈ ℝ and every real sequence W^Q"
    with pytest.raises(Refuted, match=r"at W\^K\[0\] = .*, W\^Q\[0\] = "):
        D.write(r"eq-v: W^Q_0 = W^K_0  -- not alike")


def test_the_interval_that_is_said_last_holds():
    D = Derivation("first")
    above, wide, below = D.write(
        r"""for all x ∈ [0.1, 2/3]
eq-above: 0
  < \cos x           -- by intervals  [certified]
for all x ∈ ℝ₊
eq-wide: \cos(2x)
  = 2\cos^2 x - 1    -- half-angle formula
for all x ∈ [2, 4.5]
eq-below: \cos x
  < 0                -- by intervals  [certified]"""
    )
    assert [r.scope for r in (above, wide, below)] == [
        "for all x ∈ [0.1, 2/3]",
        "for all x ∈ ℝ₊",
        "for all x ∈ [2, 4.5]",
    ]
    derived = Derived([r.record() for r in (above, wide, below)], D.claimed)
    for label in derived.records:
        derived.confirm(label)


@pytest.mark.parametrize("interval", ["[2, 4.]", "[.1, 2]", "[0.2, 0.1]", "[0.1/2, 1]", "[1e-1, 2]"])
def test_an_interval_ends_in_numbers(interval):
    with pytest.raises(Unread, match="in the scope"):
        Derivation("first").write(f"for all x ∈ {interval}\neq-x: x\n  = x   -- itself")


def test_a_name_behind_a_letter_is_kept_with_what_it_stands_for():
    text = r"""for all i ∈ ℕ, x ∈ ℝ
let \theta_i := 10^{-i}
let a_i := e^{\mathrm ix\theta_i}
eq-a: a_i \overline{a_i}
  = 1   -- a turn"""
    (result,) = Derivation("behind").write(text)
    assert result.meant == [r"\theta_i := 10^{-i}", r"a_i := e^{\mathrm ix\theta_i}"]


def test_a_letter_and_a_sequence_of_one_name_are_told_apart():
    each, one, both = Derivation("twins").write(
        "for all i ∈ ℕ, x, θ ∈ ℝ and every real sequence θ\n"
        "eq-each: 2x\\theta_i = x\\theta_i + x\\theta_i  -- of the sequence\n"
        "eq-one: 2x\\theta = x\\theta + x\\theta  -- of the letter\n"
        "eq-both: x(\\theta + \\theta_i) = x\\theta + x\\theta_i  -- of both"
    )
    assert each.scope == "for all i ∈ ℕ, x ∈ ℝ and every real sequence θ"
    assert one.scope == "for all x, θ ∈ ℝ"
    assert both.scope == "for all i ∈ ℕ, x, θ ∈ ℝ and every real sequence θ"
    assert [made.letters["theta"] for made in (each, one)] == ["sequence in ℝ", "ℝ"]
