"""Kronecker's delta outside sums: what stands behind it may be said for one index only."""

import pytest
from sympy import I, KroneckerDelta, Sum, exp, pi

from posenc_lib.proofs import *

i, j, k = naturals("i j k")
n = counts("n")
theta, a = real_sequence("theta"), real_sequence("a")
zero, one, same = KroneckerDelta(0, i), KroneckerDelta(1, j), KroneckerDelta(i, j)
turn = exp(I * k * (theta[i] - theta[j]))


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        (zero * theta[i], zero * theta[0], zero * theta[1]),
        (zero * KroneckerDelta(1, i), 0 * i, zero),
        (zero * one * exp(I * pi * (i - j) / 2), -I * zero * one, I * zero * one),
        (zero * one * same, 0 * i, zero * one),
        (same * turn, same, same * exp(I * k * (theta[i] + theta[j]))),
    ],
    ids=["a value", "two numbers", "an exponential", "a delta", "a turn by a difference"],
)
def test_a_delta_puts_its_number(left, right, wrong):
    assert check(left, right).status == "proved"
    assert check(left, wrong).status in ("refuted", "undecided")


def test_an_earlier_result_with_a_delta_is_put_in_under_a_sum():
    D = Derivation("deltas")
    D.prove("eq-one-turn", a[i] * a[j] * same * turn, eq(a[i] * a[j] * same, "where i = j it is 1"))
    every = Sum(a[i] * a[j] * same * turn, (j, 0, n - 1), (i, 0, n - 1))
    row = eq(Sum(a[i] ** 2, (i, 0, n - 1)), "the terms with i = j", by=follows("eq-one-turn"))
    assert D.prove("eq-squares", every, row).verdict.status == "proved"
