"""A statement: two sides, the relation between them, and the values for which it is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sympy import Basic, Expr
from sympy.core.relational import Relational
from sympy.matrices import MatrixBase

from .binders import whole_letters
from .domains import pretty_name, scope_of
from .undefined import divisors

POLES = "where no denominator vanishes"


class Statement(NamedTuple):
    """``left relation right``, for all values of the symbols that satisfy the conditions ``where``."""

    left: Expr | MatrixBase
    relation: str
    right: Expr | MatrixBase
    where: tuple[Basic, ...] = ()

    def scope(self, also: Sequence[Basic] = ()) -> str:
        """The values for which it is said, in words; ``also`` are letters that cancelled on the way to it."""
        open_ones = [c for c in self.where if isinstance(c, Relational)]  # others are true or false by now
        conditions = "".join(f", with {c.lhs} {c.rel_op} {c.rhs}" for c in open_ones)
        through = "".join(
            f", as {pretty_name(n)} → ∞ in ℕ₊" for n in whole_letters(self.left, self.right, *also)
        )
        poles = f", {POLES}" if divisors(self.left, self.right) else ""
        return scope_of(self.left, self.right, *also) + through + conditions + poles
