"""Figures on the decay integral: near, on a logarithmic scale, and where the sum leaves it."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lib import midpoint_inv_freq
from posenc_lib.analysis import decay_integral, decay_kernel
from posenc_lib.angles.frequencies import inv_freq

from .style import COLOURS, Plot, figure, key, name_lines

EULER_GAMMA = 0.5772156649015329


def horizon(dim: int = 128, base: float = 10000.0) -> float:
    """x* = πd / ln b: beyond it the ladder samples the wave too coarsely."""
    return math.pi * dim / math.log(base)


def log_law(x: Tensor, base: float = 10000.0) -> Tensor:
    """1 − (γ + ln x) / ln b."""
    return 1 - (EULER_GAMMA + x.log()) / math.log(base)


def boundary_term(x: Tensor, dim: int = 128, base: float = 10000.0) -> Tensor:
    """(cos x − cos(x/b)) / d, half of the first term minus half of the one after the last."""
    return (x.cos() - (x / base).cos()) / dim


def noise(x: Tensor, dim: int = 128, base: float = 10000.0) -> Tensor:
    """√((ln(x/x*) + γ)/(d ln b)) beyond the horizon x*: the root mean square of sum minus integral."""
    return (((x / horizon(dim, base)).log() + EULER_GAMMA) / (dim * math.log(base))).sqrt()


def meeting(dim: int = 128, base: float = 10000.0) -> float:
    """x₁ between the horizon and the base: there the integral, which falls, meets the noise, which grows."""
    low, high = horizon(dim, base), base
    while high - low > 1e-9 * high:
        x = torch.tensor((low + high) / 2, dtype=torch.float64)
        if decay_integral(x, base) > noise(x, dim, base):
            low = x.item()
        else:
            high = x.item()
    return low


def near(dim: int = 128, last: int = 128) -> Plot:
    """The figure of Su's article: the integral from −128 to 128, and the sum at the integers."""
    x, at = torch.linspace(-last, last, 2 * last + 1, dtype=torch.float64), torch.arange(-last, last + 1)
    curve, points = decay_integral(x), decay_kernel(at, inv_freq(dim))
    fig, axis = figure()
    axis.plot(x, curve, color=COLOURS[0], linestyle="-", label="integral")
    axis.plot(at, points, color=COLOURS[3], linestyle="none", marker=".", markersize=2.5, label="sum")
    axis.set_ylim(0, 1.05)
    axis.set_xlabel("distance")
    axis.set_ylabel("kernel")
    name_lines(axis, {"integral": (-76, 14), "sum": (101, -27)})
    return Plot(
        fig,
        f"A sharp peak, then a slow slope: at distance {last} the integral is still {curve[-1]:.3f}",
        f"Line plot of the integral against distance −{last} to {last}: a narrow peak of height 1 at 0, "
        f"and long shoulders that reach {curve[-1]:.2f} at the ends. Dots for the sum with width {dim} lie "
        "on the curve near the middle and scatter around it towards the ends.",
        {"integral": curve.numpy(), "sum": points.numpy()},
        live="walk-of-arrows",
        state={"x": last, "dim": dim, "base": 10000, "beside": "integral"},
    )


def logarithmic(dim: int = 128) -> Plot:
    """Integral, law and sum on a logarithmic distance axis, to 100 000."""
    x = torch.logspace(0, 5, 400, dtype=torch.float64)
    at = torch.unique(torch.logspace(0, 5, 300, dtype=torch.float64).round().long())
    curve, law, points = decay_integral(x), log_law(x), decay_kernel(at, inv_freq(dim))
    fig, axis = figure(3.0)
    axis.plot(at, points, color=COLOURS[5], linestyle="none", marker=".", markersize=3, label="sum")
    axis.plot(x, curve, color=COLOURS[0], linestyle="-", label="integral")
    axis.plot(x, law, color=COLOURS[3], linestyle="--", label="law of the logarithm")
    axis.axvline(horizon(dim), color=COLOURS[2], linestyle=":", label="horizon x*")
    axis.set_xscale("log")
    axis.set_ylim(-0.4, 1.05)
    axis.set_xlabel("distance")
    axis.set_ylabel("kernel")
    name_lines(axis, {"sum": (5000, 28)})
    return Plot(
        fig,
        "On a logarithmic scale the integral is nearly a straight line down to zero",
        "Line plot against distance 1 to 100000 on a logarithmic axis. From about 10 to a few thousand the "
        "integral and the law of the logarithm coincide as a straight falling line; then the integral bends "
        "and stays near zero, while the law goes on falling. Dots for the sum follow the line until about "
        f"{horizon(dim):.0f}, then scatter around it, ever more widely.",
        {"integral": curve.numpy(), "law": law.numpy(), "sum": points.numpy()},
    )


def differences(x: Tensor, dim: int = 128) -> dict[str, Tensor]:
    """Kernel minus integral, for the usual ladder, without its boundary term, and for the midpoint ladder."""
    integral, usual = decay_integral(x), decay_kernel(x, inv_freq(dim))
    return {
        "usual ladder": usual - integral,
        "without boundary term": usual - integral - boundary_term(x, dim),
        "midpoint ladder": decay_kernel(x, midpoint_inv_freq(dim)) - integral,
    }


def before_the_horizon(dim: int = 128) -> Plot:
    """Kernel minus integral up to the horizon: a ripple, that the midpoint ladder does not have."""
    x = torch.linspace(0, round(horizon(dim)), 353, dtype=torch.float64)
    data = differences(x, dim)
    fig, axis = figure()
    for (name, y), style, colour in zip(data.items(), ("-", "--", ":"), COLOURS, strict=False):
        axis.plot(x, y, linestyle=style, color=colour, linewidth=1.2, label=name)
    axis.set_xlabel("distance")
    axis.set_ylabel("sum − integral")
    key(fig)
    return Plot(
        fig,
        "Before the horizon the sum differs from the integral by a ripple from its two ends",
        f"Line plot of sum minus integral against distance 0 to {round(horizon(dim))}, width {dim}. The "
        "usual ladder oscillates from the start, between about 0 and −0.016. Without the boundary term, "
        "and for the midpoint ladder, the oscillation is absent at first. All three swing more and more "
        "towards the right end, to about 0.02 and −0.03.",
        {name: y.numpy() for name, y in data.items()},
    )


def beyond_the_horizon(ghosts: Callable[[Tensor], Tensor], dim: int = 128, last: int = 300) -> Plot:
    """Kernel minus integral beyond the horizon, and what ``ghosts(x)`` predicts for it."""
    x = torch.arange(0, last + 1, dtype=torch.float64)
    measured, predicted = differences(x, dim)["without boundary term"], ghosts(x)
    fig, axis = figure()
    axis.plot(
        x, measured, color=COLOURS[0], linestyle="-", linewidth=1.2, label="sum − integral − boundary term"
    )
    axis.plot(x, predicted, color=COLOURS[3], linestyle=":", linewidth=1.8, label="ghosts, predicted")
    axis.axvline(horizon(dim), color=COLOURS[2], linestyle="--", linewidth=1, label="horizon x*")
    axis.set_ylim(-0.19, 0.24)
    axis.set_xlabel("distance")
    axis.set_ylabel("difference")
    key(fig)
    return Plot(
        fig,
        "Beyond the horizon the sum has echoes of its own, and they can be predicted",
        f"Line plot of sum minus integral against distance 0 to {last}, width {dim}. Up to "
        f"{horizon(dim):.0f} the difference is near zero; from there it swings between about −0.1 and 0.1 "
        "and does not die away. A dotted curve, the predicted ghosts, lies on it except at the horizon "
        "itself.",
        {"measured": measured.numpy(), "predicted": predicted.numpy()},
    )


def signal_and_noise(dim: int = 128, base: float = 10000.0, last: int = 50_000) -> Plot:
    """Sum, its mean over windows from x/1.1 to 1.1 x, and the integral with the noise around it."""
    kernel = decay_kernel(torch.arange(round(1.1 * last) + 1), inv_freq(dim, base=base))
    total = torch.cat((kernel.new_zeros(1), kernel.cumsum(0)))
    at = torch.logspace(1, math.log10(last), 90, dtype=torch.float64).round().unique()
    ends = (at * 1.1).floor().long() + 1, (at / 1.1).ceil().long()
    means = (total[ends[0]] - total[ends[1]]) / (ends[0] - ends[1])
    integral, start, crossing = decay_integral(at, base), horizon(dim, base), meeting(dim, base)
    band = torch.where(at > start, noise(at.clamp_min(start), dim, base), 0.0)
    fig, axis = figure(3.0)
    axis.fill_between(at, integral - band, integral + band, color=COLOURS[1], alpha=0.3, label="± noise")
    axis.plot(at, kernel[at.long()], color=COLOURS[5], ls="none", marker=".", ms=3, label="sum")
    axis.plot(at, means, color=COLOURS[3], linestyle="none", marker="x", markersize=4, label="its local mean")
    axis.plot(at, integral, color=COLOURS[0], linestyle="-", linewidth=1.2, label="integral")
    for place, name, style in ((start, "x*", ":"), (crossing, "x₁", "--")):
        axis.axvline(place, color=COLOURS[2], linestyle=style, linewidth=1, label=name)
    axis.set_xscale("log")
    axis.set_ylim(-0.35, 0.8)
    axis.set_xlabel("distance")
    axis.set_ylabel("kernel")
    key(fig, 3)
    return Plot(
        fig,
        f"Beyond x* = {start:.1f} the sum scatters around the integral",
        f"Line plot against distance 10 to {last} on a logarithmic axis, width {dim}. The integral falls as "
        "a straight line and levels off at zero. A band around it opens at x* and grows slowly. Crosses, the "
        "means of the sum over windows from x/1.1 to 1.1 x, lie on the integral all the way. Dots, the sum "
        f"itself, scatter as widely as the band. At x₁ = {crossing:.0f} the band's lower edge reaches zero.",
        {
            "sum": kernel[at.long()].numpy(),
            "means": means.numpy(),
            "integral": integral.numpy(),
            "noise": band.numpy(),
        },
        live="clock-faces",
        state={"m": round(start), "dim": dim, "base": base, "shown": 5, "view": "film"},
    )
