"""Cosine and sine integrals in float64, accurate to a few units of rounding, without SciPy."""

from __future__ import annotations

import math

import torch
from torch import Tensor

EULER_GAMMA = 0.57721566490153286061
_SERIES_UP_TO = 4.0  # below, the alternating series loses less than one digit; above, 120 levels suffice
_TERMS, _LEVELS = 20, 120


def cosine_sine_integrals(x: Tensor) -> tuple[Tensor, Tensor]:
    r"""Ci(x) and Si(x) for x > 0.

    :math:`\mathrm{Ci}(x)=\gamma+\ln x-\mathrm{Cin}(x)`, :math:`\mathrm{Cin}(x)=\int_0^x\frac{1-\cos t}t dt`,
    :math:`\mathrm{Si}(x)=\int_0^x\frac{\sin t}t dt`. Power series up to x = 4, beyond it the continued
    fraction of :math:`E_1(ix) = -\mathrm{Ci}(x) + i(\mathrm{Si}(x) - \pi/2)`.

    Args:
        x: float64, positive, any shape.

    Returns:
        Two tensors like x. Ci(0) is −∞.

    Example:
        >>> cosine_sine_integrals(torch.tensor([1.0, 10.0], dtype=torch.float64))
        (tensor([ 0.3374, -0.0455], dtype=torch.float64), tensor([0.9461, 1.6583], dtype=torch.float64))

    Source:
        DLMF, sections 6.2, 6.6 and 6.9.
    """
    e1 = _e1_imaginary(x)
    near = x <= _SERIES_UP_TO
    ci = torch.where(near, EULER_GAMMA + x.log() - _cin_series(x), -e1.real)
    si = torch.where(near, _si_series(x), e1.imag + math.pi / 2)
    return ci, si


def cin(x: Tensor) -> Tensor:
    r""":math:`\mathrm{Cin}(x)=\int_0^x\frac{1-\cos t}t dt`, small where Ci has its logarithm; x ≥ 0.

    Example:
        >>> cin(torch.tensor([0.0, 1.0], dtype=torch.float64))
        tensor([0.0000, 0.2398], dtype=torch.float64)
    """
    far = EULER_GAMMA + x.clamp(min=_SERIES_UP_TO).log() + _e1_imaginary(x).real
    return torch.where(x <= _SERIES_UP_TO, _cin_series(x), far)


def _cin_series(x: Tensor) -> Tensor:
    x2 = x.clamp(max=_SERIES_UP_TO).square()
    total = torch.zeros_like(x2)
    for k in range(_TERMS, 0, -1):  # Σ (−1)^{k+1} x^{2k} / (2k (2k)!), smallest terms first
        total = total - x2**k * ((-1) ** k / (2 * k * math.factorial(2 * k)))
    return total


def _si_series(x: Tensor) -> Tensor:
    x = x.clamp(max=_SERIES_UP_TO)
    total = torch.zeros_like(x)
    for k in range(_TERMS, -1, -1):  # Σ (−1)^k x^{2k+1} / ((2k+1) (2k+1)!)
        total = total + x ** (2 * k + 1) * ((-1) ** k / ((2 * k + 1) * math.factorial(2 * k + 1)))
    return total


def _e1_imaginary(x: Tensor) -> Tensor:
    """E₁(ix) for x ≥ 4 (smaller x are evaluated at 4): e^{−z} / (z+1 − 1²/(z+3 − 2²/(z+5 − …)))."""
    x = x.clamp(min=_SERIES_UP_TO)
    z = torch.complex(torch.zeros_like(x), x)
    level = z + (2 * _LEVELS + 1)
    for j in range(_LEVELS, 0, -1):
        level = z + (2 * j - 1) - j * j / level
    return torch.polar(torch.ones_like(x), -x) / level
