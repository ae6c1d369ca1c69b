"""Expressions made block by block, as one generic block.

A product, sum or transpose of block-diagonal matrices with the same blocks is block-diagonal, so it is
enough to check one generic block; an inner product of stacked vectors is the sum over the blocks.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, MatAdd, MatMul, Sum, Symbol, Transpose

from ..terms.blocks import BlockDiagonal, Stacked
from .substitution import replaced, substitute

ACCEPTED = (MatAdd, MatMul, Transpose)
BLOCKS = (BlockDiagonal, Stacked)


def generic_block(e: Any) -> tuple[Any, tuple[Symbol, Expr, Expr] | None]:
    """The generic block of an expression, and the range it stands for (None if it has no blocks).

    Raises:
        ValueError: if the blocks run over different ranges: their product is not blockwise.
    """
    blocks = sorted(e.atoms(*BLOCKS), key=str)
    if not blocks:
        return e, None
    _kind(e)
    index, low, high = blocks[0].limits
    require_apart(index, e, *blocks)
    for other in blocks[1:]:
        if other.limits[1:] != (low, high):
            raise ValueError(f"blocks over different ranges: {blocks[0].limits} and {other.limits}")
    return replaced(e, {b: substitute(b.block, {b.limits[0]: index}) for b in blocks}), (index, low, high)


def require_apart(index: Symbol, *blocks: Any) -> None:
    """Refuse blocks, and factors beside them, in which the common index already means something else."""
    if any(index in b.free_symbols for b in blocks):
        raise ValueError(f"{index} numbers the blocks and is also a letter here: rename one of the two")


PRODUCTS = {
    ("blocks", "blocks"): "blocks",
    ("blocks", "column"): "column",
    ("row", "blocks"): "row",
    ("row", "column"): "number",
}


def _kind(e: Any) -> str:
    """What an expression in blocks is; only what acts block by block is accepted."""
    if isinstance(e, BLOCKS):
        return "blocks" if isinstance(e, BlockDiagonal) else "column"
    kinds = [_kind(a) for a in e.args if getattr(a, "is_Matrix", False)] if isinstance(e, ACCEPTED) else []
    if isinstance(e, Transpose) and kinds:
        return {"column": "row", "row": "column"}.get(kinds[0], kinds[0])
    if isinstance(e, MatMul) and kinds:
        kind = kinds[0]
        for following in kinds[1:]:
            kind = PRODUCTS.get((kind, following), "")
        if kind:
            return kind
    if isinstance(e, MatAdd) and len(set(kinds)) == 1:
        return kinds[0]
    raise ValueError(f"{e} is not made block by block")


def over_blocks(e: Any) -> Any:
    """A scalar product of stacked vectors as the sum over the blocks; a matrix as its generic block."""
    one, limits = generic_block(e)
    if limits is None:
        return e
    if e.shape == (1, 1):
        return Sum(one, limits)
    return Stacked(one, limits) if one.shape[1] == 1 else BlockDiagonal(one, limits)


def same_blocks(a: Any, b: Any) -> tuple[Any, Any]:
    """The generic blocks of two sides, in one index.

    Raises:
        ValueError: if only one side has blocks, or the two run over different ranges.
    """
    if not isinstance(a, BLOCKS) and not isinstance(b, BLOCKS):
        return a, b
    if type(a) is not type(b) or a.limits[1:] != b.limits[1:]:
        raise ValueError(f"the two sides have different blocks: {a} and {b}")
    require_apart(a.limits[0], a, b)
    return a.block, substitute(b.block, {b.limits[0]: a.limits[0]})
