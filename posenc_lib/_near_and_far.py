"""Attention with Shaw's term, a block of rows at a time, where keys that are far need plain attention only.

Beyond the clipping distance all keys of a row get one number. It moves the log-sum-exp of their scores and
nothing else. So they go through PyTorch's fused attention without any mask, and a block as wide as the band
remains; parts are joined by their log-sum-exps, as fused attention itself joins blocks of keys.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._tiles import Band, Rows


def near_and_far(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: Tensor,
    values: Tensor | None,
    plan: Band,
    rows: Rows,
    room: Tensor,
    scale: float,
) -> Tensor:
    """One block of rows of softmax(scale·q·kᵀ + term)·(v + Shaw's values).

    Args:
        q: the rows a … b − 1, backwards, as everywhere in blocks.
        k, v: all keys of the same batches and heads, of equal width; dtype of `window`.
        window: the table at these rows.
        values: Shaw's table of values, or None.
    """
    first = max(plan.length - rows.b - plan.clip, 0)
    end = min(plan.length - rows.a + (0 if plan.causal else plan.clip), plan.length)
    near = Band(plan.length - first, plan.clip, plan.causal)
    inside = Rows(rows.a, rows.b, end - first, rows.batch, rows.heads)
    scores = (q * scale) @ k[:, :, first:end].transpose(-1, -2)
    scores += near.block(window, inside, room)
    parts = [(slice(0, first), 0)] if first else []
    if not plan.causal and end < plan.length:
        parts.append((slice(end, plan.length), 2 * plan.clip))
    top = scores.amax(-1)
    far = []
    for keys, column in parts:
        mixed, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            q, k[:, :, keys], v[:, :, keys], 0.0, False, scale=scale
        )
        lse = lse + window[..., column]
        far.append((mixed, lse, column))
        top = torch.maximum(top, lse)
    weights = scores.sub_(top.unsqueeze(-1)).exp_()
    total, out = weights.sum(-1), weights @ v[:, :, first:end]
    sums = None if values is None else near.collect(weights, inside)
    for mixed, lse, column in far:
        weight = (lse - top).exp_()
        total += weight
        out.addcmul_(mixed, weight.unsqueeze(-1))
        if sums is not None:
            sums[..., column] += weight
    if values is not None and sums is not None:
        out += sums @ values
    return out.div_(total.unsqueeze(-1))
