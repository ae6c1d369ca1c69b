"""Plausible slips in a formula. A check that accepts one of them checks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

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

Named = tuple[str, Any]  # what was changed, in words, and what came of it


class Slip(NamedTuple):
    """One part replaced by a wrong one.

    ``path`` leads to it: (expression, place) from the outside in.
    """

    path: tuple[tuple[Basic, int], ...]
    part: Basic
    kind: str

    def built(self) -> Basic:
        """The whole expression with the slip in its place."""
        part = self.part
        for outer, place in reversed(self.path):
            part = outer.func(*outer.args[:place], part, *outer.args[place + 1 :])
        return part


def local_slips(e: Basic) -> Iterator[Named]:
    """Wrong versions of one node of the tree."""
    if isinstance(e, Add):
        for k, term in enumerate(e.args):
            others = e.args[:k] + e.args[k + 1 :]
            yield "a sign", Add(*others, -term)
            yield "a term left out", Add(*others)
    elif isinstance(e, sin):
        yield "cos for sin", cos(e.args[0])
    elif isinstance(e, cos):
        yield "sin for cos", sin(e.args[0])
    elif isinstance(e, conjugate):
        yield "a conjugate left out", e.args[0]
    elif isinstance(e, re):
        yield "Im for Re", im(e.args[0])
    elif isinstance(e, Abs):
        yield "a modulus left out", e.args[0]
    elif isinstance(e, Pow) and not e.exp.is_Rational:
        yield "a sign", Pow(e.base, -e.exp)
    elif isinstance(e, Pow) and e.exp.is_Integer and not isinstance(e.base, Symbol):
        yield "an exponent", Pow(e.base, e.exp + 1)
    elif isinstance(e, Sum):
        index, lower, upper = e.limits[0]
        yield "a bound", e.func(e.function, (index, lower + 1, upper), *e.limits[1:])
        yield "a bound", e.func(e.function, (index, lower, upper + 1), *e.limits[1:])
    elif isinstance(e, Indexed):
        yield "an index", e.base[tuple(k + 1 for k in e.indices)]
    elif isinstance(e, AppliedUndef):
        yield "an argument", e.func(*(a + 1 for a in e.args))
    if isinstance(e, (sin, cos, exp)):
        yield from ((kind, e.func(a)) for kind, a in angle_slips(e.args[0]))


def angle_slips(angle: Expr) -> Iterator[Named]:
    """A flipped sign, a repeated factor, a missing factor inside an angle."""
    heads = enumerate(angle.atoms(Indexed, AppliedUndef))  # named, as SymPy's own numbers grow: 1000 < 999
    values = {head: Dummy(f"head{n:03}", integer=head.is_integer) for n, head in heads}
    whole = {stand_in: head for head, stand_in in values.items()}
    plain = replaced(angle, values)
    for symbol in sorted(plain.free_symbols, key=str):
        yield "a sign", replaced(substitute(plain, {symbol: -symbol}), whole)
        if symbol.is_integer and plain != symbol:
            yield "a factor repeated", replaced(plain * symbol, whole)
            yield "a factor left out", replaced(substitute(plain, {symbol: Integer(1)}), whole)


def slips(e: Expr) -> list[Slip]:
    """Wrong versions of a whole expression: its own, and each with one part replaced by a wrong one."""
    own = (("the sign of the whole", -e), ("a factor 2", 2 * e), ("1 more", e + 1))
    return [*(Slip((), wrong, kind) for kind, wrong in own), *inside(e)]


def inside(e: Basic, path: tuple[tuple[Basic, int], ...] = ()) -> Iterator[Slip]:
    """Each with one part replaced by a wrong one."""
    for kind, wrong in local_slips(e):
        yield Slip(path, wrong, kind)
    for k, part in enumerate(e.args):
        if part.args and isinstance(part, Expr) and part != I:
            yield from inside(part, (*path, (e, k)))


def bound_slips(e: Expr) -> Iterator[Named]:
    """Versions of an upper bound that are too small: halved, a maximum forgotten, a term left out."""
    yield "1 less", e - 1
    yield "half of it", 2 * e if e.is_negative else e / 2
    yield "the sign of the whole", -e
    for top in sorted(e.atoms(MaxOver), key=str):
        index, lower, _ = top.limits[0]
        yield "a maximum left out", replaced(e, {top: substitute(top.function, {index: lower})})
    for total in sorted(e.atoms(Sum), key=str):
        index, lower, upper = total.limits[0]
        yield "a bound", replaced(e, {total: Sum(total.function, (index, lower + 1, upper))})


def mutants(e: Expr | MatrixBase, relation: str = "=") -> list[Expr | MatrixBase]:
    """Distinct wrong versions of a right-hand side, at most ``MOST``, spread over the whole expression."""
    if isinstance(e, MatrixBase):
        made = list(matrix_slips(e))
        chosen = [made[k][1] for k in _spread(len(made))]
    elif isinstance(e, MatrixExpr):
        made = list(wrong_products(e))
        chosen = [made[k] for k in _spread(len(made))]
    elif relation != "=":
        chosen = [wrong for _, wrong in bound_slips(e)][:MOST]
    else:
        every = slips(e)  # hundreds for a long expression: only those that are used are built
        chosen = [every[k].built() for k in _spread(len(every))]
    return list(dict.fromkeys(wrong for wrong in chosen if wrong != e and not wrong.has(*INFINITIES)))


def _spread(length: int) -> list[int]:
    return [k * length // MOST for k in range(MOST)] if length > MOST else list(range(length))


def matrix_slips(e: MatrixBase) -> Iterator[Named]:
    """The whole matrix with its other sign, transposed; one entry changed."""
    yield "the sign of the whole", -e
    if e.rows == e.cols:
        yield "the transpose", e.T
    for r in range(e.rows):
        for c in range(e.cols):
            entry = e[r, c]
            inner = [("a sign", -entry), *((slip.kind, slip.built()) for slip in inside(entry))]
            for kind, wrong in inner if entry != 0 else [("an entry", Integer(1))]:
                changed = e.as_mutable()
                changed[r, c] = wrong
                yield kind, changed.as_immutable()
