"""A maximum over a range, and a modulus that stays as it is written."""

from sympy import Abs, I, Integral, Max, Rational, Sum, exp

from posenc_lib.proofs import *
from posenc_lib.proofs.values.evaluate import evaluate
from posenc_lib.proofs.values.point import Point

N, i, j = naturals("N i j")
d = counts("d")
t, y = reals("t y")
x = positives("x")
q, r, theta = real_sequence("q"), real_sequence("r"), real_sequence("theta")
h = complex_sequence("h")


def test_a_maximum_depends_on_its_range_and_on_its_terms():
    top = MaxOver(theta[i], (i, 0, N))
    for other in (
        MaxOver(theta[i], (i, 0, N + 1)),
        MaxOver(theta[i], (i, 1, N + 1)),
        MaxOver(2 * theta[i], (i, 0, N)),
    ):
        assert check(top, other).status == "refuted"


def test_a_maximum_is_taken_over_its_range_and_may_be_negative():
    for low, high in ((2, 4), (3, 3), (0, 5)):
        top, bottom = MaxOver(i, (i, low, high)), -MaxOver(-i, (i, low, high))
        assert evaluate(top, Point(0)) == high and evaluate(bottom, Point(0)) == low
    assert evaluate(Sum(Max(i, 1), (i, 0, 2)), Point(0)) == 4
    top = MaxOver(theta[i], (i, 0, N))
    assert check(Abs(top), top).status == "refuted"
    above_zero = MaxOver(Abs(theta[i]), (i, 0, N))
    assert check(Abs(above_zero), above_zero).status == "proved"


def test_a_maximum_keeps_its_own_letter():
    x = reals("x")
    inner = MaxOver(q[i] * r[0], (i, 0, 3))
    assert check(Sum(inner, (i, 0, 0)), MaxOver(q[j] * r[j], (j, 0, 3))).status == "refuted"
    assert check(Sum(inner, (i, 0, 1)), 2 * inner).status == "proved"
    assert MaxOver(q[i] * x, (i, 0, N)).subs({x: y, N: d}) == MaxOver(q[i] * y, (i, 0, d))


def test_the_modulus_of_a_number_is_a_number():
    assert Modulus(Rational(-1, 2)) == Rational(1, 2)
    assert check(Max(Modulus(Rational(-1, 2)), Rational(1, 3)), Rational(1, 2))


wave = exp(I * x * t)


def test_a_modulus_stays_as_it_is_written_and_is_checked_like_abs():
    inside = Integral(wave, (t, 0, 1))
    assert Modulus(inside).subs(x, 2) == Modulus(inside.subs(x, 2))
    assert check(Modulus(inside) ** 2, inside * Integral(exp(-I * x * t), (t, 0, 1)))
    assert check(Modulus(h[0]), Abs(h[0]))
    assert check(Modulus(wave), 1)
    assert check(Modulus(h[0]), h[0]).status == "refuted"
