"""Inequalities: each rule refuses what it cannot show, and tighter versions of a bound are told apart."""

import pytest
from sympy import Abs, Ci, I, Integer, Integral, Rational, Sum, cos, exp, log, sin, sqrt

from posenc_lib.proofs import (
    Derivation,
    MaxOver,
    Modulus,
    Refuted,
    Statement,
    Undecided,
    adding,
    antiderivative,
    cauchy_schwarz,
    certified,
    check,
    complex_sequence,
    counts,
    eq,
    exponential_tangent,
    le,
    lt,
    maximum,
    naturals,
    positives,
    real_function,
    real_sequence,
    reals,
    sine_chord,
    smooth_function,
    termwise,
    triangle,
)

x, r, s = positives("x r s")
t, u = reals("t u")
i, n = naturals("i"), counts("n")
h, theta = complex_sequence("h"), real_sequence("theta")
wave = exp(I * x * t)


def bound(rule, left, right):
    return rule.decide(Statement(left, "<=", right), None).status


def test_a_modulus_stays_as_it_is_written_and_is_checked_like_abs():
    inside = Integral(wave, (t, 0, 1))
    assert Modulus(inside).subs(x, 2) == Modulus(inside.subs(x, 2))
    assert check(Modulus(inside) ** 2, inside * Integral(exp(-I * x * t), (t, 0, 1)))
    assert check(Modulus(h[0]), Abs(h[0]))
    assert check(Modulus(wave), 1)
    assert check(Modulus(h[0]), h[0]).status == "refuted"


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


def test_inequalities_are_added_with_non_negative_weights_only():
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
        with pytest.raises(Undecided, match="not known to be non-negative"):
            D.prove("eq-x", both, le(r * x + 2 * exp(u), "added", by=adding(weights, rest)))
    with pytest.raises(Undecided, match="the gap is not"):
        D.prove("eq-x", both, le(r * x + exp(u), "added", by=adding({"eq-chord": r, "eq-tangent": 2})))


def test_a_tighter_version_of_a_loose_bound_is_not_called_refuted():
    D = Derivation("loose")
    D.prove("eq-chord", Abs(sin(x)), le(x, "chord", by=sine_chord))
    result = D.prove("eq-loose", Abs(sin(x)), le(x + 100, "loose", by=adding({"eq-chord": 1}, rest=100)))
    assert result.wrong_versions.open >= 1
    assert f", {result.wrong_versions.open} open" in result.badge()


def test_a_box_is_searched_inside_and_must_name_every_letter():
    kernel = (Ci(x) - Ci(x / 10000)) / log(10000)
    row = le(0, "negative after its first zero", by=certified((x, 6167, 7000)))
    result = Derivation("box").prove("eq-box", kernel, row)
    assert result.wrong_versions.refuted >= 1
    assert "x ∈ [6167, 7000]" in result.verdict.scope
    with pytest.raises(ValueError, match="range for every letter"):
        Derivation("box").prove("eq-y", cos(x) * r, le(2, "r is free", by=certified((x, 1, 2))))


def test_integration_by_parts_with_an_unknown_smooth_weight():
    weight = smooth_function("w")
    D = Derivation("parts")
    product = weight(t).diff(t) * sin(t) + weight(t) * cos(t)
    D.model(weight(t), 1 + t**2)
    row = eq(weight(1) * sin(1), "product rule", by=antiderivative(weight(t) * sin(t)))
    result = D.prove("eq-parts", Integral(product, (t, 0, 1)), row)
    assert "smooth real function w" in result.verdict.scope
    rough = real_function("w")
    with pytest.raises(Undecided, match="smooth"):
        left = Integral(rough(t).diff(t) * sin(t) + rough(t) * cos(t), (t, 0, 1))
        E = Derivation("rough")
        E.prove("eq-x", left, eq(rough(1) * sin(1), "no", by=antiderivative(rough(t) * sin(t))))


def test_an_antiderivative_sees_definitions():
    D = Derivation("names")
    name = positives("beta")
    D.define(name, 1 + r)
    row = eq(sin(name) / name, "closed form", by=antiderivative(sin(name * t) / name))
    assert D.prove("eq-x", Integral(cos(name * t), (t, 0, 1)), row).verdict


# strict ones


def test_a_strict_row_is_shown_as_one_and_makes_its_chain_strict():
    D = Derivation("strict")
    on_box = lt(1, "cosines", by=certified((t, 1, 2)))
    result = D.prove("eq-box", cos(t), on_box, eq(Integer(2) / 2, "halved"))
    assert result.latex().count("<") == 1 and result.statement().relation == "<"
    D.prove("eq-one", Modulus(sin(t)), le(Abs(t), "a chord", by=sine_chord))
    mixed = (
        le(Abs(t), "a chord", by=adding({"eq-one": 1})),
        lt(Abs(t) + 1, "one more", by=adding({}, rest=1)),
        eq(1 + Abs(t), "turned round"),
    )
    result = D.prove("eq-mixed", Modulus(sin(t)), *mixed)
    assert result.statement().relation == "<" and r"\le" in result.latex()
    assert D.prove("eq-numbers", sqrt(2), lt(Rational(3, 2), "by balls", by=certified())).verdict
    twice = lt(2 * Abs(t) + 2, "twice", by=adding({"eq-mixed": 2}))
    assert D.prove("eq-twice", 2 * Modulus(sin(t)), twice).verdict


def test_what_shows_only_at_most_is_refused_as_strict():
    D = Derivation("strict")
    with pytest.raises(ValueError, match="eq-a, row 1: Bound shows <=, not <"):
        D.prove("eq-a", Modulus(sin(t)), lt(Abs(t), "equal at 0", by=sine_chord))
    D.prove("eq-chord", Modulus(sin(t)), le(Abs(t), "a chord", by=sine_chord))
    with pytest.raises(ValueError, match="row 2: Termwise shows <=, not <"):
        D.prove("eq-a", t, eq(t, ""), lt(t + 1, "", by=termwise("eq-chord")))
    for weights, rest in (({"eq-chord": 1}, 0), ({"eq-chord": 1}, t**2)):
        with pytest.raises(Undecided, match="known to be positive"):
            row = lt(Abs(t) + rest, "touches at 0", by=adding(weights, rest=rest))
            D.prove("eq-b", Modulus(sin(t)), row)


def test_a_strict_row_that_is_false_is_refuted():
    with pytest.raises(Refuted):
        Derivation("strict").prove("eq-a", t, lt(t**2, "not at 3/2", by=certified((t, Rational(1, 2), 2))))
