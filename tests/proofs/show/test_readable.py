"""What is read is what was checked: different expressions look different, and so do different names."""

from itertools import combinations

import pytest
from sympy import (
    Derivative,
    Integer,
    Integral,
    Limit,
    Product,
    Sum,
    Symbol,
    conjugate,
    exp,
    pi,
    sqrt,
)  # fmt: skip

from posenc_lib.proofs import *
from posenc_lib.proofs.reread.statements import Derived
from posenc_lib.proofs.reread.tokens import Unread
from posenc_lib.proofs.show.readable import looks

x, t = reals("x t")
p = positives("p")
i, N = naturals("i N")
q, f, G = real_sequence("q"), real_function("f"), smooth_function("G")
R, v = matrix_function("R", 2, 2), vector_function("v", 2)

BINDERS = {
    "maximum": lambda e: MaxOver(e, (i, 0, N)),
    "sum": lambda e: Sum(e, (i, 0, N)),
    "product": lambda e: Product(e, (i, 0, N)),
    "derivative": lambda e: Derivative(e, x),
    "limit": lambda e: Limit(e, x, 0),
    "integral": lambda e: Integral(e, (x, 0, 1)),
}
AROUND = {
    "itself": lambda e: e,
    "square": lambda e: e**2,
    "reciprocal": lambda e: 1 / e,
    "power of it": lambda e: p**e,
    "root": sqrt,
    "exponential": exp,
    "conjugate": conjugate,
    "modulus": Modulus,
    "minus": lambda e: -e,
    "times a value": lambda e: e * f(t),
    "times a letter": lambda e: t * e,
    "plus": lambda e: e + f(t),
    "over": lambda e: e / p,
    "times over": lambda e: e * f(t) / p,
    "under": lambda e: f(t) / e,
}


def look_different(pool):
    shown = {}
    for e in pool:
        assert shown.setdefault(latex(e), e) == e, latex(e)


@pytest.mark.parametrize("binder", BINDERS.values(), ids=BINDERS)
def test_brackets_tell_what_belongs_to_a_binder(binder):
    start = [q[i] * G(x), q[i] + G(x)]
    inside = [around(e) for e in start for around in AROUND.values()]
    look_different({around(binder(e)) for e in inside for around in AROUND.values()})


@pytest.mark.parametrize(("outer", "inner"), list(combinations(BINDERS, 2)), ids="-".join)
def test_brackets_tell_which_binder_is_inside(outer, inner):
    one, two, e = BINDERS[outer], BINDERS[inner], q[i] * G(x)
    pool = [one(two(e)), two(one(e)), one(e) * two(e), one(e * two(e)), two(e * one(e)), one(e) + two(e)]
    pool += [
        one(e + two(e)),
        two(e + one(e)),
        one(two(e) ** 2),
        one(two(e)) ** 2,
        two(one(e) ** 2),
        one(two(e)) * t,
    ]
    pool += [one(t * two(e)), one(e) * two(e) * t, one(e) / two(e), one(e / two(e)), two(e) / one(e)]
    look_different(pool)


def test_brackets_tell_what_is_transposed_and_what_belongs_to_blocks():
    rows = lambda block: BlockDiagonal(block, (i, 0, N))  # noqa: E731
    A, B, w = R(i), R(2 * i), Stacked(v(i), (i, 0, N))
    pool = [rows(A).T, rows(A.T), rows(A) * rows(B), rows(A * B), rows(A * B).T, (rows(A) * rows(B)).T]
    pool += [rows(A) + rows(B), rows(A + B), (rows(A) + rows(B)).T, rows(A) * w, rows(A).T * w, w.T, w]
    pool += [
        Stacked(R(i) * v(i), (i, 0, N)),
        Stacked(R(i).T * v(i), (i, 0, N)),
        rows(rows(A)),
        rows(rows(A)).T,
    ]
    pool += [
        w.T * rows(A) * w,
        R(1).T,
        (R(1) * R(2)).T,
        R(1) * R(2).T,
        (R(1) + R(2)) * R(3),
        R(1) + R(2) * R(3),
    ]
    look_different(pool)


def test_a_derivative_that_is_a_factor_stands_in_brackets():
    shown = latex(Derivative(x**2, x) * G(x))
    assert shown != latex(Derivative(x**2 * G(x), x)) and r"\left(\frac{d}{d x} x^{2}\right)" in shown


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (reals("x1"), reals("x_1")),
        (real_function("f1")(x), real_function("f_1")(x)),
        (real_sequence("q")[1], reals("q_1")),
        (reals("pi"), pi),
        (reals("e"), exp(x)),
        (R(i), real_sequence("R")[i]),
        (reals("W^Q"), positives("W") ** reals("Q")),
    ],
    ids=str,
)
def test_what_is_printed_alike_is_refused(one, two):
    assert latex(one) == latex(two) or two == exp(x)
    with pytest.raises(ValueError, match="are both printed"):
        looks(one, two)


def test_what_is_printed_alike_is_refused_in_another_result_and_in_a_definition():
    D = Derivation("alike")
    D.prove("eq-x", reals("x_1") + x, eq(x + reals("x_1"), "turned round"))
    with pytest.raises(ValueError, match=r"are both printed x_\{1\}"):
        D.prove("eq-y", reals("x1") + x, eq(x + reals("x1"), "turned round"))
    with pytest.raises(ValueError, match=r"are both printed x_\{1\}"):
        D.define(reals("x1"), x + 1)


@pytest.mark.parametrize("name", ["sigma^2", "q[1]", "R(m)", "x-1", "x'", "2x", "x__1", "α"], ids=str)
def test_a_name_has_letters_digits_and_underscores(name):
    letter = Symbol(name, real=True)
    with pytest.raises(ValueError, match="may have letters, digits and _ only"):
        Derivation("names").prove("eq-x", letter + letter, eq(2 * letter, "twice"))


@pytest.mark.parametrize("name", ["x", "x_1", "A_P", "H_1,12", "W^Q", "Rhat_2", "C_in_2"])
def test_names_of_the_field_are_accepted(name):
    letter = Symbol(name, real=True)
    assert Derivation("names").prove("eq-x", letter + letter, eq(2 * letter, "twice")).verdict


def test_the_number_is_no_letter_and_the_letter_no_number():
    D = Derivation("names")
    assert D.prove("eq-e", reals("e") + 1, eq(1 + reals("e"), "no exponential here")).verdict
    assert D.prove("eq-pi", pi * x, eq(x * pi + Integer(0), "the number")).verdict


def test_a_star_above_a_letter_is_not_the_star_of_a_conjugate():
    starred, number = Symbol("x^star", positive=True), Symbol("x", complex=True)
    assert latex(starred) == r"x^{\star}" and latex(conjugate(number)) == "x^{*}"
    D = Derivation("star")
    D.define(starred, 2 * pi)
    D.prove("eq-star", starred / 2, eq(pi, "half of it"))
    records = [result.record() for result in D.results.values()]
    Derived(records, D.theorems.claimed).confirm("eq-star")
    printed = D.results["eq-star"].latex()
    with pytest.raises(Unread):
        slip = [
            {**r, "latex": printed.replace(r"\star", "*")} if r["label"] == "eq-star" else r for r in records
        ]
        Derived(slip, D.theorems.claimed).confirm("eq-star")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("phi", "varphi"), "the name phi and the name varphi are both printed φ: rename one of them"),
        (("Gamma", "x"), "Gamma is the name of a known function or number: give yours another"),
    ],
)
def test_names_that_print_alike_are_refused_where_they_are_declared(names, message):
    one, other = (Symbol(name, real=True) for name in names)
    with pytest.raises(ValueError, match=message):
        Derivation("names").prove("eq-x", one + other, eq(other + one, "in any order"))
    with pytest.raises(ValueError, match=message):
        check(one + other, other + one)
    D = Derivation("names")
    with pytest.raises(ValueError, match=message):
        D.define(one, 2)
        D.define(other, one + 1)
