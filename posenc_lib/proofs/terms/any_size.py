"""Square matrices of any one size, and columns of that length: products that do not commute."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from sympy import Identity, Integer, Inverse, MatAdd, MatMul, MatPow, Symbol, Transpose, ZeroMatrix
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from .binders import bound_letters
from .matrices import Inner, NamedMatrix, matrix_function
from .symbols import listed

MADE_OF = (NamedMatrix, Identity, ZeroMatrix, MatAdd, MatMul, MatPow, Inverse, Transpose)


class InvertibleMatrix(NamedMatrix):
    """A matrix of any size with an inverse: ``C.inv()`` is its name."""


def square_matrices(names: str, size: Symbol) -> Any:
    """Real matrices of any one size: ``A, B = square_matrices("A B", d)``, for ``d = counts("d")``.

    ``A*B``, ``A.T``, ``A**2``, sums, and numbers before them; ``sympy.Identity(d)`` is the identity. What is
    proved of them holds for every size. A matrix that depends on positions is ``matrix_function("R", d, d)``.

    Raises:
        ValueError, TypeError: for a size that is no letter in {1, 2, 3, …}.

    Example:
        >>> from posenc_lib.proofs import check, counts
        >>> d = counts("d")
        >>> A, B = square_matrices("A B", d)
        >>> check((A + B)*(A - B), A**2 - A*B + B*A - B**2).scope
        'for all d ∈ ℕ₊ and every real d × d matrix A, B'
        >>> check(A*B, B*A).status
        'refuted'
    """
    made = tuple(matrix_function(name, size, size)() for name in _names(names, size))
    return made[0] if len(made) == 1 else made


def invertible_matrices(names: str, size: Symbol) -> Any:
    """Real matrices of any one size that have inverses, written ``C.inv()``.

    Raises:
        ValueError, TypeError: for a size that is no letter in {1, 2, 3, …}.

    Example:
        >>> from posenc_lib.proofs import check, counts
        >>> d = counts("d")
        >>> C, A = invertible_matrices("C", d), square_matrices("A", d)
        >>> check((C*A*C.inv())**2, C*A**2*C.inv()).status
        'proved'
    """
    named = [matrix_function(name, size, size)() for name in _names(names, size)]
    made = tuple(InvertibleMatrix(*matrix.args) for matrix in named)
    return made[0] if len(made) == 1 else made


def _names(names: str, size: Any) -> list[str]:
    if not isinstance(size, Symbol):
        raise ValueError(f"the size must be a letter for any number, such as counts('d'), got {size!r}")
    return listed(names)


def size_of(*sides: Any) -> Symbol | None:
    """The letter that is the size of the matrices in some expressions; None if their sizes are numbers.

    Raises:
        ValueError: for two sizes, naming both; for a product or a sum that does not fit; for an inverse of
            what is not known to have one; for anything that is not made of sums, products and transposes.
    """
    sized = {part: part.shape[0] for side in sides for part in side.atoms(NamedMatrix, Identity, ZeroMatrix)}
    letters = sorted({size for size in sized.values() if isinstance(size, Symbol)}, key=str)
    if not letters:
        return None
    size = letters[0]
    for part, own in sorted(sized.items(), key=str):
        if own != size:
            raise ValueError(f"matrices of two sizes, {size} and {own}: {part} has {own} rows")
    if size in bound_letters(*sides):
        raise ValueError(f"{size} is bound here, and the size of matrices: rename one of the two")
    for side in sides:
        _require_fits(side)
    return size


def _require_fits(e: Any) -> None:
    """Refuse what is not a sum of products, or does not fit."""
    if not isinstance(e, MatrixExpr):
        if isinstance(e, MatrixBase) or e.atoms(NamedMatrix, Identity, ZeroMatrix, Inner):
            raise ValueError(f"{e} beside matrices of any size: only their sums and products are accepted")
        return
    if not isinstance(e, MADE_OF):
        raise ValueError(f"{e} is not a sum or a product of matrices of any size")
    if isinstance(e, (Identity, ZeroMatrix)):
        return
    for part in e.parameters if isinstance(e, NamedMatrix) else e.args:
        _require_fits(part)
    if isinstance(e, NamedMatrix):
        return
    shapes = [part.shape for part in e.args if isinstance(part, MatrixExpr)]
    if isinstance(e, MatMul):
        fits = all(a[1] == b[0] for a, b in pairwise(shapes))
    elif isinstance(e, MatAdd):
        fits = len(set(shapes)) == 1 and len(shapes) == len(e.args)
    else:
        fits = isinstance(e, Transpose) or shapes[0][0] == shapes[0][1]
    if not fits:
        sizes = " and ".join(f"{rows} × {columns}" for rows, columns in shapes)
        raise ValueError(f"sizes that do not fit, {sizes}, in {e}")
    if isinstance(e, MatPow):
        _require_power(e)


def _require_power(e: MatPow) -> None:
    if not isinstance(e.exp, Integer):
        raise ValueError(f"the power {e} must be a whole number")
    if e.exp < 0:
        _require_inverse(e.base)


def _require_inverse(e: Any) -> None:
    """Refuse the inverse of what is not a product of matrices that have one."""
    parts = e.args if isinstance(e, (MatMul, MatPow, Transpose)) else ()
    for part in parts[:1] if isinstance(e, MatPow) else parts:
        _require_inverse(part)
    if not parts and not isinstance(e, (InvertibleMatrix, Identity)):
        raise ValueError(f"{e} is not known to have an inverse: make it with invertible_matrices")


def kind_of(matrix: NamedMatrix) -> str:
    """What a matrix of any size is, in words: "real d × d matrix function"."""
    size = matrix.size
    what = f"real {size} × {size} matrix" if matrix.shape[1] == size else f"real {size}-vector"
    sort = " function" if matrix.parameters else ""
    return f"{'invertible ' * isinstance(matrix, InvertibleMatrix)}{what}{sort}"


def unknown(*sides: Any) -> list[NamedMatrix]:
    """The matrices of any size in some expressions, one for each name and kind, in order."""
    named = {part for side in sides for part in side.atoms(NamedMatrix) if part.size is not None}
    kinds = {(part.name, kind_of(part)): part for part in sorted(named, key=str)}
    return [kinds[key] for key in sorted(kinds)]


def require_kinds(*sides: Any) -> None:
    """Refuse one name for two matrices, of which one has an inverse or other parameters, say."""
    seen: dict[str, NamedMatrix] = {}
    for part in unknown(*sides):
        if (other := seen.setdefault(part.name, part)) is not part:
            raise ValueError(f"{part.name} stands for two things: {kind_of(other)}, {kind_of(part)}")
