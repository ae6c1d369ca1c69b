"""Tables of cos and sin, and rotation matrices, from frequencies and positions."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._allocation import check_room
from posenc_lib._checks import (
    FURTHEST,
    Layout,
    check_dtype,
    check_factor,
    check_finite,
    check_int,
    check_inv_freq,
    check_layout,
    check_number_or_tensor,
    check_positions,
    is_number,
    moved,
)
from posenc_lib.angles.double import back, check_storable, exact, workplace
from posenc_lib.angles.layout import join_planes, split_planes

FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


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
        ValueError: ``inv_freq`` is not 1-D; frequencies or positions that are not finite, or beyond ±2⁵³, or
            integers that ``angle_dtype`` cannot hold; ``attention_factor`` not finite in ``dtype``. (Numbers
            in tensors are looked at on the CPU in eager mode only, frequencies by their sum.) Also float64
            tables on a device without float64, such as Apple's MPS; float32 tables are worked out
            on the CPU for it, from float64 angles, and brought back.

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
    check_dtype("dtype", dtype, FLOATS)
    check_positions(position_ids, "position_ids", angle_dtype)
    check_storable("dtype", dtype, position_ids.device)
    positions = exact(position_ids, angle_dtype)
    angle = positions.unsqueeze(-1) * moved("inv_freq", inv_freq, positions, angle_dtype)
    cos, sin = angle.cos(), angle.sin()
    if attention_factor != 1.0:
        check_factor("attention_factor", attention_factor, angle_dtype if dtype is torch.float64 else dtype)
        cos, sin = cos * attention_factor, sin * attention_factor
    return back(cos, position_ids.device, dtype), back(sin, position_ids.device, dtype)


def as_positions(value: Tensor | int | float, name: str, device: torch.device) -> Tensor:
    """A tensor of positions from a tensor or a plain number, checked.

    A number becomes float64 or int64 on ``device``, or on the CPU if the device has no float64.
    """
    check_number_or_tensor(name, value)
    if is_number(value):
        if isinstance(value, int):
            check_int(name, value, -FURTHEST, FURTHEST)
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
        TypeError: ``position`` is neither a number nor a tensor; otherwise as :func:`cos_sin`.
        ValueError: unknown ``layout``; matrices that no memory holds; otherwise as :func:`cos_sin`.

    Example:
        >>> rotation_matrix(torch.tensor([1.0]), 1)
        tensor([[ 0.5403, -0.8415],
                [ 0.8415,  0.5403]], dtype=torch.float64)

    Source:
        Su et al. 2021, equations (14) and (15).
    """
    check_inv_freq(inv_freq)
    check_layout(layout)
    positions = as_positions(position, "position", inv_freq.device)
    width = 2 * inv_freq.shape[0]
    check_room("inv_freq", inv_freq.shape, positions.numel(), width, width)
    cos, sin = cos_sin(inv_freq, positions, dtype=dtype)
    unit = torch.eye(width, dtype=dtype, device=cos.device)
    first, second = split_planes(unit, layout)  # row r is the unit vector e_r, which R maps to column r
    cos, sin = cos.unsqueeze(-2), sin.unsqueeze(-2)
    turned = join_planes(first * cos - second * sin, second * cos + first * sin, layout)
    return turned.transpose(-1, -2)
