"""What torch is doing now: compiling, exporting, transforming, autocasting. Asked here, and nowhere else."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor
from torch.autograd import forward_ad


def compiling() -> bool:
    """Whether torch.compile or torch.export records this call."""
    return torch.compiler.is_compiling()


def traced() -> bool:
    """Whether anything records this call to run it later, torch.jit.trace included."""
    return compiling() or torch.jit.is_tracing()


def exported() -> bool:
    """By torch.export, whose programs run where this library is not installed.

    Asked of torch's flag: inside torch.compile, ``torch.compiler.is_exporting()`` is True in torch 2.11.
    """
    return bool(getattr(torch.compiler, "_is_exporting_flag", False))


def takes_operators() -> bool:
    """Whether a compiler records this call, for this process, and no derivative that ours would not know."""
    forward_mode = forward_ad._current_level >= 0  # whose duals an operator of ours would lose in silence
    return compiling() and not exported() and not transformed() and not forward_mode


def transformed() -> bool:
    """Whether a transform of torch.func, vmap say, runs."""
    return torch._C._functorch.peek_interpreter_stack() is not None


# torch.compiler.assume_constant_result, without importing the compiler: asked while a call is recorded
transformed._dynamo_marked_constant = True  # type: ignore[attr-defined]


def plain_eager() -> bool:
    """Whether strided blocks may be used: not while tracing or under torch.func."""
    return not traced() and not transformed()


def is_wrapped(value: Tensor) -> bool:
    """Whether ``value`` is a subclass, or a wrapper made by torch.func or by batched gradients."""
    if type(value) not in (Tensor, torch.nn.Parameter):
        return True
    functorch = torch._C._functorch
    return functorch.is_functorch_wrapped_tensor(value) or functorch.is_legacy_batchedtensor(value)


def is_mere(x: Tensor, cos: Tensor, sin: Tensor) -> bool:
    """Whether ``x`` may be read as another dtype, and its product written to: no derivative, no wrapper.

    That a gradient of ``x`` is wanted, the caller has to know.
    """
    watched = compiling() or forward_ad._current_level >= 0 or transformed()
    if watched or cos.requires_grad or sin.requires_grad:
        return False
    return type(x) is type(cos) is Tensor and not torch._C._functorch.is_legacy_batchedtensor(x)


def is_distributed(value: Tensor) -> bool:
    """Whether ``value`` is a DTensor, one tensor whose parts lie in several processes."""
    return type(value) is not Tensor and hasattr(value, "device_mesh")


def spread(x: Tensor, value: Tensor) -> Tensor:
    """``value``, alike in every process, as it meets ``x``: on the mesh of a DTensor, or as it is."""
    if not is_distributed(x) or is_distributed(value):
        return value
    from torch.distributed.tensor import DTensor, Replicate

    mesh = x.device_mesh  # type: ignore[attr-defined]
    return DTensor.from_local(value, mesh, [Replicate()] * mesh.ndim, run_check=False)


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


_stored.register_autograd(lambda ctx, grad: grad)


def captured(x: Tensor) -> Tensor:
    """What FlexAttention's score_mod reads: ``x`` in memory, and with a gradient only where one is wanted.

    Inductor does not compile a score_mod that reads a table which is still a formula (torch 2.13 on the CPU,
    2.11 on a GPU). An operator that the compiler does not look into makes it a tensor. A program for export
    gets none: whoever loads it would need this library.

    In eager mode it is another tensor object, on the same memory, see :func:`unshared`.
    """
    if x.requires_grad and not torch.is_grad_enabled():
        x = x.detach()
    if not compiling():
        return unshared(x)
    return x if exported() else _stored(x)


def unshared(x: Tensor) -> Tensor:
    """``x`` as a tensor object of its own, for FlexAttention in eager mode.

    torch compiles even its reference. Where a later call gives one object twice, as q and k say, torch looks
    up what the earlier calls' functions had captured, in functions that may capture nothing, and fails with
    a TypeError (torch 2.13). Views of one memory are no such case.
    """
    return x.view_as(x)
