"""The formula in a docstring, written out beside it in plain Python, is what the function computes."""

import math
from pathlib import Path

import pytest
import torch
import yaml

import posenc_lib as lib
from posenc_lib.rotary.scaling import rules, yarn

F64 = torch.float64
THETA = [1.0, 0.3, 0.04]
FREQ = torch.tensor(THETA, dtype=F64)


def bias(encoding, m, n):
    """One entry of a bias, of every head."""
    at = torch.tensor([m]), torch.tensor([n])
    return encoding.double().bias(*at, dtype=F64).flatten().tolist()


def positive(parameter):
    return [math.log1p(math.exp(raw)) for raw in parameter.tolist()]


def kerple_log():
    made = lib.KerpleLog(2).double()
    r1, r2 = positive(made.raw_1), positive(made.raw_2)
    return bias(made, 7, 2), [-a * math.log(1 + b * 5) for a, b in zip(r1, r2, strict=True)]


def kerple_power():
    made = lib.KerplePower(2).double()
    r2 = [2 / (1 + math.exp(-raw)) for raw in made.raw_2.tolist()]
    return bias(made, 7, 2), [-a * 5**b for a, b in zip(positive(made.raw_1), r2, strict=True)]


def sandwich():
    each = sum(math.cos(5 * 100 ** (-2 * i / 8)) for i in range(4))
    return bias(lib.Sandwich(4, dim=8, base=100.0), 7, 2), [4 / (8 * h) * each for h in (1, 2, 3, 4)]


def cos_sin():
    found = torch.stack(lib.cos_sin(FREQ, torch.tensor(5), attention_factor=2.0, dtype=F64))
    return found.flatten().tolist(), [2 * f(5 * t) for f in (math.cos, math.sin) for t in THETA]


def half():
    x = torch.arange(4.0)
    return lib.rotate_half(x).tolist(), [-2, -3, 0, 1]


def turned():
    x, y, c, s = 2.0, 3.0, 0.6, 0.8
    one = [torch.tensor([v], dtype=F64) for v in (c, s)]
    return lib.apply_rotary(torch.tensor([x, y], dtype=F64), *one).tolist(), [x * c - y * s, y * c + x * s]


def score():
    q, k = torch.tensor([1.0, 2, 3, 4, 5, 6], dtype=F64), torch.tensor([2.0, -1, 1, 0, 3, 1], dtype=F64)
    planes = [complex(q[i], q[i + 3]) * complex(k[i], -k[i + 3]) for i in range(3)]
    total = sum(h * complex(math.cos(5 * t), math.sin(5 * t)) for h, t in zip(planes, THETA, strict=True))
    return [lib.rotary_score(q, k, torch.tensor(5), FREQ).item()], [total.real]


def sums():
    found = lib.partial_sums(torch.tensor(5), FREQ).tolist()
    terms = [complex(math.cos(5 * t), math.sin(5 * t)) for t in THETA]
    return [abs(z) for z in found], [abs(sum(terms[: j + 1])) for j in range(3)]


def mean_sums():
    return [lib.mean_partial_sums(torch.tensor(5), FREQ).item()], [sum(sums()[1]) / 3]


def kernel():
    return [lib.decay_kernel(torch.tensor(5), FREQ).item()], [sum(math.cos(5 * t) for t in THETA) / 3]


def plane():
    row = lib.sinusoidal(torch.tensor([5]), 4, 100.0, dtype=F64).flatten().tolist()
    return row, [f(5 * 100 ** (-2 * i / 4)) for i in (0, 1) for f in (math.sin, math.cos)]


def ramp():
    low, high, scale, length = 1.0, 4.0, 8.0, 128
    turns = [length * t / (2 * math.pi) for t in THETA]
    kept = [min(1, max(0, (r - low) / (high - low))) for r in turns]
    found = rules.llama3(
        FREQ,
        factor=scale,
        low_freq_factor=low,
        high_freq_factor=high,
        original_max_position_embeddings=length,
    )
    return found[0].tolist(), [(1 - k) * t / scale + k * t for k, t in zip(kept, THETA, strict=True)]


def joined(text):
    return " ".join(text.split())


def printed(part, sides):
    """What stands in whose docstring, and what computes both sides: the library's, and the formula's."""
    table = yaml.safe_load(Path(__file__).with_name("docstring_formulas.yml").read_text(encoding="utf-8"))
    for name, rows in table[part].items():
        head, _, attribute = name.partition(".")
        thing = {"rules": rules, "yarn": yarn}.get(head) or getattr(lib, head)
        thing = getattr(thing, attribute) if attribute else thing
        yield from ((thing, joined(formula), sides[side]) for side, formula in rows)


# what stands in whose docstring, and both sides of it: what the library gives, what the formula gives
PRINTED = [
    *printed("tables", globals()),
    (lib.inv_freq, r"\theta_i = b^{-2i/d}",
     lambda: (lib.inv_freq(6, 50.0).tolist(), [50 ** (-2 * i / 6) for i in range(3)])),
    (lib.midpoint_inv_freq, r"\theta_i = b^{-(2i+1)/d}",
     lambda: (lib.midpoint_inv_freq(6, 50.0).tolist(), [50 ** (-(2 * i + 1) / 6) for i in range(3)])),
    (lib.alibi_slopes, r"s_h = 2^{-8h/H}",
     lambda: (lib.alibi_slopes(4).tolist(), [2 ** (-8 * h / 4) for h in (1, 2, 3, 4)])),
    (lib.alibi_slopes, r"2^{-8(2j-1)/(2P)}",
     lambda: (lib.alibi_slopes(3).tolist()[2:], [2 ** (-8 * (2 * 1 - 1) / (2 * 2))])),
    (lib.ALiBi, r"b_h(m, n) = -s_h\,|m - n|",
     lambda: (bias(lib.ALiBi(2), 2, 7), [-s * 5 for s in (2**-4, 2**-8)])),
    (rules.linear, r"\theta_i \mapsto \theta_i/s",
     lambda: (rules.linear(FREQ, factor=4.0)[0].tolist(), [t / 4 for t in THETA])),
    (rules.ntk, r"\theta_i \mapsto \theta_i\,s^{-i/(N-1)}",
     lambda: (rules.ntk(FREQ, factor=4.0)[0].tolist(), [t * 4 ** (-i / 2) for i, t in enumerate(THETA)])),
    (yarn.yarn_mscale, r"m(s, a) = 0.1\,a\ln s + 1",
     lambda: ([yarn.yarn_mscale(8.0, 0.7)], [0.1 * 0.7 * math.log(8) + 1])),
]  # fmt: skip


@pytest.mark.parametrize(
    ("thing", "formula", "sides"), PRINTED, ids=[f"{t.__name__}: {f}" for t, f, _ in PRINTED]
)
def test_what_is_printed_is_what_is_computed(thing, formula, sides):
    assert formula in joined(thing.__doc__), "the formula reads otherwise: write both anew, side by side"
    found, expected = sides()
    assert found == pytest.approx(expected, rel=1e-13)
