"""Tables of vectors seen in planes: principal components, the one-step map, and null models for both."""

import math

import torch
from torch import Tensor

COMPONENTS = 10
PLANES = COMPONENTS // 2


def centred(x: Tensor) -> Tensor:
    """Rows minus their mean."""
    return x - x.mean(0)


def components(x: Tensor, *, whitened: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Ten principal components: coordinates ``[rows, 10]``, ``back [10, d]``, all shares of the variance.

    ``centred(x)`` is ``coordinates @ back`` up to what the other components hold. Whitened, each coordinate
    has mean square ½, so that a plane turning at an even pace has the coordinates (cos, sin), and ``back``
    holds the lengths of the components; not whitened, the coordinates hold them and ``back`` is orthonormal.
    """
    left, size, right = torch.linalg.svd(centred(x), full_matrices=False)
    scale = torch.full_like(size, math.sqrt(len(x) / 2)) if whitened else size
    y, back = left * scale, (size / scale)[:, None] * right
    return y[:, :COMPONENTS], back[:COMPONENTS], size.square() / size.square().sum()


def step_map(y: Tensor) -> Tensor:
    """The matrix A ``[10, 10]`` for which A yₙ is nearest to yₙ₊₁, by least squares."""
    return torch.linalg.lstsq(y[:-1], y[1:]).solution.mT


def step_scores(y: Tensor) -> dict[str, object]:
    """R² of the one-step map, its gain over "no change", 1 − Σ|yₙ₊₁ − Ayₙ|² / Σ|yₙ₊₁ − yₙ|², its rotation.

    Of the singular values all ten, their mean square, and ‖A − Q‖/‖A‖ for the nearest orthogonal Q.
    """
    a = step_map(y)
    missed = (y[1:] - y[:-1] @ a.mT).square().sum()
    u, singular, v = torch.linalg.svd(a)
    return {
        "R2": float(1 - missed / y[1:].square().sum()),
        "gain over no change": float(1 - missed / (y[1:] - y[:-1]).square().sum()),
        "singular values": singular.tolist(),
        "mean square of the singular values": float(singular.square().mean()),
        "distance to the nearest rotation": float((a - u @ v).norm() / a.norm()),
    }


def periods(a: Tensor) -> list[float]:
    """2π / angle of the eigenvalues of a one-step map in the upper half-plane, longest first."""
    angles = torch.linalg.eigvals(a).angle()
    return sorted((2 * math.pi / angles[angles > 1e-9]).tolist(), reverse=True)


def rotation_planes(y: Tensor) -> tuple[Tensor, Tensor]:
    """Angles ``[5]``, slowest first, and an orthonormal basis ``[10, 10]``: two columns for each plane.

    The planes are those of the rotation nearest to the one-step map, the orthogonal factor of A = UΣVᵀ.
    In plane i the rotation turns the first column towards the second, so that a clean sinusoid has the
    coordinates (cos mθᵢ, sin mθᵢ). The first row of ``y`` lies on the first column of each plane.

    Raises:
        ValueError: if the nearest orthogonal matrix has a real eigenvalue, so that there are fewer than five
            planes
    """
    u, _, v = torch.linalg.svd(step_map(y))
    values, vectors = torch.linalg.eig(u @ v)
    upper = [k for k in values.angle().argsort().tolist() if 1e-9 < values[k].angle() < math.pi - 1e-9]
    if len(upper) != PLANES:
        raise ValueError(f"five planes expected, the nearest orthogonal matrix has {len(upper)}")
    upright = vectors[:, upper]
    upright = upright * torch.sgn(y[0].to(upright.dtype) @ upright.conj())
    pairs = torch.stack((upright.real, -upright.imag), -1)
    return values[upper].angle(), math.sqrt(2) * pairs.flatten(1)


def commuting_part(k: Tensor) -> tuple[Tensor, Tensor]:
    """aᵢ, bᵢ ``[5]`` of the matrix ⊕(aᵢI + bᵢJ) nearest to ``k [10, 10]``, with J = [[0, −1], [1, 0]]."""
    even, odd = torch.arange(0, len(k), 2), torch.arange(1, len(k), 2)
    return (k[even, even] + k[odd, odd]) / 2, (k[odd, even] - k[even, odd]) / 2


def shares(k: Tensor) -> dict[str, float]:
    """Shares of ‖k‖²: of ⊕(aᵢI + bᵢJ), of its odd part ⊕bᵢJ, and of the diagonal of ``k``."""
    a, b = commuting_part(k)
    total = k.square().sum()
    return {
        "commuting": float(2 * (a.square() + b.square()).sum() / total),
        "odd": float(2 * b.square().sum() / total),
        "diagonal": float(k.diagonal().square().sum() / total),
    }


def random_rotation(d: int, seed: int) -> Tensor:
    """A uniformly random orthogonal matrix ``[d, d]``."""
    draw = torch.Generator().manual_seed(seed)
    q, r = torch.linalg.qr(torch.randn(d, d, generator=draw, dtype=torch.float64))
    return q * r.diagonal().sign()


def turned_shares(k: Tensor, draws: int = 200) -> list[float]:
    """Null model: the commuting share of QᵀkQ for random rotations Q, which know nothing of the planes."""
    turns = (random_rotation(len(k), seed) for seed in range(draws))
    return [shares(q.mT @ k @ q)["commuting"] for q in turns]


def diagonal_share(c: Tensor) -> dict[str, float]:
    """Share of the diagonal in ‖c‖², and its mean over all rotations QcQᵀ.

    The mean is (tr(c)² + ‖c‖² + tr(c²)) / ((d + 2)‖c‖²).
    """
    total, trace = c.square().sum(), c.trace()
    rotated = (trace**2 + total + (c @ c).trace()) / ((len(c) + 2) * total)
    return {"share": float(c.diagonal().square().sum() / total), "rotated": float(rotated)}


def toeplitz_share(gram: Tensor) -> float:
    """Share of a square matrix's variance that the means of its diagonals explain: 1 if it is Toeplitz."""
    size = len(gram)
    lag = (torch.arange(size) - torch.arange(size)[:, None] + size - 1).flatten()
    means = torch.zeros(2 * size - 1, dtype=gram.dtype).index_add_(0, lag, gram.flatten()) / torch.bincount(
        lag
    )
    missed = (gram.flatten() - means[lag]).square().sum()
    return float(1 - missed / (gram - gram.mean()).square().sum())


def windows(x: Tensor, size: int) -> list[float]:
    """The Toeplitz share of the Gram matrix in consecutive windows of ``size`` rows."""
    parts = [x[start : start + size] for start in range(0, len(x) - size + 1, size)]
    return [toeplitz_share(part @ part.mT) for part in parts]


def controls(x: Tensor) -> dict[str, Tensor]:
    """Tables of the shape of ``x`` without its order: a random walk, AR(1) at 0.9 and 0.99, permuted rows."""
    draw = torch.Generator().manual_seed(0)
    noise = torch.randn(x.shape, generator=draw, dtype=torch.float64)
    made = {"random walk": noise.cumsum(0)}
    for rho in (0.9, 0.99):
        rows = [noise[0] / math.sqrt(1 - rho**2)]
        for fresh in noise[1:]:
            rows.append(rho * rows[-1] + fresh)
        made[f"AR(1), {rho}"] = torch.stack(rows)
    return {**made, "permuted": x[torch.randperm(len(x), generator=draw)]}
