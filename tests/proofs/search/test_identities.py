"""Identities that the search must find, and their neighbours, which have no proof."""

import pytest
from attempts import false
from sympy import (
    Abs,
    Derivative,
    I,
    Integer,
    Integral,
    Max,
    Min,
    Product,
    Rational,
    Sum,
    conjugate,
    cos,
    cosh,
    cot,
    csc,
    exp,
    im,
    log,
    pi,
    re,
    sec,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from posenc_lib.proofs import *

m, n = integers("m n")
e, g = evens("e g")
N, i, j = naturals("N i j")
M, d = counts("M d")
a, t, x, y = reals("a t x y")
one, p = positives("one p")
w, z = complexes("w z")
q, theta = real_sequence("q"), real_sequence("theta")
S, h = complex_sequence("S"), complex_sequence("h")
f, phi = real_function("f"), real_function("phi")
G, K = smooth_function("G"), smooth_function("K")
cbrt2, above, root = 2 ** Rational(1, 3), 1 + x**2, sqrt(1 + 1 / (1 + x**2))
fifth, corner = exp(2 * I * pi / 5), (1 + I) * exp(I * t) / 2
DECIDED = {
    "logarithm of a product": (log(Integer(12)), 2 * log(2) + log(3)),
    "logarithm of a fraction": (log(Rational(8, 9)), 3 * log(2) - 2 * log(3)),
    "logarithm of a power": (log(one**x), x * log(one)),
    "logarithm of an exponential": (log(exp(x) * one), x + log(one)),
    "modulus of a real sum with a logarithm": (
        Modulus((1 + log(p)) / one + 1),
        Modulus(-1 - (1 + log(p)) / one),
    ),
    "root of a square times a prime": (sqrt(12), 2 * sqrt(3)),
    "root of a fraction": (sqrt(Rational(2, 3)), sqrt(6) / 3),
    "root of a square": (sqrt((1 + x**2) ** 2 * 3), (1 + x**2) * sqrt(3)),
    "modulus of a number": (Abs(-Rational(3, 2) * z), Rational(3, 2) * Abs(z)),
    "modulus of i": (Abs(I * z), Abs(z)),
    "modulus of a phase": (Abs(exp(I * x) * z), Abs(z)),
    "modulus of an exponential": (Abs(exp(x + I * y) * z), exp(x) * Abs(z)),
    "modulus squared": (Abs(z + w) ** 2, (z + w) * conjugate(z + w)),
    "a maximum counted from 1": (MaxOver(theta[i + 1], (i, 0, N)), MaxOver(theta[j], (j, 1, N + 1))),
    "a product counted from 1": (Product(h[i + 1], (i, 0, N)), Product(h[j], (j, 1, N + 1))),
    "the last two factors of a product": (
        Product(h[i], (i, 0, N + 1)),
        h[N] * h[N + 1] * Product(h[i], (i, 0, N - 1)),
    ),
    "a sum counted from 1": (Sum(h[i + 1], (i, 0, N)), Sum(h[j], (j, 1, N + 1))),
    "i squared": ((1 + I * x) * (1 - I * x), 1 + x**2),
    "a cube with i": ((1 + I * x) ** 3, 1 + 3 * I * x - 3 * x**2 - I * x**3),
    "a fraction with i": (1 / (1 + I * x), (1 - I * x) / above),
    "fractions of two denominators": (
        1 / above + y / above + 1 / (2 + x**2),
        (3 + 2 * x**2 + y * (2 + x**2)) / (above * (2 + x**2)),
    ),
    "real part of a product": (re(z * w), re(z) * re(w) - im(z) * im(w)),
    "imaginary part of a product": (im(z * w), re(z) * im(w) + im(z) * re(w)),
    "the larger and the smaller": (Max(x, y) + Min(x, y), x + y),
    "the larger without the smaller": (Max(x, y) - Min(x, y), Abs(x - y)),
    "cube root of a product": (Integer(12) ** Rational(1, 3), 2 ** Rational(2, 3) * 3 ** Rational(1, 3)),
    "cube with a cube root": ((1 + cbrt2) ** 3, 3 + 3 * cbrt2 + 3 * cbrt2**2),
    "square with a square root": ((1 + sqrt(2)) ** 2, 3 + 2 * sqrt(2)),
    "difference of squares with a root": ((sqrt(above) + x) * (sqrt(above) - x), Integer(1)),
    "cube with the root of a fraction": (
        (y + root) ** 3,
        y**3 + 3 * y * root**2 + (3 * y**2 + 1 + 1 / above) * root,
    ),
    "difference of squares with a sign": (((-1) ** n + 2) * ((-1) ** n - 2), Integer(-3)),
    "half exponents": ((exp(x / 2) + exp(-x / 2)) ** 2, exp(x) + 2 + exp(-x)),
    "third exponents": ((exp(x / 3) - 1) * (exp(2 * x / 3) + exp(x / 3) + 1), exp(x) - 1),
    "a derivative": (Derivative(x**3 * y, x), 3 * x**2 * y),
    "tangent": (tan(x) * cos(x), sin(x)),
    "cotangent": (cot(x) * sin(x), cos(x)),
    "secant": (sec(x) * cos(x), Integer(1)),
    "cosecant": (csc(x) * sin(x), Integer(1)),
    "hyperbolic tangent": (tanh(x) * cosh(x), sinh(x)),
    "hyperbolic sine": (cosh(x) + sinh(x), exp(x)),
    "modulus of a sum that cancels": (Abs(corner * (1 + x) - corner * x), sqrt(2) / 2),
    "root of e": ((1 + exp(Rational(1, 2))) ** 2, 1 + 2 * exp(Rational(1, 2)) + exp(Integer(1))),
    "root of a letter": ((1 + sqrt(one)) ** 2, 1 + 2 * sqrt(one) + one),
    "cube root of a sum": (
        (1 + above ** Rational(1, 3)) ** 2,
        1 + 2 * above ** Rational(1, 3) + above ** Rational(2, 3),
    ),
    "a power of two times three halves of one": (2 ** (x + Rational(3, 2)), 2 * sqrt(2) * 2**x),
    "a power of two times eight": (2 ** (x + 3), 8 * 2**x),
    "a half turn and a turn by x": (exp(I * pi * (x + 1)), -exp(I * pi * x)),
    "three quarters of a turn and a turn by x": (exp(I * pi * (x + Rational(3, 2))), -I * exp(I * pi * x)),
    "a root in the denominator of an exponent": (
        2 ** (x / (1 + sqrt(one))) * 2**x,
        2 ** (x + x / (sqrt(one) + 1)),
    ),
    "powers of a fraction": (Rational(2, 3) ** x * 3**x, 2**x),
    "half and third exponents": (exp(x / 2) * exp(x / 3) / exp(x / 6), exp(2 * x / 3)),
    "powers of two": ((2**x + 1) * (2**x - 1), 4**x - 1),
    "fifth roots of one": ((fifth - 1) * (1 + fifth + fifth**2 + fifth**3 + fifth**4) + x, x),
    "a turn by n and a half": (exp(I * pi * (n + Rational(1, 2))), I * (-1) ** n),
    "a turn by n and a third": (exp(I * pi * (n + Rational(1, 3))) * exp(-I * pi / 3), (-1) ** n),
    "a sum of sums": (
        Sum(Sum(h[i] * S[j], (i, 0, N)), (j, 0, N)),
        Sum(h[i], (i, 0, N)) * Sum(S[j], (j, 0, N)),
    ),
    "constants in a sum": (Sum(x * h[i] + 1, (i, 0, N)), x * Sum(h[i], (i, 0, N)) + N + 1),
    "the last two terms": (Sum(h[i], (i, 0, N + 2)), Sum(h[i], (i, 0, N)) + h[N + 1] + h[N + 2]),
    "the first term": (Sum(h[i], (i, 0, N + 1)), h[0] + Sum(h[i + 1], (i, 0, N))),
    "one term fewer": (Sum(h[i], (i, 0, M - 2)), Sum(h[i], (i, 0, M - 1)) - h[M - 1]),
    "all but the first": (Sum(h[i], (i, 1, M - 1)), Sum(h[i], (i, 0, M - 1)) - h[0]),
    "moved up": (
        Sum(phi(i + 2), (i, 0, N)),
        Sum(phi(i), (i, 0, N)) + phi(N + 1) + phi(N + 2) - phi(0) - phi(1),
    ),
    "moved down": (
        Sum(x * phi(i - 2), (i, 0, N)),
        x * (Sum(phi(i), (i, 0, N)) + phi(-2) + phi(-1) - phi(N - 1) - phi(N)),
    ),
    "products moved": (Sum(h[i + 1] * S[i + 2], (i, 0, N)), Sum(h[j] * S[j + 1], (j, 1, N + 1))),
    "64 terms": (Sum(h[i], (i, 0, 63)), h[63] + Sum(h[i], (i, 0, 62))),
}


@pytest.mark.parametrize(("left", "right"), DECIDED.values(), ids=DECIDED)
def test_an_identity_is_proved_and_its_neighbours_are_refuted(left, right):
    assert check(left, right)
    assert check(left, right + 1).status == "refuted"
    assert check(left, 2 * right).status == "refuted"


def test_a_root_in_a_denominator_is_left_open():
    assert check(1 / (1 + sqrt(2)), sqrt(2) - 1).status == "undecided"
    assert check(1 / (1 + sqrt(2)), sqrt(2)).status == "refuted"


def test_roots_stay_under_their_sum_and_integral():
    false(N * Sum(Abs(h[i]) * Abs(q[i]), (i, 1, N)), Sum(Abs(h[i]), (i, 1, N)) * Sum(Abs(q[i]), (i, 1, N)))
    false(Sum(f(Abs(h[i])), (i, 0, N)), (N + 1) * f(Abs(h[naturals("l")])))
    apart = Integral(Abs(G(a)), (a, 0, 1)) * Integral(Abs(K(a)), (a, 0, 1))
    assert not check(Integral(Abs(G(a)) * Abs(K(a)), (a, 0, 1)), apart)
    assert check(Sum(Abs(h[i + 1]), (i, 0, N - 1)), Sum(Abs(h[j]), (j, 1, N)))


def test_a_turn_by_an_even_number_of_half_turns_keeps_its_fractions():
    assert not check(cos(pi * e * m / 4), cos(pi * e / 4))
    false(cos(pi * e / 4), cos(pi * g / 4))
    assert check(exp(I * pi * e / 4) ** 8, 1)


def test_half_an_angle_is_not_the_root_of_its_exponential():
    left = Sum(h[i + 1] * exp(I * pi * i / 2), (i, 0, 4 * N - 1))
    right = Sum(h[i] * exp(I * pi * (i - 1) / 2), (i, 0, 4 * N)) + I * h[0]
    assert check(left, right).status != "refuted"
    false(left, right + 2 * I * h[4 * N] - 2 * I * h[0])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (exp(x / 2), exp(x / 3)),
        (exp(x / 3), exp(x / 2)),
        (Sum(q[i], (i, 0, N - 1)), Sum(q[i], (i, 0, d - 1))),
        (Sum(q[i], (i, 0, Rational(1, 2))), q[0]),
        (Sum(q[i], (i, 0, N + Rational(1, 2))), Sum(q[i], (i, 0, N))),
        (Sum(1, (i, 1, p)), p),
        (Sum(q[i], (i, 0, N - 3)), Sum(q[i], (i, 0, N - 1)) - q[N - 1] - q[N - 2]),
        (Product(q[i], (i, 0, N), (j, 0, N)), Product(q[i], (i, 0, N))),
        (Product(q[i], (i, 0, N + Rational(1, 2))), Product(q[i], (i, 0, N))),
        (Product(2, (i, 1, p)), Product(2, (i, 1, p - 1)) * 2),
        (Derivative(G(x), x), Derivative(K(x), x)),
        (Rational(2, 3) ** x, 6**x),
    ],
    ids=str,
)
def test_what_differs_is_not_proved(left, right):
    false(left, right)


@pytest.mark.parametrize("left", [G(x) + G(y), G(x).diff(x), Integral(G(a), (a, 0, 1))], ids=str)
def test_a_smooth_unknown_function_is_none_in_particular(left):
    assert check(left, 0).status == "refuted"
    assert check(left, 2 * left).status == "refuted"
