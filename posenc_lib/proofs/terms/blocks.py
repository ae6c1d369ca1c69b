"""Block-diagonal matrices and stacked vectors with a symbolic number of blocks."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Expr, Integer, Symbol, Tuple
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.precedence import PRECEDENCE

from .expression import expression, span


class _Blocks(MatrixExpr):
    def __new__(cls, block: Any, limits: tuple[Symbol, Expr, Expr] | Tuple) -> _Blocks:
        return Basic.__new__(cls, expression(block, "a block"), Tuple(*span(limits, "blocks")))

    @property
    def block(self) -> Any:
        return self.args[0]

    @property
    def limits(self) -> tuple[Symbol, Expr, Expr]:
        return tuple(self.args[1])

    @property
    def count(self) -> Expr:
        _, low, high = self.limits
        return high - low + 1

    @property
    def free_symbols(self) -> set[Basic]:
        index, low, high = self.limits
        return (self.block.free_symbols - {index}) | low.free_symbols | high.free_symbols


class BlockDiagonal(_Blocks):
    """diag(B_a, …, B_b) for a block that depends on an index: ``BlockDiagonal(R(i), (i, 0, n - 1))``."""

    precedence = PRECEDENCE["Mul"]

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.count * self.block.shape[0], self.count * self.block.shape[1]


class Stacked(_Blocks):
    """(v_a, …, v_b) stacked into one column: ``Stacked(v(i), (i, 0, n - 1))``."""

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.count * self.block.shape[0], Integer(1)
