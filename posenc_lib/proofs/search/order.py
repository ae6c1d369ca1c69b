"""Inequalities that need no rule of their own: >= and > turned round, squares, the larger of two numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, ZERO, Refused, Term, add, mul, neg, num, power, sub
from ..kernel.theorem import Theorem
from .equations import identity
from .inequalities import sum_up
from .normal import closed
from .powers import square_root
from .proof import NotFound, Parts, Proof

TURNED = {">=": "<=", ">": "<"}


def turned(left: Any, relation: str, right: Any) -> tuple[Any, str, Any]:
    """a >= b is b <= a, a > b is b < a; any other statement as it is."""
    return (right, TURNED[relation], left) if relation in TURNED else (left, relation, right)


def evident(P: Proof, left: Term, relation: str, right: Term) -> Theorem:
    """left <= right (<, >=, >): the difference is not negative, a square, or half of x + |x|."""
    left, relation, right = turned(left, relation, right)
    for rest in _rests(left, right):
        try:
            return sum_up(P, left, relation, right, [], rest)
        except (Refused, NotFound):
            continue
    for s in closed(sub(right, left), "abs"):
        for x in (s.args[0], neg(s.args[0])):
            if lies(x, "R"):
                th = P.axiom("at_most_modulus", x)
                for weight in (num(Fraction(1, 2)), num(1)):
                    try:
                        return sum_up(P, left, relation, right, [(weight, th)])
                    except (Refused, NotFound):
                        continue
    raise NotFound("the difference is not known to be positive")


def _rests(left: Term, right: Term) -> Iterator[Term]:
    gap = sub(right, left)
    if left == ZERO:
        yield right
    if right == ZERO:
        yield neg(left)
    yield gap
    yield canon(gap)
    b = square_root(gap)
    if b is not None:
        yield power(b, 2)


def added(P: Proof, left: Term, relation: str, right: Term, parts: Parts, rest: Term) -> Theorem:
    """left <= right (<, >=, >), as right - left = sum of w (R - L) + rest, the divisors cancelled."""
    left, relation, right = turned(left, relation, right)
    gap = add(rest, *(mul(w, sub(th.right, th.left)) for w, th in parts))
    eq = identity(P, gap, sub(right, left), conditions=False)
    return P.adding(left, relation, right, [*parts, (ONE, eq)], rest)
