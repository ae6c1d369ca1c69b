"""Matrices written out entry by entry, and inner products as sums of products of entries."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Integer, Sum
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.any_size import size_of
from ..terms.blocks import BlockDiagonal, Stacked
from ..terms.matrices import Inner, NamedMatrix
from ..terms.undefined import real_where_defined
from .blockwise import generic_block, over_blocks, require_apart
from .substitution import replaced, substitute


def written_out(e: Expr | MatrixBase) -> Expr | MatrixBase:
    """``e`` with inner products as sums of products of entries, and matrices entry by entry.

    Matrices of any size have no entries to write out, and stay as they are.
    """
    if isinstance(e, MatrixExpr) and size_of(e) is not None:
        return e
    inner = {product: _inner(product) for product in e.atoms(Inner)}
    e = replaced(e, inner) if inner else e
    return _explicit(e) if isinstance(e, MatrixExpr) else e


def _inner(product: Inner) -> Expr:
    (u, limits), (v, others) = (generic_block(side) for side in product.args)
    if limits is not None and others is not None and limits[1:] == others[1:]:
        require_apart(limits[0], *product.args)
        return Sum(_inner(Inner(u, substitute(v, {others[0]: limits[0]}))), limits)
    if limits is not None or others is not None:
        raise ValueError(f"the two sides of {product} are stacked differently")
    u, v = _explicit(u), _explicit(v)
    for entry in [*u, *v]:
        if not real_where_defined(entry):
            raise ValueError(f"the real inner product needs real entries, got {entry}")
    return sum((a * b for a, b in zip(u, v, strict=True)), Integer(0))


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
