"""Plausible slips in a formula. A check that accepts one of them checks nothing."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import (
    Abs,
    Add,
    Basic,
    Dummy,
    Expr,
    I,
    Indexed,
    Integer,
    Pow,
    Sum,
    Symbol,
    conjugate,
    cos,
    exp,
    im,
    nan,
    oo,
    re,
    sin,
    zoo,
)  # fmt: skip
from sympy.core.function import AppliedUndef
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.extrema import MaxOver
from ..values.substitution import replaced, substitute
from .wrong_products import wrong_products

INFINITIES = (oo, -oo, zoo, nan)  # a slip that divides by zero states nothing
MOST = 24  # wrong versions of one step that are tried


def local_slips(e: Basic) -> Iterator[Basic]:
    """Wrong versions of one node of the tree."""
    if isinstance(e, Add):
        for k, term in enumerate(e.args):
            others = e.args[:k] + e.args[k + 1 :]
            yield Add(*others, -term)
            yield Add(*others)
    elif isinstance(e, sin):
        yield cos(e.args[0])
    elif isinstance(e, cos):
        yield sin(e.args[0])
    elif isinstance(e, conjugate):
        yield e.args[0]
    elif isinstance(e, re):
        yield im(e.args[0])
    elif isinstance(e, Abs):
        yield e.args[0]
    elif isinstance(e, Pow) and not e.exp.is_Rational:
        yield Pow(e.base, -e.exp)
    elif isinstance(e, Pow) and e.exp.is_Integer and not isinstance(e.base, Symbol):
        yield Pow(e.base, e.exp + 1)
    elif isinstance(e, Sum):
        index, lower, upper = e.limits[0]
        yield e.func(e.function, (index, lower + 1, upper), *e.limits[1:])
        yield e.func(e.function, (index, lower, upper + 1), *e.limits[1:])
    elif isinstance(e, Indexed):
        yield e.base[tuple(k + 1 for k in e.indices)]
    elif isinstance(e, AppliedUndef):
        yield e.func(*(a + 1 for a in e.args))
    if isinstance(e, (sin, cos, exp)):
        yield from (e.func(a) for a in angle_slips(e.args[0]))


def angle_slips(angle: Expr) -> Iterator[Expr]:
    """A flipped sign, a repeated factor, a missing factor inside an angle."""
    values = {head: Dummy(integer=head.is_integer) for head in angle.atoms(Indexed, AppliedUndef)}
    whole = {stand_in: head for head, stand_in in values.items()}
    plain = replaced(angle, values)
    for symbol in sorted(plain.free_symbols, key=str):
        yield replaced(substitute(plain, {symbol: -symbol}), whole)
        if symbol.is_integer and plain != symbol:
            yield replaced(plain * symbol, whole)
            yield replaced(substitute(plain, {symbol: Integer(1)}), whole)


Slip = tuple[tuple[tuple[Basic, int], ...], Basic]  # where: (expression, place) from the outside in; what


def slips(e: Expr) -> list[Slip]:
    """Wrong versions of a whole expression: its own, and each with one part replaced by a wrong one."""
    return [((), -e), ((), 2 * e), ((), e + 1), *_inside(e)]


def _inside(e: Basic, path: tuple[tuple[Basic, int], ...] = ()) -> Iterator[Slip]:
    for wrong in local_slips(e):
        yield path, wrong
    for k, part in enumerate(e.args):
        if part.args and isinstance(part, Expr) and part != I:
            yield from _inside(part, (*path, (e, k)))


def _built(slip: Slip) -> Basic:
    """The whole expression with the slip in its place."""
    path, part = slip
    for outer, place in reversed(path):
        part = _rebuild(outer, place, part)
    return part


def _rebuild(e: Basic, place: int, part: Basic) -> Basic:
    return e.func(*e.args[:place], part, *e.args[place + 1 :])


def bound_slips(e: Expr) -> Iterator[Expr]:
    """Versions of an upper bound that are too small: halved, a maximum forgotten, a term left out."""
    yield e - 1
    yield 2 * e if e.is_negative else e / 2
    yield -e
    for top in sorted(e.atoms(MaxOver), key=str):
        index, lower, _ = top.limits[0]
        yield replaced(e, {top: substitute(top.function, {index: lower})})
    for total in sorted(e.atoms(Sum), key=str):
        index, lower, upper = total.limits[0]
        yield replaced(e, {total: Sum(total.function, (index, lower + 1, upper))})


def mutants(e: Expr | MatrixBase, relation: str = "=") -> list[Expr | MatrixBase]:
    """Distinct wrong versions of a right-hand side, at most ``MOST``, spread over the whole expression."""
    if isinstance(e, MatrixBase):
        made = list(_matrix_slips(e))
        chosen = [made[k] for k in _spread(len(made))]
    elif isinstance(e, MatrixExpr):
        made = list(wrong_products(e))
        chosen = [made[k] for k in _spread(len(made))]
    elif relation != "=":
        chosen = list(bound_slips(e))[:MOST]
    else:
        every = slips(e)  # hundreds for a long expression: only those that are used are built
        chosen = [_built(every[k]) for k in _spread(len(every))]
    return list(dict.fromkeys(wrong for wrong in chosen if wrong != e and not wrong.has(*INFINITIES)))


def _spread(length: int) -> list[int]:
    return [k * length // MOST for k in range(MOST)] if length > MOST else list(range(length))


def _matrix_slips(e: MatrixBase) -> Iterator[MatrixBase]:
    yield -e
    if e.rows == e.cols:
        yield e.T
    for r in range(e.rows):
        for c in range(e.cols):
            entry = e[r, c]
            for wrong in [-entry, *map(_built, _inside(entry))] if entry != 0 else [Integer(1)]:
                changed = e.as_mutable()
                changed[r, c] = wrong
                yield changed.as_immutable()
