"""What an encoding may do to attention: be added to embeddings, turn q and k, or add a term to the scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import torch
from torch import Tensor, nn

from posenc_lib._checks import check_positions
from posenc_lib.encoding.tiles import Band, Toeplitz

#: (score, batch, head, index of the query, index of the key) → score, as FlexAttention calls it.
ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


def position_at(positions: Tensor, batch: Tensor, index: Tensor) -> Tensor:
    """The position of an index, for positions ``[length]`` or ``[batch, length]``."""
    return positions[index] if positions.ndim == 1 else positions[batch, index]


@dataclass(frozen=True)
class Positions:
    """Positions of the queries and of the keys of one call, ``[length]`` or ``[batch, length]``.

    Args:
        first: where both runs of positions step by one, first key position − first query position; else None.

    Example:
        >>> Positions(torch.tensor([1, 2]), torch.arange(3), -1).seen()  # by causality
        tensor([[[[ True,  True, False],
                  [ True,  True,  True]]]])
    """

    q: Tensor
    k: Tensor
    first: int | None

    @property
    def aligned(self) -> bool:
        """Whether queries and keys stand at the same consecutive positions."""
        return self.first == 0 and self.q.shape[-1] == self.k.shape[-1]

    def seen(self) -> Tensor:
        """Where the key is not after the query, ``[batch or 1, 1, Q, K]``."""
        seen = self.k[..., None, None, :] <= self.q[..., None, :, None]
        return seen if seen.ndim == 4 else seen.unsqueeze(0)


@dataclass(frozen=True)
class Tile:
    """A term of the scores that can be made block by block.

    Args:
        plan: how a block of scores is read from the table.
        table: what the plan reads, float32 or float64.
        values: Shaw's table of values ``[2·clip + 1, dim]``, or None.

    Example:
        >>> tile = Tile(Toeplitz(q_len=2, k_len=2, first=0, causal=False), torch.tensor([[-1.0, 0.0, 1.0]]))
        >>> tile.plan.whole(tile.table)  # the last query first
        tensor([[[[-1.,  0.],
                  [ 0.,  1.]]]])
    """

    plan: Toeplitz | Band
    table: Tensor
    values: Tensor | None = None


class Term(ABC):
    """What an encoding adds to the scaled scores of one call. Each back end asks for it in its own form.

    Example:
        >>> class Sink(Term):  # the first key is preferred
        ...     def whole(self, dtype):
        ...         return torch.eye(1, 4, dtype=dtype)[None, None]
        ...
        ...     def score_mod(self, device):
        ...         return lambda score, batch, head, q_idx, kv_idx: score + (kv_idx == 0)
        >>> Sink().whole(torch.float32)
        tensor([[[[1., 0., 0., 0.]]]])
    """

    encoding: Encoding

    @property
    def reads_weights(self) -> bool:
        """Whether attention weights decide what is added to the output, see :meth:`of_values`."""
        return False

    @abstractmethod
    def whole(self, dtype: torch.dtype) -> Tensor:
        """The term as one tensor, ``[batch or 1, heads, Q, K]``."""

    @abstractmethod
    def score_mod(self, device: torch.device) -> ScoreMod:
        """The term as a function of indices, for FlexAttention."""

    def tile(self, dtype: torch.dtype, causal: bool) -> Tile | None:
        """The term in a form that needs no whole matrix, where there is one."""
        return None

    def of_values(self, weights: Tensor) -> Tensor:
        """What is added to the output, for weights ``[batch, heads, Q, K]``; see :attr:`reads_weights`."""
        return weights.new_zeros(())


def _not_called(self: nn.Module, *given: object, **named: object) -> NoReturn:
    numbers = "; encoding.bias(q_pos, k_pos) gives its numbers" if hasattr(self, "bias") else ""
    raise TypeError(f"{type(self).__name__} is not called: attention(q, k, v, encoding) uses it{numbers}")


class Encoding(nn.Module):
    """A position encoding that attention can use. Whatever a subclass leaves out, it does not do.

    Example:
        >>> from posenc_lib import attention
        >>> class Temperature(Encoding):  # queries grow with their position
        ...     def turn(self, q, k, positions, length):
        ...         return q * (1 + 0.1 * positions.q.log1p())[..., None], k
        >>> q = torch.ones(1, 2, 3, 4)
        >>> attention(q, q, q, Temperature(), causal=True).shape
        torch.Size([1, 2, 3, 4])
    """

    forward: Callable[..., Any] = _not_called
    embeds = False  # whether it acts on embeddings, and is done when attention begins
    fast_in_flex = False  # whether FlexAttention was measured to take its term faster than a matrix, on a GPU

    @property
    def several_axes(self) -> bool:
        """Whether positions may have a leading axis of coordinates."""
        return False

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        """Raise unless this encoding is made for so many heads of this width."""

    def check_layer(self, embed_dim: int, heads: int) -> None:
        """Raise unless this encoding fits a layer of this width."""
        self.check_heads(heads, embed_dim // heads, embed_dim // heads)

    def check_positions(self, name: str, value: object) -> Tensor:
        """Raise unless the encoding knows such positions."""
        return check_positions(value, name)

    def check_count(self, length: int) -> None:
        """Raise unless so many tokens may stand at 0, 1, …, where nobody says their positions."""

    def embed(self, x: Tensor, position_ids: Tensor | None) -> Tensor:
        """Embeddings ``[batch, length, embed_dim]`` with their positions."""
        return x

    def turn(self, q: Tensor, k: Tensor, positions: Positions, length: int | None) -> tuple[Tensor, Tensor]:
        """q and k with their positions; ``length`` is that of the context."""
        if length is not None:
            raise ValueError(
                f"length is for a rotary encoding, got length = {length} with {type(self).__name__}"
            )
        return q, k

    def term(self, q: Tensor, positions: Positions, scale: float) -> Term | None:
        """What is added to the scores, which are scaled by ``scale``."""
        return None


class AddedEncoding(Encoding):
    """An encoding that is added to the embeddings, and done when attention begins.

    A subclass has ``dim``, the width of the embeddings, and adds itself when it is called.

    Example:
        >>> class Parity(AddedEncoding):
        ...     dim = 2
        ...
        ...     def forward(self, x, position_ids=None):
        ...         return x + torch.arange(x.shape[-2])[:, None] % 2
        >>> Parity().embed(torch.zeros(3, 2), None)
        tensor([[0., 0.],
                [1., 1.],
                [0., 0.]])
    """

    dim: int
    embeds = True

    def check_heads(self, heads: int, head_dim: int, value_dim: int) -> None:
        raise TypeError(
            f"encoding must turn queries and keys or add to scores, but a {type(self).__name__} is added to "
            "embeddings: call it on them, or give it to MultiHeadAttention"
        )

    def check_layer(self, embed_dim: int, heads: int) -> None:
        if self.dim != embed_dim:
            raise ValueError(f"encoding adds to {self.dim} channels, but embed_dim is {embed_dim}")

    def embed(self, x: Tensor, position_ids: Tensor | None) -> Tensor:
        return self(x, position_ids)


def check_width(made_for: int, width: int) -> None:
    """Of the heads that an encoding is made for."""
    if made_for != width:
        raise ValueError(f"encoding is for heads of width {made_for}, but the width (head_dim) is {width}")
