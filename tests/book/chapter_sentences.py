"""Sentences of chapters whose numbers no neighbourhood tells apart, filled in from their source."""

import math

from measured import WORDS
from number_sources import last_that_fails
from sources import shown, stored

from posenc_book.figures.practice import find

ZERO_FROM, ZERO_TO = (
    shown(24, rf"eq-decay-crossing: [^\[]*\[{skipped}") for skipped in ("", r"6166, ")
)  # of the decay integral
LOWEST = shown(46, r"c\(\\phi\) \\le")  # the kernel never falls below its negative


KEPT = r"\S+ turns: the code keeps "


def interpolation():
    """Page 48: the bound of Chen et al., the largest error, and the bound that is proved."""
    error, bound = (
        shown(48, rf"eq-pi-2-1-printed: [^:]*: {side} side") for side in ("left", r"left side \S+ right")
    )
    ours = shown(48, r"printed \S+ largest error \S+ proved")
    turns, code, paper = (
        shown(48, rf"widest at r\* = {skipped}") for skipped in ("", KEPT, rf"{KEPT}\S+ the paper")
    )
    return [
        f"at ${turns:.2f}$ turns, where the code keeps {100 * code:.0f} % and the paper {100 * paper:.0f} %",
        f"promises at most ${bound:.5f}$. There is a score that is off by ${error:.4f}$",
        f"The new constant is {100 * ours / bound - 100:.0f} % larger, "
        f"and within {100 * ours / error - 100:.1f} % of the largest error",
    ]


def bases():
    """Page 49: the smallest bases for 1024 and 8192 tokens, and the lengths that fail in fact."""
    row, long = (find(stored("4-rotary/49-base-bounds")["rows"], length=length) for length in (1024, 8192))
    last = last_that_fails(8192)
    needed = max(
        shown(49, rf"{base} [\d,]+ (?=\S+ \d+,)") for base in (r"1e\+04", r"5e\+05", r"1e\+06", r"1e\+07")
    )
    planes = 64
    return [
        f"None of these bases serves a length of {WORDS[math.ceil(needed)]} times itself",
        f"35 % fail, the last of them at {last:_.0f}, {last / long['base']:.1f} times".replace("_", " "),
        f"is $-{planes * LOWEST:.2f}$, which is {planes} times that of the kernel",
        f"for $L={row['length']}$, {row['base']:.1f}, is certified",
        f"That *all* bases from 1 to {math.floor(row['base'])} fail takes a cover",
        f"The cell tries base {math.ceil(row['base'])}, feasible for {row['length']}",
    ]


def turning(model):
    """The share of the planes that finish a turn, as page 61 prints it first."""
    return shown(61, rf"{model} (?=\S+ of the planes)")


#: By page; pages 13 and 51 to 55 have their own places.
COMPUTED = {
    "book/4-rotary/48-extending-context.ipynb": interpolation(),
    "book/4-rotary/49-base-bounds.ipynb": bases(),
    "book/5-practice/52-precision.ipynb": [f"so {shown(52, '2: different positions:'):.0f}."],
    "book/6-models/61-which-planes-turn.ipynb": [
        f"{turning('Llama 2'):.2f} for Llama 2, with base 10,000 and 4096 positions, "
        f"and {turning('Qwen3'):.2f} for Qwen3",
    ],
    "book/6-models/62-layers-without-positions.ipynb": [
        f"at $n=8192$ it is already ${shown(62, 'factor at 8192 keys'):.1f}$",
        f"with no lead at all, {shown(62, 'lead 0: first equal neighbours at N ='):.0f} and "
        f"{shown(62, 'lead 0: first equal neighbours at N =') + 1:.0f}",
    ],
}

#: Numbers with a unit that no sentence computes, each with why it may stand.
GIVEN = {
    "book/2-sinusoid/22-pictures-and-heat-maps.ipynb": {"each wheel ten times slower": "a decimal counter"},
    "book/2-sinusoid/24-decay-integral.ipynb": {
        "a distance ten times as large always moves": "one of four powers of ten, hence a quarter"
    },
    "book/2-sinusoid/27-general-H.ipynb": {
        "above one per cent of the largest": "the 1e-2 of the cell",
        "*reach* 118 directions to one per cent": "the same",
        "reach all 64 directions to one per cent": "the same",
    },
    "book/3-relative/31-shaw-and-biases.ipynb": {
        "a matching key three times as far away": "an example; the table ends at the clip",
    },
    "book/4-rotary/43-abel-bound.ipynb": {
        "on a ladder 64 times as fine": "the cell's argument `fine`",
    },
    "book/4-rotary/46-recurrences.ipynb": {
        "the error is passed on, ten times larger at each gear": "eq-return-gears, behind it",
    },
    "book/4-rotary/48-extending-context.ipynb": {
        "an interpolated score is some 600 times safer": "what the paper says, quoted below it",
        "At twice and four times its trained length": "an exercise's choice",
    },
    "book/4-rotary/49-base-bounds.ipynb": {
        "made by `experiments/base_bounds`, six minutes on a laptop": "as in CONTRIBUTING.md, timed by hand",
    },
    "book/6-models/62-layers-without-positions.ipynb": {
        "reads ten times as many needs a lead that is larger by $\\ln10": "the ten of the logarithm",
    },
}
