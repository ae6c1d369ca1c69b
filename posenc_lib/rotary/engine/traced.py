"""bfloat16 planes of neighbouring channels as 32-bit words, for a compiler.

A loop over every second 2-byte number is not turned into vector instructions. But a word holds a plane, and a
bfloat16 number is the upper half of a float32: shifts and masks take a word apart and put it together again.
"""

from __future__ import annotations

import sys

import torch
from torch import Tensor

from posenc_lib.rotary.engine.eager import rotate_by_formula

_UPPER = -65536  # the upper 16 of 32 bits
_NAN = 0x7FC00000


def packs(x: Tensor, cos: Tensor) -> bool:
    """Whether neighbouring channels of x can be read as words, and the arithmetic is float32.

    Where x starts in its memory cannot be asked while a compiler traces: torch refuses an odd start itself.
    """
    if type(x) not in (Tensor, torch.nn.Parameter):
        return False
    if x.dtype != torch.bfloat16 or cos.dtype != torch.float32 or x.device.type != "cpu":
        return False
    *outer, last = x.stride()
    return sys.byteorder == "little" and last == 1 and all(step % 2 == 0 for step in outer)


def rotate_traced(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """The form that a compiler turns into one loop of vector instructions; has no gradient as it stands."""
    width = 2 * cos.shape[-1]
    if layout == "half" or not packs(x, cos):
        return rotate_by_formula(x, cos, sin, layout)
    turned = rotate_packed(x[..., :width], cos, sin)
    return turned if width == x.shape[-1] else torch.cat((turned, x[..., width:]), dim=-1)


def rotate_packed(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """(a, b) → (a cos − b sin, b cos + a sin) on all of x, in float32, rounded once to nearest even."""
    words = x.view(torch.int32)
    a, b = (words << 16).view(torch.float32), (words & _UPPER).view(torch.float32)
    first, second = torch.addcmul(a * cos, b, sin, value=-1), torch.addcmul(b * cos, a, sin)
    return (((_rounded(first) >> 16) & 0xFFFF) | (_rounded(second) & _UPPER)).view(torch.bfloat16)


def _rounded(x: Tensor) -> Tensor:
    """The bits of x with the upper half rounded to nearest, ties to even."""
    bits = x.view(torch.int32)
    return torch.where(x == x, bits + 0x7FFF + ((bits >> 16) & 1), _NAN)
