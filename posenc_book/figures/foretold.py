"""What the contents of short texts say of each plane of RoPE, and what slowing it gains in long ones.

``results`` as in ``length``, with the part that ``python -m experiments.length_generalisation bases`` wrote.
Every array of planes is ``[models, planes]``.
"""

import math
from collections.abc import Callable

import numpy as np

from posenc_lib import inv_freq

from .length import Results, lengths
from .style import COLOURS, Plot, figure, key

FORECASTS = ("share", "advantage")
BAND = 3.65721  # where cos is most spread over the angles from 0 on: ½ + sin 2x/4x − (sin x/x)² is greatest
Measure = Callable[[np.ndarray, np.ndarray], np.ndarray]


def encodings(results: Results) -> dict[str, float]:
    """Name and base, from the least base to the greatest."""
    return dict(sorted(results["bases"]["bases"].items(), key=lambda named: float(named[1])))


def rows(results: Results, task: str) -> list[Results]:
    """The models of a task, base by base, seed by seed."""
    order = list(encodings(results))
    found = [row for row in results["bases"]["rows"] if row["task"] == task]
    return sorted(found, key=lambda row: (order.index(row["encoding"]), row["seed"]))


def gained(results: Results, task: str, change: str = "divided") -> np.ndarray:
    """What changing each plane alone gains at the end of the longest text; fewer nats are a gain."""
    found = np.array([np.subtract(row[change], row["as trained"]) for row in rows(results, task)])
    return found if "share" in results["measures"][task] else -found


def predicted(results: Results, task: str, change: str = "divided") -> dict[str, np.ndarray]:
    """Both forecasts, and their rivals: how large contents are, which angles are new, both in one; cosines.

    The cosines know no contents. *cosine* is what cos(xθ) gains, in the mean over the distances x that
    training never showed; *cosine, net* is this less the mean of |what it gains| over those it did show.
    *band* is how near xθ at the trained length x comes, in logarithms, to where Oka et al. (2026) see a band.
    """
    models, trained = rows(results, task), results["trained length"]
    found = {
        name: np.array([row[f"{change}, predicted"][name] for row in models])
        for name in (*FORECASTS, "weight")
    }
    theta = np.array([inv_freq(16, encodings(results)[r["encoding"]]).numpy() for r in models])
    found["unseen"] = (trained * theta < 2 * math.pi).astype(float)
    turns = np.arange(lengths(results)[-1])[:, None, None] * theta
    gains = np.cos(turns / results["bases"]["divisors"][change]) - np.cos(turns)
    found["cosine"] = gains[trained:].mean(0)
    found["cosine, net"] = found["cosine"] - np.abs(gains[:trained]).mean(0)
    found["band"] = -np.abs(np.log(trained * theta / BAND))
    return found | {"weight, if unseen": found["weight"] * found["unseen"]}


def ranks(values: np.ndarray) -> np.ndarray:
    """From 1, the least, along the last axis; equal values share the mean of their ranks.

    Example:
        >>> ranks(np.array([0.5, 0.1, 0.5]))
        array([2.5, 1. , 2.5])
    """
    one, other = values[..., :, None], values[..., None, :]
    return np.asarray((other < one).sum(-1) + ((other == one).sum(-1) + 1) / 2)


def agreement(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """``[models]``: Spearman's rank correlation over the planes.

    Example:
        >>> agreement(np.array([[1.0, 2.0, 9.0]]), np.array([[3.0, 5.0, 4.0]]))
        array([0.5])
    """
    a, b = (ranks(v) - (v.shape[-1] + 1) / 2 for v in (one, other))
    return np.asarray((a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1)))


def named(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """``[models]``: whether the largest plane of one is the largest of the other."""
    return np.asarray(one.argmax(-1) == other.argmax(-1))


def by_chance(one: np.ndarray, other: np.ndarray, bases: int, measure: Measure = agreement) -> np.ndarray:
    """``[10000]``: the measure's mean, the planes of ``other`` permuted alike in all models of a base.

    Models come base by base. The seeds of one base nearly share their best plane: they are not independent.

    Example:
        >>> seeds = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> sorted({float(share) for share in by_chance(seeds, seeds, 1, named)})
        [0.0, 1.0]
    """
    order = np.tile(np.arange(other.shape[-1]), (10_000, bases, 1))
    order = np.random.default_rng(0).permuted(order, axis=-1).repeat(len(other) // bases, axis=1)
    return np.asarray(measure(one, np.take_along_axis(other[None], order, -1)).mean(-1))


def ranked(results: Results) -> Plot:
    """A panel for each task, a point for each plane and base: mean ranks over the seeds."""
    fig, axes = figure(2.7, 1, len(results["measures"]), sharex=True, sharey=True)
    data, parts = {}, []
    for axis, task in zip(axes, results["measures"], strict=True):
        found, said = gained(results, task), predicted(results, task)
        share = agreement(said["share"], found)
        rival = max(agreement(said[name], found).mean() for name in said if name not in FORECASTS)
        by_base = [np.split(ranks(values), len(encodings(results))) for values in (said["share"], found)]
        data[task] = np.array(by_base).mean(2)
        axis.plot([1, 8], [1, 8], color="gray", linestyle="-", linewidth=0.8)
        for x, y, base, colour, mark in zip(
            *data[task], encodings(results).values(), COLOURS, "osv^", strict=False
        ):
            axis.plot(x, y, color=colour, linestyle="", marker=mark, ms=3.5, label=f"base {base:g}")
        axis.set_title(f"{task}\n{share.mean():.2f}\n(rival {rival:.2f})")
        axis.set_xticks([1, 8])
        axis.set_yticks([1, 8])
        each = ", ".join(f"{part.mean():.2f}" for part in np.split(share, len(by_base[0])))
        parts.append(f"{task} {share.mean():.2f}, base by base {each}, the best rival {rival:.2f}")
    axes[0].set_ylabel("rank of the gain")
    axes[1].set_xlabel("rank of the forecast from short texts")
    key(fig)
    return Plot(
        fig,
        "Short texts foretell which plane gains most when it is slowed, less surely on the chain",
        "Three panels, one a task: the mean rank of each plane's measured gain against that of its forecast, "
        "1 the least and 8 the most; four marks for four bases, and the diagonal. Mean rank correlations: "
        f"{'; '.join(parts)}.",
        data,
    )
