"""Which errors tend to zero, and what a limit concludes from them."""

import pytest
from sympy import Abs, I, Integer, Limit, cos, cosh, exp, log, oo, sin, sympify

from posenc_lib.proofs import *
from posenc_lib.proofs.kernel import Refused
from posenc_lib.proofs.kernel.terms import ZERO
from posenc_lib.proofs.search.limits import limit
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.read import Outside, term

c, r, x = positives("c r x")
w = complexes("w")
f = complex_function("f")


def tends_to_zero(error, x, target):
    """Whether lim f = 0 is shown from |f| <= error."""
    P = Proof()
    try:
        bound = P.step("assume", [term(x)], term(Abs(f(x))), "<=", term(error))
        direction = "+" if target == 0 else "-"
        return limit(P, term(Limit(f(x), x, target, direction)), ZERO, bound, ZERO).left.head == "lim"
    except (NotFound, Refused, Outside):
        return False


@pytest.mark.parametrize(
    ("error", "target", "vanishes"),
    [
        (1 / x + cos(x) / x**2, oo, True),
        (log(x) ** 3 / x, oo, True),
        (x**5 * exp(-c * x), oo, True),
        (sin(x) ** 2 / x, oo, True),
        (c * x, 0, True),
        (x * log(x), 0, True),
        (cos(x), oo, False),
        (log(x), oo, False),
        (exp(c * x) / x, oo, False),
        (1 / cos(x) / x, oo, False),
        (1 / x, 0, False),
        (exp(-x), 0, False),
        (1 / x + 1, oo, False),
        (log(x) ** 2 * exp(-x), oo, True),
        (log(x) * cos(x), oo, False),
        (exp(-1 / x), oo, False),
        (cosh(x) ** 2 / x, oo, False),
        (cosh(x) / x, oo, False),
        (sin(w * x) / x, oo, False),
        (sin(w * x) ** 2 / x, oo, False),
        (1 / x, 1, False),
    ],
)
def test_which_errors_tend_to_zero(error, target, vanishes):
    assert tends_to_zero(error, x, sympify(target)) is vanishes


def test_a_letter_that_tends_somewhere_is_positive():
    real = reals("r")
    assert not tends_to_zero(1 / real, real, oo) and not tends_to_zero(real, real, Integer(0))


def test_a_limit_needs_an_error_that_vanishes():
    D = Derivation("limit")
    D.prove("eq-constant", Abs(r * I), eq(r, "a modulus"))
    with pytest.raises(Undecided, match="the error may stay"):
        D.prove("eq-x", Limit(r * I, r, oo), eq(0, "no", by=limit_by("eq-constant", 0)))
