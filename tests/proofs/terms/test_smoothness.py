"""Where functions are analytic in one letter."""

import pytest
from sympy import Abs, Ci, Derivative, I, Si, Sum, cos, exp, log, sqrt

from posenc_lib.proofs import *
from posenc_lib.proofs.terms.smoothness import analytic

k, n = naturals("k n")
s, t = reals("s t")
c = positives("c")
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
