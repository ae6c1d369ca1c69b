"""Pictures of near-returns: how close all planes come back to where they started, and when."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq

from .style import Plot, figure, name_lines

DOUBLE = torch.float64
CHUNK = 100_000
GEARS = (1, 10, 100, 1000)


def worst_angle(positions: Tensor, frequencies: Tensor) -> Tensor:
    """How far the worst plane is from its place at position 0, in radians: float64 ``[...]``, at most π.

    Example:
        >>> worst_angle(torch.tensor([0, 44, 710]), torch.tensor([1.0]))
        tensor([0.0000e+00, 1.7703e-02, 6.0289e-05], dtype=torch.float64)
    """
    angles = positions.double()[..., None] * frequencies.double()
    return torch.remainder(angles + math.pi, 2 * math.pi).sub(math.pi).abs().amax(-1)


def records(frequencies: Tensor, up_to: int) -> Iterator[tuple[int, float]]:
    """Positions 1 … up_to that are nearer to position 0 than all before them, with their worst angle."""
    best = math.inf
    for start in range(1, up_to + 1, CHUNK):
        positions = torch.arange(start, min(start + CHUNK, up_to + 1))
        worst = worst_angle(positions, frequencies)
        least = torch.cummin(worst, 0).values
        fresh = torch.cat((worst[:1] < best, (worst[1:] < least[:-1]) & (worst[1:] < best)))
        for position, angle in zip(positions[fresh].tolist(), worst[fresh].tolist(), strict=True):
            best = angle
            yield position, angle


def independent(dim: int) -> int:
    """Dimension over ℚ of the frequencies 10000^(−2i/dim): N / gcd(N, 4), N = dim/2.

    Example:
        >>> [independent(d) for d in (8, 64, 128)]
        [1, 8, 16]
    """
    return dim // 2 // math.gcd(dim // 2, 4)


def near_returns(dims: Sequence[int] = (2, 8, 16, 32), up_to: int = 2_000_000) -> Plot:
    """The smallest worst angle so far, against the position, for several widths."""
    made, ax = figure(3.1)
    data = {}
    for number, dim in enumerate(dims):
        found = torch.tensor(list(records(inv_freq(dim), up_to)), dtype=DOUBLE)
        stairs = torch.cat((found, torch.tensor([[up_to, found[-1, 1]]], dtype=DOUBLE)))
        shape, seen = "osv^Dx"[number], range(len(found))
        label = f"d = {dim}, independent: {independent(dim)}"
        ax.step(*stairs.T, where="post", marker=shape, markevery=seen, markersize=4, label=label)
        data[f"d = {dim}"] = stairs.numpy()
    ax.set(xscale="log", yscale="log", xlabel="position m", ylabel="worst angle so far (rad)")
    name_lines(ax)
    return Plot(
        made,
        "Heads of width 2 and 8 come back; 16 and 32 do not, in two million positions",
        "Staircases going down: the smallest angle by which the worst plane misses its start, up to each "
        "position. For d = 2 and d = 8 they fall steeply, for d = 16 a little, for d = 32 they stay at 1.",
        data,
    )


def gear_mean(phase: Tensor) -> Tensor:
    """¼(cos φ + cos 10φ + cos 100φ + cos 1000φ), float64."""
    return torch.stack([torch.cos(gear * phase.double()) for gear in GEARS]).mean(0)


def gear_curve(lowest: float = 2.8557358, points: int = 1601) -> Plot:
    """The mean of four geared cosines over half a turn (as its lower and upper edge), and at its minimum."""
    made, (whole, near) = figure(2.6, 1, 2)
    edges = torch.linspace(0.0, math.pi, 301, dtype=DOUBLE)
    inside = edges[:-1, None] + torch.linspace(0, 1, 101, dtype=DOUBLE) * (edges[1] - edges[0])
    values = gear_mean(inside)
    middle, low, high = inside[:, 50], values.amin(-1), values.amax(-1)
    whole.fill_between(middle, low, high, color="C0", alpha=0.6, linewidth=0)
    whole.axhline(float(low.min()), color="C3", linestyle=":")
    whole.set(xlabel="phase φ (rad)", ylabel="mean of the four cosines")
    close = lowest + torch.linspace(-0.04, 0.04, points, dtype=DOUBLE)
    near.plot(close, gear_mean(close), color="C0", linestyle="-", linewidth=0.8)
    near.plot([lowest], gear_mean(torch.tensor([lowest], dtype=DOUBLE)), color="C3", marker="o")
    near.set(xlabel="φ near the minimum")
    return Plot(
        made,
        "Four geared hands never all point away: the mean of their cosines stays above −0.968",
        "Left, a band between the lowest and the highest values of the mean against the phase, from 0 to π; "
        "it starts at 1 and touches −0.968 near 2.86. Right, the oscillating curve around its minimum.",
        {"lower edge": low.numpy(), "upper edge": high.numpy(), "near the minimum": gear_mean(close).numpy()},
    )
