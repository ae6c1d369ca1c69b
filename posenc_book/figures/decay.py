"""Figures on long-range decay: partial sums, the Abel bound beside the trivial one, scores that stay."""

import math

import numpy as np
import torch
from torch import Tensor

from posenc_lib import rotation_matrix
from posenc_lib.analysis import (
    abel_bound,
    decay_kernel,
    mean_partial_sums,
    plane_products,
    rotary_score,
    trivial_bound,
)
from posenc_lib.angles.frequencies import inv_freq

from .style import COLOURS, INK, Plot, figure, name_lines


def partial_sum_curve(dim: int = 128, last: int = 256) -> Plot:
    r"""Of N equal products the score and its Abel bound :math:`\sum_j|S_j|`, both divided by N, against
    distance: the first ``last`` positions, and far beyond.
    """
    n = dim // 2
    level = math.sqrt(math.pi * n) / 3
    near = torch.arange(last + 1)
    far = torch.unique(torch.logspace(0, 5, 280, dtype=torch.float64).round().long())
    data: dict[str, np.ndarray] = {}
    fig, axes = figure(4.8, 2, 1, sharey=True)
    for axis, name, x in zip(axes, ("near", "far"), (near, far), strict=True):
        bound, score = mean_partial_sums(x, inv_freq(dim)), decay_kernel(x, inv_freq(dim)).abs()
        axis.plot(x, bound, color=COLOURS[3], linestyle="--", linewidth=1.2, label="Abel bound: mean of |S|")
        axis.plot(x[[0, -1]], [level] * 2, color=COLOURS[2], ls=":", lw=1.2, label="its long-run level")
        axis.plot(x[[0, -1]], [0.5] * 2, color=COLOURS[4], ls="-.", lw=1.2, label="its floor ½")
        axis.plot(x, score, color=COLOURS[0], linestyle="-", linewidth=0.8, label="|score|")
        axis.set(yscale="log", ylim=(0.01, 60), ylabel=f"divided by {n}")
        name_lines(axis)
        data |= {name: bound.numpy(), f"{name}, |score|": score.numpy()}
    axes[0].set_xlabel("distance")
    axes[1].set(xscale="log", xlabel="distance, to 100 000")
    return Plot(
        fig,
        "As the distance grows the walk curls up, and the bound falls in waves, far above the score "
        f"(width {dim})",
        "Two line plots on a logarithmic axis, of the modulus of a score and of its bound, the mean modulus "
        f"of the partial sums, both divided by {n}. Above, for distances 0 to {last}, the bound falls in "
        f"waves from {(n + 1) / 2} to about 6, the score from 1 to about a third. Below, up to 100000, the "
        f"bound settles around {level:.1f} with wide swings and stays above the line at one half; the score "
        "falls to about a tenth.",
        data,
        live="walk-of-arrows",
        state={"x": 30, "dim": dim, "base": 10000, "beside": "bound"},
    )


def by_parts() -> Plot:
    r"""One area cut into columns :math:`h_i(S_{i+1}-S_i)`, and into rows :math:`S_{i+1}(h_i-h_{i+1})`."""
    h, places = np.array([4, 3.2, 2, 0]), np.array([0, 1.4, 2.4, 4])
    fig, (columns, rows) = figure(2.6, 1, 2, sharey=True)
    columns.bar(places[:-1], h[:-1], places[1:] - places[:-1], align="edge", color=COLOURS[:3], ec=INK)
    rows.barh(h[1:], places[1:], h[:-1] - h[1:], align="edge", color=COLOURS[:3], ec=INK)
    for axis, name in ((columns, "columns"), (rows, "rows")):
        axis.set(title=name, xlim=(0, 4.2), xticks=places, xticklabels=["S₀", "S₁", "S₂", "S₃"])
    columns.set(yticks=h, yticklabels=["h₀", "h₁", "h₂", "h₃ = 0"])
    return Plot(
        fig,
        "The same area, cut into columns hᵢ (Sᵢ₊₁ − Sᵢ) or into rows Sᵢ₊₁ (hᵢ − hᵢ₊₁)",
        "A staircase that falls in three steps, twice. Left it is cut into three columns, from S₀ to S₁ with "
        "the height h₀, to S₂ with h₁, to S₃ with h₂. Right it is cut into three rows: the lowest, between "
        "h₃ = 0 and h₂, is as long as S₃, the next as S₂, the highest as S₁.",
        {"h": h, "S": places},
    )


def bands(dim: int = 128, draws: int = 2000, seed: int = 2) -> Plot:
    """Of Gaussian q, k the score's size and its Abel bound, against distance: median, 5 % and 95 %."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, draws, dim, generator=generator, dtype=torch.float64)
    x = torch.unique(torch.logspace(0, 5, 60, dtype=torch.float64).round().long())
    fig, axis = figure()
    data: dict[str, np.ndarray] = {}
    for name, of, colour, line in (
        ("Abel bound", abel_bound, COLOURS[3], "--"),
        ("|score|", rotary_score, COLOURS[0], "-"),
    ):
        values = of(q, k, x, inv_freq(dim), layout="interleaved").abs()
        low, middle, high = values.quantile(torch.tensor([0.05, 0.5, 0.95], dtype=torch.float64), dim=0)
        axis.fill_between(x, low, high, color=colour, alpha=0.3, linewidth=0)
        axis.plot(x, middle, color=colour, linestyle=line, label=name)
        data[name] = torch.stack((low, middle, high)).numpy()
    axis.set(xscale="log", yscale="log", xlabel="distance", ylabel="size: 5 % to 95 %, and median")
    bound = data["Abel bound"][1]
    name_lines(axis, {"Abel bound": (3000, 12), "|score|": (1000, 22)})
    return Plot(
        fig,
        f"{draws} random pairs: the bound falls up to about 1000, and the scores, far below it, stay level",
        "Two bands on logarithmic axes, against distances from 1 to 100000. The band of the bound falls from "
        f"some {bound[0]:.0f} to some {bound[(x - 1000).abs().argmin()]:.0f} near 1000, swings beyond, and "
        f"ends at some {bound[-1]:.0f}; that of the scores lies level, around "
        f"{data['|score|'][1].mean():.0f}.",
        data,
    )


def tapered(n: int) -> Tensor:
    """A q (= k, half layout) of N planes with products h_i = N − i: the Abel bound's best case."""
    return torch.cat((torch.arange(n, 0, -1).double().sqrt(), torch.zeros(n, dtype=torch.float64)))


def bound_examples(dim: int = 128, seed: int = 0) -> dict[str, tuple[Tensor, Tensor]]:
    """Three (q, k): constant products, the triangular taper, independent Gaussians."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, dim, generator=generator, dtype=torch.float64)
    constant, taper = torch.ones(dim, dtype=torch.float64), tapered(dim // 2)
    return {"triangular taper": (taper, taper), "constant": (constant, constant), "Gaussian": (q, k)}


def abel_against_trivial(dim: int = 128, last: int = 256) -> Plot:
    r""":math:`|\mathrm{score}|`, the Abel bound and the trivial bound, all divided by the trivial bound."""
    x = torch.arange(0, last + 1, 4)
    examples = bound_examples(dim)
    fig, axes = figure(2.9, 1, len(examples), sharey=True)
    data: dict[str, np.ndarray] = {}
    for axis, (name, (q, k)) in zip(axes, examples.items(), strict=True):
        most = trivial_bound(q, k)
        score = rotary_score(q, k, x, inv_freq(dim)).abs() / most
        bound = abel_bound(q, k, x, inv_freq(dim)) / most
        axis.plot(x, bound, color=COLOURS[3], linestyle="-", label="Abel bound")
        axis.plot(x, torch.ones(len(x)), color=COLOURS[2], linestyle="--", label="trivial bound")
        axis.plot(x, score, color=COLOURS[0], linestyle="-", linewidth=0.8, label="|score|")
        axis.set_yscale("log")
        axis.set_title(name)
        axis.set_xlabel("distance")
        data |= {f"{name}, score": score.numpy(), f"{name}, bound": bound.numpy()}
    axes[0].set_ylim(1e-3, 1e3)
    axes[0].set_ylabel("relative to Σ|h|")
    name_lines(axis, {"Abel bound": (128, 4), "trivial bound": (128, 4), "|score|": (60, 12)})
    return Plot(
        fig,
        "The Abel bound helps for a triangular taper, and for little else",
        "Three panels against distance, on a logarithmic scale, everything divided by the trivial bound. "
        "For the triangular taper the Abel bound runs below the trivial bound and above the score. For "
        "constant products it lies about ten times above the trivial bound, for Gaussian vectors more.",
        data,
    )


def lasting_scores(dim: int = 128, peak: int = 150, last: int = 256) -> Plot:
    """Three unit queries and keys whose scores do not decay: a far peak, the slowest plane, one plane."""
    x, theta = torch.arange(last + 1), inv_freq(dim)
    scores = {name: rotary_score(q, k, x, theta) for name, (q, k) in lasting_pairs(dim, peak).items()}
    fig, axis = figure()
    for (name, y), style, colour in zip(scores.items(), ("-", "--", ":"), COLOURS, strict=False):
        axis.plot(x, y, linestyle=style, color=colour, label=name)
    axis.set(xlabel="distance", ylabel="score", ylim=(-1.1, 1.1))
    name_lines(axis)
    return Plot(
        fig,
        "Three scores that do not decay, for queries and keys of length 1",
        f"Line plot of three scores against distance 0 to {last}. One rises to a peak of 1 at distance "
        f"{peak}. One, in the slowest plane, stays at 1. One, in a faster plane, swings between -1 and 1.",
        {name: y.numpy() for name, y in scores.items()},
    )


def lasting_pairs(dim: int = 128, peak: int = 150, seed: int = 0) -> dict[str, tuple[Tensor, Tensor]]:
    """Unit q and k behind :func:`lasting_scores`, in the half layout."""
    n = dim // 2
    generator = torch.Generator().manual_seed(seed)
    q = torch.nn.functional.normalize(torch.randn(dim, generator=generator, dtype=torch.float64), dim=0)
    # key position = query position − peak, so the key needs to be turned ahead by peak
    far = rotation_matrix(inv_freq(dim), peak, "half").double() @ q
    slowest, single = (torch.eye(dim, dtype=torch.float64)[i] for i in (n - 1, n // 4))
    return {f"turned by {peak}": (q, far), "slowest plane": (slowest, slowest), "one plane": (single, single)}


def score_spread(
    distances: Tensor, dim: int = 128, draws: int = 20000, shared: float = 0.0, seed: int = 0
) -> Tensor:
    """Mean, standard deviation, 5 %, 50 %, 95 % quantiles of random scores: ``[distances, 5]``.

    q and k are Gaussian with unit variance; a fraction ``shared`` of the variance is common to both.
    """
    generator = torch.Generator().manual_seed(seed)
    own_q, own_k, common = torch.randn(3, draws, dim, generator=generator, dtype=torch.float64)
    q, k = (math.sqrt(1 - shared) * own + math.sqrt(shared) * common for own in (own_q, own_k))
    scores = rotary_score(q, k, distances, inv_freq(dim))
    quantiles = torch.quantile(scores, torch.tensor([0.05, 0.5, 0.95], dtype=torch.float64), dim=0)
    return torch.stack((scores.mean(0), scores.std(0), *quantiles), dim=-1)


def useless_fraction(
    distances: Tensor, dim: int = 128, draws: int = 20000, seed: int = 0
) -> tuple[Tensor, float]:
    r"""Gaussian q, k: Abel bound / trivial bound ``[draws, distances]``; least
    :math:`\max|\Delta h|/\mathrm{mean}|h|`.
    """
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, draws, dim, generator=generator, dtype=torch.float64)
    ratio = abel_bound(q, k, distances, inv_freq(dim)) / trivial_bound(q, k).unsqueeze(-1)
    h = plane_products(q, k)
    steps = torch.cat((h[:, 1:] - h[:, :-1], -h[:, -1:]), dim=1).abs().amax(1)
    return ratio, float((steps / h.abs().mean(1)).min())
