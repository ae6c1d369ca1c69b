"""Limits, and inequalities in the limit, by an error that tends to zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, Limit, Symbol, oo

from ..kernel.theorem import Theorem
from ..search import limits, read
from ..search.proof import Proof
from ..terms.expression import expression, letter
from ..terms.statement import Statement
from .rule import Plain, Rows, Sides, Theory, earlier


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
    return LimitBy(earlier(bound), expression(value, "the limit"))


@dataclass(frozen=True)
class InTheLimit(Plain):
    """L ≤ R, because L ≤ R + error was shown for every value of a letter, and the error tends to zero."""

    relations = ("<=",)
    bound: Any
    over: Symbol
    to: Expr

    def __post_init__(self) -> None:
        if not self.over.is_positive or (self.over.is_integer and (self.over.is_even or self.to != oo)):
            raise ValueError(f"over must be a positive letter that comes to {self.to}, got {self.over}")

    def method(self) -> str:
        return f"limit of an inequality ({self.over} → {'∞' if self.to == oo else '0'})"

    def references(self) -> Sequence[Any]:
        return (self.bound,)

    def letters(self) -> Sequence[Symbol]:
        return (self.over,)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        bound, x = theory.relation(self.bound), read.term(self.over)
        return [limits.pressed(P, left, right, bound, x, self.to == oo) for left, right in rows]


def in_the_limit(bound: Any, over: Any, to: Any = oo) -> InTheLimit:
    """An inequality, from an earlier one with an error more that vanishes as ``over`` goes to ``to``.

    Raises:
        ValueError: if ``over`` is no letter for positive numbers; if ``to`` is neither oo nor, for real
            numbers, 0.

    Example:
        >>> from sympy import Integer
        >>> from posenc_lib.proofs import Derivation, adding, in_the_limit, le, positives
        >>> r = positives("r")
        >>> D = Derivation("in the limit")
        >>> more = le(2 + 1 / r, "more", by=adding({}, rest=1 + 1 / r))
        >>> result = D.prove("eq-more", Integer(1), more)
        >>> row = le(Integer(2), "for every r", by=in_the_limit("eq-more", r))
        >>> D.prove("eq-less", Integer(1), row).verdict.status
        'proved'
    """
    end = expression(to, "to")
    if end not in (oo, Integer(0)):
        raise ValueError(f"to must be oo or 0, got {end}")
    return InTheLimit(earlier(bound), letter(over, "over"), end)
