"""What follows from the axioms and is used often: proved once in a certificate, then for any value.

And parts of a turn: e^(i pi / b) is a root of a cyclotomic polynomial, so cos(2 pi / 3) = -1/2.
"""

from fractions import Fraction
from math import lcm

from sympy import Poly, cyclotomic_poly

from ..kernel.ring import HALF, NONE, poly
from ..kernel.terms import ONE, PI, ZERO, I, Term, add, fun, mul, neg, num, power, sub, var
from ..kernel.theorem import Theorem
from .normal import closed
from .proof import MINUS, Proof

FINEST = 60  # the finest part of a half turn that is looked at
_PI = (frozenset([(PI, 1)]), NONE)
N, A, X, T = (var(*named) for named in (("n", "N"), ("a", "Z"), ("x", "R"), ("t", "R")))


def turn(P: Proof) -> Theorem:
    """e^(2 pi i) = 1, the fourth power of e^(i pi / 2) = i."""

    def proved() -> Theorem:
        quarter = P.axiom("quarter_turn")
        e = quarter.left
        others = add(power(e, 3), mul(I, power(e, 2)), neg(e), neg(I))  # (e - i) times it is e^4 - 1
        return P.combine(fun("exp", mul(num(0, 2), PI)), ONE, [(others, quarter)])

    return P.lemma("turn", proved)


def turns(P: Proof, n: Term) -> Theorem:
    """e^(2 pi i n) = 1 for an integer n, by induction upwards and downwards."""
    k = var("n", "Z")

    def power_of(exponent: Term) -> Term:
        return fun("exp", mul(num(0, 2), PI, exponent))

    def proved() -> Theorem:
        once, given = turn(P), P.step("assume", [], power_of(k), "=", ONE)
        back = fun("exp", neg(once.left.args[0]))
        up = P.combine(power_of(add(k, ONE)), ONE, [(once.left, given), (ONE, once)])
        down = P.combine(power_of(add(k, num(-1))), ONE, [(back, given), (neg(back), once)])
        return P.step("induct", k, given.left, "=", ONE, P.ring(power_of(ZERO), ONE), [up, down], ZERO)

    return P.step("instantiate", P.lemma("turns", proved), [(k, n)], [])


def count(P: Proof, hint: str, lo: Term, hi: Term) -> Theorem:
    """sum over lo..hi of 1 = hi - lo + 1, a natural number: by induction on it."""

    def of(n: Term) -> Term:
        return Term("sum", (), (A, add(A, n, num(-1)), ONE), "k")

    def proved() -> Theorem:
        given, longer = P.step("assume", [], of(N), "=", N), of(add(N, ONE))
        cut = P.axiom("split", longer, given.left.args[1])
        last = P.axiom("single", cut.right.args[1])
        up = P.combine(longer, add(N, ONE), [(ONE, cut), (ONE, given), (ONE, last)])
        return P.step("induct", N, given.left, "=", N, P.axiom("empty", of(ZERO)), [up], ZERO)

    length = add(sub(hi, lo), ONE)
    th = P.step("instantiate", P.lemma("count", proved), [(A, lo), (N, length)], [])
    return P.combine(Term("sum", (), (lo, hi, ONE), hint), length, [(ONE, th)])


def tangent(P: Proof, x: Term) -> Theorem:
    """1 + x <= e^x for real x: e^x - 1 - x is the integral of (1 - t) x^2 e^(t x) over 0..1."""

    def proved() -> Theorem:
        slope = fun("exp", mul(T, X))
        whole = P.step("fundamental", add(mul(sub(ONE, T), X, slope), slope), T, "t", ZERO, ONE, [])
        body = mul(sub(ONE, T), power(X, 2), slope)
        inside = P.step("assume", [], T, "<=", ONE)
        sign = P.adding(ZERO, "<=", body, [(mul(power(X, 2), slope), inside)])
        total = P.step("over", "int", sign, T, "t", ZERO, ONE, [])
        none = P.axiom("linear", "int", ZERO, ONE, [(ZERO, total.right)])
        parts = [(ONE, total), (MINUS, none), (ONE, whole)]
        return P.adding(add(ONE, X), "<=", fun("exp", X), parts)

    return P.step("instantiate", P.lemma("tangent", proved), [(X, x)], [])


def chord(P: Proof, x: Term) -> Theorem:
    """|sin x| <= |x| for real x: sin x is the integral of x cos(t x) over 0..1, and |cos| <= 1."""

    def proved() -> Theorem:
        whole = P.step("fundamental", fun("sin", mul(T, X)), T, "t", ZERO, ONE, [])
        most = P.axiom("triangle_integral", whole.left)
        c = fun("cos", mul(T, X))
        a, b, both = fun("abs", c), fun("abs", X), fun("abs", mul(c, X))
        squares = [P.axiom("modulus", s.args[0]) for s in (both, a, b)]
        parts = [(ONE, squares[0]), (neg(power(b, 2)), squares[1]), (neg(squares[1].right), squares[2])]
        apart = P.step("roots", P.combine(power(both, 2), power(mul(a, b), 2), parts), [])
        rest = mul(HALF, add(power(sub(ONE, a), 2), power(fun("sin", mul(T, X)), 2)))
        below = P.adding(a, "<=", ONE, [(HALF, squares[1])], rest)
        each = P.adding(both, "<=", b, [(ONE, apart), (b, below)])
        total = P.step("over", "int", each, T, "t", ZERO, ONE, [])
        length = P.step("fundamental", mul(T, b), T, "t", ZERO, ONE, [])
        said = P.rewrite(P.ring(most.left, most.left), [whole], fun("abs", fun("sin", X)))
        return P.adding(said.right, "<=", b, [(MINUS, said), (ONE, most), (ONE, total), (ONE, length)])

    return P.step("instantiate", P.lemma("chord", proved), [(X, x)], [])


def reverse(P: Proof, s: Term) -> Theorem:
    """int over lo..hi = - int over hi..lo: together they are the integral over lo..lo, which is 0."""
    lo, hi, body = s.args
    nothing, back = (Term("int", (), (start, lo, body), s.hint) for start in (lo, hi))
    round_trip, twice = P.axiom("join", nothing, hi), P.axiom("join", nothing, lo)
    return P.combine(s, neg(back), [(MINUS, round_trip), (MINUS, twice)])


def root_of_square(P: Proof, b: Term) -> Theorem:
    """sqrt(b b) = |b| for real b: neither is negative, and their squares are equal."""

    def proved() -> Theorem:
        return P.step("roots", P.joined(P.axiom("root", mul(X, X)), P.axiom("modulus", X)), [])

    return P.step("instantiate", P.lemma("root of a square", proved), [(X, b)], [])


def parts_of_a_turn(P: Proof, *terms: Term) -> list[Theorem]:
    """Phi_2b(e^(i pi / b)) = 0 for the finest part of a half turn in the exponents, and e^(i pi / 2) = i."""
    b = lcm(2, *(poly(s.args[0]).get(_PI, (0, 0))[1].denominator for s in closed(terms, "exp")))
    return [_cyclotomic(P, b), P.axiom("quarter_turn")] if 2 < b <= FINEST else []


def _cyclotomic(P: Proof, b: int) -> Theorem:
    phi = cyclotomic_poly(2 * b, polys=True)
    z = fun("exp", mul(num(0, Fraction(1, b)), PI))
    at_phi, rest = (_at(p, z) for p in (phi, Poly(phi.gen ** (2 * b) - 1).quo(phi)))
    return P.combine(at_phi, ZERO, [(ONE, turn(P))], [rest], [P.step("apart", rest, ZERO)])


def _at(p: Poly, z: Term) -> Term:
    return add(*(mul(num(int(c)), power(z, k)) for (k,), c in reversed(p.terms())))
