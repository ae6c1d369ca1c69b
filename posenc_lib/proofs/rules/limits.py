"""Limits, by an error that tends to zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Limit

from ..kernel.theorem import Theorem
from ..search import limits
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.statement import Statement
from .rule import Plain, Rows, Sides, Theory


@dataclass(frozen=True)
class LimitBy(Plain):
    """lim f = value, because an earlier result bounds |f − value| by an error that tends to zero."""

    bound: Any
    value: Expr

    def method(self) -> str:
        return "limit (explicit error bound)"

    def references(self) -> Sequence[Any]:
        return (self.bound,)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        bound, value = theory.relation(self.bound), theory.term(self.value)
        return [limits.limit(P, left, right, bound, value) for left, right in rows]

    def translate(self, statement: Statement) -> Statement:
        return Statement(self.value, "=", statement.right)

    def spoken_of(self, statement: Statement) -> Sequence[Sides]:
        """The function and its limit."""
        function = statement.left.args[0] if isinstance(statement.left, Limit) else statement.left
        return ((function, statement.right),)


def limit_by(bound: Any, value: Any) -> LimitBy:
    """A limit, from an earlier result ``|f − value| ≤ error`` whose error tends to zero.

    Example:
        >>> from sympy import Abs, Limit, oo
        >>> from posenc_lib.proofs import Derivation, eq, positives
        >>> x = positives("x")
        >>> D = Derivation("limit")
        >>> result = D.prove("eq-error", Abs(2 / x), eq(2 / x, "x is positive"))
        >>> row = eq(0, "the error vanishes", by=limit_by("eq-error", 0))
        >>> D.prove("eq-limit", Limit(2 / x, x, oo), row).verdict.status
        'proved'
    """
    return LimitBy(bound, expression(value, "the limit"))
