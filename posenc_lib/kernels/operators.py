"""The fused rotations as operators of torch: what they compute, their shapes, and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Pair = tuple[Tensor, Tensor]


def _run(q: Tensor, k: Tensor, out: Pair, angles: Pair, **options: Any) -> None:
    try:
        from posenc_lib.kernels._triton import launch
    except ImportError as error:
        raise RuntimeError("the fused kernel needs Triton; apply_rotary_qk does the same without") from error
    launch(q, k, *out, angles, **options)


def _rotate_qk(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, layout: str, inverse: bool) -> Pair:
    out = torch.empty_like(q), torch.empty_like(k)
    _run(q, k, out, (cos, sin), at_positions=False, factor=1.0, layout=layout, inverse=inverse)
    return out


def _rotate_qk_at(
    q: Tensor, k: Tensor, ids: Tensor, turns: Tensor, factor: float, layout: str, inverse: bool
) -> Pair:
    out = torch.empty_like(q), torch.empty_like(k)
    _run(q, k, out, (ids, turns), at_positions=True, factor=factor, layout=layout, inverse=inverse)
    return out


def _rotate_qk_in_place(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, layout: str) -> None:
    _run(q, k, (q, k), (cos, sin), at_positions=False, factor=1.0, layout=layout, inverse=False)


def _alike(q: Tensor, k: Tensor, *_: Any) -> Pair:
    return torch.empty_like(q), torch.empty_like(k)


# Defined by schema: a call of a torch.library.custom_op takes half as long again, in place twice as long.
_OPERATORS = torch.library.Library("posenc", "DEF")


def _operator(schema: str, implementation: Callable[..., Any], fake: Callable[..., Any]) -> None:
    name = _OPERATORS.define(schema, tags=torch.Tag.pt2_compliant_tag)
    _OPERATORS.impl(name, implementation, "CompositeExplicitAutograd")
    torch.library.register_fake(f"posenc::{name}", fake, lib=_OPERATORS)


_operator(
    "rotate_qk(Tensor q, Tensor k, Tensor cos, Tensor sin, str layout, bool inverse) -> (Tensor, Tensor)",
    _rotate_qk,
    _alike,
)
_operator(
    "rotate_qk_at(Tensor q, Tensor k, Tensor ids, Tensor turns, float factor, str layout, bool inverse)"
    " -> (Tensor, Tensor)",
    _rotate_qk_at,
    _alike,
)
_operator(
    "rotate_qk_(Tensor(a!) q, Tensor(b!) k, Tensor cos, Tensor sin, str layout) -> ()",
    _rotate_qk_in_place,
    lambda *_: None,
)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    _, _, first, second, *ctx.options = inputs
    ctx.save_for_backward(first, second)


def _turn_back(ctx: Any, grad_q: Tensor, grad_k: Tensor) -> tuple[Tensor | None, ...]:
    *options, inverse = ctx.options
    operator = torch.ops.posenc.rotate_qk_at if len(options) == 2 else torch.ops.posenc.rotate_qk
    turned = operator(grad_q, grad_k, *ctx.saved_tensors, *options, not inverse)
    return (*turned, *(None,) * (2 + len(ctx.options)))


for _name in ("posenc::rotate_qk", "posenc::rotate_qk_at"):
    torch.library.register_autograd(_name, _turn_back, setup_context=_save, lib=_OPERATORS)


def exchanged(pair: Pair, seq_dim: int) -> Pair:
    """Views with the axes of sequence and heads exchanged, where ``seq_dim`` is −3."""
    return pair if seq_dim == -2 else (pair[0].transpose(1, 2), pair[1].transpose(1, 2))


class InPlace(torch.autograd.Function):
    """q and k overwritten, with the gradient of the rotation."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, layout: str, seq_dim: int
    ) -> Pair:
        ctx.mark_dirty(q, k)
        ctx.save_for_backward(cos, sin)
        ctx.layout, ctx.seq_dim = layout, seq_dim
        torch.ops.posenc.rotate_qk_(*exchanged((q, k), seq_dim), cos, sin, layout)
        return q, k

    @staticmethod
    def backward(ctx: Any, grad_q: Tensor, grad_k: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        grads = exchanged((grad_q, grad_k), ctx.seq_dim)
        turned = torch.ops.posenc.rotate_qk(*grads, *ctx.saved_tensors, ctx.layout, True)
        return (*exchanged(turned, ctx.seq_dim), None, None, None, None)
