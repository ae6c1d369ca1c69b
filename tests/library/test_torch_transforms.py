"""Gradients, torch.func, torch.compile, autocast, inference mode, and everything done to modules."""

import gc
import weakref

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

import posenc_lib as lib
from posenc_lib.rotary.engine import autograd as rules

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def tables(dim=8, seq=5, dtype=F64, device="cpu"):
    return lib.cos_sin(lib.inv_freq(dim), torch.arange(seq, device=device), dtype=dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("width", [6, 8])
def test_gradients_of_x(layout, width, device):
    cos, sin = tables(6, device=device)
    x = torch.randn(2, 2, 5, width, dtype=F64, device=device, requires_grad=True)
    cotangent = torch.randn(2, 2, 5, width, dtype=F64, device=device)

    def function(x):
        return (lib.apply_rotary(x, cos, sin, layout=layout) * cotangent).square()

    assert gradcheck(function, x, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, x)


@pytest.mark.parametrize("moved", [(0,), (1,), (2,), (0, 1, 2)], ids=["x", "cos", "sin", "all"])
@pytest.mark.parametrize("width", [8, 10])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_forward_derivatives_by_the_rule_of_the_rotation(layout, width, moved, device, monkeypatch):
    """The rule is for tensors above TILE: smaller ones are differentiated operation by operation."""
    monkeypatch.setattr(rules, "TILE", 0)
    seen = []
    rule = rules._Rotate.jvp
    monkeypatch.setattr(rules._Rotate, "jvp", staticmethod(lambda *a: seen.append(1) or rule(*a)))
    torch.manual_seed(0)
    values = [torch.randn(2, 2, 5, width, dtype=F64, device=device), *tables(device=device)]
    tangents = [torch.randn_like(v) if i in moved else torch.zeros_like(v) for i, v in enumerate(values)]

    def by_pairs(x, cos, sin):
        sizes, axis = ((2, 4), -2) if layout == "half" else ((4, 2), -1)
        a, b = x[..., :8].unflatten(-1, sizes).unbind(axis)
        pair = a * cos - b * sin, a * sin + b * cos
        rotated = torch.stack(pair, axis).flatten(-2)
        return torch.cat((rotated, x[..., 8:]), -1)

    expected = torch.func.jvp(by_pairs, tuple(values), tuple(tangents))
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
        q, k = q * 1, k * 2
        return lib.apply_rotary_qk(q, k, cos, sin, layout=layout, inplace=True)

    q = torch.randn(2, 5, 8, dtype=F64, requires_grad=True)
    k = torch.randn(1, 5, 8, dtype=F64, requires_grad=True)
    assert gradcheck(function, (q, k))
    assert gradgradcheck(function, (q, k))


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


@pytest.mark.parametrize("layout", LAYOUTS)
class TestFunc:
    def test_vmap_over_x_and_over_tables(self, layout):
        cos, sin = tables()
        x = torch.randn(3, 5, 8, dtype=F64)
        expected = lib.apply_rotary(x, cos, sin, layout=layout)
        got = torch.func.vmap(lambda x: lib.apply_rotary(x, cos, sin, layout=layout))(x)
        torch.testing.assert_close(got, expected, rtol=0, atol=1e-14)
        shifts = torch.arange(3)[:, None] + torch.arange(5)
        batched = lib.cos_sin(lib.inv_freq(8), shifts, dtype=F64)
        rows = torch.func.vmap(lambda x, c, s: lib.apply_rotary(x, c, s, layout=layout))(x, *batched)
        alone = [lib.apply_rotary(*row, layout=layout) for row in zip(x, *batched, strict=True)]
        torch.testing.assert_close(rows, torch.stack(alone), rtol=0, atol=1e-14)

    def test_jacobian_is_the_rotation(self, layout):
        cos, sin = tables(seq=1)
        x = torch.randn(1, 8, dtype=F64)
        forward = torch.func.jacfwd(lambda x: lib.apply_rotary(x, cos, sin, layout=layout))(x)
        reverse = torch.func.jacrev(lambda x: lib.apply_rotary(x, cos, sin, layout=layout))(x)
        torch.testing.assert_close(forward, reverse, rtol=0, atol=1e-14)
        expected = lib.apply_rotary(x, cos, sin, layout=layout)[0]
        torch.testing.assert_close(forward[0, :, 0] @ x[0], expected, rtol=0, atol=1e-14)

    def test_forward_over_reverse_in_theta(self, layout):
        x, theta = torch.randn(5, 8, dtype=F64), lib.inv_freq(8)

        def loss(theta):
            return (
                lib.apply_rotary(x, *lib.cos_sin(theta, torch.arange(5), dtype=F64), layout=layout)
                .pow(3)
                .sum()
            )

        hessian = torch.func.hessian(loss)(theta)
        twice = torch.func.jacrev(torch.func.jacrev(loss))(theta)
        torch.testing.assert_close(hessian, twice, rtol=1e-12, atol=1e-12)
        assert hessian.abs().sum() > 0

    def test_per_sample_gradients(self, layout):
        cos, sin = tables()
        x = torch.randn(3, 5, 8, dtype=F64)
        gradient = torch.func.grad(lambda x: lib.apply_rotary(x, cos, sin, layout=layout).pow(2).sum())
        torch.testing.assert_close(torch.func.vmap(gradient)(x), 2 * x, rtol=0, atol=1e-14)  # norms are kept


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


def embedded(seq):
    return [torch.randn(1, seq, 8)]


def with_tables(seq):
    return [*three(seq), *tables(8, seq, torch.float32)]


def qk_with_tables(seq, grad=False):
    q, k = (torch.randn(2, heads, seq, 8, requires_grad=grad) for heads in (4, 2))
    return [q, k, *tables(8, seq, torch.float32)]


def qk_with_wide_tables(seq):
    q, k, *both = qk_with_tables(seq)
    return [q, k, *(torch.cat((t, t), -1)[None] for t in both)]


def in_place(q, k, *tables):
    return lib.apply_rotary_qk(q.clone(), k.clone(), *tables, inplace=True)


def attending(encoding):
    return (lambda q, k, v: lib.attention(q, k, v, encoding, causal=True), three)


ROPE, ROPE_64 = lib.RotaryEmbedding(8), lib.RotaryEmbedding(64)
# Entry points that take a whole sequence: the function, and its inputs for a length.
WHOLE_SEQUENCES = {
    "attention": attending(None),
    "rotary": attending(ROPE),
    "Shaw": attending(lib.RelativeAttention(8, 3)),
    **{name: attending(kind(2)) for name, kind in lib.BIASES.items()},
    "multi-head": (lib.MultiHeadAttention(8, 2, lib.RotaryEmbedding(4)), embedded),
    "sinusoidal": (lib.SinusoidalEncoding(8), embedded),
    "learned": (lib.LearnedEncoding(256, 8), embedded),
    "linear positions": (lib.LinearEncoding(8), embedded),
    "dual chunk": (lambda *x: lib.dual_chunk_attention(*x, ROPE, chunk_size=30, local_size=7), three),
    "linear attention": (lambda *x: lib.linear_attention(*x), with_tables),
    "linear attention, causal": (lambda *x: lib.linear_attention(*x, causal=True), with_tables),
    "xPos": (lambda m: lib.cos_sin_xpos(lib.inv_freq(8), m)[1][0], lambda seq: [torch.arange(seq)]),
    "rerotate": (lambda k, *_: lib.rerotate(k, 3, lib.inv_freq(8)), three),
    "half": (lambda *x: lib.apply_rotary_qk(*x, layout="half"), qk_with_tables),
    "interleaved": (lambda *x: lib.apply_rotary_qk(*x, layout="interleaved"), qk_with_tables),
    "with gradients": (lambda *x: lib.apply_rotary_qk(*x), lambda seq: qk_with_tables(seq, True)),
    "in place": (
        lambda q, k, *t: lib.apply_rotary_qk(q.clone(), k.clone(), *t, inplace=True),
        qk_with_tables,
    ),
    "doubled tables": (lambda *x: lib.apply_rotary_pos_emb(*x), qk_with_wide_tables),
}
# Small to large: what eager code does differently from some size on leaves no condition in a graph.
GROWING = {
    "rotary": lambda x: ROPE_64(x, x)[0],
    "in place": lambda x: lib.apply_rotary_qk(
        x.clone(), x.clone(), *lib.cos_sin(lib.inv_freq(64), torch.arange(x.shape[-2])), inplace=True
    )[0],
    "sinusoidal": lib.SinusoidalEncoding(64),
}


def linear_sums(q, k, v):
    given = {"layout": "interleaved", "causal": True, "return_state": True}
    out, state = lib.linear_attention(q, k, v, *tables(8, 70), **given)
    return out.pow(2).sum() + state.kv.sum() + state.z.sum()


def cubes(*turned):
    return sum(x.pow(3).sum() for x in turned)


def turned_cubes(q, k):
    return cubes(*lib.apply_rotary_qk(q, k, *tables(8, 6)))


def cubes_by_ladder(x, ladder):
    return cubes(lib.apply_rotary(x, *lib.cos_sin(ladder, torch.arange(6), dtype=F64)))


# A number, and the sizes of what it is differentiated by.
DIFFERENTIATED = {
    "queries and keys": (turned_cubes, [(2, 4, 6, 8), (2, 2, 6, 8)]),
    "frequencies": (cubes_by_ladder, [(2, 6, 8), (4,)]),
    "linear attention": (linear_sums, [(1, 2, 70, 8)] * 3),
}


@pytest.mark.usefixtures("fresh_compiler")
class TestCompile:
    @pytest.mark.parametrize("name", WHOLE_SEQUENCES)
    def test_every_entry_point_is_one_graph_for_all_lengths(self, name):
        with torch.set_grad_enabled(name == "with gradients"):
            one_graph(*WHOLE_SEQUENCES[name], (7, 65, 64, 200, 2))

    @pytest.mark.parametrize("name", GROWING)
    @torch.no_grad()
    def test_one_graph_from_short_to_long(self, name):
        one_graph(GROWING[name], lambda seq: [torch.randn(1, 1, seq, 64)], (7, 40000))

    @pytest.mark.parametrize("learnable", [False, True])
    def test_module_is_one_graph_for_all_lengths_and_offsets(self, learnable):
        rope = lib.RotaryEmbedding(8, learnable=learnable)
        offsets = {7: 2, 12: 3, 31: 100}
        one_graph(
            lambda q, k, offset: rope(q, k, offset=offset),
            lambda seq: [*three(seq)[:2], offsets[seq]], offsets, dynamic=True
        )  # fmt: skip

    @pytest.mark.parametrize("name", DIFFERENTIATED)
    def test_gradients_agree_through_aot_autograd(self, name):
        torch.manual_seed(0)
        function, sizes = DIFFERENTIATED[name]
        leaves = [torch.randn(size, dtype=F64, requires_grad=True) for size in sizes]
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        got, expected = (torch.autograd.grad(f(*leaves), leaves) for f in (compiled, function))
        torch.testing.assert_close(got, expected, rtol=1e-10, atol=1e-11)

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_generated_code_agrees_in_bfloat16(self, layout):
        q, k = (torch.randn(1, heads, 33, 16).bfloat16() for heads in (4, 2))
        given = q, k, *tables(16, 33, torch.float32)
        compiled = torch.compile(lib.apply_rotary_qk, fullgraph=True)
        got, expected = (f(*given, layout=layout) for f in (compiled, lib.apply_rotary_qk))
        # a fused multiply-add moves the float32 value by an ulp, which may tip one bfloat16 rounding
        torch.testing.assert_close(got, expected, rtol=2**-8, atol=1e-6)


class TestModes:
    def test_no_grad_keeps_nothing(self):
        q = torch.randn(2, 5, 8, requires_grad=True)
        with torch.no_grad():
            assert not lib.apply_rotary(q, *tables(dtype=torch.float32)).requires_grad


class TestModuleState:
    def test_training_reaches_frequencies_through_every_scaling(self):
        original = {"factor": 2.0, "original_max_position_embeddings": 8}
        llama3 = {**original, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
        factor = {"factor": 2.0}
        rules = {"default": {}, "linear": factor, "ntk": factor, "dynamic": original, "yarn": original}
        for scaling, params in (rules | {"llama3": llama3}).items():
            spec = lib.RotarySpec(8, scaling=scaling, params=params)
            fixed, rope = lib.RotaryEmbedding(spec), lib.RotaryEmbedding(spec, learnable=True)
            q, k = torch.randn(2, 1, 2, 12, 8, dtype=F64)
            got = rope(q, k, length=16)
            torch.testing.assert_close(got, fixed(q, k, length=16), rtol=0, atol=1e-12)
            (got[0] * got[1]).sum().backward()
            assert bool((rope.frequencies.log_ratio.grad != 0).any()), scaling

    def test_sections_need_one_position_per_axis(self):
        rope = lib.RotaryEmbedding(lib.RotarySpec(16, sections=(4, 2, 2)))
        q = torch.randn(2, 3, 5, 16)
        text = torch.arange(5).expand(3, 2, 5)
        assert torch.equal(rope(q, q, position_ids=text)[0], rope(q, q)[0])
        moved = text.clone()
        moved[1] += 3
        assert not torch.equal(rope(q, q, position_ids=moved)[0], rope(q, q)[0])
        with pytest.raises(ValueError, match="axes"):
            rope(q, q, position_ids=torch.arange(5).expand(2, 5))
