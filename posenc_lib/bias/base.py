"""What every score bias shares: one formula, evaluated densely or inside FlexAttention."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from posenc_lib._aliases import knows_names
from posenc_lib._allocation import check_device
from posenc_lib._checks import MAX_WIDTH, check_dtype, check_int, check_local, check_same, widened
from posenc_lib._torch_state import captured
from posenc_lib.angles.double import check_storable
from posenc_lib.encoding.interface import Encoding, Positions, ScoreMod, Term, position_at

Bias = TypeVar("Bias", bound="ScoreBias")
_WHERE_CUT = (
    ", and where heads are cut over processes use the bias's head_slice(start, stop); "
    "its parameters stay whole"
)


@knows_names
class ScoreBias(Encoding):
    r"""A number :math:`b_h(m, n)` added to the score of head h, query position m and key position n.

    It is added after the scaling by :math:`1/\sqrt d`. A subclass gives :meth:`formula`, elementwise, and
    :meth:`tables`, every tensor that the formula reads beside positions and heads. Then :meth:`bias`
    evaluates it on whole matrices and :meth:`score_mod` hands it to FlexAttention, whose kernels need the
    tables computed beforehand. Positions are arguments, so a decode step asks for its own row and gets the
    row of the prefill. Where heads are cut over processes, :meth:`head_slice` gives each process its own.

    Args:
        num_heads: H ≥ 1, of the whole layer.

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
        check_int("num_heads", num_heads, 1, MAX_WIDTH)
        self.num_heads = num_heads
        self.first_head, self.heads = 0, num_heads

    def head_slice(self: Bias, start: int, stop: int) -> Bias:
        """The same bias for heads start, …, stop − 1 alone: tensor parallelism gives a process these.

        Parameters are shared with this bias, whole, and keep their names, so checkpoints stay as they are. A
        parameter's gradient is that of these heads: summed over the processes it is the whole layer's.

        Args:
            start, stop: of the ``num_heads`` of the whole layer, also where this bias is a slice already.

        Raises:
            TypeError, ValueError: an argument that is not an int; no head, or one that is not there.

        Example:
            >>> from posenc_lib.bias import ALiBi
            >>> ALiBi(num_heads=4).head_slice(2, 4).bias(torch.tensor([64]), torch.tensor([0]))
            tensor([[[-1.0000]],
            <BLANKLINE>
                    [[-0.2500]]])
        """
        check_int("start", start)
        check_int("stop", stop)
        if not start < stop <= self.num_heads:
            raise ValueError(
                f"start and stop must hold 0 ≤ start < stop ≤ num_heads = {self.num_heads}, "
                f"got {start} and {stop}"
            )
        part = copy.copy(self)
        part.first_head, part.heads = start, stop - start
        return part

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        if self.heads == heads:
            return
        if self.heads < self.num_heads:
            raise ValueError(f"encoding is for {self.shown_heads()}, but there are {heads} heads")
        hint = "; a process that holds a part of them needs encoding.head_slice(start, stop)"
        raise ValueError(
            f"encoding has num_heads = {self.num_heads}, but there are {heads} heads"
            f"{hint if heads < self.num_heads else ''}"
        )

    def term(self, q: Tensor, positions: Positions, scale: float) -> Term:
        check_here("q", q)
        return BiasTerm(self, positions)

    def tables(self, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
        """What the formula reads, on ``device``; floating tensors of ``dtype``. By default nothing."""
        return ()

    def formula(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        """The bias, elementwise over positions m, n (int64 or floating) and heads h of the whole layer."""
        raise NotImplementedError

    def matrices(self, tables: tuple[Tensor, ...], m: Tensor, n: Tensor, head: Tensor) -> Tensor:
        """:meth:`formula` for m ``[…, 1, Q, 1]``, n ``[…, 1, 1, K]`` and head ``[heads, 1, 1]``.

        For a subclass that knows a faster way.
        """
        return self.formula(tables, m, n, head)

    def bias(self, q_pos: Tensor, k_pos: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
        """The bias of every query and key.

        Args:
            q_pos: ``[Q]`` or ``[batch, Q]``, positions of the queries.
            k_pos: ``[K]`` or ``[batch, K]``, positions of the keys.
            dtype: float32 or float64; by default float64 for parameters in float64, else float32.

        Returns:
            ``[heads, Q, K]``, or ``[batch, heads, Q, K]`` where positions have a batch axis.

        Raises:
            TypeError: positions of a wrong dtype; another ``dtype``; a DTensor as positions or parameter.
            ValueError: positions of another shape, or on two devices.
        """
        dtype = self._result_dtype(dtype)
        q_pos, k_pos = self._pair(q_pos, k_pos)
        check_storable("dtype", dtype, q_pos.device)
        m, n = q_pos[..., None, :, None], k_pos[..., None, None, :]
        head = self._heads(q_pos.device)[:, None, None]
        value = self.matrices(self.tables(dtype, q_pos.device), m, n, head).to(dtype)
        shape = torch.broadcast_tensors(m, n, head)[0].shape  # torch.broadcast_shapes would import SymPy
        return value.expand(shape)

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
            TypeError, ValueError: as :meth:`bias`; a ``device`` that is not there.
        """
        check_device(device)
        if q_pos is not None and k_pos is not None:
            q_pos, k_pos = self._pair(q_pos, k_pos)
        else:
            q_pos = None if q_pos is None else self._positions("q_pos", q_pos)
            k_pos = None if k_pos is None else self._positions("k_pos", k_pos)
        own = next(self.parameters(), torch.empty(0)).device
        where = torch.device(device) if device is not None else own if q_pos is None else q_pos.device
        dtype = self._result_dtype(None)
        tables = tuple(captured(table) for table in self.tables(dtype, where))
        q_pos, k_pos = (None if p is None else captured(p) for p in (q_pos, k_pos))
        first = self.first_head

        def mod(score: Tensor, b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
            head = h + first if first else h
            return score + self.formula(tables, _at(q_pos, b, q_idx), _at(k_pos, b, kv_idx), head).to(dtype)

        return mod

    def _pair(self, q_pos: Tensor, k_pos: Tensor) -> tuple[Tensor, Tensor]:
        """Positions of queries and keys, checked; integers as int64."""
        pair = self._positions("q_pos", q_pos), self._positions("k_pos", k_pos)
        check_same("k_pos", k_pos, "q_pos", q_pos, dtype=False)
        return pair

    def _positions(self, name: str, value: Tensor) -> Tensor:
        check_here(name, self.check_positions(name, value))
        if value.ndim not in (1, 2):
            raise ValueError(f"{name} must have shape [length] or [batch, length], got {list(value.shape)}")
        return widened(value)

    def _heads(self, device: torch.device) -> Tensor:
        """The heads it serves, as they are counted in the whole layer."""
        return torch.arange(self.first_head, self.first_head + self.heads, device=device)

    def _result_dtype(self, dtype: torch.dtype | None) -> torch.dtype:
        for name, parameter in self.named_parameters():
            check_here(name, parameter)
        if dtype is None:
            double = any(p.dtype == torch.float64 for p in self.parameters())
            return torch.float64 if double else torch.float32
        check_dtype("dtype", dtype, (torch.float32, torch.float64))
        return dtype

    def shown_heads(self) -> str:
        return f"heads {self.first_head} to {self.first_head + self.heads - 1} of {self.num_heads}"

    def extra_repr(self) -> str:
        part = f", {self.shown_heads()}" if self.heads < self.num_heads else ""
        return f"num_heads={self.num_heads}{part}"


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


def _at(positions: Tensor | None, batch: Tensor, index: Tensor) -> Tensor:
    return index if positions is None else position_at(positions, batch, index)


def check_here(name: str, value: Tensor) -> None:
    """Refuse a DTensor: a bias makes numbers of one process, for the heads that it is told."""
    check_local(name, value, _WHERE_CUT)


def positive_raw(value: float) -> float:
    """The x with softplus(x) = value: parameters that must stay positive are stored as x."""
    return value + math.log(-math.expm1(-value))
