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
    "48-extending-context": {"217": lambda: 8 * math.degrees(4096 * 10000 ** (-126 / 128))},
    "51-choosing": {
        "12.2": lambda: 100_000 / 8192,
        "20.1": lambda: 32 * math.log(2048 / (2 * math.pi)) / math.log(10000),
    },
    "52-precision": {"768": lambda: 2**8 + 4 * 2**7},
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
    # the ends of the interval in eq-decay-crossing
    "24-decay-integral": ["to 6166, negative from 6166.1", "between 6166 and 6166.1"],
    "26-other-frequencies": ["between 6166 and 6166.1"],
    "48-extending-context": ["Llama 3.1", "version 3.1", "Theorem 2.1"],
    "61-which-planes-turn": ["Llama 3.1"],
    "63-values-latents-video": ["V-JEPA 2.1"],
}
