"""Where an expression has no value: the scope says so, and a premise says nothing there."""

import pytest
from attempts import refused
from sympy import (
    Abs,
    Ci,
    Ei,
    I,
    Integer,
    Integral,
    Limit,
    Rational,
    Sum,
    cos,
    cot,
    csc,
    exp,
    gamma,
    im,
    log,
    oo,
    pi,
    sec,
    sin,
    tan,
)

from posenc_lib.proofs import *
from posenc_lib.proofs.terms.undefined import nonzero

m, n = integers("m n")
N, i = naturals("N i")
c, d = counts("c d")
a, t, x = reals("a t x")
p = positives("p")
w, z = complexes("w z")
q = real_sequence("q")
f, g = real_function("f"), real_function("g")
F, H = complex_function("F"), complex_function("H")
G = smooth_function("G")


@pytest.mark.parametrize(
    ("left", "right"),
    [(tan(x) * cos(x), sin(x)), (cot(x) * sin(x), cos(x)), (sec(x) * cos(x), 1), (csc(x) * sin(x), 1)],
    ids=["tan", "cot", "sec", "csc"],
)
def test_the_scope_of_a_tangent_leaves_out_its_poles(left, right):
    for sides in ((left, right), (right, left)):
        assert check(*sides).scope == "for all x ∈ ℝ, where no denominator vanishes"


def test_the_scope_names_letters_and_poles_of_both_sides():
    one_side, other = (x + 1) ** 2 - x**2 - 2 * x, Integer(1)
    assert check(one_side, other).scope == check(other, one_side).scope == "for all x ∈ ℝ"
    assert check(1 / x - 1 / x**2, (x - 1) / x**2).scope == "for all x ∈ ℝ, where no denominator vanishes"
    assert check(Abs(x), x, (x >= 0,)).scope == "for all x ∈ ℝ, with x >= 0"


def test_division_by_zero_is_in_the_scope():
    assert "no denominator vanishes" in check(1 / (x * (x + 1)), 1 / x - 1 / (x + 1)).scope
    assert "denominator" not in check(1 / (1 + a**2), (1 + a**2) / (1 + a**2) ** 2).scope


def test_a_premise_says_nothing_where_its_denominator_vanishes():
    D, g_ = Derivation("attack"), real_function("g")
    D.assume("eq-quotients", f(n) / n, g_(n) / n, "")
    D.model(f(n), n)
    D.model(g_(n), n)
    assert refused(lambda: D.prove("eq-x", f(n), eq(g_(n), "also at 0?", follows("eq-quotients"))).verdict)


def with_models(**bodies):
    """A derivation in which f and g have these models, of a natural letter."""
    D = Derivation("attack")
    for name, body in bodies.items():
        D.model({"f": f, "g": g}[name](N), body)
    return D


@pytest.mark.parametrize(
    "nothing",
    [1 / N, log(N), Ci(N), Ei(N), gamma(N), tan(x), MaxOver(q[i], (i, 1, N)), Sum(1 / (i - 3), (i, 0, N))],
    ids=str,
)
def test_a_premise_says_nothing_where_it_has_no_value(nothing):
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) + nothing, g(N) + nothing, "")
    with pytest.raises(Undecided, match="says nothing where"):
        D.prove("eq-x", f(N), eq(g(N), "also where it has none?", follows("eq-h")))


@pytest.mark.parametrize("nothing", [1 / N, log(N), Ci(N)], ids=str)
def test_a_statement_without_a_value_there_either_follows(nothing):
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) + nothing, g(N) + nothing, "")
    same = f(N) ** 2 + nothing, g(N) * f(N) + nothing
    assert D.prove("eq-y", same[0], eq(same[1], "has none there either", follows("eq-h"))).verdict


def test_a_maximum_of_nothing_is_stated_nowhere():
    D = with_models(f=N, g=N)
    nothing = MaxOver(q[i], (i, 1, N))
    D.assume("eq-h", f(N) + nothing, g(N) + nothing, "")
    with pytest.raises(ProofError, match="the model does not satisfy eq-h"):
        same = g(N) * f(N) + nothing
        D.prove("eq-y", f(N) ** 2 + nothing, eq(same, "nor is it there", follows("eq-h")))


def test_a_gap_of_a_sum_is_not_the_gap_of_another_sum():
    D = Derivation("attack")
    D.assume("eq-h", (i - 3) * f(i), (i - 3) * g(i), "")
    D.model(f(i), g(i))
    D.prove("eq-apart", f(i), eq((i * g(i) - 3 * g(i)) / (i - 3), "", follows("eq-h")))
    harmonic = Sum(1 / (i - 3), (i, 4, N + 4))  # never divides by zero, but names the same divisor
    left, right = Sum(f(i), (i, 0, N)) + harmonic, Sum(g(i), (i, 0, N)) + harmonic
    with pytest.raises(Undecided, match="says nothing where i - 3 vanishes"):
        D.prove("eq-x", left, eq(right, "also at 3?", follows("eq-apart")))


def test_a_multiple_vanishes_where_its_factors_do():
    D = with_models(f=N, g=N)
    D.assume("eq-h", f(N) / (1 - exp(-N)), g(N) / (1 - exp(-N)), "")
    twice = [side / (2 * exp(-N) - 2) for side in (f(N), g(N))]
    assert D.prove("eq-x", twice[0], eq(twice[1], "over −2", follows("eq-h"))).verdict
    both = [side / (x * (1 - exp(-N))) for side in (f(N), g(N))]
    assert D.prove("eq-y", both[0], eq(both[1], "over x", follows("eq-h"))).verdict


def test_inequalities_say_nothing_where_a_denominator_vanishes():
    D = with_models(f=0 * N, g=1 + 0 * N)
    D.cite("eq-h", f(N) / N, "<=", g(N) / N, "somewhere")
    with pytest.raises(Undecided, match="says nothing where N vanishes"):
        D.prove("eq-x", f(N), le(g(N), "times N, also at 0?", adding({"eq-h": N})))
    D.cite("eq-left", f(N) + 1 / N, "<=", g(N), "somewhere")
    D.cite("eq-right", f(N), "<=", g(N) + 1 / N, "somewhere")
    for one_side in ("eq-left", "eq-right"):
        with pytest.raises(Undecided, match="says nothing where N vanishes"):
            D.prove("eq-x", N * f(N), le(N * g(N), "times N", adding({one_side: N})))
    D.cite("eq-i", (i * f(i) + i) / i, "<=", g(i), "somewhere")
    D.cite("eq-j", f(i), "<=", (i * g(i) + i) / i, "somewhere")
    for left, right, each in ((f(i) + 1, g(i), "eq-i"), (f(i), g(i) + 1, "eq-j")):
        with pytest.raises(Undecided, match="says nothing where i vanishes"):
            total = le(Sum(right, (i, 0, N)), "also at 0?", termwise(each))
            D.prove("eq-y", Sum(left, (i, 0, N)), total)
    D.cite("eq-far", Modulus((a * G(p) - a) / a), "<=", 1 / p, "somewhere")
    with pytest.raises(Undecided, match="says nothing where a vanishes"):
        D.prove("eq-z", Limit(G(p), p, oo), eq(1, "also for a = 0?", limit_by("eq-far", 1)))
    D.cite("eq-error", Modulus(G(p) - 1), "<=", 1 / (a**2 * p), "somewhere")
    with pytest.raises(Undecided, match="says nothing where a vanishes"):
        D.prove("eq-w", Limit(G(p), p, oo), eq(1, "also for a = 0?", limit_by("eq-error", 1)))


def test_a_factor_is_not_known_to_be_other_than_zero_by_a_sum_that_may_be_empty():
    total = im(Sum(I * p, (i, 1, N)))  # 0 for N = 0, where SymPy 1.14 says: not zero
    D = Derivation("attack")
    D.assume("eq-h", f(x) * total, g(x) * total, "")
    with pytest.raises(ValueError, match="which may vanish"):
        D.prove("eq-x", f(x), eq(g(x), "", follows("eq-h", times=total)))
    assert "no denominator vanishes" in check(1 / total + 1 / total, 2 / total).scope


# a primitive with a pole that the statement lacks


@pytest.mark.parametrize("letter", integers("k l m n r s u v w"), ids=str)
@pytest.mark.parametrize(
    "pair",
    [
        lambda r: (cos(r * t), 0, sin(r * t) / r),
        lambda r: (exp(I * r * t), 0, exp(I * r * t) / (I * r)),
        lambda r: (cos(r * t) ** 2, pi, t / 2 + sin(2 * r * t) / (4 * r)),
    ],
    ids=["cosine", "wave", "square"],
)
def test_whole_periods_do_not_integrate_to_zero_at_frequency_zero(letter, pair):
    integrand, value, primitive = pair(letter)
    with pytest.raises(Refuted, match=f"refuted at {letter} = 0"):
        row = eq(value, "whole periods", by=antiderivative(primitive))
        Derivation("hole").prove("eq-x", Integral(integrand, (t, 0, 2 * pi)), row)


def test_the_same_integral_is_proved_where_the_frequency_is_not_zero():
    row = eq(0, "whole periods", by=antiderivative(sin(d * t) / d))
    assert Derivation("whole").prove("eq-x", Integral(cos(d * t), (t, 0, 2 * pi)), row).verdict


# what does not vanish, and where


@pytest.mark.parametrize(
    "factor", [(2 * m + 2 * n) / (2 * N + 3), m / (2 * N + 1), 2 * m / 3 + 2 * n / 3], ids=str
)
def test_a_fraction_of_whole_numbers_may_vanish(factor):
    assert not nonzero(factor)
    D = Derivation("hole")
    D.assume("eq-h", f(x) * (m + n), g(x) * (m + n), "")
    with pytest.raises(ValueError, match="which may vanish"):
        D.prove("eq-f", f(x), eq(g(x), "cancelled", by=follows("eq-h", times=factor)))


@pytest.mark.parametrize(
    "factor", [2 * m + 1, p / (2 * N + 3), exp(I * x) / p, Rational(2, 3), -p * c], ids=str
)
def test_what_does_not_vanish_is_known_not_to(factor):
    assert nonzero(factor)


def test_an_instance_may_not_cancel_its_own_pole():
    D = Derivation("hole")
    D.assume("eq-h", z * w * F(w), z * w * H(w), "")
    for value in (1 / w, w / (w + 1), z / w):
        with pytest.raises(ValueError, match="not known to lie in the domain of z"):
            D.at("eq-h", z=value)
