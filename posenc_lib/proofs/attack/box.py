"""Where an inequality fails on a box: the middles of cells that are halved, in ball arithmetic."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction

from sympy import Rational, Symbol

from ..terms.statement import Statement
from ..terms.verdict import Counterexample
from ..values.point import Point
from .refute import counterexample

MOST_CELLS = 1000
Cell = tuple[tuple[Fraction, Fraction], ...]


def failure_on(
    box: Mapping[Symbol, tuple[Rational, Rational]], statement: Statement
) -> Counterexample | None:
    """A certified point of the box at which the statement is false, or None if the search found none.

    Example:
        >>> from posenc_lib.proofs import Statement, reals
        >>> x = reals("x")
        >>> print(failure_on({x: (0, 2)}, Statement(x**2, "<", x)))
        at x = 1: left side 1, right side 1
        >>> print(failure_on({x: (0, 2)}, Statement(x, "<", x + 1)))
        None
    """
    cells = deque([tuple((fraction(low), fraction(high)) for low, high in box.values())])
    for _ in range(MOST_CELLS):
        cell = cells.popleft()
        middle = dict(zip(box, ((low + high) / 2 for low, high in cell), strict=True))
        if found := counterexample(*statement, [Point(0, given=middle)]):
            return found
        if not cell:
            return None
        cells += _halves(cell)
    return None


def fraction(value: Rational) -> Fraction:
    """A rational number of SymPy's, or an integer, as one of Python's."""
    rational = Rational(value)
    return Fraction(int(rational.p), int(rational.q))


def _halves(cell: Cell) -> list[Cell]:
    longest = max(range(len(cell)), key=lambda k: cell[k][1] - cell[k][0])
    low, high = cell[longest]
    middle = (low + high) / 2
    return [(*cell[:longest], side, *cell[longest + 1 :]) for side in ((low, middle), (middle, high))]
