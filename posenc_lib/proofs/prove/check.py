"""Deciding one equation: are two expressions equal for all values of their symbols?"""

from __future__ import annotations

from sympy import Basic, Expr, Float, nan, zoo
from sympy.matrices import MatrixBase

from ..attack.refute import counterexample, second_opinion
from ..terms.expression import entries, expression
from ..terms.letters import (
    require_derivatives,
    require_names,
    require_one_role,
    require_ranges,
)
from ..terms.matrices import shapes_of
from ..terms.statement import Statement
from ..terms.verdict import OutOfClass, Verdict, undecided
from ..values.whole_parts import whole_parts
from .normal import is_zero
from .written_out import written_out


def prepared(left: object, right: object) -> tuple[Expr | MatrixBase, Expr | MatrixBase]:
    """Both sides as SymPy objects of one shape, every symbol with a domain.

    Raises:
        ValueError: on a shape mismatch, a symbol without a domain, or a floating-point number.
    """
    written = [expression(side, "a side") for side in (left, right)]
    shapes_of(*written)
    a, b = (_value(side) for side in written)
    a, b = _scalar_if_1x1(a), _scalar_if_1x1(b)
    require_names(a, b)
    require_one_role(a, b)
    a, b = whole_parts(a), whole_parts(b)
    require_ranges(a, b)
    require_derivatives(a, b)
    if isinstance(a, MatrixBase) != isinstance(b, MatrixBase) or (
        isinstance(a, MatrixBase) and a.shape != b.shape
    ):
        shapes = [side.shape if isinstance(side, MatrixBase) else "a scalar" for side in (a, b)]
        raise ValueError(f"the two sides have different shapes: {shapes[0]} and {shapes[1]}")
    for number in [*a.atoms(Float), *b.atoms(Float)]:
        raise ValueError(f"the floating-point number {number} is not exact: write a Rational")
    return a, b


def _value(side: Expr | MatrixBase) -> Expr | MatrixBase:
    if side.has(nan, zoo):
        raise TypeError(f"a side must be an expression or a matrix with a value, got {side!r}")
    return written_out(side)


def _scalar_if_1x1(e: Expr | MatrixBase) -> Expr | MatrixBase:
    return e[0, 0] if isinstance(e, MatrixBase) and e.shape == (1, 1) else e


METHOD = "identity (normal form)"
UNEQUAL = "the normal form of the difference is not zero, but no point was found where the sides differ"
NO_SECOND_OPINION = "the normal forms agree, but at no point tried do both sides have values to confirm it"


def check(left: object, right: object, where: tuple[Basic, ...] = ()) -> Verdict:
    r"""Decide whether ``left = right`` for all values of the symbols.

    The difference is rewritten as a rational function over Q(i) in algebraically independent generators
    (symbols, :math:`e^{\mu}` and :math:`e^{i\mu}` for each monomial :math:`\mu` in an exponent). Zero is a
    proof, confirmed by ball arithmetic at random points. A statement is called refuted only with a point of
    the domain at which the two sides have disjoint enclosures. Anything else is undecided.
    """
    a, b = prepared(left, right)
    statement = Statement(a, "=", b, where)
    reason = UNEQUAL
    try:
        if all(is_zero(x - y) for x, y in zip(entries(a), entries(b), strict=True)):
            if second_opinion(a, b, where):
                return Verdict("checked", METHOD, statement.scope())
            return undecided(METHOD, NO_SECOND_OPINION, statement.scope(), final=True)
    except OutOfClass as problem:
        reason = str(problem)
    found = counterexample(a, "=", b, where)
    if found is not None:
        return Verdict("refuted", METHOD, statement.scope(), counterexample=found)
    return undecided(METHOD, reason, statement.scope())
