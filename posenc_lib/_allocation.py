"""What is about to be made, looked at before memory is asked for: on which device, and how many numbers."""

from __future__ import annotations

import math

import torch

from posenc_lib._torch_state import compiling

#: Numbers of one tensor: 2**36 float32 numbers are 256 GiB, more than any device has.
MOST = 2**36


def check_device(device: torch.device | str | None) -> None:
    """Refuse a device that this machine, or this build of torch, does not have."""
    if device is None or compiling():
        return
    if not isinstance(device, torch.device | str):
        raise TypeError(f"device must be a torch.device, its name or None, got {type(device).__name__}")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as why:  # no such name; no such device; a build without any
        reason = str(why).strip().splitlines()[0]
        raise ValueError(
            f"device must be one of this machine's, such as 'cpu', got {str(device)!r}: {reason[:120]}"
        ) from None


def check_room(name: str, value: object, *sizes: int) -> None:
    """Refuse an argument that asks for a tensor of ``sizes`` which no memory holds."""
    if compiling():
        return  # a bound on a product of lengths would become one of the exported program
    numbers = math.prod(sizes)
    if numbers > MOST:
        raise ValueError(
            f"{name} asks for {numbers:.3g} numbers, more than any device holds ({MOST}), got {value!r:.100}"
        )
