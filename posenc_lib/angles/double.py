"""Where float64 angles are computed: beside the positions, or on the CPU if their device has no float64.

Conversions say ``dtype=``: a dtype without its name is first tried as a device, which takes as long as the
conversion of one token's numbers.
"""

from __future__ import annotations

import torch
from torch import Tensor

CPU = torch.device("cpu")


def arithmetic(x: Tensor) -> torch.dtype:
    """The dtype to compute in: float64 for what is float64, float32 for all else."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def has_float64(device: torch.device) -> bool:
    """Apple's MPS has no float64, and some Intel GPUs (XPU) lack it."""
    if device.type == "xpu":
        return bool(torch.xpu.get_device_properties(device).has_fp64)
    return device.type != "mps"


def workplace(device: torch.device, dtype: torch.dtype) -> torch.device:
    """The device on which numbers that live on ``device`` can be worked on in ``dtype``."""
    return CPU if dtype is torch.float64 and not has_float64(device) else device


def exact(value: Tensor, dtype: torch.dtype) -> Tensor:
    """``value`` in ``dtype``, on its :func:`workplace`: moved first, then converted."""
    place = workplace(value.device, dtype)
    return value.to(dtype=dtype) if place == value.device else value.to(place).to(dtype=dtype)


def back(value: Tensor, device: torch.device, dtype: torch.dtype) -> Tensor:
    """What was worked out, rounded to ``dtype`` and returned to ``device``: converted first, then moved."""
    value = value.to(dtype=dtype)
    return value if value.device == device else value.to(device)


def check_storable(name: str, dtype: torch.dtype, device: torch.device) -> None:
    """Refuse float64 as the ``dtype`` of a result on a ``device`` that cannot hold it."""
    if dtype is torch.float64 and not has_float64(device):
        raise ValueError(f"{name} must not be {dtype} on {device}, which has no float64; pass torch.float32")
