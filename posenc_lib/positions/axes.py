"""Positions on several axes: the cells of a grid, and text mixed with pictures; one row an axis."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lib._allocation import check_device, check_room
from posenc_lib._checks import FURTHEST, check_finite, check_int, check_sequence, shown
from posenc_lib.positions.sequence import positions_range


def positions_grid(*shape: int, device: torch.device | str | None = None) -> Tensor:
    """Coordinates of a grid's cells in row-major order, one row an axis.

    Args:
        shape: cells along each axis, e.g. ``(height, width)`` or ``(time, height, width)``.

    Returns:
        int64 ``[axes, cells]``.

    Raises:
        ValueError: no axis, a negative size, more cells than memory holds, or a device that is not there.

    Example:
        >>> positions_grid(2, 3)
        tensor([[0, 0, 0, 1, 1, 1],
                [0, 1, 2, 0, 1, 2]])
    """
    if not shape:
        raise ValueError("shape must name at least one axis, got ()")
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        raise TypeError(
            f"shape must be an int for each axis, got {shown(shape[0])}: write positions_grid(*shape)"
        )
    for size in shape:
        check_int("shape", size)
    check_device(device)
    check_room("shape", shape, len(shape), *shape)
    check_room("shape", shape, max(shape))  # an axis without cells makes the grid empty, not the others
    axes = torch.meshgrid(*(torch.arange(size, device=device) for size in shape), indexing="ij")
    return torch.stack([axis.reshape(-1) for axis in axes])


def positions_mrope(
    segments: Sequence[int | tuple[int, int, int]],
    *,
    offset: int = 0,
    time_step: float = 1.0,
    device: torch.device | str | None = None,
) -> tuple[Tensor, int]:
    """Positions of text mixed with images and videos on three axes (time, height, width).

    A text token has the same number on all axes; a picture's cells have their own coordinates, added to the
    first free number; the next segment starts at the largest number used so far plus one.

    Args:
        segments: in reading order, an int for that many text tokens, or ``(t, h, w)`` for a picture of t·h·w
            tokens (cells *after* any merging of patches).
        offset: the first number.
        time_step: numbers between frames, rounded down after multiplication in float32 (Qwen2.5-VL's absolute
            time).

    Returns:
        int64 ``[3, seq]`` and ``delta``; the token at index j ≥ seq of a continuing text stands at ``j +
        delta`` on all axes. (Keep one delta a row of a batch.)

    Raises:
        ValueError: a segment that is neither, or a negative size; more tokens than memory holds;
            ``time_step`` not positive and finite, or so large that frames stand beyond 2⁵³; a device that
            is not there.
        TypeError: an argument of the wrong type.

    Example:
        >>> ids, delta = positions_mrope([2, (1, 2, 2), 1])
        >>> ids
        tensor([[0, 1, 2, 2, 2, 2, 4],
                [0, 1, 2, 2, 3, 3, 4],
                [0, 1, 2, 3, 2, 3, 4]])
        >>> delta
        -2

    Source:
        Qwen2-VL, arXiv 2409.12191, section 2.1.
    """
    check_sequence("segments", segments)
    check_int("offset", offset, -FURTHEST, FURTHEST)
    check_finite("time_step", time_step, positive=True)
    check_device(device)
    parts, free = [], offset
    for segment in segments:
        if isinstance(segment, int) and not isinstance(segment, bool):
            check_int("segments", segment)
            check_room("segments", segment, 3, segment)
            part = positions_range(segment, free, device=device).expand(3, -1)
        elif isinstance(segment, tuple | list) and len(segment) == 3:
            for size in segment:
                check_int("segments", size)
            check_room("segments", segment, 3, *segment)
            if free + max(segment[0] - 1, 1) * time_step > FURTHEST:  # before integers wrap around
                raise ValueError(
                    f"time_step must keep frames within {FURTHEST}, got {time_step} for {shown(segment)}"
                )
            part = positions_grid(*segment, device=device)
            part = torch.stack([(part[0].float() * time_step).long(), part[1], part[2]]) + free
        else:
            raise ValueError(f"segments must be ints or (time, height, width), got {shown(segment)}")
        parts.append(part)
        free = int(part.max()) + 1 if part.numel() else free
    ids = torch.cat(parts, dim=1) if parts else torch.empty(3, 0, dtype=torch.int64, device=device)
    return ids, free - ids.shape[1]
