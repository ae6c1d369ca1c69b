"""LongRoPE (arXiv 2402.13753): each plane is divided by a number of its own, another one for long texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lib._checks import check_finite, check_sequence
from posenc_lib.rotary.scaling.scalars import Scalar, Scaled, check_ladder, log, positive, sqrt


def longrope(
    inv_freq: Tensor,
    length: int | None = None,
    *,
    short_factor: Sequence[float] | Tensor,
    long_factor: Sequence[float] | Tensor,
    original_max_position_embeddings: int,
    factor: Scalar | None = None,
    attention_factor: Scalar | None = None,
) -> Scaled:
    r""":math:`\theta_i \mapsto \theta_i/\lambda_i` with λ = ``long_factor`` iff ``length > L₀``, else
    ``short_factor``; one for each plane.

    The factor on the tables is ``attention_factor``, or :math:`\sqrt{1 + \ln s/\ln L_0}` with s = ``factor``
    (1 if s ≤ 1), at every length.

    Raises:
        ValueError: another number of factors than planes; a number that is not positive and finite; neither
            ``factor`` nor ``attention_factor``.
        TypeError: a parameter that is no number, list or tensor.

    Example:
        >>> rule = dict(short_factor=[1.0, 1.0], long_factor=[1.0, 4.0], original_max_position_embeddings=16)
        >>> longrope(torch.tensor([1.0, 0.1]), 17, factor=4.0, **rule)
        (tensor([1.0000, 0.0250]), 1.224744871391589)

    Source:
        LongRoPE, arXiv 2402.13753, and its released code.
    """
    check_ladder(inv_freq, length)
    original = positive("original_max_position_embeddings", original_max_position_embeddings)
    short, long = (
        _one_a_plane(name, value, inv_freq)
        for name, value in (("short_factor", short_factor), ("long_factor", long_factor))
    )
    scaled = inv_freq / (short if length is None or length <= original else long)
    if attention_factor is not None:
        return scaled, positive("attention_factor", attention_factor)
    if factor is None:
        raise ValueError("longrope needs factor (new length / original length) or attention_factor")
    if positive("factor", factor) <= 1:
        return scaled, 1.0
    if original <= 1:
        raise ValueError(f"original_max_position_embeddings must exceed 1, or ln L₀ is 0; got {original}")
    return scaled, sqrt(1 + log(factor) / math.log(original))


def _one_a_plane(name: str, value: Sequence[float] | Tensor, inv_freq: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        positive(name, value)
    else:
        check_sequence(name, value)
        for number in value:
            check_finite(name, number, positive=True)
    rescale = torch.as_tensor(value, dtype=inv_freq.dtype, device=inv_freq.device)
    if rescale.shape != inv_freq.shape[-1:]:
        raise ValueError(f"{name} must hold one number a plane, {inv_freq.shape[-1]}, got {rescale.numel()}")
    return rescale
