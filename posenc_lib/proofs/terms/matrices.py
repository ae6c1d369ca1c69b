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
    Symbol,
    Tuple,
)
from sympy.core.symbol import Str
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from .expression import expression
from .symbols import listed

MOST_ENTRIES = 10_000  # that are written out as letters


class NamedMatrix(MatrixExpr):
    """A matrix or vector known by name and parameters, such as R(m) or p(n).

    Where it has no definition its entries are arbitrary real functions of the parameters. Its size is a
    number, or a letter: then it is square of any size, or a column of that length.
    """

    def __new__(cls, name: Str, rows: Integer, columns: Integer, parameters: Tuple) -> NamedMatrix:
        return Basic.__new__(cls, name, rows, columns, parameters)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    @property
    def size(self) -> Symbol | None:
        """The letter that is its size; None where that is a number."""
        return self.args[1] if isinstance(self.args[1], Symbol) else None

    def _sympystr(self, printer: Any) -> str:
        below = ", ".join(map(printer.doprint, self.parameters))
        return f"{self.name}({below})" if below else self.name

    def generic(self) -> ImmutableDenseMatrix:
        """The entries as arbitrary real functions of the parameters."""
        rows, columns = (int(size) for size in self.shape)
        _require_few(self.name, rows, columns)
        labels = [_label(self.name, r, c, columns) for r in range(1, rows + 1) for c in range(1, columns + 1)]
        made = [Function(label, real=True) for label in labels]
        values = [f(*self.parameters) if self.parameters else Symbol(f.__name__, real=True) for f in made]
        return ImmutableDenseMatrix(rows, columns, values)

    def at_letters(self) -> NamedMatrix:
        """The matrix at plain letters: its own, or u, v, ... where a parameter is more than a letter."""
        own = self.parameters
        if not (all(isinstance(p, Symbol) for p in own) and len(set(own)) == len(own)):
            own = tuple(Symbol(name, real=True) for name in "uvw"[: len(own)])
        name, rows, columns, _ = self.args
        return self.func(name, rows, columns, Tuple(*own))

    @property
    def name(self) -> str:
        return str(self.args[0])

    @property
    def parameters(self) -> tuple[Expr, ...]:
        return tuple(self.args[3])


def shapes_of(*sides: Any) -> dict[str, tuple[Expr, Expr]]:
    """The shape of every named matrix; one name has one shape, or two matrices would share their entries.

    Raises:
        ValueError: naming the matrix.
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
        for side in (u, v):
            if not isinstance(side, (MatrixExpr, MatrixBase)):
                raise TypeError(f"a side of an inner product must be a column, got the number {side}")
        if u.shape != v.shape or u.shape[1] != 1:
            raise ValueError(
                f"inner product of two columns of equal length expected, got {u.shape} and {v.shape}"
            )
        return Basic.__new__(cls, u, v)


def matrix_function(name: str, rows: int | Symbol, columns: int | Symbol) -> Callable[..., NamedMatrix]:
    """A matrix that depends on parameters: ``R = matrix_function("R", 2, 2)``, used as ``R(m)``.

    Args:
        name: how it is printed
        rows, columns: numbers, or one letter twice for a square matrix of any size

    Raises:
        ValueError, TypeError: for a size that is no positive integer nor a letter for one, and for a letter
            beside something else than itself or 1.

    Example:
        >>> from posenc_lib.proofs import counts, integers
        >>> m, d = integers("m"), counts("d")
        >>> matrix_function("R", 2, 2)(m).shape
        (2, 2)
        >>> matrix_function("R", d, d)(m).shape
        (d, d)
    """

    listed(name)
    shape = _size(name, rows), _size(name, columns)
    if any(isinstance(side, Symbol) for side in shape) and shape not in {(shape[0],) * 2, (shape[0], 1)}:
        raise ValueError(f"{name} of any size is square or a column, got {rows} × {columns}")

    def applied(*parameters: Expr) -> NamedMatrix:
        values = (expression(p, f"a parameter of {name}") for p in parameters)
        return NamedMatrix(Str(name), *shape, Tuple(*values))

    return applied


def _size(name: str, size: Any) -> Integer | Symbol:
    """A number of rows or columns, or a letter in {1, 2, 3, …} for any number."""
    size = expression(size, f"the size of {name}")
    if isinstance(size, (Integer, Symbol)) and size.is_integer and size.is_positive:
        return size
    raise ValueError(f"the size of {name} must be a positive integer or a letter for one, got {size}")


def vector_function(name: str, length: int | Symbol) -> Callable[..., NamedMatrix]:
    """A column vector that depends on parameters; its length is a number, or a letter for any number.

    Example:
        >>> from posenc_lib.proofs import integers
        >>> vector_function("p", 3)(integers("m")).shape
        (3, 1)
    """
    return matrix_function(name, length, 1)


def _count(name: str, size: Any) -> int:
    if isinstance(size, bool) or not isinstance(size, (int, Integer)):
        raise TypeError(f"{name} must be an int, got {size!r}")
    if size < 1:
        raise ValueError(f"{name} must be at least 1, got {size}")
    return int(size)


def _require_few(name: str, rows: int, columns: int) -> None:
    if rows * columns > MOST_ENTRIES:
        raise ValueError(f"{name} may have at most {MOST_ENTRIES} entries, got {rows} × {columns}")


def real_entries(name: str, rows: int, columns: int = 1) -> Matrix:
    """A matrix of independent real symbols, to define a named matrix with.

    Raises:
        TypeError, ValueError: for a name that is none, and for sizes that are no positive integers, or make
            more than 10000 entries.

    Example:
        >>> real_entries("x", 2)
        Matrix([
        [x_1],
        [x_2]])
    """
    (name,), rows, columns = listed(name), _count("rows", rows), _count("columns", columns)
    _require_few(name, rows, columns)
    digits = range(1, columns + 1)
    return Matrix(
        [[Symbol(_label(name, r, c, columns), real=True) for c in digits] for r in range(1, rows + 1)]
    )
