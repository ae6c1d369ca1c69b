"""Where functions are analytic, or smooth, in one letter."""

import pytest
from sympy import Abs, Ci, Derivative, Function, I, Si, Sum, cos, exp, log, sqrt

from posenc_lib.proofs import *
from posenc_lib.proofs.terms.smoothness import analytic, smooth

k, n = naturals("k n")
s, t = reals("s t")
c = positives("c")
rough = real_function("f")
even_out = smooth_function("G")
SMOOTH = [
    t**2,
    t**k,
    (1 + t**2) ** t,
    2**t,
    log(1 + t**2),
    even_out(t),
    even_out(t).diff(t),
    c * Ci(1 + t**2),
]
NOT_SMOOTH = [
    rough(t) ** 2,
    (1 + rough(t) ** 2) ** t,
    2 ** rough(t),
    log(1 + rough(t) ** 2),
    rough(t).diff(t),
]
NOT_SMOOTH += [
    2 ** Function("l", integer=True, nonnegative=True)(t),
    log(t),
    1 / t,
    Abs(t),
    even_out(rough(t)),
    t**t,
    (1 + t**2) ** rough(t),
]


@pytest.mark.parametrize("function", [*SMOOTH, *NOT_SMOOTH], ids=str)
def test_what_is_smooth_is_smooth_in_all_its_parts(function):
    assert smooth(function, t) is (function in SMOOTH)


ANALYTIC = [
    c,
    t,
    t**2 + 1,
    1 / (t**2 + 1),
    c**t,
    2 ** (t**2),
    cos(t) * exp(I * t),
    Si(t),
    Sum(t**2, (k, 0, n)),
]
ROUGH = [Abs(t), sqrt(t), log(t), t**t, cos(Abs(t)), 1 / Abs(t), c ** Abs(t), Ci(t)]
ROUGH += [
    Sum(Abs(t - k), (k, 0, n)),
    Sum(k, (k, 0, t)),
    Sum(k, (k, t, 3)),
    Abs(t) + t,
    Derivative(Abs(t) * c, c),
]


@pytest.mark.parametrize("function", [*ANALYTIC, *ROUGH], ids=str)
def test_a_modulus_a_root_or_a_logarithm_is_not_analytic(function):
    assert analytic(function, t) is (function in ANALYTIC)
    assert analytic(function.subs(t, s), t) is True, "t does not occur"
