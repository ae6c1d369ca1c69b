"""Which step between frequencies and scores a slot of another project, or a paper, replaces."""

import numpy as np

from .style import COLOURS, INK, Plot, figure, key

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


def steps() -> Plot:
    """The steps, one below the other; beside each the slots and the encodings that replace it."""
    rows = [*SLOTS, *ENCODINGS, *OTHERS]
    fig, axis = figure(3.3)
    axis.set_axis_off()
    line = 0.0
    kinds = {"a slot": (SLOTS, "s", COLOURS[0]), "an encoding of a paper": (ENCODINGS, "o", COLOURS[3])}
    arrow = {"arrowstyle": "->", "color": INK}
    for number, step in enumerate(STEPS):
        place = line
        axis.text(0.0, line, step, weight="bold", va="center")
        for kind, marker, colour in kinds.values():
            for name in (name for name, at in kind.items() if at == step):
                axis.plot([0.32], [line], marker, color=colour, markersize=6)
                axis.text(0.36, line, name, va="center")
                line += 1
        line += 0.6
        if number + 1 < len(STEPS):
            axis.annotate("", (0.04, line - 0.5), (0.04, place + 0.5), arrowprops=arrow)
    axis.text(0.0, line, "no one step", style="italic", va="center")
    for name in OTHERS:
        axis.text(0.36, line, name, va="center")
        line += 1
    for label, (_, marker, colour) in kinds.items():
        axis.plot([], [], marker, color=colour, markersize=6, label=label)
    axis.set_xlim(0, 1)
    axis.set_ylim(line - 0.4, -0.6)
    key(fig)
    told = "; ".join(f"{name}: {step}" for name, step in (SLOTS | ENCODINGS).items())
    return Plot(
        fig,
        "A slot, or an encoding, is a change of one step",
        f"{len(rows)} rows beside the {len(STEPS)} steps {', '.join(STEPS)}, each at the step that it "
        f"replaces. {told}. At no one step: {'; '.join(OTHERS)}.",
        {
            name: np.array([STEPS.index(step) for step in kind.values()])
            for name, kind in (("slots", SLOTS), ("encodings", ENCODINGS))
        },
    )
