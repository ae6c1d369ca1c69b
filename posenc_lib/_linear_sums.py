"""The sums of linear attention, in blocks that stay in a cache: all keys, or the keys up to each query."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from posenc_lib.rotary import apply_rotary

_CHUNK = 32
_BLOCK = 512


class Features(NamedTuple):
    """φ(q), R φ(q), ϕ(k), R ϕ(k) of a run of rows."""

    map_q: Callable[[Tensor], Tensor]
    map_k: Callable[[Tensor], Tensor]
    cos: Tensor | None
    sin: Tensor | None
    layout: str
    dtype: torch.dtype

    def rotated(self, features: Tensor, rows: slice) -> Tensor:
        if self.cos is None or self.sin is None:
            return features
        one_row = self.cos.ndim == 1 or self.cos.shape[-2] == 1
        part = (lambda t: t) if one_row else (lambda t: t[..., rows, :])
        return apply_rotary(features, part(self.cos), part(self.sin), layout=self.layout)

    def q(self, x: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        features = self.map_q(x[:, :, rows].to(self.dtype))
        return features, self.rotated(features, rows)

    def k(self, x: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        features = self.map_k(x[:, :, rows].to(self.dtype))
        return features, self.rotated(features, rows)


def _runs(length: int, step: int) -> list[slice]:
    return [slice(a, min(a + step, length)) for a in range(0, length, step)]


def everything(q: Tensor, k: Tensor, v: Tensor, work: Features) -> Tensor:
    """Every query sees every key."""
    kv: Tensor | float = 0.0
    z: Tensor | float = 0.0
    for rows in _runs(k.shape[2], _BLOCK):
        plain, turned = work.k(k, rows)
        kv = kv + turned.transpose(-1, -2) @ v[:, :, rows].to(work.dtype)
        z = z + plain.sum(-2)
    assert isinstance(z, Tensor)
    parts = []
    for rows in _runs(q.shape[2], _BLOCK):
        plain, turned = work.q(q, rows)
        parts.append((turned @ kv) / (plain @ z.unsqueeze(-1)))
    return torch.cat(parts, -2)


def stream(
    q: Tensor, k: Tensor, v: Tensor, work: Features, kv: Tensor, z: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Each query sees the keys up to its own, and before them those that kv and z remember."""
    outer, parts = q.shape[:2], []
    kv, z = kv.flatten(0, 1), z.flatten(0, 1).unsqueeze(-2)
    lower = torch.ones(_CHUNK, _CHUNK, dtype=work.dtype, device=q.device).tril()
    for rows in _runs(q.shape[2], _BLOCK):
        every = (*work.q(q, rows), *work.k(k, rows), v[:, :, rows].to(work.dtype))
        q_plain, q_turned, k_plain, k_turned, values = (x.flatten(0, 1) for x in every)
        seen = k_plain.cumsum(-2) + z
        z = seen[:, -1:]
        denominator = (q_plain * seen).sum(-1, keepdim=True)
        for chunk in _runs(values.shape[1], _CHUNK):
            a, b, c = q_turned[:, chunk], k_turned[:, chunk], values[:, chunk]
            size = a.shape[1]
            near = torch.bmm(a, b.transpose(1, 2)) * lower[:size, :size]
            parts.append(torch.baddbmm(torch.bmm(a, kv), near, c) / denominator[:, chunk])
            kv = torch.baddbmm(kv, b.transpose(1, 2), c)
    out = torch.cat(parts, -2).unflatten(0, outer)
    return out, kv.unflatten(0, outer), z.squeeze(-2).unflatten(0, outer)
