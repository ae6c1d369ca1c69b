"""Named inequalities around integrals, and what they need in front."""

import pytest
from attempts import outcome
from sympy import Abs, I, Integral, Rational, Sum, cos, exp, sin

from posenc_lib.proofs import *

i = naturals("i")
n = counts("n")
s, t, u = reals("s t u")
r, x = positives("r x")
theta = real_sequence("theta")
h = complex_sequence("h")


def test_the_modulus_of_an_integral_is_at_most_the_integral_of_the_modulus():
    left = Abs(Integral(cos(x * t), (t, 0, 1)))
    row = le(Integral(Abs(cos(x * t)), (t, 0, 1)), "triangle", by=triangle)
    assert Derivation("d").prove("eq-x", left, row).wrong_versions.refuted == 3
    unordered = Abs(Integral(cos(x * t), (t, 1, s)))
    with pytest.raises(Refuted, match=r"refuted at s = (0|-)"):
        row = le(Integral(Abs(cos(x * t)), (t, 1, s)), "triangle", by=triangle)
        Derivation("d").prove("eq-y", unordered, row)


wave = exp(I * x * t)


def bound(rule, left, right):
    return outcome(rule, left, "<=", right)


def test_the_triangle_inequality_for_complex_integrals():
    D = Derivation("d")
    row = le(Integral(t * Modulus(wave), (t, 0, 1)), "the weight t is not negative", by=triangle)
    last = eq(Integral(t, (t, 0, 1)), "unit numbers")
    assert D.prove("eq-a", Modulus(Integral(t * wave, (t, 0, 1))), row, last).wrong_versions.refuted >= 1
    unknown = Integral(Modulus(t), (t, -1, 1))
    assert bound(triangle, Modulus(Integral(t * wave, (t, -1, 1))), unknown) == "proved"
    assert bound(triangle, Modulus(Integral(t * wave, (t, -1, 1))), Integral(t, (t, -1, 1))) != "proved"


def test_the_maximum_needs_a_non_negative_factor_in_front():
    left = Sum(theta[i] ** 2 * Abs(h[i]), (i, 0, n - 1))
    right = MaxOver(theta[i] ** 2, (i, 0, n - 1)) * Sum(Abs(h[i]), (i, 0, n - 1))
    for factor in (-1, u):
        assert bound(maximum, factor * left, factor * right) != "proved"
    assert bound(maximum, r * left, r * right) == "proved"


def test_cauchy_schwarz_allows_no_other_factor():
    both = Sum(Abs(h[i]) ** 2, (i, 0, n)) * Sum(Abs(theta[i]) ** 2, (i, 0, n))
    left = Abs(Sum(h[i] * theta[i], (i, 0, n))) ** 2
    assert bound(cauchy_schwarz, left, both) == "proved"
    for factor in (Rational(1, 4), 2, r):
        assert bound(cauchy_schwarz, left, factor * both) != "proved"


def test_elementary_inequalities_know_their_form():
    assert bound(exponential_tangent, 1 + u * t, exp(u * t)) == "proved"
    assert bound(exponential_tangent, 1 + u, exp(2 * u)) == "refuted"
    assert bound(exponential_tangent, 1 + I * u, exp(I * u)) != "proved"
    assert bound(sine_chord, Abs(sin(u * t)), Abs(u * t)) == "proved"
    assert bound(sine_chord, Abs(sin(u)), Abs(u) / 2) == "refuted"
