"""Frequencies that a layer keeps from one call to the next.

For one token, making them takes as long as all else that the layer does. They are kept in a plain attribute
and never handed out, so no cast, checkpoint or caller can change them; and each call asks whether they are
the ones that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from posenc_lib._checks import check_finite, check_inv_freq
from posenc_lib._torch_state import plain_eager
from posenc_lib.angles.double import workplace
from posenc_lib.rotary.spec import RotarySpec


class Purpose(NamedTuple):
    """What frequencies are made for: a description, a dtype, a length and a device.

    Example:
        >>> spec, there = RotarySpec(4), torch.device("cpu")
        >>> purpose = Purpose(spec, torch.float64, None, there)
        >>> purpose.is_that_of(Purpose(spec, torch.float64, None, there))
        True
        >>> purpose.is_that_of(Purpose(RotarySpec(4), torch.float64, None, there))
        False
    """

    spec: RotarySpec
    angle_dtype: torch.dtype
    length: int | None
    device: torch.device

    def is_that_of(self, other: Purpose) -> bool:
        """Whether both name the same object as description, which is quicker than to compare its fields."""
        return (
            self.spec is other.spec
            and self.angle_dtype is other.angle_dtype
            and self.length == other.length
            and self.device == other.device
        )


class Kept(NamedTuple):
    """Frequencies ``[n]`` on the device where angles are worked out, and the factor on cos and sin."""

    purpose: Purpose
    inv_freq: Tensor
    factor: float


def keepable(beside: Tensor) -> bool:
    """Whether tensors made beside these positions hold numbers: no compiler, transform or subclass."""
    return type(beside) is Tensor and plain_eager()


def kept(make: Callable[[int | None], tuple[Tensor, float]], purpose: Purpose) -> Kept | None:
    """What ``make`` gives for the length, checked and moved; None if that cannot be kept.

    Made outside of inference mode, because the next call may be one that trains.

    Example:
        >>> spec = RotarySpec(4)
        >>> purpose = Purpose(spec, torch.float64, None, torch.device("cpu"))
        >>> kept(lambda length: (spec.inv_freq(length), 1.0), purpose).inv_freq
        tensor([1.0000, 0.0100], dtype=torch.float64)
    """
    with torch.inference_mode(False):
        inv_freq, factor = make(purpose.length)
        if type(inv_freq) is not Tensor or inv_freq.is_meta:  # torch's modes make others
            return None
        check_inv_freq(inv_freq)
        check_finite("attention_factor", factor)
        place = workplace(purpose.device, purpose.angle_dtype)
        return Kept(purpose, inv_freq.to(device=place, dtype=purpose.angle_dtype), factor)
