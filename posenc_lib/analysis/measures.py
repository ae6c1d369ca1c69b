"""Measures of what holds only approximately: Gram matrices, deviation from Toeplitz form, error of tables."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import check_floating, check_local, check_tensor
from posenc_lib.angles.tables import cos_sin


def gram(pe: Tensor) -> Tensor:
    r"""Inner products of all pairs of rows, :math:`G_{mn}=\langle p_m,p_n\rangle`.

    Args:
        pe: ``[..., L, dim]``, floating.

    Returns:
        float64 ``[..., L, L]``.

    Raises:
        TypeError, ValueError: ``pe`` is not floating or has fewer than two axes.

    Example:
        >>> from posenc_lib import sinusoidal
        >>> gram(sinusoidal(torch.arange(3), 8))[0]
        tensor([4.0000, 3.5353, 2.5637], dtype=torch.float64)

    Source:
        the illustrated article, listing 5.
    """
    check_floating("pe", pe)
    if pe.ndim < 2:
        raise ValueError(f"pe must have shape [..., L, dim], got {list(pe.shape)}")
    check_local("pe", pe)
    rows = pe.double()
    return rows @ rows.mT


def toeplitz_defect(scores: Tensor) -> Tensor:
    r"""How far scores are from a function of m − n: the largest distance from the mean of their diagonal.

    Args:
        scores: ``[..., M, N]``, floating.

    Returns:
        float64 ``[...]``, 0 exactly where all entries of a diagonal are one number.

    Raises:
        TypeError, ValueError: ``scores`` not floating, fewer than two axes, or empty.

    Example:
        >>> toeplitz_defect(torch.tensor([[1., 2.], [3., 5.]]))
        tensor(2., dtype=torch.float64)
    """
    check_local("scores", check_floating("scores", scores))
    if scores.ndim < 2 or scores.shape[-1] == 0 or scores.shape[-2] == 0:
        raise ValueError(f"scores must have shape [..., M, N] with M, N ≥ 1, got {list(scores.shape)}")
    rows, columns = scores.shape[-2:]
    diagonal = torch.arange(rows, device=scores.device)[:, None] - torch.arange(columns, device=scores.device)
    index = (diagonal + columns - 1).flatten()
    first = torch.where(diagonal < 0, -diagonal, diagonal * columns).flatten()  # of each diagonal, in flat
    flat = scores.double().flatten(-2)
    flat = flat - flat[..., first]  # what is equal becomes 0, whose mean is not rounded
    sums = flat.new_zeros(*flat.shape[:-1], rows + columns - 1).index_add(-1, index, flat)
    counts = sums.new_zeros(rows + columns - 1).index_add(0, index, sums.new_ones(len(index)))
    return (flat - (sums / counts)[..., index]).abs().amax(-1)


def table_error(
    inv_freq: Tensor,
    position_ids: Tensor,
    *,
    dtype: torch.dtype = torch.float32,
    angle_dtype: torch.dtype = torch.float64,
) -> Tensor:
    """Largest error of a cos/sin table at each position, against float64 angles.

    Args:
        inv_freq: ``[n]`` float64.
        position_ids: ``[...]``.
        dtype, angle_dtype: of the table under test, as for :func:`~posenc_lib.cos_sin`.

    Returns:
        float64 ``[...]``. The reference itself is off by up to 2·10⁻¹⁶ times the position.

    Raises:
        TypeError, ValueError: as :func:`~posenc_lib.cos_sin`; ``inv_freq`` not float64 (then it has no exact
            meaning).

    Example:
        >>> from posenc_lib import inv_freq
        >>> bool(table_error(inv_freq(128), torch.tensor(100_000)) < 3e-8)
        True
        >>> bool(table_error(inv_freq(128), torch.tensor(100_000), angle_dtype=torch.float32) > 1e-4)
        True
    """
    check_tensor("inv_freq", inv_freq)
    if inv_freq.dtype != torch.float64:
        raise TypeError(f"inv_freq must be float64 to serve as reference, got {inv_freq.dtype}")
    reference = torch.stack(cos_sin(inv_freq, position_ids, dtype=torch.float64))
    table = torch.stack(cos_sin(inv_freq, position_ids, dtype=dtype, angle_dtype=angle_dtype))
    return (table.double() - reference).abs().amax(dim=(0, -1))
