"""Inequalities on a box, by balls on a grid."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from fractions import Fraction
from math import inf, prod

from flint import acb

from ..kernel.balls import positive_on, rational, value
from ..kernel.terms import Refused, Term, sub
from ..kernel.theorem import Theorem
from .proof import NotFound, Proof

MOST_CELLS = 4000

Cell = tuple[tuple[Fraction, Fraction], ...]


def certified(
    P: Proof, left: Term, relation: str, right: Term, box: list[tuple[Term, Fraction, Fraction]]
) -> Theorem:
    """left < right, or <=, for letters between two numbers each, on a grid that is refined where it fails."""
    gap = sub(right, left)
    ends = {x: [lo, hi] for x, lo, hi in box}
    cut: set[tuple[int, Fraction]] = set()
    todo: list[Cell] = [tuple((lo, hi) for _, lo, hi in box)]
    while todo:
        cell = todo.pop()
        if not _shown(gap, ends, cell):
            k = min(range(len(box)), key=lambda k: _width(gap, ends, cell, k), default=None)
            if k is None or prod(len(cuts) - 1 for cuts in ends.values()) > MOST_CELLS:
                raise NotFound("too many cells")
            middle = (cell[k][0] + cell[k][1]) / 2
            if (k, middle) not in cut:
                cut.add((k, middle))
                insort(ends[box[k][0]], middle)
            todo += [
                (*cell[:k], side, *cell[k + 1 :]) for side in ((middle, cell[k][1]), (cell[k][0], middle))
            ]
    return P.step("certified", left, relation, right, [(*side, ends[side[0]][1:-1]) for side in box])


def _shown(gap: Term, letters: Iterable[Term], cell: Cell) -> bool:
    try:
        return positive_on(gap, [(x, _cell(*ends)) for x, ends in zip(letters, cell, strict=True)])
    except Refused:
        return False


def _width(gap: Term, letters: Iterable[Term], cell: Cell, k: int) -> float:
    """How far the values spread when the k-th letter is in the middle of its range."""
    middle = (cell[k][0] + cell[k][1]) / 2
    try:
        still = (*cell[:k], (middle, middle), *cell[k + 1 :])
        return float(value(gap, {x: _cell(*e) for x, e in zip(letters, still, strict=True)}).real.rad())
    except Refused:
        return inf


def _cell(p: Fraction, q: Fraction) -> acb:
    return acb(rational(p).union(rational(q)))
