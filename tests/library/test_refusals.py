"""Every public function and class refuses bad input: each argument in turn, spoilt in every way that applies.

A valid call of every public name is written down once. From it follow the bad calls: an object of no use,
another dtype, another device (meta), a tensor that is not dense, a number that is not finite, negative or
not whole, a word that is not known. Each must raise TypeError or ValueError and name the argument. A public
name or a parameter without a valid call here fails the first two tests.
"""

import inspect
import math
import re

import pytest
import torch

import posenc_lib as p
from posenc_lib.rotary.scaling.rules import scale

F64 = torch.float64
X = torch.randn(1, 2, 4, 8)
AT, THETA = torch.arange(4), p.inv_freq(8)
COS, SIN = p.cos_sin(THETA, AT)
FACTORS = {"factor": 2.0, "original_max_position_embeddings": 8}
LLAMA = {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4}
LAYERS = {**LLAMA, "layer_types": ["full"]}
STATE = p.linear_attention(X, X, X, causal=True, return_state=True)[1]
TABLES = {"cos": COS, "sin": SIN, "layout": "half"}
QKV = {"q": X, "k": X, "v": X}
CALL = {"position_ids": AT, "causal": True, "mask": torch.ones(4, 4).bool()}
BIAS = {"q_pos": AT, "k_pos": AT}
MODULE = {"position_ids": AT, "offset": 0}

ROPE = p.RotaryEmbedding(p.RotarySpec(8))
WIDE = torch.ones(1, 4, 16)
CACHE = p.MultiHeadAttention(16, 2, ROPE)(WIDE, position_ids=AT, causal=True, length=8, return_cache=True)[1]


def defaults(of):
    parameters = inspect.signature(of).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


# A valid call: what is called, and every argument it can take.
CALLS = {
    "attention_temperature": (
        p.attention_temperature, {"position_ids": AT, "slope": 0.1, "length": 8, "first": 1, "dtype": F64}
    ),
    "inv_freq": (p.inv_freq, {"dim": 8, "base": 1e4, "dtype": F64}),
    "midpoint_inv_freq": (p.midpoint_inv_freq, {"dim": 8, "base": 1e4}),
    "sample_inv_freq": (p.sample_inv_freq, {"theta": lambda t: t, "dim": 8, "midpoint": False}),
    "base_lower_bound": (p.base_lower_bound, {"context_length": 64, "dim": 8, "rtol": 1e-9}),
    "RotarySpec": (
        p.RotarySpec,
        {"dim": 8, "base": 1e4, "layout": "half", "rotary_dim": 8, "scaling": "dynamic", "params": FACTORS,
         "sections": (2, 2), "sections_interleaved": False, "axis_of_plane": None},
    ),
    "RotarySpec.scale": (p.RotarySpec(8).scale, {"inv_freq": THETA, "length": 8}),
    "RotarySpec.inv_freq": (p.RotarySpec(8).inv_freq, {"length": 8}),
    "RotarySpec.attention_factor": (p.RotarySpec(8).attention_factor, {"length": 8}),
    "RotarySpec.wavelengths": (p.RotarySpec(8).wavelengths, {"length": 8}),
    "RotarySpec.from_hf_config": (
        p.RotarySpec.from_hf_config,
        {"config": LAYERS, "layer_type": "full", "layer": 0, "layout": "half", "handled": ("alibi",)},
    ),
    "positions_range": (p.positions_range, {"length": 4, "offset": 2, "device": torch.device("cpu")}),
    "positions_from_mask": (p.positions_from_mask, {"mask": torch.ones(2, 3).bool()}),
    "positions_from_cu_seqlens": (
        p.positions_from_cu_seqlens, {"cu_seqlens": torch.tensor([0, 2]), "offsets": torch.tensor([1])},
    ),
    "positions_grid": (p.positions_grid, {"shape": 2, "device": torch.device("cpu")}),
    "positions_mrope": (
        p.positions_mrope,
        {"segments": [2, (1, 2, 2)], "offset": 3, "time_step": 1.0, "device": torch.device("cpu")},
    ),
    "positions_context_parallel": (
        p.positions_context_parallel,
        {"length": 8, "rank": 1, "world_size": 2, "scheme": "zigzag", "device": torch.device("cpu")},
    ),
    "cos_sin": (
        p.cos_sin,
        {"inv_freq": THETA, "position_ids": AT, "attention_factor": 1.0, "dtype": F64, "angle_dtype": F64},
    ),
    "rotation_matrix": (
        p.rotation_matrix, {"inv_freq": THETA, "position": 3, "layout": "half", "dtype": F64},
    ),
    "apply_rotary": (p.apply_rotary, {"x": X, **TABLES, "inverse": False, "seq_dim": -2}),
    "apply_rotary_qk": (p.apply_rotary_qk, {"q": X, "k": X, **TABLES, "inplace": False, "seq_dim": -2}),
    "apply_rotary_pos_emb": (
        p.apply_rotary_pos_emb, {"q": X, "k": X, "cos": COS[None], "sin": SIN[None], "unsqueeze_dim": 1},
    ),
    "rerotate": (
        p.rerotate,
        {"k": X, "delta": AT, "inv_freq": THETA, "layout": "half", "attention_factor": 1.0},
    ),
    "RotaryEmbedding": (
        p.RotaryEmbedding, {"spec": p.RotarySpec(8), "learnable": False, "angle_dtype": F64},
    ),
    "RotaryEmbedding of a width": (
        lambda dim, **fields: p.RotaryEmbedding(dim, **fields),
        {"dim": 8, "base": 1e4, "layout": "half", "rotary_dim": 8, "scaling": "dynamic", "params": FACTORS,
         "sections": (2, 2), "sections_interleaved": False, "axis_of_plane": None},
    ),
    "RotaryEmbedding.inv_freq": (p.RotaryEmbedding(p.RotarySpec(8)).inv_freq, {"length": 8}),
    "RotaryEmbedding.tables": (
        p.RotaryEmbedding(p.RotarySpec(8)).tables, {"position_ids": AT, "length": 8, "dtype": F64},
    ),
    "RotaryEmbedding.forward": (
        p.RotaryEmbedding(p.RotarySpec(8)).forward, {"q": X, "k": X, **MODULE, "length": 8, "seq_dim": -2},
    ),
    "TrainableFrequencies": (p.TrainableFrequencies, {"num": 4}),
    "TrainableFrequencies.forward": (p.TrainableFrequencies(4).forward, {"inv_freq": THETA}),
    "rotate_half": (p.rotate_half, {"x": X, "layout": "half"}),
    "permute_layout": (
        p.permute_layout, {"x": X, "src": "half", "dst": "interleaved", "rotary_dim": 8},
    ),
    "permute_qk_weight": (
        p.permute_qk_weight,
        {"w": torch.randn(16, 3), "num_heads": 2, "src": "half", "dst": "interleaved", "rotary_dim": 8},
    ),
    "section_axes": (p.section_axes, {"sections": (2, 2), "interleaved": False}),
    "axis_frequencies": (
        p.axis_frequencies, {"inv_freq": THETA, "sections": (2, 2), "interleaved": False},
    ),
    "axial_frequencies": (p.axial_frequencies, {"dim": 8, "axes": 2, "base": 1e4}),
    "mixed_frequencies": (
        p.mixed_frequencies,
        {"dim": 8, "num_heads": 2, "axes": 2, "base": 10.0, "generator": torch.Generator()},
    ),
    "cos_sin_axes": (
        p.cos_sin_axes,
        {"frequencies": p.axial_frequencies(8, 2), "position_ids": p.positions_grid(2, 2),
         "attention_factor": 1.0, "dtype": F64, "angle_dtype": F64},
    ),
    "cos_sin_xpos": (
        p.cos_sin_xpos,
        {"inv_freq": THETA, "position_ids": AT, "scale_base": 512.0, "center": 0, "gamma": 0.4, "dtype": F64},
    ),
    "sinusoidal": (
        p.sinusoidal, {"position_ids": AT, "dim": 8, "base": 1e4, "layout": "half", "dtype": F64},
    ),
    "sinusoidal_of": (
        p.sinusoidal_of, {"inv_freq": THETA, "position_ids": AT, "layout": "half", "dtype": F64},
    ),
    "shift_matrix": (p.shift_matrix, {"k": 3, "inv_freq": THETA, "layout": "half"}),
    "linear_positions": (p.linear_positions, {"position_ids": AT, "dim": 8, "length": 16}),
    "SinusoidalEncoding": (
        p.SinusoidalEncoding, {"dim": 8, "base": 1e4, "layout": "half", "learnable": False},
    ),
    "SinusoidalEncoding.forward": (p.SinusoidalEncoding(8).forward, {"x": X, **MODULE}),
    "LearnedEncoding": (p.LearnedEncoding, {"num_positions": 8, "dim": 8, "std": 0.1}),
    "LearnedEncoding.forward": (p.LearnedEncoding(8, 8).forward, {"x": X, **MODULE}),
    "LinearEncoding": (p.LinearEncoding, {"dim": 8, "length": 16}),
    "LinearEncoding.forward": (p.LinearEncoding(8).forward, {"x": X, **MODULE}),
    "ScoreBias": (p.ScoreBias, {"num_heads": 2}),
    "ScoreBias.bias": (p.ALiBi(2).bias, {**BIAS, "dtype": F64}),
    "ScoreBias.score_mod": (p.ALiBi(2).score_mod, {**BIAS, "device": torch.device("cpu")}),
    "ScoreBias.head_slice": (p.ALiBi(4).head_slice, {"start": 1, "stop": 3}),
    "DistanceBias": (p.DistanceBias, {"num_heads": 2}),
    "DistanceBias.of_distance": (p.ALiBi(2).of_distance, {"distance": AT, "dtype": F64}),
    "alibi_slopes": (p.alibi_slopes, {"num_heads": 2}),
    "t5_buckets": (
        p.t5_buckets,
        {"relative_position": AT, "bidirectional": True, "num_buckets": 32, "max_distance": 128},
    ),
    **{bias.__name__: (bias, {"num_heads": 2, **defaults(bias)}) for bias in p.BIASES.values()},
    "FIRE.bias": (p.FIRE(2).bias, {**BIAS, "dtype": F64}),
    "relative_position_index": (
        p.relative_position_index,
        {"window": (2, 2), "class_token": True, "device": torch.device("cpu")},
    ),
    "resize_window_table": (
        p.resize_window_table, {"table": torch.randn(9, 2), "window": (2, 2), "new_window": (3, 2)},
    ),
    "relative_log_coordinates": (
        p.relative_log_coordinates,
        {"window": (3, 3), "pretrained_window": (2, 2), "dtype": F64, "device": torch.device("cpu")},
    ),
    "WindowBias": (p.WindowBias, {"num_heads": 2, "window": (2, 2), "class_token": True}),
    "WindowBias.bias": (p.WindowBias(2, (2, 2)).bias, {**BIAS, "dtype": F64}),
    "LogCPB": (
        p.LogCPB, {"num_heads": 2, "window": (3, 3), "pretrained_window": (2, 2), "width": 4},
    ),
    "forgetting_bias": (p.forgetting_bias, {"log_gates": -X[:, 0].abs().mT, **BIAS}),
    "cope_logits": (
        p.cope_logits,
        {"q": X, "gate_logits": torch.randn(1, 2, 4, 4), "table": torch.randn(3, 8), **BIAS},
    ),
    "relative_positions": (
        p.relative_positions, {"q_len": 3, "k_len": 3, "clip": 2, "offset": 1, "device": torch.device("cpu")},
    ),
    "shaw_scores": (
        p.shaw_scores, {"q": X, "k": X, "table": torch.randn(5, 8), "clip": 2, **BIAS},
    ),
    "RelativeAttention": (p.RelativeAttention, {"head_dim": 8, "clip": 2, "values": True}),
    "RelativeAttention.forward": (
        p.RelativeAttention(8, 2).forward, {**QKV, **CALL, "backend": "dense"},
    ),
    "rel_shift": (p.rel_shift, {"x": torch.randn(2, 4)}),
    "transformer_xl_scores": (
        p.transformer_xl_scores,
        {"q": X, "k": X, "r": torch.randn(2, 7, 8), "u": torch.randn(2, 8), "v": torch.randn(2, 8)},
    ),
    "disentangled_scores": (
        p.disentangled_scores,
        {"q": X, "k": X, "q_table": torch.randn(2, 4, 8), "k_table": torch.randn(2, 4, 8), **BIAS},
    ),
    "attention": (
        p.attention,
        {**QKV, "encoding": ROPE, **CALL, "scale": 1.0, "length": 8, "dropout": 0.1, "backend": "dense",
         "seq_dim": -2},
    ),
    "MultiHeadAttention": (
        p.MultiHeadAttention,
        {"embed_dim": 8, "num_heads": 2, "encoding": p.ALiBi(2), "bias": True, "num_kv_heads": 1,
         "qk_norm": True, "dropout": 0.1, "backend": "dense"},
    ),
    "MultiHeadAttention.forward": (
        p.MultiHeadAttention(16, 2, ROPE).forward,
        {"x": WIDE, "context": WIDE, **CALL, "length": 8, "tables": None, "cache": None,
         "return_cache": False},
    ),
    "MultiHeadAttention.forward with a cache": (
        lambda x, position_ids, cache, length: p.MultiHeadAttention(16, 2, ROPE).eval()(
            x, position_ids=position_ids, causal=True, length=length, cache=cache, return_cache=True
        ),
        {"x": WIDE, "position_ids": AT, "cache": CACHE, "length": 8},
    ),
    "KVCache.extended": (CACHE.extended, {"k": X, "v": X, "position_ids": AT}),
    "KVCache.preallocated": (CACHE.preallocated, {"size": 8}),
    "MultiHeadAttention.forward with tables": (
        lambda x, tables: p.MultiHeadAttention(16, 2, ROPE)(x, tables=tables),
        {"x": WIDE, "tables": (COS, SIN)},
    ),
    "dual_chunk_positions": (
        p.dual_chunk_positions, {"position_ids": AT, "chunk_size": 5, "local_size": 1},
    ),
    "dual_chunk_attention": (
        p.dual_chunk_attention,
        {**QKV, "rope": ROPE, "chunk_size": 5, "local_size": 1, "position_ids": AT, "keys_turned": False,
         "mask": torch.ones(4, 4).bool(), "scale": 1.0, "length": 8, "seq_dim": -2},
    ),
    "linear_attention": (
        p.linear_attention,
        {**QKV, **TABLES, "feature_map": "elu+1", "causal": True, "state": STATE, "return_state": True},
    ),
    "gram": (p.gram, {"pe": X}),
    "toeplitz_defect": (p.toeplitz_defect, {"scores": X}),
    "table_error": (
        p.table_error, {"inv_freq": THETA, "position_ids": AT, "dtype": F64, "angle_dtype": F64},
    ),
    "decay_kernel": (p.decay_kernel, {"distances": AT, "inv_freq": THETA}),
    "decay_integral": (p.decay_integral, {"x": AT, "base": 1e4, "complex_value": False}),
    "partial_sums": (p.partial_sums, {"distances": AT, "inv_freq": THETA}),
    "mean_partial_sums": (p.mean_partial_sums, {"distances": AT, "inv_freq": THETA}),
    "plane_products": (p.plane_products, {"q": X, "k": X, "layout": "half"}),
    "rotary_score": (
        p.rotary_score, {"q": X, "k": X, "distances": AT, "inv_freq": THETA, "layout": "half"},
    ),
    "abel_bound": (p.abel_bound, {"q": X, "k": X, "distances": AT, "inv_freq": THETA, "layout": "half"}),
    "trivial_bound": (p.trivial_bound, {"q": X, "k": X, "layout": "half"}),
    "scaling.scale": (
        scale, {"kind": "dynamic", "inv_freq": THETA, "length": 8, "params": FACTORS},
    ),
}  # fmt: skip
# Values, not called: RotarySpec(scaling=…) refuses a name that is not in SCALINGS.
REGISTRIES = {"BIASES", "SCALINGS"}
# Named tuples of tensors: linear_attention(state=…) checks them; DualChunkPositions is given back, not taken.
CHECKED_WHERE_USED = {"LinearState", "KVCache", "DualChunkPositions"}

# --- what looks bad and is not

DATA = {
    "x",
    "q",
    "k",
    "v",
    "w",
    "r",
    "u",
    "cos",
    "sin",
    "table",
    "q_table",
    "k_table",
    "gate_logits",
    "pe",
    "scores",
    "context",
}
REORDERED = {("permute_layout", "x"), ("permute_qk_weight", "w"), ("rel_shift", "x")}
SIGNED = {
    ("positions_range", "offset"),
    ("positions_mrope", "offset"),
    ("relative_positions", "offset"),
    ("cos_sin_xpos", "center"),
    ("rotation_matrix", "position"),
    ("shift_matrix", "k"),
}
FRACTIONS = {("rotation_matrix", "position"), ("shift_matrix", "k")}
ANY_WIDTH = {"linear_positions", "LearnedEncoding", "LinearEncoding"}
FREQUENCIES = {"inv_freq", "frequencies"}  # moved to the device of the positions
POSITIONS = {"position_ids", "distances", "distance", "delta"}
# The argument has another name in the message, which another call shares.
CALLED = {("scaling.scale", "kind"): "scaling", ("RotaryEmbedding of a width", "dim"): "(spec|dim)"}


def allowed(name, argument, kind):
    """Whether this is a good call after all."""
    place = (name, argument)
    return (
        (kind == "NaN" and argument in DATA)  # what flows through is not looked at
        or (kind in ("complex", "integer", "eight bits") and place in REORDERED)
        or (kind == "negative" and place in SIGNED)
        or (kind == "not whole" and place in FRACTIONS)
        or (kind == "odd" and name in ANY_WIDTH)
        or (kind == "other device" and not _shares_a_device(name, argument))
    )


def _shares_a_device(name, argument):
    others = {a for a, v in CALLS[name][1].items() if isinstance(v, torch.Tensor)} - {argument}
    if argument not in FREQUENCIES:
        others -= FREQUENCIES
    return bool(others) or ("forward" in name and argument in DATA | FREQUENCIES)


class Unshowable:
    def __repr__(self):
        raise RuntimeError("nobody can show this")


DEEP = []
for _ in range(10**5):
    DEEP = [DEEP]


def bad_values(argument, value):
    """What may not stand in place of `value`: (kind, bad value)."""
    yield "useless", object()
    if not isinstance(value, torch.device):  # which torch reads, in words of its own
        yield "not to be shown", Unshowable()
        yield "too deep", DEEP
        yield "too long", "x" * 10**6
    if isinstance(value, int | float):
        yield "beyond torch", 2**63
        yield "beyond every float", 10**5000
    if isinstance(value, bool):
        yield "a word for a flag", "yes"
    elif isinstance(value, int):
        yield "not whole", value + 0.5
        yield "negative", -1
        if argument in ("dim", "rotary_dim"):
            yield "odd", value - 1
    elif isinstance(value, float):
        yield "NaN", math.nan
        yield "infinite", math.inf
        yield "minus infinite", -math.inf
    elif isinstance(value, str):
        yield "unknown word", "nonsense"
    elif isinstance(value, torch.dtype):
        yield "integer dtype", torch.int32
    elif isinstance(value, torch.Tensor):
        yield "complex", value.to(torch.complex64)
        yield "other device", value.to("meta")
        if value.is_floating_point():
            yield "integer", value.long()
            yield "NaN", value * math.nan
        elif value.dtype == torch.int64:
            yield "bool", value.bool()
            yield "half precision", value.half()
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
    if isinstance(value, bool):
        return TypeError  # a number for a flag, however large
    types = ("complex", "bool", "half precision", "integer dtype", "integer", "eight bits")
    stored = ("sparse", "sparse rows", "jagged", "nested", "for oneDNN")
    return TypeError if kind in types + stored else ValueError


def run(name, arguments):
    call = CALLS[name][0]
    if name == "positions_grid":
        return call(arguments["shape"], device=arguments["device"])
    return call(**arguments)


SPOILT = [
    pytest.param(name, argument, kind, bad, id=f"{name} {argument} {kind}")
    for name, (_, arguments) in CALLS.items()
    for argument, value in arguments.items()
    for kind, bad in bad_values(argument, value)
]


@pytest.mark.parametrize(("name", "argument", "kind", "bad"), SPOILT)
def test_a_spoilt_argument_is_refused_by_name(name, argument, kind, bad):
    spoilt = {**CALLS[name][1], argument: bad}
    if allowed(name, argument, kind):
        run(name, spoilt)
        return
    with pytest.raises(error(name, argument, kind)) as refused:
        run(name, spoilt)
    word = CALLED.get((name, argument), argument)
    said = str(refused.value)
    assert re.search(rf"\b{word}\b", said), f"{word} is not named: {said[:2000]}"
    assert len(said) < 3000


# The least that an argument may be, by its name or in one place; None where there is none, "more" above 0.
LEAST = {
    "dim": 2, "rotary_dim": 2, "length": 0, "layer": 0, "first": 0, "rank": 0, "shape": 0, "start": 0,
    "q_len": 0, "k_len": 0, "local_size": 0, "std": 0.0, "dropout": 0.0, "num": 1, "num_heads": 1,
    "num_kv_heads": 1, "embed_dim": 1, "head_dim": 1, "axes": 1, "width": 1, "num_positions": 1, "clip": 1,
    "world_size": 1, "chunk_size": 1, "num_buckets": 4, "context_length": 2, "base": "more", "rtol": "more",
    "time_step": "more", "scale_base": "more", "gamma": "more", "c": "more", "threshold": "more",
    "slope": None, "offset": None, "position": None, "k": None, "center": None, "attention_factor": None,
    "scale": None, "seq_dim": None, "unsqueeze_dim": None,
    ("attention_temperature", "length"): 1, ("linear_positions", "length"): 1,
    ("LinearEncoding", "length"): 1, ("linear_positions", "dim"): 1, ("LinearEncoding", "dim"): 1,
    ("LearnedEncoding", "dim"): 1, ("KVCache.preallocated", "size"): 4, ("t5_buckets", "max_distance"): 9,
    ("T5Bias", "max_distance"): 9,
    ("ScoreBias.head_slice", "stop"): 0,
}  # fmt: skip
NUMBERS = [
    (name, argument)
    for name, (_, arguments) in CALLS.items()
    for argument, value in arguments.items()
    if isinstance(value, int | float) and not isinstance(value, bool)
]


@pytest.mark.parametrize(("name", "argument"), NUMBERS)
def test_the_least_of_a_number_is_taken_and_what_is_below_is_not(name, argument):
    least = LEAST.get((name, argument), LEAST.get(argument, "not listed"))

    def said(number):
        try:
            run(name, {**CALLS[name][1], argument: number})
        except (TypeError, ValueError) as refused:
            return str(refused)
        return ""

    word = CALLED.get((name, argument), argument)
    if least is None:
        assert not re.search("positive|negative|at least", said(type(CALLS[name][1][argument])(-1)))
    elif least == "more":
        assert re.search(rf"\b{word} must be positive", said(0.0))
        assert not re.search(rf"\b{word} must be positive", said(1e-3))
    else:
        below = said(least - 1)
        assert re.search(rf"\b{word} must (be at least {least:g}\b.*, got|not be negative, got)", below), (
            below
        )
        assert not re.search(rf"\b{word} must be at least {least:g}\b", said(least))


@pytest.mark.parametrize("name", CALLS)
def test_the_call_is_valid_before_it_is_spoilt_and_gives_every_argument(name):
    call, arguments = CALLS[name]
    run(name, arguments)
    parameters = inspect.signature(call).parameters.values()
    assert {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} <= set(arguments)
    assert any(p.kind is p.VAR_KEYWORD for p in parameters) or len(parameters) == len(arguments)


def test_every_public_name_is_spoilt():
    assert {name for name in CALLS if name in p.__all__} == set(p.__all__) - REGISTRIES - CHECKED_WHERE_USED


def test_every_module_with_a_forward_is_spoilt_there_too():
    modules = {
        n for n in p.__all__ if isinstance(getattr(p, n), type) and issubclass(getattr(p, n), torch.nn.Module)
    }
    own = {n for n in modules if "forward" in vars(getattr(p, n))}
    assert {f"{n}.forward" for n in own} <= set(CALLS)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: p.RotarySpec(8, rotary_dim=10), "rotary_dim must not exceed dim=8, got 10"),
        (lambda: p.permute_layout(X, "half", "interleaved", rotary_dim=10), "rotary_dim must be at most"),
        (lambda: p.cos_sin(THETA, AT + 2**25, angle_dtype=torch.float32), r"exact in torch\.float32"),
        (lambda: p.linear_positions(AT + 2**25, 8), r"exact in torch\.float32"),
        (lambda: p.LearnedEncoding(2, 8)(X), r"below num_positions = 2, got 0\.\.3"),
        (
            lambda: scale("yarn", THETA, params={**FACTORS, "mscale": math.nan}),
            "mscale must be finite",
        ),
        (
            lambda: scale("yarn", THETA, params={**FACTORS, "truncate": "no"}),
            "truncate must be True",
        ),
        (
            lambda: p.RotarySpec(
                8, scaling="longrope", params={**FACTORS, "short_factor": [1.0] * 4, "long_factor": [1.0] * 3}
            ),
            "long_factor must hold one number a plane, 4, got 3",
        ),
        (
            lambda: p.RotarySpec(
                8, scaling="longrope", params={**FACTORS, "short_factor": [0.0] * 4, "long_factor": [1.0] * 4}
            ),
            "short_factor must be positive",
        ),
        (
            lambda: p.RotarySpec(
                2,
                scaling="longrope",
                params={
                    "factor": 2.0,
                    "original_max_position_embeddings": 1,
                    "short_factor": [1.0],
                    "long_factor": [1.0],
                },
            ),
            "original_max_position_embeddings must exceed 1",
        ),
        (
            lambda: p.linear_attention(X.double(), X.double(), X.double(), causal=True, state=STATE),
            "state.kv must be torch.float64",
        ),
        (lambda: p.shaw_scores(X, X, torch.ones(5, 8), 2, AT[:3], AT), r"q_pos must have shape \[4\]"),
    ],
)
def test_arguments_that_do_not_fit_each_other_are_refused(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
