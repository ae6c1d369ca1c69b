"""ALiBi: a penalty that grows linearly with the distance, steeper for some heads than for others."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import MAX_WIDTH, check_int
from posenc_lib.bias.distance import DistanceBias


def alibi_slopes(num_heads: int) -> Tensor:
    r"""Slopes :math:`s_h = 2^{-8h/H}`, h = 1 … H, for H a power of two.

    For other H the paper's formula can be read literally, but released models do not: they take the slopes of
    the power of two P below H, then every second slope of 2P, :math:`2^{-8(2j-1)/(2P)}`, j = 1 … H − P. This
    function follows the released models (a sorted list of 12 differs from the literal formula by up to
    0.104).

    Args:
        num_heads: H ≥ 1.

    Returns:
        ``[H]`` float32, correctly rounded.

    Raises:
        TypeError, ValueError: ``num_heads`` is not an integer or below 1.

    Example:
        >>> alibi_slopes(4)
        tensor([0.2500, 0.0625, 0.0156, 0.0039])

    Source:
        Press et al. 2022, section 3.
    """
    return torch.tensor(_slopes(num_heads), dtype=torch.float32)


def _slopes(num_heads: int) -> list[float]:
    check_int("num_heads", num_heads, 1, MAX_WIDTH)
    power = 2 ** int(math.log2(num_heads))
    return [2.0 ** (-8 * h / power) for h in range(1, power + 1)] + [
        2.0 ** (-4 * (2 * j - 1) / power) for j in range(1, num_heads - power + 1)
    ]


@knows_names
class ALiBi(DistanceBias):
    r""":math:`b_h(m, n) = -s_h\,|m - n|`; nothing learned, nothing stored.

    The paper is causal; the absolute value is its usual extension to keys after the query. Subtracting
    :math:`s_h m` from a row changes no softmax, so models that add :math:`s_h n` give the same attention.

    Args:
        num_heads: H.
        alibi_num_heads: how many heads, the first ones, have a slope, those of :func:`alibi_slopes` for so
            many; the others get 0. None for all.

    Raises:
        TypeError, ValueError: counts that are not ints of at least 1; more slopes than heads.

    Example:
        >>> ALiBi(num_heads=1).bias(torch.arange(2, 3), torch.arange(4)) * 256
        tensor([[[-2., -1., -0., -1.]]])

    Source:
        Press et al. 2022, section 3.
    """

    fast_in_flex = True

    def __init__(self, num_heads: int, alibi_num_heads: int | None = None) -> None:
        super().__init__(num_heads)
        sloped = num_heads if alibi_num_heads is None else alibi_num_heads
        if check_int("alibi_num_heads", sloped, 1, MAX_WIDTH) > num_heads:
            raise ValueError(f"alibi_num_heads must be at most num_heads = {num_heads}, got {sloped}")
        self.alibi_num_heads = sloped

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        slopes = _slopes(self.alibi_num_heads) + [0.0] * (self.num_heads - self.alibi_num_heads)
        return (torch.tensor(slopes, dtype=dtype, device=device),)

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        (slopes,) = tables
        return -slopes[head] * (n - m).abs().to(slopes.dtype)

    def extra_repr(self) -> str:
        part = f", alibi_num_heads={self.alibi_num_heads}" if self.alibi_num_heads < self.num_heads else ""
        return super().extra_repr() + part
