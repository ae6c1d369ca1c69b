"""Cases whose expected values are published: numbers of other libraries' test suites, and one formula."""

import functools
import json
import math
from pathlib import Path

import torch

from posenc_lib import RotaryEmbedding, RotarySpec, apply_rotary, cos_sin_axes, inv_freq

FILE = json.loads(Path(__file__).with_name("transformers_frequencies.json").read_text(encoding="utf-8"))
#: Five digits are printed: half a unit of the fifth, beside the first.
FIVE_DIGITS = 5e-5
#: torchtune's own tolerance for sums; and what a float32 sum of 33.5 million numbers moves by with the number
#: of threads, 1 to 3 thousandths where it was tried. Ours are summed in float64.
SUMS, SUMMED = 1e-5, 3e-3
LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
LLAMA["max_position_embeddings"] = 2048
FACTORS = (2.0, 10.0, 20.0)


def read(kind, **rope):
    rope = {"rope_type": kind, "rope_theta": 10000.0, **rope}
    return RotarySpec.from_hf_config(LLAMA | {"rope_parameters": rope})


def plain(**_):
    return inv_freq(128)


# --- transformers: tests/utils/test_modeling_rope_utils.py


def frequencies(name):
    """Ours and the published ones."""
    case = FILE["cases"][name]
    spec = RotarySpec.from_hf_config(case["config"], "full_attention" if "nested" in name else None)
    return spec.inv_freq(case["length"]), [float(n) for n in " ".join(case["inv_freq"]).split()]


def dynamic_within_the_trained_length():
    got = [read("dynamic", factor=s).inv_freq(length) for s in FACTORS for length in (None, 1)]
    return torch.stack(got), plain().expand(6, 64)


def linear():
    got = torch.stack([read("linear", factor=s).inv_freq() for s in FACTORS])
    return got, torch.stack([plain() / s for s in FACTORS])


def attention_factors(kind, rule, **rope):
    got = [read(kind, factor=s, **rope).attention_factor() for s in FACTORS]
    given = [read(kind, factor=s, attention_factor=0.5, **rope).attention_factor() for s in FACTORS]
    return torch.tensor(got + given).double(), [rule(s) for s in FACTORS] + [0.5] * 3


LISTS = {"short_factor": [2.0] * 64, "long_factor": [float(i) for i in range(1, 65)]}


def longrope(length, name):
    spec = read("longrope", factor=10.0, original_max_position_embeddings=2048, **LISTS)
    return spec.inv_freq(length), plain() / torch.tensor(LISTS[name]).double()


def yarn_that_interpolates():
    got = read("yarn", factor=10.0, beta_fast=1000, beta_slow=1).inv_freq()
    assert got[0] == 1 and (got[1:] < plain()[1:]).all()
    return got[-20:], plain()[-20:] / 10


def llama3_that_scales_all():
    rule = {"factor": 10.0, "original_max_position_embeddings": 2048, "low_freq_factor": 1}
    got = read("llama3", high_freq_factor=1000, **rule).inv_freq()
    return (got < plain()).double(), torch.ones(64)


def proportional_is_linear():
    got = [read("proportional", partial_rotary_factor=1.0, factor=s).inv_freq() for s in (1.0, 2.0, 10.0)]
    return torch.stack(got), torch.stack([plain() / s for s in (1.0, 2.0, 10.0)])


# --- torchtune 0.6.1: tests/torchtune/modules/ and models/llama3_1/test_position_embeddings.py


@functools.lru_cache(maxsize=1)  # the largest takes 134 MB
def drawn(*shape):
    """torchtune's input: the first numbers after torch.manual_seed(0)."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def summary(x):
    """Mean, sum and maximum, as torchtune takes them."""
    return torch.stack([x.double().mean(), x.double().sum(), x.double().max()])


def tune(positions, angle_dtype=torch.float32, **scaling):
    """Its layers: float32 angles, pairs of neighbours, heads last."""
    x = drawn(4, 2048, 32, 128)
    rope = RotaryEmbedding(RotarySpec(128, layout="interleaved", **scaling), angle_dtype=angle_dtype)
    cos, sin = rope.tables(positions)
    return summary(apply_rotary(x, cos, sin, layout="interleaved", seq_dim=-3))


LLAMA_31 = {"scaling": "llama3", "params": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}}
LLAMA_31["params"]["original_max_position_embeddings"] = 8192


#: The positions of its text, and its summary of a turned one.
TEXT, TUNED = torch.arange(2048), [6.4543e-05, 2165.7053, 5.4546]


def tune_table():
    rope = RotaryEmbedding(RotarySpec(128, **LLAMA_31), angle_dtype=torch.float32)
    return summary(torch.stack(rope.tables(torch.arange(4096))))


def tune_vision():
    """Places of patches from 1 on, columns first; the class token, at the end of each tile, is not turned."""
    cell = torch.arange(16)
    places = torch.stack([torch.cat((axis + 1, axis.new_zeros(1))) for axis in (cell % 4, cell // 4)])
    cos, sin = cos_sin_axes(torch.eye(2), places.repeat(1, 3))
    return summary(apply_rotary(drawn(2, 51, 8, 4), cos, sin, layout="interleaved", seq_dim=-3))


# --- flash-attention 2.8: tests/test_rotary.py, its sizes, its reference as a formula


def flash(layout, share):
    """x [batch, seq, heads, d]: every pair (a, b) becomes (a cos − b sin, a sin + b cos), the rest stays."""
    x, planes = drawn(2, 217, 4, 128), int(64 * share)
    angle = torch.randn(217 + 711, planes, generator=torch.Generator().manual_seed(1))[711:]
    cos, sin = angle.cos(), angle.sin()
    turning = x[..., : 2 * planes].double()
    pairs = turning.unflatten(-1, (-1, 2) if layout == "interleaved" else (2, -1))
    a, b = pairs.unbind(-1 if layout == "interleaved" else -2)
    c, s = (table.double()[:, None] for table in (cos, sin))
    turned = torch.stack((a * c - b * s, a * s + b * c), -1 if layout == "interleaved" else -2).flatten(-2)
    want = torch.cat((turned, x[..., 2 * planes :].double()), -1)
    return apply_rotary(x, cos, sin, layout=layout, seq_dim=-3), want


#: library, case, ours and theirs, how far apart they may be of each: a share of the value, and absolutely
PUBLISHED = [
    *(
        ("transformers", f"frequencies: {name}", functools.partial(frequencies, name), FIVE_DIGITS, 0)
        for name in FILE["cases"]
    ),
    ("transformers", "dynamic, short texts", dynamic_within_the_trained_length, 1e-12, 0),
    ("transformers", "linear", linear, 1e-12, 0),
    (
        "transformers", "factors of yarn",
        lambda: attention_factors("yarn", lambda s: 0.1 * math.log(s) + 1), 1e-6, 0
    ),
    (
        "transformers", "factors of longrope",
        lambda: attention_factors("longrope", lambda s: math.sqrt(1 + math.log(s) / math.log(2048)), **LISTS),
        1e-6, 0
    ),
    ("transformers", "longrope, short", lambda: longrope(2048, "short_factor"), 1e-12, 0),
    ("transformers", "longrope, long", lambda: longrope(2049, "long_factor"), 1e-12, 0),
    ("transformers", "yarn, fast turns from 1000 on", yarn_that_interpolates, 1e-12, 0),
    ("transformers", "llama3, fast turns from 1000 on", llama3_that_scales_all, 0, 0),
    ("transformers", "proportional, all planes", proportional_is_linear, 1e-12, 0),
    ("torchtune", "rotary", lambda: (tune(TEXT), TUNED), SUMS, [5e-10, SUMMED, 5e-5]),
    ("torchtune", "rotary, packed", lambda: (tune(TEXT.expand(4, -1)), TUNED), SUMS, [5e-10, SUMMED, 5e-5]),
    (
        "torchtune", "Llama 3.1",
        lambda: (tune(TEXT, **LLAMA_31), [-2.4781e-06, -83.1523, 5.4625]), SUMS, [5e-11, SUMMED, 5e-5]
    ),
    ("torchtune", "Llama 3.1, table", lambda: (tune_table(), [0.1738, 91141.7656, 1.0]), SUMS, [5e-5, 0, 0]),
    ("torchtune", "vision", lambda: (tune_vision(), [-0.00903320, -29.48437119, 4.07074356]), SUMS, 0),
    *(
        ("flash-attention", f"{layout}, {share:g} of it", functools.partial(flash, layout, share), 0, 2e-6)
        for layout in ("half", "interleaved") for share in (1.0, 0.5)
    )
]  # fmt: skip
