"""Attention with Shaw's term, a block of rows at a time, where keys that are far need plain attention only.

Beyond the clipping distance all keys of a row get one number. It moves the log-sum-exp of their scores and
nothing else. So they go through PyTorch's fused attention without any mask, and a block as wide as the band
remains; parts are joined by their log-sum-exps, as fused attention itself joins blocks of keys.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib.attend.groups import product, stacked, unstacked
from posenc_lib.attend.tiled.inputs import Inputs, queries
from posenc_lib.encoding.tiles import Band, Rows


def near_and_far(x: Inputs, plan: Band, rows: Rows, room: Tensor) -> Tensor:
    """One block of rows of softmax(scale·q·kᵀ + term)·(v + Shaw's values).

    Args:
        x: without a mask; keys and values of equal width, in the dtype of the table.
        plan: that of ``x``.
        rows: the block; of each batch and head it reads all keys.
        room: memory that the blocks share.
    """
    mine = rows.batch, rows.shared
    q, k, v = queries(x.q, rows).to(x.table.dtype), x.k[mine], x.v[mine]
    window, values, scale = plan.window(x.table, rows), x.values, x.scale
    first = max(plan.length - rows.b - plan.clip, 0)
    end = min(plan.length - rows.a + (0 if plan.causal else plan.clip), plan.length)
    near = Band(plan.length - first, plan.clip, plan.causal)
    inside = Rows(rows.a, rows.b, end - first, rows.batch, rows.heads, rows.shared)
    term = near.block(window, inside, room)
    k_near, v_near = k[:, :, first:end], v[:, :, first:end]
    if values is None:
        parts = [_attended(q, k_near, v_near, scale, term)]
    else:
        scores = product(q * scale, k_near.transpose(-1, -2)).add_(term)
        weights = scores.softmax(-1)
        # the largest weight is exp(largest score − log-sum-exp)
        parts = [(product(weights, v_near), scores.amax(-1) - weights.amax(-1).log())]
    columns = []
    for keys, column in ((slice(0, first), 0), (slice(end, plan.length), 2 * plan.clip)):
        if keys.start < keys.stop and not (plan.causal and column):
            mixed, lse = _attended(q, k[:, :, keys], v[:, :, keys], scale)
            parts.append((mixed, lse + window[..., column]))
            columns.append(column)
    share = torch.stack([lse for _, lse in parts]).softmax(0).unsqueeze(-1)
    out = parts[0][0] * share[0]
    for (mixed, _), part in zip(parts[1:], share[1:], strict=True):
        out.addcmul_(mixed, part)
    if values is not None:
        sums = near.collect(weights, inside).mul_(share[0])
        for column, part in zip(columns, share[1:], strict=True):
            sums[..., column] += part.squeeze(-1)
        out += sums @ values
    return out


def _attended(
    q: Tensor, k: Tensor, v: Tensor, scale: float, term: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attention, and the log-sum-exp of each row's scores."""
    attention = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    heads, shared = q.shape[1], k.shape[1]
    term = None if term is None else stacked(term, shared)
    out, lse = attention(stacked(q, shared), k, v, 0.0, False, attn_mask=term, scale=scale)
    return unstacked(out, heads), unstacked(lse, heads)
