"""Pictures of encodings with two and three axes: kernels over displacements, and who turns which plane."""

import math

import numpy as np
import torch
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.positions.axes import positions_grid
from posenc_lib.rotary.axes import axial_frequencies, axis_frequencies, mixed_frequencies

from .style import SEQUENTIAL, Plot, figure

WIDTH = 32  # cells along each side of the image
LEVELS = 20
TEXT_BASE, IMAGE_BASE, VIDEO_BASE = 10_000.0, 100.0, 1e6
DEALT = {"blocks (16, 24, 24)": (False, (16, 24, 24)), "interleaved (24, 20, 20)": (True, (24, 20, 20))}
AXES = ("time", "height", "width")


def two_axes(dim: int = 64, seed: int = 0) -> dict[str, Tensor]:
    """Frequency matrices ``[2, dim/2]`` of six encodings of an image, rows first, float64.

    Flattening and the two kinds of sections use the ladder of text, base 10000; the others base 100.
    """
    text, half = inv_freq(dim, TEXT_BASE), inv_freq(dim // 2, IMAGE_BASE)
    sections = (dim // 4, dim // 4)
    draw = torch.Generator().manual_seed(seed)
    return {
        "flattened": torch.stack((WIDTH * text, text)),
        "axial": axial_frequencies(dim, 2, IMAGE_BASE),
        "two-sided": torch.stack((half.repeat(2), torch.cat((half, -half)))),
        "blocks": axis_frequencies(text, sections),
        "interleaved": axis_frequencies(text, sections, interleaved=True),
        "mixed": mixed_frequencies(dim, 1, base=IMAGE_BASE, generator=draw)[:, 0, 0],
    }


def kernel(frequencies: Tensor, reach: int = WIDTH // 2) -> Tensor:
    """Mean of cos ⟨ωᵢ, Δ⟩ over the planes, for displacements −reach … reach on both axes: float64, square.

    Example:
        >>> kernel(axial_frequencies(4, 2), reach=1)[1]
        tensor([0.7702, 1.0000, 0.7702], dtype=torch.float64)
    """
    side = 2 * reach + 1
    displacements = (positions_grid(side, side) - reach).double()
    return (displacements.T @ frequencies).cos().mean(-1).view(side, side)


def rectangle_defect(values: Tensor) -> float:
    r"""Largest :math:`|k(s, t) + k(0, 0) - k(s, 0) - k(0, t)|`: zero for a function of s plus a
    function of t.

    Example:
        >>> rectangle_defect(torch.tensor([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 6.0]]))
        1.0
    """
    centre = len(values) // 2
    column, row = values[:, centre, None], values[None, centre]
    return float((values + values[centre, centre] - column - row).abs().max())


def closest(frequencies: Tensor, size: int) -> float:
    """How far the two nearest cells of a size × size image are apart, by their worst plane, in radians.

    Example:
        >>> round(closest(torch.tensor([[0.5, 0.0], [0.0, 0.5]]), 4), 3)
        0.5
    """
    side = 2 * size - 1
    displacements = positions_grid(side, side) - (size - 1)
    moved = displacements[:, displacements.any(0)].double()
    angles = torch.remainder(moved.T @ frequencies.double() + math.pi, 2 * math.pi) - math.pi
    return float(angles.abs().amax(-1).min())


def kernels() -> Plot:
    """Heat maps of the kernels of :func:`two_axes`, over displacements of up to half an image."""
    reach = WIDTH // 2
    data = {name: kernel(matrix) for name, matrix in two_axes().items()}
    made, axes = figure(4.0, 2, 3, sharex=True, sharey=True)
    norm = BoundaryNorm(np.linspace(0.0, 1.0, LEVELS + 1), LEVELS)
    colours = colormaps[SEQUENTIAL].resampled(LEVELS)
    for ax, (name, values) in zip(axes.flat, data.items(), strict=True):
        extent = (-reach - 0.5, reach + 0.5, reach + 0.5, -reach - 0.5)
        shown = values.clamp_max(1 - 1e-12).numpy()
        ax.imshow(shown, norm=norm, cmap=colours, interpolation="none", extent=extent)
        ax.set_title(name)
        ax.set(xticks=(-reach // 2, 0, reach // 2), yticks=(-reach // 2, 0, reach // 2))
    for ax in axes[1]:
        ax.set_xlabel("columns")
    for ax in axes[:, 0]:
        ax.set_ylabel("rows")
    bar = ScalarMappable(norm, colours)
    made.colorbar(
        bar, ax=axes, location="bottom", shrink=0.7, ticks=np.linspace(0, 1, 6), format="%.1f", label="score"
    )
    return Plot(
        made,
        "One plane for one axis makes a cross or a band; frequency vectors in many directions make a spot",
        "Six heat maps of the score of equal contents against the displacement in rows and columns, all "
        "brightest in the centre. Flattened: a short bar along the row, with stripes. Axial: an upright "
        "cross. Two-sided: the same cross turned by 45 degrees. Blocks: a bright horizontal band. "
        "Interleaved: a wide, pale cross. Mixed: a spot with one short, blurred arm along a diagonal.",
        {name: values.numpy() for name, values in data.items()},
    )


def dealt_wavelengths() -> dict[str, dict[str, Tensor]]:
    """How the 64 planes of a head are dealt to time, height and width: kind → axis → wavelengths."""
    ladder = inv_freq(128, VIDEO_BASE)
    found = {}
    for kind, (interleaved, sections) in DEALT.items():
        matrix = axis_frequencies(ladder, sections, interleaved=interleaved)
        found[kind] = {axis: 2 * math.pi / row[row > 0] for axis, row in zip(AXES, matrix, strict=True)}
    return found


def bands() -> Plot:
    """The wavelengths that each axis of a video gets, in blocks and interleaved."""
    found = dealt_wavelengths()
    made, axes = figure(2.2, 1, 2, sharex=True, sharey=True)
    for ax, (kind, lengths) in zip(axes, found.items(), strict=True):
        ax.axvspan(1, WIDTH, color="gray", alpha=0.2, linewidth=0)
        ax.annotate(f"up to {WIDTH}", (1, 2.5), (2, 3), textcoords="offset points")
        for height, (axis, values) in enumerate(lengths.items()):
            marker = "osD"[height]
            ax.plot(values, torch.full_like(values, height), marker, ms=3, ls="none", label=axis)
        ax.set(xscale="log", xlabel="wavelength (positions)", yticks=range(3), yticklabels=AXES)
        ax.set_title(kind)
        ax.set_ylim(2.5, -0.5)
    return Plot(
        made,
        "In blocks each axis gets one band of wavelengths; interleaved, nearly the whole range",
        "Two panels, a row of dots for each of time, height and width, on a logarithmic axis of wavelengths "
        f"from 6 to five million positions; a grey strip marks those up to {WIDTH}. In blocks, time has the "
        "dots up to 160, height those from 199 to 28 thousand, width those above 35 thousand. Interleaved, "
        "the dots of all three run over nearly the whole range, alternating.",
        {f"{kind}, {axis}": v.numpy() for kind, row in found.items() for axis, v in row.items()},
    )
