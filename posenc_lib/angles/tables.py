"""Tables of cos and sin, and rotation matrices, from frequencies and positions."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import (
    Layout,
    check_dtype,
    check_finite,
    check_inv_freq,
    check_layout,
    check_positions,
    check_same,
    is_number,
    moved,
)
from posenc_lib.angles.double import back, check_storable, exact, workplace
from posenc_lib.angles.layout import join_planes, split_planes

_FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def cos_sin(
    inv_freq: Tensor,
    position_ids: Tensor,
    *,
    attention_factor: float = 1.0,
    dtype: torch.dtype = torch.float32,
    angle_dtype: torch.dtype = torch.float64,
) -> tuple[Tensor, Tensor]:
    r"""Half-width tables :math:`a\cos(m\theta_i)` and :math:`a\sin(m\theta_i)`.

    Angles, cosines and sines are computed in ``angle_dtype`` and rounded once to ``dtype``. In float64 the
    result is within 3·10⁻⁸ of the exact value (half a unit in the last place of float32) at any position met
    in practice; in float32 the error grows with the position, to 10⁻² near 10⁵. Gradients flow to
    ``inv_freq`` and to floating positions.

    Args:
        inv_freq: ``[n]``, radians per position; moved to the device of ``position_ids``.
        position_ids: ``[...]``, integers, or float32/float64 for fractional positions. Any sign.
        attention_factor: a, multiplies both tables.
        dtype: of the tables.
        angle_dtype: float64, or float32 to reproduce checkpoints trained with float32 angles.

    Returns:
        ``cos, sin``, each ``[..., n]``, on the device of ``position_ids``.

    Raises:
        TypeError: boolean, complex or half-precision positions; a dtype that is not one of those above.
        ValueError: ``inv_freq`` is not 1-D or not finite; positions that are not finite, or integers that
            ``angle_dtype`` cannot hold; ``attention_factor`` not finite. (Numbers in tensors are looked at on
            the CPU in eager mode only.) Also float64 tables on a device without float64, such as Apple's MPS;
            float32 tables are worked out on the CPU for it, from float64 angles, and brought back.

    Example:
        >>> cos, sin = cos_sin(torch.tensor([1.0, 0.5]), torch.tensor([0, 2]))
        >>> cos
        tensor([[ 1.0000,  1.0000],
                [-0.4161,  0.5403]])

    Source:
        Su et al. 2021, equations (15) and (34).
    """
    check_inv_freq(inv_freq)
    check_dtype("angle_dtype", angle_dtype, (torch.float64, torch.float32))
    check_finite("attention_factor", attention_factor)
    return tables_of(inv_freq, position_ids, attention_factor, dtype, angle_dtype)


def tables_of(
    inv_freq: Tensor,
    position_ids: Tensor,
    attention_factor: float,
    dtype: torch.dtype,
    angle_dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    """:func:`cos_sin` for frequencies and a factor that were checked; checks positions and ``dtype``.

    Example:
        >>> tables_of(torch.tensor([1.0]), torch.tensor([2]), 1.0, torch.float32, torch.float64)
        (tensor([[-0.4161]]), tensor([[0.9093]]))
    """
    check_dtype("dtype", dtype, _FLOATS)
    check_positions(position_ids, "position_ids", angle_dtype)
    check_storable("dtype", dtype, position_ids.device)
    positions = exact(position_ids, angle_dtype)
    angle = positions.unsqueeze(-1) * moved("inv_freq", inv_freq, positions, angle_dtype)
    cos, sin = angle.cos(), angle.sin()
    if attention_factor != 1.0:
        cos, sin = cos * attention_factor, sin * attention_factor
    return back(cos, position_ids.device, dtype), back(sin, position_ids.device, dtype)


def as_positions(value: Tensor | int | float, name: str, device: torch.device) -> Tensor:
    """A tensor of positions from a tensor or a plain number, checked.

    A number becomes float64 or int64 on ``device``, or on the CPU if the device has no float64.
    """
    if is_number(value):
        dtype = torch.int64 if isinstance(value, int) else torch.float64
        value = torch.tensor(value, dtype=dtype, device=workplace(device, torch.float64))
    check_positions(value, name)
    return value  # type: ignore[return-value]


def rotation_matrix(
    inv_freq: Tensor,
    position: Tensor | int | float,
    layout: Layout = "half",
    *,
    dtype: torch.dtype = torch.float64,
) -> Tensor:
    r"""The dense matrix :math:`R_m`: each plane turned by :math:`+m\theta_i`, column vectors, :math:`R_m x`.

    :math:`R_0 = I`, :math:`R_m R_n = R_{m+n}`, :math:`R_m^\top = R_{-m}`. For study and as an oracle;
    :func:`apply_rotary` is the same map in O(d).

    Args:
        inv_freq: ``[n]``, radians per position.
        position: m, a number or a tensor ``[...]``.
        layout: ``"half"`` or ``"interleaved"``.
        dtype: of the result; angles are float64.

    Returns:
        ``[..., 2n, 2n]``.

    Raises:
        TypeError, ValueError: as :func:`cos_sin`; unknown ``layout``.

    Example:
        >>> rotation_matrix(torch.tensor([1.0]), 1)
        tensor([[ 0.5403, -0.8415],
                [ 0.8415,  0.5403]], dtype=torch.float64)

    Source:
        Su et al. 2021, equations (14) and (15).
    """
    check_inv_freq(inv_freq)
    check_layout(layout)
    cos, sin = cos_sin(inv_freq, as_positions(position, "position", inv_freq.device), dtype=dtype)
    unit = torch.eye(2 * inv_freq.shape[0], dtype=dtype, device=cos.device)
    first, second = split_planes(
        unit, layout
    )  # row r of `unit` is the unit vector e_r; R maps it to column r
    cos, sin = cos.unsqueeze(-2), sin.unsqueeze(-2)
    turned = join_planes(first * cos - second * sin, second * cos + first * sin, layout)
    return turned.transpose(-1, -2)


# Dtypes of x that tables of a dtype serve: never one finer than the tables.
_SERVED = {
    torch.float64: _FLOATS,
    torch.float32: _FLOATS[1:],
    torch.bfloat16: _FLOATS[2:],
    torch.float16: _FLOATS[2:],
}


def fit_tables(
    x: Tensor, cos: Tensor, sin: Tensor, name: str = "x", seq_dim: int = -2
) -> tuple[Tensor, Tensor]:
    """Tables checked and shaped to meet ``x`` ``[..., seq, dim]``, with nothing broadcast by accident.

    ``[n]`` or ``[seq, n]``: shared by everything. One axis fewer than ``x``, ``[batch, seq, n]`` for
    ``[batch, heads, seq, dim]``: shared by the heads, axis −3; or, where ``seq_dim`` is −3, for
    ``[batch, seq, heads, dim]``: by axis −2. As many axes as ``x``: sizes equal, or 1.
    (One condition covers the good case: in decoding, checks cost as much as arithmetic.)
    """
    sizes, table = x.shape, cos.shape
    axes, given, length = len(sizes), len(table), table[-2:-1]
    if (
        x.dtype not in _SERVED.get(cos.dtype, ())
        or cos.dtype is not sin.dtype
        or table != sin.shape
        or not (axes and given and 0 < 2 * table[-1] <= sizes[-1])
        or not (x.device == cos.device == sin.device)
    ):
        _refuse_tables(x, cos, sin, name)
    if seq_dim == -3 and axes < 3:
        raise ValueError(f"{name} must have shape [..., seq, heads, dim] for seq_dim=-3, got {list(sizes)}")
    if given == 1:
        return cos, sin
    if given == 2 and axes > 2:
        fits = table[0] == sizes[seq_dim]
        if seq_dim == -3:
            cos, sin = cos.unsqueeze(-2), sin.unsqueeze(-2)
    else:
        if given == axes - 1:
            heads = -5 - seq_dim
            cos, sin = cos.unsqueeze(heads), sin.unsqueeze(heads)
            table = cos.shape
        fits = len(table) == axes and all(c in (1, n) for c, n in zip(table[:-1], sizes, strict=False))
        if given == axes - 1:
            fits = fits and table[seq_dim] == sizes[seq_dim]
    if not fits:
        other = -5 - seq_dim
        swapped = axes > 2 and given < axes and given > 1 and length[0] == sizes[other] != sizes[seq_dim]
        hint = f"; if axis {other} of {name} is the sequence, say seq_dim={other}" if swapped else ""
        raise ValueError(
            f"tables of shape {list(table)} do not fit {name} of shape {list(sizes)}: expected [n], "
            f"[seq, n], [batch, seq, n] for {name} [batch, heads, seq, dim], "
            f"or as many axes as {name} with sizes equal or 1{hint}"
        )
    return cos, sin


def _refuse_tables(x: Tensor, cos: Tensor, sin: Tensor, name: str) -> None:
    """Say what is wrong with tables that :func:`fit_tables` found unfit."""
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have one shape, got {list(cos.shape)} and {list(sin.shape)}")
    check_same("sin", sin, "cos", cos)
    check_same("cos", cos, name, x, dtype=False)
    if x.dtype not in _FLOATS or cos.dtype not in _FLOATS:
        raise TypeError(
            f"{name} and the tables must have floating dtypes of 16 bits or more, "
            f"got {x.dtype} and {cos.dtype}"
        )
    if x.dtype not in _SERVED[cos.dtype]:
        raise TypeError(
            f"tables of {cos.dtype} are coarser than {name} of {x.dtype}; "
            f"build them with dtype={x.dtype} or wider"
        )
    turned, present = 2 * cos.shape[-1] if cos.ndim else 0, x.shape[-1] if x.ndim else 0
    doubled = turned == 2 * present > 0 and "; tables of d columns, cat(c, c), are for apply_rotary_pos_emb"
    raise ValueError(
        f"tables of shape {list(cos.shape)} turn {turned} channels, but {name} has {present}{doubled or ''}"
    )
