"""Linear attention with rotated numerator and unrotated denominator, in O(N) time, whole or as a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import relu

from posenc_lib._checks import check_floating, check_layout, check_same
from posenc_lib.rotary import apply_rotary

_CHUNK = 64
_BLOCK = 1024


class LinearState(NamedTuple):
    r"""All that a causal stream remembers, of constant size.

    Args:
        kv: :math:`\sum_n R_n\varphi(k_n)\,v_n^\top`, ``[batch, heads, d, dv]``.
        z: :math:`\sum_n \varphi(k_n)`, ``[batch, heads, d]``.
    """

    kv: Tensor
    z: Tensor


def _elu_plus_one(x: Tensor) -> Tensor:
    """elu(x) + 1 as exp(min(x, 0)) + max(x, 0): three times faster than torch's elu on the CPU."""
    return x.clamp_max(0).exp_() + relu(x)


# (features of queries, features of keys)
FEATURE_MAPS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "elu+1": (_elu_plus_one, _elu_plus_one),
    "softmax": (lambda q: q.softmax(-1), torch.exp),
}


def linear_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cos: Tensor | None = None,
    sin: Tensor | None = None,
    *,
    feature_map: str = "elu+1",
    causal: bool = False,
    layout: str = "half",
    state: LinearState | None = None,
    return_state: bool = False,
) -> Tensor | tuple[Tensor, LinearState]:
    r"""Attention whose weights are inner products of rotated features.

    .. math:: z_m = \frac{\sum_n \langle R_m\phi(q_m),\,R_n\varphi(k_n)\rangle\,v_n}
                         {\sum_n \langle\phi(q_m),\,\varphi(k_n)\rangle}

    The numerator is rotated, the denominator is not: it stays positive, since features are positive. Rotated
    weights may be negative and need not sum to 1, so this is not an average of values. Sums are
    taken in float32 or better, in blocks: time O(N·d·dv), memory O(N·(d + dv)). Causal: chunks of 64,
    quadratic within a chunk, plus the sums of all chunks before it.

    A decode step is a call with ``causal=True``, the `state` of the calls before it and
    ``return_state=True``; its memory does not grow. Tables are then those of the new positions.

    Args:
        q: ``[batch, heads, Q, d]``; k: ``[batch, heads, K, d]``; v: ``[batch, heads, K, dv]``. Q = K if
            causal.
        cos, sin: tables as for :func:`posenc_lib.apply_rotary`, or None for no rotation. Shared by q and k,
            hence Q = K with them.
        feature_map: "elu+1" for both sides, or "softmax": softmax over channels for queries, exp for keys
            (keys must stay below about 80, where exp leaves float32).
        causal: query m sees keys n ≤ m.
        layout: of the rotation.
        state: of the keys before these; needs `causal`.
        return_state: return the state after these keys, too; needs `causal`.

    Returns:
        ``[batch, heads, Q, dv]`` in the dtype of q, or that and a :class:`LinearState` in float32 or float64.

    Raises:
        TypeError: inputs that are not floating or of different dtypes.
        ValueError: shapes or devices that do not fit, cos without sin, unknown `feature_map` or `layout`, a
            state without `causal`.

    Example:
        >>> q, k, v = torch.randn(3, 1, 2, 6, 4).unbind()
        >>> whole = linear_attention(q, k, v, causal=True)
        >>> past, now = ([x[:, :, part] for x in (q, k, v)] for part in (slice(5), slice(5, 6)))
        >>> _, state = linear_attention(*past, causal=True, return_state=True)
        >>> last = linear_attention(*now, causal=True, state=state)
        >>> torch.allclose(last, whole[..., 5:, :], atol=1e-6)
        True

    Source: Su et al. 2021, equation (19); Katharopoulos et al. 2020 (elu+1); Shen et al. 2021 (softmax).
    """
    _check(q, k, v, cos, sin, feature_map, causal, layout, state, return_state)
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    map_q, map_k = FEATURE_MAPS[feature_map]
    work = _Features(map_q, map_k, cos, sin, layout, dtype)
    if not causal:
        return _everything(q, k, v, work).to(q.dtype)
    if state is None:
        sizes = (*k.shape[:2], k.shape[3])
        state = LinearState(k.new_zeros(*sizes, v.shape[3], dtype=dtype), k.new_zeros(sizes, dtype=dtype))
    out, state = _stream(q, k, v, work, state)
    return (out.to(q.dtype), state) if return_state else out.to(q.dtype)


class _Features(NamedTuple):
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


def _everything(q: Tensor, k: Tensor, v: Tensor, work: _Features) -> Tensor:
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


def _stream(
    q: Tensor, k: Tensor, v: Tensor, work: _Features, state: LinearState
) -> tuple[Tensor, LinearState]:
    kv, z = state
    parts = []
    for rows in _runs(q.shape[2], _BLOCK):
        block = (*work.q(q, rows), *work.k(k, rows), v[:, :, rows].to(work.dtype))
        for chunk in _runs(block[0].shape[2], _CHUNK):
            q_plain, q_turned, k_plain, k_turned, values = (x[:, :, chunk] for x in block)
            numerator = (q_turned @ k_turned.transpose(-1, -2)).tril() @ values + q_turned @ kv
            near = (q_plain @ k_plain.transpose(-1, -2)).tril().sum(-1, keepdim=True)
            parts.append(numerator / (near + q_plain @ z.unsqueeze(-1)))
            kv, z = kv + k_turned.transpose(-1, -2) @ values, z + k_plain.sum(-2)
    return torch.cat(parts, -2), LinearState(kv, z)


def _check(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cos: Tensor | None,
    sin: Tensor | None,
    feature_map: str,
    causal: bool,
    layout: str,
    state: LinearState | None,
    return_state: bool,
) -> None:
    check_layout(layout)
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_floating(name, x)
        if x.ndim != 4 or x.shape[2] == 0:
            raise ValueError(f"{name} must have shape [batch, heads, length ≥ 1, dim], got {list(x.shape)}")
        check_same(name, x, "q", q)
    if q.shape[:2] != k.shape[:2] or q.shape[3] != k.shape[3] or k.shape[:3] != v.shape[:3]:
        raise ValueError(
            "q, k, v must share batch and heads, q and k dim, k and v length; "
            f"got {list(q.shape)}, {list(k.shape)}, {list(v.shape)}"
        )
    if (cos is None) != (sin is None):
        raise ValueError("give cos and sin together, or neither")
    if (causal or cos is not None) and q.shape[2] != k.shape[2]:
        raise ValueError(f"q and k must have one length, got {q.shape[2]} and {k.shape[2]}")
    if feature_map not in FEATURE_MAPS:
        raise ValueError(f"feature_map must be one of {sorted(FEATURE_MAPS)}, got {feature_map!r}")
    if (state is not None or return_state) and not causal:
        raise ValueError("a state exists only with causal=True")
    if state is None:
        return
    shape = (*k.shape[:2], k.shape[3])
    if state.kv.shape != (*shape, v.shape[3]) or state.z.shape != shape:
        raise ValueError(
            f"state must have shapes {[*shape, v.shape[3]]} and {list(shape)}, "
            f"got {list(state.kv.shape)} and {list(state.z.shape)}"
        )
