"""Where tokens stand in dual chunk attention: a key in one place, a query in three."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from posenc_lib._checks import check_int, check_integers, check_positions, widened
from posenc_lib._torch_state import concrete


class DualChunkPositions(NamedTuple):
    """Where tokens stand in dual chunk attention; each field has the shape of the positions.

    Args:
        intra: the place in the chunk: of every key, and of a query for keys of its own chunk.
        successive: of a query for keys of the chunk before its own.
        inter: of a query for keys of all earlier chunks.

    Example:
        >>> DualChunkPositions(*torch.arange(3)).inter
        tensor(2)
    """

    intra: Tensor
    successive: Tensor
    inter: Tensor


def dual_chunk_positions(position_ids: Tensor, *, chunk_size: int, local_size: int) -> DualChunkPositions:
    r"""The positions of dual chunk attention, for chunks of :math:`s = \mathrm{chunk\_size} -
    \mathrm{local\_size}` tokens.

    .. math:: n \bmod s, \qquad \min(m \bmod s + s,\ \mathrm{chunk\_size}), \qquad \mathrm{chunk\_size}

    A score depends on the difference of its query's position and its key's. That is the true distance for
    keys up to ``local_size`` + 1 back, and in the first ``chunk_size`` + 1 tokens of a text for all keys;
    elsewhere it is greater than ``local_size``, at most the true distance, and at most ``chunk_size``.

    Names and meaning are those of released configs and code. The paper writes s for the chunk, c for
    ``chunk_size`` + 1 and w for ``local_size`` + 1: a model that was trained on c positions knows distances
    up to c − 1. Qwen2.5-1M's ``chunk_size`` is its original length, one more.

    Args:
        position_ids: ``[...]``, integers from 0 to 2⁵³.
        chunk_size: the largest position of a query, at least 1.
        local_size: from 0 to below half of ``chunk_size``; for more, code and paper differ.

    Returns:
        :class:`DualChunkPositions`, int64.

    Raises:
        TypeError: positions that are not integers; sizes that are not ints.
        ValueError: negative positions (looked at on the CPU in eager mode only), sizes out of range.

    Example:
        >>> places = dual_chunk_positions(torch.arange(8), chunk_size=5, local_size=1)  # chunks of 4
        >>> torch.stack(places)
        tensor([[0, 1, 2, 3, 0, 1, 2, 3],
                [4, 5, 5, 5, 4, 5, 5, 5],
                [5, 5, 5, 5, 5, 5, 5, 5]])

    Source:
        An et al. 2024 (Training-Free Long-Context Scaling of Large Language Models), section 3 and figure 2.
    """
    size = chunk_of(chunk_size, local_size)
    places = places_of(position_ids)
    intra = places % size
    return DualChunkPositions(intra, (intra + size).clamp(max=chunk_size), torch.full_like(intra, chunk_size))


def chunk_of(chunk_size: int, local_size: int) -> int:
    """Tokens of a chunk, for sizes that are checked here."""
    check_int("chunk_size", chunk_size, minimum=1)
    check_int("local_size", local_size)
    if 2 * local_size >= chunk_size:
        raise ValueError(
            f"local_size must be less than half of chunk_size = {chunk_size}, got {local_size}: the window "
            "is shorter than a chunk, which has chunk_size - local_size tokens"
        )
    return chunk_size - local_size


def places_of(position_ids: Tensor) -> Tensor:
    """Positions as int64, checked: integers from 0 on."""
    check_integers("position_ids", position_ids)
    check_positions(position_ids)
    if concrete(position_ids) and position_ids.numel() and position_ids.min() < 0:
        raise ValueError(f"position_ids must not be negative, got {int(position_ids.min())}")
    return widened(position_ids)
