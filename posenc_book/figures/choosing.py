"""The choice of an encoding as a tree: what you have, what you need, the call, and what is known about it."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import numpy as np

from .lists import nested
from .style import COLOURS, Plot, figure

PROVED, MEASURED, REPORTED = "proved", "measured here", "reported"
MARKS = {PROVED: ("o", COLOURS[0]), MEASURED: ("s", COLOURS[2]), REPORTED: ("^", COLOURS[3])}


class Leaf(NamedTuple):
    """What somebody needs, the call that makes it, and the class of evidence for it."""

    need: str
    call: str
    evidence: str


YARN = 'RotarySpec(head_dim, base=base, scaling="yarn", params=longer)'
TREE: dict[str, tuple[Leaf, ...]] = {
    "A checkpoint, as it is": (
        Leaf("texts as in training", "RotarySpec.from_hf_config(config)", MEASURED),
        Leaf("longer; near keys only", "attention(q, k, v, rope, mask=near)", MEASURED),
        Leaf("longer; find far content", YARN, MEASURED),
        Leaf("longer; some of both", YARN.replace("longer", "step"), MEASURED),
    ),
    "A checkpoint, and tokens to train on": (Leaf("longer texts", YARN, REPORTED),),
    "A model to train from scratch": (
        Leaf("a decoder of text", "RotarySpec(head_dim, base=safe_base)", PROVED),
        Leaf("… for far longer texts", "RelativeAttention(head_dim, clip=trained // 2)", MEASURED),
        Leaf("… layer by layer", "MultiHeadAttention(embed_dim, num_heads, encodings[layer])", MEASURED),
        Leaf("… to find far content", 'RotarySpec(head_dim, scaling="proportional", params=fast)', MEASURED),
        Leaf("attention in linear time", "linear_attention(q, k, v, cos, sin)", PROVED),
        Leaf("images, video", "axial_frequencies(head_dim, axes=2)", PROVED),
        Leaf("a short, fixed length", "LearnedEncoding(trained, embed_dim)", PROVED),
        Leaf("a set, without order", "MultiHeadAttention(embed_dim, num_heads)", PROVED),
    ),
}


def branches() -> str:
    """The tree as a list for each branch, in HTML."""
    return nested(
        {
            have: [
                f"{leaf.need}: <code>{escape(leaf.call)}</code>, <em>{leaf.evidence}</em>" for leaf in branch
            ]
            for have, branch in TREE.items()
        }
    )


def tree() -> Plot:
    """The tree, from what you have at the left to one call at the right, marked by its evidence."""
    leaves = [leaf for branch in TREE.values() for leaf in branch]
    fig, axis = figure(5.85, 0.5 + 0.26 * (len(leaves) + len(TREE)))
    axis.set_axis_off()
    row, places = 0, []
    for have, branch in TREE.items():
        axis.text(0.0, row, have, fontsize=9, weight="bold", va="center")
        axis.plot([0.02, 0.02], [row + 0.4, row + len(branch)], color="gray", linestyle="-", linewidth=1)
        for leaf in branch:
            row += 1
            marker, colour = MARKS[leaf.evidence]
            axis.plot([0.02, 0.045], [row, row], color="gray", linestyle="-", linewidth=1)
            axis.text(0.055, row, leaf.need, fontsize=8, va="center")
            axis.plot([0.35], [row], marker=marker, color=colour, linestyle="", markersize=6)
            axis.text(0.37, row, leaf.call, fontsize=7.5, va="center")
            places.append(row)
        row += 1
    for evidence, (marker, colour) in MARKS.items():
        axis.plot([], [], marker=marker, color=colour, linestyle="", markersize=6, label=evidence)
    axis.set_xlim(0, 1)
    axis.set_ylim(row - 0.4, -0.5)
    fig.legend(loc="outside lower center", ncols=len(MARKS), fontsize=8, frameon=False)
    told = "; ".join(
        f"{have}: " + ", ".join(f"{leaf.need}, {leaf.call}, {leaf.evidence}" for leaf in branch)
        for have, branch in TREE.items()
    )
    return Plot(
        fig,
        "What you have and what you need lead to one call",
        f"A tree with {len(TREE)} branches and {len(leaves)} leaves; each leaf is a need, a call, and the "
        f"class of evidence for it. {told}.",
        {"rows of the leaves": np.array(places)},
        narrow=branches(),
    )
