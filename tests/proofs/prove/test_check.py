"""Deciding one equation: what is refused, what is not proved, and that two paths must agree."""

import pytest
from sympy import Derivative, Integer, Matrix, Rational, Symbol, cos, nan, sin, sqrt, zoo

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.refute import second_opinion
from posenc_lib.proofs.prove.rewriting import REWRITING
from posenc_lib.proofs.values.evaluate import BALLS

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


unknown = Derivative(f(T), T)  # has no value at any point: no second opinion is possible


def test_what_no_point_confirms_is_not_proved():
    verdict = check(unknown * (x + y) ** 2, unknown * (x**2 + 2 * x * y + y**2))
    assert verdict.status == "undecided" and "at no point" in verdict.reason


@pytest.mark.parametrize("nonsense", [None, True, x < y, float("nan"), "x", [1, 2]], ids=str)
def test_nonsense_is_named(nonsense):
    with pytest.raises((TypeError, ValueError)):
        check(nonsense, x)


def test_every_entry_of_a_matrix_needs_a_point_with_values():
    one, two = (1 + sqrt(2)) ** 2 - 3 - 2 * sqrt(2), (1 + sqrt(3)) ** 2 - 4 - 2 * sqrt(3)  # both are 0
    for left, right in (([x, 1 / one], [x, 2 / two]), ([1 / one, x], [2 / two, x])):
        assert check(Matrix(left), Matrix(right)).status == "undecided"


@pytest.mark.parametrize("kind", REWRITING, ids=lambda kind: kind.__name__)
def test_what_the_normal_form_rewrites_the_second_path_can_evaluate(kind):
    assert any(base in BALLS for base in kind.__mro__)
