"""Limits, also of inequalities: the error must vanish, the letter must come there, no value depend on it."""

import pytest
from attempts import refused, with_definition
from sympy import Abs, I, Integer, Limit, exp, oo

from posenc_lib.proofs import *

e = evens("e")
c = counts("c")
x = reals("x")
p = positives("p")
f = real_function("f")


def test_a_limit_needs_an_error_that_vanishes():
    r = positives("r")
    D = Derivation("limit")
    D.prove("eq-error", Abs(exp(I * r) / r), eq(1 / r, "a phase has modulus one"))
    D.prove("eq-constant", Abs(exp(I * r)), eq(1, "a phase has modulus one"))
    decay = Limit(exp(I * r) / r, r, oo)
    assert D.prove("eq-limit", decay, eq(0, "the error vanishes", limit_by("eq-error", 0))).verdict
    with pytest.raises(Undecided, match="not the combination"):
        D.prove("eq-y", decay, eq(1, "another value", limit_by("eq-error", 1)))


def test_a_limit_other_than_zero():
    r = positives("r")
    D = Derivation("limit")
    D.prove("eq-error", Abs((1 + 1 / r) - 1), eq(1 / r, "r is positive"))
    D.prove("eq-far", Abs((1 + 1 / r) + 1), eq(2 + 1 / r, "r is positive"))
    result = D.prove(
        "eq-limit", Limit(1 + 1 / r, r, oo), eq(1, "the error vanishes", limit_by("eq-error", 1))
    )
    assert result.verdict.method == "limit (explicit error bound)"
    with pytest.raises(Undecided, match="not the combination"):
        D.prove("eq-x", Limit(1 + 1 / r, r, oo), eq(1, "distance to −1", limit_by("eq-far", 1)))


@pytest.mark.parametrize("limit", [Limit(p + 1 / p, p, oo), Limit(Abs(f(p)) + p, p, 0, "-")])
def test_a_limit_has_a_value_and_a_direction(limit):
    D = with_definition(f(x), Abs(x) / x)
    D.prove("eq-far", Modulus(1 / p), eq(1 / p, ""))
    D.prove("eq-near", Modulus((f(p) + p) - 1), eq(p, ""))
    assert refused(lambda: D.prove("eq-x", Limit(p + 1 / p, p, oo), eq(p, "", limit_by("eq-far", p))).verdict)
    below = Limit(f(p) + p, p, 0, "-")
    assert refused(lambda: D.prove("eq-y", below, eq(1, "", limit_by("eq-near", 1))).verdict)


# a limit that the letter cannot approach


@pytest.mark.parametrize("letter", [e, c], ids=str)
def test_whole_numbers_do_not_tend_to_zero(letter):
    D = Derivation("hole")
    D.prove("eq-e", Modulus(letter + 2), le(3 * letter, "", by=adding({}, rest=2 * letter - 2)))
    with pytest.raises(Undecided, match="no proof was found"):
        D.prove("eq-lim", Limit(letter, letter, 0), eq(-2, "", by=limit_by("eq-e", -2)))


# inequalities in the limit


def with_error(left, right, error, letter):
    D = Derivation("pressed")
    D.prove("eq-more", left, le(right + error, "more", by=adding({}, rest=right + error - left)))
    return lambda value, to=oo: D.prove("eq-x", left, le(value, "", by=in_the_limit("eq-more", letter, to)))


def test_an_inequality_in_the_limit():
    r, c = positives("r"), counts("c")
    result = with_error(Integer(1), 2 + p, 1 / r + exp(-r * p) / r, r)(2 + p)
    assert (result.verdict.method, result.scope) == ("limit of an inequality (r → ∞)", "for all p ∈ ℝ₊")
    assert with_error(Integer(1), Integer(2), p / c, c)(Integer(2)).verdict
    assert with_error(Integer(1), 2 + p, r * p + r**2, r)(2 + p, 0).verdict.method.endswith("(r → 0)")


def test_an_inequality_in_the_limit_keeps_what_stays():
    r = positives("r")
    near = with_error(Integer(1), Integer(2), 1 / r + p, r)
    for value in (Integer(2), 2 + p / 2, 1 + p, 2 + p - 1 / r):
        with pytest.raises(ProofError):
            near(value)
    with pytest.raises(ProofError):
        near(2 + p, 0)
    assert near(2 + p).verdict
    with pytest.raises(ProofError):
        with_error(1 / r, 1 / r, 1 / r, r)(Integer(0))


def test_an_inequality_in_the_limit_varies_no_constant():
    r = positives("r")
    D = Derivation("constant")
    D.constant(r)
    D.assume("eq-h", r, 2, "one value")
    D.model(r, Integer(2))
    D.prove("eq-more", Integer(1), le(2 / r, "", by=adding({"eq-h": 1 / r})))
    with pytest.raises(ValueError, match="r is a constant"):
        D.prove("eq-x", Integer(1), le(Integer(0), "", by=in_the_limit("eq-more", r)))


@pytest.mark.parametrize(("letter", "to"), [(x, oo), (e, oo), (c, 0), (p, 1), (p, -oo), (naturals("N"), oo)])
def test_a_letter_that_does_not_go_there(letter, to):
    with pytest.raises(ValueError, match=r"to must be oo or 0|over must be a positive letter"):
        in_the_limit("eq-more", letter, to)
