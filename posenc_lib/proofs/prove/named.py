"""Vectors and matrices known by name and parameters, and inner products of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import (
    Basic,
    Expr,
    Function,
    ImmutableDenseMatrix,
    Integer,
    Matrix,
    Sum,
    Symbol,
    Tuple,
)
from sympy.core.symbol import Str
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.blocks import BlockDiagonal, Stacked
from ..terms.expression import expression
from ..terms.undefined import real_where_defined
from ..values.substitution import replaced, substitute
from .blockwise import generic_block, over_blocks, require_apart


class NamedMatrix(MatrixExpr):
    """A matrix or vector known by name and parameters, such as R(m) or p(n).

    Where it has no definition its entries are arbitrary real functions of the parameters.
    """

    def __new__(cls, name: Str, rows: Integer, columns: Integer, parameters: Tuple) -> NamedMatrix:
        return Basic.__new__(cls, name, rows, columns, parameters)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    def generic(self) -> ImmutableDenseMatrix:
        """The entries as arbitrary real functions of the parameters."""
        rows, columns = (int(size) for size in self.shape)
        labels = [_label(self.name, r, c, columns) for r in range(1, rows + 1) for c in range(1, columns + 1)]
        made = [Function(label, real=True) for label in labels]
        values = [f(*self.parameters) if self.parameters else Symbol(f.__name__, real=True) for f in made]
        return ImmutableDenseMatrix(rows, columns, values)

    @property
    def name(self) -> str:
        return str(self.args[0])

    @property
    def parameters(self) -> tuple[Expr, ...]:
        return tuple(self.args[3])


def shapes_of(*sides: Any) -> dict[str, tuple[Expr, Expr]]:
    """The shape of every named matrix; one name has one shape, or two matrices would share their entries.

    Raises
    ------
    ValueError
        naming the matrix.
    """
    found: dict[str, tuple[Expr, Expr]] = {}
    for named in sorted(set().union(*(side.atoms(NamedMatrix) for side in sides)), key=str):
        known = found.setdefault(named.name, named.shape)
        if known != named.shape:
            raise ValueError(f"{named.name} stands for matrices of shapes {known} and {named.shape}")
    return found


def _label(name: str, row: int, column: int, columns: int) -> str:
    """The name of an entry: x_3 of a column, H_12 of a matrix, H_1,12 where two digits would not do."""
    if columns == 1:
        return f"{name}_{row}"
    return f"{name}_{row}{column}" if max(row, column) < 10 else f"{name}_{row},{column}"


class Inner(Expr):
    """The real inner product ⟨u, v⟩ = uᵀv of two vectors, as a scalar."""

    is_commutative = True
    is_extended_real = True

    def __new__(cls, u: MatrixExpr | MatrixBase, v: MatrixExpr | MatrixBase) -> Inner:
        u, v = (expression(side, "a side of an inner product") for side in (u, v))
        if u.shape != v.shape or u.shape[1] != 1:
            raise ValueError(
                f"inner product of two columns of equal length expected, got {u.shape} and {v.shape}"
            )
        return Basic.__new__(cls, u, v)

    def written_out(self) -> Expr:
        """The sum of products of entries."""
        (u, limits), (v, others) = (generic_block(side) for side in self.args)
        if limits is not None and others is not None and limits[1:] == others[1:]:
            require_apart(limits[0], *self.args)
            return Sum(Inner(u, substitute(v, {others[0]: limits[0]})).written_out(), limits)
        if limits is not None or others is not None:
            raise ValueError(f"the two sides of {self} are stacked differently")
        u, v = _explicit(u), _explicit(v)
        for entry in [*u, *v]:
            if not real_where_defined(entry):
                raise ValueError(f"the real inner product needs real entries, got {entry}")
        return sum((a * b for a, b in zip(u, v, strict=True)), Integer(0))


def written_out(e: Expr | MatrixBase) -> Expr | MatrixBase:
    """``e`` with inner products as sums of products of entries, and matrices entry by entry."""
    inner = {product: product.written_out() for product in e.atoms(Inner)}
    e = replaced(e, inner) if inner else e
    return _explicit(e) if isinstance(e, MatrixExpr) else e


def _explicit(e: Any) -> Any:
    if isinstance(e, MatrixBase):
        return e
    e = replaced(e, {name: name.generic() for name in e.atoms(NamedMatrix)})
    if isinstance(e, MatrixBase):
        return e
    done = over_blocks(e)
    if isinstance(done, Sum):
        return Sum(_explicit(done.function)[0, 0], *done.limits)
    if isinstance(done, (BlockDiagonal, Stacked)):
        return done.func(_explicit(done.block), done.limits)
    return _multiplied(e)


def _multiplied(e: Any) -> Any:
    """Products and sums of matrices carried out; their entries stay as they are written."""
    if isinstance(e, MatrixBase) or not isinstance(e, MatrixExpr):
        return e
    done = e.func(*(_multiplied(part) for part in e.args)).doit(deep=False)
    return done if isinstance(done, MatrixBase) else done.as_explicit()


def matrix_function(name: str, rows: int, columns: int) -> Callable[..., NamedMatrix]:
    """A matrix that depends on parameters: ``R = matrix_function("R", 2, 2)``, used as ``R(m)``.

    >>> from posenc_lib.proofs import integers
    >>> R = matrix_function("R", 2, 2)
    >>> R(integers("m")).shape
    (2, 2)
    """

    def applied(*parameters: Expr) -> NamedMatrix:
        values = (expression(p, f"a parameter of {name}") for p in parameters)
        return NamedMatrix(Str(name), Integer(rows), Integer(columns), Tuple(*values))

    return applied


def vector_function(name: str, length: int) -> Callable[..., NamedMatrix]:
    """A column vector that depends on parameters.

    >>> from posenc_lib.proofs import integers
    >>> vector_function("p", 3)(integers("m")).shape
    (3, 1)
    """
    return matrix_function(name, length, 1)


def real_entries(name: str, rows: int, columns: int = 1) -> Matrix:
    """A matrix of independent real symbols, to define a named matrix with.

    >>> real_entries("x", 2)
    Matrix([
    [x_1],
    [x_2]])
    """
    digits = range(1, columns + 1)
    return Matrix(
        [[Symbol(_label(name, r, c, columns), real=True) for c in digits] for r in range(1, rows + 1)]
    )
