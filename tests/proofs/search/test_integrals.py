"""Integrals as combinations of irreducible ones: linear, blind to the name of their variable."""

import pytest
from sympy import Abs, Derivative, I, Integral, Symbol, cos, exp, sin

from posenc_lib.proofs import *

k = naturals("k")
s, t = reals("s t")
r, x = positives("r x")


def test_integrals_are_linear_and_blind_to_the_name_of_their_variable():
    assert check(
        Integral(r * cos(x * t) + t, (t, 0, 1)), r * Integral(cos(x * s), (s, 0, 1)) + Integral(s, (s, 0, 1))
    )
    assert check(Integral(exp(I * x * t), (t, 0, 1)), Integral(cos(x * t), (t, 0, 1))).status == "refuted"


def test_an_integral_needs_a_real_variable():
    k, plain = integers("k"), Symbol("u")
    for variable in (k, plain):
        assert not check(Integral(cos(variable), (variable, 0, 1)), 1)


def test_an_integral_depends_on_both_its_bounds():
    assert check(Integral(x, (t, 2, 5)), 3 * x)
    whole = Integral(exp(t**2), (t, 0, 1))
    for other in (Integral(exp(t**2), (t, 0, 2)), Integral(exp(t**2), (t, -1, 1))):
        assert check(whole, other).status == "refuted"


def test_a_derivative_goes_under_the_integral():
    whole = Integral(exp(-x * t) * cos(t), (t, 0, r))
    assert check(Derivative(whole, x), -Integral(t * exp(-x * t) * cos(t), (t, 0, r)))
    assert check(Derivative(whole, x), Integral(t * exp(-x * t) * cos(t), (t, 0, r))).status == "refuted"


@pytest.mark.parametrize(
    "whole",
    [Integral(sin(x * t), (t, 0, x)), Integral(Abs(t - x), (t, 0, 1)), Integral(x / t, (t, 0, 1))],
    ids=["the range depends on the letter", "a kink moves with the letter", "a pole"],
)
def test_no_derivative_goes_under_an_integral_that_does_not_allow_it(whole):
    inside = Integral(Derivative(whole.function, x), whole.limits[0])
    assert not check(Derivative(whole, x), inside)
