"""Figures of part 3: Shaw's diagonals, rulers of distances, and what a relative bias adds to a score."""

import torch
from torch import Tensor

from posenc_lib import relative_positions
from posenc_lib.bias import FIRE, ALiBi, KerpleLog, KerplePower, Sandwich, T5Bias, t5_buckets

from .style import COLOURS, INK, SEQUENTIAL, Plot, figure, name_lines

FURTHEST, RULED = 256, 140


def staircase(num_buckets: int = 32, deepest: float = -6.0) -> T5Bias:
    """A causal T5 bias of one head whose numbers fall evenly from bucket to bucket; T5 learns them."""
    model = T5Bias(1, bidirectional=False, num_buckets=num_buckets).double()
    with torch.no_grad():
        model.weight.copy_(torch.linspace(0, deepest, num_buckets, dtype=torch.float64)[:, None])
    return model


def ramp(depth: float = 6.0, threshold: float = 64.0) -> FIRE:
    """FIRE of one head with the simplest network, f(x) = −depth · x; a model learns it."""
    model = FIRE(1, width=1, threshold=threshold).double()
    with torch.no_grad():
        for p, value in zip(
            (*model.hidden.parameters(), *model.out.parameters()), (1, 0, -depth, 0), strict=True
        ):
            p.fill_(value)
    return model


def bias_curves(furthest: int = FURTHEST) -> dict[str, Tensor]:
    """b(m, n) of one head at distances m − n = 0 … furthest, float64 ``[furthest + 1]`` each."""
    back = torch.arange(furthest + 1)
    sandwich = Sandwich(8).of_distance(-back, dtype=torch.float64)[-1]
    query = {m: torch.tensor([m]) for m in (furthest, 16 * furthest)}
    fire = {m: ramp().bias(q, m - back)[0, 0] for m, q in query.items()}
    curves = {
        "ALiBi, head 4 of 8": ALiBi(8).of_distance(-back, dtype=torch.float64)[3],
        "Sandwich, head 8 of 8, minus its value at 0": sandwich - sandwich[0],
        "T5, an even staircase": staircase().of_distance(-back)[0],
        "KERPLE log, as initialised": KerpleLog(1).double().of_distance(-back)[0],
        "KERPLE power, r₂ = ½": KerplePower(2).double().of_distance(-back)[0],
        **{f"FIRE, f(x) = −6x, m = {m}": curve for m, curve in fire.items()},
    }
    return {name: curve.detach() for name, curve in curves.items()}


def bias_against_distance() -> Plot:
    """Biases with nothing to learn above, learned forms with example parameters below."""
    curves = bias_curves()
    fig, axes = figure(5.4, 2, 1, sharex=True)
    for name, curve in curves.items():
        fixed = name.startswith(("ALiBi", "Sandwich"))
        axes[0 if fixed else 1].plot(curve.numpy(), label=name)
    for ax, title in zip(axes, ("bias, nothing learned", "bias, example parameters"), strict=True):
        ax.set_ylabel(title)
        ax.grid(True)
        name_lines(ax)
    axes[1].set_xlabel("distance m − n")
    return Plot(
        fig,
        "Every curve drawn here lowers the score of a far key; only ALiBi does so at a constant rate",
        "Two panels of bias against distance from 0 to 256. Above: ALiBi is a straight line down to minus "
        "16; Sandwich drops quickly and then ripples slowly downwards. Below: T5 is a staircase that stops "
        "at a last step, the two KERPLE curves fall and flatten, and FIRE is drawn for two query positions, "
        "with a different curve for each.",
        {name: curve.numpy() for name, curve in curves.items()},
    )


def diagonals(length: int = 6, clip: int = 2) -> Plot:
    """The distances of a few tokens, and the rows of a clipped table that they look up, entry by entry."""
    distance = relative_positions(length, length)
    row = relative_positions(length, length, clip=clip) + clip
    fig, axes = figure(2.5, 1, 2, sharex=True, sharey=True)
    for ax, title, matrix in zip(axes, ("distance n − m", "row of the table"), (distance, row), strict=True):
        ax.pcolormesh(matrix.double().numpy(), cmap=SEQUENTIAL, alpha=0.35)  # ink stays legible on it
        for m, entries in enumerate(matrix.tolist()):
            for n, entry in enumerate(entries):
                ax.text(n + 0.5, m + 0.5, f"{entry}".replace("-", "−"), ha="center", va="center")
        ax.set_title(title)
        ax.set_xticks([n + 0.5 for n in range(length)], range(length))
        ax.set_yticks([m + 0.5 for m in range(length)], range(length))
        ax.set_ylim(length, 0)
        ax.set_aspect("equal")
        ax.set_xlabel("key n")
    axes[0].set_ylabel("query m")
    return Plot(
        fig,
        f"One vector for each diagonal; beyond distance {clip} all diagonals share the first or the last",
        f"Two matrices of {length} queries by {length} keys with a number in each cell. Left: the distance, "
        f"the same along each diagonal, from {1 - length} to {length - 1}. Right: the row of the table, from "
        f"0 to {2 * clip}; {2 * clip - 1} diagonals around the middle have a row of their own, and the two "
        "corners are filled with the first row and the last.",
        {"distance": distance.numpy(), "row": row.numpy()},
    )


def rulers(furthest: int = RULED) -> Plot:
    """Where Shaw's clipped table and T5's buckets begin a new mark, for keys before the query."""
    back = -torch.arange(furthest + 1)
    marked = {
        "Shaw, clip 16": back.clamp_min(-16),
        "T5, both directions": t5_buckets(back),
        "T5, causal": t5_buckets(back, bidirectional=False),
    }
    starts = {name: (mark.diff().nonzero().flatten() + 1).tolist() for name, mark in marked.items()}
    fig, ax = figure(2.3)
    for height, (name, found) in enumerate(starts.items()):
        for start, end in zip((0, *found), (*found, furthest), strict=True):
            last = end == furthest
            colour, hatch = (COLOURS[1], "//") if last else (COLOURS[0], None)
            box = [(start, end - start)], (-height - 0.3, 0.6)
            ax.broken_barh(*box, facecolor=colour, edgecolor=INK, linewidth=0.5, alpha=0.55, hatch=hatch)
        shared = f"from {found[-1]} on: one mark for all"
        ax.text(furthest, -height - 0.45, shared, ha="right", va="top")
        ax.text(0, -height - 0.45, name, ha="left", va="top", weight="bold")
    ax.set_xlim(0, furthest)
    ax.set_ylim(-2.9, 0.4)
    ax.set_yticks([])
    ax.set_xlabel("distance from the query back to the key")
    ax.spines["left"].set_visible(False)
    return Plot(
        fig,
        "A table is a ruler of distances: Shaw's marks are even and stop, T5's get wider, and stop as well",
        "Three horizontal rulers from distance 0 to 140. Shaw's table with clip 16 has a mark for each "
        "distance up to 15 and one for all from 16 on. T5's buckets for both directions have marks of "
        "width 1 up to 7, then wider and wider ones, and one from 91 on; its causal buckets have marks of "
        "width 1 up to 15, then wider ones, and one from 113 on.",
        {name: torch.tensor(found).numpy() for name, found in starts.items()},
    )
