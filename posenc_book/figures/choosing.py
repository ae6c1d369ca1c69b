"""The choice of an encoding as a tree: what you have, what you need, the call, and what is known about it."""

from typing import Any, NamedTuple

import numpy as np

from .style import COLOURS, INK, Plot, figure, key

PROVED, MEASURED, REPORTED, TINY = "proved", "measured here", "reported", "tiny models only"
CRITERION = "a criterion, not a measurement"
_LOOKS = zip("os^Ds", (COLOURS[k] for k in (0, 2, 3, 4, 2)), strict=True)
MARKS = dict(zip((PROVED, MEASURED, REPORTED, CRITERION, TINY), _LOOKS, strict=True))


class Leaf(NamedTuple):
    """What somebody needs, what to take, the call that makes it, and the class of evidence for it."""

    need: str
    take: str
    call: str
    evidence: str


CONFIG = "RotaryEmbedding(RotarySpec.from_hf_config(config), angle_dtype=torch.float32)"
YARN = 'RotaryEmbedding(head_dim, base=base, scaling="yarn", params=longer)'
LAYERS = "MultiHeadAttention(embed_dim, num_heads, (rope, None)[layer % 2])"
LAST = "torch.cat((tokens[:, :system], tokens[:, system + answer - trained:]), 1)"
FAST = 'RotaryEmbedding(head_dim, scaling="proportional", params=fast)'
TREE: dict[str, tuple[Leaf, ...]] = {
    "A checkpoint": (
        Leaf("texts as in training", "its own encoding", CONFIG, MEASURED),
        Leaf("longer; near keys only", "its last tokens", LAST, PROVED),
        Leaf("longer; find far content", "YaRN", YARN, REPORTED),
        Leaf("longer; short training", "YaRN", YARN, REPORTED),
        Leaf("longer; long training", "a larger base", "RotaryEmbedding(head_dim, base=1_000_000)", REPORTED),
    ),
    "A model to train from scratch": (
        Leaf("a decoder of text", "rotary, a released base", "RotaryEmbedding(128, base=500_000)", CRITERION),
        Leaf("far longer texts", "rotary in a window, then none", LAYERS, REPORTED),
        Leaf("attention in linear time", "rotary", "linear_attention(q, k, v, cos, sin)", PROVED),
        Leaf("images, video", "rotary, axis by axis", "axial_frequencies(head_dim, axes=2)", PROVED),
        Leaf("a short, fixed length", "a learned table", "LearnedEncoding(trained, embed_dim)", PROVED),
        Leaf("a set, without order", "no encoding", "MultiHeadAttention(embed_dim, num_heads)", PROVED),
    ),
    "Experiments, from scratch": (
        Leaf("far longer texts", "Shaw, clipped", "RelativeAttention(head_dim, clip=trained // 2)", TINY),
        Leaf("to find far content", "rotary, fast pairs only", FAST, TINY),
    ),
}


def _mark(axis: Any, x: list[float], y: list[float], evidence: str, **named: str) -> None:
    """The mark of a class of evidence at (x, y), hollow for tiny models; a ``label`` names it in the key."""
    marker, colour = MARKS[evidence]
    axis.plot(
        x, y, marker, color=colour, fillstyle="none" if evidence == TINY else "full", markersize=6, **named
    )


def tree() -> Plot:
    """The tree: under what you have what you need, and what to take for it, marked by its evidence."""
    fig, axis = figure(4.9)
    axis.set_axis_off()
    line, places = 0.0, []
    for have, branch in TREE.items():
        axis.text(0.0, line, have, weight="bold", va="center")
        for leaf in branch:
            root, line = line + 0.45 * (leaf is branch[0]), line + 1.1
            axis.plot([0.02, 0.02, 0.06], [root, line, line], "-", color=INK, linewidth=0.7, label="_aside")
            _mark(axis, [0.085], [line], leaf.evidence)
            axis.text(0.115, line, f"{leaf.need}: {leaf.take}", va="center")
            places.append(line)
        line += 1.5
    for evidence in MARKS:
        _mark(axis, [], [], evidence, label=evidence.split(",")[0])
    axis.set(xlim=(0, 1), ylim=(line - 0.8, -0.6))
    key(fig, 2)
    told = "; ".join(
        f"{have}: " + ", ".join(f"{leaf.need}: {leaf.take}, {leaf.evidence}" for leaf in branch)
        for have, branch in TREE.items()
    )
    return Plot(
        fig,
        "What you have and what you need lead to one row of the table",
        f"A tree with {len(TREE)} branches and {len(places)} leaves: a need, what to take, the class "
        f"of evidence. {told}.",
        {"rows of the leaves": np.array(places)},
    )
