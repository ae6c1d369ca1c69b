"""What every module of the library promises, whatever its formula; one table, every class in it.

Gradients in double of inputs and of every parameter, twice, with random cotangents; torch.func; copies,
pickles, checkpoints and casts; a meta device filled later; autocast and inference mode.
"""

import copy
import io
import pickle
from functools import partial

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from written import EXAMPLES

import posenc_lib as p

F64 = torch.float64
HEADS, SEQ, DIM = 2, 3, 4


def heads(count):
    return lambda: tuple(torch.randn(count, 1, HEADS, SEQ, DIM).unbind())


def tokens():
    return (torch.randn(1, SEQ, DIM),)


def of_bias(bias, scores):
    """A bias is a function of positions: add it to scores, so that it has an input."""
    return scores + bias.bias(torch.arange(SEQ), torch.arange(SEQ))


def scores():
    return (torch.randn(1, HEADS, SEQ, SEQ),)


def plain(module, *inputs):
    return module(*inputs)


SPEC = p.RotarySpec(DIM)
# Several modules of one class where a parameter or a path is there in some only.
MODULES = {
    "RotaryEmbedding": (lambda: p.RotaryEmbedding(SPEC), heads(2), plain),
    "RotaryEmbedding, trained": (lambda: p.RotaryEmbedding(SPEC, learnable=True), heads(2), plain),
    "TrainableFrequencies": (lambda: p.TrainableFrequencies(3), lambda: (torch.rand(3),), plain),
    "SinusoidalEncoding": (lambda: p.SinusoidalEncoding(DIM), tokens, plain),
    "SinusoidalEncoding, trained": (lambda: p.SinusoidalEncoding(DIM, learnable=True), tokens, plain),
    "LearnedEncoding": (lambda: p.LearnedEncoding(SEQ, DIM), tokens, plain),
    "LinearEncoding": (lambda: p.LinearEncoding(DIM), tokens, plain),
    **{bias.__name__: (partial(bias, HEADS), scores, of_bias) for bias in p.BIASES.values()},
    "FIRE": (lambda: p.FIRE(HEADS, width=3, threshold=1.5), scores, of_bias),  # short, and both its branches
    "WindowBias": (lambda: p.WindowBias(HEADS, (1, SEQ)), scores, of_bias),
    "LogCPB": (lambda: p.LogCPB(HEADS, (2, 2), width=3), scores, of_bias),
    "RelativeAttention": (lambda: p.RelativeAttention(DIM, 2), heads(3), plain),
    "RelativeAttention, keys": (lambda: p.RelativeAttention(DIM, 2, values=False), heads(3), plain),
    "MultiHeadAttention": (lambda: p.MultiHeadAttention(DIM, HEADS), tokens, plain),
    "MultiHeadAttention, rotary": (
        lambda: p.MultiHeadAttention(DIM, HEADS, p.RotaryEmbedding(p.RotarySpec(2), learnable=True)),
        tokens,
        plain,
    ),
    "MultiHeadAttention, T5": (lambda: p.MultiHeadAttention(DIM, HEADS, p.T5Bias(HEADS)), tokens, plain),
    "MultiHeadAttention, Shaw": (
        lambda: p.MultiHeadAttention(DIM, HEADS, p.RelativeAttention(DIM // HEADS, 2)),
        tokens,
        plain,
    ),
}
ABSTRACT = {"ScoreBias", "DistanceBias"}
ONCE = {"MultiHeadAttention", "MultiHeadAttention, rotary"}
every_module = pytest.mark.parametrize("name", MODULES)


def made(name, dtype=torch.float32, device="cpu"):
    """A module away from its starting point, where some derivatives vanish, and inputs."""
    torch.manual_seed(0)
    create, inputs, call = MODULES[name]
    module = create().to(device=device, dtype=dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    return module, [x.to(device=device, dtype=dtype) for x in inputs()], call


def outputs(result):
    return result if isinstance(result, tuple) else (result,)


def same(got, expected, **tolerance):
    for one, other in zip(outputs(got), outputs(expected), strict=True):
        torch.testing.assert_close(one, other, **(tolerance or {"rtol": 0, "atol": 0}))


def functional(module, call):
    """The module as a function of all its parameters, then its inputs."""
    names = [n for n, _ in module.named_parameters()]

    class Whole(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = module

        def forward(self, *inputs):
            return call(self.inner, *inputs)

    whole = Whole()

    def of(*values):
        given = {f"inner.{n}": v for n, v in zip(names, values, strict=False)}
        return torch.func.functional_call(whole, given, values[len(names) :])

    return of, [p.detach().clone() for p in module.parameters()]


def test_every_module_class_is_in_the_table():
    modules = {
        n for n in p.__all__ if isinstance(getattr(p, n), type) and issubclass(getattr(p, n), torch.nn.Module)
    }
    assert {name.split(",")[0] for name in MODULES} == modules - ABSTRACT


@every_module
def test_gradients_of_inputs_and_parameters_twice(name):
    module, inputs, call = made(name, F64)
    of, parameters = functional(module, call)
    values = [v.requires_grad_() for v in (*parameters, *inputs)]
    cotangents = [torch.randn_like(out) for out in outputs(of(*values))]

    def cubed(*values):
        """Cubes, so that second derivatives of linear maps are not zero, along random cotangents."""
        return tuple((out**3 * c) for out, c in zip(outputs(of(*values)), cotangents, strict=True))

    assert gradcheck(cubed, values)
    if name in ONCE:  # torch's fused kernel has no second derivative; the dense back end has
        with pytest.raises(RuntimeError, match=r"derivative for .* is not implemented"):
            gradgradcheck(cubed, values)
        module.backend = "dense"
        assert gradcheck(cubed, values)
    assert gradgradcheck(cubed, values)


@every_module
def test_torch_func(name):
    module, inputs, call = made(name, F64)
    of, parameters = functional(module, call)
    values = (*parameters, *inputs)
    places = tuple(range(len(values)))

    def loss(*values):
        return sum(out.pow(3).sum() for out in outputs(of(*values)))

    leaves = [v.clone().requires_grad_() for v in values]
    expected = torch.autograd.grad(loss(*leaves), leaves)
    for got, wanted in zip(torch.func.grad(loss, places)(*values), expected, strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-10, atol=1e-12)
    tangents = tuple(torch.randn_like(v) for v in values)
    _, slope = torch.func.jvp(loss, values, tangents)
    by_hand = sum((g * t).sum() for g, t in zip(expected, tangents, strict=True))
    torch.testing.assert_close(slope, by_hand, rtol=1e-10, atol=1e-12)
    batch = [torch.stack([x, x / 2, -x]) for x in inputs]
    each = torch.func.vmap(lambda *x: of(*parameters, *x))(*batch)
    one_by_one = [outputs(of(*parameters, *row)) for row in zip(*batch, strict=True)]
    same(each, tuple(torch.stack(rows) for rows in zip(*one_by_one, strict=True)), rtol=0, atol=1e-13)


@every_module
def test_copies_pickles_and_checkpoints_compute_the_same(name):
    module, inputs, call = made(name)
    expected = call(module, *inputs)
    same(call(copy.deepcopy(module), *inputs), expected)
    same(call(pickle.loads(pickle.dumps(module)), *inputs), expected)
    torch.save(module.state_dict(), file := io.BytesIO())
    file.seek(0)
    fresh = MODULES[name][0]()
    fresh.load_state_dict(torch.load(file), strict=True)
    same(call(fresh, *inputs), expected)


@every_module
def test_the_state_is_what_is_trained_and_nothing_else(name):
    """No buffer, so no table or frequency that a cast, a device or an old checkpoint could corrupt."""
    module, _, _ = made(name)
    assert list(module.buffers()) == []
    assert set(module.state_dict()) == {n for n, _ in module.named_parameters()}
    assert not [key for key in module.state_dict() if "inv_freq" in key or "cos" in key or "sin" in key]


@every_module
def test_a_meta_device_filled_later(name):
    module, inputs, call = made(name)
    with torch.device("meta"):
        hollow = MODULES[name][0]()
    assert all(parameter.is_meta for parameter in hollow.parameters())
    hollow = hollow.to_empty(device="cpu")
    hollow.load_state_dict(module.state_dict())
    same(call(hollow, *inputs), call(module, *inputs))


@every_module
def test_reset_parameters_is_how_a_module_starts(name):
    """After ``to_empty``: every parameter is set, to a new module's numbers, or drawn as they are."""
    with torch.device("meta"):
        hollow = MODULES[name][0]()
    fresh, hollow = MODULES[name][0](), hollow.to_empty(device="cpu")
    drawn = copy.deepcopy(fresh)
    for module in (drawn, hollow):
        torch.manual_seed(5)
        for part in module.modules():
            if hasattr(part, "reset_parameters"):
                part.reset_parameters()
    for key, value in hollow.state_dict().items():
        assert torch.equal(value, drawn.state_dict()[key]), key
        scale = fresh.state_dict()[key].abs().max()
        assert bool((value.abs() <= 5 * scale + 1e-6).all()), f"{key} starts elsewhere"


@every_module
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_a_cast_rounds_parameters_and_nothing_else(name, dtype):
    """Half-precision parameters, float64 inputs in double: what the rounded parameters give exactly."""
    module, inputs, call = made(name)
    low = copy.deepcopy(module).to(dtype)
    wide = copy.deepcopy(low).double()
    if name != "TrainableFrequencies":  # frequencies must not be rounded
        inputs = [x.to(dtype) for x in inputs]
    exact = call(wide, *(x.double() for x in inputs))
    got = call(low, *inputs)
    for one, other in zip(outputs(got), outputs(exact), strict=True):
        # outputs below 8 in size, rounded once, or a few times where projections come before
        torch.testing.assert_close(one.double(), other.double(), rtol=0, atol=8 * torch.finfo(dtype).eps)


@every_module
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_autocast_changes_nothing_but_projections(name, dtype):
    module, inputs, call = made(name)
    inputs = [x.to(dtype) for x in inputs]
    if "MultiHeadAttention" in name:
        with torch.autocast("cpu", torch.bfloat16):
            got = call(module, *inputs)
        assert got.dtype == torch.bfloat16
        exact = call(copy.deepcopy(module).double(), *(x.double() for x in inputs))
        torch.testing.assert_close(got.double(), exact, rtol=0, atol=0.05)
        return
    if name.startswith("TrainableFrequencies"):
        inputs = [x.double() for x in inputs]
    expected = call(module, *inputs) if "Relative" not in name else call(module.to(dtype), *inputs)
    with torch.autocast("cpu", torch.bfloat16):
        got = call(module, *inputs)
    same(got, expected)


@every_module
def test_inference_mode_then_training(name):
    module, inputs, call = made(name)
    with torch.inference_mode():
        expected = [x.clone() for x in outputs(call(module, *inputs))]
    trained = call(module, *inputs)
    for one, other in zip(outputs(trained), expected, strict=True):
        torch.testing.assert_close(one, other.clone(), rtol=0, atol=1e-6)
    if list(module.parameters()):
        sum(out.square().sum() for out in outputs(trained)).backward()
        assert all(q.grad is not None and bool(q.grad.isfinite().all()) for q in module.parameters())


AT = torch.arange(SEQ)
THETA = p.inv_freq(DIM)
# Differentiable functions, of all their floating arguments: name, function, arguments of double precision.
FUNCTIONS = {
    "cos_sin": (lambda t: p.cos_sin(t, AT, dtype=F64), [THETA]),
    "cos_sin in positions": (lambda m: p.cos_sin(THETA, m, dtype=F64), [torch.rand(SEQ, dtype=F64)]),
    "cos_sin_xpos": (lambda t: sum(p.cos_sin_xpos(t, AT, dtype=F64), ()), [THETA]),
    "cos_sin_axes": (
        lambda f: p.cos_sin_axes(f, p.positions_grid(2, 2), dtype=F64), [p.axial_frequencies(8, 2)],
    ),
    "rotation_matrix": (lambda t: p.rotation_matrix(t, 3), [THETA]),
    "shift_matrix": (lambda t: p.shift_matrix(3, t), [THETA]),
    "sinusoidal_of": (lambda t: p.sinusoidal_of(t, AT, dtype=F64), [THETA]),
    "rerotate": (lambda k, t: p.rerotate(k, AT, t), [torch.randn(SEQ, DIM, dtype=F64), THETA]),
    "shaw_scores": (
        lambda q, k, a: p.shaw_scores(q, k, a, 1), [*torch.randn(2, 1, 1, SEQ, DIM, dtype=F64).unbind(),
                                                    torch.randn(3, DIM, dtype=F64)],
    ),
    "transformer_xl_scores": (
        p.transformer_xl_scores,
        [*torch.randn(2, 1, 1, SEQ, DIM, dtype=F64).unbind(), torch.randn(1, 2 * SEQ - 1, DIM, dtype=F64),
         *torch.randn(2, 1, DIM, dtype=F64).unbind()],
    ),
    "disentangled_scores": (
        lambda q, k, a, b: p.disentangled_scores(q, k, a, b, AT, AT),
        [*torch.randn(2, 1, 1, SEQ, DIM, dtype=F64).unbind(), *torch.randn(2, 1, 4, DIM, dtype=F64).unbind()],
    ),
    "resize_window_table": (
        lambda b: p.resize_window_table(b, (2, 1), (3, 2)), [torch.randn(6, HEADS, dtype=F64)],
    ),
    "forgetting_bias": (  # every key is before these queries: −∞ has no gradient
        lambda f: p.forgetting_bias(f, AT + SEQ, AT), [-torch.rand(1, HEADS, SEQ, dtype=F64) - 0.1],
    ),
    "cope_logits": (
        lambda q, s, e: p.cope_logits(q, s, e, AT + SEQ, AT),
        [torch.randn(1, HEADS, SEQ, DIM, dtype=F64), torch.full((1, HEADS, SEQ, SEQ), 0.2, dtype=F64),
         torch.randn(3, DIM, dtype=F64)],
    ),
    "linear_attention": (
        lambda q, k, v, t: p.linear_attention(q, k, v, *p.cos_sin(t, AT, dtype=F64), causal=True),
        [*torch.randn(3, 1, 1, SEQ, DIM, dtype=F64).unbind(), THETA],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_functions_in_all_their_arguments_twice(name):
    function, arguments = FUNCTIONS[name]
    values = [x.detach().clone().requires_grad_() for x in arguments]
    cotangents = [torch.randn_like(out) for out in outputs(function(*values))]

    def cubed(*values):
        return tuple(out**3 * c for out, c in zip(outputs(function(*values)), cotangents, strict=True))

    assert gradcheck(cubed, values)
    assert gradgradcheck(cubed, values)


QKV = torch.randn(3, 1, HEADS, 6, DIM, generator=torch.Generator().manual_seed(0)).unbind()
UNDER_AUTOCAST = {
    **{
        f"attention, {name}, {backend}": lambda q, k, v, kind=kind, backend=backend: p.attention(
            q, k, v, kind(HEADS), causal=True, backend=backend
        )
        for name, kind in p.BIASES.items()
        for backend in ("sdpa", "dense", "flex")
    },
    "attention, mask": lambda q, k, v: p.attention(q, k, v, mask=torch.eye(6).bool()),
    "attention, rotary": lambda q, k, v: p.attention(q, k, v, p.RotaryEmbedding(SPEC), backend="dense"),
    "linear_attention": p.linear_attention,
    "linear_attention, causal": lambda q, k, v: p.linear_attention(q, k, v, causal=True),
    "shaw_scores": lambda q, k, v: p.shaw_scores(q, k, v[0, 0, :5], 2),
    "transformer_xl_scores": lambda q, k, v: p.transformer_xl_scores(
        q, k, torch.cat((v, k), 2)[0, :, :11], v[0, :, 0], v[0, :, 1]
    ),
    "disentangled_scores": lambda q, k, v: p.disentangled_scores(
        q, k, v[0], k[0], torch.arange(6), torch.arange(6)
    ),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", UNDER_AUTOCAST)
def test_autocast_changes_no_function(name, dtype):
    """Not a bit of the result, nor its dtype: what is wide stays wide."""
    inputs = [x.to(dtype) for x in QKV]
    results = []
    for enabled in (False, True):
        torch.manual_seed(0)  # for biases that start at random
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled), torch.no_grad():
            results.append(UNDER_AUTOCAST[name](*inputs))
    same(*results)


def test_autocast_is_off_inside_compiled_functions_too():
    bias, (q, k, v) = p.FIRE(HEADS), QKV
    torch._dynamo.reset()
    with torch.no_grad():
        expected = p.attention(q, k, v, bias, causal=True)
        with torch.autocast("cpu", torch.bfloat16):
            compiled = torch.compile(
                lambda *x: p.attention(*x, bias, causal=True), fullgraph=True, backend="aot_eager"
            )
            got = compiled(q, k, v)
    torch._dynamo.reset()
    assert got.dtype == torch.float32
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_the_exponential_of_trained_ratios_is_taken_in_double(dtype):
    module = p.TrainableFrequencies(8).to(dtype)
    with torch.no_grad():
        module.log_ratio += torch.linspace(-0.7, 0.9, 8, dtype=dtype)
    theta = p.inv_freq(16)
    assert torch.equal(module(theta), theta * module.log_ratio.double().exp())


def test_text_may_give_one_row_of_positions_to_a_spec_with_sections():
    rope, x, at = (
        p.RotaryEmbedding(p.RotarySpec(16, sections=(2, 3, 3))),
        torch.randn(1, 2, 9, 16),
        torch.arange(9),
    )
    same(rope.tables(at), rope.tables(at.expand(3, -1)))
    same(rope(x, x), rope(x, x, position_ids=at.expand(3, 1, -1)))


def test_several_axes_carry_the_attention_factor():
    """M-RoPE with YaRN: at position 0 every cosine is the factor."""
    yarn = {"factor": 4.0, "original_max_position_embeddings": 64}
    spec = p.RotarySpec(16, sections=(2, 3, 3), scaling="yarn", params=yarn)
    cos, sin = p.RotaryEmbedding(spec).tables(torch.zeros(3, 1, 5).long(), dtype=F64)
    assert spec.attention_factor() > 1.1
    assert torch.equal(cos, torch.full_like(cos, spec.attention_factor())) and not sin.any()


GROWING = {
    kind: EXAMPLES[kind] | {"original_max_position_embeddings": 16} for kind in ("dynamic", "longrope")
}
growing = pytest.mark.parametrize("kind", GROWING)


def growing_rope(kind):
    return p.RotaryEmbedding(p.RotarySpec(16, scaling=kind, params=GROWING[kind]))


@growing
def test_a_long_text_never_gets_the_short_table_unasked(kind):
    rope, x = growing_rope(kind), torch.randn(1, 2, 17, 16)
    assert rope.spec.needs_length and not p.RotarySpec(8).needs_length
    refused = pytest.raises(
        ValueError, match=rf"length must be given: scaling '{kind}' .* beyond 16 positions"
    )
    short = x[..., :16, :]
    same(rope(short, short), rope(short, short, length=16))
    for ask in (
        lambda: rope(x, x),
        lambda: rope(x[..., :1, :], x[..., :1, :], offset=16),
        lambda: rope(x, x, position_ids=torch.arange(17)),
        lambda: rope(x[..., :1, :], x[..., :1, :], position_ids=torch.tensor([16])),
        lambda: rope.tables(torch.arange(17)),
        lambda: rope.tables(torch.arange(4, device="meta")),
    ):
        with refused:
            ask()
    long = rope(x, x, length=17)
    assert not torch.equal(rope(short, short, length=17)[0], rope(short, short)[0])
    same(rope(x, x, position_ids=torch.arange(17), length=17), long)
    restarting = torch.arange(17) % 9  # packed texts: the numbers count, not how many there are
    same(rope(x, x, position_ids=restarting), rope(x, x, position_ids=restarting, length=16))
    assert rope.tables(torch.arange(0))[0].shape == (0, 8)


@growing
def test_a_length_that_is_shorter_than_the_text_is_refused(kind):
    """Its table is another text's; any length up to the original context stands for that context."""
    rope, x = growing_rope(kind), torch.randn(1, 2, 30, 16)
    last, at = x[..., 29:, :], torch.arange(30)
    for ask, length in (
        (lambda length: rope(x, x, length=length), 29),
        (lambda length: rope(last, last, offset=29, length=length), 20),
        (lambda length: rope(x, x, position_ids=at, length=length), 1),
        (lambda length: rope.tables(at, length=length), 16),
        (lambda length: p.attention(x, x, x, rope, causal=True, length=length), 29),
    ):
        with pytest.raises(ValueError, match=rf"^length is {length}, but position_ids goes to 29: .* 30 tok"):
            ask(length)
        ask(30)
    same(rope.tables(at[:16], length=3), rope.tables(at[:16]))
    assert rope.tables(at.to("meta"), length=20)[0].shape == (30, 8)  # nobody looks there
    p.RotaryEmbedding(16).tables(at, length=1)  # frequencies that no length changes


@growing
def test_a_compiled_long_text_is_refused_by_its_shape(kind):
    rope = growing_rope(kind)
    compiled = torch.compile(rope, backend="eager", fullgraph=True)
    x = torch.randn(1, 2, 16, 16)
    same(compiled(x, x), rope(x, x))
    same(compiled(x, x, position_ids=torch.arange(16), length=16), rope(x, x))
    long = torch.randn(1, 2, 17, 16)
    for inputs in ({}, {"position_ids": torch.arange(17)}):
        with pytest.raises(Exception, match="length must be given"):
            compiled(long, long, **inputs)
