r"""Rotary encodings over several axes: angles that are linear in a vector of coordinates.

One idea covers them all. A frequency *matrix* F ``[axes, n]`` turns plane i by :math:`\sum_a p_a F_{ai}`. One
nonzero entry a column is an axial encoding (a ladder for each axis) or M-RoPE (one ladder dealt out to the
axes); a full matrix is the mixed encoding, whose score still depends on :math:`p - p'` alone because
rotations commute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lib._allocation import check_room
from posenc_lib._checks import (
    MAX_WIDTH,
    check_even,
    check_flag,
    check_frequencies,
    check_int,
    check_local,
    check_sequence,
    shown,
)
from posenc_lib.angles.frequencies import inv_freq


def section_axes(sections: Sequence[int], *, interleaved: bool = False) -> Tensor:
    """The axis that turns each plane, ``[n]`` int64 with n = Σ sections.

    Args:
        sections: planes of each axis.
        interleaved: False gives contiguous blocks (Qwen2-VL). True deals plane i to axis ``i mod A`` while
            that axis has planes left, and to axis 0 otherwise (Qwen3-VL).

    Raises:
        ValueError: a section below 1, or sections that cannot be interleaved (a later axis would need planes
            that do not exist).
        TypeError: ``sections`` not a list or tuple of ints.

    Example:
        >>> section_axes((2, 1, 1)).tolist(), section_axes((4, 2, 2), interleaved=True).tolist()
        ([0, 0, 1, 2], [0, 1, 2, 0, 1, 2, 0, 0])
    """
    return torch.tensor(planes(sections, interleaved=interleaved))


def planes(sections: Sequence[int], *, interleaved: bool = False) -> tuple[int, ...]:
    """:func:`section_axes` as plain numbers, so that a compiler sees the sizes.

    Example:
        >>> planes((2, 1, 1))
        (0, 0, 1, 2)
    """
    check_sequence("sections", sections)
    check_flag("interleaved", interleaved)
    for size in sections:
        check_int("sections", size, minimum=1)
    if not sections:
        raise ValueError("sections must name at least one axis, got ()")
    axes, n = len(sections), sum(sections)
    if 2 * n > MAX_WIDTH:  # before anything of that size is made
        raise ValueError(f"sections must sum to at most {MAX_WIDTH // 2} planes, got {shown(n)}")
    if not interleaved:
        return tuple(axis for axis, size in enumerate(sections) for _ in range(size))
    owner = tuple(i % axes if i < axes * sections[i % axes] else 0 for i in range(n))
    held = Counter(owner)
    if [held[axis] for axis in range(axes)] != list(sections):
        raise ValueError(f"sections cannot be interleaved over {n} planes: {tuple(sections)}")
    return owner


def axis_frequencies(inv_freq: Tensor, sections: Sequence[int], *, interleaved: bool = False) -> Tensor:
    r"""The frequency matrix of M-RoPE: :math:`F_{ai} = \theta_i` if axis a turns plane i, else 0.

    Args:
        inv_freq: ``[n]``, one ladder for all axes.
        sections: planes of each axis, summing to n.
        interleaved: see :func:`section_axes`.

    Returns:
        ``[axes, n]``, dtype and device of ``inv_freq``, differentiable in it.

    Raises:
        ValueError: ``sections`` do not sum to n, or ask for a matrix that no memory holds; see
            :func:`section_axes`.
        TypeError: ``inv_freq`` not floating.

    Example:
        >>> axis_frequencies(torch.tensor([1.0, 0.5, 0.25]), (2, 1))
        tensor([[1.0000, 0.5000, 0.0000],
                [0.0000, 0.0000, 0.2500]])

    Source:
        Qwen2-VL, arXiv 2409.12191, section 2.1.
    """
    check_local("inv_freq", check_frequencies("inv_freq", inv_freq))
    axis = planes(sections, interleaved=interleaved)
    check_room("sections", tuple(sections), len(sections), len(axis))
    if inv_freq.shape != (len(axis),):
        raise ValueError(
            f"sections {tuple(sections)} need inv_freq [{len(axis)}], got {list(inv_freq.shape)}"
        )
    return dealt(inv_freq, axis)


def dealt(inv_freq: Tensor, axis_of_plane: Sequence[int]) -> Tensor:
    """The frequency matrix ``[axes, n]`` in which plane i turns by axis ``axis_of_plane[i]`` alone.

    Example:
        >>> dealt(torch.tensor([1.0, 0.5, 0.25]), (1, 0, 1))
        tensor([[0.0000, 0.5000, 0.0000],
                [1.0000, 0.0000, 0.2500]])
    """
    axis = torch.tensor(axis_of_plane, device=inv_freq.device)
    mine = torch.arange(1 + max(axis_of_plane), device=axis.device)[:, None] == axis
    return torch.where(mine, inv_freq, torch.zeros_like(inv_freq))


def axial_frequencies(dim: int, axes: int, base: float = 10000.0) -> Tensor:
    """The frequency matrix of axial RoPE: each axis has ``dim/axes`` features and a full ladder of its own.

    Args:
        dim: width of a head, a multiple of ``2·axes``.
        axes: 2 for images, 3 for video.
        base: of every ladder.

    Returns:
        float64 ``[axes, dim/2]``; axis a has the planes ``a·dim/(2·axes) …``.

    Raises:
        ValueError: ``dim`` does not divide; a matrix that no memory holds.
        TypeError: not integers.

    Example:
        >>> axial_frequencies(8, 2)
        tensor([[1.0000, 0.0100, 0.0000, 0.0000],
                [0.0000, 0.0000, 1.0000, 0.0100]], dtype=torch.float64)

    Source:
        RoPE for vision transformers, arXiv 2403.13298 (RoPE-Axial).
    """
    check_even("dim", dim)
    check_int("axes", axes, 1, MAX_WIDTH)
    if dim % (2 * axes):
        raise ValueError(f"dim must be a multiple of 2 * axes = {2 * axes}, got {dim}")
    check_room("axes", axes, axes, dim // 2)
    return torch.block_diag(*[inv_freq(dim // axes, base)[None]] * axes)


def mixed_frequencies(
    dim: int, num_heads: int, axes: int = 2, base: float = 10.0, *, generator: torch.Generator | None = None
) -> Tensor:
    r"""Starting values for *trained* frequencies: for each head and plane a ladder step in a random
    direction.

    :math:`F_{ah0i} = \theta_i u_a` with u uniform on the unit sphere; θ is the ladder of ``dim`` features.
    Wrap the result in ``nn.Parameter``; give it to :func:`cos_sin_axes` with positions
    ``[axes, batch, 1, seq]``.

    Args:
        dim: width of a head, even.
        num_heads: heads, each with frequencies of its own.
        axes: number of coordinates.
        base: of the ladder; small, because images are short.
        generator: source of the random directions.

    Returns:
        float64 ``[axes, heads, 1, dim/2]``.

    Raises:
        ValueError: as :func:`inv_freq`; ``num_heads`` or ``axes`` below 1, or more than memory holds; a
            ``generator`` of another device than the CPU.
        TypeError: as :func:`inv_freq`; ``generator`` is neither a torch.Generator nor None.

    Example:
        >>> mixed_frequencies(8, num_heads=3).norm(dim=0)[0, 0]
        tensor([1.0000, 0.5623, 0.3162, 0.1778], dtype=torch.float64)

    Source:
        RoPE for vision transformers, arXiv 2403.13298 (RoPE-Mixed).
    """
    check_int("num_heads", num_heads, 1, MAX_WIDTH)
    check_int("axes", axes, 1, MAX_WIDTH)
    if not isinstance(generator, torch.Generator | None):
        raise TypeError(f"generator must be a torch.Generator or None, got {shown(generator)}")
    if generator is not None and generator.device.type != "cpu":
        raise ValueError(f"generator must be one of the CPU, got one of {generator.device}")
    theta = inv_freq(dim, base)
    check_room("num_heads", num_heads, axes, num_heads, dim // 2)
    direction = torch.randn(axes, num_heads, 1, dim // 2, dtype=torch.float64, generator=generator)
    return theta * direction / direction.norm(dim=0)
