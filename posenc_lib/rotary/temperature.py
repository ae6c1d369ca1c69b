"""A factor on queries that grows with their position, so that attention stays sharp among more keys."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import FURTHEST, check_dtype, check_finite, check_int, check_integers, check_positions
from posenc_lib._torch_state import concrete
from posenc_lib.angles.double import back, check_storable, exact


def attention_temperature(
    position_ids: Tensor, *, slope: float, length: int, first: int = 0, dtype: torch.dtype = torch.float32
) -> Tensor:
    r"""The factor on the query at position m: :math:`1 + \mathrm{slope}\cdot\ln\big(1 + \lfloor (m +
    \mathrm{first})/\mathrm{length}\rfloor\big)`.

    It is 1 as long as m + first < ``length``. A rotary score is then a function of m − n times a function
    of m: keys keep their order, and relativity is lost. Llama 4 has ``slope=0.1, length=8192, first=1`` in
    the layers that do not turn; Ministral 3 has its config's ``llama_4_scaling_beta`` and original length in
    all layers. :func:`posenc_lib.hf.temperatures` reads both.

    Args:
        position_ids: ``[...]``, integers from 0 to 2⁵³.
        slope: finite.
        length: positions of one step, at least 1.
        first: the number that the model gives to position 0, from 0 to 2⁵³.
        dtype: of the result, which is worked out in float64; float32 or float64.

    Returns:
        ``[...]``. For queries ``[batch, heads, seq, dim]`` and positions ``[batch, seq]`` multiply by
        ``factor[:, None, :, None]``.

    Raises:
        TypeError: positions that are not integers, ``slope`` not a number, another ``dtype``.
        ValueError: negative positions or ``first``, or beyond 2⁵³; ``length`` below 1, ``slope`` not finite;
            float64 on a device without it.

    Example:
        >>> attention_temperature(torch.tensor([0, 8191, 2**20]), slope=0.1, length=8192, first=1)
        tensor([1.0000, 1.0693, 1.4860])

    Source:
        The released code of Llama 4 and of Ministral 3; for a learned slope Nakanishi 2025, arXiv 2501.19399.
    """
    check_integers("position_ids", position_ids)
    check_positions(position_ids)
    check_finite("slope", slope)
    check_int("length", length, minimum=1)
    check_int("first", first, 0, FURTHEST)
    check_dtype("dtype", dtype, (torch.float64, torch.float32))
    if concrete(position_ids) and position_ids.numel() and position_ids.min() < 0:
        raise ValueError(f"position_ids must not be negative, got {int(position_ids.min())}")
    check_storable("dtype", dtype, position_ids.device)
    steps = (position_ids.long() + first).div(length, rounding_mode="floor")
    return back(1 + slope * exact(steps, torch.float64).log1p(), position_ids.device, dtype)
