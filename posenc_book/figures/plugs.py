"""Which step between frequencies and scores a slot of another project, or a paper, replaces."""

from __future__ import annotations

import numpy as np

from .lists import nested
from .style import COLOURS, Plot, figure

#: The way from a config to the softmax, step by step.
STEPS = ("frequencies", "angles", "tables", "q and k", "scores")
SLOTS = {
    "transformers: ROPE_INIT_FUNCTIONS": "frequencies",
    "kernels: rotary_pos_emb": "q and k",
    "Liger: rope": "q and k",
    "torchtitan: apply_rotary_emb": "q and k",
    "transformers: AttentionInterface": "scores",
}
ENCODINGS = {
    "p-RoPE, RoPE-ID": "frequencies",
    "Selective RoPE": "angles",
    "FoPE, xPos": "tables",
    "PoPE, STRING, log n": "q and k",
    "2-D ALiBi, FoX, CoPE": "scores",
}
#: What is not a change of one step.
OTHERS = ("dual chunk, Self-Extend", "LieRE, PaTH", "DAPE")


def replaced() -> str:
    """A list for each step: its slots, and the encodings of papers that change it, in HTML."""
    groups = {
        step: [
            *(f"<code>{name}</code>, a slot" for name, at in SLOTS.items() if at == step),
            *(name for name, at in ENCODINGS.items() if at == step),
        ]
        for step in STEPS
    }
    return nested(groups | {"no one step": OTHERS})


def steps() -> Plot:
    """A row for each slot and encoding, marked at the step that it replaces."""
    rows = [*SLOTS, *ENCODINGS, *OTHERS]
    fig, axis = figure(6.0, 0.25 * len(rows) + 0.5)
    for kind, (marker, colour, label) in zip(
        (SLOTS, ENCODINGS),
        (("s", COLOURS[0], "a slot"), ("o", COLOURS[3], "an encoding of a paper")),
        strict=True,
    ):
        places = [(STEPS.index(step), rows.index(name)) for name, step in kind.items()]
        axis.plot(*zip(*places, strict=True), marker, color=colour, markersize=8, label=label)
    for name in OTHERS:
        axis.text(2, rows.index(name), "no one step", ha="center", va="center", fontsize=8.5, style="italic")
    axis.set_xticks(range(len(STEPS)), STEPS, fontsize=9)
    axis.xaxis.tick_top()
    axis.set_yticks(range(len(rows)), rows, fontsize=8.5)
    axis.tick_params(length=0)
    axis.grid(axis="x", linestyle=":")
    axis.set_xlim(-0.6, len(STEPS) - 0.4)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    for side in axis.spines.values():
        side.set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, fontsize=8.5, frameon=False)
    told = "; ".join(f"{name}: {step}" for name, step in (SLOTS | ENCODINGS).items())
    return Plot(
        fig,
        "A slot, or an encoding, is a change of one step",
        f"{len(rows)} rows below the {len(STEPS)} steps {', '.join(STEPS)}, each marked at the step that it "
        f"replaces. {told}. At no one step: {'; '.join(OTHERS)}.",
        {
            name: np.array([STEPS.index(step) for step in kind.values()])
            for name, kind in (("slots", SLOTS), ("encodings", ENCODINGS))
        },
        narrow=replaced(),
    )
