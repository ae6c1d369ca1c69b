"""Sentences of chapters whose numbers no neighbourhood tells apart, filled in from their source."""

import math

import torch
from sources import shown, stored

from posenc_lib import decay_kernel, inv_freq

ZERO_FROM, ZERO_TO = (
    shown(24, rf"eq-decay-crossing: [^\[]*\[{skipped}") for skipped in ("", r"6166, ")
)  # of the decay integral


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
        f"it is positive from 0.1 to {ZERO_FROM:.0f}, negative from {ZERO_TO:.1f} to 10000",
        f"one zero, between {ZERO_FROM:.0f} and {ZERO_TO:.1f} |",
        f"wherever it starts: {100 * math.log(2) / math.log(10_000):.1f} % of the value at distance 0 "
        f"for $b=10000$, and {100 * math.log(2) / math.log(500_000):.1f} % for",
    ]


def returns():
    """Page 46: of four hands, and of the lowest value of their kernel."""
    floor, reached = (shown(46, r"c\(\\phi\) \\le"), shown(46, r"5000000\} \\right\) \\le"))
    low, high = (shown(46, rf"2: largest p between{skipped}") for skipped in ("", r" \S+ and"))
    return [
        f"the second hand has gone 71 radians, which is {abs(math.remainder(71, 2 * math.pi)):.1f} away",
        f"less than a quarter of their sum, ${shown(46, 'over 100000 distances: [0-9.]+, bound'):.5f}$",
        f"lies between $-{floor:g}$ and $-{reached:g}$",
        f"| $\\inf K\\in[-{floor:g},-{reached:g}]$ |",
        f"lies between {math.floor(1e5 * low) / 1e5:.5f} and {math.ceil(1e5 * high) / 1e5:.5f}",
        f"With $p={shown(46, 'p ='):g}$ and the four hands",
    ]


def interpolation():
    """Page 48: the bound of Chen et al., the largest error, and the bound that is proved."""
    error, bound = (
        shown(48, rf"eq-pi-2-1-printed: [^:]*: {side} side") for side in ("left", r"left side \S+ right")
    )
    ours = shown(48, r"printed \S+ largest error \S+ proved")
    return [
        f"promises at most ${bound:.5f}$. There is a score that is off by ${error:.4f}$",
        f"The new constant is {100 * ours / bound - 100:.0f} % larger, "
        f"and within {100 * ours / error - 100:.1f} % of the largest error",
    ]


def bases():
    (row,) = (row for row in stored("4-rotary/49-base-bounds")["rows"] if row["length"] == 1024)
    return [
        f"for $L={row['length']}$, {row['base']:.1f}, is certified",
        f"That *all* bases from 1 to {math.floor(row['base'])} fail takes a cover",
        f"The cell tries base {math.ceil(row['base'])}, feasible for {row['length']}",
    ]


def turning(model):
    """The share of the planes that finish a turn, as page 61 prints it first."""
    return shown(61, rf"{model} (?=\S+ of the planes)")


#: By page; pages 13 and 51 to 55 have their own places.
COMPUTED = {
    "book/2-sinusoid/21-definition-and-shift.ipynb": [
        f"of those tried in the cell the best is {best_base()}"
    ],
    "book/2-sinusoid/22-pictures-and-heat-maps.ipynb": pictures(),
    "book/2-sinusoid/24-decay-integral.ipynb": decay(),
    "book/2-sinusoid/26-other-frequencies.ipynb": [
        f"(for $b=10000$ between {ZERO_FROM:.0f} and {ZERO_TO:.1f}",
        f"tokens {2 * math.pi * 64:.0f} places apart are told apart perfectly, "
        f"those {4 * math.pi * 64:.0f} places apart not at all",
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
