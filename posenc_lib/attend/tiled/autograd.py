"""Attention with a position term, block by block of rows: memory O(L), keys that causality hides are skipped.

PyTorch's own attention takes a gradient of its mask only by holding the whole matrix, so the backward pass is
written here. It recomputes each block from q, k and the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function

from posenc_lib.attend.groups import fused_attention, product, transposed_product
from posenc_lib.attend.tiled.plans import MINUS_INFINITY, Band, Rows, Toeplitz
from posenc_lib.attend.tiled.shaw_far import near_and_far
from posenc_lib.attend.tiled.whole import masked_softmax, whole_attention

_HEIGHT = 256
_HEIGHT_WITHOUT_COPY = 1024  # all keys seen and a block that is only a view: torch likes tall blocks better
_BLOCK_NUMBERS = 2**20  # one block of scores: 4 MiB in float32, about a core's share of cache


def _blocks(
    plan: Toeplitz | Band, q: Tensor, k: Tensor, height: int, width: int | None = None
) -> Iterator[Rows]:
    """Blocks of rows, each for as many heads as fit; ``width`` where a row of a block is not all its keys."""
    batches, heads, length = q.shape[:3]
    group = heads // k.shape[1]
    for a in range(0, length, height):
        keys = plan.keys(a)
        if keys == 0:
            continue
        b = min(a + height, length)
        room = max(_BLOCK_NUMBERS // ((b - a) * (width or keys)), 1)
        head_step, batch_step = _whole_groups(min(room, heads), group), max(room // heads, 1)
        for batch in range(0, batches, batch_step):
            for head in range(0, heads, head_step):
                mine, shared = head + head_step, (head + head_step - 1) // group + 1
                yield Rows(
                    a,
                    b,
                    keys,
                    slice(batch, batch + batch_step),
                    slice(head, mine),
                    slice(head // group, shared),
                )


def _whole_groups(heads: int, group: int) -> int:
    """At most ``heads``, and either several whole groups of heads that share keys, or a whole part of one."""
    if heads >= group:
        return heads - heads % group
    return next(n for n in range(heads, 0, -1) if group % n == 0)


def _cut(x: Tensor, rows: Rows) -> Tensor:
    """The rows of q, or of anything shaped like it."""
    return x[rows.batch, rows.heads, rows.a : rows.b]


def _keys(x: Tensor, rows: Rows) -> Tensor:
    return x[rows.batch, rows.shared, : rows.keys]


def _term(plan: Toeplitz | Band, table: Tensor, mask: Tensor | None, rows: Rows, room: Tensor) -> Tensor:
    term = plan.block(plan.window(table, rows), rows, room)
    if mask is None:
        return term
    return torch.where(_mask(mask, rows), term, MINUS_INFINITY)


def _mask(mask: Tensor, rows: Rows) -> Tensor:
    batch = rows.batch if mask.shape[0] > 1 else slice(None)
    heads = rows.heads if mask.shape[1] > 1 else slice(None)
    return mask[batch, heads, rows.a : rows.b, : rows.keys]


def _weights(plan: Toeplitz | Band, q: Tensor, k: Tensor, term: Tensor, scale: float, empty: bool) -> Tensor:
    scores = product(q * scale, k.transpose(-1, -2))
    scores += term
    return masked_softmax(scores) if empty else scores.softmax(-1)


def _forward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    table: Tensor,
    values: Tensor | None,
    mask: Tensor | None,
    plan: Toeplitz | Band,
    scale: float,
) -> Tensor:
    if isinstance(plan, Band) and mask is None and k.shape == v.shape:
        return _undisturbed_band(q, k, v, table, values, plan, scale)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    room = table.new_empty(0)
    tall = isinstance(plan, Toeplitz) and not plan.causal and mask is None
    for rows in _blocks(plan, q, k, _HEIGHT_WITHOUT_COPY if tall else _HEIGHT):
        term = _term(plan, table, mask, rows, room)
        q_rows, k_rows, v_rows = _cut(q, rows), _keys(k, rows), _keys(v, rows)
        if values is None:
            term = term.expand(*q_rows.shape[:2], -1, -1)
            _cut(out, rows).copy_(fused_attention(q_rows, k_rows, v_rows, term=term, scale=scale))
            continue
        dtype = table.dtype
        empty = plan.may_be_empty or mask is not None
        weights = _weights(plan, q_rows.to(dtype), k_rows.to(dtype), term, scale, empty)
        mixed = product(weights, v_rows.to(dtype)) + plan.collect(weights, rows) @ values
        _cut(out, rows).copy_(mixed)
    return out


def _undisturbed_band(
    q: Tensor, k: Tensor, v: Tensor, table: Tensor, values: Tensor | None, plan: Band, scale: float
) -> Tensor:
    """Shaw's term without a mask: far keys by plain attention."""
    out, room = torch.empty_like(q), table.new_empty(0)
    k, v = k.to(table.dtype), v.to(table.dtype)
    for rows in _blocks(plan, q, k, _HEIGHT, _HEIGHT + 2 * plan.clip):
        mine = rows.batch, rows.shared
        window, q_rows = plan.window(table, rows), _cut(q, rows).to(table.dtype)
        mixed = near_and_far(q_rows, k[mine], v[mine], window, values, plan, rows, room, scale)
        _cut(out, rows).copy_(mixed)
    return out


class _TiledAttention(Function):
    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        table: Tensor,
        values: Tensor | None,
        mask: Tensor | None,
        plan: Toeplitz | Band,
        scale: float,
    ) -> Tensor:
        out = _forward(q, k, v, table, values, mask, plan, scale)
        ctx.plan, ctx.scale = plan, scale
        ctx.save_for_backward(q, k, v, table, values, mask, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        if torch.is_grad_enabled():
            grads = _differentiable_backward(ctx, grad)
        else:
            grads = _blockwise_backward(ctx, grad)
        return (*grads, None, None, None)


def _differentiable_backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    """Through whole matrices, so that second derivatives exist."""
    q, k, v, table, values, mask, _ = ctx.saved_tensors
    out = whole_attention(q, k, v, table, values, mask, ctx.plan, ctx.scale)
    wanted = [x for x in (q, k, v, table, values) if x is not None and x.requires_grad]
    found = iter(torch.autograd.grad(out, wanted, grad, create_graph=True))
    return tuple(next(found) if x is not None and x.requires_grad else None for x in (q, k, v, table, values))


def _blockwise_backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
    q, k, v, table, values, mask, out = ctx.saved_tensors
    plan, scale, dtype = ctx.plan, ctx.scale, table.dtype
    empty = plan.may_be_empty or mask is not None
    dq, dk, dv = (torch.zeros_like(x, dtype=dtype) for x in (q, k, v))
    dtable = torch.zeros_like(table) if ctx.needs_input_grad[3] else None
    dvalues = torch.zeros_like(values) if values is not None else None
    room = table.new_empty(0)
    for rows in _blocks(plan, q, k, _HEIGHT):
        q_rows, k_rows, v_rows = (x.to(dtype) for x in (_cut(q, rows), _keys(k, rows), _keys(v, rows)))
        g, o = _cut(grad, rows).to(dtype), _cut(out, rows).to(dtype)
        weights = _weights(plan, q_rows, k_rows, _term(plan, table, mask, rows, room), scale, empty)
        # steep biases leave weights below the normal range, and every product with those is many times slower
        torch.threshold_(weights, torch.finfo(dtype).tiny * 2**20, 0.0)
        d = product(g, v_rows.transpose(-1, -2))
        if values is not None:
            d += plan.block(g @ values.transpose(-1, -2), rows, room, after=0.0)
            dvalues += (plan.collect(weights, rows).transpose(-1, -2) @ g).sum((0, 1))
        shared = k_rows.shape[1]
        _keys(dv, rows).add_(transposed_product(weights, g, shared))
        d.sub_((g * o).sum(-1, keepdim=True)).mul_(weights)
        if dtable is not None:
            plan.window(dtable, rows).add_(plan.collect(d, rows))
        _cut(dq, rows).copy_(product(d, k_rows).mul_(scale))
        _keys(dk, rows).add_(transposed_product(d, q_rows, shared), alpha=scale)
    grads = (dq.to(q.dtype), dk.to(k.dtype), dv.to(v.dtype), dtable, dvalues)
    return grads


def tiled_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    table: Tensor,
    plan: Toeplitz | Band,
    *,
    scale: float,
    values: Tensor | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """softmax(scale·q·kᵀ + term)·v, queries in their natural order.

    Args:
        q: ``[batch, heads, Q, dim]``; k, v: ``[batch, kv_heads, K, dim]``, where kv_heads divides heads.
        table: what ``plan`` reads: for Toeplitz natural, for Band ``[batch, heads, L, 2·clip + 1]`` with rows
            in natural order. float32 or float64.
        values: for Band, Shaw's table of values ``[2·clip + 1, dim]``.
        mask: bool, broadcastable to ``[batch, heads, Q, K]``, True where a key may be seen.
    """
    if isinstance(plan, Band):
        table = table.flip(-2)
    if mask is not None:
        mask = mask.expand(*mask.shape[:2], q.shape[2], k.shape[2]).flip(-2)
    return _TiledAttention.apply(q.flip(-2), k, v, table, values, mask, plan, scale).flip(-2)
