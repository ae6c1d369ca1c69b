"""Grouped queries: several query heads meet one head of keys and values.

The query heads that share a head lie under one another as rows of it. With one row a head, as in decoding,
that is a view; with many it copies rows, which are few beside the scores.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib._torch_state import exported

# older kernels for the CPU take equal head counts alone, and `enable_gqa` would build whole matrices;
# torch compares its version as a version, not as letters
_CPU_KERNELS_SHARE = torch.__version__ >= "2.9"


def stacked(x: Tensor, shared: int) -> Tensor:
    """``[batch, heads, rows, n]`` → ``[batch, shared, heads / shared · rows, n]``."""
    return x if x.shape[1] == shared else x.unflatten(1, (shared, x.shape[1] // shared)).flatten(2, 3)


def unstacked(x: Tensor, heads: int) -> Tensor:
    """Back, ``[batch, shared, heads / shared · rows, ...]`` → ``[batch, heads, rows, ...]``."""
    if x.shape[1] == heads:
        return x
    group = heads // x.shape[1]
    return x.unflatten(2, (group, x.shape[2] // group)).flatten(1, 2)


def product(x: Tensor, shared: Tensor) -> Tensor:
    """x @ shared, ``[batch, heads, rows, a]`` by ``[batch, shared, a, b]``."""
    if exported() and x.shape[1] != shared.shape[1]:  # stacked rows of a length that is open ask for a guard
        return x @ shared.repeat_interleave(x.shape[1] // shared.shape[1], 1)
    return unstacked(stacked(x, shared.shape[1]) @ shared, x.shape[1])


def transposed_product(x: Tensor, y: Tensor, shared: int) -> Tensor:
    """xᵀ @ y, summed over the heads that share one: gradients of keys and values."""
    return stacked(x, shared).transpose(-1, -2) @ stacked(y, shared)


def half_on_gpu(x: Tensor) -> bool:
    return x.device.type == "cuda" and x.element_size() == 2


def fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    term: Tensor | None = None,
    causal: bool = False,
    scale: float,
    dropout: float = 0.0,
) -> Tensor:
    """torch's fused attention; ``term`` ``[batch, heads, Q, K]`` is added to the scores, or a bool mask."""
    attend = partial(scaled_dot_product_attention, dropout_p=dropout, scale=scale)
    heads, shared = q.shape[1], k.shape[1]
    if heads == shared:
        return attend(q, k, v, attn_mask=term, is_causal=causal)
    if (term is None or q.shape[2] == 1) and half_on_gpu(q):  # whose kernels share heads, as was measured
        return attend(q, k, v, attn_mask=term, is_causal=causal, enable_gqa=True)
    if q.shape[2] == 1 or (term is None and not causal):
        term = None if term is None else stacked(term, shared)
        return unstacked(attend(stacked(q, shared), k, v, attn_mask=term), heads)
    if q.device.type == "cpu" and _CPU_KERNELS_SHARE:
        return attend(q, k, v, attn_mask=term, is_causal=causal, enable_gqa=True)
    k, v = (x.repeat_interleave(heads // shared, 1) for x in (k, v))
    return attend(q, k, v, attn_mask=term, is_causal=causal)
