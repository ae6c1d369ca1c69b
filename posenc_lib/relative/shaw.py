"""Shaw's relative attention: a learned vector for each clipped distance, added to keys and to values."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._allocation import check_device, check_room
from posenc_lib._checks import (
    FURTHEST,
    check_floating,
    check_int,
    check_integers,
    check_local,
    check_same,
    widened,
)
from posenc_lib._torch_state import as_given
from posenc_lib.relative.band import shaw_index, spread


def relative_positions(
    q_len: int,
    k_len: int,
    clip: int | None = None,
    *,
    offset: int = 0,
    device: torch.device | str | None = None,
) -> Tensor:
    r"""The matrix of distances :math:`n - m`, key − query, clipped to ±clip if asked.

    Clipping makes far distances share one value; it hides no key. Adding ``clip`` gives the row of Shaw's
    table.

    Args:
        q_len: number of queries, at positions offset, offset + 1, …
        k_len: number of keys, at positions 0, 1, …
        clip: k ≥ 1, or None.
        offset: position of the first query, for a decode step the number of tokens already seen.
        device: of the result.

    Returns:
        ``[q_len, k_len]`` int64.

    Raises:
        TypeError, ValueError: an argument that is not an integer, a negative length, ``clip`` below 1;
            lengths whose matrix is larger than any memory; a ``device`` that is not there.

    Example:
        >>> relative_positions(3, 4, clip=2)
        tensor([[ 0,  1,  2,  2],
                [-1,  0,  1,  2],
                [-2, -1,  0,  1]])

    Source:
        Shaw et al. 2018, section 3.2; the PyTorch article, section 2.
    """
    check_int("q_len", q_len)
    check_int("k_len", k_len)
    check_int("offset", offset, -FURTHEST, FURTHEST)
    check_device(device)
    check_room("the matrix of q_len and k_len", (q_len, k_len), max(q_len, 1), max(k_len, 1))
    distance = (
        torch.arange(k_len, device=device) - torch.arange(offset, offset + q_len, device=device)[:, None]
    )
    if clip is None:
        return distance
    check_int("clip", clip, minimum=1)
    return distance.clamp(-clip, clip)


def shaw_scores(
    q: Tensor, k: Tensor, table: Tensor, clip: int, q_pos: Tensor | None = None, k_pos: Tensor | None = None
) -> Tensor:
    r""":math:`s_{mn} = q_m^\top\big(k_n + a_{\mathrm{clip}(n-m)}\big)`, not scaled.

    Each query meets the 2·clip + 1 vectors once, :math:`qA^\top`, and its numbers are laid out along the
    diagonals, so no tensor of size L·L·d exists: O(L² d + L·clip·d) time, O(L² + L·clip) memory.

    Args:
        q: ``[batch, heads, Q, d]``.
        k: ``[batch, heads, K, d]``.
        table: ``[2·clip + 1, d]``, row clip + t for the distance t = key − query.
        clip: k ≥ 1.
        q_pos, k_pos: integers, ``[Q]``, ``[K]`` or with a leading batch axis; give both or neither. By
            default 0, 1, … on both sides.

    Returns:
        ``[batch, heads, Q, K]``.

    Raises:
        TypeError: dtypes that differ or are not floating; positions that are not integers.
        ValueError: shapes, devices or ``clip`` that do not fit; one of ``q_pos`` and ``k_pos`` alone.

    Example:
        >>> q, k = torch.ones(1, 1, 3, 2), torch.zeros(1, 1, 3, 2)
        >>> shaw_scores(q, k, torch.tensor([[-1.0, 0.0], [0.0, 0.0], [0.0, 5.0]]), clip=1)
        tensor([[[[ 0.,  5.,  5.],
                  [-1.,  0.,  5.],
                  [-1., -1.,  0.]]]])

    Source:
        Shaw et al. 2018, equation (5).
    """
    check_pair(q, k)
    _check_table(table, clip, q)
    if (q_pos is None) != (k_pos is None):
        raise ValueError("give q_pos and k_pos together, or neither")
    index = None
    if q_pos is not None and k_pos is not None:
        q_pos, k_pos = check_places(q_pos, k_pos, q, k)
        index = shaw_index(q_pos, k_pos, clip)
    with as_given(q):
        term = spread(q @ table.transpose(0, 1), index, q.shape[-2], k.shape[-2])
        return q @ k.transpose(-1, -2) + term


def check_pair(q: Tensor, k: Tensor) -> None:
    for name, x in (("q", q), ("k", k)):
        check_local(name, check_floating(name, x))
        if x.ndim != 4:
            raise ValueError(f"{name} must have shape [batch, heads, length, dim], got {list(x.shape)}")
    check_same("k", k, "q", q)
    if q.shape[:2] != k.shape[:2] or q.shape[3] != k.shape[3]:
        raise ValueError(f"q and k must agree but in length, got {list(q.shape)} and {list(k.shape)}")


def check_places(q_pos: Tensor, k_pos: Tensor, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """Integer positions of queries and keys, checked, as int64."""
    for name, places, x in (("q_pos", q_pos, q), ("k_pos", k_pos, k)):
        check_integers(name, places)
        check_same(name, places, "q", q, dtype=False)
        if places.shape not in (x.shape[2:3], (x.shape[0], x.shape[2])):
            raise ValueError(
                f"{name} must have shape [{x.shape[2]}] or [{x.shape[0]}, {x.shape[2]}], "
                f"got {list(places.shape)}"
            )
    return widened(q_pos), widened(k_pos)


def _check_table(table: Tensor, clip: int, q: Tensor) -> None:
    check_int("clip", clip, minimum=1)
    check_floating("table", table)
    check_same("table", table, "q", q)
    if table.shape != (2 * clip + 1, q.shape[-1]):
        raise ValueError(f"table must have shape {[2 * clip + 1, q.shape[-1]]}, got {list(table.shape)}")
