"""Tables in the shape that FlexAttention wants what its score_mod reads."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._tracing import exported


@torch.library.custom_op("posenc::stored", mutates_args=())
def _stored(x: Tensor) -> Tensor:
    return x.clone()


@_stored.register_fake
def _(x: Tensor) -> Tensor:
    return torch.empty_like(x)


def captured(x: Tensor) -> Tensor:
    """`x` without the gradient that FlexAttention could not give where none is wanted, and in memory.

    Inductor's CPU kernel (torch 2.13) does not compile where a table that score_mod reads is still a formula.
    An operator that the compiler does not look into makes it a tensor. A program for export gets none:
    whoever loads it would need this library.
    """
    if x.requires_grad:
        if torch.is_grad_enabled():
            return x
        x = x.detach()
    inductor = torch.compiler.is_compiling() and not exported() and x.device.type == "cpu"
    return _stored(x) if inductor else x
