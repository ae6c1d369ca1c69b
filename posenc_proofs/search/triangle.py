"""Instances of the triangle inequality: of terms, of sums and integrals, with weights taken out of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..kernel.calculus import derivative
from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, ZERO, I, Refused, Term, add, at, fun, letters, mul, neg, power, substitute
from ..kernel.theorem import Theorem
from .normal import closed, normal
from .proof import Proof
from .ranges import index

MOST_GROUPS = 4


def instances(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for s in closed(left, "abs"):
        inside = s.args[0]
        if inside.head == "+":
            yield P.axiom("triangle", list(inside.args))
        for c in inside.args if inside.head == "*" else (inside,):
            if c.head in ("sum", "int"):
                yield from _pushed(P, c)
                yield from _weighted(P, c)
        yield from _grouped(P, inside, right)


def _grouped(P: Proof, inside: Term, right: Term) -> Iterator[Theorem]:
    """|u a - v b| <= |u a| + |v b| for a right side u |a| + v |b|, also where the left is multiplied out."""
    parts = []
    for part in right.args if right.head == "+" else ():
        factors = part.args if part.head == "*" else (part,)
        if any(a.head == "abs" for a in factors):
            parts.append(mul(*(a.args[0] if a.head == "abs" else a for a in factors)))
    if 2 <= len(parts) <= MOST_GROUPS:
        form = normal(P, inside).right
        for unit, *turned in product((ONE, I), *[(ONE, neg(ONE))] * len(parts)):
            groups = [mul(unit, sign, part) for sign, part in zip(turned, parts, strict=True)]
            if normal(P, add(*groups)).right == form:
                yield P.axiom("triangle", groups)


def _triangle_over(P: Proof, c: Term) -> Theorem:
    return P.axiom("triangle_sum" if c.head == "sum" else "triangle_integral", c)


def _pushed(P: Proof, c: Term) -> Iterator[Theorem]:
    """|sum sum a| <= sum |sum a| <= sum sum |a|."""
    th = _triangle_over(P, c)
    yield th
    if c.args[2].head == c.head:
        x = index(c)
        for inner in _pushed(P, at(c, x)):
            each = P.over(c, inner, x)
            yield P.adding(th.left, "<=", each.right, [(ONE, th), (ONE, each)])


def _weighted(P: Proof, c: Term) -> Iterator[Theorem]:
    """|int w g| <= int w |g| for a weight w that is not negative on the range: |w| = w from lo <= x <= hi."""
    first = _triangle_over(P, c)
    x = index(c)
    lo, hi = P.step("assume", [], c.args[0], "<=", x), P.step("assume", [], x, "<=", c.args[1])
    body = at(c, x)
    factors = mul(*(fun("abs", a) for a in (body.args if body.head == "*" else (body,))))
    squares = P.joined(normal(P, power(factors, 2)), normal(P, mul(body, fun("conj", body))))
    parts = [(ONE, P.axiom("modulus", body)), (neg(ONE), squares)]
    th = P.step("roots", P.combine(power(fun("abs", body), 2), power(factors, 2), parts), [])
    for s in factors.args:
        for w in (s.args[0], neg(s.args[0])):
            try:
                sign = [] if lies(w, ">=0") else [_affine(P, w, x, lo, hi)]
                squares = P.combine(power(s, 2), power(w, 2), [(ONE, P.axiom("modulus", s.args[0]))])
                eq = P.step("roots", squares, sign)
            except Refused:
                continue
            th = P.rewrite(th, [eq], substitute(th.right, {s: w}))
            break
    each = P.over(c, th, x)
    yield P.adding(first.left, "<=", each.right, [(ONE, first), (ONE, each)])


def _affine(P: Proof, w: Term, x: Term, lo: Theorem, hi: Theorem) -> Theorem:
    """0 <= w, for w affine in x and not negative at an end of the range."""
    slope = canon(derivative(w, x))
    if x in letters(slope):
        raise Refused("not affine")
    if lies(slope, ">=0"):
        return P.adding(ZERO, "<=", w, [(slope, lo)], canon(substitute(w, {x: lo.left})))
    return P.adding(ZERO, "<=", w, [(canon(neg(slope)), hi)], canon(substitute(w, {x: hi.right})))
