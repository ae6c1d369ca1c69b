"""Encodings that are added to the token embeddings, as functions of the position; modules are beside."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import MAX_WIDTH, Layout, check_int, check_inv_freq, check_layout, check_positions
from posenc_lib.additive.consecutive import fill_cos_sin, run_start
from posenc_lib.angles.double import back, exact
from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.angles.layout import join_planes, split_planes
from posenc_lib.angles.tables import as_positions, cos_sin, rotation_matrix


def sinusoidal(
    position_ids: Tensor,
    dim: int,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    *,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    r"""Sinusoidal encoding: plane i of PE(p) is :math:`(\sin p\theta_i,\; \cos p\theta_i)`.

    :math:`\theta_i=b^{-2i/d}`. :math:`\|PE(p)\|^2 = d/2` and :math:`\langle PE(p), PE(p')\rangle =
    \sum_i \cos((p-p')\theta_i)`. Angles are float64, rounded once to ``dtype``.

    Args:
        position_ids: ``[...]`` integers or float32/float64.
        dim: even width d.
        base: b > 0.
        layout: ``"interleaved"`` puts sin in channel 2i and cos in 2i + 1 (Vaswani et al.); ``"half"`` all
            sines first.
        dtype: of the result.

    Returns:
        ``[..., dim]`` on the device of ``position_ids``.

    Raises:
        TypeError, ValueError: as :func:`inv_freq` and :func:`cos_sin`; unknown layout.

    Example:
        >>> sinusoidal(torch.arange(3), 4)
        tensor([[ 0.0000,  1.0000,  0.0000,  1.0000],
                [ 0.8415,  0.5403,  0.0100,  0.9999],
                [ 0.9093, -0.4161,  0.0200,  0.9998]])

    Source:
        Vaswani et al. 2017, section 3.5; the rotation-matrix article, equation (1).
    """
    return sinusoidal_of(inv_freq(dim, base), position_ids, layout=layout, dtype=dtype)


def sinusoidal_of(
    inv_freq: Tensor,
    position_ids: Tensor,
    *,
    layout: Layout = "interleaved",
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """:func:`sinusoidal` for any frequencies ``[n]``; gradients flow to them.

    Raises:
        TypeError, ValueError: as :func:`cos_sin`; unknown layout.

    Example:
        >>> sinusoidal_of(torch.tensor([1.0]), torch.tensor([0, 1]))
        tensor([[0.0000, 1.0000],
                [0.8415, 0.5403]])
    """
    check_layout(layout)
    check_inv_freq(inv_freq)
    check_positions(position_ids)
    rounded = dtype in (torch.float32, torch.bfloat16, torch.float16)
    start = run_start(position_ids, inv_freq) if rounded else None
    if start is not None:
        table = torch.empty(position_ids.shape[0], 2 * inv_freq.shape[0], dtype=dtype)
        sines, cosines = split_planes(table, layout)
        fill_cos_sin(cosines, sines, exact(inv_freq, torch.float64), start)
        return table
    cos, sin = cos_sin(inv_freq, position_ids, dtype=dtype)
    return join_planes(sin, cos, layout)


def shift_matrix(k: Tensor | int | float, inv_freq: Tensor, layout: Layout = "interleaved") -> Tensor:
    r"""The matrix with :math:`PE(p + k) = M_k\,PE(p)` for every p.

    In each plane :math:`\begin{pmatrix}\cos k\theta & \sin k\theta\\ -\sin k\theta & \cos
    k\theta\end{pmatrix}`: with the sine first, walking forward turns the hand clockwise, so :math:`M_k =
    R_{-k}`.

    Args:
        k: shift, a number or a tensor ``[...]``.
        inv_freq: ``[n]``, radians per position.
        layout: that of the encoding.

    Returns:
        float64 ``[..., 2n, 2n]``, orthogonal.

    Raises:
        TypeError, ValueError: as :func:`rotation_matrix`.

    Example:
        >>> from posenc_lib import inv_freq
        >>> pe = sinusoidal(torch.arange(9), 4, dtype=torch.float64)
        >>> torch.allclose(shift_matrix(3, inv_freq(4)) @ pe[5], pe[8], rtol=0, atol=1e-15)
        True

    Source:
        the illustrated article, equation (7); the rotation-matrix article, equations (2) and (3).
    """
    check_inv_freq(inv_freq)
    return rotation_matrix(-inv_freq, as_positions(k, "k", inv_freq.device), layout)


def linear_positions(position_ids: Tensor, dim: int, *, length: int | None = None) -> Tensor:
    """The naive encoding: the position itself in every channel, or the position divided by ``length``.

    Unbounded, or with a unit that changes with the text; and equal numbers in all channels, which a LayerNorm
    removes. Here to be compared with, not to be used.

    Args:
        position_ids: ``[...]`` integers or float32/float64.
        dim: width, any.
        length: divide by it, so that positions 0 … length − 1 lie in [0, 1]: below 1, but the float32 number
            nearest to a quotient near 1 may be 1.

    Returns:
        float32 ``[..., dim]``.

    Raises:
        TypeError, ValueError: ``dim`` or ``length`` not an int ≥ 1; positions not finite, beyond ±2⁵³, or,
            without ``length``, integers beyond ±2²⁴, which float32 cannot hold.

    Example:
        >>> linear_positions(torch.arange(3), 2, length=4)
        tensor([[0.0000, 0.0000],
                [0.2500, 0.2500],
                [0.5000, 0.5000]])

    Source:
        the rotation-matrix article, section 1.3.
    """
    check_positions(position_ids, angle_dtype=torch.float64 if length else torch.float32)
    check_int("dim", dim, 1, MAX_WIDTH)
    values = exact(position_ids, torch.float64)
    if length is not None:
        check_int("length", length, minimum=1)
        values = values / length
    return back(values, position_ids.device, torch.float32).unsqueeze(-1).repeat_interleave(dim, dim=-1)
