"""Precision and speed: exact tables to measure errors against; pictures of errors and of stored ratios."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .style import COLOURS, Plot, figure, name_lines

Row = dict[str, Any]


def exact_tables(dim: int, positions: Tensor, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """cos and sin of m·base^(−2i/dim) from 40-digit arithmetic, float64 ``[len(positions), dim/2]``."""
    import mpmath

    with mpmath.workdps(40):
        thetas = [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / dim) for i in range(dim // 2)]
        angles = [[m * theta for theta in thetas] for m in positions.tolist()]
        cos, sin = ([[float(f(a)) for a in row] for row in angles] for f in (mpmath.cos, mpmath.sin))
    return torch.tensor(cos, dtype=torch.float64), torch.tensor(sin, dtype=torch.float64)


def at_most(error: float) -> str:
    """One digit, rounded up (3.01 is 3), so that it reads the same on machines whose last bits differ."""
    if error <= 0:
        return "0"
    exponent = math.floor(math.log10(error))
    digit = math.ceil(error / 10.0**exponent - 0.02)
    return f"{1 if digit == 10 else digit}e{exponent + (digit == 10):+03d}"


def error_growth(errors: Mapping[str, Sequence[float]], positions: Sequence[int]) -> Plot:
    r"""Maximum error of q·k over :math:`|q||k|` against position, one line for each way of making the
    tables.
    """
    made, ax = figure(3.0)
    for (name, values), marker in zip(errors.items(), "osd^vP", strict=False):
        ax.plot(positions, values, marker=marker, markersize=4, label=name)
    ax.set(xscale="log", yscale="log", xlabel="position", ylabel="max error of q·k over |q||k|")
    name_lines(ax)
    return Plot(
        made,
        "Only float32 angles lose accuracy as positions grow",
        "Largest error of a rotary score against position, both axes logarithmic. The line of float32 angles "
        "rises in proportion to the position; the others are flat at their own heights.",
        {name: np.asarray(values, dtype=np.float64) for name, values in errors.items()},
    )


def spacings(last: int = 24) -> Plot:
    """Distance between neighbouring numbers in bfloat16, float16 and float32 at positions 2^0 … 2^last."""
    made, ax = figure()
    power = np.arange(last + 1)
    data = {}
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        name, kind = str(dtype).removeprefix("torch."), torch.finfo(dtype)
        at = power[2.0**power <= kind.max]
        data[name] = kind.eps * 2.0**at
        ax.plot(2.0**at, data[name], label=name)
    ax.axhline(1.0, color="0.5", linewidth=0.8)
    ax.set(xscale="log", yscale="log", xlabel="position", ylabel="distance to the next number")
    name_lines(ax)
    return Plot(
        made,
        "Above the line at 1, neighbouring positions become one number",
        "Spacing of numbers against their size for three formats, both axes logarithmic: three parallel "
        "rising lines. bfloat16 reaches spacing one at 128, float16 at 1024, float32 at 8 million.",
        data,
    )


def find(rows: Sequence[Row], **wanted: object) -> Row:
    """The one row with these values.

    Raises:
        ValueError: none or several have them.
    """
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise ValueError(f"expected one row with {wanted}, found {len(found)}")
    return found[0]


def ratio_bars(panels: Mapping[str, Sequence[Row]], *, title: str, floor: str, limit: float = 16.0) -> Plot:
    """Horizontal bars of stored ratios with quartiles, a panel for each entry; peers in another colour.

    Bars beyond ``limit`` are cut off there, and say their number.
    """
    counts = [len(rows) for rows in panels.values()]
    right = min(limit, 1.1 * max(row["high"] for rows in panels.values() for row in rows))
    height = 0.5 + 0.33 * sum(counts) + 0.3 * len(counts)
    made, axes = figure(height, len(counts), sharex=True, height_ratios=counts, squeeze=False)
    data = {}
    for ax, (panel, rows) in zip(axes[:, 0], panels.items(), strict=True):
        names, ratio = [row["case"] for row in rows], np.array([row["ratio"] for row in rows])
        spread = np.array([[row["ratio"] - row["low"], row["high"] - row["ratio"]] for row in rows]).T
        colours = [COLOURS[1] if row.get("peer") else COLOURS[0] for row in rows]
        places = np.arange(len(names)) + 0.15
        ax.barh(places, ratio, color=colours, height=0.42, xerr=spread, error_kw={"ecolor": "0.5"})
        ax.vlines(np.ones(len(names)), places - 0.3, places + 0.3, color="0.5", linewidth=0.8)
        ax.set_yticks(places - 0.44, names, ha="left")  # above its bar
        ax.tick_params(axis="y", length=0, pad=-2)
        for row, value in enumerate(ratio):
            if value > right:
                ax.text(right, places[row], f" › {value:.0f}", ha="left", va="center")
        ax.set(xlim=(0, right), ylim=(len(names) - 0.45, -0.6))
        ax.set_title(panel, loc="left")
        data[panel] = ratio
    axes[-1, 0].set_xlabel(f"time as a multiple of {floor}")
    listed = "; ".join(
        f"{panel}: " + ", ".join(f"{row['case']} {row['ratio']:.2f}" for row in rows)
        for panel, rows in panels.items()
    )
    return Plot(made, title, f"Bars of time relative to {floor}, quartiles as whiskers. {listed}.", data)


def length_curve(rows: Sequence[Row], cases: Sequence[str], *, title: str) -> Plot:
    """Stored ratios against length on a logarithmic axis, one line a case; the floor is 1."""
    made, ax = figure()
    data = {}
    for case in cases:
        chosen = [row for row in rows if row["case"] == case]
        length = [row["length"] for row in chosen]
        data[case] = np.array([row["ratio"] for row in chosen])
        ax.plot(length, data[case], marker="o", label=case)
    ax.axhline(1.0, color="0.5", linewidth=0.8)
    ax.set(xscale="log", xlabel="length L", ylabel="multiple of the floor at L", ylim=(0, None))
    lengths = sorted({row["length"] for row in rows if row["case"] in cases})
    ax.set_xticks(lengths, [str(length) for length in lengths])
    ax.minorticks_off()
    name_lines(ax)
    listed = "; ".join(f"{case}: " + ", ".join(f"{v:.1f}" for v in values) for case, values in data.items())
    return Plot(made, title, f"Time over the floor of the same length, against length. {listed}.", data)
