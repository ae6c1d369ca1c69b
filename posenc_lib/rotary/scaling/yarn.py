"""YaRN (arXiv 2309.00071): interpolate the slow planes, keep the fast ones, and a ramp between."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._checks import check_flag, shown
from posenc_lib.angles.double import back, exact
from posenc_lib.rotary.scaling.scalars import (
    Scalar,
    Scaled,
    check_ladder,
    finite,
    log,
    plane_index,
    positive,
    refuse_order,
    stretch,
)


def yarn(
    inv_freq: Tensor,
    length: int | None = None,
    *,
    factor: Scalar,
    original_max_position_embeddings: int,
    beta_fast: Scalar = 32.0,
    beta_slow: Scalar = 1.0,
    truncate: bool = True,
    mscale: Scalar | None = None,
    mscale_all_dim: Scalar | None = None,
    attention_factor: Scalar | None = None,
    ramp: str = "code",
) -> Scaled:
    r""":math:`\theta_i \mapsto \gamma_i\theta_i + (1-\gamma_i)\theta_i/s`, the ramp γ going from 1 (fast
    planes, kept) to 0 (slow, interpolated).

    With :math:`r_i = L_0\theta_i/2\pi`, the turns of plane i in the original context, the paper's ramp is
    linear in r between ``beta_fast`` and ``beta_slow``. The released code, with which checkpoints were
    trained, is linear in the plane's *index*, that is in log r, and can round its ends outward to whole
    planes. The two ramps differ by up to 0.376.

    Args:
        inv_freq: ``[n]``, n ≥ 2, a geometric ladder (its ratio gives the index that belongs to each β).
        length: not used; all lengths get the same frequencies.
        factor: s ≥ 1, new length / original length.
        original_max_position_embeddings: L₀.
        beta_fast, beta_slow: turns at the two ends of the ramp. Equal ones make the code's ramp a step
            (Kimi K2-0905 is released with 1 and 1).
        truncate: round the ends of the code's ramp to whole planes.
        mscale, mscale_all_dim: if both are given and not 0, the factor is m(s, mscale)/m(s, mscale_all_dim);
            each of the two m's positive, and its square finite.
        attention_factor: the factor itself, in place of ``yarn_mscale`` of s.
        ramp: ``"code"`` or ``"paper"``.

    Returns:
        ``[n]`` frequencies like ``inv_freq``, and the factor on cos and sin.

    Raises:
        ValueError: a parameter not positive and finite, ``factor`` below 1, β's in the wrong order, one
            plane, unknown ``ramp``.
        TypeError: a parameter that is neither a number nor a tensor.

    Example:
        >>> theta = torch.tensor([1.0, 0.1, 0.01], dtype=torch.float64)
        >>> yarn(theta, factor=4.0, original_max_position_embeddings=256, truncate=False)[0]
        tensor([1.0000, 0.0554, 0.0025], dtype=torch.float64)

    Source:
        arXiv 2309.00071v2, equations 17 to 22, and the released code.
    """
    check_ladder(inv_freq, length)
    stretch("factor", factor)
    original = positive("original_max_position_embeddings", original_max_position_embeddings)
    fast, slow = positive("beta_fast", beta_fast), positive("beta_slow", beta_slow)
    numbers = not isinstance(fast, Tensor) and not isinstance(slow, Tensor)
    if not (numbers and fast == slow and ramp == "code"):
        refuse_order("beta_slow", slow, "beta_fast", fast)
    check_flag("truncate", truncate)
    if ramp == "code":
        slowed = _index_ramp(inv_freq, original, fast, slow, truncate)
    elif ramp == "paper":
        turns = inv_freq * (original / (2 * math.pi))
        slowed = ((fast - turns) / (fast - slow)).clamp(0.0, 1.0)
    else:
        raise ValueError(f"ramp must be 'code' or 'paper', got {shown(ramp)}")
    scaled = inv_freq * (1 - slowed) + inv_freq / factor * slowed  # slowed is 1 − γ
    ours, theirs = _size("mscale", factor, mscale), _size("mscale_all_dim", factor, mscale_all_dim)
    if attention_factor is not None:
        return scaled, positive("attention_factor", attention_factor)
    if ours is None or theirs is None:
        return scaled, yarn_mscale(factor)
    return scaled, ours / theirs


def yarn_mscale(factor: Scalar, scale: Scalar = 1.0) -> Scalar:
    r""":math:`m(s, a) = 0.1\,a\ln s + 1` for s = ``factor`` > 1, a = ``scale``; else 1.

    Raises:
        ValueError, TypeError: ``factor`` is not a positive finite number (or a tensor).

    Example:
        >>> round(yarn_mscale(8.0), 6)
        1.207944

    Source:
        arXiv 2309.00071v2, equation 22, where this is √(1/t).
    """
    return 0.1 * scale * log(factor) + 1.0 if positive("factor", factor) > 1 else 1.0


def _size(name: str, factor: Scalar, scale: Scalar | None) -> Scalar | None:
    """m(s, scale), whose square is a factor on scores; None where ``scale`` is None or 0."""
    finite(name, scale)
    if scale is None or (not isinstance(scale, Tensor) and scale == 0):
        return None
    m = yarn_mscale(factor, scale)
    if not isinstance(m, Tensor) and not (m > 0 and m * m < math.inf):
        raise ValueError(f"{name} must make m(s, {name}) positive and its square finite, got {scale}: {m}")
    return m


def _index_ramp(inv_freq: Tensor, original: Scalar, fast: Scalar, slow: Scalar, truncate: bool) -> Tensor:
    index, last = plane_index(inv_freq, "yarn")
    ends = exact(inv_freq, torch.float64)  # the released code finds them in float64, too
    first, slowest = ends[..., :1], ends[..., -1:]
    step = torch.log(first / slowest) / last  # (2/d)·ln b on a geometric ladder
    low = torch.log(first * original / (2 * math.pi * fast)) / step
    high = torch.log(first * original / (2 * math.pi * slow)) / step
    if truncate:
        low, high = low.floor(), high.ceil()
    # The released code clips the upper end to d−1, not to the last plane's index n−1.
    low, high = low.clamp(min=0.0), high.clamp(max=2.0 * last + 1)
    high = torch.where(low == high, high + 1e-3, high)
    start, width = (back(end, index.device, index.dtype) for end in (low, high - low))
    return ((index - start) / width).clamp(0.0, 1.0)
