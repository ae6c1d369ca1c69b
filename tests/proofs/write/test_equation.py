"""Deciding one equation: what is refused, what is not proved, and that two paths must agree."""

import pytest
from sympy import Derivative, Integer, Matrix, Rational, Symbol, cos, nan, sin, sqrt, zoo

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.refute import second_opinion
from posenc_lib.proofs.write.theorems import Theorems

T, a, b, x, y = reals("T a b x y")
f = real_function("f")


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (Symbol("q"), Integer(1), "has no domain"),
        (Matrix([[a]]), Matrix([[a], [b]]), "different shapes"),
        (Matrix([a, b]), a, "different shapes"),
    ],
)
def test_bad_statements_are_refused(left, right, message):
    for sides in ((left, right), (right, left)):
        with pytest.raises(ValueError, match=message):
            check(*sides)


def test_a_matrix_of_one_entry_is_a_scalar_and_infinity_is_none():
    assert check(Matrix([[x]]), x).status == check(x, Matrix([[x]])).status == "proved"
    for nothing in (zoo, nan):
        with pytest.raises(TypeError, match="with a value"):
            check(x, nothing)
    with pytest.raises(ValueError, match=r"different shapes: \(2, 1\) and a scalar"):
        check(Matrix([a, b]), a)


def test_floating_point_is_never_a_proof():
    with pytest.raises(ValueError, match="not exact"):
        check(0.5 * a, Rational(2, 3) * a)


def test_disagreement_of_the_two_paths_stops_everything():
    with pytest.raises(CheckerBug, match="ball arithmetic refutes"):
        second_opinion(cos(a), sin(a))


def test_a_row_that_balls_refute_is_not_proved_whatever_the_kernel_says(monkeypatch):
    wrong = Theorems().row(a, "=", a, identity)
    monkeypatch.setattr(Theorems, "row", lambda *_: wrong)
    monkeypatch.setattr("posenc_lib.proofs.write.rows.first_look", list)
    with pytest.raises(CheckerBug, match="ball arithmetic refutes"):
        Derivation("d").prove("eq-a", cos(a), eq(sin(a), "no"))


NOTHING = [1 / ((1 + sqrt(2)) ** 2 - 3 - 2 * sqrt(2)), Derivative(f(T), T)]  # have values at no point


@pytest.mark.parametrize("nothing", NOTHING, ids=str)
def test_what_has_a_value_at_no_point_is_not_proved(nothing):
    left, right = nothing * (x + y) ** 2, nothing * (x**2 + 2 * x * y + y**2)
    assert check(left, right).status == "undecided"
    with pytest.raises(Undecided):
        Derivation("d").prove("eq-a", left, eq(right, "vacuous"))


@pytest.mark.parametrize("nonsense", [None, True, x < y, float("nan"), "x", [1, 2]], ids=str)
def test_nonsense_is_named(nonsense):
    with pytest.raises((TypeError, ValueError)):
        check(nonsense, x)


def test_every_entry_of_a_matrix_needs_a_point_with_values():
    one, two = (1 + sqrt(2)) ** 2 - 3 - 2 * sqrt(2), (1 + sqrt(3)) ** 2 - 4 - 2 * sqrt(3)  # both are 0
    for left, right in (([x, 1 / one], [x, 2 / two]), ([1 / one, x], [2 / two, x])):
        assert check(Matrix(left), Matrix(right)).status == "undecided"
