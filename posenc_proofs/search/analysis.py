"""Certificates for limits, expansions to second order, and inequalities on a box.

A limit comes from an error that tends to zero. Equal to second order are two sides for every smooth function;
the remainder is an integral of third derivatives. A box is cut into cells, on each of which balls decide.
"""

from bisect import insort
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from math import inf, prod

from ..kernel import Refused
from ..kernel.balls import interval, positive_on, value
from ..kernel.calculus import derivative
from ..kernel.ring import canon
from ..kernel.terms import ONE, PATHS, ZERO, Term, add, at, fun, mul, num, power, sub, substitute
from ..kernel.theorem import Theorem
from .equations import identity
from .inequalities import sum_up
from .normal import normal
from .proof import MINUS, NotFound, Proof, indexed, unused

MOST_CELLS = 4000
Box = list[tuple[Term, Fraction, Fraction]]  # letters, and where each begins and ends
Cell = tuple[tuple[Fraction, Fraction], ...]


def limit(P: Proof, left: Term, right: Term, bound: Theorem, value: Term) -> Theorem:
    """lim f = right, from |f - value| <= error and value = right."""
    if left.head != "lim":
        raise NotFound("not a limit")
    x, f = indexed(left)
    distance = fun("abs", sub(f, value))
    far, near, error = (normal(P, t) for t in (distance, bound.left, bound.right))
    parts = [(ONE, far), (MINUS, near), (ONE, bound), (ONE, error)]
    th = P.adding_up(distance, "=" if bound.relation == "=" else "<=", error.right, parts)
    found = P.step("limit", th, x, left.hint, *left.args[:2], f, value)
    return found if value == right else P.rewrite(found, [identity(P, value, right)], right)


def pressed(P: Proof, left: Term, right: Term, bound: Theorem, x: Term, outwards: bool) -> Theorem:
    """left <= right, from left <= right + error, where the error vanishes as x goes to oo, or to 0."""
    gap = normal(P, sub(bound.right, right))
    near = sum_up(P, left, "<=", add(right, gap.right), [(ONE, bound), (ONE, gap)])
    ends = next(path for path, d in PATHS.items() if d == x.data[1] and outwards == (path[1] != ZERO))
    return P.step("pressed", near, x, *ends, right)


def to_second_order(P: Proof, left: Term, right: Term, small: list[Term]) -> Theorem:
    """left = right + remainder, which is of third order in the letters ``small``: Taylor, integral form.

    With g(s) the difference of the sides at s times the small letters, g, g' and g'' vanish at 0, and the
    remainder is the integral of (1 - s)^2 g'''(s) / 2 from 0 to 1.
    """
    s = unused("s", "R", left, right)
    g = substitute(sub(left, right), {x: mul(s, x) for x in small})
    first = canon(derivative(g, s))
    second = canon(derivative(first, s))
    back = sub(ONE, s)
    taylor = add(g, mul(back, first), mul(num(Fraction(1, 2)), power(back, 2), second))
    whole = P.step("fundamental", taylor, s, s.data[0], ZERO, ONE, [])
    body = at(whole.left, s)
    short = P.over(whole.left, P.ring(body, canon(body)), s)
    return P.combine(left, add(right, short.right), [(MINUS, whole), (ONE, short)])


def certified(P: Proof, left: Term, relation: str, right: Term, box: Box) -> Theorem:
    """left < right, or <=, for letters between two numbers each, on a grid that is refined where it fails."""
    gap = sub(right, left)
    ends = {x: [lo, hi] for x, lo, hi in box}
    todo: list[Cell] = [tuple((lo, hi) for _, lo, hi in box)]
    while todo:
        cell = todo.pop()
        if not _shown(gap, ends, cell):
            k = min(range(len(box)), key=lambda k: _width(gap, ends, cell, k), default=None)
            if k is None or prod(len(cuts) - 1 for cuts in ends.values()) > MOST_CELLS:
                raise NotFound("too many cells")
            lo, hi = cell[k]
            middle = (lo + hi) / 2
            if middle not in (cuts := ends[box[k][0]]):
                insort(cuts, middle)
            todo += [(*cell[:k], side, *cell[k + 1 :]) for side in ((middle, hi), (lo, middle))]
    return P.step("certified", left, relation, right, [(*side, ends[side[0]][1:-1]) for side in box])


def _shown(gap: Term, letters: Iterable[Term], cell: Cell) -> bool:
    with suppress(Refused):
        return positive_on(gap, [(x, interval(*ends)) for x, ends in zip(letters, cell, strict=True)])
    return False


def _width(gap: Term, letters: Iterable[Term], cell: Cell, k: int) -> float:
    """How far the values spread when the k-th letter is in the middle of its range."""
    middle = (cell[k][0] + cell[k][1]) / 2
    with suppress(Refused):
        still = (*cell[:k], (middle, middle), *cell[k + 1 :])
        return float(value(gap, {x: interval(*e) for x, e in zip(letters, still, strict=True)}).real.rad())
    return inf
