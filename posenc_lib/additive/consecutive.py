"""Tables for a run of consecutive positions by angle addition: a few multiplications in place of cos and sin.

Position p = s + 256a + r has the angle of s + 256a plus that of r, so cos and sin of all positions follow
from those of one position in 256 and of the first 256. In float64 this adds 3·10⁻¹⁶ before the one rounding.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._torch_state import compiling, is_wrapped

_STEP = 256
_WORTH = 2**20  # numbers: below, a direct evaluation is as fast


def run_start(position_ids: Tensor, inv_freq: Tensor) -> int | None:
    """The first position, if these are consecutive, on the CPU, worth it, and nothing wants a derivative."""
    # first of all: sizes that are looked at become conditions of a compiled graph
    if compiling() or position_ids.ndim != 1 or position_ids.device.type != "cpu":
        return None
    if position_ids.numel() * inv_freq.numel() < _WORTH or position_ids.numel() < 4 * _STEP:
        return None
    if position_ids.dtype != torch.int64:
        return None
    if inv_freq.requires_grad or is_wrapped(inv_freq) or is_wrapped(position_ids):
        return None
    return int(position_ids[0]) if bool((position_ids.diff() == 1).all()) else None


def fill_cos_sin(cos: Tensor, sin: Tensor, theta: Tensor, start: int) -> None:
    """Write cos and sin of positions start, start + 1, … into ``[length, n]``; theta ``[n]`` float64."""
    length = cos.shape[0]
    fine = torch.arange(_STEP, dtype=torch.float64)[:, None] * theta
    coarse = torch.arange(start, start + length, _STEP).double()[:, None] * theta
    fine_cos, fine_sin = fine.cos(), fine.sin()
    coarse_cos, coarse_sin = coarse.cos(), coarse.sin()
    work = torch.empty_like(fine)
    blocks = zip(cos.split(_STEP), sin.split(_STEP), coarse_cos, coarse_sin, strict=True)
    for cos_block, sin_block, c, s in blocks:
        rows = len(cos_block)
        a, b, out = fine_cos[:rows], fine_sin[:rows], work[:rows]
        cos_block.copy_(torch.mul(a, c, out=out).addcmul_(b, s, value=-1))
        sin_block.copy_(torch.mul(b, c, out=out).addcmul_(a, s))
