"""xPos: rotary tables with a decay in the distance, kept finite and fixed."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lib._checks import FURTHEST, check_dtype, check_finite, check_int, check_local
from posenc_lib._torch_state import compiling, is_wrapped
from posenc_lib.angles.tables import cos_sin


def cos_sin_xpos(
    inv_freq: Tensor,
    position_ids: Tensor,
    *,
    scale_base: float = 512.0,
    center: int = 0,
    gamma: float = 0.4,
    dtype: torch.dtype = torch.float32,
) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    r"""xPos: tables for queries and tables for keys, whose product decays with the distance.

    Queries get :math:`\zeta_i^{(m-c)/B}\,e^{im\theta_i}`, keys :math:`\zeta_i^{-(n-c)/B}\,e^{in\theta_i}`,
    :math:`\zeta_i = (i/N + \gamma)/(1 + \gamma)` with N planes; the score then holds
    :math:`\zeta_i^{(m-n)/B}`, for causal attention (m ≥ n). The centre c is *fixed*: were it the middle of
    the current sequence, cached keys would go stale as the sequence grows.

    Args:
        inv_freq: ``[N]``, radians a position.
        position_ids: ``[…]``, integers or float32/float64.
        scale_base: B > 0, positions for one power of ζ.
        center: c, a constant of the model.
        gamma: γ > 0, smallest ζ is γ/(1 + γ).
        dtype: of the tables.

    Returns:
        ``(cos_q, sin_q), (cos_k, sin_k)``, each ``[…, N]``.

    Raises:
        ValueError: a position so far from ``center`` that the square of a table would overflow ``dtype``
            (18000 positions in float32 with the defaults). Not checked while compiling or under torch.func:
            the check reads positions.
        TypeError, ValueError: as :func:`cos_sin`.

    Example:
        >>> (cos_q, _), (cos_k, _) = cos_sin_xpos(torch.tensor([0.0]), torch.tensor([0, 512]))
        >>> cos_q.squeeze(), cos_k.squeeze()
        (tensor([1.0000, 0.2857]), tensor([1.0000, 3.5000]))

    Source:
        xPos, arXiv 2212.10554, section 2; the fixed centre and the logarithms are ours.
    """
    check_finite("scale_base", scale_base, positive=True)
    check_finite("gamma", gamma, positive=True)
    check_int("center", center, -FURTHEST, FURTHEST)
    check_dtype("dtype", dtype, (torch.float64, torch.float32, torch.bfloat16, torch.float16))
    cos, sin = cos_sin(inv_freq, position_ids, dtype=torch.float64)
    check_local("position_ids", position_ids)
    n = inv_freq.shape[0]
    zeta = (torch.arange(n, dtype=torch.float64, device=cos.device) / n + gamma) / (1 + gamma)
    exponent = (position_ids.to(torch.float64) - center).unsqueeze(-1) / scale_base * zeta.log()
    limit = math.log(torch.finfo(dtype).max) / 2
    looked_at = not (compiling() or exponent.is_meta or is_wrapped(exponent))
    if looked_at and exponent.numel() and float(exponent.abs().max()) > limit:
        far = int(limit * scale_base / -math.log(gamma / (1 + gamma)))
        raise ValueError(
            f"position_ids must lie within {far} of center={center}: beyond, xPos overflows {dtype}; "
            f"use a larger scale_base than {scale_base} or a wider dtype"
        )
    up, down = exponent.exp(), (-exponent).exp()
    return ((cos * up).to(dtype), (sin * up).to(dtype)), ((cos * down).to(dtype), (sin * down).to(dtype))
