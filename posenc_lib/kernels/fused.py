"""Fused rotation of queries and keys; the gradient is the inverse rotation."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._aliasing import check_apart
from posenc_lib._checks import (
    Layout,
    check_factor,
    check_flag,
    check_layout,
    check_same,
    check_seq_dim,
    check_tensor,
)
from posenc_lib.angles.fit import fit_tables
from posenc_lib.kernels.operators import InPlace, exchanged


def fused_rotary_qk(
    q: Tensor,
    k: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    layout: Layout = "half",
    inplace: bool = False,
    seq_dim: int = -2,
) -> tuple[Tensor, Tensor]:
    """:func:`posenc_lib.apply_rotary_qk` as one Triton kernel; the gradient is the same kernel with −sin.

    Packed ("ragged") rows ``[total, heads, dim]`` go in as ``q[None]`` and ``k[None]`` with ``seq_dim=-3``,
    and their tables are those of :func:`posenc_lib.positions_from_cu_seqlens`, ``[total, n]``.

    Args:
        q: ``[batch, heads, seq, dim]``, any strides; or as ``seq_dim`` says.
        k: ``[batch, key heads, seq, dim]``, the same dtype and device.
        cos, sin: half-width tables ``[seq, n]`` or ``[batch, seq, n]``, 2n ≤ dim. They get no gradient.
        layout: ``"half"`` or ``"interleaved"``.
        inplace: overwrite q and k and return them.
        seq_dim: −2; or −3 for ``[batch, seq, heads, dim]``, read and written where it stands.

    Raises:
        TypeError, ValueError: as :func:`posenc_lib.apply_rotary_qk`; q not 4-D; tables that require
            gradients.
        RuntimeError: Triton is missing, or the tensors are on the CPU outside Triton's interpreter.

    Example:
        >>> from posenc_lib import apply_rotary_qk, cos_sin, inv_freq
        >>> q, k = torch.ones(1, 8, 3, 4), torch.ones(1, 2, 3, 4)
        >>> place = fused_rotary_qk if q.is_cuda else apply_rotary_qk  # the same numbers without a GPU
        >>> q_m, k_n = place(q, k, *cos_sin(inv_freq(4), torch.arange(3)))
        >>> q_m.shape, k_n.shape
        (torch.Size([1, 8, 3, 4]), torch.Size([1, 2, 3, 4]))

    Source:
        design after the arithmetic of Su et al. 2021, equation (34).
    """
    pair = _heads_first(q, k, layout, seq_dim)
    check_flag("inplace", inplace)
    if (cos.requires_grad or sin.requires_grad) and torch.is_grad_enabled():
        raise ValueError("cos and sin require gradients, which the kernel does not give: use apply_rotary_qk")
    fit_tables(q, cos, sin, "q", seq_dim)  # and so k, which differs in heads only
    if cos.ndim not in (2, 3):
        raise ValueError(f"cos must have shape [seq, n] or [batch, seq, n], got {list(cos.shape)}")
    cos, sin = cos.contiguous(), sin.contiguous()
    if inplace:
        check_apart(q, k)
        return InPlace.apply(q, k, cos, sin, layout, seq_dim)
    return exchanged(torch.ops.posenc.rotate_qk(*pair, cos, sin, layout, False), seq_dim)


def fused_rotary_at(
    q: Tensor,
    k: Tensor,
    position_ids: Tensor,
    turns: Tensor,
    *,
    layout: Layout = "half",
    attention_factor: float = 1.0,
    seq_dim: int = -2,
) -> tuple[Tensor, Tensor]:
    """Rotation by positions: the kernel makes its angles, exactly, from integer turns; no tables in memory.

    Args:
        q, k, seq_dim: as :func:`fused_rotary_qk`, not float64.
        position_ids: integers ``[seq]`` or ``[batch, seq]``.
        turns: int64 ``[n]`` from :func:`posenc_lib.kernels.turns`.
        layout: ``"half"`` or ``"interleaved"``.
        attention_factor: multiplies the result.

    Raises:
        TypeError, ValueError: shapes, dtypes or devices that do not fit.
        RuntimeError: as :func:`fused_rotary_qk`.

    Example:
        >>> from posenc_lib import inv_freq
        >>> from posenc_lib.kernels import turns
        >>> once_a_model = turns(inv_freq(4))
        >>> q = k = torch.ones(1, 2, 3, 4, dtype=torch.float64)
        >>> fused_rotary_at(q, k, torch.arange(3), once_a_model)
        Traceback (most recent call last):
        ...
        TypeError: q is float64, finer than the kernel's float32 angles: use apply_rotary_qk

    Source:
        the same rotation; the angles as :func:`posenc_lib.kernels.turns`.
    """
    q, k = _heads_first(q, k, layout, seq_dim)
    check_tensor("position_ids", position_ids)
    check_tensor("turns", turns)
    check_factor("attention_factor", attention_factor, torch.float32)
    if q.dtype == torch.float64:
        raise TypeError("q is float64, finer than the kernel's float32 angles: use apply_rotary_qk")
    if position_ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"position_ids must be int32 or int64, got {position_ids.dtype}")
    if turns.dtype != torch.int64 or turns.ndim != 1 or not 0 < 2 * turns.shape[0] <= q.shape[-1]:
        raise ValueError(
            f"turns must be int64 [n] with 2n ≤ {q.shape[-1]}, got {turns.dtype} {list(turns.shape)}"
        )
    if position_ids.shape not in (q.shape[2:3], (q.shape[0], q.shape[2])):
        raise ValueError(
            f"position_ids must have shape [{q.shape[2]}] or [{q.shape[0]}, {q.shape[2]}], "
            f"got {list(position_ids.shape)}"
        )
    check_same("position_ids", position_ids, "q", q, dtype=False)
    check_same("turns", turns, "q", q, dtype=False)
    ids, turns = position_ids.contiguous(), turns.contiguous()
    turned = torch.ops.posenc.rotate_qk_at(q, k, ids, turns, float(attention_factor), layout, False)
    return exchanged(turned, seq_dim)


def _heads_first(q: Tensor, k: Tensor, layout: str, seq_dim: int) -> tuple[Tensor, Tensor]:
    """Checked, and as ``[batch, heads, seq, dim]``."""
    check_layout(layout)
    check_seq_dim(seq_dim)
    axes = "heads, seq" if seq_dim == -2 else "seq, heads"
    for name, x in (("q", q), ("k", k)):
        check_tensor(name, x)
        if x.ndim != 4 or not x.is_floating_point():
            raise ValueError(f"{name} must be floating [batch, {axes}, dim], got {x.dtype} {list(x.shape)}")
    check_same("k", k, "q", q)
    first, second = exchanged((q, k), seq_dim)
    if (first.shape[0], *first.shape[2:]) != (second.shape[0], *second.shape[2:]):
        raise ValueError(
            f"q and k may differ in heads only, got {list(q.shape)} and {list(k.shape)}, seq_dim={seq_dim}"
        )
    return first, second
