"""A false statement is refuted at the point that the author chooses, and at no other."""

from fractions import Fraction

import pytest
from sympy import I, Integer, Matrix, Rational, Sum, cos, exp, pi, sin, sqrt, zeta

from posenc_lib.proofs import *

m, n = integers("m n")
N, i, d = *naturals("N i"), counts("d")
b, theta, x = positives("b"), *reals("theta x")
z = complexes("z")
f, g, q = real_function("f"), complex_function("g"), real_sequence("q")


def refute(left, right, at, relation="=", D=None):
    return (D or Derivation("chosen")).refute("eq-x", left, right, "false", relation=relation, at=at)


@pytest.mark.parametrize(
    ("left", "right", "at", "shown"),
    [
        (b ** (-2 * i / d), b**-i, {b: 10000, i: 2, d: 64}, "b = 10000, i = 2, d = 64: left side 0.562341"),
        (cos(m * theta), cos(n * theta), {theta: pi / 2, n: 1, m: 2}, "θ = π/2, n = 1, m = 2: left side -1"),
        (exp(I * theta), 1, {theta: sqrt(2)}, "θ = sqrt(2): left side 0.155944 + 0.987766i, right side 1"),
        (x, x**2, {x: Fraction(1, 2)}, "x = 1/2: left side 0.5, right side 0.25"),
        (z**2, 1, {z: 1 + 2 * I}, "z = 1 + 2i: left side -3 + 4i"),
        (f(m), f(m + 1), {m: 3, f(3): 1, f(4): 2}, "m = 3, f(3) = 1, f(4) = 2: left side 1, right side 2"),
        (Sum(q[i], (i, 0, N)), q[0], {N: 1, q[0]: 1, q[1]: Rational(1, 2)}, "left side 1.5, right side 1"),
        (Matrix([1, x]), Matrix([1, x**2]), {x: 2}, "x = 2: left side 2, right side 4"),
    ],
    ids=str,
)
def test_the_chosen_point_is_the_one_that_is_certified_and_shown(left, right, at, shown):
    result = refute(left, right, at)
    assert shown in result.badge() and shown in result.record()["counterexample"]


@pytest.mark.parametrize(
    ("left", "right", "at", "complaint"),
    [
        (m, n, {m: 1}, "leaves n open"),
        (f(m), 0, {m: 3}, r"leaves f\(3\) open"),
        (Sum(q[i], (i, 0, N)), 0, {N: 1, q[0]: 1}, r"leaves q\[1\] open"),
        (m, 0, {m: 1, n: 2}, "n does not occur here; there are m"),
        (m, 0, {m: 1, counts("m"): 1}, "m does not occur here"),
        (m, 0, {"m": 1}, "m does not occur here"),
        (f(m), 0, {m: 1, g(1): 1}, r"g\(1\) does not occur here"),
        (1, 2, {m: 1}, "there are no letters"),
        (m, 0, {m: Rational(1, 2)}, "1/2 is not known to lie in the domain of m"),
        (b, 0, {b: 0}, "0 is not known to lie in the domain of b"),
        (N, 5, {N: -1}, "-1 is not known to lie in the domain of N"),
        (f(m), 1, {m: 1, f(1): I}, "not known to lie in the domain of f"),
        (m, 2 * m, {m: 0}, "does not certainly fail at m = 0"),
        (1 / m, 0, {m: 0}, "a side has no value at m = 0"),
        (x, 0, {x: 0.5}, "the floating-point number 0.5.* is not exact: write a Rational"),
        (z, 0, {z: 1 + 0.5 * I}, "the floating-point number 0.5.* is not exact: write a Rational"),
        (x, 0, {x: zeta(3)}, r"zeta\(3\) for x has no value here"),
        (sin(theta), 0, {theta: pi}, "does not certainly fail at θ = π"),
    ],
    ids=str,
)
def test_a_point_that_does_not_fit_is_refused(left, right, at, complaint):
    with pytest.raises(ValueError, match=complaint):
        refute(left, right, at)


@pytest.mark.parametrize("value", ["1", x, None, [1], Matrix([1])], ids=str)
def test_a_value_is_a_number(value):
    with pytest.raises(TypeError, match="value of m must be a number"):
        refute(m, 0, {m: value})


def test_inequalities_fail_at_the_chosen_point_too():
    assert "x = 1: left side 1, right side 1" in refute(x, x**2, {x: 1}, "<").badge()
    with pytest.raises(ValueError, match="does not certainly fail"):
        refute(x, x**2, {x: 1}, "<=")


def test_definitions_and_models_are_put_in_before_the_point():
    D = Derivation("chosen")
    D.define(f(x), x**2)
    assert "left side 9, right side 6" in refute(f(x), 2 * x, {x: 3}, D=D).badge()
    with pytest.raises(ValueError, match="theta does not occur here"):
        D.define(theta, Integer(0))
        refute(f(x), theta, {x: 3, theta: 0}, D=D)
