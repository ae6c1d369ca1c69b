"""Which base a context needs, by the criterion that the decay kernel stays non-negative."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import check_even, check_finite, check_int


def base_lower_bound(context_length: int, dim: int, *, rtol: float = 1e-9) -> float:
    r"""The smallest base b > 1 with :math:`\sum_i\cos(m b^{-2i/d}) \ge 0` for all m < context_length.

    Found by walking up in u = ln b: where some distance has a negative sum f, no base within :math:`-f /
    \max|\partial f/\partial u|` is feasible, so that interval is skipped. The derivative is bounded by
    :math:`m\sum_i s_i b^{-s_i}`, s = 2i/d, which falls with b. The sums are float64, not ball arithmetic, so
    this is a computation and not a certificate; and feasible bases form islands, so a larger base may fail
    again.

    Args:
        context_length: L ≥ 2.
        dim: even width d ≥ 4.
        rtol: relative width at which the walk stops.

    Returns:
        The base, to `rtol`.

    Raises:
        TypeError, ValueError: counts that are not ints in range; `rtol` not positive and finite.

    Example:
        >>> round(base_lower_bound(256, 128))
        890

    Source: Xu et al. 2024, Theorem 1 and Table 2, whose entries are upper estimates of this number.
    """
    check_int("context_length", context_length, minimum=2)
    check_even("dim", dim)
    check_finite("rtol", rtol, positive=True)
    if dim < 4:
        raise ValueError(f"dim must be at least 4 (one plane has no base), got {dim}")
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    every = torch.arange(1, context_length, dtype=torch.float64)
    u, worst = 0.0, every
    while True:
        skip = _skippable(u, worst, exponent)
        if float(skip.max()) <= rtol and len(worst) < len(every):
            skip = _skippable(u, every, exponent)
            worst = every[skip.topk(min(64, len(every))).indices]  # most likely to exclude the next bases too
        if float(skip.max()) <= rtol:
            return float(torch.tensor(u, dtype=torch.float64).exp())
        if len(worst) == len(every) > 64:
            worst = every[skip.topk(64).indices]
        u += float(skip.max())


def _skippable(u: float, distances: Tensor, exponent: Tensor) -> Tensor:
    """How far in u = ln b each distance keeps the sum negative, at least."""
    theta = (-u * exponent).exp()
    sums = (distances[:, None] * theta).cos().sum(-1)
    slope = distances * (exponent * theta).sum()
    return -sums / slope
