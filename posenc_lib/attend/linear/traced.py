"""The sums of linear attention with no loop over the length: for torch.compile one graph at every length."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc_lib.attend.linear.eager import Features

_CHUNK = 64
_ALL = slice(None)  # every part of every axis


def all_keys_traced(q: Tensor, k: Tensor, v: Tensor, work: Features) -> Tensor:
    """Every query sees every key."""
    (q_plain, q_turned), (k_plain, k_turned) = work.of_queries(q, _ALL), work.of_keys(k, _ALL)
    kv = k_turned.mT @ v.to(work.dtype)
    return (q_turned @ kv) / (q_plain @ k_plain.sum(-2).unsqueeze(-1))


def causal_keys_traced(
    q: Tensor, k: Tensor, v: Tensor, work: Features, kv: Tensor, z: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Chunks are an axis of their own; what a chunk remembers is a running sum over that axis."""
    length = q.shape[2]

    def chunks(x: Tensor, filler: float = 0.0) -> Tensor:
        rows = -length % _CHUNK + _CHUNK  # two chunks at least: the compiler treats an axis of size 1 apart
        return pad(x, (0, 0, 0, rows), value=filler).unflatten(2, (-1, _CHUNK))

    (q_plain, q_turned), (k_plain, k_turned) = work.of_queries(q, _ALL), work.of_keys(k, _ALL)
    q_plain = chunks(q_plain, 1.0)  # no 0/0 in the rows that are added, whose gradient would be NaN
    q_turned, k_plain, k_turned, values = map(chunks, (q_turned, k_plain, k_turned, v.to(work.dtype)))
    kv_after = torch.cat((kv.unsqueeze(2), k_turned.mT @ values), 2).cumsum(2)
    z_after = torch.cat((z.unsqueeze(2), k_plain.sum(-2)), 2).cumsum(2)
    numerator = (q_turned @ k_turned.mT).tril() @ values + q_turned @ kv_after[:, :, :-1]
    near = (q_plain @ k_plain.mT).tril().sum(-1, keepdim=True)
    out = numerator / (near + q_plain @ z_after[:, :, :-1].unsqueeze(-1))
    return out.flatten(2, 3)[:, :, :length], kv_after[:, :, -1], z_after[:, :, -1]
