"""What every module of the library promises, whatever its formula; one table, every class in it.

Gradients in double of inputs and of every parameter, twice, with random cotangents; torch.func; copies,
pickles, checkpoints and casts; a meta device filled later; autocast and inference mode.
"""

import copy
import io
import pickle
import re
from pathlib import Path

import pytest
import torch
from call_data import applied, public, public_modules, read
from torch.autograd import gradcheck, gradgradcheck

import posenc_lib as p
from posenc_lib.encoding import Encoding

F64 = torch.float64
HEADS, SEQ, DIM = 2, 3, 4


class Added(torch.nn.Module):
    """A bias is a function of positions: it is added to scores, so that it has an input."""

    def __init__(self, bias):
        super().__init__()
        self.bias = bias

    def forward(self, scores):
        return scores + self.bias.bias(torch.arange(SEQ), torch.arange(SEQ))


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
    create, arguments, kind = MODULES[name]
    module = applied(public(create), built(arguments))
    return Added(module) if kind == "scores" else module


def made(name, dtype=torch.float32):
    """A module away from its starting point, where some derivatives vanish, and inputs."""
    torch.manual_seed(0)
    module = fresh(name).to(dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) / 4)
    return module, [x.to(dtype) for x in INPUTS[MODULES[name][2]]()]


def outputs(result):
    return (result,) if torch.is_tensor(result) else sum(map(outputs, result), ())


def same(got, expected, **tolerance):
    for one, other in zip(outputs(got), outputs(expected), strict=True):
        torch.testing.assert_close(one, other, **(tolerance or {"rtol": 0, "atol": 0}))


def functional(module):
    """The module as a function of all its parameters, then its inputs."""
    names = [n for n, _ in module.named_parameters()]

    def of(*values):
        given = dict(zip(names, values, strict=False))
        return torch.func.functional_call(module, given, values[len(names) :])

    return of, [p.detach().clone() for p in module.parameters()]


def test_every_module_class_is_in_the_table():
    """By a row of its own, or in that of a layer, where attention alone uses it and nobody calls it."""
    listed = {name.split(",")[0] for name in MODULES}
    layers = re.findall(r"\w+", str([arguments for _, arguments, _ in MODULES.values()]))
    not_called = {name for name, made in public_modules().items() if made.forward is Encoding.forward}
    missing = public_modules().keys() - ABSTRACT - listed - (not_called & set(layers))
    assert not missing, "write rows of these, or of layers with these, in tests/library/modules.yml"
    assert listed <= public_modules().keys()


def cubed(of, values):
    """Cubes, so that second derivatives of linear maps are not zero, along random cotangents."""
    cotangents = [torch.randn_like(out) for out in outputs(of(*values))]
    return lambda *v: tuple(out**3 * c for out, c in zip(outputs(of(*v)), cotangents, strict=True))


@every_module
def test_gradients_of_inputs_and_parameters_twice(name):
    module, inputs = made(name, F64)
    of, parameters = functional(module)
    values = [v.requires_grad_() for v in (*parameters, *inputs)]
    cubes = cubed(of, values)
    assert gradcheck(cubes, values)
    if name in ONCE:  # torch's fused kernel has no second derivative; the dense back end has
        with pytest.raises(RuntimeError, match=r"derivative for .* is not implemented"):
            gradgradcheck(cubes, values, fast_mode=True)
        module.backend = "dense"
        assert gradcheck(cubes, values)
    assert gradgradcheck(cubes, values, fast_mode=True)


@every_module
def test_torch_func(name):
    module, inputs = made(name, F64)
    of, parameters = functional(module)
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
    """And what was made on a meta device, and is filled later."""
    module, inputs = made(name)
    torch.save(module.state_dict(), file := io.BytesIO())
    file.seek(0)
    with torch.device("meta"):
        hollow = fresh(name)
    assert all(parameter.is_meta for parameter in hollow.parameters())
    loaded, hollow, state = fresh(name), hollow.to_empty(device="cpu"), torch.load(file)
    for twin in (loaded, hollow):
        twin.load_state_dict(state, strict=True)
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module)), loaded, hollow):
        same(twin(*inputs), module(*inputs))


@every_module
def test_the_state_is_what_is_trained_and_nothing_else(name):
    """No buffer, so no table or frequency that a cast, a device or an old checkpoint could corrupt."""
    module, _ = made(name)
    assert list(module.buffers()) == []
    assert set(module.state_dict()) == {n for n, _ in module.named_parameters()}


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
    module, inputs = made(name)
    low = copy.deepcopy(module).to(dtype)
    wide = copy.deepcopy(low).double()
    if name != "TrainableFrequencies":  # frequencies must not be rounded
        inputs = [x.to(dtype) for x in inputs]
    exact = wide(*(x.double() for x in inputs))
    got = low(*inputs)
    for one, other in zip(outputs(got), outputs(exact), strict=True):
        # outputs below 8 in size, rounded once, or a few times where projections come before
        torch.testing.assert_close(one.double(), other.double(), rtol=0, atol=8 * torch.finfo(dtype).eps)


@every_module
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_autocast_changes_nothing_but_projections(name, dtype):
    module, inputs = made(name)
    inputs = [x.to(dtype) for x in inputs]
    if name.startswith("TrainableFrequencies"):
        inputs = [x.double() for x in inputs]
    module = module.to(dtype) if "RelativeAttention" in name else module
    with torch.autocast("cpu", torch.bfloat16):
        got = module(*inputs)
    if "MultiHeadAttention" in name:
        assert got.dtype == torch.bfloat16
        exact = copy.deepcopy(module).double()(*(x.double() for x in inputs))
        torch.testing.assert_close(got.double(), exact, rtol=0, atol=0.05)
    else:
        same(got, module(*inputs))


@every_module
def test_inference_mode_then_training(name):
    module, inputs = made(name)
    with torch.inference_mode():
        expected = [x.clone() for x in outputs(module(*inputs))]
    trained = module(*inputs)
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

    cubes = cubed(function, values)
    assert gradcheck(cubes, values)
    assert gradgradcheck(cubes, values, fast_mode=True)


Q, K, V = torch.randn(3, 1, HEADS, 6, DIM, generator=torch.Generator().manual_seed(0))
CAUSAL = {"q": Q, "k": K, "v": V, "causal": True}
UNDER_AUTOCAST = {
    f"attention, {name}, {backend}": {**CAUSAL, "encoding": {bias.__name__: [HEADS]}, "backend": backend}
    for name, bias in p.BIASES.items()
    for backend in ("sdpa", "dense", *["flex"] * (name == "fire"))
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


@pytest.mark.usefixtures("fresh_compiler")
@torch.no_grad()
def test_autocast_is_off_inside_compiled_functions_too():
    bias = p.FIRE(HEADS)
    compiled = torch.compile(
        lambda q: p.attention(q, K, V, bias, causal=True), backend="aot_eager", fullgraph=True
    )
    with torch.autocast("cpu", torch.bfloat16):
        got = compiled(Q)
    assert got.dtype == torch.float32
    torch.testing.assert_close(got, p.attention(Q, K, V, bias, causal=True), rtol=0, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_the_exponential_of_trained_ratios_is_taken_in_double(dtype):
    module = p.TrainableFrequencies(8).to(dtype)
    with torch.no_grad():
        module.log_ratio += torch.linspace(-0.7, 0.9, 8, dtype=dtype)
    theta = p.inv_freq(16)
    assert torch.equal(module(theta), theta * module.log_ratio.double().exp())


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
    refused = pytest.raises(ValueError, match=rf"length must be given: scaling '{kind}' .* beyond 16 positio")
    short, one = x[..., :16, :], x[..., :1, :]
    same(rope(short, short), rope(short, short, length=16))
    for ask in (
        lambda: rope(x, x),
        lambda: rope(one, one, offset=16),
        lambda: rope(one, one, position_ids=torch.tensor([16])),
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
    for given in ({}, {"position_ids": torch.arange(17)}):
        with pytest.raises(Exception, match="length must be given"):
            compiled(long, long, **given)
