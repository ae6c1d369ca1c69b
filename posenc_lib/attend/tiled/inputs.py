"""What tiled attention computes from, and the blocks of rows into which it is cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lib.attend.groups import product
from posenc_lib.encoding.tiles import MINUS_INFINITY, Band, Rows, Toeplitz

_BLOCK_NUMBERS = 2**20  # one block of scores: 4 MiB in float32, about a core's share of cache


@dataclass(frozen=True)
class Inputs:
    """softmax(scale·q·kᵀ + term)·(v + Shaw's values), with queries, table and mask in backward order.

    Args:
        q: ``[batch, heads, Q, dim]``; k, v: ``[batch, kv_heads, K, dim]``, where kv_heads divides heads.
        table, values, plan: as in :class:`posenc_lib.encoding.Tile`; the rows of a Band run backwards, too.
        mask: bool, four axes, True where a key may be seen; causality is the plan's.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    table: Tensor
    values: Tensor | None
    mask: Tensor | None
    plan: Toeplitz | Band
    scale: float

    @property
    def band(self) -> Band:
        """The plan, which is Shaw's where there are values."""
        if not isinstance(self.plan, Band):
            raise TypeError(f"only Shaw's encoding has a table of values, got the plan {self.plan}")
        return self.plan

    @property
    def may_be_empty(self) -> bool:
        """Whether some row may see no key."""
        return self.plan.may_be_empty or self.mask is not None

    def blocks(self, height: int, width: int | None = None) -> Iterator[Rows]:
        """Blocks of rows, each for as many heads as fit; a row meets ``width`` keys at once, or all."""
        batches, heads, length = self.q.shape[:3]
        group = heads // self.k.shape[1]
        for a in range(0, length, height):
            keys = self.plan.keys(a)
            if keys == 0:
                continue
            b = min(a + height, length)
            room = max(_BLOCK_NUMBERS // ((b - a) * (width or keys)), 1)
            head_step, batch_step = _whole_groups(min(room, heads), group), max(room // heads, 1)
            for batch in range(0, batches, batch_step):
                for head in range(0, heads, head_step):
                    mine, shared = head + head_step, (head + head_step - 1) // group + 1
                    of_batch = slice(batch, batch + batch_step)
                    yield Rows(a, b, keys, of_batch, slice(head, mine), slice(head // group, shared))

    def term(self, rows: Rows, room: Tensor) -> Tensor:
        """What is added to the scores of a block, −∞ where a key is hidden."""
        term = self.plan.block(self.plan.window(self.table, rows), rows, room)
        if self.mask is None:
            return term
        batch = rows.batch if self.mask.shape[0] > 1 else slice(None)
        heads = rows.heads if self.mask.shape[1] > 1 else slice(None)
        return torch.where(self.mask[batch, heads, rows.a : rows.b, : rows.keys], term, MINUS_INFINITY)

    def weights(self, q: Tensor, k: Tensor, term: Tensor) -> Tensor:
        """The attention weights of a block of queries and its keys."""
        scores = product(q * self.scale, k.transpose(-1, -2))
        scores += term
        return masked_softmax(scores) if self.may_be_empty else scores.softmax(-1)


def _whole_groups(heads: int, group: int) -> int:
    """At most ``heads``, and either several whole groups of heads that share keys, or a whole part of one."""
    if heads >= group:
        return heads - heads % group
    return next(n for n in range(heads, 0, -1) if group % n == 0)


def queries(x: Tensor, rows: Rows) -> Tensor:
    """The rows of q, or of anything shaped like it."""
    return x[rows.batch, rows.heads, rows.a : rows.b]


def keys(x: Tensor, rows: Rows) -> Tensor:
    """The keys, or values, that the rows meet."""
    return x[rows.batch, rows.shared, : rows.keys]


def masked_softmax(scores: Tensor) -> Tensor:
    """Softmax over the last axis; a row of −∞ alone gives zeros, and zero gradients, not NaN."""
    empty = (scores == MINUS_INFINITY).all(-1, keepdim=True)
    return torch.where(empty, 0.0, scores.masked_fill(empty, 0.0).softmax(-1))
