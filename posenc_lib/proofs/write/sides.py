"""The two sides of a statement, in a form that says one thing only."""

from __future__ import annotations

from sympy import Expr, Float, Pow, nan, zoo
from sympy.matrices import MatrixBase

from ..terms.any_size import require_kinds, size_of
from ..terms.expression import expression
from ..terms.letters import require_derivatives, require_names, require_one_role, require_ranges
from ..terms.matrices import shapes_of
from ..values.whole_parts import whole_parts
from ..values.written_out import written_out

LARGEST = 10_000  # exponents: powers of whole numbers are multiplied out


def prepared(left: object, right: object) -> tuple[Expr | MatrixBase, Expr | MatrixBase]:
    """Both sides as SymPy objects of one shape, every symbol with a domain.

    Raises:
        ValueError: on a shape mismatch, a symbol without a domain, a floating-point number, or an exponent
            above 10000.
    """
    written = [expression(side, "a side") for side in (left, right)]
    shapes_of(*written)
    require_kinds(*written)
    size_of(*written)
    a, b = (_scalar_if_1x1(_value(side)) for side in written)
    require_names(a, b)
    require_one_role(a, b)
    a, b = whole_parts(a), whole_parts(b)
    require_ranges(a, b)
    require_derivatives(a, b)
    shapes = [side.shape if side.is_Matrix else "a scalar" for side in (a, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"the two sides have different shapes: {shapes[0]} and {shapes[1]}")
    for number in [*a.atoms(Float), *b.atoms(Float)]:
        raise ValueError(f"the floating-point number {number} is not exact: write a Rational")
    for power in [*a.atoms(Pow), *b.atoms(Pow)]:
        if power.exp.is_Integer and abs(power.exp) > LARGEST:
            raise ValueError(f"the exponent of {power} is above {LARGEST}: write a letter for it")
    return a, b


def _value(side: Expr | MatrixBase) -> Expr | MatrixBase:
    if side.has(nan, zoo):
        raise TypeError(f"a side must be an expression or a matrix with a value, got {side!r}")
    return written_out(side)


def _scalar_if_1x1(e: Expr | MatrixBase) -> Expr | MatrixBase:
    return e[0, 0] if isinstance(e, MatrixBase) and e.shape == (1, 1) else e
