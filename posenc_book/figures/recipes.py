"""What a serving engine does with a text, as the positions that its tokens are given."""

import numpy as np
import torch

from posenc_lib import (
    positions_context_parallel,
    positions_from_cu_seqlens,
    positions_from_mask,
    positions_grid,
)

from .style import COLOURS, Plot, figure


def rows() -> dict[str, list[str]]:
    """What is done: under each of eight slots the position of its token, "" where no token stands.

    Example:
        >>> rows()["left padding"]
        ['', '', '0', '1', '2', '3', '4', '5']
    """
    real = torch.tensor([[0, 0, 1, 1, 1, 1, 1, 1]])
    padded = positions_from_mask(real)[0]
    packed = positions_from_cu_seqlens(torch.tensor([0, 5, 8]))
    halves = [positions_context_parallel(8, rank, 2, scheme="zigzag") for rank in range(2)]
    patches = positions_grid(2, 4)
    return {
        "left padding": [str(int(p)) if seen else "" for p, seen in zip(padded, real[0], strict=True)],
        "two texts in one row": [str(int(p)) for p in packed],
        "two processes, zigzag": [str(int(p)) for p in torch.cat(halves)],
        "2, 3 and 4 dropped": ["0", "1", "", "", "", "5", "6", "7"],
        "… and closed up": ["0", "1", "", "", "", "2", "3", "4"],
        "an image of 2 × 4": [f"{y}, {x}" for y, x in patches.T.tolist()],
    }


def positions() -> Plot:
    """A row of slots for each thing that is done, each token's position written in its slot."""
    slots = rows()
    fig, axis = figure(0.36 * len(slots) + 0.2)
    axis.set_axis_off()
    for row, (name, cells) in enumerate(slots.items()):
        axis.text(-0.8, row, name, ha="right", va="center")
        for slot, cell in enumerate(cells):
            shade = 0.35 if cell else 0.06
            axis.plot([slot], [row], "s", markersize=17, color=COLOURS[row % len(COLOURS)], alpha=shade)
            axis.text(slot, row, cell, ha="center", va="center")
    axis.set_xlim(-4.6, 7.6)
    axis.set_ylim(len(slots) - 0.4, -0.6)
    told = "; ".join(
        f"{name}: " + ", ".join(cell or "none" for cell in cells) for name, cells in slots.items()
    )
    return Plot(
        fig,
        "Most recipes are a choice of positions",
        f"{len(slots)} rows of eight slots, the position of each slot's token written in it. {told}.",
        {
            name: np.array([float(cell.split(", ")[-1] or -1) for cell in cells])
            for name, cells in slots.items()
        },
    )
