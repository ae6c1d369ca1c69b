"""Tables of cos and sin from a matrix of frequencies: angles that are linear in a vector of coordinates."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import check_dtype, check_factor, check_frequencies, check_positions, moved
from posenc_lib.angles.double import back, check_storable, exact


def cos_sin_axes(
    frequencies: Tensor,
    position_ids: Tensor,
    *,
    attention_factor: float = 1.0,
    dtype: torch.dtype = torch.float32,
    angle_dtype: torch.dtype = torch.float64,
) -> tuple[Tensor, Tensor]:
    r"""Tables of :math:`a\cos\varphi_i` and :math:`a\sin\varphi_i` with
    :math:`\varphi_i = \sum_a p_a F_{ai}`.

    Args:
        frequencies: F, ``[axes, n]`` for all heads, or ``[axes, heads, 1, n]``; radians a position. Moved
            to the device of ``position_ids``; gradients flow to it.
        position_ids: ``[axes, …, seq]``, integers (exact up to 2⁵³) or float32/float64 (fractions of a cell).
            With frequencies for each head it needs an axis of size 1 for them: ``[axes, batch, 1, seq]``.
        attention_factor: multiplies both tables.
        dtype: of the tables.
        angle_dtype: of the angles; float32 reproduces checkpoints trained that way.

    Returns:
        cos, sin, each ``[…, seq, n]``.

    Raises:
        ValueError: the two disagree about the number of axes, or, with frequencies for each head, about the
            axis of heads; frequencies of another shape; positions that ``angle_dtype`` cannot hold; an
            ``attention_factor`` that is not finite in ``dtype``; float64 tables on a device without float64.
        TypeError: ``frequencies`` not floating point, positions of a half-precision dtype, a wrong ``dtype``.

    Example:
        >>> from posenc_lib import axial_frequencies
        >>> F = axial_frequencies(4, 2)
        >>> cos, sin = cos_sin_axes(F, torch.tensor([[0, 1], [2, 3]]), dtype=torch.float64)
        >>> torch.equal(cos, torch.tensor([[0.0, 2.0], [1.0, 3.0]], dtype=torch.float64).cos())
        True
    """
    check_frequencies("frequencies", frequencies)
    check_dtype("angle_dtype", angle_dtype, (torch.float64, torch.float32))
    check_dtype("dtype", dtype, (torch.float64, torch.float32, torch.bfloat16, torch.float16))
    check_factor("attention_factor", attention_factor, angle_dtype if dtype is torch.float64 else dtype)
    check_positions(position_ids, "position_ids", angle_dtype)
    axes = frequencies.shape[0] if frequencies.ndim >= 2 else 0
    if axes == 0 or position_ids.ndim < 2 or position_ids.shape[0] != axes:
        raise ValueError(
            f"frequencies [axes, ..., n] and position_ids [axes, ..., seq] must agree about axes, "
            f"got {list(frequencies.shape)} and {list(position_ids.shape)}"
            + "; axis_frequencies(inv_freq, sections) deals frequencies to axes" * (frequencies.ndim == 1)
            + _meant(position_ids, axes)
        )
    _check_heads(frequencies, position_ids)
    check_storable("dtype", dtype, position_ids.device)
    positions = exact(position_ids, angle_dtype)
    matrix = moved("frequencies", frequencies, positions, angle_dtype)
    # A sum over a handful of axes, written out: a matrix product may round to TensorFloat-32 or reorder.
    terms = [p.unsqueeze(-1) * f for p, f in zip(positions, matrix, strict=True)]
    angle = torch.stack(torch.broadcast_tensors(*terms)).sum(0)
    cos, sin = angle.cos() * attention_factor, angle.sin() * attention_factor
    return back(cos, position_ids.device, dtype), back(sin, position_ids.device, dtype)


def _meant(position_ids: Tensor, axes: int) -> str:
    """What positions without a leading axis of coordinates may be, as the end of a message."""
    if axes == 0 or position_ids.ndim not in (1, 2):
        return ""
    text = ", ".join([str(axes), *["-1"] * position_ids.ndim])
    last = "; if the last axis holds the coordinates, give position_ids.T"
    return f"; for text give position_ids.expand({text})" + last * (position_ids.shape[1:] == (axes,))


def _check_heads(frequencies: Tensor, position_ids: Tensor) -> None:
    """Frequencies for all heads or for each, and then positions whose batch does not meet the heads."""
    if frequencies.ndim == 2:
        return
    if frequencies.ndim != 4 or frequencies.shape[2] != 1:
        raise ValueError(
            f"frequencies must have shape [axes, n] or [axes, heads, 1, n], got {list(frequencies.shape)}"
        )
    heads, met = frequencies.shape[1], position_ids.shape[-2] if position_ids.ndim > 2 else 1
    if heads != 1 and met != 1 and not (position_ids.ndim > 3 and met == heads):
        raise ValueError(
            f"position_ids must have shape [axes, batch, 1, seq] beside frequencies for {heads} heads, "
            f"got {list(position_ids.shape)}" + "; give position_ids.unsqueeze(-2)" * (position_ids.ndim == 3)
        )
