"""Matrices of any size at small sizes, in ball arithmetic: where a false statement about them fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from flint import acb, acb_mat
from sympy import Identity, Integer, MatAdd, MatMul, MatPow, Symbol, Transpose, ZeroMatrix
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.any_size import size_of
from ..terms.domains import pretty_name
from ..terms.matrices import NamedMatrix
from .evaluate import evaluate
from .point import NoValue, Point
from .substitution import replaced

SIZES = (2, 3)
Balls: TypeAlias = Any  # acb_mat: flint has no types


def at_size(e: Any, size: Symbol, value: int) -> Any:
    """An expression in matrices of any size with a number for it."""
    return replaced(e, {size: Integer(value)})


class Sized(NamedTuple):
    """A statement without matrices of any size, and the size that was put in, if one was."""

    left: Any
    right: Any
    where: tuple[Any, ...]
    size: tuple[tuple[str, str], ...]


def at_sizes(lhs: Any, rhs: Any, where: tuple[Any, ...]) -> Iterator[Sized]:
    """A statement; where it is about matrices of any size, the same for two and for three rows."""
    size = size_of(lhs, rhs)
    if size is None:
        yield Sized(lhs, rhs, where, ())
        return
    for value in SIZES:
        left, right, *conditions = (at_size(part, size, value) for part in (lhs, rhs, *where))
        yield Sized(left, right, tuple(conditions), ((pretty_name(size.name), str(value)),))


def values(e: Any, point: Point) -> list[acb]:
    """The value of a scalar, or of each entry of a product of matrices.

    Raises:
        ArithmeticError: where there is none: a pole, a matrix without an inverse.
    """
    return _matrix(e, point).entries() if isinstance(e, MatrixExpr) else [evaluate(e, point)]


def _matrix(e: Any, point: Point) -> Balls:
    if isinstance(e, NamedMatrix):
        rows, columns = (int(side) for side in e.shape)
        return acb_mat(rows, columns, [evaluate(entry, point) for entry in e.generic()])
    if isinstance(e, (Identity, ZeroMatrix)):
        rows, columns = (int(side) for side in e.shape)
        one = int(isinstance(e, Identity))
        return acb_mat(rows, columns, [one * (r == c) for r in range(rows) for c in range(columns)])
    if isinstance(e, Transpose):
        return _matrix(e.arg, point).transpose()
    if isinstance(e, MatPow):
        base = _matrix(e.base, point)
        return (base.inv() if e.exp < 0 else base) ** abs(int(e.exp))
    if not isinstance(e, (MatAdd, MatMul)):
        raise NoValue(f"no evaluation rule for {type(e).__name__}")
    parts = [_matrix(a, point) if isinstance(a, MatrixExpr) else evaluate(a, point) for a in e.args]
    total = parts[0]
    for part in parts[1:]:
        total = total + part if isinstance(e, MatAdd) else total * part
    return total
