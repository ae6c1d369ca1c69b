"""Certificates for limits, and for inequalities in the limit: an error that tends to zero."""

from __future__ import annotations

from ..kernel.terms import ONE, PATHS, ZERO, Term, add, at, fun, neg, sub
from ..kernel.theorem import Theorem
from .equations import identity
from .inequalities import sum_up
from .normal import normal
from .proof import NotFound, Proof
from .ranges import index


def limit(P: Proof, left: Term, right: Term, bound: Theorem, value: Term) -> Theorem:
    """lim f = right, from |f - value| <= error and value = right."""
    if left.head != "lim":
        raise NotFound("not a limit")
    x = index(left)
    f = at(left, x)
    distance = fun("abs", sub(f, value))
    sides = [normal(P, t) for t in (distance, bound.left, bound.right)]
    near = [(ONE, sides[0]), (neg(ONE), sides[1]), (ONE, bound), (ONE, sides[2])]
    error = sides[2].right
    th = P.combine(distance, error, near) if bound.relation == "=" else P.adding(distance, "<=", error, near)
    found = P.step("limit", th, x, left.hint, *left.args[:2], f, value)
    return found if value == right else P.rewrite(found, [identity(P, value, right)], right)


def pressed(P: Proof, left: Term, right: Term, bound: Theorem, x: Term, outwards: bool) -> Theorem:
    """left <= right, from left <= right + error, where the error vanishes as x goes to oo, or to 0."""
    gap = normal(P, sub(bound.right, right))
    near = sum_up(P, left, "<=", add(right, gap.right), [(ONE, bound), (ONE, gap)])
    ends = next(path for path, d in PATHS.items() if d == x.data[1] and outwards == (path[1] != ZERO))
    return P.step("pressed", near, x, *ends, right)
