"""Blocks of queries, and their scores: each key meets the query that was turned for keys of its chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from posenc_lib._torch_state import traced
from posenc_lib.attend.groups import product
from posenc_lib.encoding.interface import Positions

_BLOCK_NUMBERS = 2**21  # scores of one block on the CPU: 8 MiB in float32, about what caches hold
_BLOCK_NUMBERS_ELSEWHERE = 2**26  # 256 MiB: a GPU is kept busy by few large products
_FEWEST_ROWS = 16  # each block reads all keys: fewer queries would read them too often

#: The positions of the first query and of the first key, where both runs step by one.
Starts = tuple[int, int]


def starts_of(at: Positions, *, counted: bool) -> Starts | None:
    """None where positions are not consecutive, or may not be looked at; ``counted`` runs begin at 0."""
    if traced():
        return None
    if counted:
        return 0, 0
    return None if at.first is None else (int(at.q[0]), int(at.k[0]))


def runs(q: Tensor, k: Tensor, size: int, starts: Starts | None) -> Iterator[tuple[int, int]]:
    """Runs of queries whose scores fit; with ``starts`` each lies in one chunk of ``size``. At least one."""
    length = q.shape[2]
    if traced():
        yield 0, length
        return
    numbers = q.shape[0] * q.shape[1] * k.shape[2] * (3 if starts is None else 1)
    room = _BLOCK_NUMBERS if q.device.type == "cpu" else _BLOCK_NUMBERS_ELSEWHERE
    rows, a = max(room // max(numbers, 1), _FEWEST_ROWS), 0
    while True:
        b = a + rows if starts is None else min(a + rows, a + size - (starts[0] + a) % size)
        yield a, min(b, length)
        if b >= length:
            return
        a = b


def in_order(ways: Sequence[Tensor], k: Tensor, a: int, size: int, starts: Starts) -> Tensor:
    """Scores of queries from index ``a`` on, in one chunk, and of keys up to the last of them.

    Args:
        ways: the queries turned for keys of their own chunk, of the one before, and of earlier ones.
    """
    own, successive, inter = ways
    first_query, first_key = starts
    chunk = (first_query + a) // size
    ends = ((chunk - 1) * size, chunk * size, first_query + a + own.shape[2])
    x, y, z = (min(max(end - first_key, 0), k.shape[2]) for end in ends)
    keys = k.transpose(-1, -2)
    met = ((inter, keys[..., :x]), (successive, keys[..., x:y]), (own, keys[..., y:z]))
    return torch.cat([product(query, part) for query, part in met], -1)


def mixed(ways: Sequence[Tensor], k: Tensor, at: Positions, size: int) -> Tensor:
    """Scores at any positions: all three are computed, and one is taken."""
    keys = k.transpose(-1, -2)
    own, successive, inter = (product(query, keys) for query in ways)
    apart = at.q[..., None, :, None] // size - at.k[..., None, None, :] // size
    return torch.where(apart <= 0, own, torch.where(apart == 1, successive, inter))
