"""Numbers of the chapters' texts that no output shows: what they are computed from, or why they may stand.

A key is the page and the number as it is written there; where on the page it stands does not matter.
"""

import functools
import json
import math

import mpmath
import torch

from posenc_book.figures.base_bounds import FIRST_ZERO, SAMPLES, reached
from tools.notebooks import ROOT


@functools.cache
def last_that_fails(length):
    """Of 600 bases between the smallest and the safe one, as page 49's picture draws, the last that fails."""
    stored = json.loads((ROOT / "book/4-rotary/49-base-bounds.json").read_text(encoding="utf-8"))
    (row,) = [row for row in stored["rows"] if row["length"] == length]
    ends = [math.log10(base) for base in (row["base"], row["safe"]["base"])]
    bases = torch.logspace(*ends, SAMPLES, dtype=torch.float64)
    fails = bases[reached(bases, length) < length]
    assert f"{len(fails) / SAMPLES:.0%}" == "35%"
    return float(fails[-1])


def first_zero():
    """Of the cosine integral Ci."""
    zero = float(mpmath.findroot(mpmath.ci, 0.6))
    assert round(zero, 4) == FIRST_ZERO
    return zero


#: Computed when the test runs, from what the sentence says.
COMPUTED = {
    "12-taylor-argument": {"0.416": lambda: -math.cos(2)},
    "22-pictures-and-heat-maps": {"22.8": lambda: math.degrees(10000**-0.1)},
    "24-decay-integral": {
        "9.21": lambda: math.log(10000),
        "0.6165": first_zero,
        "2171": lambda: 2 * 10000 / math.log(10000),
    },
    "25-sum-and-integral": {
        "0.088": lambda: 1 / math.sqrt(128),
        "0.0169": lambda: math.log(10000) * 10 * 12 / (16 * 64**2),
    },
    "26-other-frequencies": {
        "0.6165": first_zero,
        "0.627": lambda: math.gamma(1.5) * math.cos(math.pi / 4),
        "201.06": lambda: 2 * math.pi * 32,
    },
    "32-biases": {"0.8306": lambda: math.log(90 / 16) / math.log(128 / 16)},
    "41-complex-solution": {"0.283": lambda: 6 - 2 * math.pi},
    "46-recurrences": {"0.00033": lambda: (169_646 - 27_000 * 2 * math.pi) / 10},
    "48-extending-context": {"217": lambda: 8 * math.degrees(4096 * 10000 ** (-126 / 128))},
    "51-choosing": {
        "12.2": lambda: 100_000 / 8192,
        "20.1": lambda: 32 * math.log(2048 / (2 * math.pi)) / math.log(10000),
    },
    "52-precision": {"768": lambda: 2**8 + 4 * 2**7},
    "53-speed-and-memory": {"83.9\\cdot10^6": lambda: 80 * 2**20, "384": lambda: 3 * 16 * 128 / 16},
    "54-length-generalisation": {"1056": lambda: 32 * 33},
    "63-values-latents-video": {
        "7.82": lambda: 13 * (1 - 10 ** (-2 / 5)),
        "7.85": lambda: 5 * math.pi / 2,
    },
}

#: What is not a result, with the reason.
GIVEN = {
    "22-pictures-and-heat-maps": {"1882": "a year"},
    "46-recurrences": {
        "355": "a fraction known by its numbers, 355/113",
    },
    "49-base-bounds": {
        "0.47": "half of 0.95, rounded down, in a bound from below",
    },
    "51-choosing": {
        "2.5": "what YaRN's authors report, cited there",
    },
    "52-precision": {"3.01": "an example of rounding up"},
    "53-speed-and-memory": {
        "3.35\\cdot10^{12}": "the data sheet, as the sentence says",
        "132": "the same",
    },
    "55-migration": {"2026": "a year"},
    "61-which-planes-turn": {"2026": "a year"},
    "57-upstream-slots": {"117": "what test_slots counts: 120 types less the three that it names"},
}

#: What is a name and no number, by page: such a name may stand there as often as it likes.
NAMES = {
    "13-trained-model": ["Apache 2.0"],
    "48-extending-context": ["Llama 3.1", "version 3.1", "Theorem 2.1"],
    "61-which-planes-turn": ["Llama 3.1"],
}
