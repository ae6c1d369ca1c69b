"""The formula in a docstring is what the function computes; and none is left aside.

``test_docstring_formulas.yml`` says by whom each is computed: a test whose oracle is this formula, or a
function here, which gives both sides at one point: what the library gives, and the formula in plain Python.
"""

import inspect
import math
import re
from itertools import product
from pathlib import Path

import pytest
import torch
import yaml

import posenc_lib as lib
import posenc_lib.analysis as study
from posenc_lib.rotary.scaling import rules, yarn

F64 = torch.float64
PUBLIC = {name: getattr(home, name) for home in (lib, study) for name in home.__all__}
torch_rows = torch.Generator().manual_seed(7)
Q, K = (torch.randn(1, 1, 5, 4, generator=torch_rows, dtype=F64) for _ in range(2))
QS, KS = (x[0, 0].tolist() for x in (Q, K))
TWO = [torch.cat((x[0].flip(-1), x[0])) for x in (Q, K)]  # of two heads
PAIRS = list(product(range(2), range(2, 5), range(5)))  # every head, query from the third on, and key
LADDER = [1.0, 0.3]
FREQ = torch.tensor(LADDER, dtype=F64)
AT = torch.arange(5)
M, N = 3, 1  # the query and the key that are written out


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def plus(x, y):
    return [a + b for a, b in zip(x, y, strict=True)]


def turns(position):
    return [complex(math.cos(position * t), math.sin(position * t)) for t in LADDER]


def parts(numbers):
    return [part for z in numbers for part in (z.real, z.imag)]


def planes(m, n):
    return [complex(QS[m][i], QS[m][i + 2]) * complex(KS[n][i], -KS[n][i + 2]) for i in range(2)]


def table(*shape):
    return torch.linspace(-1, 1, math.prod(shape), dtype=F64).view(shape) ** 3


def midpoints():
    return lib.midpoint_inv_freq(6, 50.0).tolist(), [50 ** (-(2 * i + 1) / 6) for i in range(3)]


def sampled():
    left, middle = (lib.sample_inv_freq(lambda t: t**2, 8, midpoint=half).tolist() for half in (False, True))
    return left + middle, [((i + half) / 4) ** 2 for half in (0, 0.5) for i in range(4)]


def ladder_of_a_part():
    return lib.RotarySpec(8, 50.0, rotary_dim=4).inv_freq().tolist(), [1.0, 50 ** (-2 / 4)]


def scale_of_deepseek():
    params = {"factor": 8.0, "original_max_position_embeddings": 64, "mscale_all_dim": 0.7}
    squared = lib.RotarySpec(8, scaling="yarn", params=params).softmax_factor()
    m = 0.1 * 0.7 * math.log(8) + 1
    return [yarn.yarn_mscale(8.0, 0.7), squared], [m, m**2]


def xpos():
    given = {"scale_base": 5.0, "center": 3, "gamma": 0.4, "dtype": F64}
    tables = lib.cos_sin_xpos(FREQ, torch.tensor(7), **given)
    found = [z for cos, sin in tables for z in torch.complex(cos, sin).tolist()]
    zeta = [(i / 2 + 0.4) / 1.4 for i in range(2)]
    sizes = [z**e for e in ((7 - 3) / 5, -(7 - 3) / 5) for z in zeta]
    expected = [s * z for s, z in zip(sizes, turns(7) * 2, strict=True)]
    return parts(found), parts(expected)


def axes():
    frequencies, at = torch.tensor([[1.0, 0.0], [0.5, 0.2]], dtype=F64), torch.tensor([[3], [4]])
    found = torch.stack(lib.cos_sin_axes(frequencies, at, attention_factor=2.0, dtype=F64)).flatten().tolist()
    return found, [2 * f(a) for f in (math.cos, math.sin) for a in (3 * 1.0 + 4 * 0.5, 4 * 0.2)]


def one_axis_a_plane():
    return lib.axis_frequencies(FREQ, (1, 1)).flatten().tolist(), [1.0, 0, 0, 0.3]


def quarter():
    x = Q[0, 0, 0]
    one = FREQ[:1].repeat(2)
    cos, sin = (f(5 * one).repeat(2) for f in (torch.cos, torch.sin))
    found = lib.apply_rotary(x, *lib.cos_sin(one, torch.tensor(5), dtype=F64))
    return found.tolist(), (cos * x + sin * lib.rotate_half(x)).tolist()


def matrices():
    r0, r2, r3, r5, back = (lib.rotation_matrix(FREQ, m) for m in (0, 2, 3, 5, -2))
    found, expected = torch.stack([r0, r2 @ r3, r2.T]), torch.stack([torch.eye(4).double(), r5, back])
    return found.flatten().tolist(), expected.flatten().tolist()


def shift_entries():
    c, s = math.cos(3), math.sin(3)
    return lib.shift_matrix(3, FREQ[:1]).flatten().tolist(), [c, s, -s, c]


def shift_is_a_turn():
    back = lib.rotation_matrix(FREQ, -3, "interleaved")
    return lib.shift_matrix(3, FREQ).flatten().tolist(), back.flatten().tolist()


def encodings():
    one, two = lib.sinusoidal(torch.tensor([5, 9]), 6, 50.0, dtype=F64)
    cosines = [math.cos((5 - 9) * 50 ** (-2 * i / 6)) for i in range(3)]
    return [float(one @ one), float(one @ two)], [6 / 2, sum(cosines)]


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
        return max(0, min(3, m - n + 2))

    found = lib.disentangled_scores(TWO[0][None, :, 2:], TWO[1][None], *given[2:], AT[2:], AT)
    return found.flatten().tolist(), [
        dot(q[h][m], k[h][n]) + dot(q[h][m], of_k[h][row(m, n)]) + dot(k[h][n], of_q[h][row(n, m)])
        for h, m, n in PAIRS
    ]


def kernel():
    return [study.decay_kernel(torch.tensor(5), FREQ).item()], [sum(math.cos(5 * t) for t in LADDER) / 2]


def sums():
    return parts(study.partial_sums(torch.tensor(5), FREQ).tolist()), parts([turns(5)[0], sum(turns(5))])


def abel():
    """Rows where the step to h_N = 0 is the largest, and rows where another one is."""
    steps = [max(abs(h[1] - h[0]), abs(h[1])) for h in map(planes, range(5), range(5))]
    sums = sum(abs(sum(turns(7)[:j])) for j in (1, 2))
    return study.abel_bound(Q[0, 0], K[0, 0], torch.tensor(7), FREQ).tolist(), [step * sums for step in steps]


def products():
    return parts(study.plane_products(Q[0, 0, M], K[0, 0, N]).tolist()), parts(planes(M, N))


def trivial():
    return [study.trivial_bound(Q[0, 0, M], K[0, 0, N]).item()], [sum(map(abs, planes(M, N)))]


def gram():
    return [study.gram(Q[0, 0])[M, N].item()], [dot(QS[M], QS[N])]


def joined(text):
    return " ".join(text.split())


def named(name):
    head, _, attribute = name.partition(".")
    thing = {"rules": rules, "yarn": yarn}.get(head) or PUBLIC[head]
    return getattr(thing, attribute) if attribute else thing


TABLE = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
# What stands in whose docstring, lines joined, and who computes it.
PRINTED = [(named(name), joined(f), by) for name, rows in TABLE.items() for f, by in rows.items()]


@pytest.mark.parametrize(
    ("thing", "formula", "by"), PRINTED, ids=[f"{t.__qualname__}: {f}" for t, f, _ in PRINTED]
)
def test_what_is_printed_is_what_is_computed(thing, formula, by):
    said = joined(inspect.getdoc(thing))
    assert formula in said, "the formula reads otherwise: write it anew, and look at what computes it"
    file, _, oracle = by.rpartition("::")
    if file:
        code = (Path(__file__).parent / file).read_text(encoding="utf-8")
        assert re.search(rf"^(def|class) {oracle}\b", code, re.MULTILINE), f"no {oracle} in {file}"
    else:
        found, expected = globals()[oracle]()
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
    for name, thing in PUBLIC.items():
        yield name, inspect.getdoc(thing) or ""
        if inspect.isclass(thing):
            own = ((n, m) for n, m in vars(thing).items() if callable(m) and not n.startswith("_"))
            yield from ((f"{name}.{n}", inspect.getdoc(m) or "") for n, m in own)


def test_every_formula_of_a_public_docstring_is_computed_here_or_states_nothing():
    written = {}
    for thing, formula, _ in PRINTED:
        written.setdefault(thing.__qualname__, []).append(formula)
    left = {
        name: {f for f in stated(said) if not any(w in f for w in written.get(name, []))}
        for name, said in documented()
    }
    left = {name: formulas for name, formulas in left.items() if formulas}
    assert left == ASIDE, "say in test_docstring_formulas.yml who computes it, or in ASIDE that nobody does"


def test_a_relation_is_seen_and_an_index_is_none():
    assert stated(r"It is :math:`a = b`, :math:`\sum_{i=1}^n a_i`, :math:`x \to y`.") == {"a = b", r"x \to y"}
    assert stated("It is\n\n.. math:: a\n          = b\n\nhere.") == {"a = b"}
