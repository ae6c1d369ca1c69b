"""Angular frequencies θ_0 … θ_{N−1} of the planes, N = dim/2, in radians per position."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lib._checks import check_base, check_dtype, check_even, check_flag, check_tensor, shown

_DTYPES = (torch.float32, torch.float64)


def inv_freq(dim: int, base: float = 10000.0, *, dtype: torch.dtype = torch.float64) -> Tensor:
    r"""The geometric ladder :math:`\theta_i = b^{-2i/d}`, :math:`i = 0, …, d/2-1`.

    Wavelengths :math:`2\pi/\theta_i` run from :math:`2\pi` to :math:`2\pi b^{(d-2)/d}` positions.

    Args:
        dim: even width d ≥ 2.
        base: b > 0.
        dtype: of the result *and of the arithmetic*. ``torch.float32`` gives, bit for bit, the table that
            most checkpoints were trained with; ``inv_freq(d).float()`` gives the float32 numbers nearest to
            the formula.

    Returns:
        ``[dim/2]``, radians per position, on the CPU.

    Raises:
        TypeError: ``dim`` is not an int, ``base`` not a number, or ``dtype`` is neither float32 nor float64.
        ValueError: ``dim`` is odd or below 2, or ``base`` is not positive and finite, or so small or large
            that ``dtype`` does not hold it.

    Example:
        >>> inv_freq(8)
        tensor([1.0000, 0.1000, 0.0100, 0.0010], dtype=torch.float64)

    Source:
        Vaswani et al. 2017, section 3.5; Su et al. 2021, equation (15), with i counted from 0.
    """
    check_even("dim", dim)
    check_dtype("dtype", dtype, _DTYPES)
    _check_base(base, dtype)
    return 1.0 / base ** (torch.arange(0, dim, 2, dtype=torch.int64).to(dtype) / dim)


def _check_base(base: float, dtype: torch.dtype) -> None:
    """Refuse a base with which the arithmetic of ``dtype`` would give 0 or infinity for some frequency."""
    check_base(base)
    least, most = torch.finfo(dtype).tiny, torch.finfo(dtype).max
    if not least <= base <= most:
        raise ValueError(f"base must lie in {least:.4g}..{most:.4g}, which {dtype} holds, got {base}")


def midpoint_inv_freq(dim: int, base: float = 10000.0) -> Tensor:
    r"""The ladder sampled in the middle of each step, :math:`\theta_i = b^{-(2i+1)/d}`.

    The mean of :math:`e^{ix\theta_i}` is then the midpoint rule for :math:`\int_0^1 e^{ixb^{-t}}dt`, without
    the boundary term :math:`(e^{ix}-e^{ix/b})/d` that the usual ladder adds.

    Returns:
        ``[dim/2]`` float64, radians per position.

    Raises:
        TypeError, ValueError: as :func:`inv_freq`.

    Example:
        >>> midpoint_inv_freq(4, base=16.0)
        tensor([0.5000, 0.1250], dtype=torch.float64)
    """
    _check_base(base, torch.float64)
    return sample_inv_freq(lambda t: base**-t, dim, midpoint=True)


def sample_inv_freq(theta: Callable[[Tensor], Tensor], dim: int, *, midpoint: bool = False) -> Tensor:
    r"""Frequencies :math:`\theta_i = \theta(t_i)` for any function θ on [0, 1].

    :math:`t_i = i/N` or, with ``midpoint``, :math:`(i+\tfrac12)/N`; N = dim/2. This covers every choice that
    Su's article compares: ``lambda t: t``, ``lambda t: t**2``, ``lambda t: 1000.0**-t``.

    Args:
        theta: maps a float64 tensor of points in [0, 1] to frequencies, elementwise.
        dim: even width d ≥ 2.
        midpoint: take the middle of each of the N intervals in place of its left end.

    Returns:
        ``[dim/2]`` float64, radians per position.

    Raises:
        TypeError: ``theta`` is not a function that returns a tensor, of real numbers, or ``dim`` is not an
            int.
        ValueError: ``dim`` is odd, or ``theta`` returns another shape or a number that is not finite.

    Example:
        >>> sample_inv_freq(lambda t: t**2, 8, midpoint=True)
        tensor([0.0156, 0.1406, 0.3906, 0.7656], dtype=torch.float64)
    """
    check_even("dim", dim)
    check_flag("midpoint", midpoint)
    if not callable(theta):
        raise TypeError(f"theta must be a function of t, got {shown(theta)}")
    n = dim // 2
    t = (torch.arange(n, dtype=torch.float64) + (0.5 if midpoint else 0.0)) / n
    values = theta(t)
    if check_tensor("theta(t)", values).is_complex():
        raise TypeError(f"theta(t) must be real, radians per position, got {values.dtype}")
    if values.shape != t.shape or not bool(torch.isfinite(values).all()):
        raise ValueError(f"theta(t) must be {n} finite numbers, got shape {list(values.shape)}: {values}")
    return values.double()
