"""Where each token stands: offsets, padding, packing, and shards of a long sequence.

Positions are int64 tensors. An encoding never guesses them; these functions make the usual ones.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from posenc_lib._allocation import check_device, check_room
from posenc_lib._checks import (
    FURTHEST,
    INTEGERS,
    check_int,
    check_integers,
    check_local,
    check_same,
    check_tensor,
    shown,
)
from posenc_lib._torch_state import concrete


def positions_range(
    length: int, offset: int | Tensor = 0, *, device: torch.device | str | None = None
) -> Tensor:
    """``offset, offset + 1, …``: positions of ``length`` consecutive tokens, e.g. the new ones beside a
    cache.

    Args:
        length: number of tokens.
        offset: position of the first one; an integer tensor ``[...]`` gives each row its own.
        device: of the result (of ``offset`` if that is a tensor).

    Returns:
        int64 ``[length]``, or ``[..., length]`` for a tensor ``offset``. Offsets may be negative.

    Raises:
        ValueError: ``length`` negative or more than memory holds; an offset beyond ±2⁵³ (those in a tensor
            are looked at on the CPU in eager mode only); a device that is not there.
        TypeError: ``length`` or ``offset`` not integer.

    Example:
        >>> positions_range(3, 5), positions_range(2, torch.tensor([0, 7]))
        (tensor([5, 6, 7]), tensor([[0, 1],
                [7, 8]]))
    """
    check_int("length", length, maximum=FURTHEST)
    check_device(device)
    if isinstance(offset, Tensor):
        _check_reach("offset", check_integers("offset", offset))
        check_room("length", length, length, offset.numel())
        if device is not None:
            offset = offset.to(device)
        return offset.long()[..., None] + torch.arange(length, device=offset.device)
    if isinstance(offset, bool) or not isinstance(offset, int):
        raise TypeError(f"offset must be an int or an integer tensor, got {shown(offset)}")
    check_int("offset", offset, -FURTHEST, FURTHEST)
    check_room("length", length, length)
    return torch.arange(offset, offset + length, device=device)


def _check_reach(name: str, offsets: Tensor) -> None:
    """What ``offset`` as an int is refused for; beyond 2⁶³ positions would wrap around."""
    if not concrete(offsets) or offsets.numel() == 0:
        return
    low, high = (int(value) for value in offsets.aminmax())
    if low < -FURTHEST or high > FURTHEST:
        raise ValueError(f"{name} must lie in ±{FURTHEST}, got {low}..{high}")


def positions_from_mask(mask: Tensor) -> Tensor:
    r"""Number of real tokens before each token, so that left padding does not shift a sentence.

    :math:`\mathrm{pos}_{bj} = \sum_{l<j}\mathrm{mask}_{bl}` at real tokens and 0 at padding (whose rows
    attention must mask).

    Args:
        mask: bool or integer ``[batch, seq]``, true (1) at real tokens, in any pattern.

    Returns:
        int64 ``[batch, seq]``.

    Raises:
        TypeError: ``mask`` is floating point (an additive mask, say).
        ValueError: not two dimensions; other integers than 0 and 1, where values can be looked at.

    Example:
        >>> positions_from_mask(torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]))
        tensor([[0, 0, 0, 1, 2],
                [0, 1, 2, 3, 4]])
    """
    check_tensor("mask", mask)
    if mask.dtype not in (torch.bool, *INTEGERS):
        raise TypeError(f"mask must be bool or integer (1 = real token), got {mask.dtype}: give mask.bool()")
    if mask.dim() != 2:
        raise ValueError(f"mask must be [batch, seq], got shape {tuple(mask.shape)}")
    if mask.dtype != torch.bool and mask.numel() and concrete(mask):
        low, high = (int(value) for value in mask.aminmax())
        if low < 0 or high > 1:
            raise ValueError(
                f"mask must hold 0 and 1, got {low}..{high}: give mask == 0 for a mask that is added, and "
                "numbers of texts in one row to positions_from_cu_seqlens, as where each begins"
            )
    real = mask != 0
    return (real.long().cumsum(-1) - 1) * real


def positions_from_cu_seqlens(cu_seqlens: Tensor, offsets: Tensor | None = None) -> Tensor:
    """Positions in a packed ("ragged", "varlen") row: each sequence counts from 0, or from its own offset.

    The number of tokens is read from ``cu_seqlens``, which on an accelerator waits for it.

    Args:
        cu_seqlens: integer ``[N + 1]``, 0 = c₀ ≤ c₁ ≤ … ; sequence s owns the tokens c_s … c_{s+1} − 1.
        offsets: integer ``[N]``, tokens already in each sequence's cache.

    Returns:
        int64 ``[c_N]``.

    Raises:
        ValueError: not one-dimensional, not starting at 0, or decreasing; more tokens than memory holds;
            ``offsets`` of another length, or beyond ±2⁵³ (looked at on the CPU in eager mode only).
        TypeError: not integer tensors.

    Example:
        >>> positions_from_cu_seqlens(torch.tensor([0, 3, 3, 5]))
        tensor([0, 1, 2, 0, 1])
    """
    check_local("cu_seqlens", check_integers("cu_seqlens", cu_seqlens))
    if cu_seqlens.is_meta:
        raise ValueError("cu_seqlens must hold numbers, for they are read, got a tensor on meta")
    if cu_seqlens.dim() != 1 or cu_seqlens.numel() < 1:
        raise ValueError(f"cu_seqlens must be [N + 1], got shape {tuple(cu_seqlens.shape)}")
    starts, lengths = cu_seqlens[:-1].long(), cu_seqlens.long().diff()
    if offsets is not None:
        check_integers("offsets", offsets)
        check_same("offsets", offsets, "cu_seqlens", cu_seqlens, dtype=False)
        if offsets.shape != starts.shape:
            raise ValueError(f"offsets must be [{starts.numel()}], got shape {tuple(offsets.shape)}")
        _check_reach("offsets", offsets)
        starts = starts - offsets
    if int(cu_seqlens[0]) != 0 or bool((lengths < 0).any()):
        raise ValueError(
            f"cu_seqlens must start at 0 and never decrease, got {cu_seqlens.tolist()}; lengths become "
            "cu_seqlens by torch.nn.functional.pad(lengths.cumsum(0), (1, 0))"
        )
    total = int(cu_seqlens[-1])
    check_room("cu_seqlens", total, total)
    return torch.arange(total, device=cu_seqlens.device) - torch.repeat_interleave(starts, lengths)


def positions_context_parallel(
    length: int,
    rank: int,
    world_size: int,
    *,
    scheme: Literal["contiguous", "zigzag"] = "contiguous",
    device: torch.device | str | None = None,
) -> Tensor:
    """Global positions of the tokens that one rank of a context-parallel group holds.

    ``"contiguous"`` cuts the sequence into W blocks. ``"zigzag"`` cuts it into 2W and gives rank r the blocks
    r and 2W − 1 − r, so that under a causal mask every rank has the same work. The result also indexes the
    shard: ``x[..., pos, :]``.

    Args:
        length: of the whole sequence, a multiple of W (``"contiguous"``) or 2W (``"zigzag"``).
        rank: 0 ≤ rank < ``world_size``.
        world_size: W, the number of ranks.
        scheme: ``"contiguous"`` or ``"zigzag"``.

    Returns:
        int64 ``[length / W]``.

    Raises:
        ValueError: unknown scheme, rank outside the group, a length that does not divide or whose share is
            more than memory holds, a device that is not there.
        TypeError: not integers.

    Example:
        >>> [positions_context_parallel(8, rank, 2, scheme="zigzag").tolist() for rank in range(2)]
        [[0, 1, 6, 7], [2, 3, 4, 5]]
    """
    check_int("length", length)
    if scheme not in ("contiguous", "zigzag"):
        raise ValueError(f"scheme must be 'contiguous' or 'zigzag', got {shown(scheme)}")
    check_int("rank", rank)
    check_int("world_size", world_size, minimum=1)
    if rank >= world_size:
        raise ValueError(f"rank must lie in [0, world_size={world_size}), got {rank}")
    blocks = world_size if scheme == "contiguous" else 2 * world_size
    if length % blocks:
        raise ValueError(f"length must be a multiple of {blocks} for scheme {scheme!r}, got {length}")
    check_room("length", length, length // world_size)
    size = length // blocks
    mine = [rank] if scheme == "contiguous" else [rank, blocks - 1 - rank]
    return torch.cat([positions_range(size, block * size, device=device) for block in mine])
