"""Every public function and class refuses bad input: each argument in turn, spoilt in every way that applies.

A valid call of every public name is written down once, in ``refusals/valid_calls.yml``. From it follow the
bad calls: an object of no use, another dtype, another device (meta), a tensor that is not dense, a number
that is not finite, negative or not whole, a word that is not known. Each must raise TypeError or ValueError
and name the argument. A public name or a parameter without a valid call there fails two of the tests. The
other files of that folder list calls that are wrong in their own way, and the words that answer them.
"""

import inspect
import math
import re
from pathlib import Path

import pytest
import torch
from call_data import REFUSALS, applied, holds, public, public_modules, read

import posenc_lib as p
from posenc_lib import analysis
from posenc_lib.rotary.scaling.rules import scale

WRITTEN = read(REFUSALS / "valid_calls.yml")
OBJECTS, GOOD, LEAST = WRITTEN["objects"], WRITTEN["good after all"], WRITTEN["least"]
X, AT = WRITTEN["values"]["x"], WRITTEN["values"]["at"]
QKV = {"q": X, "k": X, "v": X}
ROPE, WIDE = OBJECTS["RotaryEmbedding"], WRITTEN["values"]["wide"]
LAYER = OBJECTS["MultiHeadAttention"].eval()
CACHE = LAYER(WIDE, position_ids=AT, causal=True, length=8, return_cache=True)[1]
STATE = p.linear_attention(X, X, X, causal=True, return_state=True)[1]


def named(name):
    head, _, method = name.partition(".")
    return getattr(OBJECTS[head], method) if head in OBJECTS and method else public(name)


def defaults(of):
    parameters = inspect.signature(of).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


# A valid call: what is called, and every argument it can take.
SPECIAL = {
    "RotaryEmbedding of a width": lambda dim, **fields: p.RotaryEmbedding(dim, **fields),
    "RotarySpec.from_hf_config": p.RotarySpec.from_hf_config,
    "scaling.scale": scale,
}
CALLS = {name: (SPECIAL.get(name) or named(name), given) for name, given in WRITTEN["calls"].items()}
CALLS |= {bias.__name__: (bias, {"num_heads": 2, **defaults(bias)}) for bias in p.BIASES.values()}
CALLS |= {
    "MultiHeadAttention.forward with a cache": (
        lambda x, position_ids, cache, length: LAYER(
            x, position_ids=position_ids, causal=True, length=length, cache=cache, return_cache=True
        ),
        {"x": WIDE, "position_ids": AT, "cache": CACHE, "length": 8},
    ),
    "KVCache.extended": (CACHE.extended, {"k": X, "v": X, "position_ids": AT, "seq_dim": -2}),
    "KVCache.preallocated": (CACHE.preallocated, {"size": 8}),
    "MultiHeadAttention.forward with tables": (
        lambda x, tables: LAYER(x, tables=tables),
        {"x": WIDE, "tables": WRITTEN["values"]["tables"]},
    ),
    "linear_attention": (
        p.linear_attention,
        {**QKV, **WRITTEN["values"]["tables of the half layout"], "feature_map": "elu+1", "causal": True}
        | {"state": STATE, "return_state": True},
    ),
}
# Values, not called: RotarySpec(scaling=…) refuses a name that is not in SCALINGS.
REGISTRIES = {"BIASES", "SCALINGS"}
# Named tuples of tensors: linear_attention(state=…) checks them; DualChunkPositions is given back, not taken.
CHECKED_WHERE_USED = {"LinearState", "KVCache", "DualChunkPositions"}
FREQUENCIES = {"inv_freq", "frequencies"}  # moved to the device of the positions
POSITIONS = {"position_ids", "distances", "distance", "delta"}
# The argument has another name in the message, which another call shares.
CALLED = {("scaling.scale", "kind"): "scaling", ("RotaryEmbedding of a width", "dim"): "(spec|dim)"}
STORED = ("sparse", "sparse rows", "jagged", "nested", "for oneDNN", "eight bits")
OF_A_TYPE = ("complex", "bool", "half precision", "integer dtype", "integer", *STORED)


def allowed(name, argument, kind):
    """Whether this is a good call after all."""
    if kind == "NaN":
        return argument in GOOD["NaN"]  # what flows through is not looked at
    if kind == "other device":
        return not _shares_a_device(name, argument)
    kind = "stored otherwise" if kind in ("complex", "integer", "eight bits") else kind
    return f"{name} {argument}" in GOOD.get(kind, ())


def _shares_a_device(name, argument):
    others = {a for a, v in CALLS[name][1].items() if isinstance(v, torch.Tensor)} - {argument}
    if argument not in FREQUENCIES:
        others -= FREQUENCIES
    return bool(others) or ("forward" in name and argument in FREQUENCIES.union(GOOD["NaN"]))


class Unshowable:
    def __repr__(self):
        raise RuntimeError("nobody can show this")


DEEP = []
for _ in range(2 * 10**4):
    DEEP = [DEEP]


def bad_values(argument, value):
    """What may not stand in place of `value`: (kind, bad value)."""
    yield "useless", object()
    if not isinstance(value, torch.device):  # which torch reads, in words of its own
        yield from (("not to be shown", Unshowable()), ("too deep", DEEP), ("too long", "x" * 10**5))
    if isinstance(value, int | float):
        yield from (("beyond torch", 2**63), ("beyond every float", 10**5000))
    if isinstance(value, bool):
        yield "a word for a flag", "yes"
    elif isinstance(value, int):
        yield from (("not whole", value + 0.5), ("negative", -1))
        if argument in ("dim", "rotary_dim"):
            yield "odd", value - 1
    elif isinstance(value, float):
        yield from (("NaN", math.nan), ("infinite", math.inf), ("minus infinite", -math.inf))
    elif isinstance(value, str):
        yield "unknown word", "nonsense"
    elif isinstance(value, torch.dtype):
        yield "integer dtype", torch.int32
    elif isinstance(value, torch.Tensor):
        yield from (("complex", value.to(torch.complex64)), ("other device", value.to("meta")))
        if value.is_floating_point():
            yield from (("integer", value.long()), ("NaN", value * math.nan))
        elif value.dtype == torch.int64:
            yield from (("bool", value.bool()), ("half precision", value.half()))
            yield "NaN positions", value * math.nan
            if argument in POSITIONS:
                yield "not exact in float64", value + 2**54
        yield from bad_storage(value)


def bad_storage(value):
    """The same numbers, stored as torch's strided tensors are not."""
    yield "sparse", value.to_sparse()
    if value.ndim > 1:
        yield "sparse rows", value.to_sparse_csr()
        yield "jagged", torch.nested.nested_tensor(list(value), layout=torch.jagged)
    if value.ndim and value.dtype != torch.bool:
        yield "nested", torch.nested.nested_tensor(list(value), layout=torch.strided)
    if value.dtype == torch.float32:
        yield "for oneDNN", value.to_mkldnn()
    if value.is_floating_point():
        yield "eight bits", value.to(torch.float8_e4m3fn)


def error(name, argument, kind):
    """TypeError where a thing of that kind never stands, ValueError where another of its kind does.

    What is none of a list of words and no axis, whatever it is, is told what may stand there.
    """
    value = CALLS[name][1][argument]
    if kind == "NaN positions":
        return (TypeError, ValueError)  # it is neither finite nor an integer
    if kind == "too deep" and (argument == "axis_of_plane" or isinstance(value, tuple | list)):
        return (TypeError, ValueError)  # a list of another length, of lists
    if kind == "too long" and isinstance(value, str):
        return ValueError
    if kind in ("useless", "not whole", "not to be shown", "too deep", "too long"):
        listed = argument == "seq_dim" or (isinstance(value, str) and argument != "layer_type")
        return ValueError if listed else TypeError
    return TypeError if isinstance(value, bool) or kind in OF_A_TYPE else ValueError  # however large a number


def run(name, arguments):
    call = CALLS[name][0]
    if name == "positions_grid":
        return call(arguments["shape"], device=arguments["device"])
    return call(**arguments)


def answered(name, arguments):
    """The error of a call and its message, or neither."""
    try:
        run(name, arguments)
    except (TypeError, ValueError) as refused:
        return refused, str(refused)
    return None, ""


EVERY = [
    pytest.param(name, argument, id=f"{name} {argument}")
    for name, (_, arguments) in CALLS.items()
    for argument in arguments
]


@pytest.mark.parametrize(("name", "argument"), EVERY)
def test_a_spoilt_argument_is_refused_by_name(name, argument):
    given, word = CALLS[name][1], CALLED.get((name, argument), argument)
    for kind, bad in bad_values(argument, given[argument]):
        refused, message = answered(name, {**given, argument: bad})
        if allowed(name, argument, kind):
            assert not refused, f"{kind}: {message[:2000]}"
        else:
            assert isinstance(refused, error(name, argument, kind)), f"{kind}: {refused!r:.2000}"
            assert re.search(rf"\b{word}\b", message), f"{kind}: {word} is not named: {message[:2000]}"
            assert len(message) < 3000, kind


NUMBERS = [
    (name, argument)
    for name, (_, arguments) in CALLS.items()
    for argument, value in arguments.items()
    if isinstance(value, int | float) and not isinstance(value, bool)
]


@pytest.mark.parametrize(("name", "argument"), NUMBERS)
def test_the_least_of_a_number_is_taken_and_what_is_below_is_not(name, argument):
    least = LEAST.get(f"{name} {argument}", LEAST.get(argument, "not listed"))
    assert least != "not listed", f"write the least of {argument}, or null, under `least` in valid_calls.yml"

    def message(number):
        return answered(name, {**CALLS[name][1], argument: number})[1]

    word = CALLED.get((name, argument), argument)
    if least is None:
        assert not re.search("positive|negative|at least", message(type(CALLS[name][1][argument])(-1)))
    elif least == "more":
        assert re.search(rf"\b{word} must be positive", message(0.0))
        assert not re.search(rf"\b{word} must be positive", message(1e-3))
    else:
        below = rf"\b{word} must (be at least {least:g}\b.*, got|not be negative, got)"
        assert re.search(below, message(least - 1)), message(least - 1)
        assert not re.search(rf"\b{word} must be at least {least:g}\b", message(least))


@pytest.mark.parametrize("name", CALLS)
def test_the_call_is_valid_before_it_is_spoilt_and_gives_every_argument(name):
    call, arguments = CALLS[name]
    run(name, arguments)
    parameters = inspect.signature(call).parameters.values()
    assert {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} <= set(arguments)
    assert any(p.kind is p.VAR_KEYWORD for p in parameters) or len(parameters) == len(arguments)


def test_every_public_name_is_spoilt():
    missing = {*p.__all__, *analysis.__all__} - REGISTRIES - CHECKED_WHERE_USED - CALLS.keys()
    assert not missing, "write a call with every argument of these in tests/library/refusals/valid_calls.yml"


def test_every_module_with_a_forward_is_spoilt_there_too():
    own = {name for name, module in public_modules().items() if "forward" in vars(module)}
    assert {f"{name}.forward" for name in own} <= set(CALLS)


KINDS = {"TypeError": TypeError, "ValueError": ValueError}
REFUSED = sorted(Path(__file__).with_name("refused").glob("*.yml"))
SECTIONS = [section for path in REFUSED for section in read(path)]


def function_of(section):
    return getattr(section["of"], section["call"]) if "of" in section else public(section["call"])


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["call"])
def test_the_call_is_taken_before_anything_is_changed(section):
    assert applied(function_of(section), section["given"]) is not None


def wrong_calls():
    """What is called, its arguments, the error, and words of its message.

    Some are wrong in a way of their own; rows of ``refused/`` say what is changed in a call that is taken.
    """
    for path in sorted(REFUSALS.glob("wrong_*.yml")):
        for kind, rows in read(path)["refused"].items():
            for call, arguments, words in rows:
                function = SPECIAL.get(call) or named(call) if isinstance(call, str) else call
                yield pytest.param(function, arguments, kind, words, id=f"{path.stem} {words[:50]}")
    for section in SECTIONS:
        for change, kind, words in section["refused"]:
            arguments = change if isinstance(change, list) else section["given"] | change
            yield pytest.param(function_of(section), arguments, kind, words, id=f"{section['call']} {words}")


@pytest.mark.parametrize(("call", "arguments", "kind", "words"), wrong_calls())
def test_a_wrong_call_is_refused_in_these_words(call, arguments, kind, words):
    with pytest.raises(KINDS[kind]) as refused:
        applied(call, arguments)
    assert holds(str(refused.value), words), str(refused.value)
