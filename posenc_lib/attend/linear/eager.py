"""The sums of linear attention, in blocks that stay in a cache: all keys, or the keys up to each query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import torch
from torch import Tensor

from posenc_lib.angles.fit import fit_tables
from posenc_lib.rotary.engine.autograd import rotate

_CHUNK = 32
_BLOCK = 2**17  # numbers in a block of features: a few of them fit into a second-level cache


class Features(NamedTuple):
    """φ(q), R φ(q), ϕ(k), R ϕ(k) of a part of the rows."""

    map_q: Callable[[Tensor], Tensor]
    map_k: Callable[[Tensor], Tensor]
    tables: tuple[Tensor, Tensor] | None
    layout: str
    dtype: torch.dtype

    def of_queries(self, x: Tensor, part: Any) -> tuple[Tensor, Tensor]:
        return self._turned(self.map_q(x[part].to(self.dtype)), part)

    def of_keys(self, x: Tensor, part: Any) -> tuple[Tensor, Tensor]:
        return self._turned(self.map_k(x[part].to(self.dtype)), part)

    def _turned(self, features: Tensor, part: Any) -> tuple[Tensor, Tensor]:
        if self.tables is None:
            return features, features
        cos, sin = self.tables
        return features, rotate(features, cos[part], sin[part], self.layout)


def tables_for(
    x: Tensor, cos: Tensor | None, sin: Tensor | None, dtype: torch.dtype
) -> tuple[Tensor, Tensor] | None:
    """Tables with the axes of x, as views, so that a part of x and its tables have one index."""
    if cos is None or sin is None:
        return None
    features = x.new_empty(1, dtype=dtype).expand(x.shape)  # only their shape and dtype count here
    cos, sin = fit_tables(features, cos, sin, "q")
    return cos.expand(*x.shape[:-1], -1), sin.expand(*x.shape[:-1], -1)


def _runs(length: int, step: int) -> list[slice]:
    return [slice(a, min(a + step, length)) for a in range(0, length, step)]


def all_keys(q: Tensor, k: Tensor, v: Tensor, work: Features) -> Tensor:
    """Every query sees every key. One head after another, or several short ones at once."""
    batch, heads, length, _ = q.shape
    rows = _joined(_rows(q, k, v, work), batch * heads * length)
    return rows.view(batch, heads, length, v.shape[3])


def _rows(q: Tensor, k: Tensor, v: Tensor, work: Features) -> Iterator[Tensor]:
    batch, heads, length, dim = q.shape
    rows = max(1, min(_BLOCK // dim, max(length, k.shape[2])))
    for outer in [(b, h) for b in range(batch) for h in _runs(heads, max(1, _BLOCK // (rows * dim)))]:
        kv = z = v.new_zeros((), dtype=work.dtype)
        for run in _runs(k.shape[2], rows):
            plain, turned = work.of_keys(k, (*outer, run))
            kv = kv + turned.transpose(-1, -2) @ v[(*outer, run)].to(work.dtype)
            z = z + plain.sum(-2)
        for run in _runs(length, rows):
            plain, turned = work.of_queries(q, (*outer, run))
            yield ((turned @ kv) / (plain @ z.unsqueeze(-1))).flatten(0, 1)


def _joined(parts: Iterator[Tensor], length: int) -> Tensor:
    """The parts under one another; without gradients each is put in its place while it is in a cache."""
    if torch.is_grad_enabled():
        return torch.cat(list(parts))
    first = next(parts)
    out = first.new_empty(length, first.shape[1])
    start = 0
    for part in chain((first,), parts):
        out[start : start + len(part)] = part
        start += len(part)
    return out


def causal_keys(
    q: Tensor, k: Tensor, v: Tensor, work: Features, kv: Tensor, z: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Each query sees the keys up to its own, and before them those that kv and z remember."""
    outer, parts = q.shape[:2], []
    kv, z = kv.flatten(0, 1), z.flatten(0, 1).unsqueeze(-2)
    lower = torch.ones(_CHUNK, _CHUNK, dtype=work.dtype, device=q.device).tril()
    rows = max(1, _BLOCK // (outer.numel() * q.shape[3] * _CHUNK)) * _CHUNK
    for run in _runs(q.shape[2], rows):
        part = (slice(None), slice(None), run)
        every = (*work.of_queries(q, part), *work.of_keys(k, part), v[part].to(work.dtype))
        q_plain, q_turned, k_plain, k_turned, values = (x.flatten(0, 1) for x in every)
        seen = k_plain.cumsum(-2) + z
        z = seen[:, -1:]
        denominator = (q_plain * seen).sum(-1, keepdim=True)
        numerator = []
        for chunk in _runs(values.shape[1], _CHUNK):
            a, b, c = q_turned[:, chunk], k_turned[:, chunk], values[:, chunk]
            size, b_t = a.shape[1], b.transpose(1, 2)
            near = torch.bmm(a, b_t) * lower[:size, :size]
            numerator.append(torch.baddbmm(torch.bmm(a, kv), near, c))
            kv = torch.baddbmm(kv, b_t, c)
        parts.append(torch.cat(numerator, -2) / denominator)
    out = torch.cat(parts, -2).unflatten(0, outer)
    return out, kv.unflatten(0, outer), z.squeeze(-2).unflatten(0, outer)
