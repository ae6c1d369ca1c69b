"""The same attention through whole matrices: second derivatives are taken through it."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib.attend.groups import product
from posenc_lib.attend.tiled.inputs import Inputs, masked_softmax
from posenc_lib.encoding.tiles import MINUS_INFINITY


def whole_attention(x: Inputs) -> Tensor:
    """What :func:`posenc_lib.attend.tiled.autograd.tiled_attention` computes in blocks."""
    dtype = x.table.dtype
    term = x.plan.whole(x.table)
    if x.mask is not None:
        term = torch.where(x.mask, term, MINUS_INFINITY)
    weights = masked_softmax(product(x.q.to(dtype) * x.scale, x.k.to(dtype).transpose(-1, -2)) + term)
    out = product(weights, x.v.to(dtype))
    if x.values is not None:
        out = out + x.band.sums(weights) @ x.values
    return out.to(x.q.dtype)
