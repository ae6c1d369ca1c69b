"""Figures on other choices of the frequencies: short range, long range, flat pieces, sums that return."""

import math
from collections.abc import Callable

import torch
from flint import acb
from torch import Tensor

from posenc_lib import sample_inv_freq
from posenc_lib.analysis import decay_integral, decay_kernel

from .style import COLOURS, LINES, Plot, figure, name_lines


def linear(x: Tensor) -> Tensor:
    """∫ cos(xt) dt over [0, 1] = sin(x)/x."""
    return torch.sinc(x / math.pi)


def root(x: Tensor) -> Tensor:
    """∫ cos(x√t) dt = 2 (x sin x + cos x − 1)/x², written without cancellation."""
    half = torch.sinc(x / (2 * math.pi))
    return 2 * torch.sinc(x / math.pi) - half.square()


def square(x: Tensor) -> Tensor:
    """∫ cos(xt²) dt: the real part of √π erf(z)/(2z), z² = −ix; a Fresnel integral."""
    values = []
    for point in x.flatten().tolist():
        z = acb(0, -point).sqrt()
        values.append(float((acb.pi().sqrt() * z.erf() / (2 * z)).real) if point else 1.0)
    return torch.tensor(values, dtype=torch.float64).reshape(x.shape)


# name → (θ on [0, 1], the real part of its integral)
CHOICES: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "√t": (torch.sqrt, root),
    "t": (lambda t: t, linear),
    "t²": (torch.square, square),
    "1000⁻ᵗ": (lambda t: 1000.0**-t, lambda x: decay_integral(x, 1000.0)),
    "10000⁻ᵗ": (lambda t: 10000.0**-t, decay_integral),
}


def _curves(x: Tensor) -> dict[str, Tensor]:
    return {name: closed(x) for name, (_, closed) in CHOICES.items()}


def short_range(last: int = 30) -> Plot:
    """The integrals of all choices from 0 to a few tens."""
    x = torch.linspace(0, last, 301, dtype=torch.float64)
    fig, axis = figure()
    for (name, y), style, colour in zip(_curves(x).items(), LINES, COLOURS, strict=False):
        axis.plot(x, y, linestyle=style, color=colour, linewidth=1.4, label=f"θ = {name}")
    axis.axhline(0, color="gray", linewidth=0.8)
    axis.set(xlabel="distance", ylabel="integral")
    name_lines(axis)
    return Plot(
        fig,
        "Short range: powers drop within a few positions, exponentials take their time",
        f"Line plot of five integrals against distance 0 to {last}. The three powers fall below 0.4 within "
        "the first five positions; the square root and t then swing around zero, t squared stays above "
        "zero. The exponentials fall slowly, to about 0.42 for base 1000 and 0.56 for base 10000.",
        {name: y.numpy() for name, y in _curves(x).items()},
    )


def long_range(last: int = 7) -> Plot:
    """Root mean square of each integral over [X, 2X], to X = 10^last, on two logarithmic axes."""
    starts = torch.logspace(0, last, 4 * last + 1, dtype=torch.float64)
    data = levels(starts)
    fig, axis = figure(3.2)
    for (name, y), style, colour in zip(data.items(), LINES, COLOURS, strict=False):
        axis.plot(starts, y, linestyle=style, color=colour, linewidth=1.4, label=f"θ = {name}")
    axis.set(xscale="log", yscale="log", xlabel="distance X", ylabel="typical size in X … 2X")
    name_lines(axis)
    return Plot(
        fig,
        "Long range: the exponentials are the largest until far beyond their base",
        f"Line plot of the typical size of five integrals against distance 1 to 10^{last}, both axes "
        "logarithmic. The square root and t fall on straight lines of slope −1, t squared on one of slope "
        "−½. The exponentials lie above them all until about their base, then turn to slope −1; base 1000 "
        "meets t squared near twenty thousand, base 10000 just beyond a million; neither reaches t or the "
        "square root.",
        {name: y.numpy() for name, y in data.items()},
    )


def levels(starts: Tensor, points: int = 240) -> dict[str, Tensor]:
    """Root mean square of each integral at ``points`` points, equal ratios apart, of [X, 2X]."""
    x = starts.unsqueeze(-1) * 2 ** ((torch.arange(points, dtype=torch.float64) + 0.5) / points)
    return {name: y.square().mean(-1).sqrt() for name, y in _curves(x).items()}


def cantor_frequencies(level: int = 10) -> Tensor:
    """Half of the planes spread evenly over [0, 1], half on the left ends of the Cantor set's intervals."""
    digits = torch.cartesian_prod(*[torch.tensor([0.0, 2.0], dtype=torch.float64)] * level)
    powers = 3.0 ** -torch.arange(1, level + 1, dtype=torch.float64)
    even = sample_inv_freq(lambda t: t, 2 ** (level + 1))
    return torch.cat((digits @ powers, even)).sort().values


def returning_sums(dim: int = 128, last: int = 900) -> Plot:
    """Kernels of width ``dim`` for θ = t and θ = 10000⁻ᵗ: the first comes back."""
    x = torch.arange(last + 1)
    data = {name: decay_kernel(x, sample_inv_freq(CHOICES[name][0], dim)) for name in ("t", "10000⁻ᵗ")}
    fig, axis = figure()
    for (name, y), style, colour in zip(data.items(), ("-", "--"), (COLOURS[1], COLOURS[0]), strict=True):
        axis.plot(x, y, linestyle=style, color=colour, linewidth=1.2, label=f"θ = {name}")
    axis.set(xlabel="distance", ylabel="kernel (sum)", ylim=(-0.3, 1.3))
    name_lines(axis)
    return Plot(
        fig,
        f"With {dim // 2} planes, evenly spaced frequencies return every {math.pi * dim:.0f} positions",
        f"Line plot of two kernels of width {dim} against distance 0 to {last}. For θ = t the kernel drops "
        f"to zero at once, and has full peaks of height 1 again near {math.pi * dim:.0f} and "
        f"{2 * math.pi * dim:.0f}. For θ = 10000⁻ᵗ it falls slowly and irregularly to about 0.2.",
        {name: y.numpy() for name, y in data.items()},
    )
