"""Pictures of context extension: what each rule does to each plane, YaRN's two ramps, interpolated scores."""

import math
from typing import Any

import torch
from torch import Tensor

from posenc_lib.angles.frequencies import inv_freq
from posenc_lib.rotary.scaling.rules import scale

from .style import COLOURS, LINES, Plot, figure, key

DOUBLE = torch.float64
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "interpolation": ("linear", {}),
    "NTK-aware": ("ntk", {}),
    "YaRN, code": ("yarn", {}),
    "YaRN, paper": ("yarn", {"ramp": "paper"}),
    "Llama 3.1": ("llama3", {"low_freq_factor": 1.0, "high_freq_factor": 4.0}),
}


def turns(frequencies: Tensor, length: int) -> Tensor:
    """Full turns of each plane over ``length`` positions, Lθ/2π.

    Example:
        >>> turns(torch.tensor([math.pi]), 8)
        tensor([4.])
    """
    return frequencies * (length / (2 * math.pi))


def one_turn(frequencies: Tensor, length: int) -> int:
    """Number of the first plane that does not finish one turn over ``length`` positions.

    Example:
        >>> one_turn(inv_freq(128), 4096)
        46
    """
    return int((turns(frequencies, length) >= 1).sum())


def multipliers(frequencies: Tensor, length: int, factor: float) -> dict[str, Tensor]:
    """New frequencies over old ones, plane by plane, for each rule that needs no search."""
    made = {}
    for name, (kind, rest) in RULES.items():
        known = {} if kind in ("linear", "ntk") else {"original_max_position_embeddings": length}
        made[name] = scale(kind, frequencies, params={"factor": factor, **known, **rest})[0] / frequencies
    return made


def kept(multiplier: Tensor, factor: float) -> Tensor:
    """The share γ of a plane that is kept, where its multiplier is γ + (1 − γ)/s.

    Example:
        >>> kept(torch.tensor([1.0, 0.625, 0.25]), 4.0)
        tensor([1.0000, 0.5000, 0.0000])
    """
    return (factor * multiplier - 1) / (factor - 1)


def ramp_in_turns(r: Tensor, fast: float = 32.0) -> Tensor:
    """The paper's ramp between 1 and ``fast`` turns: (r − 1)/(β − 1)."""
    return ((r - 1) / (fast - 1)).clamp(0.0, 1.0)


def ramp_in_logarithm(r: Tensor, fast: float = 32.0) -> Tensor:
    """The released code's ramp, before its ends are rounded to whole planes: ln r/ln β."""
    return (r.log() / math.log(fast)).clamp(0.0, 1.0)


def worst_error(t: Tensor, frequencies: Tensor) -> Tensor:
    r""":math:`\sum_i|e^{it\theta_i} - (1 - t) - t e^{i\theta_i}|`, the largest error of linear interpolation
    at t in [0, 1] for :math:`|h| \le 1`.

    Example:
        >>> worst_error(torch.tensor([0.0, 0.5]), torch.tensor([2.0]))
        tensor([0.0000, 0.4597], dtype=torch.float64)
    """
    t, angle = t.double()[..., None], frequencies.double()
    wave = torch.polar(torch.ones_like(t * angle), t * angle)
    end = torch.polar(torch.ones_like(angle), angle)
    return (wave - (1 - t) - t * end).abs().sum(-1)


def multiplier_curves(length: int = 4096, factor: float = 8.0, dim: int = 128) -> Plot:
    """The multipliers of all rules against the number of the plane."""
    frequencies = inv_freq(dim)
    data = multipliers(frequencies, length, factor)
    critical = one_turn(frequencies, length)
    fig, axis = figure(3.0)
    for (name, y), style, colour in zip(data.items(), LINES, COLOURS, strict=False):
        axis.plot(y, linestyle=style, color=colour, linewidth=1.6, label=name)
    axis.axvline(critical - 0.5, color=COLOURS[5], linewidth=1, linestyle="-")
    axis.annotate("less than\none turn", (critical + 0.3, 0.85))
    axis.set(yscale="log", xlabel="plane", ylabel="new frequency / old")
    levels = [1 / factor, 0.25, 0.5, 1.0]
    axis.set_yticks(levels, labels=[f"{level:.3g}" for level in levels])
    axis.minorticks_off()
    key(fig, 3)
    return Plot(
        fig,
        "Interpolation slows all planes alike; the other rules slow the fast ones less, or not at all",
        f"Line plot of the multiplier, from 1 down to 1/{factor:g}, against the plane, 0 to {dim // 2 - 1}. "
        f"Interpolation is constant at 1/{factor:g}. NTK-aware is a straight line that arrives there at the "
        f"last plane. The two YaRN ramps leave 1 near plane 20 and arrive at plane {critical}, the paper's "
        f"below the code's. Llama 3.1 leaves 1 near plane 36 and arrives at plane {critical}, where a "
        "vertical line marks the planes of less than one turn.",
        {name: y.numpy() for name, y in data.items()},
        live="frequency-ladder",
        state={"rule": "code", "factor": factor, "length": length, "base": 10000, "dim": dim},
    )


def ramps(length: int = 4096, fast: float = 32.0, factors: tuple[int, ...] = (4, 16, 64)) -> Plot:
    """The two ramps against the turns, and by which factor the two tables of frequencies differ."""
    r = torch.logspace(0, math.log10(fast), 41, dtype=DOUBLE)
    data = {"code": ramp_in_logarithm(r, fast), "paper": ramp_in_turns(r, fast)}
    peak = (fast - 1) / math.log(fast)
    fig, (left, right) = figure(3.0, 1, 2)
    for (name, y), style in zip(data.items(), LINES, strict=False):
        left.plot(r, y, linestyle=style, label=name)
    ends = [float(ramp(torch.tensor(peak), fast)) for ramp in (ramp_in_turns, ramp_in_logarithm)]
    left.plot(
        [peak, peak], ends, color=COLOURS[3], linestyle=":", marker="o", markersize=4, label="widest gap"
    )
    left.set(xscale="log", xlabel=f"turns in the first\n{length} positions", ylabel="share kept")
    left.set_xticks([1, 2, 4, 8, 16, 32], labels=["1", "2", "4", "8", "16", "32"])
    left.set_yticks([0.0, 0.5, 1.0])
    left.minorticks_off()
    key(left, 1)
    for factor, dashes, colour in zip(factors, LINES, COLOURS, strict=False):
        table = multipliers(inv_freq(128), length, float(factor))
        data[f"s = {factor}"] = table["YaRN, code"] / table["YaRN, paper"]
        right.plot(data[f"s = {factor}"], linestyle=dashes, color=colour, label=f"s = {factor}")
    right.set(xlabel="plane", ylabel="frequency, code / paper", ylim=(0.9, None))
    right.set(xticks=[0, 32, 63], yticks=[1, 3, 5])
    key(right, 1)
    return Plot(
        fig,
        "YaRN's paper and its code keep different shares; at s = 64 their frequencies differ up to fivefold",
        "Left, two curves from 0 at one turn to 1 at 32 turns, on a logarithmic axis: the code's is a "
        "straight line, the paper's sags below it, most of all near 9 turns. Right, the ratio of the two "
        "frequencies against the plane: 1 at both ends, a hair below 1 at plane 21, with a peak between "
        "planes 34 and 42 that grows with the factor s.",
        {name: y.numpy() for name, y in data.items()},
    )


def interpolation_error(dim: int = 128, base: float = 10000.0) -> Plot:
    """The largest error of linear interpolation inside one cell, the printed bound and the proved one."""
    frequencies = inv_freq(dim, base)
    t = torch.linspace(0.0, 1.0, 25, dtype=DOUBLE)
    data = {
        "proved bound": t * (1 - t) / 2 * frequencies.square().sum(),
        "largest error": worst_error(t, frequencies),
        "printed bound": t * (1 - t) * dim / (8 * math.log(base)),
    }
    fig, axis = figure()
    for (name, y), style, colour in zip(data.items(), ("--", "-", ":"), COLOURS, strict=False):
        axis.plot(t, y, linestyle=style, color=colour, label=name)
    axis.set(xlabel="place between two neighbouring distances", ylabel="error, largest |h| is 1")
    axis.set(xticks=[0.0, 0.5, 1.0], yticks=[0.0, 0.25, 0.5])
    key(fig, 3)
    return Plot(
        fig,
        "The largest error lies above the printed bound and just below the proved one",
        "Three arches over the interval from 0 to 1, all zero at its ends. In the middle the proved bound is "
        "0.4998, the largest error 0.4939 and the printed bound 0.4343.",
        {name: y.numpy() for name, y in data.items()},
    )
