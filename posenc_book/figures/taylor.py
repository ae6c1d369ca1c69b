"""Two tokens of width 2 in a pooled attention head: its expansion, maps of its terms, and a swap."""

from typing import Any

import torch
from torch import Tensor

from posenc_lib.additive.functions import sinusoidal_of

from .order import read_out
from .style import COLOURS, DIVERGING, Plot, figure, key

DOUBLE = torch.float64
PARTS = ("f(x, y)", "order 1", "order 2, one token alone", "cross term", "order 3 and on")
HEAD: dict[str, Any] = {  # any other numbers would do
    "x": [1.0, -0.4],
    "y": [-0.6, 0.8],
    "theta": 0.4,
    "bilinear": [[1.2, 1.8], [-1.4, 0.9]],
    "direction": [1.0, 0.6],
}


def pooled(x: Tensor, y: Tensor, bilinear: Tensor, direction: Tensor) -> Tensor:
    """The pooled read-out of two tokens, f(x, y) = f(y, x): attention, mean over tokens, one direction.

    Example:
        >>> pooled(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]), torch.zeros(2, 2), torch.ones(2))
        tensor(1.)
    """
    return read_out(torch.stack((x, y)), bilinear, direction)


def orders(x: Tensor, y: Tensor, p: Tensor, q: Tensor, bilinear: Tensor, direction: Tensor) -> Tensor:
    r"""f(x + p, y + q) in five parts, which add up to it, float64 ``[5]``: f(x, y), order 1, the terms of
    order 2 in which one token is alone, the cross term :math:`p^\top\mathcal Hq`, and the rest.

    Example:
        >>> x, y = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
        >>> orders(x, y, x, y, torch.zeros(2, 2), torch.ones(2))
        tensor([1., 1., 0., 0., 0.], dtype=torch.float64)
    """
    x, y, p, q, bilinear, direction = (v.double() for v in (x, y, p, q, bilinear, direction))

    def moved(s: Tensor, t: Tensor) -> Tensor:
        return pooled(x + s * p, y + t * q, bilinear, direction)

    zero, one = torch.zeros((), dtype=DOUBLE), torch.ones((), dtype=DOUBLE)
    slopes = torch.func.jacrev(moved, (0, 1))
    first, second = slopes(zero, zero), torch.func.jacrev(slopes, (0, 1))(zero, zero)
    alone = (second[0][0] + second[1][1]) / 2
    parts = torch.stack((moved(zero, zero), first[0] + first[1], alone, second[0][1]))
    return torch.cat((parts, (moved(one, one) - parts.sum()).reshape(1)))


def swapped_orders(m: int, n: int, size: float, head: dict[str, Any] = HEAD) -> Tensor:
    """:func:`orders` with x at m and y at n, and with x at n and y at m: ``[2, 5]``."""
    x, y, theta, bilinear, direction = (torch.tensor(value, dtype=DOUBLE) for value in head.values())
    p = size * sinusoidal_of(theta.reshape(1), torch.tensor([m, n]), dtype=DOUBLE)
    return torch.stack([orders(x, y, a, b, bilinear, direction) for a, b in (p, p.flip(0))])


def position_maps(length: int = 12, theta: float = 0.6) -> Plot:
    """Two terms of first order, and the inner product of both positions, for all pairs of positions."""
    x, y, _, bilinear, direction = (torch.tensor(value, dtype=DOUBLE) for value in HEAD.values())
    s, t = torch.func.jacrev(pooled, (0, 1))(x, y, bilinear, direction)
    p = sinusoidal_of(torch.tensor([theta], dtype=DOUBLE), torch.arange(length), dtype=DOUBLE)
    maps = {"pₘ·s": (p @ s)[:, None].expand(-1, length), "pₙ·t": (p @ t).expand(length, -1), "pₘ·pₙ": p @ p.T}
    fig, axes = figure(1.9, 1, 3, sharey=True)
    for ax, (name, values) in zip(axes, maps.items(), strict=True):
        top = values.abs().max().item()
        ax.imshow(values.numpy(), cmap=DIVERGING, vmin=-top, vmax=top, interpolation="none")
        ax.set(title=name, xlabel="y at n", xticks=(0, length - 1), yticks=(0, length - 1))
    axes[0].set_ylabel("x at m")
    return Plot(
        fig,
        "Only a term with both positions can be striped along the diagonals, where the distance is the same",
        f"Three colour maps for {length} positions m and n. The term with m alone has horizontal stripes, "
        "that with n alone vertical ones, and the inner product of both has one colour along each diagonal.",
        {name: values.numpy() for name, values in maps.items()},
    )


def swapped_tokens(m: int = 2, n: int = 5, size: float = 0.5) -> Plot:
    """The parts of f with x at m and y at n, and with the two tokens exchanged."""
    parts = swapped_orders(m, n, size)
    change = parts[1] - parts[0]
    fig, axis = figure(3.0)
    places = torch.arange(len(PARTS))
    axis.barh(places - 0.2, parts[0], 0.36, color=COLOURS[0], label=f"x at {m}, y at {n}")
    axis.barh(places + 0.2, parts[1], 0.36, color=COLOURS[1], label=f"x at {n}, y at {m}")
    axis.axvline(0, color="gray", linestyle="-", linewidth=0.8)
    axis.set_yticks(places, PARTS)
    axis.invert_yaxis()
    axis.set_xlabel("part of f with positions")
    key(fig)
    told = ", ".join(f"{name} {value:+.3f}" for name, value in zip(PARTS, change.tolist(), strict=True))
    return Plot(
        fig,
        "In one plane, a swap changes the cross term by a number that depends on the distance alone",
        f"Two bars for each of five parts of a head's read-out, for token x at {m} and y at {n}, and for the "
        f"tokens exchanged, with positions of size {size:g}. The changes are: {told}.",
        {"parts": parts.numpy()},
        live="swap-tokens",
        state={"m": m, "n": n, "size": size, **HEAD},
    )
