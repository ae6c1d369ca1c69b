"""The library computes in the dtypes it is given: autocast, which would recast products, is off inside."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor


def as_given(x: Tensor) -> AbstractContextManager[object]:
    """A context in which products keep the dtype of their operands, on the device of `x`."""
    kind = x.device.type
    if x.is_meta or not torch.is_autocast_enabled(kind):
        return nullcontext()
    return torch.autocast(kind, enabled=False)
