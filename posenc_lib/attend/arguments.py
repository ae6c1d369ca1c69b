"""What attention is given: checks of tensors, encoding and dropout, and the positions of queries and keys."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from posenc_lib._checks import (
    check_factor,
    check_finite,
    check_floating,
    check_positions,
    check_same,
    widened,
)
from posenc_lib._torch_state import concrete
from posenc_lib.angles.double import arithmetic
from posenc_lib.angles.fit import NO_AXES
from posenc_lib.encoding.interface import Encoding, Positions


def swapped_axes(name: str, x: Tensor) -> Tensor:
    """``[batch, length, heads, dim]`` as ``[batch, heads, length, dim]``."""
    check_floating(name, x)
    if x.ndim != 4:
        raise ValueError(f"{name} must have shape [batch, length, heads, dim], got {list(x.shape)}")
    return x.transpose(1, 2)


def check_encoding(value: object) -> None:
    if value is None or isinstance(value, Encoding):
        return
    if isinstance(value, type) and issubclass(value, Encoding):
        hint = f"the class {value.__name__}: make one, as in {value.__name__}(…)"
    elif isinstance(value, tuple):
        hint = "tuple; tables turn q and k beforehand, in apply_rotary_qk(q, k, cos, sin)"
    elif isinstance(value, Tensor):
        hint = "Tensor; a tensor of numbers is attn_mask of torch's scaled_dot_product_attention"
    else:
        spec = "; a spec is wrapped in RotaryEmbedding(spec)" if hasattr(value, "inv_freq") else ""
        hint = f"{type(value).__name__}{spec}"
    raise TypeError(
        "encoding must be None, a RotaryEmbedding, a ScoreBias, a RelativeAttention or another "
        f"posenc_lib.encoding.Encoding, got {hint}"
    )


def check_dropout(value: float, backend: str) -> None:
    check_finite("dropout", value)
    if not 0 <= value < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, got {value}")
    if value and backend == "flex":
        raise ValueError(f"backend='flex' has no dropout, got dropout = {value}; use backend='sdpa'")


def scale_of(scale: float | None, q: Tensor) -> float:
    """What ⟨q, k⟩ is multiplied by: a number of the arithmetic, which is float32 but for float64."""
    if scale is None:
        if q.shape[-1] == 0:
            raise ValueError(f"q must have a channel, for the scale 1/√dim, got shape {list(q.shape)}")
        return 1 / math.sqrt(q.shape[-1])
    check_factor("scale", scale, arithmetic(q))
    return scale


def queries_and_keys(position_ids: Any) -> tuple[Any, Any]:
    """Positions of queries and keys: a pair, or one for both; neither is looked at."""
    if isinstance(position_ids, list) and any(isinstance(value, Tensor) for value in position_ids):
        raise TypeError("position_ids must be a tensor or a tuple (queries, keys), got a list of tensors")
    if not isinstance(position_ids, tuple):
        return position_ids, position_ids
    if len(position_ids) != 2:
        raise ValueError(
            f"position_ids must be a tensor or a pair (queries, keys), got a tuple of {len(position_ids)}"
        )
    return position_ids


def check_inputs(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, keys: str = "") -> None:
    """``keys`` says in the message of a mask what its last axis counts."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_floating(name, x)
        if x.ndim != 4:
            raise ValueError(f"{name} must have shape [batch, heads, length, dim], got {list(x.shape)}")
        check_same(name, x, "q", q)
    fits = q.shape[0] == k.shape[0] and q.shape[3] == k.shape[3]
    if not fits or k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(
            f"q and k must share batch and dim, and kv_heads must divide heads; got {list(q.shape)} "
            f"and {list(k.shape)}"
        )
    if k.shape[:3] != v.shape[:3]:
        raise ValueError(f"k and v must agree but in dim, got {list(k.shape)} and {list(v.shape)}")
    if mask is None:
        return
    check_same("mask", mask, "q", q, dtype=False)
    if mask.dtype != torch.bool:
        added = "mask == 0 for a mask that is added (0 and -inf), " if mask.is_floating_point() else ""
        raise TypeError(
            f"mask must be bool, True where a key may be seen, got {mask.dtype}: give {added}mask.bool()"
            + " where 1 means seen" * bool(added)
        )
    wanted = (*q.shape[:3], k.shape[2])
    sizes = zip(reversed(mask.shape), reversed(wanted), strict=False)
    if mask.ndim > 4 or any(m not in (1, w) for m, w in sizes):
        padding = "; a padding mask [batch, K] is given as mask[:, None, None, :]"
        hint = padding if mask.shape == (q.shape[0], k.shape[2]) else ""
        raise ValueError(f"mask must broadcast to {list(wanted)}{keys}, got {list(mask.shape)}{hint}")


def positions_of(
    position_ids: Tensor | tuple[Tensor, Tensor] | None, q: Tensor, k: Tensor, encoding: Encoding | None
) -> Positions:
    """Positions of queries and keys, integers as int64."""
    q_len, k_len = q.shape[2], k.shape[2]
    if position_ids is None:
        if q_len != k_len:
            swapped = q.shape[1] == k.shape[1] > 1
            last = f"(torch.arange({k_len - q_len}, {k_len}), torch.arange({k_len}))"
            raise ValueError(
                f"position_ids must be given as (queries, keys) for {q_len} queries and {k_len} keys"
                + f"; for the last tokens write position_ids={last}" * (q_len < k_len)
                + "; if axis -3 is the sequence, say seq_dim=-3" * swapped
            )
        if encoding is not None:
            encoding.check_count(q_len)
        run = torch.arange(q_len, device=q.device)
        return Positions(run, run, 0)
    q_pos, k_pos = queries_and_keys(position_ids)
    on_axes = encoding is not None and encoding.several_axes
    for name, value, x in (("queries", q_pos, q), ("keys", k_pos, k)):
        name = f"position_ids of the {name}"
        check_positions(value, name) if encoding is None else encoding.check_positions(name, value)
        check_same(name, value, "q", q, dtype=False)
        shapes = x.shape[2:3], (x.shape[0], x.shape[2])
        if value.shape not in shapes and not (on_axes and value.ndim == 3):
            swapped = value.shape[-1:] == x.shape[1:2] != x.shape[2:3]
            hint = "; heads and sequence seem swapped: transpose(1, 2), or say seq_dim" if swapped else ""
            hint = "; write position_ids[:, None]" if value.shape == x.shape[:1] and x.shape[2] == 1 else hint
            hint = NO_AXES if value.ndim == 3 else hint
            one, each = list(shapes[0]), list(shapes[1])
            raise ValueError(f"{name} must have shape {one} or {each}, got {list(value.shape)}{hint}")
    q_pos, k_pos = widened(q_pos), widened(k_pos)
    return Positions(q_pos, k_pos, _first(q_pos, k_pos))


def _first(q_pos: Tensor, k_pos: Tensor) -> int | None:
    """:attr:`posenc_lib.encoding.Positions.first`, where numbers may be looked at."""
    for value in (q_pos, k_pos):
        if not concrete(value) or value.ndim != 1 or value.is_floating_point() or value.numel() == 0:
            return None
        if not bool((value.diff() == 1).all()):
            return None
    return int(k_pos[0]) - int(q_pos[0])
