"""Position terms that depend on content: Transformer-XL and DeBERTa, as functions of q, k and tables."""

from __future__ import annotations

from torch import Tensor

from posenc_lib._checks import check_same, check_tensor
from posenc_lib._torch_state import as_given
from posenc_lib.relative.shaw import check_pair, check_places


def rel_shift(x: Tensor) -> Tensor:
    r"""From "row m, distance" to "row m, key": :math:`y_{mn} = x_{m,\,n - m + Q - 1}`.

    Column c of x belongs to the distance key − query = c − (Q − 1), so row m has to move to the left by
    Q − 1 − m. Without its first Q − 1 entries the same memory, read with rows one entry shorter, has it so.

    Args:
        x: ``[..., Q, Q + K − 1]``.

    Returns:
        ``[..., Q, K]``.

    Raises:
        TypeError: ``x`` is not a tensor.
        ValueError: fewer than two axes, or fewer columns than rows.

    Example:
        >>> import torch
        >>> rel_shift(torch.tensor([[-1, 0, 1], [-1, 0, 1]]))
        tensor([[ 0,  1],
                [-1,  0]])

    Source:
        Dai et al. 2019, appendix B.
    """
    check_tensor("x", x)
    if x.ndim < 2 or x.shape[-1] < x.shape[-2]:
        raise ValueError(f"x must have shape [..., Q, Q + K − 1], got {list(x.shape)}")
    rows, columns = x.shape[-2:]
    if rows == 1:
        return x
    # entry (m, n) is number (Q − 1) + m·(columns − 1) + n of the flattened matrix
    flat = x.reshape(*x.shape[:-2], rows * columns)[..., rows - 1 : rows - 1 + rows * (columns - 1)]
    return flat.reshape(*x.shape[:-2], rows, columns - 1)[..., : columns - rows + 1]


def transformer_xl_scores(q: Tensor, k: Tensor, r: Tensor, u: Tensor, v: Tensor) -> Tensor:
    r""":math:`s_{mn} = (q_m + u)^\top k_n + (q_m + v)^\top r_{n-m}`, not scaled.

    The four terms of the paper: content–content, content–position, and a bias for each; u and v take the
    place of the query's own position. r is the projected encoding of distances (the paper writes them m − n).

    Args:
        q: ``[batch, heads, Q, d]``; k: ``[batch, heads, K, d]``. The last query and the last key share a
            position, so K − Q keys of memory come first.
        r: ``[heads, Q + K − 1, d]``, row c for the distance key − query = c − (K − 1).
        u, v: ``[heads, d]``.

    Returns:
        ``[batch, heads, Q, K]``.

    Raises:
        TypeError: dtypes that differ or are not floating.
        ValueError: shapes that do not fit.

    Example:
        >>> import torch
        >>> x, r, zero = torch.ones(1, 1, 2, 1), torch.tensor([[[-1.0], [0.0], [1.0]]]), torch.zeros(1, 1)
        >>> transformer_xl_scores(x, x, r, zero, zero)
        tensor([[[[1., 2.],
                  [0., 1.]]]])

    Source:
        Dai et al. 2019, section 3.3.
    """
    check_pair(q, k)
    heads, q_len, dim = q.shape[1:]
    for name, x, shape in (
        ("r", r, (heads, q_len + k.shape[2] - 1, dim)),
        ("u", u, (heads, dim)),
        ("v", v, (heads, dim)),
    ):
        check_same(name, x, "q", q)
        if x.shape != shape:
            raise ValueError(f"{name} must have shape {list(shape)}, got {list(x.shape)}")
    with as_given(q):
        content = (q + u[:, None]) @ k.transpose(-1, -2)
        return content + rel_shift((q + v[:, None]) @ r.transpose(-1, -2))


def disentangled_scores(
    q: Tensor, k: Tensor, q_table: Tensor, k_table: Tensor, q_pos: Tensor, k_pos: Tensor
) -> Tensor:
    r""":math:`s_{mn} = q_m^\top k_n + q_m^\top K^r_{\delta(m,n)} + k_n^\top Q^r_{\delta(n,m)}`, not scaled.

    :math:`\delta(m, n) = \mathrm{clip}(m - n + k,\ 0,\ 2k - 1)`: 2k rows, distances from −k to k − 1. The
    three terms are content to content, content to position and position to content; the paper divides by
    :math:`\sqrt{3d}`. Released models read the third term at :math:`\delta(m, n)`, another row.

    Args:
        q: ``[batch, heads, Q, d]``; k: ``[batch, heads, K, d]``.
        q_table, k_table: ``[heads, 2k, d]``, projected embeddings of relative positions.
        q_pos, k_pos: integers ``[Q]`` and ``[K]``, or with a leading batch axis.

    Returns:
        ``[batch, heads, Q, K]``.

    Raises:
        TypeError: dtypes that differ or are not floating; positions that are not integers.
        ValueError: shapes that do not fit.

    Example:
        >>> import torch
        >>> x, table, p = torch.ones(1, 1, 2, 1), torch.tensor([[[1.0], [2.0]]]), torch.arange(2)
        >>> disentangled_scores(x, x, table, table, p, p)
        tensor([[[[5., 4.],
                  [4., 5.]]]])

    Source:
        He et al. 2021, equations (3) and (4).
    """
    check_pair(q, k)
    q_pos, k_pos = check_places(q_pos, k_pos, q, k)
    for name, x in (("q_table", q_table), ("k_table", k_table)):
        check_same(name, x, "q", q)
        if (
            x.ndim != 3
            or x.shape[0] != q.shape[1]
            or x.shape[2] != q.shape[3]
            or x.shape[1] % 2
            or not x.shape[1]
        ):
            raise ValueError(
                f"{name} must have shape [{q.shape[1]}, 2k, {q.shape[3]}] with k ≥ 1, got {list(x.shape)}"
            )
    if q_table.shape != k_table.shape:
        raise ValueError(f"tables must have one shape, got {list(q_table.shape)} and {list(k_table.shape)}")
    rows = q_table.shape[1]
    distance = (q_pos[..., :, None] - k_pos[..., None, :]).unsqueeze(-3)

    def taken(numbers: Tensor, delta: Tensor) -> Tensor:
        column = (delta + rows // 2).clamp(0, rows - 1)
        return numbers.gather(-1, column.expand(*numbers.shape[:2], *column.shape[-2:]))

    with as_given(q):
        to_position = taken(q @ k_table.transpose(-1, -2), distance)
        from_position = taken(k @ q_table.transpose(-1, -2), -distance.transpose(-1, -2)).transpose(-1, -2)
        return q @ k.transpose(-1, -2) + to_position + from_position
