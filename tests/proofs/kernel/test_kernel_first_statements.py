"""What a new user tries first, each beside slips: found by the search, rebuilt by the kernel; no slip is."""

import pytest
from sympy import (
    Abs,
    Derivative,
    I,
    Integral,
    KroneckerDelta,
    Max,
    Min,
    Subs,
    Sum,
    binomial,
    conjugate,
    cos,
    exp,
    factorial,
    sin,
    sqrt,
    symbols,
)

from posenc_lib.proofs import *
from posenc_lib.proofs.kernel import Refused, replay
from posenc_lib.proofs.kernel.balls import value
from posenc_lib.proofs.kernel.domains import lies
from posenc_lib.proofs.kernel.terms import ONE, bind, fun, neg, num, var
from posenc_lib.proofs.search import equations
from posenc_lib.proofs.search.induction import inductions
from posenc_lib.proofs.search.proof import NotFound, Proof
from posenc_lib.proofs.search.read import Outside, term
from posenc_lib.proofs.write.advice import advice

i, j, k, N = naturals("i j k N")
d, K, r = counts("d K r")
m = integers("m")
a, b, c, x, y, t = reals("a b c x y t")
p = positives("p")
q = complexes("q")
h, al = complex_sequence("h"), complex_sequence("al")
G, H = smooth_function("G"), smooth_function("H")
delta = KroneckerDelta


def result(find, left, right):
    proof = Proof()
    th = find(proof, term(left), term(right))
    back = replay(proof.certificate(th))
    assert (back.theorem.left, back.theorem.right) == (term(left), term(right))
    return back


def by_identity(left, right):
    return result(equations.identity, left, right)


def by_induction(over, first):
    def find(proof, left, right):
        return inductions(proof, [(left, right)], term(over), num(first), [])[0]

    return lambda left, right: result(find, left, right)


sums = [
    (Sum(i, (i, 0, N)), N * (N + 1) / 2),
    (Sum(i**2, (i, 0, N)), N * (N + 1) * (2 * N + 1) / 6),
    (Sum(i**2, (i, 1, N)), N * (N + 1) * (2 * N + 1) / 6),
    (Sum(i**3, (i, 1, N)), N**2 * (N + 1) ** 2 / 4),
    (Sum(q**i, (i, 0, N)), (q ** (N + 1) - 1) / (q - 1)),
    (Sum(p**i, (i, 1, N)), p * (p**N - 1) / (p - 1)),
    ((x - 1) * Sum(x**i, (i, 0, N)), x ** (N + 1) - 1),
]
from_one = [
    (Sum(i**2, (i, 1, d)), d * (d + 1) * (2 * d + 1) / 6),
    (Sum(r**2, (r, 1, d)), d * (d + 1) * (2 * d + 1) / 6),
    (Sum(i**3, (i, 1, d)), d**2 * (d + 1) ** 2 / 4),
    ((q - 1) * Sum(q**i, (i, 0, d - 1)), q**d - 1),
]
identities = [
    # factorials and binomials
    (factorial(N + 1), (N + 1) * factorial(N)),
    (factorial(d), d * factorial(d - 1)),
    (factorial(4), 24),
    (factorial(N + 2) / factorial(N), (N + 1) * (N + 2)),
    (binomial(j + k, k), factorial(j + k) / (factorial(k) * factorial(j))),
    (binomial(N + 1, K), binomial(N, K) + binomial(N, K - 1)),
    (binomial(m, 2), m * (m - 1) / 2),
    # Kronecker's delta
    (delta(i, j) ** 2, delta(i, j)),
    (delta(i, j) * al[i], delta(i, j) * al[j]),
    (conjugate(delta(i, j)), delta(i, j)),
    (Sum(delta(i, j) * al[j], (j, 0, d - 1)), al[i]),
    (Sum(delta(j, i + 1) * al[j], (j, 0, d)), al[i + 1]),
    (
        Sum((delta(i, j) - al[i]) * h[j], (j, 0, d - 1)),
        h[i] - al[i] * Sum(h[j], (j, 0, d - 1)),
    ),
    (
        Sum(Sum(delta(i, j) * al[j] * h[i], (j, 0, d - 1)), (i, 0, d - 1)),
        Sum(al[i] * h[i], (i, 0, d - 1)),
    ),
    # shifts
    (
        Sum(h[i + 1] * exp(I * t * (i + 1)), (i, 0, N - 1)),
        Sum(h[i] * exp(I * t * i), (i, 0, N)) - h[0],
    ),
    (Sum(h[i + 2], (i, 0, N)), Sum(h[i], (i, 0, N)) + h[N + 1] + h[N + 2] - h[0] - h[1]),
    (Sum(1 / (i + 1) - 1 / (i + 2), (i, 0, N - 1)), 1 - 1 / (N + 1)),
    # integrals
    (Integral(G(x), (x, a, b)) + Integral(G(x), (x, b, c)), Integral(G(x), (x, a, c))),
    (Integral(G(x), (x, a, b)), -Integral(G(x), (x, b, a))),
    # roots
    (sqrt(x**2), Abs(x)),
    (sqrt(p**2), p),
    (sqrt((x + 1) ** 2), Abs(x + 1)),
    (sqrt(1 - cos(x) ** 2), Abs(sin(x))),
    (sqrt(exp(2 * x)), exp(x)),
    (sqrt(x**2 + 2 * x * y + y**2), Abs(x + y)),
    # derivatives
    (Derivative(G(x) * H(x), x), Derivative(G(x), x) * H(x) + G(x) * Derivative(H(x), x)),
    (Derivative(G(H(x)), x), Subs(Derivative(G(y), y), y, H(x)) * Derivative(H(x), x)),
    (Derivative(G(H(x)), x), Derivative(G(H(x)), x).doit()),
    (Derivative(G(x), x, x), Derivative(Derivative(G(x), x), x)),
    (Derivative(exp(-(x**2) / 2), x), -x * exp(-(x**2) / 2)),
    # the larger of two
    (Max(a, b) + Min(a, b), a + b),
    (Max(a, b) * Min(a, b), a * b),
    # powers of what may be 0
    (q ** (2 * N), (q**N) ** 2),
    (x**d, x * x ** (d - 1)),
    (conjugate(x**N), x**N),
]
TRUE = [
    *((by_induction(N, 0), *row) for row in sums),
    *((by_induction(d, 1), *row) for row in from_one),
    *((by_identity, *row) for row in identities),
]


@pytest.mark.parametrize("row", TRUE, ids=[str(row[1]) for row in TRUE])
def test_found_and_with_one_more_not(row):
    how, left, right = row
    assert all(h.relation != "=" for h in how(left, right).conditions)
    for slip in (right + 1, 2 * right, -right):
        with pytest.raises((NotFound, Refused)):
            how(left, slip)


SLIPS = [
    (Sum(delta(i, j) * al[j], (j, 0, d - 1)), al[i + 1]),
    (delta(i, j) * al[i], delta(i, j) * al[j + 1]),
    (delta(i, j), 1),
    (factorial(N + 1), N * factorial(N)),
    (binomial(N + 1, K), binomial(N, K) + binomial(N, K + 1)),
    (sqrt(x**2), x),
    (sqrt((x + 1) ** 2), x + 1),
    (sqrt(q**2), Abs(q)),
    (Integral(G(x), (x, a, b)), Integral(G(x), (x, b, a))),
    (Integral(1 / x, (x, a, b)) + Integral(1 / x, (x, b, c)), Integral(1 / x, (x, a, c))),
    (Derivative(G(x) * H(x), x), Derivative(G(x), x) * Derivative(H(x), x)),
    (Derivative(G(H(x)), x), Subs(Derivative(G(y), y), y, H(x))),
    (Sum(h[i + 1], (i, 0, N - 1)), Sum(h[i], (i, 0, N))),
    (Max(a, b), a),
    (x**m * x, x ** (m + 1)),  # 0 for m = -1 and x = 0, by convention
]


@pytest.mark.parametrize(("left", "right"), SLIPS, ids=[str(row) for row in SLIPS])
def test_a_slip_is_not_found(left, right):
    with pytest.raises((NotFound, Refused)):
        by_identity(left, right)


def test_the_index_of_a_delta_has_to_lie_in_the_range():
    (condition,) = by_identity(Sum(delta(i, j) * al[j], (j, 0, d - 1)), al[i]).conditions
    assert (condition.left, condition.relation, condition.right) == (term(i), "<=", term(d - 1))
    assert not by_identity(Sum(delta(i, j) * al[j], (j, 0, i)), al[i]).conditions


UNREAD = [
    factorial(m),
    factorial(N - 1),
    binomial(N, m),
    Derivative(N**2, N),
    Derivative(Abs(x), x),
    Derivative(sqrt(x), x),
    Derivative(real_function("f")(x), x),
    Derivative(G(x), (x, symbols("n", integer=True, positive=True))),
    Subs(Derivative(G(y), y), y, q),
]


@pytest.mark.parametrize("e", UNREAD, ids=map(str, UNREAD))
def test_what_has_no_value_everywhere_is_not_read(e):
    with pytest.raises(Outside):
        term(e)


def test_a_sum_of_something_is_positive_where_it_is_not_empty():
    body = fun("exp", var("x", "R"))
    index, n, natural = var("i", "Z"), var("n", "N+"), var("n", "N")
    assert lies(bind("sum", "i", ONE, n, index, body), ">0")
    assert not lies(bind("sum", "i", ONE, natural, index, body), ">0")
    assert lies(bind("sum", "i", ONE, natural, index, body), ">=0")
    assert not lies(bind("sum", "i", num("1/2"), n, index, body), ">0")
    assert not lies(bind("sum", "i", ONE, n, index, neg(body)), ">=0")


def test_a_delta_has_no_enclosure():
    with pytest.raises(Refused, match="no value of delta"):
        value(fun("delta", ONE, ONE), {})


def test_identity_says_what_else_to_try():
    D = Derivation("advice")
    with pytest.raises(Undecided, match=r"try by=induction\(N\)"):
        D.prove("eq-a", Sum(i, (i, 0, N)), eq(N * (N + 1) / 2, "Gauss"))
    assert advice(p**d, p) == "try by=induction(d, 1)"
    assert advice(Sum(i, (i, 0, evens("e"))), x**m) == ""
