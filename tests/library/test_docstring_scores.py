"""Formulas of scores, tables and positions in docstrings, written out beside them; and none is left aside.

What one entry of a result is, by the formula alone, in plain Python: sums over numbers of a list.
"""

import inspect
import math
import re
from itertools import product

import mpmath
import pytest
import torch
from test_docstring_formulas import PRINTED as MORE
from test_docstring_formulas import joined, positive, printed

import posenc_lib as lib

F64 = torch.float64
torch_rows = torch.Generator().manual_seed(7)
Q, K, V = (torch.randn(1, 1, 5, 4, generator=torch_rows, dtype=F64) for _ in range(3))
QS, KS, VS = (x[0, 0].tolist() for x in (Q, K, V))
TWO = [torch.cat((x[0].flip(-1), x[0])) for x in (Q, K)]  # of two heads
PAIRS = list(product(range(2), range(2, 5), range(5)))  # every head, query from the third on, and key
LADDER = [1.0, 0.3]
FREQ = torch.tensor(LADDER, dtype=F64)
AT = torch.arange(5)
M, N = 3, 1  # the query and the key that are written out


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def plus(x, y, factor=1.0):
    return [a + factor * b for a, b in zip(x, y, strict=True)]


def mixed(scores, values):
    """The values, weighed by the softmax of their scores."""
    parts = [math.exp(s) for s in scores]
    rows = zip(*values, strict=True)
    return [dot(parts, row) / sum(parts) for row in rows]


def turns(position, ladder=LADDER):
    return [complex(math.cos(position * t), math.sin(position * t)) for t in ladder]


def turned(x, position, ladder=LADDER):
    """R_m x in the layout "half"."""
    planes = [complex(x[i], x[i + 2]) * turn for i, turn in enumerate(turns(position, ladder))]
    return [z.real for z in planes] + [z.imag for z in planes]


def table(*shape):
    return torch.linspace(-1, 1, math.prod(shape), dtype=F64).view(shape) ** 3


def clip(x, low, high):
    return max(low, min(high, x))


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def network(made, x):
    """One hidden layer of rectified units: the outputs, one a head."""
    for layer in (made.hidden, made.out):
        offsets = [0.0] * layer.out_features if layer.bias is None else layer.bias.tolist()
        x = [dot(w, x) + b for w, b in zip(layer.weight.tolist(), offsets, strict=True)]
        x = [max(0.0, h) for h in x] if layer is made.hidden else x
    return x


def entry(made, m, n):
    return made.bias(torch.tensor([m]), torch.tensor([n]), dtype=F64).flatten().tolist()


def fire():
    made = lib.FIRE(2, width=3).double()
    (c,), (length,) = positive(made.raw_c), positive(made.raw_threshold)

    def psi(x):
        return math.log(1 + c * x)

    return entry(made, 700, 2), network(made, [psi(698) / psi(max(length, 700))])


def log_cpb():
    made = lib.LogCPB(2, (3, 3), width=4).double()
    scaled = [8 * d / 2 for d in (2, -1)]  # from (2, 0) to (0, 1)
    logs = [math.copysign(math.log2(1 + abs(c)) / 3, c) for c in scaled]
    return entry(made, 6, 1), [16 * sigmoid(x) for x in network(made, logs)]


def window_bias():
    made = lib.WindowBias(2, (3, 3)).double()
    torch.nn.init.normal_(made.relative_position_bias_table)
    return entry(made, 6, 1), made.relative_position_bias_table[(2 + 2) * 5 + (-1 + 2)].tolist()


def window_row():
    return [lib.relative_position_index((3, 3))[6, 1].item()], [(2 - 0 + 2) * 5 + (0 - 1 + 2)]


def window_logs():
    found = lib.relative_log_coordinates((3, 3), dtype=F64)[(2 + 2) * 5 + (-1 + 2)].tolist()
    return found, [math.log2(1 + 8) / 3, -math.log2(1 + 4) / 3]


def buckets():
    far, n = 128, 40
    sides = (True, 32 // 2), (False, 32)  # S of 32 buckets: on each of two sides, or on one
    return [lib.t5_buckets(torch.tensor(-n), both).item() for both, _ in sides], [
        s // 2 + math.floor((s - s // 2) * math.log(n / (s // 2)) / math.log(far / (s // 2)))
        for _, s in sides
    ]


def t5():
    made = lib.T5Bias(2, bidirectional=False).double()
    torch.nn.init.normal_(made.weight)
    return entry(made, 9, 4), made.weight[5].tolist()


def forgetting():
    gates = torch.tensor([[[-9.0, -1.0, -2.0, -4.0, -0.5]]], dtype=F64)
    return [lib.forgetting_bias(gates, AT, AT)[0, 0, M, N].item()], [-2.0 - 4.0]


def cope():
    gates, e = torch.randn(1, 1, 5, 5, generator=torch_rows, dtype=F64), table(6, 4)
    p = sum(sigmoid(gates[0, 0, M, n].item()) for n in range(N, M + 1))
    low = math.floor(p)
    between = plus([(1 - p + low) * x for x in e[low].tolist()], e[low + 1].tolist(), p - low)
    return [lib.cope_logits(Q, gates, e, AT, AT)[0, 0, M, N].item()], [dot(QS[M], between)]


def shaw():
    a = table(5, 4)
    return [lib.shaw_scores(Q, K, a, 2)[0, 0, M, N].item()], [
        dot(QS[M], plus(KS[N], a[2 + clip(N - M, -2, 2)].tolist()))
    ]


def shaw_layer():
    made = lib.RelativeAttention(4, 1).double()
    for values in made.parameters():
        torch.nn.init.normal_(values)
    keys, values = made.key_table.tolist(), made.value_table.tolist()
    row = [1 + clip(n - M, -1, 1) for n in range(5)]
    scores = [dot(QS[M], plus(k, keys[r])) / math.sqrt(4) for k, r in zip(KS, row, strict=True)]
    added = [plus(v, values[r]) for v, r in zip(VS, row, strict=True)]
    return made(Q, K, V)[0, 0, M].tolist(), mixed(scores, added)


def transformer_xl():
    """Two heads, and two keys of memory before the queries."""
    given = *TWO, table(2, 7, 4), table(2, 4), table(2, 4).flip(-1)
    q, k, r, u, v = (x.tolist() for x in given)
    found = lib.transformer_xl_scores(TWO[0][None, :, 2:], TWO[1][None], *given[2:])
    return found.flatten().tolist(), [
        dot(plus(q[h][m], u[h]), k[h][n]) + dot(plus(q[h][m], v[h]), r[h][n - m + 4]) for h, m, n in PAIRS
    ]


def disentangled():
    given = *TWO, table(2, 4, 4), table(2, 4, 4).flip(1)
    q, k, of_q, of_k = (x.tolist() for x in given)

    def row(m, n):
        return clip(m - n + 2, 0, 3)

    found = lib.disentangled_scores(TWO[0][None, :, 2:], TWO[1][None], *given[2:], AT[2:], AT)
    return found.flatten().tolist(), [
        dot(q[h][m], k[h][n]) + dot(q[h][m], of_k[h][row(m, n)]) + dot(k[h][n], of_q[h][row(n, m)])
        for h, m, n in PAIRS
    ]


def softmax():
    made = lib.ALiBi(1).double()
    scores = [0.25 * dot(QS[M], k) - 2**-8 * abs(M - n) for n, k in enumerate(KS)]
    return lib.attention(Q, K, V, made, scale=0.25)[0, 0, M].tolist(), mixed(scores, VS)


def linear():
    def feature(x):
        return [a + 1 if a > 0 else math.exp(a) for a in x]

    weights = [dot(turned(feature(QS[M]), M), turned(feature(k), n)) for n, k in enumerate(KS)]
    total = sum(dot(feature(QS[M]), feature(k)) for k in KS)
    found = lib.linear_attention(Q, K, V, *lib.cos_sin(FREQ, AT, dtype=F64))[0, 0, M]
    return found.tolist(), [dot(weights, row) / total for row in zip(*VS, strict=True)]


CHUNK, LOCAL = 3, 1  # s = 2


def places():
    found, s = lib.dual_chunk_positions(AT, chunk_size=CHUNK, local_size=LOCAL), CHUNK - LOCAL
    expected = [p for m in range(5) for p in (m % s, min(m % s + s, CHUNK), CHUNK)]
    return torch.stack(found).T.flatten().tolist(), expected


def dual_chunk():
    rope = lib.RotaryEmbedding(lib.RotarySpec(4))
    ladder, s, m = [1.0, 0.01], CHUNK - LOCAL, 4
    mine = [m % s, min(m % s + s, CHUNK), CHUNK]
    chunks = [min(m // s - n // s, 2) for n in range(m + 1)]
    scores = [
        dot(turned(QS[m], mine[j], ladder), turned(KS[n], n % s, ladder)) / 2 for n, j in enumerate(chunks)
    ]
    found = lib.dual_chunk_attention(Q, K, V, rope, chunk_size=CHUNK, local_size=LOCAL)[0, 0, m]
    return found.tolist(), mixed(scores, VS[: m + 1])


def xpos():
    (cos_q, sin_q), (cos_k, sin_k) = lib.cos_sin_xpos(
        FREQ, torch.tensor(7), scale_base=5.0, center=3, gamma=0.4, dtype=F64
    )
    zeta = [(i / 2 + 0.4) / 1.4 for i in range(2)]
    found = [*torch.complex(cos_q, sin_q).tolist(), *torch.complex(cos_k, sin_k).tolist()]
    sizes = [z**e for e in ((7 - 3) / 5, -(7 - 3) / 5) for z in zeta]
    expected = [s * z for s, z in zip(sizes, turns(7) * 2, strict=True)]
    return parts(found), parts(expected)


def parts(numbers):
    return [part for z in numbers for part in (z.real, z.imag)]


def axes():
    frequencies, at = torch.tensor([[1.0, 0.0], [0.5, 0.2]], dtype=F64), torch.tensor([[3], [4]])
    found = torch.stack(lib.cos_sin_axes(frequencies, at, attention_factor=2.0, dtype=F64)).flatten().tolist()
    return found, [2 * f(a) for f in (math.cos, math.sin) for a in (3 * 1.0 + 4 * 0.5, 4 * 0.2)]


def temperature():
    found = lib.attention_temperature(torch.tensor([4, 70]), slope=0.3, length=8, first=1, dtype=F64)
    return found.tolist(), [1 + 0.3 * math.log(1 + (m + 1) // 8) for m in (4, 70)]


def smallest_base():
    base = lib.base_lower_bound(64, 16)

    def sums(b):
        return min(sum(math.cos(m * b ** (-2 * i / 16)) for i in range(8)) for m in range(64))

    return [float(sums(base * 1.0001) >= 0), float(sums(base * 0.9999) >= 0)], [1.0, 0.0]


def integral(part):
    x, b = 30.0, 100.0
    of = {"real": mpmath.ci, "imag": mpmath.si}[part]
    found = lib.decay_integral(torch.tensor(x, dtype=F64), b, complex_value=True)
    return [getattr(found.item(), part)], [float((of(x) - of(x / b)) / math.log(b))]


def planes(m, n):
    return [complex(QS[m][i], QS[m][i + 2]) * complex(KS[n][i], -KS[n][i + 2]) for i in range(2)]


def abel():
    """Rows where the step to h_N = 0 is the largest, and rows where another one is."""
    steps = [max(abs(h[1] - h[0]), abs(h[1])) for h in map(planes, range(5), range(5))]
    sums = sum(abs(sum(turns(7)[:j])) for j in (1, 2))
    return lib.abel_bound(Q[0, 0], K[0, 0], torch.tensor(7), FREQ).tolist(), [step * sums for step in steps]


def products():
    return parts(lib.plane_products(Q[0, 0, M], K[0, 0, N]).tolist()), parts(planes(M, N))


def trivial():
    return [lib.trivial_bound(Q[0, 0, M], K[0, 0, N]).item()], [sum(map(abs, planes(M, N)))]


def gram():
    made = lib.gram(Q[0, 0])
    return [made[M, N].item()], [dot(QS[M], QS[N])]


def shifted():
    x = table(5, 9)
    return [lib.rel_shift(x)[M, N].item()], [x[M, N - M + 5 - 1].item()]


def by_mask():
    mask = [0, 1, 1, 0, 1]
    real = [j for j in range(5) if mask[j]]
    found = lib.positions_from_mask(torch.tensor([mask]))[0]
    return [found[j].item() for j in real], [sum(mask[:j]) for j in real]


def matrices():
    """R₀, R₂R₃ and R₂ᵀ, R₂x for each unit vector x."""

    def made(m):
        return lib.rotation_matrix(FREQ, m)

    columns = [turned([float(i == j) for i in range(4)], 2) for j in range(4)]
    found = [made(0), made(2) @ made(3), made(2).T, made(2).T]
    expected = [torch.eye(4), made(5), made(-2), torch.tensor(columns, dtype=F64)]
    return torch.stack(found).flatten().tolist(), [v for e in expected for v in e.flatten().tolist()]


def quarter():
    x = Q[0, 0, 0]
    one = FREQ[:1].repeat(2)
    cos, sin = (f(5 * one).repeat(2) for f in (torch.cos, torch.sin))
    found = lib.apply_rotary(x, *lib.cos_sin(one, torch.tensor(5), dtype=F64))
    return found.tolist(), (cos * x + sin * lib.rotate_half(x)).tolist()


def walked():
    pe = [f(8 * t) for t in (1.0, 0.01) for f in (math.sin, math.cos)]
    row = lib.sinusoidal(torch.tensor([5]), 4, dtype=F64)[0]
    return (lib.shift_matrix(3, lib.inv_freq(4)) @ row).tolist(), pe


def shift_entries():
    c, s = math.cos(3), math.sin(3)
    return lib.shift_matrix(3, FREQ[:1]).flatten().tolist(), [c, s, -s, c]


def shift_is_a_turn():
    back = lib.rotation_matrix(FREQ, -3, "interleaved")
    return lib.shift_matrix(3, FREQ).flatten().tolist(), back.flatten().tolist()


def encodings(p, other):
    one, two = lib.sinusoidal(torch.tensor([p, other]), 6, 50.0, dtype=F64)
    ladder = [50 ** (-2 * i / 6) for i in range(3)]
    return [float(one @ two)], [sum(math.cos((p - other) * t) for t in ladder)]


def moved():
    x, (found,) = Q[0, 0, 0], [lib.rerotate(torch.tensor([turned(QS[0], 7)], dtype=F64), 4, FREQ)]
    return found[0].tolist(), turned(x.tolist(), 11)


def mixed_axes():
    made = lib.mixed_frequencies(8, num_heads=3)
    one = made[:, :, 0] / lib.inv_freq(8, 10.0)  # the same direction in every plane, of length 1
    return one.norm(dim=0).flatten().tolist(), [1.0] * 12


def trained():
    made = lib.TrainableFrequencies(2).double()
    made.log_ratio.data = torch.tensor([0.5, -0.2], dtype=F64)
    return made(FREQ).tolist(), [t * math.exp(d) for t, d in zip(FREQ.tolist(), (0.5, -0.2), strict=True)]


def scale_of_deepseek():
    params = {"factor": 8.0, "original_max_position_embeddings": 64, "mscale_all_dim": 0.7}
    found = lib.RotarySpec(8, scaling="yarn", params=params).softmax_factor()
    return [found], [(0.1 * 0.7 * math.log(8) + 1) ** 2]


# as in test_docstring_formulas: what stands in whose docstring, lines joined, and both sides of it
PRINTED = [
    *printed("scores", globals()),
    (lib.axis_frequencies, r"F_{ai} = \theta_i",
     lambda: (lib.axis_frequencies(FREQ, (1, 1)).flatten().tolist(), [1.0, 0, 0, 0.3])),
    (lib.decay_integral, r"\int_0^1\cos(x b^{-t})dt = \frac{\mathrm{Ci}(x)-\mathrm{Ci}(x/b)}{\ln b}",
     lambda: integral("real")),
    (lib.decay_integral, r"(\mathrm{Si}(x)-\mathrm{Si}(x/b))/\ln b", lambda: integral("imag")),
    (lib.sinusoidal, r"\|PE(p)\|^2 = d/2", lambda: (encodings(5, 5)[0], [6 / 2])),
    (lib.sinusoidal, r"\langle PE(p), PE(p')\rangle = \sum_i \cos((p-p')\theta_i)", lambda: encodings(5, 9)),
    (lib.sample_inv_freq, r"\theta_i = \theta(t_i)",
     lambda: (lib.sample_inv_freq(lambda t: t**2, 8).tolist(), [(i / 4) ** 2 for i in range(4)])),
    (lib.sample_inv_freq, r"t_i = i/N",
     lambda: (lib.sample_inv_freq(lambda t: t, 8).tolist(), [i / 4 for i in range(4)])),
    (lib.sample_inv_freq, r"(i+\tfrac12)/N",
     lambda: (lib.sample_inv_freq(lambda t: t, 8, midpoint=True).tolist(),
              [(i + 0.5) / 4 for i in range(4)])),
    (lib.RotarySpec, r"\theta_i = \mathrm{base}^{-2i/r}",
     lambda: (lib.RotarySpec(8, 50.0, rotary_dim=4).inv_freq().tolist(), [1.0, 50 ** (-2 / 4)])),
    (lib.RotarySpec.wavelengths, r"2\pi/\theta_i",
     lambda: (lib.RotarySpec(4).wavelengths().tolist(), [2 * math.pi, 200 * math.pi])),
]  # fmt: skip


@pytest.mark.parametrize(
    ("thing", "formula", "sides"), PRINTED, ids=[f"{t.__qualname__}: {f}" for t, f, _ in PRINTED]
)
def test_what_is_printed_is_what_is_computed(thing, formula, sides):
    said = joined(inspect.getdoc(thing))
    assert formula in said, "the formula reads otherwise: write both anew, side by side"
    found, expected = sides()
    assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


#: What is no statement about the result: a range, a choice of the caller, or a reading beside the formula.
ASIDE = {
    "inv_freq": {"i = 0, …, d/2-1"},
    "KerpleLog": {"r_1, r_2 > 0"},
    "KerplePower": {"r_1 > 0", "0 < r_2 < 2"},
    "Sandwich": {r"|m-n| \approx b"},
    "t5_buckets": {r"e = \lfloor S/2\rfloor"},
    "forgetting_bias": {"0 < f_l \\le 1", r"f = \sigma(w^\top x + b)", "f = e^{-s}"},
}


def stated(text):
    """The formulas of a docstring that state something: they hold a relation."""
    found = re.findall(r":math:`([^`]+)`", text)
    found += re.findall(r"\.\. math:: (.+?)(?:\n\s*\n|\Z)", text, re.DOTALL)
    return {joined(f) for f in found if re.search(r"[=<>]|\\(?:le|ge|to|mapsto|approx)\b", _below(f))}


def _below(formula):
    """Without limits of sums and other indices, where a relation states nothing."""
    return re.sub(r"_\{[^{}]*\}", "", formula)


def documented():
    for name in lib.__all__:
        thing = getattr(lib, name)
        yield name, inspect.getdoc(thing) or ""
        if inspect.isclass(thing):
            own = ((n, m) for n, m in vars(thing).items() if callable(m) and not n.startswith("_"))
            yield from ((f"{name}.{n}", inspect.getdoc(m) or "") for n, m in own)


def test_every_formula_of_a_public_docstring_is_computed_here_or_states_nothing():
    written = {}
    for thing, formula, _ in [*PRINTED, *MORE]:
        written.setdefault(thing.__qualname__, []).append(formula)
    left = {
        name: {f for f in stated(said) if not any(w in f for w in written.get(name, []))}
        for name, said in documented()
        if callable(getattr(lib, name.partition(".")[0]))
    }
    assert {name: formulas for name, formulas in left.items() if formulas} == ASIDE


def test_a_relation_is_seen_and_an_index_is_none():
    assert stated(r"It is :math:`a = b`, :math:`\sum_{i=1}^n a_i`, :math:`x \to y`.") == {"a = b", r"x \to y"}
    assert stated("It is\n\n.. math:: a\n          = b\n\nhere.") == {"a = b"}
