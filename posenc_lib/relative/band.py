"""Shaw's term as a matrix, and its adjoint: two linear maps, each the derivative of the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function

from posenc_lib._torch_state import plain_eager
from posenc_lib.encoding.tiles import HEIGHT, Band, Rows

_ALL = slice(None)


def _blocks(length: int) -> Iterator[tuple[Rows, slice]]:
    """Backward rows, and where they stand in natural order."""
    for a in range(0, length, HEIGHT):
        b = min(a + HEIGHT, length)
        yield Rows(a, b, length, _ALL, _ALL, _ALL), slice(length - b, length - a)


class _Spread(Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor) -> Tensor:  # type: ignore[override]
        length, width = table.shape[-2:]
        plan = Band(length, width // 2, causal=False)
        out, room = table.new_empty(*table.shape[:-1], length), table.new_empty(0)
        for rows, natural in _blocks(length):
            out[:, :, natural] = plan.block(table[:, :, natural].flip(-2), rows, room).flip(-2)
        ctx.width = width
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:  # type: ignore[override]
        return _Gather.apply(grad, ctx.width)


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, matrix: Tensor, width: int) -> Tensor:  # type: ignore[override]
        length = matrix.shape[-1]
        plan = Band(length, width // 2, causal=False)
        out = matrix.new_empty(*matrix.shape[:-1], width)
        for rows, natural in _blocks(length):
            out[:, :, natural] = plan.collect(matrix[:, :, natural].flip(-2), rows).flip(-2)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        return _Spread.apply(grad), None


def spread(table: Tensor, index: Tensor | None, q_len: int, k_len: int) -> Tensor:
    """Numbers of each query laid over its keys: ``[batch, heads, Q, 2c + 1]`` → ``[batch, heads, Q, K]``.

    Entry (m, n) is column ``index[..., m, n]`` of row m. ``index`` None means positions 0, 1, … on both
    sides."""
    if index is None:
        if q_len == k_len and plain_eager():
            return _Spread.apply(table)
        index = shaw_index(torch.arange(q_len), torch.arange(k_len), table.shape[-1] // 2).to(table.device)
    return table.gather(-1, _with_heads(index).expand(*table.shape[:2], -1, -1))


def gather(weights: Tensor, index: Tensor | None, width: int) -> Tensor:
    """The adjoint of :func:`spread`: for each query, sums over the keys at one clipped distance."""
    q_len, k_len = weights.shape[-2:]
    if index is None:
        if q_len == k_len and plain_eager():
            return _Gather.apply(weights, width)
        index = shaw_index(torch.arange(q_len), torch.arange(k_len), width // 2).to(weights.device)
    zeros = weights.new_zeros(*weights.shape[:-1], width)
    return zeros.scatter_add(-1, _with_heads(index).expand(*weights.shape[:2], -1, -1), weights)


def _with_heads(index: Tensor) -> Tensor:
    return index.unsqueeze(-3)


def shaw_index(q_pos: Tensor, k_pos: Tensor, clip: int) -> Tensor:
    """Row of the table for every query and key: clip(key − query) + clip."""
    return (k_pos[..., None, :] - q_pos[..., :, None]).clamp(-clip, clip) + clip
