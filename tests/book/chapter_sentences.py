"""Sentences of chapters whose numbers no neighbourhood tells apart, filled in from their source."""

import math

import torch
from measured import WORDS
from number_sources import last_that_fails
from sources import shown, stored

from posenc_book.figures.practice import find
from posenc_lib import decay_kernel, inv_freq

ZERO_FROM, ZERO_TO = (
    shown(24, rf"eq-decay-crossing: [^\[]*\[{skipped}") for skipped in ("", r"6166, ")
)  # of the decay integral
LOWEST = shown(46, r"c\(\\phi\) \\le")  # the kernel never falls below its negative


def best_base():
    """Of those on page 21: the one whose 2000 closest positions are farthest apart, for width 16."""
    steps = torch.arange(1, 2001)
    return max(
        (1.6, 2, 3, 10, 100, 1000, 10000), key=lambda b: -decay_kernel(steps, inv_freq(16, base=b)).max()
    )


def pictures():
    few, many = (
        shown(22, rf"d = {size} positions: definition \S+ listing 1 \S+ ratio")
        for size in ("20, 7", "64, 20")
    )
    return [
        f"For $d=20$, the width of the picture, it is about {10_000 ** (2 / 20):.1f}:",
        f"exaggerate it {few:.1f} and {many:.1f} times",
        f"where $\\cos3={math.cos(3):.2f}$",
    ]


def decay():
    return [
        f"A base {500_000 / 10_000:.0f} times larger moves it by a factor of $\\sqrt{{{500_000 // 10_000}}}",
        f"it is positive from 0.1 to {ZERO_FROM:.0f}, negative from {ZERO_TO:.1f} to 10000",
        f"one zero, between {ZERO_FROM:.0f} and {ZERO_TO:.1f} |",
        f"wherever it starts: {100 * math.log(2) / math.log(10_000):.1f} % of the value at distance 0 "
        f"for $b=10000$, and {100 * math.log(2) / math.log(500_000):.1f} % for",
    ]


def ghosts():
    """Page 25: what the echoes leave unexplained; and what a larger base does to the meeting point."""
    near, far, farther, horizon = (
        shown(25, rf"128 {of} \S+(?= \d+%)")
        for of in ("65 to 500", "500 to 5000", "5000 to 50000", "32 to 60")
    )
    gap, ripple = (shown(25, rf"6: width 64: difference {skipped}") for skipped in ("", r"-\S+ ripple"))
    return [
        f"the ghosts leave {near:.0f} % of the noise unexplained, "
        f"farther out {far:.0f} % and {farther:.0f} %",
        f"they leave {horizon:.0f} %",
        f"But $x_1$ grows {shown(25, 'x₁ [0-9]+ [0-9]+ ratio'):.0f} times",
        f"to {100 * (1 - gap / ripple):.0f} per cent at width 64",
    ]


def returns():
    """Page 46: of four hands, and of the lowest value of their kernel."""
    reached = shown(46, r"5000000\} \\right\) \\le")
    low, high = (shown(46, rf"2: largest p between{skipped}") for skipped in ("", r" \S+ and"))
    return [
        f"the second hand has gone 71 radians, which is {abs(math.remainder(71, 2 * math.pi)):.1f} away",
        f"less than a quarter of their sum, ${shown(46, 'over 100000 distances: [0-9.]+, bound'):.5f}$",
        f"lies between $-{LOWEST:g}$ and $-{reached:g}$",
        f"| $\\inf K\\in[-{LOWEST:g},-{reached:g}]$ |",
        f"lies between {math.floor(1e5 * low) / 1e5:.5f} and {math.ceil(1e5 * high) / 1e5:.5f}",
        f"one in {(math.pi / 0.05) ** 4 / 1e6:.0f} million, instead of $\\varepsilon/1000\\pi$, "
        f"one in {1000 * math.pi / 0.05 / 1000:.0f} thousand",
        f"With $p={shown(46, 'p ='):g}$ and the four hands",
    ]


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


LESS_ACCURATE = shown(23, "d = 64: logarithm [^,]+, power [^,]+, ratio")
MISSED = shown(21, "missed of a random table:")

#: By page; pages 13 and 51 to 55 have their own places.
COMPUTED = {
    "book/2-sinusoid/21-definition-and-shift.ipynb": [
        f"of those tried in the cell the best is {best_base()}",
        f"the error has {math.floor(100 * MISSED)} to {math.ceil(100 * MISSED)} % of the length",
    ],
    "book/2-sinusoid/22-pictures-and-heat-maps.ipynb": pictures(),
    "book/2-sinusoid/23-in-a-model.ipynb": [
        f"makes the frequencies about {WORDS[round(LESS_ACCURATE)]} times",
    ],
    "book/2-sinusoid/24-decay-integral.ipynb": decay(),
    "book/2-sinusoid/25-sum-and-integral.ipynb": ghosts(),
    "book/2-sinusoid/26-other-frequencies.ipynb": [
        f"(for $b=10000$ between {ZERO_FROM:.0f} and {ZERO_TO:.1f}",
        f"tokens {2 * math.pi * 64:.0f} places apart are told apart perfectly, "
        f"those {4 * math.pi * 64:.0f} places apart hardly at all",
    ],
    "book/3-relative/31-shaw-and-biases.ipynb": [
        f"{4096 * 4096 * 64 * 4 / 2**30:g} GiB in float32 for 4096 tokens of width 64",
    ],
    "book/4-rotary/46-recurrences.ipynb": returns(),
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
        "it is 64 times the dashed curve": "the number of arrows, by which the curves are divided",
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
