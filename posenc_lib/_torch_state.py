"""What torch is doing now: compiling, exporting, transforming, autocasting. Asked here, and nowhere else."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor


def compiling() -> bool:
    """Whether torch.compile or torch.export records this call."""
    return torch.compiler.is_compiling()


def traced() -> bool:
    """Whether anything records this call to run it later, torch.jit.trace included."""
    return compiling() or torch.jit.is_tracing()


def exported() -> bool:
    """By torch.export, whose programs run where this library is not installed (torch 2.6 does not tell)."""
    return getattr(torch.compiler, "is_exporting", bool)()


def plain_eager() -> bool:
    """Whether strided blocks may be used: not while tracing or under torch.func."""
    return not traced() and torch._C._functorch.peek_interpreter_stack() is None


def is_wrapped(value: Tensor) -> bool:
    """Whether ``value`` is a subclass, or a wrapper made by torch.func or by batched gradients."""
    if type(value) not in (Tensor, torch.nn.Parameter):
        return True
    functorch = torch._C._functorch
    return functorch.is_functorch_wrapped_tensor(value) or functorch.is_legacy_batchedtensor(value)


def concrete(value: Tensor) -> bool:
    """Whether the numbers in ``value`` may be looked at: not in a compiler or transform, nor on a device.

    Looking at values on an accelerator would stop the queue at every call.
    """
    if traced() or value.device.type != "cpu":
        return False
    return not is_wrapped(value)


def as_given(x: Tensor) -> AbstractContextManager[object]:
    """A context in which products keep the dtype of their operands, on the device of ``x``: no autocast."""
    kind = x.device.type
    if x.is_meta or not torch.is_autocast_enabled(kind):
        return nullcontext()
    return torch.autocast(kind, enabled=False)


@torch.library.custom_op("posenc::stored", mutates_args=())
def _stored(x: Tensor) -> Tensor:
    return x.clone()


@_stored.register_fake
def _(x: Tensor) -> Tensor:
    return torch.empty_like(x)


def captured(x: Tensor) -> Tensor:
    """What FlexAttention's score_mod reads: ``x`` in memory, and with a gradient only where one is wanted.

    Inductor's CPU kernel (torch 2.13) does not compile where a table that score_mod reads is still a formula.
    An operator that the compiler does not look into makes it a tensor. A program for export gets none:
    whoever loads it would need this library.
    """
    if x.requires_grad:
        if torch.is_grad_enabled():
            return x
        x = x.detach()
    inductor = compiling() and not exported() and x.device.type == "cpu"
    return _stored(x) if inductor else x
