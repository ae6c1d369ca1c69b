"""Gradients, torch.func, torch.compile, autocast, inference mode, and everything done to modules."""

import copy
import gc
import pickle
import weakref

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from posenc_lib import (
    BIASES,
    LearnedEncoding,
    LinearEncoding,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    SinusoidalEncoding,
    apply_rotary,
    apply_rotary_pos_emb,
    apply_rotary_qk,
    attention,
    cos_sin,
    cos_sin_xpos,
    dual_chunk_attention,
    inv_freq,
    linear_attention,
    rerotate,
)
from posenc_lib.rotary.engine import autograd as rules

LAYOUTS = ["half", "interleaved"]
F64 = torch.float64


def tables(dim=8, seq=5, dtype=F64, device="cpu"):
    return cos_sin(inv_freq(dim), torch.arange(seq, device=device), dtype=dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("width", [6, 8])
def test_gradients_of_x(layout, width, device):
    cos, sin = tables(6, device=device)
    x = torch.randn(2, 2, 5, width, dtype=F64, device=device, requires_grad=True)
    cotangent = torch.randn(2, 2, 5, width, dtype=F64, device=device)

    def function(x):
        return (apply_rotary(x, cos, sin, layout=layout) * cotangent).square()

    assert gradcheck(function, x, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, x)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_of_theta_and_x_together(layout):
    x = torch.randn(2, 5, 8, dtype=F64, requires_grad=True)
    theta = inv_freq(8).requires_grad_()
    cotangent = torch.randn(2, 5, 8, dtype=F64)

    def function(x, theta):
        cos, sin = cos_sin(theta, torch.arange(5), dtype=F64, attention_factor=1.3)
        return (apply_rotary(x, cos, sin, layout=layout) * cotangent).square()

    assert gradcheck(function, (x, theta), check_forward_ad=True)
    assert gradgradcheck(function, (x, theta))


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
        turned = x[..., :8]
        a, b = turned.unflatten(-1, (2, 4) if layout == "half" else (4, 2)).unbind(
            -2 if layout == "half" else -1
        )
        pair = a * cos - b * sin, a * sin + b * cos
        rotated = torch.cat(pair, -1) if layout == "half" else torch.stack(pair, -1).flatten(-2)
        return torch.cat((rotated, x[..., 8:]), -1)

    expected = torch.func.jvp(by_pairs, tuple(values), tuple(tangents))
    with torch.autograd.forward_ad.dual_level():
        pairs = zip(values, tangents, strict=True)
        given = [torch.autograd.forward_ad.make_dual(v, t) if t.any() else v for v, t in pairs]
        got = torch.autograd.forward_ad.unpack_dual(apply_rotary(*given, layout=layout))
    assert seen
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-14, check_stride=False)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_through_the_in_place_form(layout):
    cos, sin = tables()

    def function(q, k):
        q, k = q * 1, k * 2
        return apply_rotary_qk(q, k, cos, sin, layout=layout, inplace=True)

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
        apply_rotary_qk(x * 1, torch.zeros_like(x), *given, inplace=True)
    with torch.no_grad():
        q, _ = apply_rotary_qk(x * 1, torch.zeros_like(x), *given, inplace=True)
        torch.testing.assert_close(q, apply_rotary(x, *given), rtol=0, atol=1e-14)


def test_in_place_refuses_a_leaf_and_spoils_saved_tensors_loudly():
    leaf, other = torch.randn(5, 8, dtype=F64, requires_grad=True), torch.randn(5, 8, dtype=F64)
    for q, k, name in ((leaf, other, "q"), (other, leaf, "k"), (leaf[:2], other[:2], "q")):
        at = tuple(table[: len(q)] for table in tables())
        with pytest.raises(ValueError, match=f"would overwrite {name}, a leaf that requires gradients"):
            apply_rotary_qk(q, k, *at, inplace=True)
    with torch.no_grad():
        expected = apply_rotary(leaf, *tables())
        assert torch.equal(apply_rotary_qk(leaf, other.clone(), *tables(), inplace=True)[0], expected)
    q = leaf * 1
    squared = q.square()  # keeps q for its backward
    apply_rotary_qk(q, other, *tables(), inplace=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        squared.sum().backward()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_backward_is_the_inverse_rotation(layout, device):
    cos, sin = tables(64, 700, torch.float32, device)
    x = torch.randn(1, 8, 700, 64, device=device, requires_grad=True)
    cotangent = torch.randn_like(x)
    apply_rotary(x, cos, sin, layout=layout).backward(cotangent)
    expected = apply_rotary(cotangent, cos, sin, layout=layout, inverse=True)
    torch.testing.assert_close(x.grad, expected, rtol=0, atol=1e-6)


def test_nothing_but_the_tables_is_kept_for_backward():
    cos, sin = tables()
    x = torch.randn(2, 5, 8, dtype=F64, requires_grad=True) * 1
    alive = weakref.ref(x)
    y = apply_rotary(x, cos, sin)
    del x
    gc.collect()
    assert alive() is None
    assert y.requires_grad


@pytest.mark.parametrize("layout", LAYOUTS)
class TestFunc:
    def test_vmap_over_x_and_over_tables(self, layout):
        cos, sin = tables()
        x = torch.randn(3, 5, 8, dtype=F64)
        expected = apply_rotary(x, cos, sin, layout=layout)
        got = torch.func.vmap(lambda x: apply_rotary(x, cos, sin, layout=layout))(x)
        torch.testing.assert_close(got, expected, rtol=0, atol=1e-14)
        shifts = torch.arange(3)[:, None] + torch.arange(5)
        batched = cos_sin(inv_freq(8), shifts, dtype=F64)
        rows = torch.func.vmap(lambda x, c, s: apply_rotary(x, c, s, layout=layout))(x, *batched)
        torch.testing.assert_close(
            rows,
            torch.stack([apply_rotary(x[i], batched[0][i], batched[1][i], layout=layout) for i in range(3)]),
            rtol=0,
            atol=1e-14,
        )

    def test_jacobian_is_the_rotation(self, layout):
        cos, sin = tables(seq=1)
        x = torch.randn(1, 8, dtype=F64)
        forward = torch.func.jacfwd(lambda x: apply_rotary(x, cos, sin, layout=layout))(x)
        reverse = torch.func.jacrev(lambda x: apply_rotary(x, cos, sin, layout=layout))(x)
        torch.testing.assert_close(forward, reverse, rtol=0, atol=1e-14)
        expected = apply_rotary(x, cos, sin, layout=layout)[0]
        torch.testing.assert_close(forward[0, :, 0] @ x[0], expected, rtol=0, atol=1e-14)

    def test_forward_over_reverse_in_theta(self, layout):
        x, theta = torch.randn(5, 8, dtype=F64), inv_freq(8)

        def loss(theta):
            return apply_rotary(x, *cos_sin(theta, torch.arange(5), dtype=F64), layout=layout).pow(3).sum()

        hessian = torch.func.hessian(loss)(theta)
        twice = torch.func.jacrev(torch.func.jacrev(loss))(theta)
        torch.testing.assert_close(hessian, twice, rtol=1e-12, atol=1e-12)
        assert hessian.abs().sum() > 0

    def test_per_sample_gradients(self, layout):
        cos, sin = tables()
        x = torch.randn(3, 5, 8, dtype=F64)
        gradient = torch.func.grad(lambda x: apply_rotary(x, cos, sin, layout=layout).pow(2).sum())
        torch.testing.assert_close(
            torch.func.vmap(gradient)(x), 2 * x, rtol=0, atol=1e-14
        )  # the norm is kept


def counting_backend():
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph

    return backend, graphs


def three(seq):
    return [torch.randn(1, 2, seq, 8) for _ in range(3)]


def embedded(seq):
    return [torch.randn(1, seq, 8)]


def with_tables(seq):
    return [*three(seq), *tables(8, seq, torch.float32)]


def attending(encoding):
    return (lambda q, k, v: attention(q, k, v, encoding, causal=True), three)


def dual_chunk(rope):
    return (lambda q, k, v: dual_chunk_attention(q, k, v, rope, chunk_size=30, local_size=7), three)


# Entry points that take a whole sequence: the function, and its inputs for a length.
WHOLE_SEQUENCES = {
    "attention": attending(None),
    "rotary": attending(RotaryEmbedding(RotarySpec(8))),
    "Shaw": attending(RelativeAttention(8, 3)),
    **{name: attending(kind(2)) for name, kind in BIASES.items()},
    "multi-head": (MultiHeadAttention(8, 2, RotaryEmbedding(RotarySpec(4))), embedded),
    "sinusoidal": (SinusoidalEncoding(8), embedded),
    "learned": (LearnedEncoding(256, 8), embedded),
    "linear positions": (LinearEncoding(8), embedded),
    "dual chunk": dual_chunk(RotaryEmbedding(RotarySpec(8))),
    "linear attention": (lambda *x: linear_attention(*x), with_tables),
    "linear attention, causal": (lambda *x: linear_attention(*x, causal=True), with_tables),
    "xPos": (lambda m: cos_sin_xpos(inv_freq(8), m)[1][0], lambda seq: [torch.arange(seq)]),
    "rerotate": (lambda k: rerotate(k, 3, inv_freq(8)), lambda seq: [torch.randn(1, 2, seq, 8)]),
}


@pytest.mark.usefixtures("fresh_compiler")
class TestCompile:
    @pytest.mark.parametrize("layout", LAYOUTS)
    @pytest.mark.parametrize("grad", [False, True])
    def test_one_graph_for_all_lengths(self, layout, grad):
        backend, graphs = counting_backend()

        def function(q, k, cos, sin):
            return apply_rotary_qk(q, k, cos, sin, layout=layout)

        compiled = torch.compile(function, backend=backend, fullgraph=True)
        for seq in (7, 12, 31, 64):
            q = torch.randn(2, 4, seq, 8, requires_grad=grad)
            k = torch.randn(2, 2, seq, 8, requires_grad=grad)
            cos, sin = tables(8, seq, torch.float32)
            for t in (q, k):
                torch._dynamo.mark_dynamic(t, 2)
            for t in (cos, sin):
                torch._dynamo.mark_dynamic(t, 0)
            for got, expected in zip(compiled(q, k, cos, sin), function(q, k, cos, sin), strict=True):
                torch.testing.assert_close(got, expected, rtol=0, atol=1e-6)
        assert len(graphs) == 1

    @pytest.mark.parametrize("name", ["rotary", "in place", "sinusoidal"])
    def test_one_graph_from_short_to_long(self, name):
        """What eager code does differently from some size on leaves no condition in a graph."""
        backend, graphs = counting_backend()
        rope, table = RotaryEmbedding(RotarySpec(64)), SinusoidalEncoding(64)

        def function(x):
            if name == "sinusoidal":
                return table(x)
            if name == "rotary":
                return rope(x, x)[0]
            tables = cos_sin(inv_freq(64), torch.arange(x.shape[-2]))
            return apply_rotary_qk(x.clone(), x.clone(), *tables, inplace=True)[0]

        compiled = torch.compile(function, backend=backend, fullgraph=True)
        with torch.no_grad():
            for seq in (7, 40000):
                x = torch.randn(1, 1, seq, 64)
                torch._dynamo.mark_dynamic(x, 2)
                torch.testing.assert_close(compiled(x), function(x), rtol=1e-5, atol=1e-5)
        assert len(graphs) == 1

    @pytest.mark.parametrize("learnable", [False, True])
    def test_module_is_one_graph_for_all_lengths_and_offsets(self, learnable):
        backend, graphs = counting_backend()
        rope = RotaryEmbedding(RotarySpec(8), learnable=learnable)
        compiled = torch.compile(rope, backend=backend, fullgraph=True, dynamic=True)
        for seq, offset in ((7, 2), (12, 3), (31, 100)):
            q, k = torch.randn(2, 4, seq, 8), torch.randn(2, 2, seq, 8)
            torch.testing.assert_close(compiled(q, k, offset=offset), rope(q, k, offset=offset))
        assert len(graphs) == 1

    def test_gradients_agree_through_aot_autograd(self):
        cos, sin = tables(8, 6, torch.float32)
        compiled = torch.compile(apply_rotary_qk, backend="aot_eager", fullgraph=True)
        results = []
        q0, k0 = torch.randn(2, 4, 6, 8), torch.randn(2, 2, 6, 8)
        for function in (apply_rotary_qk, compiled):
            q, k = q0.clone().requires_grad_(), k0.clone().requires_grad_()
            a, b = function(q, k, cos, sin)
            (a.pow(3).sum() + b.pow(3).sum()).backward()
            results.append((a, b, q.grad, k.grad))
        for got, expected in zip(*results, strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-5)

    def test_gradients_of_theta_agree_through_aot_autograd(self):
        x = torch.randn(2, 6, 8, dtype=F64)

        def function(theta):
            return apply_rotary(x, *cos_sin(theta, torch.arange(6), dtype=F64)).pow(3).sum()

        gradients = []
        for f in (function, torch.compile(function, backend="aot_eager", fullgraph=True)):
            theta = inv_freq(8).requires_grad_()
            f(theta).backward()
            gradients.append(theta.grad)
        torch.testing.assert_close(*gradients, rtol=1e-12, atol=1e-12)

    def test_other_entry_points_compile_whole(self):
        backend, _ = counting_backend()
        q, k = torch.randn(2, 4, 6, 8), torch.randn(2, 2, 6, 8)
        cos, sin = tables(8, 6, torch.float32)
        wide = torch.cat((cos, cos), -1)[None], torch.cat((sin, sin), -1)[None]
        for function in (
            lambda: apply_rotary_pos_emb(q, k, *wide)[1],
            lambda: rerotate(k, 3, inv_freq(8)),
            lambda: SinusoidalEncoding(8)(q),
            lambda: apply_rotary_qk(q.clone(), k.clone(), cos, sin, inplace=True)[0],
        ):
            compiled = torch.compile(function, backend=backend, fullgraph=True)
            torch.testing.assert_close(compiled(), function())

    @pytest.mark.parametrize("name", WHOLE_SEQUENCES)
    def test_every_entry_point_is_one_graph_for_all_lengths(self, name):
        backend, graphs = counting_backend()
        function, make = WHOLE_SEQUENCES[name]
        compiled = torch.compile(function, backend=backend, fullgraph=True)
        with torch.no_grad():
            for seq in (7, 65, 64, 200, 2):
                inputs = make(seq)
                for x in inputs:
                    torch._dynamo.mark_dynamic(x, max(x.ndim - 2, 0))
                torch.testing.assert_close(compiled(*inputs), function(*inputs), rtol=1e-5, atol=1e-5)
        assert len(graphs) == 1

    def test_gradients_of_linear_attention_agree_through_aot_autograd(self):
        torch.manual_seed(0)
        leaves = [torch.randn(1, 2, 70, 8, dtype=F64, requires_grad=True) for _ in range(3)]

        def function(q, k, v):
            out, state = linear_attention(
                q, k, v, *tables(8, 70), layout="interleaved", causal=True, return_state=True
            )
            return out.pow(2).sum() + state.kv.sum() + state.z.sum()

        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        for got, expected in zip(
            torch.autograd.grad(compiled(*leaves), leaves),
            torch.autograd.grad(function(*leaves), leaves),
            strict=True,
        ):
            torch.testing.assert_close(got, expected, rtol=1e-10, atol=1e-12)

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_generated_code_agrees_in_bfloat16(self, layout):
        q, k = torch.randn(1, 4, 33, 16).bfloat16(), torch.randn(1, 2, 33, 16).bfloat16()
        cos, sin = tables(16, 33, torch.float32)
        compiled = torch.compile(apply_rotary_qk, fullgraph=True)
        got, expected = (
            compiled(q, k, cos, sin, layout=layout),
            apply_rotary_qk(q, k, cos, sin, layout=layout),
        )
        for a, b in zip(got, expected, strict=True):
            # a fused multiply-add moves the float32 value by an ulp, which may tip one bfloat16 rounding
            torch.testing.assert_close(a, b, rtol=2**-8, atol=1e-6)


class TestModes:
    def test_autocast_keeps_dtypes_and_values(self, device):
        rope = RotaryEmbedding(RotarySpec(8))
        for dtype in (torch.bfloat16, torch.float32):
            q = torch.randn(2, 4, 5, 8, device=device).to(dtype)
            expected = rope(q, q)[0]
            with torch.autocast(device.type, dtype=torch.bfloat16):
                got = rope(q, q)[0]
            assert got.dtype == dtype
            assert torch.equal(got, expected)

    def test_inference_mode_then_training(self):
        rope = RotaryEmbedding(RotarySpec(8), learnable=True)
        q = torch.randn(2, 4, 5, 8)
        with torch.inference_mode():
            expected = rope(q, q)[0]
            assert expected.is_inference()
        trained = rope(q, q)[0]
        torch.testing.assert_close(trained, expected, rtol=0, atol=1e-6)
        trained.sum().backward()
        assert rope.frequencies.log_ratio.grad is not None

    def test_no_grad_keeps_nothing(self):
        q = torch.randn(2, 5, 8, requires_grad=True)
        with torch.no_grad():
            assert not apply_rotary(q, *tables(dtype=torch.float32)).requires_grad


class TestModuleState:
    def test_state_dict_is_empty_unless_trained(self):
        assert RotaryEmbedding(RotarySpec(8)).state_dict() == {}
        assert list(RotaryEmbedding(RotarySpec(8)).buffers()) == []
        assert list(RotaryEmbedding(RotarySpec(8), learnable=True).state_dict()) == ["frequencies.log_ratio"]

    @pytest.mark.parametrize("learnable", [False, True])
    @pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, F64])
    def test_a_cast_of_the_module_changes_no_table(self, learnable, dtype):
        rope, at = RotaryEmbedding(RotarySpec(64), learnable=learnable), torch.arange(4096)
        before = [t.clone() for t in rope.tables(at)]
        for got, expected in zip(rope.to(dtype).tables(at), before, strict=True):
            assert torch.equal(got, expected)

    def test_meta_then_to_empty(self):
        with torch.device("meta"):
            fixed, trained = RotaryEmbedding(RotarySpec(8)), RotaryEmbedding(RotarySpec(8), learnable=True)
        q = torch.randn(1, 2, 5, 8)
        expected = RotaryEmbedding(RotarySpec(8))(q, q)[0]
        assert torch.equal(fixed.to_empty(device="cpu")(q, q)[0], expected)
        trained.to_empty(device="cpu")
        trained.frequencies.reset_parameters()
        torch.testing.assert_close(trained(q, q)[0], expected, rtol=0, atol=1e-6)

    @pytest.mark.parametrize("learnable", [False, True])
    def test_copies_and_pickles_compute_the_same(self, learnable):
        rope, q = RotaryEmbedding(RotarySpec(8, base=5e5), learnable=learnable), torch.randn(1, 2, 5, 8)
        for twin in (copy.deepcopy(rope), pickle.loads(pickle.dumps(rope))):
            assert torch.equal(twin(q, q)[0], rope(q, q)[0])
            assert twin.spec == rope.spec

    def test_training_reaches_frequencies_through_every_scaling(self):
        original = {"factor": 2.0, "original_max_position_embeddings": 8}
        llama3 = {**original, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
        for scaling, params in {
            "default": {},
            "linear": {"factor": 2.0},
            "ntk": {"factor": 2.0},
            "dynamic": original,
            "yarn": original,
            "llama3": llama3,
        }.items():
            spec = RotarySpec(8, scaling=scaling, params=params)
            fixed, rope = RotaryEmbedding(spec), RotaryEmbedding(spec, learnable=True)
            q, k = torch.randn(2, 1, 2, 12, 8, dtype=F64)
            got = rope(q, k, length=16)
            torch.testing.assert_close(got, fixed(q, k, length=16), rtol=0, atol=1e-12)
            (got[0] * got[1]).sum().backward()
            assert bool((rope.frequencies.log_ratio.grad != 0).any()), scaling

    def test_sections_need_one_position_per_axis(self):
        rope = RotaryEmbedding(RotarySpec(16, sections=(4, 2, 2)))
        q = torch.randn(2, 3, 5, 16)
        text = torch.arange(5).expand(3, 2, 5)
        assert torch.equal(rope(q, q, position_ids=text)[0], rope(q, q)[0])
        moved = text.clone()
        moved[1] += 3
        assert not torch.equal(rope(q, q, position_ids=moved)[0], rope(q, q)[0])
        with pytest.raises(ValueError, match="axes"):
            rope(q, q, position_ids=torch.arange(5).expand(2, 5))
