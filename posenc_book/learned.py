"""A table of learned position vectors: lengths, covariance, planes that turn, and null models beside them.

Page 13 calls these functions on the table of a trained model, which lies beside the page
(``experiments/trained_model/shipped.py`` wrote it).
"""

import math

import torch
from torch import Tensor

from .planes import (
    PLANES,
    centred,
    components,
    controls,
    diagonal_share,
    periods,
    random_rotation,
    rotation_planes,
    step_map,
    step_scores,
    windows,
)

ROTATIONS = 20
SHOWN = 128  # positions stored for the picture of the planes


def spread(values: list[float]) -> dict[str, float]:
    """Least, median and greatest."""
    ordered = torch.tensor(values, dtype=torch.float64).sort().values
    return {
        "least": float(ordered[0]),
        "median": float(ordered.quantile(0.5)),
        "greatest": float(ordered[-1]),
    }


def lengths(x: Tensor) -> dict[str, object]:
    """Lengths of the vectors of all positions ``[rows, d]``; the first one stands out."""
    size = x.norm(dim=1)
    return {
        "position, mean": float(size.mean()),
        "position 0": float(size[0]),
        f"positions 1 to {len(x) - 1}": spread(size[1:].tolist()),
        f"mean of positions 1 to {len(x) - 1}": float(x[1:].mean(0).norm()),
    }


def prominence(c: Tensor) -> float:
    """Mean diagonal entry over mean modulus of the others."""
    off = c - torch.diag(c.diagonal())
    return float(c.diagonal().mean() * (len(c) - 1) * len(c) / off.abs().sum())


def covariance(x: Tensor) -> dict[str, object]:
    """How far the diagonal stands out in the covariance, beside random rotations of the same spectrum."""
    c = centred(x).mT @ centred(x) / len(x)
    turned = [q @ c @ q.mT for q in (random_rotation(len(c), seed) for seed in range(ROTATIONS))]
    others = c.abs().sum(1) - c.diagonal()
    return {
        "prominence": prominence(c),
        "prominence, rotated": spread([prominence(r) for r in turned]),
        "diagonal share": diagonal_share(c),
        "diagonal share, rotated": spread([diagonal_share(r)["share"] for r in turned]),
        "rows whose diagonal exceeds the sum of the others": int((c.diagonal() > others).sum()),
    }


def phases(y: Tensor, basis: Tensor) -> tuple[Tensor, Tensor]:
    """Complex coordinates ``[rows, 5]`` in the planes, and their phases minus the best straight line."""
    z = torch.view_as_complex((y @ basis).unflatten(-1, (PLANES, 2)).contiguous())
    steps = (z[1:] * z[:-1].conj()).angle()
    start = torch.zeros(1, PLANES, dtype=torch.float64)
    unwrapped = torch.cat((start, steps.cumsum(0)))
    time = torch.stack((torch.arange(len(z)).double(), torch.ones(len(z)).double()), 1)
    return z, unwrapped - time @ torch.linalg.lstsq(time, unwrapped).solution


def seen_in_planes(x: Tensor) -> dict[str, object]:
    """What section 4 of the page says of a table of vectors, in ten components, whitened and not."""
    y, _, share = components(x)
    return {
        "share of ten components": float(share[:10].sum()),
        "periods": periods(step_map(y)),
        "whitened": step_scores(y),
        "not whitened": step_scores(components(x, whitened=False)[0]),
        "turning": turning(y),
        "Toeplitz share": {str(n): spread(windows(centred(x), n)) for n in (32, 64, 128, 256, 511)},
    }


def turning(y: Tensor) -> dict[str, list[float]] | str:
    """Periods of the planes of the nearest rotation, drift of their phases, spread of their moduli."""
    try:
        angles, basis = rotation_planes(y)
    except ValueError as problem:
        return str(problem)
    z, drift = phases(y, basis)
    return {
        "periods of the nearest rotation": (2 * math.pi / angles).tolist(),
        "phase drift, r.m.s. in radians": drift.square().mean(0).sqrt().tolist(),
        "spread of the modulus": (z.abs().std(0) / z.abs().mean(0)).tolist(),
    }


def learned(x: Tensor) -> dict[str, object]:
    """All but the first position as five turning planes, and the controls beside them."""
    rows = x[1:]
    y, _, _ = components(rows)
    z, drift = phases(y, rotation_planes(y)[1])
    return {
        "share of ten components, position 0 included": float(components(x)[2][:10].sum()),
        "planes": torch.view_as_real(z[:SHOWN]).transpose(0, 1).tolist(),
        "drift": drift[::8].mT.tolist(),
        "tables": {name: seen_in_planes(t) for name, t in {"learned": rows, **controls(rows)}.items()},
    }
