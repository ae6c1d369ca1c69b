"""Integrals, special functions and limits: what is proved, what is refused, and why."""

from unittest.mock import patch

import pytest
from sympy import (
    Abs,
    Ci,
    Derivative,
    Function,
    I,
    Integer,
    Integral,
    Limit,
    Si,
    Sum,
    Symbol,
    cos,
    cosh,
    exp,
    log,
    oo,
    sin,
    sqrt,
    sympify,
)

from posenc_lib.proofs import (
    Derivation,
    Refuted,
    Undecided,
    antiderivative,
    check,
    complex_sequence,
    complexes,
    eq,
    integers,
    le,
    limit_by,
    naturals,
    positives,
    real_function,
    reals,
    smooth_function,
    termwise,
    triangle,
)
from posenc_lib.proofs.prove.integrals import limits_of
from posenc_lib.proofs.rules.limits import tends_to_zero
from posenc_lib.proofs.terms.smoothness import analytic, smooth
from posenc_lib.proofs.terms.verdict import OutOfClass

x, r, c = positives("x r c")
t, s = reals("t s")
w = complexes("w")
k, n = naturals("k n")
base = 1 + c
kernel = Integral(cos(x * base**-t), (t, 0, 1))
ladder = -Ci(x * base**-t) / log(base)


def test_the_decay_integral_has_a_closed_form():
    row = eq((Ci(x) - Ci(x / base)) / log(base), "closed form", by=antiderivative(ladder))
    result = Derivation("decay").prove("eq-x", kernel, row)
    assert result.verdict.method == "antiderivative (fundamental theorem)"
    assert result.wrong_versions.refuted >= 5


@pytest.mark.parametrize("wrong", [Ci(x) - Ci(x / base), (Ci(x / base) - Ci(x)) / log(base), Si(x)])
def test_a_wrong_closed_form_is_refuted_by_integrating_in_balls(wrong):
    with pytest.raises(Refuted):
        Derivation("decay").prove("eq-x", kernel, eq(wrong, "slip", by=antiderivative(ladder)))


@pytest.mark.parametrize(
    ("integral", "function", "reason"),
    [
        (Integral(1 / t**2, (t, -1, 1)), -1 / t, "smooth"),
        (Integral(1 / t, (t, -1, 1)), log(Abs(t)), "smooth"),
        (Integral(cos(t), (t, 0, 1)), cos(t), "derivative"),
        (Integral(cos(r), (r, -1, 1)), sin(r), "domain"),
        (x, sin(t), "not an integral"),
    ],
)
def test_an_antiderivative_must_be_smooth_right_and_on_its_domain(integral, function, reason):
    with pytest.raises((Undecided, ValueError), match=reason):
        Derivation("d").prove("eq-x", integral, eq(-2, "no", by=antiderivative(function)))


def test_integrals_are_linear_and_blind_to_the_name_of_their_variable():
    assert check(
        Integral(r * cos(x * t) + t, (t, 0, 1)), r * Integral(cos(x * s), (s, 0, 1)) + Integral(s, (s, 0, 1))
    )
    assert check(Integral(exp(I * x * t), (t, 0, 1)), Integral(cos(x * t), (t, 0, 1))).status == "refuted"


def test_an_integral_needs_a_real_variable():
    k, plain = integers("k"), Symbol("u")
    for variable in (k, plain):
        assert check(Integral(cos(variable), (variable, 0, 1)), 1).status != "proved"


def test_the_modulus_of_an_integral_is_at_most_the_integral_of_the_modulus():
    left = Abs(Integral(cos(x * t), (t, 0, 1)))
    row = le(Integral(Abs(cos(x * t)), (t, 0, 1)), "triangle", by=triangle)
    assert Derivation("d").prove("eq-x", left, row).wrong_versions.refuted == 3
    unordered = Abs(Integral(cos(x * t), (t, 1, s)))
    with pytest.raises(Refuted, match="s = -"):
        row = le(Integral(Abs(cos(x * t)), (t, 1, s)), "triangle", by=triangle)
        Derivation("d").prove("eq-y", unordered, row)


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


rough, even_out = real_function("f"), smooth_function("G")
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


def test_an_integral_depends_on_both_its_bounds():
    assert check(Integral(x, (t, 2, 5)), 3 * x)
    whole = Integral(exp(t**2), (t, 0, 1))
    for other in (Integral(exp(t**2), (t, 0, 2)), Integral(exp(t**2), (t, -1, 1))):
        with patch("posenc_lib.proofs.prove.check.second_opinion", return_value=True):
            assert check(whole, other).status == "refuted"
    with pytest.raises(OutOfClass, match="one interval"):
        limits_of(Integral(t * s, (t, 0, 1), (s, 0, 1)))


@pytest.mark.parametrize("function", [*ANALYTIC, *ROUGH], ids=str)
def test_a_modulus_a_root_or_a_logarithm_is_not_analytic(function):
    assert analytic(function, t) is (function in ANALYTIC)
    assert analytic(function.subs(t, s), t) is True, "t does not occur"


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
    with pytest.raises(Undecided, match="not known to tend to zero"):
        D.prove("eq-x", Limit(r * I, r, oo), eq(0, "no", by=limit_by("eq-constant", 0)))


def test_an_inequality_is_integrated_only_where_the_integral_runs_forwards():
    D = Derivation("termwise")
    D.cite("eq-each", sin(t), "<=", Abs(t), "any calculus")
    for row, (low, high) in enumerate([(0, c), (c, 2 * c), (-1, c)]):
        smaller, larger = (Integral(side, (t, low, high)) for side in (sin(t), Abs(t)))
        D.prove(f"eq-{row}", smaller, le(larger, "integrated", by=termwise("eq-each")))
    for low, high in ((c, 0), (1, c), (c, -1)):
        smaller, larger = (Integral(side, (t, low, high)) for side in (sin(t), Abs(t)))
        with pytest.raises(Undecided, match="may run backwards"):
            D.prove("eq-x", smaller, le(larger, "backwards?", by=termwise("eq-each")))


def test_termwise_keeps_what_stands_beside_the_sum():
    h, (i, N) = complex_sequence("h"), naturals("i N")
    D = Derivation("termwise")
    each = le(Abs(h[i]) + Abs(h[i + 1]), "triangle inequality", by=triangle)
    D.prove("eq-each", Abs(h[i] + h[i + 1]), each)
    left = c + Sum(Abs(h[i] + h[i + 1]), (i, 0, N))
    D.prove("eq-all", left, le(c + Sum(each.right, (i, 0, N)), "added up", by=termwise("eq-each")))
    for wrong in (Sum(each.right, (i, 0, N)), 2 * c + Sum(each.right, (i, 0, N))):
        with pytest.raises(Undecided, match="same rest"):
            D.prove("eq-x", left, le(wrong, "slip", by=termwise("eq-each")))
