"""Gradients, torch.func, torch.compile, autocast, inference mode, and everything done to modules."""

import gc
import weakref

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from whole_runs import WHOLE_RUNS, sample, whole_runs

import posenc_lib as lib
from posenc_lib.hf import rotary_layer
from posenc_lib.rotary.engine import autograd as rules

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def tables(dim=8, seq=5, dtype=F64, device="cpu"):
    return lib.cos_sin(lib.inv_freq(dim), torch.arange(seq, device=device), dtype=dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("width", "seq_dim"), [(6, -2), (8, -3)])
def test_gradients_of_vectors_and_tables(layout, width, seq_dim, device):
    cotangent = torch.randn(2, 3, 3, width, dtype=F64, device=device)
    values = [v.requires_grad_() for v in (torch.randn_like(cotangent), *tables(6, 3, device=device))]

    def function(x, *tables):
        return (lib.apply_rotary(x, *tables, layout=layout, seq_dim=seq_dim) * cotangent).square()

    assert gradcheck(function, values, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, values, fast_mode=True)
    fixed = [table.detach() for table in values[1:]]
    assert gradcheck(lambda x: function(x, *fixed), values[:1], check_batched_grad=True)


@pytest.mark.parametrize("moved", [(0,), (1,), (2,), (0, 1, 2)], ids=["x", "cos", "sin", "all"])
@pytest.mark.parametrize("width", [8, 10])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_forward_derivatives_by_the_rule_of_the_rotation(layout, width, moved, device, monkeypatch):
    """The rule is for large tensors: smaller ones are differentiated operation by operation."""
    torch.manual_seed(0)
    values = torch.randn(2, 2, 5, width, dtype=F64, device=device), *tables(device=device)
    tangents = tuple(torch.randn_like(v) * (i in moved) for i, v in enumerate(values))
    seen, rule = [], rules._Rotate.jvp
    monkeypatch.setattr(rules._Rotate, "jvp", staticmethod(lambda *a: seen.append(1) or rule(*a)))
    expected = torch.func.jvp(lambda *v: lib.apply_rotary(*v, layout=layout), values, tangents)
    assert not seen
    monkeypatch.setattr(rules, "is_small", lambda x: False)
    with torch.autograd.forward_ad.dual_level():
        pairs = zip(values, tangents, strict=True)
        given = [torch.autograd.forward_ad.make_dual(v, t) if t.any() else v for v, t in pairs]
        got = torch.autograd.forward_ad.unpack_dual(lib.apply_rotary(*given, layout=layout))
    assert seen
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-14, check_stride=False)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_through_the_in_place_form(layout):
    cos, sin = tables()

    def function(q, k):
        return lib.apply_rotary_qk(q * 1, k * 2, cos, sin, layout=layout, inplace=True)

    q, k = (torch.randn(batch, 5, 8, dtype=F64, requires_grad=True) for batch in (2, 1))
    assert gradcheck(function, (q, k))
    assert gradgradcheck(function, (q, k), fast_mode=True)


@pytest.mark.parametrize("trained", [(0,), (1,), (0, 1)], ids=["cos", "sin", "both"])
def test_tables_that_train_do_not_lose_their_gradient_in_place_without_a_word(trained):
    """Their gradient is computed from what would be overwritten; without gradients nothing is lost."""
    x = torch.randn(2, 2, 5, 8, dtype=F64, requires_grad=True)
    given = [table.requires_grad_(i in trained) for i, table in enumerate(tables())]
    with pytest.raises(ValueError, match=f"the gradient of {'cos' if 0 in trained else 'sin'} is computed"):
        lib.apply_rotary_qk(x * 1, torch.zeros_like(x), *given, inplace=True)
    with torch.no_grad():
        q, _ = lib.apply_rotary_qk(x * 1, torch.zeros_like(x), *given, inplace=True)
        torch.testing.assert_close(q, lib.apply_rotary(x, *given), rtol=0, atol=1e-14)


def test_in_place_refuses_a_leaf_and_spoils_saved_tensors_loudly():
    leaf, other = torch.randn(5, 8, dtype=F64, requires_grad=True), torch.randn(5, 8, dtype=F64)
    for q, k, name in ((leaf, other, "q"), (other, leaf, "k"), (leaf[:2], other[:2], "q")):
        at = tuple(table[: len(q)] for table in tables())
        with pytest.raises(ValueError, match=f"would overwrite {name}, a leaf that requires gradients"):
            lib.apply_rotary_qk(q, k, *at, inplace=True)
    with torch.no_grad():
        expected = lib.apply_rotary(leaf, *tables())
        assert torch.equal(lib.apply_rotary_qk(leaf, other.clone(), *tables(), inplace=True)[0], expected)
    q = leaf * 1
    squared = q.square()  # keeps q for its backward
    lib.apply_rotary_qk(q, other, *tables(), inplace=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        squared.sum().backward()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_backward_is_the_inverse_rotation(layout, device):
    cos, sin = tables(64, 700, torch.float32, device)
    x = torch.randn(1, 8, 700, 64, device=device, requires_grad=True)
    cotangent = torch.randn_like(x)
    lib.apply_rotary(x, cos, sin, layout=layout).backward(cotangent)
    expected = lib.apply_rotary(cotangent, cos, sin, layout=layout, inverse=True)
    torch.testing.assert_close(x.grad, expected, rtol=0, atol=1e-6)


def test_nothing_but_the_tables_is_kept_for_backward():
    cos, sin = tables()
    x = torch.randn(2, 5, 8, dtype=F64, requires_grad=True) * 1
    alive = weakref.ref(x)
    y = lib.apply_rotary(x, cos, sin)
    del x
    gc.collect()
    assert alive() is None
    assert y.requires_grad


def one_graph(function, inputs_of, lengths, **given):
    """Compiled whole, the function gives what it gives in eager mode at every length, by one graph."""
    graphs = []
    compiled = torch.compile(function, backend=lambda g, _: graphs.append(g) or g, fullgraph=True, **given)
    for length in lengths:
        inputs = inputs_of(length)
        for x in inputs:
            if isinstance(x, torch.Tensor) and not given:
                torch._dynamo.mark_dynamic(x, max(x.ndim - 2, 0))
        torch.testing.assert_close(compiled(*inputs), function(*inputs), rtol=1e-5, atol=1e-5)
    assert len(graphs) == 1


def three(seq, width=8):
    return [torch.randn(1, 2, seq, width) for _ in range(3)]


def trained(seq):
    q, k = (torch.randn(2, heads, seq, 8, requires_grad=True) for heads in (4, 2))
    return [q, k, *tables(8, seq, torch.float32)]


def in_place(q, k, *tables):
    return lib.apply_rotary_qk(q.clone(), k.clone(), *tables, inplace=True)


def attending(encoding):
    return lambda q, k, v: lib.attention(q, k, v, encoding, causal=True)


def doubled(table):
    return torch.cat((table, table), -1)[None]


ROPE, ROPE_64 = lib.RotaryEmbedding(8), lib.RotaryEmbedding(64)
SEVERAL_AXES = lib.RotaryEmbedding(8, sections=(2, 1, 1), sections_interleaved=True)
SLOT = rotary_layer()()
# Sums are unrolled by compilers: short ones do.
BIASES = [lib.T5Bias(2), lib.FIRE(2, width=4)]
BIASES += [lib.ALiBi(2), lib.KerpleLog(2), lib.KerplePower(2), lib.Sandwich(2, dim=6)] if WHOLE_RUNS else []
# Entry points that take a whole sequence, by what they take: those of one kind are traced as one function.
WHOLE_SEQUENCES = {
    "queries, keys and values": (
        three,
        *map(attending, [None, ROPE, lib.RelativeAttention(8, 3), *BIASES]),
        lambda *x: lib.dual_chunk_attention(*x, ROPE, chunk_size=30, local_size=7),
        lambda k, *_: lib.rerotate(k, 3, lib.inv_freq(8)),
        lambda q, k, _: SEVERAL_AXES(q, k, torch.arange(q.shape[-2]).expand(3, 1, -1)),
    ),
    "tokens": (
        lambda seq: [torch.randn(1, seq, 8)],
        lib.MultiHeadAttention(8, 2, lib.RotaryEmbedding(4)),
        lib.SinusoidalEncoding(8),
        lib.LearnedEncoding(256, 8),
        lib.LinearEncoding(8),
    ),
    "tables": (
        lambda seq: [*three(seq), *tables(8, seq, torch.float32)],
        lib.linear_attention,
        lambda *x: lib.linear_attention(*x, causal=True),
        lambda q, k, _, *tables: lib.apply_rotary_qk(q, k, *tables),
        lambda q, k, _, *tables: lib.apply_rotary_qk(q, k, *tables, layout="interleaved"),
        lambda q, k, _, *tables: in_place(q, k, *tables),
        lambda q, k, _, *tables: lib.apply_rotary_pos_emb(q, k, *map(doubled, tables)),
        lambda q, k, _, *tables: SLOT(q, k, *map(doubled, tables)),
    ),
    "positions": (lambda seq: [torch.arange(seq)], lambda m: lib.cos_sin_xpos(lib.inv_freq(8), m)[1][0]),
    "gradients": (trained, lib.apply_rotary_qk),
}
# Small to large: what eager code does differently from some size on leaves no condition in a graph.
GROWING = [
    lambda x: ROPE_64(x, x)[0],
    lambda x: in_place(x, x, *lib.cos_sin(lib.inv_freq(64), torch.arange(x.shape[-2])))[0],
    lib.SinusoidalEncoding(64),
]


def number(q, k, ladder, *heads):
    """What tables turn, given ones and those of a ladder, and linear attention with its sums."""
    own = lib.cos_sin(ladder, torch.arange(6), dtype=F64)
    turned = *lib.apply_rotary_qk(q, k, *tables(8, 6)), lib.apply_rotary(k, *own)
    given = {"layout": "interleaved", "causal": True, "return_state": True}
    out, state = lib.linear_attention(*heads, *tables(8, 70), **given)
    return sum(x.pow(3).sum() for x in turned) + out.pow(2).sum() + state.kv.sum() + state.z.sum()


@pytest.mark.usefixtures("fresh_compiler")
class TestCompile:
    @pytest.mark.parametrize("kind", WHOLE_SEQUENCES)
    def test_every_entry_point_is_one_graph_for_all_lengths(self, kind):
        inputs_of, *functions = WHOLE_SEQUENCES[kind]
        with torch.set_grad_enabled(kind == "gradients"):
            one_graph(lambda *x: [f(*x) for f in functions], inputs_of, (7, 65, 200, 2))

    @torch.no_grad()
    @whole_runs
    def test_one_graph_from_short_to_long(self):
        one_graph(lambda x: [f(x) for f in GROWING], lambda seq: [torch.randn(1, 1, seq, 64)], (7, 40000))

    @pytest.mark.parametrize("learnable", sample([True, False], 2))
    def test_module_is_one_graph_for_all_lengths_and_offsets(self, learnable):
        rope = lib.RotaryEmbedding(8, learnable=learnable)
        offsets = {7: 2, 12: 3, 31: 100}
        one_graph(
            lambda q, k, offset: rope(q, k, offset=offset),
            lambda seq: [*three(seq)[:2], offsets[seq]], offsets, dynamic=True
        )  # fmt: skip

    def test_gradients_agree_through_aot_autograd(self):
        torch.manual_seed(0)
        sizes = [(2, 4, 6, 8), (2, 2, 6, 8), (4,), *[(1, 2, 70, 8)] * 3]
        leaves = [torch.randn(size, dtype=F64, requires_grad=True) for size in sizes]
        compiled = torch.compile(number, backend="aot_eager", fullgraph=True)
        got, expected = (torch.autograd.grad(f(*leaves), leaves) for f in (compiled, number))
        torch.testing.assert_close(got, expected, rtol=1e-10, atol=1e-11)

    def test_generated_code_agrees_in_bfloat16(self):
        q, k = (torch.randn(1, heads, 33, 16).bfloat16() for heads in (4, 2))
        given = q, k, *tables(16, 33, torch.float32)

        def turned(*x):
            return [lib.apply_rotary_qk(*x, layout=layout) for layout in LAYOUTS]

        # a fused multiply-add moves the float32 value by an ulp, which may tip one bfloat16 rounding
        got = torch.compile(turned, fullgraph=True)(*given)
        torch.testing.assert_close(got, turned(*given), rtol=2**-8, atol=1e-6)
