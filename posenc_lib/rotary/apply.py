"""Rotary position encoding: turn plane i of a query or key at position m by the angle mθ_i."""

from __future__ import annotations

from typing import NoReturn

from torch import Tensor, strided

from posenc_lib._aliases import hides_unknown, refuse_unknown
from posenc_lib._aliasing import check_apart, check_unread
from posenc_lib._checks import (
    Layout,
    check_flag,
    check_layout,
    check_one_kind,
    check_same,
    check_seq_dim,
    check_tensor,
)
from posenc_lib._torch_state import is_distributed, spread
from posenc_lib.angles.double import arithmetic
from posenc_lib.angles.fit import check_once, check_real, fit_tables
from posenc_lib.angles.tables import as_positions, cos_sin
from posenc_lib.rotary.engine.autograd import rotate, rotate_in_place, rotate_joined


@hides_unknown
def apply_rotary(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    layout: Layout = "half",
    inverse: bool = False,
    seq_dim: int = -2,
    **unknown: NoReturn,
) -> Tensor:
    r"""Turn every plane: :math:`x \to x\cos - y\sin`, :math:`y \to y\cos + x\sin`, or :math:`z e^{im\theta}`.

    With tables from :func:`cos_sin` this is :math:`R_m x`, orthogonal, so norms stay and
    :math:`\langle R_m q, R_n k\rangle` depends on m − n alone. Half-precision inputs are computed in float32
    and rounded once. The backward pass is the rotation by −θ and keeps only the tables; if the tables
    require gradients they get them. A DTensor gives a DTensor; plain tables beside it are those of the whole.

    Args:
        x: ``[..., heads, seq, dim]`` or ``[seq, dim]``, floating; or as ``seq_dim`` says.
        cos, sin: half-width tables ``[..., n]``, 2n ≤ dim; the channels from 2n on pass unchanged (partial
            rotary). Either ``[n]`` or ``[seq, n]`` shared by everything; or ``[batch, seq, n]`` for x
            ``[batch, heads, seq, dim]``; or as many axes as x, with sizes equal or written as 1. Not
            coarser than x: bfloat16 tables serve bfloat16 alone, float16 tables both dtypes of 16 bits.
        layout: ``"half"`` pairs channels (i, i + n), ``"interleaved"`` (2i, 2i + 1).
        inverse: turn by −θ, the exact inverse if the tables hold no attention factor.
        seq_dim: the axis of the sequence: −2, or −3 for x ``[batch, seq, heads, dim]``, which is neither
            moved nor copied. Where the number of heads is that of positions, nobody else can tell.

    Returns:
        A tensor of the shape, dtype and device of ``x``.

    Raises:
        TypeError: not tensors, not floating, or tables of a coarser dtype than x; DTensors beside a
            plain x.
        ValueError: tables of unequal or unfitting shape or wider than x; doubled ones, ``cat(c, c)`` (looked
            at on the CPU in eager mode, from two positions on); another device; unknown layout.
        RuntimeError: under torch.compile, interleaved bfloat16 that starts at an odd element of its memory.

    Example:
        >>> import torch
        >>> from posenc_lib import cos_sin, inv_freq
        >>> cos, sin = cos_sin(inv_freq(4), torch.arange(3))
        >>> apply_rotary(torch.ones(3, 4), cos, sin)
        tensor([[ 1.0000,  1.0000,  1.0000,  1.0000],
                [-0.3012,  0.9900,  1.3818,  1.0099],
                [-1.3254,  0.9798,  0.4932,  1.0198]])

    Source:
        Su et al. 2021, equation (34).
    """
    if unknown:
        refuse_unknown(apply_rotary, unknown)
    check_layout(layout)
    check_flag("inverse", inverse)
    check_seq_dim(seq_dim)
    cos, sin = _fitted(x, cos, sin, "x", seq_dim)
    return rotate(x, cos, -sin if inverse else sin, layout)


@hides_unknown
def apply_rotary_qk(
    q: Tensor,
    k: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    layout: Layout = "half",
    inplace: bool = False,
    seq_dim: int = -2,
    **unknown: NoReturn,
) -> tuple[Tensor, Tensor]:
    """:func:`apply_rotary` on queries and keys with the same tables; head counts may differ.

    Args:
        q: ``[..., heads, seq, dim]``, or as ``seq_dim`` says.
        k: the same seq, dtype and device as q.
        cos, sin, layout, seq_dim: as for :func:`apply_rotary`.
        inplace: overwrite q and k, and return them: not leaves that require gradients, nor beside tables
            that do.

    Raises:
        TypeError, ValueError: as :func:`apply_rotary`; q and k of different dtype; ``inplace`` on tensors
            that share memory, with one another or, expanded say, with themselves, or where it would spoil a
            gradient.

    Example:
        >>> import torch
        >>> from posenc_lib import cos_sin, inv_freq
        >>> q, k = torch.ones(1, 8, 3, 4), torch.ones(1, 2, 3, 4)
        >>> q_m, k_n = apply_rotary_qk(q, k, *cos_sin(inv_freq(4), torch.arange(3)))
        >>> q_m.shape, k_n.shape
        (torch.Size([1, 8, 3, 4]), torch.Size([1, 2, 3, 4]))
    """
    if unknown:
        refuse_unknown(apply_rotary_qk, unknown)
    check_layout(layout)
    check_flag("inplace", inplace)
    check_seq_dim(seq_dim)
    if type(q) is not type(k) or k.layout is not strided:
        _check_one_kind(q, k)
    q_tables = k_tables = _fitted(q, cos, sin, "q", seq_dim)
    if q.dtype is not k.dtype:
        raise TypeError(f"q has dtype {q.dtype} but k has {k.dtype}")
    alike = _differ_in_heads_only(q, k, q_tables[0], seq_dim)
    if not alike:
        _check_one_length(q, k, cos, seq_dim)
        k_tables = _fitted(k, cos, sin, "k", seq_dim)
    joined = rotate_joined(q, k, *q_tables, layout, -5 - seq_dim) if alike else None
    if not inplace:
        return joined or (rotate(q, *q_tables, layout), rotate(k, *k_tables, layout))
    check_unread(cos, sin)
    check_apart(q, k)
    if joined:  # two copies cost less than to turn twice
        return q.copy_(joined[0]), k.copy_(joined[1])
    return rotate_in_place(q, *q_tables, layout), rotate_in_place(k, *k_tables, layout)


def rerotate(
    k: Tensor,
    delta: Tensor | int | float,
    inv_freq: Tensor,
    *,
    layout: Layout = "half",
    attention_factor: float = 1.0,
) -> Tensor:
    r"""Move keys that are already rotated: :math:`R_{n+\delta}k = R_\delta (R_n k)`.

    Also repairs a cache when the frequencies change: with ``delta`` the positions and ``inv_freq`` the
    difference θ_new − θ_old, keys rotated under the old frequencies become keys rotated under the new ones.

    Args:
        k: rotated keys ``[..., seq, dim]``.
        delta: one shift for all, or ``[seq]`` or ``[batch, seq]`` shifts.
        inv_freq: ``[n]``, radians per position; may be negative or zero where it is a difference.
        layout: ``"half"`` or ``"interleaved"``.
        attention_factor: new factor divided by the old one.

    Raises:
        TypeError, ValueError: as :func:`cos_sin` and :func:`apply_rotary`.

    Example:
        >>> import torch
        >>> from posenc_lib import cos_sin, inv_freq
        >>> theta, k = inv_freq(4), torch.randn(3, 4, dtype=torch.float64)
        >>> at_7 = apply_rotary(k, *cos_sin(theta, torch.tensor(7), dtype=torch.float64))
        >>> at_9 = apply_rotary(k, *cos_sin(theta, torch.tensor(9), dtype=torch.float64))
        >>> torch.allclose(rerotate(at_7, 2, theta), at_9, rtol=0, atol=1e-15)
        True
    """
    check_tensor("k", k)
    check_layout(layout)
    dtype = arithmetic(k)
    positions = as_positions(delta, "delta", k.device)
    if isinstance(delta, Tensor):
        check_same("delta", delta, "k", k, dtype=False)
    cos, sin = cos_sin(inv_freq, positions, attention_factor=attention_factor, dtype=dtype)
    return rotate(k, *_fitted(k, cos.to(k.device), sin.to(k.device), "k"), layout)


def _fitted(x: Tensor, cos: Tensor, sin: Tensor, name: str, seq_dim: int = -2) -> tuple[Tensor, Tensor]:
    if not type(x) is type(cos) is type(sin) is Tensor:
        check_real(cos, sin)
        for label, value in ((name, x), ("cos", cos), ("sin", sin)):
            check_tensor(label, value)
            if is_distributed(value):
                check_one_kind(label, value, name, x)
        cos, sin = spread(x, cos), spread(x, sin)  # plain ones, of the whole, are alike in every process
    cos, sin = fit_tables(x, cos, sin, name, seq_dim)
    check_once(cos, sin, seq_dim)
    return cos, sin


def _check_one_kind(q: Tensor, k: Tensor) -> None:
    check_tensor("q", q)
    check_tensor("k", k)
    if is_distributed(q) != is_distributed(k):
        kinds = [type(x).__name__ for x in (q, k)]
        raise TypeError(f"q and k must both be DTensors or both be plain, got {kinds[0]} and {kinds[1]}")


def _check_one_length(q: Tensor, k: Tensor, cos: Tensor, seq_dim: int) -> None:
    per_position = cos.ndim > 1 and (cos.ndim < q.ndim or cos.shape[seq_dim] != 1)
    if per_position and k.ndim >= -seq_dim and q.shape[seq_dim] != k.shape[seq_dim]:
        one_axis = seq_dim == -2 and min(q.ndim, k.ndim) > 2 and q.shape[-3] == k.shape[-3]
        raise ValueError(
            f"q and k share their positions here, but q has {q.shape[seq_dim]} and k has {k.shape[seq_dim]}: "
            "rotate each key when it enters the cache, or call apply_rotary on q and on k"
            + ("; if axis -3 is the sequence, say seq_dim=-3" if one_axis else "")
        )


def _differ_in_heads_only(q: Tensor, k: Tensor, cos: Tensor, seq_dim: int) -> bool:
    """Whether q and k agree in all but the axis of heads, along which the tables are shared."""
    try:
        a, b, heads = q.shape, k.shape, -5 - seq_dim
    except RuntimeError:  # nested tensors have none
        check_tensor("k", k)
        raise
    if len(a) < 3 or len(a) != len(b) or a[-1] != b[-1] or a[seq_dim] != b[seq_dim]:
        return False
    if len(a) > 3 and (a[0] != b[0] or (len(a) > 4 and a[1:-3] != b[1:-3])):
        return False
    return (cos.ndim < -heads or cos.shape[heads] == 1) and q.device == k.device
