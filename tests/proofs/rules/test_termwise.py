"""Inequalities added up over a range, with the same factor, range and rest on both sides."""

import pytest
from sympy import Abs, Integral, Sum, sin

from posenc_lib.proofs import *

N, i = naturals("N i")
t, x = reals("t x")
c, p = positives("c p")
q, r = real_sequence("q"), real_sequence("r")
S = complex_sequence("S")


def test_an_inequality_is_added_up_over_a_range():
    D = Derivation("termwise")
    D.prove("eq-each", Abs(S[i + 1] - S[i]), le(Abs(S[i + 1]) + Abs(S[i]), "triangle inequality", triangle))
    left = Sum(Abs(S[i + 1] - S[i]), (i, 0, N))
    right = Sum(Abs(S[i + 1]) + Abs(S[i]), (i, 0, N))
    assert D.prove("eq-all", left, le(right, "added up", termwise("eq-each"))).verdict
    with pytest.raises(Refuted):
        D.prove("eq-x", left, le(Sum(2 * Abs(S[i + 1]), (i, 0, N)), "other terms", termwise("eq-each")))


def test_an_inequality_added_up_shows_no_equality():
    D = Derivation("termwise")
    D.prove("eq-each", Abs(S[i + 1] - S[i]), le(Abs(S[i + 1]) + Abs(S[i]), "triangle inequality", triangle))
    sums = [Sum(term, (i, 0, N)) for term in (Abs(S[i + 1] - S[i]), Abs(S[i + 1]) + Abs(S[i]))]
    verdict = D.prove("eq-all", sums[0], le(sums[1], "added up", termwise("eq-each"))).verdict
    assert verdict.method == "termwise (an inequality added up over a range)"
    assert verdict.scope == "for all N ∈ ℕ and every complex sequence S"
    with pytest.raises(ValueError, match="Termwise shows"):
        D.prove("eq-x", sums[0], eq(sums[1], "equal?", termwise("eq-each")))


def test_terms_are_added_up_with_the_same_non_negative_factor_over_the_same_range():
    D = Derivation("attack")
    D.cite("eq-each", q[i], "<=", r[i], "")
    D.model(q[i], 2 * i)
    D.model(r[i], 2 * i + 1)
    small, large = Sum(q[i], (i, 0, N)), Sum(r[i], (i, 0, N))
    assert D.prove("eq-sum", p * small, le(p * large, "", termwise("eq-each"))).verdict
    for factor in (-1, x):
        with pytest.raises(Undecided, match="no proof was found"):
            D.prove("eq-x", factor * small, le(factor * large, "", termwise("eq-each")))
    with pytest.raises(Undecided, match="no proof was found"):
        D.prove("eq-y", small, le(Sum(r[i], (i, 0, N + 1)), "", termwise("eq-each")))


def test_an_inequality_is_integrated_only_where_the_integral_runs_forwards():
    D = Derivation("termwise")
    D.prove("eq-chord", Abs(sin(t)), le(Abs(t), "a chord", by=sine_chord))
    D.prove("eq-each", Abs(sin(t)) - 1, le(Abs(t), "one less", by=adding({"eq-chord": 1}, rest=1)))
    for row, (low, high) in enumerate([(0, c), (c, 2 * c), (-1, c)]):
        smaller, larger = (Integral(side, (t, low, high)) for side in (Abs(sin(t)) - 1, Abs(t)))
        D.prove(f"eq-{row}", smaller, le(larger, "integrated", by=termwise("eq-each")))
    for low, high in ((c, 0), (1, c), (c, -1)):
        smaller, larger = (Integral(side, (t, low, high)) for side in (Abs(sin(t)) - 1, Abs(t)))
        with pytest.raises((Refuted, Undecided)):
            D.prove("eq-x", smaller, le(larger, "backwards?", by=termwise("eq-each")))


def test_termwise_keeps_what_stands_beside_the_sum():
    h, (i, N) = complex_sequence("h"), naturals("i N")
    D = Derivation("termwise")
    each = le(Abs(h[i]) + Abs(h[i + 1]), "triangle inequality", by=triangle)
    D.prove("eq-each", Abs(h[i] + h[i + 1]), each)
    left = c + Sum(Abs(h[i] + h[i + 1]), (i, 0, N))
    D.prove("eq-all", left, le(c + Sum(each.right, (i, 0, N)), "added up", by=termwise("eq-each")))
    for wrong in (Sum(each.right, (i, 0, N)), 2 * c + Sum(each.right, (i, 0, N))):
        with pytest.raises((Refuted, Undecided)):
            D.prove("eq-x", left, le(wrong, "slip", by=termwise("eq-each")))
