"""Letters: each has one domain, one name and one role, and ranges stay inside it."""

import pytest
from attempts import REFUSED, outcome, refused, with_definition
from sympy import (
    Abs,
    Derivative,
    I,
    IndexedBase,
    Integer,
    Integral,
    Matrix,
    Product,
    Sum,
    Symbol,
    conjugate,
    cos,
    exp,
    nan,
    oo,
    pi,
    prod,
    re,
    sin,
    zoo,
)

from posenc_lib.proofs import *
from posenc_lib.proofs.terms.domains import in_domain, pretty_name

m, n = integers("m n")
e, g = evens("e g")
N, i, j = naturals("N i j")
d = counts("d")
a, b, t, x, y = reals("a b t x y")
p = positives("p")
w, z = complexes("w z")
q = real_sequence("q")
K, f = real_function("K"), real_function("f")
F = complex_function("F")
G = smooth_function("G")


def test_domains_decide():
    real = check(re(a * conjugate(b)), a * b)
    unrestricted = check(re(z * conjugate(w)), z * w)
    assert (real.status, unrestricted.status) == ("proved", "refuted")
    assert check(cos(2 * m * t) - cos(2 * n * t), 0).status == "refuted"
    point = dict(check(Abs(m), m).counterexample.point)
    assert int(point["m"]) < 0, "the counterexample lies in the domain and is an integer"


def test_even_numbers_are_a_domain():
    d = evens("d")
    verdict = check(sin((d + 1) * t), sin(d * t) * cos(t) + cos(d * t) * sin(t))
    assert verdict.status == "proved"
    assert "d ∈ 2ℕ₊" in verdict.scope
    point = dict(check(sin(d * t), cos(d * t)).counterexample.point)
    assert int(point["d"]) % 2 == 0


def test_an_even_letter_is_only_halved():
    """SymPy 1.14 says that e/6 is an integer for every even e, and that e/3 is none."""
    with pytest.raises(ValueError):
        check(conjugate((-1) ** (e / 6)), (-1) ** (e / 6))
    D = with_definition(f(x), sin(pi * x))
    assert refused(lambda: D.prove("eq-x", f(e / 6), eq(0, "not for e = 2")).verdict)
    D.prove("eq-m", f(m), eq(0, "whole turns"))
    with pytest.raises(ValueError):
        D.at("eq-m", m=e / 6)


def test_an_even_letter_may_be_divided_by_powers_of_two():
    assert check(e / 4 + e / 4, e / 2).status == "proved"
    for fraction in (e / 3, 5 * e / 12):
        for sides in ((fraction + fraction, 2 * fraction), (x, fraction)):
            with pytest.raises(ValueError, match="divides an even letter by more than twos"):
                check(*sides)


def test_ranges_stay_in_the_domain_of_their_letter():
    D = with_definition(f(x), Abs(x))
    assert refused(lambda: D.prove("eq-x", Sum(f(i), (i, -3, 3)), eq(0, "")).verdict)
    with pytest.raises(ValueError, match="not a range in the domain of p"):
        certified((p, -1, 1))
    with pytest.raises(ValueError):
        check(Sum(cos(pi * g / 2), (g, 1, 4)), 0)
    for low, high in ((-1, 1), (1, -1)):
        for sides in ((Integral(cos(p), (p, low, high)), x), (x, Integral(cos(p), (p, low, high)))):
            with pytest.raises(ValueError, match="leaves the domain of p"):
                check(*sides)
    for low in (m, m + 1, -n):  # which may be negative
        with pytest.raises(ValueError, match="leaves the domain of i"):
            check(Sum(x, (i, low, d)), Sum(x, (i, low, d)))
    assert check(Sum(x, (i, m**2, m**2 + d)), (d + 1) * x).status == "proved"


@pytest.mark.parametrize(
    "letter",
    [
        Symbol("x", negative=True),
        Symbol("x", nonnegative=True),
        Symbol("x", odd=True),
        Symbol("x", prime=True),
        Symbol("x", extended_real=True),
        naturals("_k0"),
        Symbol("x"),
    ],
    ids=str,
)
def test_a_letter_knows_no_more_than_its_scope_says(letter):
    with pytest.raises(ValueError):
        check(letter, letter)


def test_a_sequence_is_called_what_it_is():
    whole = IndexedBase("l", integer=True)
    assert "real sequence" not in check(exp(2 * pi * I * whole[m]), 1 + 0 * whole[m]).scope
    assert "real sequence" not in check(whole[m] + 1, 1 + whole[m]).scope


def test_one_name_is_one_letter():
    with pytest.raises(ValueError):
        check(x + Modulus(positives("x")), x + positives("x"))
    for one, other in (
        (f(x), complex_function("f")(y)),
        (q[m], complex_sequence("q")[n]),
        (x, positives("x")),
    ):
        for sides in ((one + other, other), (one, other)):
            with pytest.raises(ValueError, match="stands for two letters"):
                check(*sides)
    with pytest.raises(ValueError, match="two letters of one name"):
        outcome(certified((x, 0, 1), (positives("x"), 2, 3)), x - 1, ">", Integer(0))


def test_a_derivative_is_taken_by_a_real_letter():
    D = Derivation("attack")
    D.assume("eq-h", G(N), 0, "at whole numbers")
    D.model(G(x), sin(2 * pi * x))
    for letter in (N, z):
        with pytest.raises(ValueError, match="not a real letter"):
            D.prove("eq-x", Derivative(G(letter), letter), eq(0, "between them?", follows("eq-h")))
        for sides in ((x, Derivative(G(letter), letter)), (Derivative(G(letter), letter), x)):
            with pytest.raises(ValueError, match="not a real letter"):
                check(*sides)


@pytest.mark.parametrize(
    ("part", "how"),
    [
        (2**d / 6, (ValueError,)),
        # multiplied out, they are not taken for integers
        (m * (4 * N + 2) / 6, REFUSED),
        (m * ((-1) ** N + 1) / 6, REFUSED),
        (((-1) ** N + 1) ** 2 / 3, REFUSED),
    ],
    ids=str,
)
def test_something_even_is_only_halved(part, how):
    g = real_function("g")
    D = Derivation("attack")
    D.define(f(x), sin(pi * x))
    D.assume("eq-h", g(x) * part, K(x) * part, "")
    D.assume("eq-m", F(m), 0, "")
    for attempt in (
        lambda: D.prove("eq-x", f(part), eq(0, "a whole number of half turns?")),
        lambda: D.at("eq-m", m=part),
        lambda: D.prove("eq-y", g(x), eq(K(x), "cancelled", follows("eq-h", times=part))),
        lambda: D.prove("eq-z", g(x), le(g(x), "", adding({}, rest=part))),
    ):
        with pytest.raises(how) as error:
            attempt()
        assert how is REFUSED or "by more than twos" in str(error.value)


def test_a_polynomial_over_six_is_multiplied_out():
    squares = Sum(i**2, (i, 1, N))
    D = with_definition(f(x), cos(2 * pi * x))
    row = eq(N * (N + 1) * (2 * N + 1) / 6, "squares", by=induction(N))
    assert D.prove("eq-squares", squares, row).verdict
    assert D.results["eq-squares"].links[0].right == row.right
    assert check(N * (N + 1) * (N + 2) / 6, N**3 / 6 + N**2 / 2 + N / 3)
    with pytest.raises(Refuted, match="refuted at N = "):
        D.prove("eq-x", f(N * (N + 1) / 6), eq(1, "a whole number of turns?"))
    with pytest.raises(ValueError, match="not known to lie in the domain"):
        D.assume("eq-m", F(m), 0, "")
        D.at("eq-m", m=N * (N + 1) / 6)


def test_ranges_end_and_run_over_different_letters():
    D = Derivation("attack")
    D.cite("eq-each", (-1) ** i, "<=", 1 + (-1) ** i, "")
    sums = Sum((-1) ** i, (i, 0, oo)), Sum(1 + (-1) ** i, (i, 0, oo))
    with pytest.raises(ValueError, match="has no end"):
        D.prove("eq-x", sums[0], le(sums[1], "neither has a value", termwise("eq-each")))
    for bounds in ((-oo, 0), (0, oo), (oo, 0), (0, -oo)):
        with pytest.raises(ValueError, match="has no end"):
            check(Integral(exp(-(t**2)), (t, *bounds)), x)
    with pytest.raises(ValueError, match="one letter twice"):
        check(Sum(i, (i, 0, 2), (i, 0, 3)), 18)


def test_a_letter_that_runs_is_no_sequence():
    sequence = IndexedBase("i", integer=True, nonnegative=True)
    with pytest.raises(ValueError, match="also a sequence"):
        check(Sum(sequence[0], (i, 0, N)), x)


def test_a_product_of_zeros_is_one_where_it_is_empty():
    zeros = Product(Integer(0), (i, 1, N))  # SymPy 1.14: zero for all N
    D = Derivation("attack")
    D.cite("eq-h", 0, "<=", f(x) ** 2 + 1, "")
    with pytest.raises(ValueError, match="is 0 or, where it is empty, 1"):
        D.prove("eq-x", zeros * (f(x) ** 2 + 1), le(0, "at N = 0?", adding({"eq-h": -zeros})))


def test_a_sequence_of_whole_numbers_is_called_one():
    whole = IndexedBase("l", integer=True)
    assert check(whole[0] + 1, 1 + whole[0] + 0 * x).scope == "for every ℤ sequence l"


@pytest.mark.parametrize("infinite", [oo, -oo])
def test_no_letter_stands_for_infinity(infinite):
    assert not in_domain(z, infinite) and not in_domain(z, infinite * x)


def test_nothing_without_a_value_is_put_for_a_letter():
    assert in_domain(z, w) and not in_domain(z, zoo) and not in_domain(z, nan)


def test_one_name_is_one_matrix():
    tall, square = vector_function("H", 12), matrix_function("H", 2, 2)
    with pytest.raises(ValueError, match="H stands for matrices of shapes"):
        check(Matrix([[0] * 11 + [1]]) * tall(m), Matrix([[1, 0]]) * square(m) * Matrix([0, 1]))
    D = Derivation("hole")
    D.prove("eq-tall", tall(m) + tall(m), eq(2 * tall(m), "twice"))
    with pytest.raises(ValueError, match="H stands for matrices of shapes"):
        D.prove("eq-square", square(m) + square(m), eq(2 * square(m), "twice"))


def test_check_asks_for_one_role_of_each_letter():
    hidden = prod([i - r for r in range(6)])
    with pytest.raises(ValueError, match="i is both bound and free"):
        check(x + hidden * Sum(j * (i + 1), (i, 0, 1), (j, i, i)), x + 2 * hidden)


@pytest.mark.parametrize(
    ("name", "shown"), [("theta_1", "θ_1"), ("x^star", "x⋆"), ("phi(0)", "φ(0)"), ("star", "star")]
)
def test_a_letter_in_text_is_written_as_people_write_it(name, shown):
    assert pretty_name(name) == shown
