r"""Angles counted in turns, as 64-bit integers: the reduction modulo 2π is exact and costs nothing.

θ/2π is stored as a fraction of 2⁶⁴. Position times fraction, in wrapping integer arithmetic, is the angle
modulo one turn; whole turns fall off at the top. The two highest bits are the quadrant, the rest goes to
float32 cosine and sine. No float64 is needed on the device, which matters where it is slow or absent.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._checks import check_dtype, check_factor, check_inv_freq, check_tensor

_ONE_OVER_TWO_PI = 0x28BE60DB9391054A7F09D5F47D4D377036D8A5664F10E4107F9458EAF7AEF158  # times 2^256
_INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def turns(inv_freq: Tensor) -> Tensor:
    r"""Turns per position, :math:`\mathrm{round}(2^{64}\,\theta_i/2\pi) \bmod 2^{64}`.

    The rounding is 2⁻⁶⁵ of a turn, so the angle at position p is off by p·1.7·10⁻¹⁹ rad, apart from the
    rounding of ``inv_freq`` itself.

    Args:
        inv_freq: ``[n]``, radians per position; taken as exact numbers. Not differentiable.

    Returns:
        int64 ``[n]`` (two's complement) on the device of ``inv_freq``.

    Raises:
        TypeError, ValueError: ``inv_freq`` is not a floating ``[n]`` of finite numbers.

    Example:
        >>> turns(torch.tensor([math.pi], dtype=torch.float64)).item() / 2**64  # half a turn
        0.5

    Source:
        fixed-point argument reduction; Payne and Hanek 1983 is its floating-point relative.
    """
    check_inv_freq(inv_freq)
    numbers = inv_freq.detach().double().tolist()
    if not all(math.isfinite(theta) for theta in numbers):
        raise ValueError(f"inv_freq must be finite, got {inv_freq}")
    signed = []
    for theta in numbers:
        numerator, denominator = theta.as_integer_ratio()
        scaled = 2 * numerator * _ONE_OVER_TWO_PI // (denominator << 192)  # one extra bit, to round
        fraction = (scaled + 1 >> 1) % 2**64
        signed.append(fraction - 2**64 if fraction >= 2**63 else fraction)
    return torch.tensor(signed, dtype=torch.int64, device=inv_freq.device)


def cos_sin_from_turns(
    turns: Tensor, position_ids: Tensor, *, attention_factor: float = 1.0, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    r""":func:`posenc_lib.cos_sin` for integer positions, with float32 trigonometry and no float64.

    After taking off the nearest quarter turn the angle lies within ±π/4, where float32 is fine enough: the
    error is below 1.2·10⁻⁷ at every position.

    Args:
        turns: int64 ``[n]`` from :func:`turns`, on the device of ``position_ids``.
        position_ids: integers ``[...]``, any in int64.
        attention_factor: multiplies both tables.
        dtype: float32, bfloat16 or float16.

    Returns:
        ``cos, sin``, each ``[..., n]``.

    Raises:
        TypeError: positions or turns that are not integers; another dtype.
        ValueError: ``turns`` is not 1-D; ``attention_factor`` not finite in float32; two devices.

    Example:
        >>> from posenc_lib import cos_sin, inv_freq
        >>> theta, at = inv_freq(64), torch.tensor([10**9])
        >>> ours, reference = cos_sin_from_turns(turns(theta), at), cos_sin(theta, at, dtype=torch.float64)
        >>> bool((ours[0] - reference[0]).abs().max() < 2e-7)  # here the reference is the less exact one
        True
    """
    check_tensor("turns", turns)
    check_tensor("position_ids", position_ids)
    check_factor("attention_factor", attention_factor, torch.float32)
    check_dtype("dtype", dtype, (torch.float32, torch.bfloat16, torch.float16))
    if turns.dtype != torch.int64 or turns.ndim != 1:
        raise ValueError(f"turns must be int64 [n], got {turns.dtype} {list(turns.shape)}")
    if position_ids.dtype not in _INTEGERS:
        raise TypeError(f"position_ids must be integers, got {position_ids.dtype}")
    if turns.device != position_ids.device:
        raise ValueError(f"turns is on {turns.device} but position_ids is on {position_ids.device}")
    angle = position_ids.to(torch.int64).unsqueeze(-1) * turns  # wraps: modulo one turn
    quadrant = (angle + 2**61) >> 62  # the nearest quarter turn, −2 … 1
    rest = (angle - (quadrant << 62)).to(torch.float32) * (2 * math.pi / 2**64)
    cos, sin = rest.cos(), rest.sin()
    odd = (quadrant & 1).bool()
    cos, sin = torch.where(odd, -sin, cos), torch.where(odd, cos, sin)
    factor = cos.new_tensor(attention_factor)  # float32, whatever the default dtype
    sign = torch.where((quadrant & 2).bool(), -factor, factor)
    return (cos * sign).to(dtype), (sin * sign).to(dtype)
