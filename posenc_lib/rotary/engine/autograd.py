"""The rotation as autograd functions that keep only the tables: the gradient is the rotation by −θ."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function

from posenc_lib._torch_state import compiling, is_distributed, is_mere, traced
from posenc_lib.rotary.engine.eager import is_small, rotate_, rotate_by_formula, rotate_eager, rotate_small
from posenc_lib.rotary.engine.traced import rotate_traced

_FEW = 2**16  # numbers; to copy more into one tensor costs more than a second round of calls


class _Rotate(Function):
    """For eager mode and torch.func: reverse mode, forward mode and vmap."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:  # type: ignore[override]
        return rotate_eager(x, cos, sin, layout)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        x, cos, sin, ctx.layout = inputs
        ctx.save_for_backward(cos, sin)
        ctx.save_for_forward(x, cos, sin)  # let go as soon as the forward derivative, if any, is taken

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        cos, sin = ctx.saved_tensors
        return _Rotate.apply(grad, cos, -sin, ctx.layout), None, None, None

    @staticmethod
    def jvp(ctx: Any, x_t: Tensor, cos_t: Tensor, sin_t: Tensor, layout_t: None) -> Tensor:  # type: ignore[override]
        x, cos, sin = ctx.saved_tensors
        along_x = rotate_by_formula(x_t, cos, sin, ctx.layout)
        width = 2 * cos.shape[-1]
        along_tables = rotate_by_formula(x[..., :width], cos_t, sin_t, ctx.layout)
        return along_x + torch.nn.functional.pad(along_tables, (0, x.shape[-1] - width))


class _RotateTraced(Function):
    """The same for torch.compile, which does not trace user-defined forward-mode rules."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:  # type: ignore[override]
        ctx.save_for_backward(cos, sin)
        ctx.layout = layout
        return rotate_traced(x, cos, sin, layout)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        cos, sin = ctx.saved_tensors
        return rotate_traced(grad, cos, -sin, ctx.layout), None, None, None


def rotate(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """Trainable tables and torch.jit.trace take the plain formula, all else the form that keeps only tables.

    A tensor of which nobody takes a derivative enters no autograd function: that costs more than one token.
    """
    grad = torch.is_grad_enabled()
    if (grad and (cos.requires_grad or sin.requires_grad)) or torch.jit.is_tracing():
        return rotate_by_formula(x, cos, sin, layout)
    if compiling():
        if grad and x.requires_grad:
            return _RotateTraced.apply(x, cos, sin, layout)
        return rotate_traced(x, cos, sin, layout)
    small = is_small(x)
    if not (grad and x.requires_grad) and (small or is_mere(x, cos, sin)):
        return (rotate_small if small else rotate_eager)(x, cos, sin, layout)
    return _Rotate.apply(x, cos, sin, layout)


def rotate_joined(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, layout: str, heads: int
) -> tuple[Tensor, Tensor] | None:
    """Queries and keys of one decoding step, joined along axis ``heads``; None where that would not pay."""
    if traced() or q.numel() + k.numel() > _FEW:
        return None
    if type(q) is not Tensor and is_distributed(q):  # heads that are cut over processes stay where they are
        return None
    if (q.requires_grad or k.requires_grad) and torch.is_grad_enabled():
        return None
    both = rotate_small(torch.cat((q, k), dim=heads), cos, sin, layout, own=True)
    return torch.split_with_sizes(both, (q.shape[heads], k.shape[heads]), dim=heads)  # type: ignore[return-value]


def rotate_in_place(x: Tensor, cos: Tensor, sin: Tensor, layout: str) -> Tensor:
    """Where x has a gradient, turned elsewhere and copied back."""
    if torch.is_grad_enabled() and x.requires_grad:
        return x.copy_(rotate(x, cos, sin, layout))
    return rotate_(x, cos, sin, layout)
