"""Shaw's encoding as a module: two small tables, and what they add to the scores and to the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from posenc_lib._aliases import knows_names
from posenc_lib._allocation import check_room
from posenc_lib._checks import MAX_WIDTH, check_flag, check_int, check_integers
from posenc_lib._torch_state import captured
from posenc_lib._typing import called_as
from posenc_lib.angles.double import arithmetic
from posenc_lib.attend.softmax import Backend, attention
from posenc_lib.encoding.interface import Encoding, Positions, ScoreMod, Term, Tile, check_width, position_at
from posenc_lib.encoding.tiles import Band
from posenc_lib.relative.band import gather, shaw_index, spread


@knows_names
class RelativeAttention(Encoding):
    r"""Shaw's encoding of one attention layer, with tables shared by its heads.

    .. math:: s_{mn} = \frac{q_m^\top(k_n + a^K_{c(n-m)})}{\sqrt d},\qquad
              z_m = \sum_n \alpha_{mn}\,(v_n + a^V_{c(n-m)}),\qquad c = \mathrm{clip}

    Give it as ``encoding`` to :func:`attention` or :class:`MultiHeadAttention`, or call
    it.

    Args:
        head_dim: d of keys and values.
        clip: k ≥ 1; each table has 2k + 1 rows.
        values: whether values get a table, too. The PyTorch article leaves it out, the paper has it.

    Raises:
        TypeError, ValueError: counts that are not integers of at least 1; a table larger than any memory.

    Example:
        >>> q = torch.randn(2, 4, 6, 8)
        >>> RelativeAttention(head_dim=8, clip=3)(q, q, q, causal=True).shape
        torch.Size([2, 4, 6, 8])

    Source:
        Shaw et al. 2018, equations (3) and (4); the PyTorch article, section 2.
    """

    def __init__(self, head_dim: int, clip: int, *, values: bool = True) -> None:
        super().__init__()
        check_int("head_dim", head_dim, 1, MAX_WIDTH)
        check_int("clip", clip, minimum=1)
        check_flag("values", values)
        check_room("clip", clip, 2 * clip + 1, head_dim)
        self.head_dim, self.clip = head_dim, clip
        self.key_table = nn.Parameter(torch.empty(2 * clip + 1, head_dim))
        self.value_table = nn.Parameter(torch.empty(2 * clip + 1, head_dim)) if values else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        for table in self.parameters():
            nn.init.normal_(table, std=0.02)

    def extra_repr(self) -> str:
        return f"head_dim={self.head_dim}, clip={self.clip}, values={self.value_table is not None}"

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        check_width(self.head_dim, head_dim)
        if self.value_table is not None and self.head_dim != value_dim:
            raise ValueError(f"v must have head_dim = {self.head_dim}, got {value_dim}")

    def check_positions(self, name: str, value: object) -> Tensor:
        check_integers(name, value)
        return super().check_positions(name, value)

    def term(self, q: Tensor, positions: Positions, scale: float) -> Term:
        return ShawTerm(self, q, positions, scale)

    def query_numbers(self, q: Tensor, dtype: torch.dtype) -> Tensor:
        r""":math:`q\,{a^K}^\top`, ``[batch, heads, Q, 2·clip + 1]``: all the scores need of the table."""
        if q.shape[-1] != self.head_dim:
            raise ValueError(f"q must have head_dim = {self.head_dim}, got {q.shape[-1]}")
        return q.to(dtype) @ self.key_table.to(dtype).transpose(0, 1)

    def value_term(self, weights: Tensor, index: Tensor | None) -> Tensor:
        r""":math:`\sum_n \alpha_{mn} a^V_{c(n-m)}`, weights ``[batch, heads, Q, K]``; 0 without a table."""
        if self.value_table is None:
            return weights.new_zeros(())
        sums = gather(weights, index, 2 * self.clip + 1)
        return sums @ self.value_table.to(weights.dtype)

    @knows_names
    def forward(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        *,
        position_ids: Tensor | tuple[Tensor, Tensor] | None = None,
        causal: bool = False,
        mask: Tensor | None = None,
        backend: Backend = "sdpa",
    ) -> Tensor:
        """:func:`attention` with this encoding; arguments as there."""
        return attention(q, k, v, self, position_ids=position_ids, causal=causal, mask=mask, backend=backend)

    if TYPE_CHECKING:

        @called_as(forward)
        def __call__(self, *given: Any, **named: Any) -> Any: ...


@dataclass(frozen=True)
class ShawTerm(Term):
    """What Shaw's tables add to the scores and to the output of one call."""

    encoding: RelativeAttention
    q: Tensor
    positions: Positions
    scale: float

    @property
    def reads_weights(self) -> bool:
        return self.encoding.value_table is not None

    def whole(self, dtype: torch.dtype) -> Tensor:
        return spread(self._numbers(dtype), self._index(), self.q.shape[-2], self.positions.k.shape[-1])

    def of_values(self, weights: Tensor) -> Tensor:
        return self.encoding.value_term(weights, self._index())

    def tile(self, dtype: torch.dtype, causal: bool) -> Tile | None:
        if not self.positions.aligned:
            return None
        values = self.encoding.value_table
        band = Band(self.q.shape[-2], self.encoding.clip, causal)
        return Tile(band, self._numbers(dtype), None if values is None else values.to(dtype))

    def score_mod(self, device: torch.device) -> ScoreMod:
        dtype = arithmetic(self.q)
        numbers, clip = captured(self._numbers(dtype)), self.encoding.clip
        q_pos, k_pos = captured(self.positions.q), captured(self.positions.k)

        def mod(score: Tensor, b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
            distance = position_at(k_pos, b, kv_idx) - position_at(q_pos, b, q_idx)
            return score + numbers[b, h, q_idx, distance.clamp(-clip, clip) + clip]

        return mod

    def _numbers(self, dtype: torch.dtype) -> Tensor:
        return self.encoding.query_numbers(self.q, dtype) * self.scale

    def _index(self) -> Tensor | None:
        """For Shaw's tables; None for equal runs of positions, which need none."""
        if self.positions.aligned:
            return None
        return shaw_index(self.positions.q, self.positions.k, self.encoding.clip)
