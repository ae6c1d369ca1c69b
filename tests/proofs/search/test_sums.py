"""Sums, products and what is nested in them: letters and ranges are told apart."""

import pytest
from attempts import false, refused, with_definition
from sympy import Derivative, I, Integral, Matrix, Product, Rational, Sum, exp

from posenc_lib.proofs import *

m = integers("m")
N, i, j, k = naturals("N i j k")
COUNT, d = counts("n d")
a, b, x = reals("a b x")
cube, q, theta = real_sequence("c"), real_sequence("q"), real_sequence("theta")
S, h = complex_sequence("S"), complex_sequence("h")
G = smooth_function("G")


def test_products_of_symbolic_length():
    c = complex_sequence("c")
    longer, shorter = Product(c[i], (i, 0, N)), Product(c[i], (i, 0, N - 1))
    assert check(longer, c[N] * shorter)
    assert check(longer, c[N + 1] * shorter).status == "refuted"
    turns = Product(exp(I * theta[i]), (i, 0, N - 1))
    total = exp(I * Sum(theta[i], (i, 0, N - 1)))
    assert Derivation("p").prove("eq-p", turns, eq(total, "exponents add", induction(N))).verdict


def test_products_differ_in_their_factors_and_in_their_number():
    assert check(Product(h[i], (i, 0, N - 1)), Product(S[i], (i, 0, N - 1))).status == "refuted"
    assert check(Product(h[i], (i, 0, N - 1)), Product(h[i], (i, 0, COUNT - 1))).status == "refuted"
    product = Product(h[i], (i, 0, N))
    for other in (Product(S[i], (i, 0, N)), Product(h[i], (i, 0, COUNT)), Product(h[i], (i, 1, N + 1))):
        assert check(product, other).status == "refuted"
    for top in (m, N + Rational(1, 2)):  # may be below the first index; not an integer
        shorter = Product(h[i], (i, 0, top - 1))
        assert not check(Product(h[i], (i, 0, top)), h[top] * shorter)


def test_nested_binders_have_letters_of_their_own():
    nested = {
        "maximum": lambda r, c: MaxOver(1 + MaxOver(q[r, c], (i, 0, N)), (j, 0, N)),
        "product": lambda r, c: Product(1 + Product(q[r, c], (i, 0, N)), (j, 0, N)),
        "sum": lambda r, c: Sum(1 + Sum(q[r, c], (i, 0, N)) ** 2, (j, 0, N)),
    }
    for build in nested.values():
        false(build(i, j), build(i, i))
    inner = lambda t: Integral(1 + Integral(G(a) * t, (a, 0, 1)), (b, 0, 1))  # noqa: E731
    assert not check(inner(b), inner(a))


A = real_sequence("A")


def rows(term, *ranges):
    """Sums of sums, the last range outermost."""
    for over in ranges:
        term = Sum(term, over)
    return term


def test_the_order_of_two_sums_does_not_matter():
    planes, draws = (i, 0, d - 1), (j, 0, COUNT - 1)
    assert check(rows(A[i, j], planes, draws), rows(A[i, j], draws, planes))
    weighted = Sum(q[j] * Sum(theta[i] * A[i, j], planes), draws)
    assert check(weighted, Sum(theta[i] * Sum(q[j] * A[i, j], draws), planes))
    depth = (k, 0, N)
    for order in ((depth, planes, draws), (depth, draws, planes), (draws, depth, planes)):
        assert check(rows(A[i, j, k], planes, draws, depth), rows(A[i, j, k], *order))


def test_sums_that_are_not_over_the_same_rectangle_are_not_exchanged():
    planes, draws = (i, 0, d - 1), (j, 0, COUNT - 1)
    false(rows(A[i, j], planes, draws), rows(A[j, i], draws, planes))
    false(rows(A[i, j], planes, draws), rows(A[i, j], (j, 0, COUNT), planes))
    triangle, turned = rows(A[i, j], (i, 0, j), (j, 0, N)), rows(A[i, j], (j, 0, i), (i, 0, N))
    false(triangle, turned)


INSIDE = {
    "one sum inside another": lambda u: Sum(Sum(u(i, j), (i, 0, d - 1)) ** 2, (j, 0, d - 1)),
    "one product inside another": lambda u: Product(1 + Product(u(i, j), (i, 0, d - 1)), (j, 0, d - 1)),
    "two sums inside another, the outermost letter": lambda u: Sum(
        Sum(Sum(u(i, k) * cube[j], (i, 0, d - 1)) ** 2 + cube[j], (j, 0, d - 1)) ** 2, (k, 0, d - 1)
    ),
    "two sums inside another, the two outer letters": lambda u: Sum(
        Sum(u(j, k) * Sum(cube[i, j] * cube[i, k], (i, 0, d - 1)) ** 2, (j, 0, d - 1)) ** 2, (k, 0, d - 1)
    ),
    "a sum over two letters around another": lambda u: Sum(
        Sum(u(i, k) * cube[i, j], (i, 0, d - 1)) ** 2, (j, 0, d - 1), (k, 0, d - 1)
    ),
}


@pytest.mark.parametrize("build", INSIDE.values(), ids=INSIDE)
def test_letters_of_nested_sums_are_told_apart(build):
    square, transposed = (lambda r, c: q[r, c] ** 2), (lambda r, c: q[r, c] * q[c, r])
    false(build(square), build(transposed))
    assert check(build(transposed), build(lambda r, c: q[c, r] * q[r, c]))


def test_sums_and_integrals_are_not_evaluated_by_other_conventions():
    empty = Sum(1, (i, 0, m))  # 0 for m < 0, where SymPy's summation says m + 1
    R = matrix_function("R", 2, 2)
    D = with_definition(R(m), Matrix([[empty, 0], [0, 1]]))
    assert refused(lambda: D.prove("eq-x", R(m) * Matrix([1, 0]), eq(Matrix([m + 1, 0]), "")).verdict)
    false(Derivative(Sum(x, (i, 0, m)), x), m + 1)
