"""Which two channels make plane i: ``"half"`` pairs (i, i + d/2), ``"interleaved"`` pairs (2i, 2i + 1)."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import (
    MAX_WIDTH,
    Layout,
    check_even,
    check_floating,
    check_int,
    check_layout,
    check_tensor,
)


def split_planes(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    """First and second coordinates of all planes, each ``[..., d/2]``; views of ``x`` ``[..., d]``."""
    if layout == "half":
        return x.chunk(2, dim=-1)  # type: ignore[return-value]
    return x[..., 0::2], x[..., 1::2]


def join_planes(first: Tensor, second: Tensor, layout: str) -> Tensor:
    """The inverse of :func:`split_planes`: ``[..., d/2]`` twice to ``[..., d]``."""
    if layout == "half":
        return torch.cat((first, second), dim=-1)
    pairs = torch.stack((first, second), dim=-1)
    return pairs.reshape(*pairs.shape[:-2], 2 * pairs.shape[-2])


def _width(x: Tensor) -> int:
    if x.ndim == 0:
        raise ValueError("x must have shape [..., d], got []")
    return x.shape[-1]


def rotate_half(x: Tensor, layout: Layout = "half") -> Tensor:
    r"""Every plane turned by a quarter: :math:`(x, y) \to (-y, x)`, that is multiplication by i.

    :math:`R_m x = \cos(m\theta)\,x + \sin(m\theta)\,\mathrm{rotate\_half}(x)`. Applied twice it is −1.

    Args:
        x: ``[..., d]``, d even.
        layout: ``"half"`` or ``"interleaved"``.

    Raises:
        TypeError: ``x`` is not a floating tensor.
        ValueError: d is odd, or ``layout`` unknown.

    Example:
        >>> rotate_half(torch.tensor([1., 2., 3., 4.]), "half")
        tensor([-3., -4.,  1.,  2.])
        >>> rotate_half(torch.tensor([1., 2., 3., 4.]), "interleaved")
        tensor([-2.,  1., -4.,  3.])

    Source:
        the second vector of Su et al. 2021, equation (34), there in the interleaved layout.
    """
    check_floating("x", x)
    check_layout(layout)
    check_even("x.shape[-1]", _width(x))
    first, second = split_planes(x, layout)
    return join_planes(-second, first, layout)


def permute_layout(x: Tensor, src: Layout, dst: Layout, *, rotary_dim: int | None = None) -> Tensor:
    """Reorder the last axis from layout ``src`` to layout ``dst``; going back is the exact inverse.

    Args:
        x: ``[..., d]``.
        src, dst: ``"half"`` or ``"interleaved"``.
        rotary_dim: only the first ``rotary_dim`` channels are rotated, and only they move (default: all d).

    Raises:
        TypeError: ``x`` is not a tensor, ``rotary_dim`` not an int.
        ValueError: unknown layout; the rotated width is odd or exceeds d.

    Example:
        >>> permute_layout(torch.arange(6), "interleaved", "half")
        tensor([0, 2, 4, 1, 3, 5])
    """
    check_tensor("x", x)
    check_layout(src, "src")
    check_layout(dst, "dst")
    present = _width(x)
    width = present if rotary_dim is None else rotary_dim
    check_even("rotary_dim" if rotary_dim is not None else "x.shape[-1]", width)
    if width > present:
        raise ValueError(f"rotary_dim must be at most x.shape[-1] = {present}, got {width}")
    if src == dst:
        return x
    moved = join_planes(*split_planes(x[..., :width], src), dst)
    return moved if width == x.shape[-1] else torch.cat((moved, x[..., width:]), dim=-1)


def permute_qk_weight(
    w: Tensor,
    num_heads: int,
    src: Layout,
    dst: Layout,
    *,
    rotary_dim: int | None = None,
    head_dim: int | None = None,
) -> Tensor:
    """Rows of a query or key projection reordered, so that heads trained in layout ``src`` run in layout
    ``dst``.

    Permuting the rows of both W_q and W_k (and their biases) leaves every score as it was.

    Args:
        w: weight ``[num_heads·head_dim, in_features]`` or bias ``[num_heads·head_dim]``.
        num_heads: heads in *this* matrix (for grouped keys, the number of key heads).
        src, dst: ``"half"`` or ``"interleaved"``.
        rotary_dim: rotated channels of each head (default: all).
        head_dim: of a head; where it is said, another number of heads, or a transposed weight, is refused.

    Raises:
        TypeError: ``w`` is not a tensor, ``num_heads`` or ``head_dim`` not an int.
        ValueError: rows are not a multiple of ``num_heads``, or not heads of ``head_dim``; otherwise as
            :func:`permute_layout`.

    Example:
        >>> permute_qk_weight(torch.arange(8), 2, "interleaved", "half")
        tensor([0, 2, 1, 3, 4, 6, 5, 7])
    """
    check_tensor("w", w)
    check_int("num_heads", num_heads, 1, MAX_WIDTH)
    if w.ndim not in (1, 2):
        raise ValueError(f"w must be a weight [rows, columns] or a bias [rows], got shape {list(w.shape)}")
    if w.shape[0] % num_heads:
        raise ValueError(f"w has {w.shape[0]} rows, not a multiple of num_heads = {num_heads}")
    if head_dim is not None and w.shape[0] != num_heads * check_int("head_dim", head_dim, 1, MAX_WIDTH):
        raise ValueError(
            f"w must have {num_heads * head_dim} rows, of num_heads = {num_heads} heads of head_dim = "
            f"{head_dim}, got shape {list(w.shape)}: for grouped keys num_heads is that of keys; a Conv1D "
            "weight is transposed, give w.T"
        )
    heads = w.unflatten(0, (num_heads, -1)).movedim(1, -1)
    return permute_layout(heads, src, dst, rotary_dim=rotary_dim).movedim(-1, 1).reshape(w.shape)
