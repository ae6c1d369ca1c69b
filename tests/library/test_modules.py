"""What every module of the library promises, whatever its formula; one table, every class in it.

Gradients in double of inputs and of every parameter, twice, with random cotangents; torch.func; copies,
pickles, checkpoints and casts; a meta device filled later; autocast and inference mode.
"""

import copy
import io
import pickle
from pathlib import Path

import pytest
import torch
from call_data import applied, public, read
from torch.autograd import gradcheck, gradgradcheck

import posenc_lib as p

F64 = torch.float64
HEADS, SEQ, DIM = 2, 3, 4


def of_bias(bias, scores):
    """A bias is a function of positions: add it to scores, so that it has an input."""
    return scores + bias.bias(torch.arange(SEQ), torch.arange(SEQ))


INPUTS = {
    "heads 2": lambda: torch.randn(2, 1, HEADS, SEQ, DIM).unbind(),
    "heads 3": lambda: torch.randn(3, 1, HEADS, SEQ, DIM).unbind(),
    "tokens": lambda: [torch.randn(1, SEQ, DIM)],
    "scores": lambda: [torch.randn(1, HEADS, SEQ, SEQ)],
    "frequencies": lambda: [torch.rand(3)],
}
WRITTEN = read(Path(__file__).with_name("modules.yml"))
# Several modules of one class where a parameter or a path is there in some only.
MODULES = {bias.__name__: [bias.__name__, [HEADS], "scores"] for bias in p.BIASES.values()}
MODULES |= WRITTEN["modules"]
ABSTRACT = {"ScoreBias", "DistanceBias"}
ONCE = {"MultiHeadAttention", "MultiHeadAttention, rotary"}
every_module = pytest.mark.parametrize("name", MODULES)


def built(arguments):
    """The same, where mappings of one public name are what it makes."""
    if isinstance(arguments, list):
        return [built(one) for one in arguments]
    if not isinstance(arguments, dict):
        return arguments
    names = [name for name in arguments if name in p.__all__]
    inner = {name: built(one) for name, one in arguments.items()}
    return applied(public(names[0]), inner[names[0]]) if names else inner


def fresh(name):
    create, arguments, _ = MODULES[name]
    return applied(public(create), built(arguments))


def made(name, dtype=torch.float32, device="cpu"):
    """A module away from its starting point, where some derivatives vanish, and inputs."""
    torch.manual_seed(0)
    module, kind = fresh(name).to(device=device, dtype=dtype), MODULES[name][2]
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    inputs = [x.to(device=device, dtype=dtype) for x in INPUTS[kind]()]
    return module, inputs, of_bias if kind == "scores" else lambda module, *inputs: module(*inputs)


def outputs(result):
    return (result,) if torch.is_tensor(result) else sum(map(outputs, result), ())


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
    loaded = fresh(name)
    loaded.load_state_dict(torch.load(file), strict=True)
    same(call(loaded, *inputs), expected)


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
        hollow = fresh(name)
    assert all(parameter.is_meta for parameter in hollow.parameters())
    hollow = hollow.to_empty(device="cpu")
    hollow.load_state_dict(module.state_dict())
    same(call(hollow, *inputs), call(module, *inputs))


@every_module
def test_reset_parameters_is_how_a_module_starts(name):
    """After ``to_empty``: every parameter is set, to a new module's numbers, or drawn as they are."""
    with torch.device("meta"):
        hollow = fresh(name)
    start, hollow = fresh(name), hollow.to_empty(device="cpu")
    drawn = copy.deepcopy(start)
    for module in (drawn, hollow):
        torch.manual_seed(5)
        for part in module.modules():
            if hasattr(part, "reset_parameters"):
                part.reset_parameters()
    for key, value in hollow.state_dict().items():
        assert torch.equal(value, drawn.state_dict()[key]), key
        scale = start.state_dict()[key].abs().max()
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


FUNCTIONS = WRITTEN["functions"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_functions_in_all_their_arguments_twice(name):
    given, arguments = FUNCTIONS[name]
    values = [x.detach().clone().requires_grad_() for x in arguments.values()]

    def function(*values):
        return public(name.split()[0])(**given, **dict(zip(arguments, values, strict=True)))

    cotangents = [torch.randn_like(out) for out in outputs(function(*values))]

    def cubed(*values):
        return tuple(out**3 * c for out, c in zip(outputs(function(*values)), cotangents, strict=True))

    assert gradcheck(cubed, values)
    assert gradgradcheck(cubed, values)


QKV = dict(
    zip("qkv", torch.randn(3, 1, HEADS, 6, DIM, generator=torch.Generator().manual_seed(0)), strict=True)
)
UNDER_AUTOCAST = {
    f"attention, {name}, {backend}": {
        **QKV,
        "encoding": {bias.__name__: [HEADS]},
        "causal": True,
        "backend": backend,
    }
    for name, bias in p.BIASES.items()
    for backend in ("sdpa", "dense", "flex")
} | WRITTEN["under autocast"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", UNDER_AUTOCAST)
def test_autocast_changes_no_function(name, dtype):
    """Not a bit of the result, nor its dtype: what is wide stays wide."""
    given, results = dict(UNDER_AUTOCAST[name]), []
    given |= {k: x.to(dtype) for k, x in given.items() if torch.is_tensor(x) and x.is_floating_point()}
    for enabled in (False, True):
        torch.manual_seed(0)  # for biases that start at random
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled), torch.no_grad():
            results.append(public(name.split(",")[0])(**built(given)))
    same(*results)


def test_autocast_is_off_inside_compiled_functions_too():
    bias, (q, k, v) = p.FIRE(HEADS), QKV.values()
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


GROWING = WRITTEN["growing"]
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
