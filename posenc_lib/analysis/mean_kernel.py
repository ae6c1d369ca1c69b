"""The mean kernel of a ladder of frequencies against distance, and its integral in closed form."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._checks import check_finite, check_flag, check_positions
from posenc_lib.analysis.integrals import cin, cosine_sine_integrals
from posenc_lib.angles.tables import cos_sin


def decay_kernel(distances: Tensor, inv_freq: Tensor) -> Tensor:
    r"""The mean :math:`\frac1N\sum_i \cos(x\theta_i)`, 1 at distance 0.

    It is :math:`\langle PE(p), PE(p+x)\rangle / N` for the sinusoidal encoding, and the expected rotary
    score of content that q and k share, relative to distance 0.

    Args:
        distances: x ``[...]``, integers or floating, any sign.
        inv_freq: ``[N]``, radians per position.

    Returns:
        float64 ``[...]``.

    Raises:
        TypeError, ValueError: as :func:`~posenc_lib.cos_sin`.

    Example:
        >>> from posenc_lib import inv_freq
        >>> decay_kernel(torch.tensor([0, 1, 10]), inv_freq(128))
        tensor([1.0000, 0.9702, 0.6691], dtype=torch.float64)

    Source:
        the rotation-matrix article, equation (5); Su's article, equation (11).
    """
    check_positions(distances, "distances")
    return cos_sin(inv_freq, distances, dtype=torch.float64)[0].mean(-1)


def decay_integral(x: Tensor, base: float = 10000.0, *, complex_value: bool = False) -> Tensor:
    r"""The limit N → ∞ of :func:`decay_kernel`, an oscillatory integral, in closed form.

    :math:`\int_0^1\cos(x b^{-t})dt = \frac{\mathrm{Ci}(x)-\mathrm{Ci}(x/b)}{\ln b}`.
    Near x = 1 … b it falls like :math:`1-(\gamma+\ln x)/\ln b`. Absolute error below
    10⁻¹³ for b ≥ 1.1; towards b = 1 it grows like 1/ln b.

    Args:
        x: distances ``[...]``, any sign (the integral is even).
        base: b > 1.
        complex_value: return :math:`\int_0^1 e^{ixb^{-t}}dt`, whose imaginary part is
            :math:`(\mathrm{Si}(x)-\mathrm{Si}(x/b))/\ln b`.

    Returns:
        float64 ``[...]``, or complex128.

    Raises:
        TypeError, ValueError: x not a real tensor of finite numbers; ``base`` not a finite number above 1.

    Example:
        >>> decay_integral(torch.tensor([0.0, 1.0, 100.0]))
        tensor([1.0000, 0.9740, 0.4368], dtype=torch.float64)

    Source:
        Su's article, equation (11); the closed form by substituting u = x b^{-t}.
    """
    check_positions(x, "x")
    check_finite("base", base, positive=True)
    check_flag("complex_value", complex_value)
    if base <= 1:
        raise ValueError(f"base must exceed 1, got {base}")
    near, far = x.double().abs() / base, x.double().abs()
    # Up to x = b the logarithms of the two Ci cancel, so Cin; beyond, the integral is small, and Ci keeps it.
    ci_far, si_far = cosine_sine_integrals(far)
    ci_near, si_near = cosine_sine_integrals(near)
    log_base = math.log(base)
    real = torch.where(near > 1, (ci_far - ci_near) / log_base, 1 - (cin(far) - cin(near)) / log_base)
    if not complex_value:
        return real
    return torch.complex(real, x.double().sign() * (si_far - si_near) / log_base)
