"""Rotary scores as sums over planes: partial sums, and bounds. All in float64."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lib._checks import (
    Layout,
    check_even,
    check_floating,
    check_inv_freq,
    check_layout,
    check_local,
    check_one_kind,
    check_positions,
    check_same,
)
from posenc_lib.angles.layout import split_planes
from posenc_lib.angles.tables import cos_sin


def partial_sums(distances: Tensor, inv_freq: Tensor) -> Tensor:
    r""":math:`S_j(x) = \sum_{i<j} e^{ix\theta_i}` for j = 1 … N.

    Returns:
        complex128 ``[..., N]``.

    Raises:
        TypeError, ValueError: as :func:`~posenc_lib.cos_sin`.

    Example:
        >>> partial_sums(torch.tensor(0), torch.tensor([1.0, 0.5])).real
        tensor([1., 2.], dtype=torch.float64)
    """
    check_positions(distances, "distances")
    return torch.complex(*cos_sin(inv_freq, distances, dtype=torch.float64)).cumsum(-1)


def mean_partial_sums(distances: Tensor, inv_freq: Tensor) -> Tensor:
    r""":math:`\frac1N\sum_{j=1}^{N} |S_j(x)|`, the curve of "long-term decay"; at least ½ for all x and θ.

    Returns:
        float64 ``[...]``.

    Raises:
        TypeError, ValueError: as :func:`~posenc_lib.cos_sin`.

    Example:
        >>> from posenc_lib import inv_freq
        >>> mean_partial_sums(torch.tensor([0, 50, 100]), inv_freq(128))
        tensor([32.5000, 12.6295, 10.2273], dtype=torch.float64)

    Source:
        the RoFormer note, Figure 2; Su et al. 2021, section 3.4.3.
    """
    return partial_sums(distances, inv_freq).abs().mean(-1)


def plane_products(q: Tensor, k: Tensor, layout: Layout = "half") -> Tensor:
    r""":math:`h_i = q_i k_i^*`, each plane of q and k read as a complex number; complex128 ``[..., N]``.

    The rotary score at distance x = m − n is :math:`\mathrm{Re}\sum_i h_i e^{ix\theta_i}`.

    Raises:
        TypeError, ValueError: q, k not floating, of different or odd width, or of sizes that do not
            broadcast; unknown layout.

    Example:
        >>> plane_products(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
        tensor([11.+2.j], dtype=torch.complex128)

    Source:
        the RoFormer note, equation (35).
    """
    check_layout(layout)
    check_floating("q", q)
    check_floating("k", k)
    check_same("k", k, "q", q, dtype=False)
    check_one_kind("k", k, "q", q)
    if q.ndim == 0 or q.shape[-1:] != k.shape[-1:]:
        raise ValueError(f"q and k must have one width, got {list(q.shape)} and {list(k.shape)}")
    check_even("q.shape[-1]", q.shape[-1])
    if any(m != n and 1 not in (m, n) for m, n in zip(reversed(q.shape), reversed(k.shape), strict=False)):
        raise ValueError(f"q and k must broadcast, got {list(q.shape)} and {list(k.shape)}")
    return (
        torch.complex(*split_planes(q.double(), layout))
        * torch.complex(*split_planes(k.double(), layout)).conj()
    )


def rotary_score(
    q: Tensor, k: Tensor, distances: Tensor, inv_freq: Tensor, layout: Layout = "half"
) -> Tensor:
    r"""The score :math:`\langle R_m q, R_n k\rangle = \mathrm{Re}\sum_i h_i e^{ix\theta_i}`, x = m − n.

    Args:
        q, k: ``[..., 2N]``, before rotation.
        distances: x ``[m]`` or a scalar.
        inv_freq: ``[N]``.
        layout: of q and k.

    Returns:
        float64 ``[..., m]`` (for a scalar distance ``[...]``).

    Raises:
        TypeError, ValueError: as :func:`plane_products` and :func:`~posenc_lib.cos_sin`; widths that do not
            match.

    Example:
        >>> rotary_score(torch.ones(2), torch.ones(2), torch.arange(3), torch.tensor([1.0]))
        tensor([ 2.0000,  1.0806, -0.8323], dtype=torch.float64)
    """
    h = plane_products(q, k, layout)
    _check_planes(h, inv_freq)
    _check_distances(distances, q)
    cos, sin = cos_sin(inv_freq, distances, dtype=torch.float64)
    return h.real @ cos.movedim(-1, 0) - h.imag @ sin.movedim(-1, 0)


def abel_bound(
    q: Tensor, k: Tensor, distances: Tensor, inv_freq: Tensor, *, layout: Layout = "half"
) -> Tensor:
    r"""Upper bound of :math:`|\mathrm{score}|` by summation by parts.

    .. math:: \max_{i<N}|h_{i+1}-h_i|\,\sum_{j=1}^N|S_j(x)|,\qquad h_N=0

    Often worse than :func:`trivial_bound`: it says something only if the mean of :math:`|h|`
    exceeds the largest step of h times the mean of :math:`|S|`.

    Args:
        q, k, distances, inv_freq, layout: as for :func:`rotary_score`.

    Returns:
        float64 ``[..., m]`` (for a scalar distance ``[...]``).

    Raises:
        TypeError, ValueError: as :func:`rotary_score`.

    Example:
        >>> from posenc_lib import inv_freq
        >>> abel_bound(torch.ones(4), torch.ones(4), torch.tensor([1]), inv_freq(4))
        tensor([5.5199], dtype=torch.float64)

    Source:
        the RoFormer note, equation (37).
    """
    h = plane_products(q, k, layout)
    _check_planes(h, inv_freq)
    _check_distances(distances, q)
    steps = torch.cat((h[..., 1:] - h[..., :-1], -h[..., -1:]), dim=-1).abs().amax(-1)
    sums = partial_sums(distances, inv_freq).abs().sum(-1)
    return steps.unsqueeze(-1) * sums if sums.ndim else steps * sums


def trivial_bound(q: Tensor, k: Tensor, *, layout: Layout = "half") -> Tensor:
    r"""Upper bound of :math:`|\mathrm{score}|` at every distance: :math:`\sum_i|h_i|`, float64 ``[...]``.

    Raises:
        TypeError, ValueError: as :func:`plane_products`.

    Example:
        >>> trivial_bound(torch.ones(4), torch.ones(4))
        tensor(4., dtype=torch.float64)
    """
    return plane_products(q, k, layout).abs().sum(-1)


def _check_distances(distances: Tensor, q: Tensor) -> None:
    check_positions(distances, "distances")
    check_same("distances", distances, "q", q, dtype=False)
    for name, value in (("q", q), ("distances", distances)):
        check_local(name, value)
    if distances.ndim > 1:
        raise ValueError(f"distances must have shape [m] or [], got {list(distances.shape)}")


def _check_planes(h: Tensor, inv_freq: Tensor) -> None:
    check_inv_freq(inv_freq)
    if h.shape[-1] != inv_freq.shape[0]:
        raise ValueError(f"q and k have {h.shape[-1]} planes but inv_freq has {inv_freq.shape[0]}")
