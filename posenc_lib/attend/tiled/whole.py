"""Whole matrices: softmax that survives rows without any key, and attention with a position term."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib.attend.groups import product
from posenc_lib.attend.tiled.plans import MINUS_INFINITY, Band, Toeplitz


def masked_softmax(scores: Tensor) -> Tensor:
    """Softmax over the last axis; a row of −∞ alone gives zeros, and zero gradients, not NaN."""
    empty = (scores == float("-inf")).all(-1, keepdim=True)
    return torch.where(empty, 0.0, scores.masked_fill(empty, 0.0).softmax(-1))


def whole_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    table: Tensor,
    values: Tensor | None,
    mask: Tensor | None,
    plan: Toeplitz | Band,
    scale: float,
) -> Tensor:
    """What ``tiled_attention`` computes in blocks; second derivatives are taken through it."""
    dtype = table.dtype
    term = plan.whole(table)
    if mask is not None:
        term = torch.where(mask, term, MINUS_INFINITY)
    weights = masked_softmax(product(q.to(dtype) * scale, k.to(dtype).transpose(-1, -2)) + term)
    out = product(weights, v.to(dtype))
    if values is not None:
        assert isinstance(plan, Band)
        index = plan.index(q.device).expand(*weights.shape)
        out = out + table.new_zeros(table.shape).scatter_add(-1, index, weights) @ values
    return out.to(q.dtype)
