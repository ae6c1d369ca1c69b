"""Figures of the Taylor argument on a trained model, drawn from its stored results.

Each function takes what ``python -m experiments.trained_model`` wrote, read with ``json.load``; the page
computes its part on positions anew.
"""

from typing import Any

import numpy as np

from .style import COLOURS, INK, Plot, figure, key

Results = dict[str, Any]
PLANES_SHOWN = 127


def planes(results: Results) -> Plot:
    """The first positions in the five planes of the learned table, and the drift of their phases."""
    found = results["positions"]
    points, drift = (np.round(found[name], 4) for name in ("planes", "drift"))  # no machine's last bits
    points = points[:, :PLANES_SHOWN]
    periods = found["tables"]["learned"]["turning"]["periods of the nearest rotation"]
    fig, axes = figure(6.0, 3, 2)
    for ax, plane, period, colour in zip(axes.flat, points, periods, COLOURS, strict=False):
        ax.plot(*plane.T, lw=0.4, ls="-", color=colour, marker="o", ms=2)
        ax.set_title(f"period {period:.3g}")
        ax.set_aspect("equal")
        ax.set_xlim(-1.7, 1.7)
        ax.set_ylim(-1.7, 1.7)
    for ax, plane in zip(axes.flat, points[:3], strict=False):  # the ends, named inside and outside the ring
        for index, radius in ((0, 0.25), (-1, 1.5)):
            at = plane[index] * radius / np.hypot(*plane[index])
            line = {"arrowstyle": "-", "linewidth": 0.6, "color": INK}
            name = str(index % PLANES_SHOWN + 1)
            ax.annotate(name, plane[index], at, ha="center", va="center", arrowprops=line)
    axes[2, 0].set_xlabel("first coordinate")
    axes[2, 0].set_ylabel("second coordinate")
    ax, ladder = axes[2, 1], ", ".join(f"{period:.3g}" for period in periods)
    ax.plot(np.arange(drift.shape[1]) * 8 + 1, drift.T)
    ax.set(xticks=[0, 250, 500], yticks=[-5, 0, 5])
    ax.set_title("phase drift (rad)")
    ax.set_xlabel("position")
    return Plot(
        fig,
        "Five planes of the learned positions: rings, periods in a ladder of about three, drifting phases",
        "Five panels with the positions 1 to 127 as dots joined by a line: a short arc in the slowest "
        "plane, most of a circle in the next, rings of radius about 1 in the other three. The periods "
        f"are {ladder} positions. A sixth panel shows for each plane the phase minus a straight line "
        "over 511 positions: within 0.7 radian for the three slow planes but for their first "
        "positions, up to several radians for the two fast ones.",
        {"planes": points, "drift": drift},
    )


def expansion(results: Results) -> Plot:
    """Change of the sentence vector and errors of its expansions, with and without a vector at position 0."""
    found = results["expansion"]
    scales = np.array(found["scales"])
    fig, axes = figure(2.9, 1, 2, sharex=True, sharey=True)
    data = {}
    for ax, name in zip(axes, ("as it is", "no vector at position 0"), strict=True):
        rows = np.array(found["medians"][name])
        for row, label in zip(rows, ("change", "error of order 1", "error of order 2"), strict=True):
            ax.loglog(scales, row, label=label)
            data[f"{name}, log10 {label}"] = np.log10(row)
        ax.set_title(name)
        ax.set_xlabel("ε (1: the trained model)")
        ax.grid(True)
    axes[0].set_ylabel("median over sentences")
    key(fig)
    return Plot(
        fig,
        "The errors have slopes 2 and 3, and long before ε = 1 they pass the change itself",
        "Two panels with logarithmic axes. In both the change of the sentence vector has slope 1 and "
        "then bends, the errors of the expansions of order 1 and 2 have slopes 2 and 3. On the left "
        "they cross the change near ε = 0.2; at ε = 1 the error of order 2 is more than twenty times "
        "the change. On the right, with no vector at position 0, they cross it near ε = 0.4 and end at "
        "twice and five times the change.",
        data,
    )


def heads(results: Results) -> Plot:
    """Shares of the first layer's heads that are relative, and the previous-token head by distance."""
    layer, chosen = results["H"]["first layer"], results["head"]
    even = np.array([h["commuting"] - h["odd"] for h in layer["heads"]])
    odd = np.array([h["odd"] for h in layer["heads"]])
    null = np.array([h["rotated"]["greatest"] for h in layer["heads"]])
    number = np.arange(len(even))
    fig, axes = figure(5.2, 2, 1)
    axes[0].bar(number, even, color=COLOURS[0], label="even, aI")
    axes[0].bar(number, odd, bottom=even, color=COLOURS[1], hatch="//", label="odd, bJ")
    axes[0].plot(number, null, ls="", marker="D", ms=4, color=INK, label="greatest of the null")
    axes[0].set_xlabel("head of the first layer")
    axes[0].set_ylabel("share of H in the planes")
    axes[0].set_xticks(number)
    axes[0].set_ylim(0, 1.02)
    axes[0].set_yticks([0, 0.25, 0.5, 0.75, 1])
    key(axes[0])
    head, lags = layer["heads"][chosen], np.array(layer["lags"])
    low, middle, high = np.array(head["by distance"]).T
    angles, a, b = (np.array(v) for v in (layer["angles"], head["a"], head["b"]))
    fitted = np.cos(np.outer(lags, angles)) @ a + np.sin(np.outer(lags, angles)) @ b
    axes[1].fill_between(lags, low, high, alpha=0.3, color=COLOURS[0], label="5 % to 95 %")
    axes[1].plot(lags, middle, color=COLOURS[0], ls="-", label="median")
    axes[1].plot(lags, fitted, color=COLOURS[1], ls="--", label="Σ a cos + b sin")
    axes[1].axvline(1, color="gray", lw=0.8, ls=":")
    axes[1].set_xlabel("distance m − n")
    axes[1].set_ylabel(f"position–position logit, head {chosen}")
    axes[1].set(ylim=(-35, 65), yticks=range(-20, 61, 20))
    key(axes[1])
    return Plot(
        fig,
        "Ten of twelve heads are mostly relative in the learned planes, one looks at the previous token",
        "Above: for each of twelve heads the share of its H of the form aI + bJ, between 0.86 and 0.99 for "
        "ten of them, 0.40 and 0.50 for heads 8 and 11, above the null model's greatest value for all. The "
        f"odd part is large in heads 2 and 5 only. Below: the logit of head {chosen} against the distance, a "
        "wide band and a median with a high peak at distance 1 and lower ones about six apart, and the sum "
        "of five planes, which stays in the band and has the same peaks.",
        {"even": even, "odd": odd, "null": null, "median by distance": middle, "fitted": fitted},
    )
