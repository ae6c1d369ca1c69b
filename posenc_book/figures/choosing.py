"""The choice of an encoding as a tree: what you have, what you need, the call, and what is known about it."""

from textwrap import wrap
from typing import NamedTuple

import numpy as np

from .style import COLOURS, Plot, figure, key

PROVED, MEASURED, REPORTED = "proved", "measured here", "reported"
MARKS = {PROVED: ("o", COLOURS[0]), MEASURED: ("s", COLOURS[2]), REPORTED: ("^", COLOURS[3])}


class Leaf(NamedTuple):
    """What somebody needs, the call that makes it, and the class of evidence for it."""

    need: str
    call: str
    evidence: str


YARN = 'RotaryEmbedding(head_dim, base=base, scaling="yarn", params=longer)'
LAYERS = "MultiHeadAttention(embed_dim, num_heads, (rope, None)[layer % 2])"
FAST = 'RotaryEmbedding(head_dim, scaling="proportional", params=fast)'
TREE: dict[str, tuple[Leaf, ...]] = {
    "A checkpoint, as it is": (
        Leaf("texts as in training", "RotaryEmbedding(RotarySpec.from_hf_config(config))", MEASURED),
        Leaf("longer; near keys only", "attention(q, k, v, rope, mask=near(length, window))", MEASURED),
        Leaf("longer; find far content", YARN, MEASURED),
        Leaf("longer; some of both", YARN.replace("longer", "step"), MEASURED),
    ),
    "A checkpoint, and tokens to train on": (Leaf("longer texts", YARN, REPORTED),),
    "A model to train from scratch": (
        Leaf("a decoder of text", "RotaryEmbedding(head_dim, base=394_328)", PROVED),
        Leaf("… for far longer texts", "RelativeAttention(head_dim, clip=trained // 2)", MEASURED),
        Leaf("… layer by layer", LAYERS, MEASURED),
        Leaf("… to find far content", FAST, MEASURED),
        Leaf("attention in linear time", "linear_attention(q, k, v, cos, sin)", PROVED),
        Leaf("images, video", "axial_frequencies(head_dim, axes=2)", PROVED),
        Leaf("a short, fixed length", "LearnedEncoding(trained, embed_dim)", PROVED),
        Leaf("a set, without order", "MultiHeadAttention(embed_dim, num_heads)", PROVED),
    ),
}


def tree() -> Plot:
    """The tree: under what you have what you need, and the call for it, marked by its evidence."""
    leaves = [leaf for branch in TREE.values() for leaf in branch]
    fig, axis = figure(6.0)
    axis.set_axis_off()
    row, line, places = 0, 0.0, []
    for have, branch in TREE.items():
        axis.text(0.0, line, have, weight="bold", va="center")
        line += 1.25
        for leaf in branch:
            row += 1
            marker, colour = MARKS[leaf.evidence]
            axis.plot([0.02], [line], marker=marker, color=colour, linestyle="", markersize=6)
            axis.text(0.055, line, leaf.need, style="italic", va="center")
            for part in wrap(leaf.call, 50):
                line += 1
                axis.text(0.055, line, part, va="center")
            line += 1.35
            places.append(row)
        row += 1
    for evidence, (marker, colour) in MARKS.items():
        axis.plot([], [], marker=marker, color=colour, linestyle="", markersize=6, label=evidence)
    axis.set_xlim(0, 1)
    axis.set_ylim(line - 0.6, -0.6)
    key(fig, len(MARKS))
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
    )
