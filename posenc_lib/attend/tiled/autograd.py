"""Attention with a position term, block by block of rows: memory O(L), keys that causality hides are skipped.

PyTorch's own attention takes a gradient of its mask only by holding the whole matrix, so the backward pass is
written here. It recomputes each block from q, k and the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function

from posenc_lib._torch_state import as_given, compiling
from posenc_lib.attend.groups import fused_attention, product, transposed_product
from posenc_lib.attend.tiled.inputs import Inputs, keys, queries
from posenc_lib.attend.tiled.shaw_far import near_and_far
from posenc_lib.attend.tiled.whole import whole_attention
from posenc_lib.encoding.interface import Tile
from posenc_lib.encoding.tiles import HEIGHT, Band, Toeplitz

_HEIGHT_WITHOUT_COPY = 1024  # all keys seen and a block that is only a view: torch likes tall blocks better


def _forward(x: Inputs) -> Tensor:
    if isinstance(x.plan, Band) and x.mask is None and x.k.shape == x.v.shape:
        return _undisturbed_band(x, x.plan)
    out = x.q.new_zeros(*x.q.shape[:-1], x.v.shape[-1])
    room = x.table.new_empty(0)
    only_views = x.plan.blocks_are_views and not x.plan.causal and x.mask is None
    for rows in x.blocks(_HEIGHT_WITHOUT_COPY if only_views else HEIGHT):
        term = x.term(rows, room)
        q, k, v = queries(x.q, rows), keys(x.k, rows), keys(x.v, rows)
        if x.values is None:
            term = term.expand(*q.shape[:2], -1, -1)
            queries(out, rows).copy_(fused_attention(q, k, v, term=term, scale=x.scale))
            continue
        dtype = x.table.dtype
        weights = x.weights(q.to(dtype), k.to(dtype), term)
        mixed = product(weights, v.to(dtype)) + x.plan.collect(weights, rows) @ x.values
        queries(out, rows).copy_(mixed)
    return out


def _undisturbed_band(x: Inputs, plan: Band) -> Tensor:
    """Shaw's term without a mask: far keys by plain attention."""
    out, room = torch.empty_like(x.q), x.table.new_empty(0)
    x = replace(x, k=x.k.to(x.table.dtype), v=x.v.to(x.table.dtype))
    for rows in x.blocks(HEIGHT, HEIGHT + 2 * plan.clip):
        queries(out, rows).copy_(near_and_far(x, plan, rows, room))
    return out


class _TiledAttention(Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Tensor:
        x = Inputs(*inputs)
        out = _forward(x)
        ctx.plan, ctx.scale = x.plan, x.scale
        ctx.save_for_backward(x.q, x.k, x.v, x.table, x.values, x.mask, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        q, k, v, table, values, mask, out = ctx.saved_tensors
        x = Inputs(q, k, v, table, values, mask, ctx.plan, ctx.scale)
        if torch.is_grad_enabled():
            grads = _differentiable_backward(x, grad)
        else:
            grads = _blockwise_backward(x, out, grad, table_wanted=ctx.needs_input_grad[3])
        return (*grads, None, None, None)


def _differentiable_backward(x: Inputs, grad: Tensor) -> tuple[Tensor | None, ...]:
    """Through whole matrices, so that second derivatives exist."""
    tensors = (x.q, x.k, x.v, x.table, x.values)
    wanted = [y for y in tensors if y is not None and y.requires_grad]
    found = iter(torch.autograd.grad(whole_attention(x), wanted, grad, create_graph=True))
    return tuple(next(found) if y is not None and y.requires_grad else None for y in tensors)


def _blockwise_backward(
    x: Inputs, out: Tensor, grad: Tensor, *, table_wanted: bool
) -> tuple[Tensor | None, ...]:
    plan, dtype = x.plan, x.table.dtype
    dq, dk, dv = (torch.zeros_like(y, dtype=dtype) for y in (x.q, x.k, x.v))
    dtable = torch.zeros_like(x.table) if table_wanted else None
    dvalues = torch.zeros_like(x.values) if x.values is not None else None
    room = x.table.new_empty(0)
    for rows in x.blocks(HEIGHT):
        q, k, v = (y.to(dtype) for y in (queries(x.q, rows), keys(x.k, rows), keys(x.v, rows)))
        g, o = queries(grad, rows).to(dtype), queries(out, rows).to(dtype)
        weights = x.weights(q, k, x.term(rows, room))
        # steep biases leave weights below the normal range, and every product with those is many times slower
        torch.threshold_(weights, torch.finfo(dtype).tiny * 2**20, 0.0)
        d = product(g, v.transpose(-1, -2))
        if x.values is not None and dvalues is not None:
            d += x.band.block(g @ x.values.transpose(-1, -2), rows, room, after=0.0)
            dvalues += (plan.collect(weights, rows).transpose(-1, -2) @ g).sum((0, 1))
        shared = k.shape[1]
        keys(dv, rows).add_(transposed_product(weights, g, shared))
        d.sub_((g * o).sum(-1, keepdim=True)).mul_(weights)
        if dtable is not None:
            plan.window(dtable, rows).add_(plan.collect(d, rows))
        queries(dq, rows).copy_(product(d, k).mul_(x.scale))
        keys(dk, rows).add_(transposed_product(d, q, shared), alpha=x.scale)
    return dq.to(x.q.dtype), dk.to(x.k.dtype), dv.to(x.v.dtype), dtable, dvalues


def _of_distance(
    q: Tensor, k: Tensor, v: Tensor, table: Tensor, mask: Tensor | None, *plan_and_scale: Any
) -> Inputs:
    first, causal, scale = plan_and_scale
    return Inputs(q, k, v, table, None, mask, Toeplitz(q.shape[2], k.shape[2], first, causal), scale)


_GIVEN = "Tensor q, Tensor k, Tensor v, Tensor table, Tensor? mask, SymInt first, bool causal, float scale"


@torch.library.custom_op("posenc::tiled", mutates_args=(), schema=f"({_GIVEN}) -> Tensor")
def _operator(q: Tensor, *given: Any) -> Tensor:
    """The blocks of a term of the distance, for a compiler, which would make them one matrix."""
    with as_given(q):
        return _forward(_of_distance(q, *given))


@torch.library.custom_op(
    "posenc::tiled_backward",
    mutates_args=(),
    schema=f"(Tensor grad, Tensor out, bool table_wanted, {_GIVEN}) -> (Tensor, Tensor, Tensor, Tensor)",
)
def _operator_backward(grad: Tensor, out: Tensor, table_wanted: bool, *given: Any) -> tuple[Tensor, ...]:
    with as_given(out):
        x = _of_distance(*given)
        *of_qkv, of_table, _ = _blockwise_backward(x, out, grad, table_wanted=table_wanted)
        return *of_qkv, x.table.new_empty(0) if of_table is None else of_table  # type: ignore[arg-type]


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(output, *inputs[:5])
    ctx.plan_and_scale = inputs[5:]


def _back(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    out, *given = ctx.saved_tensors
    wanted = ctx.needs_input_grad[3]
    *of_qkv, of_table = _operator_backward(grad, out, wanted, *given, *ctx.plan_and_scale)
    return *of_qkv, of_table if wanted else None, None, None, None, None


@_operator_backward.register_fake
def _(grad: Tensor, out: Tensor, table_wanted: bool, *given: Any) -> tuple[Tensor, ...]:
    *qkv, table = map(torch.empty_like, given[:4])
    return *qkv, table if table_wanted else table.new_empty(0)


_operator.register_fake(lambda q, k, v, *_: q.new_empty(*q.shape[:-1], v.shape[-1]))
_operator.register_autograd(_back, setup_context=_keep)


def tiled_attention(
    q: Tensor, k: Tensor, v: Tensor, tile: Tile, *, scale: float, mask: Tensor | None = None
) -> Tensor:
    """softmax(scale·q·kᵀ + term)·(v + Shaw's values), queries in their natural order.

    Args:
        q: ``[batch, heads, Q, dim]``; k, v: ``[batch, kv_heads, K, dim]``, where kv_heads divides heads.
        tile: the term, its table in natural order.
        mask: bool, broadcastable to ``[batch, heads, Q, K]``, True where a key may be seen.
    """
    if mask is not None:
        mask = mask.expand(*mask.shape[:2], q.shape[2], k.shape[2]).flip(-2)
    table = tile.plan.backwards(tile.table)
    if compiling() and isinstance(tile.plan, Toeplitz):
        return _operator(q.flip(-2), k, v, table, mask, tile.plan.first, tile.plan.causal, scale).flip(-2)
    return _TiledAttention.apply(q.flip(-2), k, v, table, tile.values, mask, tile.plan, scale).flip(-2)
