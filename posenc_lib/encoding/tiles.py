"""Position terms of a whole score matrix, produced a block of rows at a time and never all at once.

Queries run backwards here (row 0 is the last query): then a Toeplitz matrix becomes a Hankel matrix, whose
rows are windows of one vector that move right, and torch can show them as a strided view without copying.

Both kinds offer ``window``, the part of a table that a block of scores reads; ``block``, from the window to
the block, which is a view or lies in ``room``, memory that the blocks share; and its adjoint ``collect``,
from a block to sums for the entries of the window.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

MINUS_INFINITY = float("-inf")
HEIGHT = 256  # rows of a block


@dataclass(frozen=True)
class Rows:
    """Backward rows a … b − 1 against the first ``keys`` keys, for some batches and heads.

    Args:
        shared: the heads of keys and values that these heads of queries meet.
    """

    a: int
    b: int
    keys: int
    batch: slice
    heads: slice
    shared: slice


def antidiagonal_sums(block: Tensor) -> Tensor:
    """``[heads, Q, K]`` → ``[heads, Q + K − 1]``: push row i to the right by i, then add up columns."""
    heads, height, width = block.shape
    wide = width + height - 1
    pushed = block.new_zeros(heads, height, wide)
    pushed.as_strided(block.shape, (height * wide, wide + 1, 1)).copy_(block)
    return pushed.sum(1)


@dataclass(frozen=True)
class Toeplitz:
    """A term in key − query alone. Table ``[heads, Q + K − 1]``: entry i + j is for backward row i and key j.

    Args:
        first: position of the first key minus position of the first query.
        causal: the table holds −∞ where the key is after the query.
    """

    q_len: int
    k_len: int
    first: int
    causal: bool

    blocks_are_views = True

    def keys(self, a: int) -> int:
        """How many keys any of the backward rows a, a + 1, … may see."""
        if not self.causal:
            return self.k_len
        return min(max(self.q_len - a - self.first, 0), self.k_len)

    @property
    def may_be_empty(self) -> bool:
        """Whether some row sees no key."""
        return self.causal and self.first > 0

    def distances(self, device: torch.device) -> Tensor:
        start = self.first - (self.q_len - 1)
        return torch.arange(start, start + max(self.q_len + self.k_len - 1, 0), device=device)

    def table(self, of_distance: Tensor) -> Tensor:
        """From the bias at :meth:`distances`, ``[heads, Q + K − 1]``."""
        if self.causal:
            of_distance = of_distance.masked_fill(self.distances(of_distance.device) > 0, MINUS_INFINITY)
        return of_distance

    def backwards(self, table: Tensor) -> Tensor:
        """The table as the blocks read it: this one is the same both ways."""
        return table

    def whole(self, table: Tensor) -> Tensor:
        rows = torch.arange(self.q_len, device=table.device)[:, None]
        return table[:, rows + torch.arange(self.k_len, device=table.device)].unsqueeze(0)

    def window(self, table: Tensor, rows: Rows) -> Tensor:
        return table[rows.heads, rows.a : rows.b + rows.keys - 1]

    def block(self, window: Tensor, rows: Rows, room: Tensor) -> Tensor:
        size = (1, window.shape[0], rows.b - rows.a, rows.keys)
        step = window.stride(1)
        return window.as_strided(size, (0, window.stride(0), step, step), window.storage_offset())

    def collect(self, block: Tensor, rows: Rows) -> Tensor:
        return antidiagonal_sums(block.sum(0))


@dataclass(frozen=True)
class Band:
    """Shaw's term: each query has 2·clip + 1 numbers, one for each clipped distance key − query.

    Table ``[batch, heads, L, 2·clip + 1]``, rows backwards; queries and keys have the same positions.
    """

    length: int
    clip: int
    causal: bool

    blocks_are_views = False
    may_be_empty = False

    def keys(self, a: int) -> int:
        return self.length - a if self.causal else self.length

    def index(self, device: torch.device) -> Tensor:
        """Column of the table for each backward row and key, ``[L, L]``."""
        key = torch.arange(self.length, device=device)
        return (key - key.flip(0)[:, None]).clamp(-self.clip, self.clip) + self.clip

    def backwards(self, table: Tensor) -> Tensor:
        """The table as the blocks read it, last query first."""
        return table.flip(-2)

    def whole(self, table: Tensor) -> Tensor:
        index = self.index(table.device)
        scores = table.gather(-1, index.expand(*table.shape[:2], -1, -1))
        return scores.masked_fill(index > self.clip, MINUS_INFINITY) if self.causal else scores

    def sums(self, weights: Tensor) -> Tensor:
        """Sums over the keys of each column: ``[..., L, L]`` → ``[..., L, 2·clip + 1]``, rows backwards."""
        sums = weights.new_zeros(*weights.shape[:-1], 2 * self.clip + 1)
        return sums.scatter_add(-1, self.index(weights.device).expand(*weights.shape), weights)

    def _pad(self, rows: Rows) -> int:
        return self.clip + rows.b - rows.a

    def _skew(self, wide: Tensor, rows: Rows, own_key: int) -> Tensor:
        """Row r of ``wide`` from ``pad`` before its own key to ``pad`` after it: all columns where rows
        differ."""
        size = (*wide.shape[:2], rows.b - rows.a, 2 * self._pad(rows) + 1)
        return wide.as_strided(size, (*wide.stride()[:2], wide.shape[-1] - 1, 1), own_key)

    def window(self, table: Tensor, rows: Rows) -> Tensor:
        return table[rows.batch, rows.heads, rows.a : rows.b]

    def block(self, window: Tensor, rows: Rows, room: Tensor, *, after: float = MINUS_INFINITY) -> Tensor:
        """``after`` stands where the key is after the query, if causal."""
        height, pad, clip = rows.b - rows.a, self._pad(rows), self.clip
        own_key = self.length - 1 - rows.a
        wide = room.resize_(*window.shape[:3], rows.keys + 2 * pad)
        skew = self._skew(wide, rows, own_key)
        if own_key > pad:  # there are keys before the window of the first row
            wide[..., : own_key + 1] = window[..., :1]
        skew[..., :height] = window[..., :1]
        if self.causal:
            skew[..., height : pad + 1] = window[..., : clip + 1]
            skew[..., pad + 1 :] = after
        else:
            if own_key + clip + 1 < rows.keys:  # and behind the window of the last
                wide[..., own_key + pad + clip :] = window[..., -1:]
            skew[..., height : pad + clip + 1] = window
            skew[..., pad + clip + 1 :] = window[..., -1:]
        return wide[..., pad : pad + rows.keys]

    def collect(self, block: Tensor, rows: Rows) -> Tensor:
        height, pad, clip = rows.b - rows.a, self._pad(rows), self.clip
        own_key = self.length - 1 - rows.a
        first, end = own_key - height + 1 - pad, own_key + pad + 1  # the keys where rows differ, and beyond
        low, high = max(first, 0), min(end, rows.keys)
        near = block.new_zeros(*block.shape[:3], end - first)
        near[..., low - first : high - first] = block[..., low:high]
        skew = self._skew(near, rows, height - 1)
        sums = skew[..., height : pad + clip + 1].clone()
        # the ends of the band also take what lies beyond them: keys common to all rows, then a triangle
        before, common = skew[..., :height], own_key + 1 - pad
        sums[..., 0] += before.triu(1).sum(-1) + block[..., :common].sum(-1) if common > 0 else before.sum(-1)
        if not self.causal:
            after, common = skew[..., pad + clip + 1 :], own_key + clip + 1
            beyond = common < rows.keys
            sums[..., -1] += after.tril(-1).sum(-1) + block[..., common:].sum(-1) if beyond else after.sum(-1)
        return sums
