"""Which channels of a head a rotation turns together: the half and the interleaved layout."""

import numpy as np
import torch

from posenc_lib import apply_rotary
from posenc_lib._checks import LAYOUTS, Layout

from .style import COLOURS, Plot, figure


def partners(layout: Layout, dim: int = 8) -> list[int]:
    """The other channel of each channel's pair, found by turning unit vectors.

    Example:
        >>> partners("half", 4), partners("interleaved", 4)
        ([2, 3, 0, 1], [1, 0, 3, 2])
    """
    angle = torch.full((dim // 2,), 0.5, dtype=torch.float64)
    unit = torch.eye(dim, dtype=torch.float64)
    turned = apply_rotary(unit, angle.cos(), angle.sin(), layout=layout).abs()
    return [int(k) for k in turned.fill_diagonal_(0).argmax(-1)]


def pairs(dim: int = 8) -> Plot:
    """Channels in a row, and an arc over each pair, for both layouts."""
    fig, axes = figure(1.2, 1, 2)
    data: dict[str, np.ndarray] = {}
    for axis, layout in zip(axes, LAYOUTS, strict=True):
        other = partners(layout, dim)
        data[layout] = np.array(other)
        for channel in range(dim):
            plane = sorted({min(k, other[k]) for k in range(dim)}).index(min(channel, other[channel]))
            colour = COLOURS[plane % len(COLOURS)]
            axis.plot([channel], [0], marker="s", markersize=13, color=colour, linestyle="", alpha=0.35)
            axis.text(channel, 0, str(channel), ha="center", va="center")
            if channel < other[channel]:
                t = np.linspace(0, np.pi, 30)
                radius = (other[channel] - channel) / 2
                axis.plot(channel + radius * (1 - np.cos(t)), 0.55 + radius * np.sin(t) / 2,
                          color=colour, linestyle="-", linewidth=1.6, label="_aside")  # fmt: skip
        axis.set_title(f'layout="{layout}"')
        axis.set_xlim(-0.7, dim - 0.3)
        axis.set_ylim(-0.7, 1.8 * dim / 8)
        axis.set_axis_off()
    told = "; ".join(
        f"{name}: " + ", ".join(f"{k} with {p}" for k, p in enumerate(other) if k < p)
        for name, other in data.items()
    )
    return Plot(
        fig,
        "The same rotation, two pairings: half a head apart, or neighbours",
        f"Two rows of {dim} channels with arcs over the pairs that are turned together. {told}.",
        data,
    )
