"""Sandwich: the inner product of two sinusoidal encodings, used as a bias."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import check_base, check_even
from posenc_lib.angles.double import back, exact
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.bias.distance import DistanceBias

# Frequencies as whole numbers of 2⁻⁴⁰ turns. Their multiples lose whole turns exactly, even where int64
# wraps, so float32 is enough for the cosine: the error is distance · 2⁻⁴¹ turns. Kernels then need no
# float64.
_TURN = 2**40
_LEAST_BASE = torch.finfo(torch.float32).tiny


@knows_names
class Sandwich(DistanceBias):
    r""":math:`b_h(m, n) = \frac{H}{8h}\sum_{i<\bar d/2}\cos\big((m-n)\,b^{-2i/\bar d}\big)`, h = 1 … H.

    The sum is the inner product of the sinusoidal encodings of m and n; nothing is learned. It falls about
    like :math:`-\frac{\bar d}{2\ln b}\ln|m-n|` until :math:`|m-n| \approx b`.

    Args:
        num_heads: H, the number of heads.
        dim: even width d̄ of the sinusoidal encoding.
        base: b, the base of its ladder.

    Raises:
        TypeError, ValueError: ``dim`` odd or not an integer; ``base`` not positive, or too small for float32.

    Example:
        >>> Sandwich(num_heads=8, dim=4).bias(torch.arange(1), torch.arange(1)).flatten()[:2]
        tensor([2., 1.])

    Source:
        Chi et al. 2023 (Dissecting Transformer Length Extrapolation), section 5.
    """

    def __init__(self, num_heads: int, dim: int = 128, base: float = 10000.0) -> None:
        super().__init__(num_heads)
        check_even("dim", dim)
        check_base(base)
        if base < _LEAST_BASE:
            raise ValueError(f"base must be a number of float32, at least {_LEAST_BASE:.3g}, got {base}")
        self.dim, self.base = dim, base
        with torch.device("cpu"):  # numbers, wherever the module is made
            self.frequencies = tuple(inv_freq(dim, base).tolist())

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        heads = torch.arange(1, self.num_heads + 1, dtype=dtype, device=device)
        return (self.num_heads / (8 * heads),)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        (weight,) = tables
        distance, dtype = n - m, weight.dtype
        in_float64 = dtype == torch.float64 or distance.is_floating_point()
        distance = exact(distance, torch.float64) if in_float64 else distance.long()
        total = torch.zeros_like(distance, dtype=dtype)
        for theta in self.frequencies:
            if in_float64:
                angle = distance * theta
            else:
                turns = (distance * (round(theta / (2 * math.pi) * _TURN) % _TURN)) % _TURN
                angle = turns.to(dtype) * (2 * math.pi / _TURN)
            total = total + torch.cos(angle).to(dtype)
        return weight[head] * back(total, weight.device, dtype)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, dim={self.dim}, base={self.base}"
