"""Matrices of terms, written out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..kernel.domains import lies
from ..kernel.terms import Term, add, bind, mul, neg
from . import products
from .products import Product
from .tokens import Unread


class Matrix(NamedTuple):
    """Rows of terms; of many blocks alike, one for each value of a letter, the rows of one block.

    ``many`` is then ("diagonal", "column" or "row", letter, first, last): how the blocks lie.
    """

    rows: tuple[tuple[Term, ...], ...]
    many: tuple[str, Term, Term, Term] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def entries(self) -> tuple[Term, ...]:
        return tuple(entry for row in self.rows for entry in row)


Value = Term | Matrix | Product
TOGETHER = {
    ("diagonal", "diagonal"): "diagonal",
    ("diagonal", "column"): "column",
    ("row", "diagonal"): "row",
}


def shown(rows: Sequence[Sequence[Term]]) -> Matrix:
    """Rows that are written out."""
    if len({len(row) for row in rows}) != 1:
        raise Unread("rows of one length are expected")
    return Matrix(tuple(map(tuple, rows)))


def shape_of(value: Value) -> object:
    """What two sides of an equation have in common."""
    if isinstance(value, Product):
        return value.shape
    return (value.shape, value.many) if isinstance(value, Matrix) else ()


def joined(parts: Sequence[Value]) -> Value:
    """The sum."""
    if len(parts) == 1:
        return parts[0]
    of_any_size = [part for part in parts if isinstance(part, Product)]
    if len(of_any_size) == len(parts):
        return products.total(of_any_size)
    matrices = [part for part in parts if isinstance(part, Matrix)]
    if not matrices and not of_any_size:
        return add(*(part for part in parts if isinstance(part, Term)))
    if len(matrices) < len(parts) or len({(m.shape, m.many) for m in matrices}) > 1:
        raise Unread("a sum of matrices of two shapes")
    beside = zip(*(m.rows for m in matrices), strict=True)
    rows = (tuple(add(*entries) for entries in zip(*row, strict=True)) for row in beside)
    return Matrix(tuple(rows), matrices[0].many)


def times(a: Value, b: Value) -> Value:
    if isinstance(a, Term) and isinstance(b, Term):
        return mul(*(a.args if a.head == "*" else (a,)), b)
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        return _product(a, b)
    if isinstance(a, Product) and isinstance(b, Product):
        return products.product(a, b)
    factor, matrix = (a, b) if isinstance(a, Term) else (b, a)
    if not isinstance(factor, Term) or isinstance(matrix, Term):
        raise Unread("a matrix that is written out beside one of any size")
    if isinstance(matrix, Product):
        return products.scaled(factor, matrix)
    return matrix._replace(rows=tuple(tuple(mul(factor, entry) for entry in row) for row in matrix.rows))


def _product(a: Matrix, b: Matrix) -> Value:
    if a.shape[1] != b.shape[0]:
        raise Unread(f"a product of the shapes {a.shape} and {b.shape}")
    columns = list(zip(*b.rows, strict=True))
    rows = tuple(
        tuple(add(*(mul(x, y) for x, y in zip(row, column, strict=True))) for column in columns)
        for row in a.rows
    )
    if a.many is None and b.many is None:
        return Matrix(rows)
    if a.many is None or b.many is None or a.many[1:] != b.many[1:]:
        raise Unread("a product of a matrix of blocks with another")
    kind, letter, lo, hi = a.many
    if (kind, b.many[0]) == ("row", "column") and (len(rows), len(columns)) == (1, 1):
        return bind("sum", letter.data[0], lo, hi, letter, rows[0][0])
    if (kind, b.many[0]) not in TOGETHER:
        raise Unread(f"a {kind} of blocks times a {b.many[0]}")
    return Matrix(rows, (TOGETHER[kind, b.many[0]], letter, lo, hi))


def determinant(a: Value) -> Term:
    """Along the first row."""
    if not isinstance(a, Matrix) or a.many or a.shape[0] != a.shape[1]:
        raise Unread("the determinant of what is no square of numbers")
    first, *others = a.rows
    if not others:
        return first[0]
    minors = [Matrix(tuple(row[:k] + row[k + 1 :] for row in others)) for k in range(len(first))]
    parts = [mul(t, determinant(minor)) for t, minor in zip(first, minors, strict=True)]
    return add(*(neg(part) if k % 2 else part for k, part in enumerate(parts)))


def elementwise(a: Value, b: Value) -> Matrix:
    """The products of the entries, place by place."""
    if not (isinstance(a, Matrix) and isinstance(b, Matrix) and shape_of(a) == shape_of(b)):
        raise Unread("a product entry by entry of two shapes")
    beside = zip(a.rows, b.rows, strict=True)
    return a._replace(rows=tuple(tuple(mul(x, y) for x, y in zip(*pair, strict=True)) for pair in beside))


def transposed(a: Value) -> Value:
    if isinstance(a, Term):
        raise Unread("the transpose of a number")
    if isinstance(a, Product):
        return products.transpose(a)
    turned = {"diagonal": "diagonal", "column": "row", "row": "column"}
    many = (turned[a.many[0]], *a.many[1:]) if a.many else None
    return Matrix(tuple(zip(*a.rows, strict=True)), many)


def inner_product(a: Value, b: Value) -> Term:
    """The sum of the products of the entries, which are real."""
    if not (isinstance(a, Matrix) and isinstance(b, Matrix)) or a.many or shape_of(a) != shape_of(b):
        raise Unread("an inner product of two shapes")
    if not all(lies(entry, "R") for entry in a.entries):
        raise Unread("an inner product of what may not be real")
    return add(*(mul(x, y) for x, y in zip(a.entries, b.entries, strict=True)))
