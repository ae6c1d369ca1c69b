"""Which base a context needs, by the criterion that the decay kernel stays non-negative."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._allocation import check_room
from posenc_lib._checks import check_even, check_finite, check_int, check_inv_freq

POOL = 256  # distances tried first: those that excluded most when all were tried last
WIDEST = 0.1  # half-width of the first cell
FINEST = 1e-13  # half-widths below this are lost in float64


def base_lower_bound(context_length: int, dim: int, *, rtol: float = 1e-9) -> float:
    r"""The infimum of the bases b > 1 with :math:`\sum_i\cos(m b^{-2i/d}) \ge 0` for all m < context_length.

    Found by walking up from b = 1 in cells, each with a distance at which its sums are negative, until no
    distance settles another cell. The sums are float64, not ball arithmetic, so this is a computation and
    not a certificate; and feasible bases form islands, so a larger base may fail again.

    The walk has thousands of steps, and most of them look at every distance: with d = 128 it takes about a
    second for L = 4096, half a minute for 131072, and over a minute for a million.

    Args:
        context_length: L ≥ 2.
        dim: even width d ≥ 4.
        rtol: relative half-width of the last cells, below 0.1.

    Returns:
        The base, approached from below; what is missing is some multiples of ``rtol``, relatively. It is 1
        where no base is excluded.

    Raises:
        TypeError, ValueError: counts that are not ints in range, or ask for more numbers than any memory
            holds; ``rtol`` not positive, or not below 0.1.

    Example:
        >>> round(base_lower_bound(256, 128))
        890

    Source:
        Xu et al. 2024, Theorem 1 and Table 2, whose entries are upper estimates of this number.
    """
    edges, _ = base_cover(context_length, dim, rtol=rtol)
    return math.exp(edges[-1])


def base_cover(
    context_length: int, dim: int, *, start: float = 1.0, rtol: float = 1e-9
) -> tuple[list[float], list[int]]:
    r"""Cells that join up and leave no base feasible, each with a distance at which its sums are negative.

    For u = ln b between neighbouring edges, :math:`f(u, m) = \sum_i\cos(m e^{-us_i}) < 0`, s = 2i/d, at the
    distance m of the cell. In u a sum changes by at most :math:`m\sum_i s_i e^{-us_i}` per unit, which falls
    with u; so a sum −v in the middle settles a cell, if its half-width is below v over that slope, taken at
    the left edge. The walk goes up from ``start`` until no distance settles a cell of half-width ``rtol``.

    Args:
        context_length: L ≥ 2; distances are 1 … L − 1.
        dim: even width d ≥ 4.
        start: the base at which the first cell begins, at least 1.
        rtol: smallest half-width of a cell in u, that is, relative in b; below 0.1, that of the first cell.

    Returns:
        N + 1 edges in u = ln b, from ln ``start``, and the N distances between them.

    Raises:
        TypeError, ValueError: counts that are not ints in range, or ask for more numbers than any memory
            holds; ``start`` below 1 or not finite; ``rtol`` not positive, or not below 0.1.

    Example:
        >>> edges, distances = base_cover(256, 128)
        >>> round(math.exp(edges[-1])), distances[-1]
        (890, 255)

    Source:
        the question is Xu et al.'s (2024, Theorem 1); the cells are this library's.
    """
    check_int("context_length", context_length, minimum=2)
    check_even("dim", dim)
    check_finite("start", start)
    check_finite("rtol", rtol, positive=True)
    if dim < 4:
        raise ValueError(f"dim must be at least 4 (one plane has no base), got {dim}")
    if start < 1:
        raise ValueError(f"start must be at least 1, got {start}")
    if rtol >= WIDEST:
        raise ValueError(f"rtol must be below {WIDEST}, the half-width of the first cell, got {rtol}")
    check_room("context_length", context_length, context_length)
    check_room("dim", dim, math.isqrt(context_length) + POOL, dim // 2)
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    every = torch.arange(1, context_length, dtype=torch.float64)
    few = every[:1]
    edges, distances, half = [math.log(start)], [], WIDEST
    while half > max(rtol, FINEST):
        theta = (-(edges[-1] + half) * exponent).exp()
        slope = (exponent * (-edges[-1] * exponent).exp()).sum()
        reach = -(few[:, None] * theta).cos().sum(-1) / (few * slope)
        if reach.max() <= half:
            reach = -kernel_sums(theta, context_length)[1:] / (every * slope)
            reach, best = reach.topk(min(POOL, len(every)))
            few = every[best]
        farthest = float(reach.max())
        if farthest > 1.0001 * half:
            distances.append(int(few[reach.argmax()]))
            edges.append(edges[-1] + 2 * half)
            half = 0.99 * farthest
        else:
            half *= 0.7
    return edges, distances


def kernel_sums(inv_freq: Tensor, context_length: int) -> Tensor:
    r"""The sums :math:`\sum_i\cos m\theta_i` for m = 0 … context_length − 1, by one matrix product.

    With m = a + A k, :math:`\cos m\theta = \cos a\theta\cos Ak\theta - \sin a\theta\sin Ak\theta`: about
    :math:`2\sqrt{L}` sines and cosines for each frequency in place of L.

    Args:
        inv_freq: ``[N]``, float64, radians per position.
        context_length: L ≥ 1.

    Returns:
        float64 ``[L]``, N times :func:`decay_kernel`.

    Raises:
        TypeError, ValueError: ``inv_freq`` not float64, or not of shape [n]; a length below 1, or of more
            numbers than any memory holds.

    Example:
        >>> kernel_sums(torch.tensor([1.0, 0.1], dtype=torch.float64), 3)
        tensor([2.0000, 1.5353, 0.5639], dtype=torch.float64)

    Source:
        the addition theorem.
    """
    check_int("context_length", context_length, minimum=1)
    check_room("context_length", context_length, context_length)
    check_inv_freq(inv_freq)
    if inv_freq.dtype is not torch.float64:
        raise TypeError(f"inv_freq must be float64, got {inv_freq.dtype}")
    side = math.isqrt(context_length - 1) + 1
    near = torch.arange(side, dtype=torch.float64)[:, None] * inv_freq
    far = torch.arange(0, context_length, side, dtype=torch.float64)[:, None] * inv_freq
    return (far.cos() @ near.cos().T - far.sin() @ near.sin().T).flatten()[:context_length]
