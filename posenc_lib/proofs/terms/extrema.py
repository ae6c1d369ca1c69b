"""max over a range of symbolic length, as an expression."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Expr, Symbol, Tuple
from sympy.printing.precedence import PRECEDENCE

from .expression import expression, span


class MaxOver(Expr):
    r"""The largest value of a real expression over a range: :math:`\max_{a\le i\le b} f(i)`.

    Arguments as for ``sympy.Sum``: ``MaxOver(f, (i, a, b))``.
    """

    precedence = PRECEDENCE["Mul"]

    def __new__(cls, function: Expr, limits: Tuple | tuple[Symbol, Expr, Expr]) -> MaxOver:
        return Expr.__new__(cls, expression(function, "a maximum"), Tuple(*span(limits, "a maximum")))

    @property
    def function(self) -> Expr:
        return self.args[0]

    @property
    def limits(self) -> tuple[Any, ...]:
        return (tuple(self.args[1]),)

    @property
    def bound_symbols(self) -> list[Symbol]:
        return [self.args[1][0]]

    @property
    def free_symbols(self) -> set[Symbol]:
        index, lower, upper = self.args[1]
        return (self.function.free_symbols - {index}) | lower.free_symbols | upper.free_symbols

    def _eval_subs(self, old: Basic, new: Basic) -> MaxOver:
        """The letter it runs over is its own: only the range may depend on another of that name."""
        index, lower, upper = self.args[1]
        function = self.function if old == index else self.function._subs(old, new)
        return MaxOver(function, (index, lower._subs(old, new), upper._subs(old, new)))

    def _eval_is_extended_real(self) -> bool | None:
        return self.function.is_extended_real

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.function.is_nonnegative else None

    def _eval_is_extended_nonnegative(self) -> bool | None:
        return self._eval_is_nonnegative()

    def _sympystr(self, printer: Any) -> str:
        return f"MaxOver({printer.doprint(self.function)}, {self.limits[0]})"
