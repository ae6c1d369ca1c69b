"""Ball arithmetic: each value is enclosed, and where an expression has none, none is given."""

from fractions import Fraction

import pytest
from flint import acb, arb
from sympy import (
    Abs,
    Derivative,
    EulerGamma,
    I,
    Integral,
    KroneckerDelta,
    Max,
    Rational,
    Sum,
    binomial,
    cosh,
    exp,
    factorial,
    oo,
    sqrt,
)

from posenc_lib.proofs import *
from posenc_lib.proofs.attack.refute import second_opinion
from posenc_lib.proofs.values.evaluate import BALLS, evaluate
from posenc_lib.proofs.values.point import NoValue, Point

x, t, s = reals("x t s")
z, m = complexes("z"), integers("m")
i, j, k, N = naturals("i j k N")
d = counts("d")
f, G, h = real_function("f"), smooth_function("G"), complex_sequence("h")


def at(**values):
    letters = {"x": x, "z": z, "m": m, "N": N}
    return Point(0, given={letters[name]: value for name, value in values.items()})


def close(e, point, real, imag=0.0):
    value = evaluate(e, point)
    assert abs(float(value.real.mid()) - real) < 1e-2 and abs(float(value.imag.mid()) - imag) < 1e-3
    assert float(value.real.rad()) < 0.05


@pytest.mark.parametrize(
    ("e", "real", "imag"),
    [
        (sqrt(z), 2, 1),
        (sqrt(z - 3 * I), 1.755317, 0.284849),
        (Abs(z), 5, 0),
        (Abs(I * z - x), 5.408327, 0),
        (EulerGamma * x, 0.288608, 0),
        (Sum(i, (i, N, N + 2)), 12, 0),
        (Sum(Integral(t, (t, 0, i)), (i, 0, 3)), 7, 0),
        (Sum(100 * i + 10 * j + k, (i, 0, 1), (j, 0, 2), (k, 0, 3)), 24 * (50 + 10 + 1.5), 0),
        (Integral(Modulus(t - Rational(1, 3)), (t, 0, 1)), 5 / 18, 0),
        (Integral(Modulus(1 + I * t), (t, -1, 1)), 2.295587, 0),
        (Integral(f(x) * t, (t, 0, 1)) - f(x) / 2, 0, 0),
        (Derivative(Sum(x, (i, 0, m)), x), 0, 0),
        (Derivative(G(x), x) * 0 + Derivative(exp(2 * x), x), 2 * 2.718282, 0),
    ],
    ids=str,
)
def test_a_value_is_enclosed(e, real, imag):
    close(e, at(x=Fraction(1, 2), z=(Fraction(3), Fraction(4)), m=Fraction(-3), N=Fraction(3)), real, imag)


@pytest.mark.parametrize(
    "e",
    [
        Sum(i, (i, 0, x)),
        Sum(i, (i, x, 3)),
        Sum(i, (i, z, 3)),
        Sum(i, (i, 0, z)),
        Sum(1, (i, -200, 201)),
        Integral(f(t), (t, 0, 1)),
        Integral(h[t], (t, 0, 1)),
        Integral(t * s, (t, 0, 1), (s, 0, 1)),
        Max(1, I + x, evaluate=False),
        x + oo,
    ],
    ids=str,
)
def test_what_has_no_value_gets_none(e):
    with pytest.raises(NoValue):
        evaluate(e, at(x=Fraction(1, 2), z=(Fraction(3), Fraction(4))))


def test_a_modulus_is_enclosed_over_an_interval_that_crosses_the_real_axis():
    wide = evaluate(Modulus(1 + I * x), at(x=acb(arb(0, 10))))
    assert wide.real.contains(1) and wide.real.contains(10)


COUNTED = [
    (factorial(N + 1), (N + 1) * factorial(N), N * factorial(N)),
    (binomial(N + 1, d), binomial(N, d) + binomial(N, d - 1), binomial(N, d) + binomial(N, d + 1)),
    (KroneckerDelta(i, N), KroneckerDelta(N, i) ** 2, KroneckerDelta(i, N + 1)),
    (Sum(KroneckerDelta(i, N) * i**2, (i, 0, N)), N**2, N),
]


@pytest.mark.parametrize(("left", "right", "slip"), COUNTED, ids=[str(row[0]) for row in COUNTED])
def test_factorials_binomials_and_deltas_have_values(left, right, slip):
    assert second_opinion(left, right)
    assert check(left, slip).status == "refuted"


@pytest.mark.parametrize(
    "e", [factorial(m), factorial(x), binomial(N, m), binomial(x, 2, evaluate=False), factorial(5000 * d)]
)
def test_there_is_no_value_where_there_is_none(e):
    with pytest.raises(NoValue):
        evaluate(e, Point(0, given={m: Fraction(-1), x: Fraction(1, 2), N: Fraction(3), d: Fraction(1)}))


def test_a_delta_of_what_is_not_known_exactly_has_none():
    with pytest.raises(NoValue, match="not known exactly"):
        evaluate(KroneckerDelta(x, sqrt(2) * x), Point(0, given={x: Fraction(1)}))


def test_a_value_is_remembered_for_the_letters_it_was_found_with():
    point, e = at(x=Fraction(1, 2)), x * (i - j) + exp(x * i)
    at_each = {(a, b): evaluate(e, point, {i: a, j: b}) for a in range(3) for b in range(3)}
    for (a, b), value in at_each.items():
        again = evaluate(e, point, {j: b, i: a})
        assert value.overlaps(again) and again.overlaps(evaluate(e, at(x=Fraction(1, 2)), {i: a, j: b}))
    assert not at_each[1, 2].overlaps(at_each[2, 1])
    assert not evaluate(x * i, point, {i: acb(2)}).overlaps(evaluate(x * i, point, {i: acb(3)}))


def test_each_part_of_a_sum_is_evaluated_once(monkeypatch):
    asked = []
    monkeypatch.setitem(BALLS, cosh, lambda e, point, env: asked.append(e) or acb(1))
    assert evaluate(Sum(cosh(x * i) * cosh(x * j), (j, 0, 3), (i, 0, 3)), at(x=Fraction(1, 2))) == 16
    assert len(asked) == 8  # not 32: one for each i, one for each j
