"""Inequalities added up with non-negative weights."""

import pytest
from sympy import Abs, Integral, exp, sin

from posenc_lib.proofs import *

u, x, y = reals("u x y")
p, r = positives("p r")
K, f, g = real_function("K"), real_function("f"), real_function("g")


def test_inequalities_added_say_how_and_for_which_values():
    D = Derivation("adding")
    result = D.prove("eq-x", x**2, le(x**2 + p, "p is positive", adding({}, rest=p)))
    assert result.verdict.method == "adding inequalities with non-negative weights"
    assert result.verdict.scope == "for all p ∈ ℝ₊, x ∈ ℝ"
    D.assume("eq-h", f(x), g(x), "")
    D.model(f(x), x)
    D.model(g(x), x)
    times = le(y * g(x) + p, "an equation, times anything", adding({"eq-h": y}, rest=p))
    assert D.prove("eq-y", y * f(x), times).verdict
    D.cite("eq-strict", K(x), "<", 1, "")
    D.model(K(x), 0 * x)
    assert D.prove("eq-z", p * K(x), le(p, "", adding({"eq-strict": p}))).verdict


def test_inequalities_are_added_with_non_negative_weights_only():
    x = positives("x")
    D = Derivation("adding")
    D.prove("eq-chord", Abs(sin(x)), le(x, "chord", by=sine_chord))
    D.prove("eq-tangent", 1 + u, le(exp(u), "tangent", by=exponential_tangent))
    both = r * Abs(sin(x)) + 2 * (1 + u)
    result = D.prove(
        "eq-both", both, le(r * x + 2 * exp(u), "added", by=adding({"eq-chord": r, "eq-tangent": 2}))
    )
    assert result.uses == ("eq-chord", "eq-tangent")
    for weights, rest in (
        ({"eq-chord": -r, "eq-tangent": 2}, 0),
        ({"eq-chord": u, "eq-tangent": 2}, 0),
        ({"eq-chord": r, "eq-tangent": 2}, u),
    ):
        with pytest.raises(Undecided, match="may be negative"):
            D.prove("eq-x", both, le(r * x + 2 * exp(u), "added", by=adding(weights, rest)))
    with pytest.raises(Refuted, match="u = 0"):
        D.prove("eq-x", both, le(r * x + exp(u), "added", by=adding({"eq-chord": r, "eq-tangent": 2})))


def bump(k, y, lo, hi):
    return Integral(2 * sin(k * y) ** 2 / y, (y, lo, hi))


def test_what_is_not_negative_as_it_is_written():
    k, y = positives("k y")
    rest = k * bump(k, y, r, r + p) + k**2
    assert Derivation("as written").prove("eq-x", 0 * k, le(rest, "", adding({}, rest=rest))).verdict
    for other in (
        k * bump(k, y, r + p, r),
        k * bump(k, y, r, p),
        bump(k, y, r, r + p) - k,
        k * (1 - 2 * sin(k) ** 2),
    ):
        with pytest.raises(ProofError):
            Derivation("as written").prove("eq-x", 0 * k, le(other, "", adding({}, rest=other)))
