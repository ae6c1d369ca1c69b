"""Pictures of the sinusoidal encoding: a step, clock faces, a circle, heat maps and their first rows."""

from collections.abc import Mapping

import numpy as np
import torch
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import BoundaryNorm
from matplotlib.patches import Arc, Circle
from torch import Tensor

from posenc_lib._checks import check_even, check_int
from posenc_lib.additive.functions import sinusoidal
from posenc_lib.analysis.measures import gram
from posenc_lib.angles.frequencies import inv_freq

from .style import COLOURS, INK, SEQUENTIAL, Plot, figure, name_lines

LEVELS = 20  # colours of a heat map; a smooth scale would put 256 rectangles into its colour bar
APART = 2.4  # distance of the centres of neighbouring clock faces, whose radius is 1


def turns(step: int = 3, starts: tuple[int, int] = (0, 8), dim: int = 20, shown: int = 3) -> Plot:
    """The step from m to m + k in the first planes, from two positions: each plane turns by its own angle kθ.

    Args:
        step: the number of positions k of the step.
        starts: the two positions m at which it begins.
        dim: even width.
        shown: how many planes are drawn, from plane 0 on.

    Source:
        the illustrated article, (7) and Figure 10.
    """
    check_int("step", step, minimum=1)
    ends = torch.tensor([[m, m + step] for m in starts])
    hands = sinusoidal(ends, dim, dtype=torch.float64).view(len(starts), 2, dim // 2, 2)[:, :, :shown].numpy()
    angles = inv_freq(dim)[:shown].numpy()
    fig, panels = figure(1.7, 1, shown)
    for i, (ax, theta) in enumerate(zip(panels, angles, strict=True)):
        ax.add_patch(Circle((0.0, 0.0), 1.0, facecolor="none", edgecolor=INK, lw=0.4))
        for m, pair, colour, radius in zip(starts, hands[:, :, i], COLOURS[:4:3], (0.4, 0.6), strict=True):
            for place, (x, y), line in zip((m, m + step), pair, ("--", "-"), strict=True):
                ax.plot([0, x], [0, y], line, color=colour, lw=1.4)
                ax.text(1.2 * x, 1.2 * y, str(place), ha="center", va="center")
            arc = np.linspace(m, m + step, 40) * theta
            ax.plot(radius * np.sin(arc), radius * np.cos(arc), "-", color=colour, lw=1.4, label="_aside")
        ax.set(aspect="equal", xlim=(-1.27, 1.27), ylim=(-1.27, 1.27), xticks=(), yticks=())
        ax.set_title(f"plane {i}: {np.degrees(step * theta):.0f}°")
        ax.spines[:].set_visible(False)
    (a, b), described = starts, ", ".join(f"{np.degrees(step * theta):.0f}°" for theta in angles)
    return Plot(
        fig,
        title=f"A step of {step} positions turns each plane by an angle of its own, wherever the step begins",
        alt=f"{shown} circles, one for each of the first planes, with clock hands at positions {a} and "
        f"{a + step}, and at {b} and {b + step}. In each circle the arcs between the hands of a pair span "
        f"the same angle, clockwise: {described}.",
        data={"hands": hands, "angles": step * angles},
        live="clock-faces",
        state={"m": b, "k": step, "dim": dim, "base": 10000, "shown": shown, "view": "step"},
    )


def clock_faces(length: int = 7, dim: int = 20) -> Plot:
    """Each plane of PE(m) as a clock hand at (sin mθ, cos mθ): it starts at twelve and turns clockwise.

    Args:
        length: number of positions, one a row.
        dim: even width, one column for each plane.

    Source:
        the illustrated article, listing 3 and Figure 8.
    """
    check_int("length", length, minimum=1)
    check_even("dim", dim)
    planes = dim // 2
    hands = sinusoidal(torch.arange(length), dim, dtype=torch.float64).view(length, planes, 2).numpy()
    fig, ax = figure(4.0 * length / planes + 0.3)
    rows, columns = np.indices((length, planes)) * APART
    centres = np.stack([columns, -rows], axis=-1).reshape(-1, 2)
    tips = centres + hands.reshape(-1, 2)
    faces = {"units": "xy", "offsets": centres, "offset_transform": ax.transData}
    ax.add_collection(EllipseCollection(2, 2, 0, facecolor="none", edgecolor=INK, lw=0.4, **faces))
    ax.add_collection(LineCollection(list(np.stack([centres, tips], axis=1)), colors=COLOURS[0], lw=1.2))
    ax.plot(*tips.T, linestyle="none", marker="o", ms=3.5, color=COLOURS[3], label="_aside")
    ax.set(aspect="equal", xlabel="plane i", ylabel="position m")
    ax.set_xticks(np.arange(planes) * APART, [str(i) for i in range(planes)])
    ax.set_yticks(-np.arange(length) * APART, [str(m) for m in range(length)])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return Plot(
        fig,
        title="Clock hands: at each step every hand turns by its own angle, the first by 1 radian, "
        f"the last by {inv_freq(dim)[-1]:.2g} (d = {dim})",
        alt=f"A grid of {length} rows and {planes} columns of circles, each with one hand. In row 0 all "
        "hands point up. The hands of the first column turn clockwise by one radian a row, those of each "
        "further column more slowly; in the last columns they seem to stand still.",
        data={"hands": hands},
        live="clock-faces",
        state={"m": 3, "dim": dim, "base": 10000},
    )


def circle(length: int = 12) -> Plot:
    """The encodings of d = 2 on one circle, and the two turns by 2θ that M₂ makes.

    Args:
        length: number of positions shown, at least 6, so that PE(5) is among them.

    Source:
        the illustrated article, Figures 9 and 10.
    """
    check_int("length", length, minimum=6)
    points = sinusoidal(torch.arange(length), 2, dtype=torch.float64).numpy()
    fig, (left, right) = figure(2.4, 1, 2)
    for ax in (left, right):
        ax.add_patch(Circle((0.0, 0.0), 1.0, facecolor="none", edgecolor=INK, lw=0.6))
        ax.set(aspect="equal", xlim=(-1.9, 1.9), ylim=(-1.6, 1.6), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
        ax.set(xlabel="sin m", ylabel="cos m")
    left.plot(*points.T, linestyle="none", marker="o", ms=5, color=COLOURS[0])
    for m, (x, y) in enumerate(points):
        left.text(1.3 * x, 1.3 * y, str(m), ha="center", va="center")
    for start, colour, radius in ((0, COLOURS[0], 0.45), (3, COLOURS[3], 0.6)):
        for m in (start, start + 2):
            x, y = points[m]
            right.plot([0, x], [0, y], "-", color=colour, lw=1.5)
            right.text(1.42 * x, 1.24 * y, f"PE({m})", ha="center", va="center")
        from_angle, to_angle = (float(np.degrees(np.arctan2(*points[m, ::-1]))) for m in (start + 2, start))
        size = 2 * radius
        arc = Arc((0.0, 0.0), size, size, theta1=from_angle, theta2=to_angle, color=colour, lw=1.5)
        right.add_patch(arc)
    return Plot(
        fig,
        title="One plane: positions walk clockwise round a circle; M₂ turns PE(0) and PE(3) by one angle",
        alt=f"Left: {length} numbered points on the unit circle, starting at the top with 0 and going "
        "clockwise, one radian apart. Right: the hands PE(0) and PE(2), and PE(3) and PE(5); the arcs "
        "between the two hands of a pair span the same angle.",
        data={"points": points},
    )


def heat_maps(encodings: Mapping[str, Tensor], title: str, low: float = 0.5) -> Plot:
    """⟨PE(m), PE(n)⟩ / (d/2) for all pairs of positions, one panel for each encoding.

    Args:
        encodings: name of the panel → encoding ``[L, d]`` of squared length d/2.
        title: what the maps show.
        low: the lower end of the colour scale; its upper end is 1.

    Raises:
        ValueError: a value lies outside the scale, so that its colour would mislead.

    Source:
        the illustrated article, listing 5 and Figures 11, 14 and 15.
    """
    fig, axes = figure(2.9, 1, len(encodings), squeeze=False)
    norm = BoundaryNorm(np.linspace(low, 1.0, LEVELS + 1), LEVELS)
    colours = colormaps[SEQUENTIAL].resampled(LEVELS)
    data = {}
    for ax, (name, pe) in zip(axes[0], encodings.items(), strict=True):
        values = (gram(pe) / (pe.shape[-1] / 2)).numpy()
        if values.min() < low or values.max() > 1 + 1e-9:
            span = f"{values.min():.4f} … {values.max():.4f}"
            raise ValueError(f"encodings[{name!r}] must have cosines in [low, 1] = [{low}, 1], got {span}")
        # "none" keeps one pixel a cell, so that the browser scales it up with sharp edges
        ax.imshow(np.minimum(values, 1 - 1e-12), norm=norm, cmap=colours, interpolation="none")
        ticks = range(0, len(values), 5 if len(values) > 10 else 1)
        ax.set(title=name, xlabel="position n", ylabel="position m", xticks=ticks, yticks=ticks)
        data[name] = values
    bar = ScalarMappable(norm, colours)
    ends = np.linspace(low, 1.0, 6)
    fig.colorbar(
        bar,
        ax=list(axes[0]),
        location="bottom",
        shrink=0.75,
        ticks=ends,
        format="%.1f",
        label="cosine of the angle",
    )
    described = "; ".join(f"{name}: from 1 on it down to {v[0].min():.3f}" for name, v in data.items())
    return Plot(
        fig,
        title=title,
        alt=f"Square heat maps with constant diagonals, brightest on the main one. {described}.",
        data=data,
    )


def first_rows(encodings: Mapping[str, Tensor], title: str) -> Plot:
    """cos ∠(PE(0), PE(k)) against k, one line for each encoding: the first rows of heat maps.

    Args:
        encodings: name of the line → encoding ``[L, d]`` of squared length d/2.
        title: what the lines show.

    Source:
        the illustrated article, Figure 13.
    """
    fig, ax = figure()
    rows = {name: ((pe @ pe[0]) / (pe.shape[-1] / 2)).numpy() for name, pe in encodings.items()}
    for name, row in rows.items():
        ax.plot(row, label=name)
    ax.set(xlabel="distance k", ylabel="cosine of the angle")
    ax.grid(visible=True)
    name_lines(ax)
    described = "; ".join(f"{name} rises first from k = {_first_rise(row)}" for name, row in rows.items())
    return Plot(
        fig, title=title, alt=f"Lines that start at 1 and fall with small waves. {described}.", data=rows
    )


def _first_rise(row: np.ndarray) -> int:
    rises = np.flatnonzero(np.diff(row) > 0)
    return int(rises[0]) if len(rises) else len(row) - 1
