"""Pictures of the bases that keep a kernel non-negative: how they grow with the length, and their islands."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from posenc_lib.analysis.base_bound import kernel_sums
from posenc_lib.angles.frequencies import inv_freq

from .style import Plot, figure, key

DOUBLE = torch.float64
FIRST_ZERO = 0.6165  # of the cosine integral Ci
SAMPLES = 600


def first_negative(frequencies: Tensor, up_to: int) -> int:
    """The first distance below ``up_to`` at which the sum of cosines is negative, or ``up_to``.

    Example:
        >>> first_negative(inv_freq(128), 10_000)
        1707
    """
    negative = (kernel_sums(frequencies, up_to) < 0).nonzero()
    return int(negative[0]) if len(negative) else up_to


def reached(bases: Tensor, up_to: int, dim: int = 128) -> Tensor:
    """``first_negative`` for each base, int64 ``[...]``."""
    found = [first_negative(inv_freq(dim, base), up_to) for base in bases.flatten().tolist()]
    return torch.tensor(found).view(bases.shape)


def growth(rows: Sequence[dict], quoted: dict[str, Sequence[float]]) -> Plot:
    """The smallest feasible and the safe base against the length, with quoted columns and the integral's.

    Args:
        rows: ``{"length", "base", "safe": {"base"} or None}``, as the page's stored results have them.
        quoted: name → one base for each of the first rows.
    """
    made, ax = figure(3.6)
    lengths = [row["length"] for row in rows]
    safe = [(row["length"], row["safe"]["base"]) for row in rows if row["safe"]]
    ax.plot(*zip(*safe, strict=True), "^", color="C2", label="from here on all feasible")
    for (name, bases), shape in zip(quoted.items(), "x+", strict=False):
        ax.plot(lengths[: len(bases)], bases, shape, color="C3", markersize=8, label=name)
    smallest, integral = [row["base"] for row in rows], [length / FIRST_ZERO for length in lengths]
    ax.plot(lengths, smallest, "o-", color="C0", markersize=4, label="smallest feasible")
    ax.plot(lengths, integral, "--", color="C1", label="length / 0.6165")
    ax.set(xscale="log", yscale="log", xlabel="context length", ylabel="base")
    key(made)
    return Plot(
        made,
        "The sum asks for a far larger base than its integral, and the safe base is larger still",
        "Bases against context lengths from 1024 to two million, both logarithmic. Lowest a straight dashed "
        "line, length divided by 0.6165; above it the smallest feasible bases, climbing more steeply, flat "
        "in the last two steps; quoted values on or above them; highest, triangles for the safe bases.",
        {"smallest feasible": np.array(smallest), "safe": np.array([base for _, base in safe]),
         "integral": np.array(integral), **{name: np.array(bases) for name, bases in quoted.items()}},
    )  # fmt: skip


def islands(
    length: int, lowest: float, smallest: float, safe: float, highest: float, rows: Sequence[dict] = ()
) -> Plot:
    """How far the sums stay non-negative, against the base; feasible for the length above the dotted line.

    Args:
        length: of the context.
        lowest, highest: the bases drawn.
        smallest, safe: the smallest feasible base and the one from which on all are, for this length.
        rows: as for :func:`growth`; if there are any, the length can be moved on the site.
    """
    made, ax = figure(3.2)
    bases = torch.logspace(math.log10(lowest), math.log10(highest), SAMPLES, dtype=DOUBLE)
    first = reached(bases, 4 * length)
    ax.plot(bases, first, color="C0", linestyle="-", linewidth=0.8)
    ax.fill_between(bases, first, length, where=first >= length, color="C2", alpha=0.5)
    ax.axhline(length, color="C3", linestyle=":")
    for base, name in ((smallest, "smallest"), (safe, "safe")):
        ax.axvline(base, color="C1", linestyle="--")
        ax.annotate(name, (base, first.max()), (3, -2), textcoords="offset points")
    ax.set(xscale="log", yscale="log", xlabel="base", ylabel="first distance with a negative sum")
    ticks = [lowest * 2**k for k in range(1 + int(math.log2(highest / lowest)))]
    ax.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    levels = [length // 2, length, 2 * length, 4 * length]
    ax.set_yticks(levels, [f"{level:,}" for level in levels])
    ax.minorticks_off()
    ax.text(highest, 0.97 * length, "feasible", ha="right", va="top", color="C2")
    return Plot(
        made,
        f"Feasible bases for length {length} come in islands between the smallest and the safe one",
        "A jagged curve that climbs from left to right and jumps up and down: the first distance with a "
        f"negative sum against the base. A dotted level marks {length}. Between two dashed vertical lines "
        "the curve crosses it many times; right of the second it stays above.",
        {"first": first.numpy()},
        live="base-islands" if rows else "",
        state={
            "length": length,
            "base": round(math.sqrt(smallest * safe)),
            "lowest": lowest,
            "highest": highest,
            "dim": 128,
            "first": first.tolist(),
            "rows": [
                {"length": row["length"], "base": row["base"], "safe": row["safe"] and row["safe"]["base"]}
                for row in rows
            ],
        },
    )


def weightings(rows: dict[str, dict]) -> Plot:
    """A line for each configuration: by how much each plane weighs less than one in its heaviest weighting.

    Args:
        rows: name → ``{"turns", "weights"}``, as the page's stored results have them.
    """
    made, ax = figure(3.0)
    for part in (0.25, 1):
        ax.axvline(part, color="C3", linestyle=":")
    taken = {name: 1 - np.array(row["weights"]) for name, row in rows.items()}
    for line, (name, row) in enumerate(rows.items()):
        turns, bars = np.array(row["turns"]), taken[name] > 0
        ax.plot(turns, np.full(len(turns), line), ".", color="C0", markersize=2)
        ax.vlines(turns[bars], line, line - 0.8 * taken[name][bars], color="C1", linewidth=2)
    shares = {name: 1 - part.mean() for name, part in taken.items()}
    ax.set_yticks(range(len(rows)), [f"{name}, {share:.1%}" for name, share in shares.items()])
    ax.set_xticks([10.0**k for k in range(-2, 5)], minor=False)
    ax.set(xscale="log", xlabel="turns of the plane in the context", ylim=(len(rows) - 0.5, -1))
    told = "; ".join(f"{name} {share:.1%}" for name, share in shares.items())
    return Plot(
        made,
        "A little taken from a few planes saves all eight, and some of these planes are fast",
        "For each of eight configurations a line of dots, one a plane by its turns in the context; dotted "
        "lines mark a quarter turn and a whole one. Bars above dots, as high as what is taken from a plane, "
        f"stand from a quarter turn up to thousands of turns. Left of all weight: {told}.",
        {"taken": np.concatenate(list(taken.values()))},
    )
