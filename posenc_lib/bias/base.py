"""What every score bias shares: one formula, evaluated densely or inside FlexAttention."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lib._checks import check_dtype, check_int, check_positions, check_same, widened
from posenc_lib._torch_state import captured
from posenc_lib.angles.double import check_storable
from posenc_lib.encoding.interface import Encoding, Positions, ScoreMod, Term, Tile, position_at
from posenc_lib.encoding.tiles import Toeplitz


class ScoreBias(Encoding):
    r"""A number :math:`b_h(m, n)` added to the score of head h, query position m and key position n.

    It is added after the scaling by :math:`1/\sqrt d`. A subclass gives :meth:`formula`, elementwise, and
    :meth:`tables`, every tensor that the formula reads beside positions and heads. Then :meth:`bias`
    evaluates it on whole matrices and :meth:`score_mod` hands it to FlexAttention, whose kernels need the
    tables computed beforehand. Positions are arguments, so a decode step asks for its own row and gets the
    row of the prefill.

    Args:
        num_heads: H ≥ 1.

    Raises:
        TypeError, ValueError: ``num_heads`` is not an int of at least 1.

    Example:
        >>> class Sentences(ScoreBias):  # keys of the same run of eight tokens are preferred
        ...     def tables(self, dtype, device):
        ...         return (torch.arange(1, self.num_heads + 1, dtype=dtype, device=device),)
        ...     def formula(self, tables, m, n, head):
        ...         return tables[0][head] * (m // 8 == n // 8)
        >>> Sentences(num_heads=2).bias(torch.tensor([8]), torch.tensor([7, 8, 15, 16]))
        tensor([[[0., 1., 1., 0.]],
        <BLANKLINE>
                [[0., 2., 2., 0.]]])
    """

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        check_int("num_heads", num_heads, minimum=1)
        self.num_heads = num_heads

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        if self.num_heads != heads:
            raise ValueError(f"encoding has num_heads = {self.num_heads}, but there are {heads} heads")

    def term(self, q: Tensor, positions: Positions, scale: float) -> Term:
        return BiasTerm(self, positions)

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        """What the formula reads, on ``device``; floating tensors of ``dtype``. By default nothing."""
        return ()

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        """The bias, elementwise over positions m, n (int64 or floating) and heads h."""
        raise NotImplementedError

    def bias(self, q_pos: Tensor, k_pos: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
        """The bias of every query and key.

        Args:
            q_pos: ``[Q]`` or ``[batch, Q]``, positions of the queries.
            k_pos: ``[K]`` or ``[batch, K]``, positions of the keys.
            dtype: float32 or float64; by default float64 for parameters in float64, else float32.

        Returns:
            ``[heads, Q, K]``, or ``[batch, heads, Q, K]`` where positions have a batch axis.

        Raises:
            TypeError: positions of a wrong dtype; another ``dtype``.
            ValueError: positions of another shape, or on two devices.
        """
        dtype = self._result_dtype(dtype)
        q_pos, k_pos = position_pair(q_pos, k_pos)
        check_storable("dtype", dtype, q_pos.device)
        m, n = q_pos[..., None, :, None], k_pos[..., None, None, :]
        head = torch.arange(self.num_heads, device=q_pos.device)[:, None, None]
        value = self.formula(self.tables(dtype, q_pos.device), m, n, head).to(dtype)
        return value.expand(torch.broadcast_shapes(m.shape, n.shape, head.shape))

    def score_mod(
        self,
        q_pos: Tensor | None = None,
        k_pos: Tensor | None = None,
        *,
        device: torch.device | str | None = None,
    ) -> ScoreMod:
        """``score_mod(score, batch, head, q_idx, kv_idx)`` for ``torch.nn.attention.flex_attention``.

        Args:
            q_pos, k_pos: as for :meth:`bias`; by default the indices themselves.
            device: where the kernel runs; by default that of ``q_pos``, else of the parameters. A bias
                without parameters, ALiBi say, has to be told of a GPU.

        Raises:
            TypeError, ValueError: as :meth:`bias`.
        """
        if q_pos is not None and k_pos is not None:
            q_pos, k_pos = position_pair(q_pos, k_pos)
        else:
            q_pos = None if q_pos is None else _positions("q_pos", q_pos)
            k_pos = None if k_pos is None else _positions("k_pos", k_pos)
        own = next(self.parameters(), torch.empty(0)).device
        where = torch.device(device) if device is not None else own if q_pos is None else q_pos.device
        dtype = self._result_dtype(None)
        tables = tuple(captured(table) for table in self.tables(dtype, where))
        q_pos, k_pos = (None if p is None else captured(p) for p in (q_pos, k_pos))

        def mod(score: Tensor, b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
            return score + self.formula(tables, _at(q_pos, b, q_idx), _at(k_pos, b, kv_idx), h).to(dtype)

        return mod

    def _result_dtype(self, dtype: torch.dtype | None) -> torch.dtype:
        if dtype is None:
            double = any(p.dtype == torch.float64 for p in self.parameters())
            return torch.float64 if double else torch.float32
        check_dtype("dtype", dtype, (torch.float32, torch.float64))
        return dtype

    def extra_repr(self) -> str:
        return f"num_heads={self.num_heads}"


@dataclass(frozen=True)
class BiasTerm(Term):
    """A bias at the positions of one call."""

    encoding: ScoreBias
    positions: Positions

    def whole(self, dtype: torch.dtype) -> Tensor:
        bias = self.encoding.bias(self.positions.q, self.positions.k, dtype=dtype)
        return bias if bias.ndim == 4 else bias.unsqueeze(0)

    def score_mod(self, device: torch.device) -> ScoreMod:
        return self.encoding.score_mod(self.positions.q, self.positions.k, device=device)


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
        return DistanceTerm(self, positions)

    def of_distance(self, distance: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
        """The bias at distances key − query: ``[...]`` → ``[heads, ...]``."""
        dtype = self._result_dtype(dtype)
        check_positions(distance, "distance")
        check_storable("dtype", dtype, distance.device)
        distance = widened(distance)
        head = torch.arange(self.num_heads, device=distance.device).view(-1, *[1] * distance.ndim)
        tables = self.tables(dtype, distance.device)
        value = self.formula(tables, torch.zeros_like(distance), distance, head).to(dtype)
        return value.expand(self.num_heads, *distance.shape)


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


def _at(positions: Tensor | None, batch: Tensor, index: Tensor) -> Tensor:
    return index if positions is None else position_at(positions, batch, index)


def position_pair(q_pos: Tensor, k_pos: Tensor) -> tuple[Tensor, Tensor]:
    """Positions of queries and keys, checked; integers as int64."""
    pair = _positions("q_pos", q_pos), _positions("k_pos", k_pos)
    check_same("k_pos", k_pos, "q_pos", q_pos, dtype=False)
    return pair


def _positions(name: str, value: Tensor) -> Tensor:
    check_positions(value, name)
    if value.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape [length] or [batch, length], got {list(value.shape)}")
    return widened(value)


def positive_raw(value: float) -> float:
    """The x with softplus(x) = value: parameters that must stay positive are stored as x."""
    return value + math.log(-math.expm1(-value))
