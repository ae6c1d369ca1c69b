"""Linear attention with rotated numerator and unrotated denominator, in O(N) time, whole or as a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import threshold

from posenc_lib._aliases import knows_names
from posenc_lib._checks import (
    Layout,
    check_choice,
    check_flag,
    check_floating,
    check_layout,
    check_local,
    check_same,
)
from posenc_lib._torch_state import as_given, compiling
from posenc_lib.angles.double import arithmetic
from posenc_lib.attend.linear.eager import Features, all_keys, causal_keys, tables_for
from posenc_lib.attend.linear.traced import all_keys_traced, causal_keys_traced


class LinearState(NamedTuple):
    r"""All that a causal stream remembers, of constant size.

    Args:
        kv: :math:`\sum_n R_n\varphi(k_n)\,v_n^\top`, ``[batch, heads, d, dv]``.
        z: :math:`\sum_n \varphi(k_n)`, ``[batch, heads, d]``.

    Example:
        >>> q = k = v = torch.ones(1, 1, 3, 2)
        >>> _, state = linear_attention(q, k, v, causal=True, return_state=True)
        >>> state.z  # three keys, whose features elu(1) + 1 = 2
        tensor([[[6., 6.]]])
        >>> [tuple(part.shape) for part in state]  # however many keys have passed
        [(1, 1, 2, 2), (1, 1, 2)]
    """

    kv: Tensor
    z: Tensor


def _elu_plus_one(x: Tensor) -> Tensor:
    """elu(x) + 1 as max(x, 0) + exp(min(x, 0)), which keeps small features where exp − 1 + 1 gives 0."""
    # masked, not clamped: what clamp_max has for a derivative at 0 was 1, and is 0 from torch 2.14 on
    return threshold(x, 0.0, 0.0).add_(x.masked_fill(x > 0, 0.0).exp_())


def _elu_plus_one_of_queries(q: Tensor) -> Tensor:
    """The same up to a factor for each query, which its quotient does not see: the largest is no less than 1,
    so products with features of keys stay away from where numbers lose digits and then are 0."""
    return _elu_plus_one(q - q.detach().amax(-1, keepdim=True).clamp(max=0.0))


# (features of queries, features of keys)
FEATURE_MAPS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "elu+1": (_elu_plus_one_of_queries, _elu_plus_one),
    "softmax": (lambda q: q.softmax(-1), torch.exp),
}


@knows_names
def linear_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cos: Tensor | None = None,
    sin: Tensor | None = None,
    *,
    feature_map: Literal["elu+1", "softmax"] = "elu+1",
    causal: bool = False,
    layout: Layout = "half",
    state: LinearState | None = None,
    return_state: bool = False,
) -> Tensor | tuple[Tensor, LinearState]:
    r"""Attention whose weights are inner products of rotated features.

    .. math:: z_m = \frac{\sum_n \langle R_m\phi(q_m),\,R_n\varphi(k_n)\rangle\,v_n}
                         {\sum_n \langle\phi(q_m),\,\varphi(k_n)\rangle}

    The numerator is rotated, the denominator is not: it stays positive, since features are positive. Rotated
    weights may be negative and need not sum to 1, so this is not an average of values. Sums are
    taken in float32 or better, in blocks: time O(N·d·dv), memory O(N·(d + dv)). Causal: chunks of 32,
    quadratic within a chunk, plus the sums of all chunks before it.

    A decode step is a call with ``causal=True``, the ``state`` of the calls before it and
    ``return_state=True``; its memory does not grow. Tables are then those of the new positions.

    Args:
        q: ``[batch, heads, Q, d]``; k: ``[batch, heads, K, d]``; v: ``[batch, heads, K, dv]``. Q = K if
            causal.
        cos, sin: tables as for :func:`apply_rotary`, or None for no rotation. Shared by q and k,
            hence Q = K with them.
        feature_map: ``"elu+1"`` for both sides, or ``"softmax"``: softmax over channels for queries, exp for
            keys. Keys must stay below about 80 with ``"softmax"``, and some above about −80 with either:
            there exp leaves float32. Queries may have any size.
        causal: query m sees keys n ≤ m.
        layout: of the rotation.
        state: of the keys before these; needs ``causal``.
        return_state: return the state after these keys, too; needs ``causal``.

    Returns:
        ``[batch, heads, Q, dv]`` in the dtype of q, or that and a :class:`LinearState` in float32 or float64.

    Raises:
        TypeError: inputs that are not floating or of different dtypes.
        ValueError: shapes or devices that do not fit, cos without sin, unknown ``feature_map`` or ``layout``,
            a state without ``causal``.

    Example:
        >>> q, k, v = torch.randn(3, 1, 2, 6, 4).unbind()
        >>> whole = linear_attention(q, k, v, causal=True)
        >>> past, now = ([x[:, :, part] for x in (q, k, v)] for part in (slice(5), slice(5, 6)))
        >>> _, state = linear_attention(*past, causal=True, return_state=True)
        >>> last = linear_attention(*now, causal=True, state=state)
        >>> torch.allclose(last, whole[..., 5:, :], atol=1e-6)
        True

    Source:
        Su et al. 2021, equation (19); Katharopoulos et al. 2020 (elu+1); Shen et al. 2021 (softmax).
    """
    _check(q, k, v, cos, sin, feature_map, causal, layout, state, return_state)
    dtype = arithmetic(q)
    map_q, map_k = FEATURE_MAPS[feature_map]
    work = Features(map_q, map_k, tables_for(q, cos, sin, dtype), layout, dtype)
    traced = q.shape[2] > 1 if compiling() else q.shape[:2].numel() == 0
    if not causal:
        with as_given(q):
            return (all_keys_traced if traced else all_keys)(q, k, v, work).to(q.dtype)
    if state is None:
        sizes = (*k.shape[:2], k.shape[3])
        state = LinearState(k.new_zeros(*sizes, v.shape[3], dtype=dtype), k.new_zeros(sizes, dtype=dtype))
    with as_given(q):
        out, kv, z = (causal_keys_traced if traced else causal_keys)(q, k, v, work, *state)
    return (out.to(q.dtype), LinearState(kv, z)) if return_state else out.to(q.dtype)


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
    check_flag("causal", causal)
    check_flag("return_state", return_state)
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_local(name, check_floating(name, x))
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
    for name, table in (("cos", cos), ("sin", sin)):
        if table is not None:
            check_same(name, table, "q", q, dtype=False)
    if (causal or cos is not None) and q.shape[2] != k.shape[2]:
        raise ValueError(f"q and k must have one length, got {q.shape[2]} and {k.shape[2]}")
    check_choice("feature_map", feature_map, FEATURE_MAPS)
    if (state is not None or return_state) and not causal:
        raise ValueError("a state exists only with causal=True")
    if state is None:
        return
    if not isinstance(state, LinearState):
        raise TypeError(f"state must be a LinearState, got {type(state).__name__}")
    dtype = arithmetic(q)
    shape = (*k.shape[:2], k.shape[3])
    for name, value, sizes in (("kv", state.kv, (*shape, v.shape[3])), ("z", state.z, shape)):
        check_same(f"state.{name}", value, "q", q, dtype=False)
        if value.dtype != dtype or value.shape != sizes:
            raise ValueError(
                f"state.{name} must be {dtype} of shape {list(sizes)}, got {value.dtype} {list(value.shape)}"
            )
