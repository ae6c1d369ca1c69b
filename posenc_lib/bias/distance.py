"""Biases in the distance alone, which need Q + K − 1 numbers a head."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._checks import check_positions, widened
from posenc_lib.angles.double import check_storable
from posenc_lib.bias.base import BiasTerm, ScoreBias, check_here
from posenc_lib.encoding.interface import Positions, Term, Tile
from posenc_lib.encoding.tiles import Toeplitz


@knows_names
class DistanceBias(ScoreBias):
    """A bias in n − m alone: over a whole sequence a Toeplitz matrix, made of Q + K − 1 numbers a head.

    Args:
        num_heads: H ≥ 1.

    Raises:
        TypeError, ValueError: as :class:`ScoreBias`.

    Example:
        >>> class Near(DistanceBias):
        ...     def formula(self, tables, m, n, head):
        ...         return -((n - m).abs() > 1).int()
        >>> Near(num_heads=1).of_distance(torch.arange(-2, 3))
        tensor([[-1.,  0.,  0.,  0., -1.]])
        >>> Near(num_heads=1).bias(torch.arange(3), torch.arange(3))
        tensor([[[ 0.,  0., -1.],
                 [ 0.,  0.,  0.],
                 [-1.,  0.,  0.]]])
    """

    def term(self, q: Tensor, positions: Positions, scale: float) -> Term:
        check_here("q", q)
        return DistanceTerm(self, positions)

    def of_distance(self, distance: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
        """The bias at distances key − query: ``[...]`` → ``[heads, ...]``."""
        dtype = self._result_dtype(dtype)
        check_here("distance", check_positions(distance, "distance"))
        check_storable("dtype", dtype, distance.device)
        distance = widened(distance)
        head = self._heads(distance.device).view(-1, *[1] * distance.ndim)
        tables = self.tables(dtype, distance.device)
        value = self.formula(tables, torch.zeros_like(distance), distance, head).to(dtype)
        return value.expand(self.heads, *distance.shape)


@dataclass(frozen=True)
class DistanceTerm(BiasTerm):
    """A bias in n − m alone: where positions step by one, Q + K − 1 numbers a head are all of it."""

    encoding: DistanceBias

    def tile(self, dtype: torch.dtype, causal: bool) -> Tile | None:
        positions = self.positions
        if positions.first is None:
            return None
        toeplitz = Toeplitz(positions.q.shape[-1], positions.k.shape[-1], positions.first, causal)
        distances = toeplitz.distances(positions.q.device)
        return Tile(toeplitz, toeplitz.table(self.encoding.of_distance(distances, dtype=dtype)))
