"""Configs of versions 4 and 5 are read as the models read them, or refused."""

import importlib
import json
import math

import pytest
import torch

from posenc_lib import RotaryEmbedding, RotarySpec, attention, dual_chunk_attention, inv_freq, rotate_half

transformers = pytest.importorskip("transformers")
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS  # noqa: E402

ROPES = {
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 512},
    "yarn, no truncation": {"factor": 4.0, "original_max_position_embeddings": 512, "truncate": False},
    "yarn, two mscales": {
        "factor": 40.0,
        "original_max_position_embeddings": 512,
        "beta_fast": 16.0,
        "beta_slow": 2.0,
        "mscale": 1.0,
        "mscale_all_dim": 0.7,
    },
    "yarn, own factor": {"factor": 4.0, "original_max_position_embeddings": 512, "attention_factor": 0.9},
    "longrope": {
        "factor": 4.0,
        "original_max_position_embeddings": 512,
        "short_factor": [1 + i / 64 for i in range(32)],
        "long_factor": [1 + i / 8 for i in range(32)],
    },
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 512,
    },
    "proportional": {"partial_rotary_factor": 0.25, "factor": 2.0},
}
# Hugging Face computes b^(2i/d) in float32: with exponents up to ln b = 13, whose rounding is 13·6e-8.
FLOAT32 = {"rtol": 1e-6, "atol": 0.0}


def _llama(rope, **changes):
    """Or, for a part of each head, StableLM, which has the same sizes."""
    rope = {"rope_theta": 5e5, **rope}
    kind = "StableLm" if rope.get("partial_rotary_factor") == 0.5 else "Llama"
    settings = {"hidden_size": 256, "num_attention_heads": 4, "max_position_embeddings": 2048} | changes
    return getattr(transformers, f"{kind}Config")(rope_parameters=rope, **settings)


def _table(config, length=None, layer_type=None):
    rope = config.rope_parameters if layer_type is None else config.rope_parameters[layer_type]
    rule = ROPE_INIT_FUNCTIONS[rope["rope_type"]]
    theta, factor = rule(config, seq_len=length, layer_type=layer_type)
    return theta.double(), factor


# partial_rotary_factor is a parameter of the kind "proportional" itself
@pytest.mark.parametrize(
    ("name", "partial"), [(n, p) for n in ROPES for p in (1.0, 0.5) if n != "proportional" or p == 1.0]
)
@pytest.mark.parametrize("length", [None, 512, 513, 2048, 5000])
def test_tables_equal_the_models_own(name, length, partial):
    kind = name.split(",")[0]
    rope = {"rope_type": kind, **ROPES[name]}
    if partial != 1.0:
        rope["partial_rotary_factor"] = partial
        if kind == "longrope":
            rope |= {key: rope[key][:16] for key in ("short_factor", "long_factor")}
    config = _llama(rope)
    spec = RotarySpec.from_hf_config(config)
    theta, factor = _table(config, length)
    assert spec.rotated == int(64 * partial)
    torch.testing.assert_close(spec.inv_freq(length), theta, **FLOAT32)
    assert spec.attention_factor(length) == pytest.approx(factor, rel=1e-12)


@pytest.mark.parametrize(
    ("base", "original"), [(5e5, 64), (4.0, 512), (5e5, 6)], ids=["below", "above", "to one point"]
)
def test_yarn_ramp_is_clipped_as_released(base, original):
    """Ends of the ramp outside the ladder: cut off at plane 0, at d − 1, and both at 0."""
    rope = {
        "rope_type": "yarn",
        "rope_theta": base,
        "factor": 4.0,
        "original_max_position_embeddings": original,
    }
    config = _llama(rope)
    theta, _ = _table(config)
    torch.testing.assert_close(RotarySpec.from_hf_config(config).inv_freq(), theta, **FLOAT32)


def test_default_table_equals_the_models_own():
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    config = _llama({"rope_type": "default"})
    spec = RotarySpec.from_hf_config(config)
    theta = LlamaRotaryEmbedding(config).inv_freq
    torch.testing.assert_close(spec.inv_freq(), theta.double(), **FLOAT32)
    # The same float32 arithmetic gives the same bits.
    assert torch.equal(inv_freq(spec.dim, spec.base, dtype=torch.float32), theta)


def test_a_layers_own_truncate_counts():
    """transformers 5.23 looks for `truncate` beside the layer types, not inside them, and misses it."""
    yarn = {"rope_type": "yarn", "rope_theta": 1e6} | ROPES["yarn, no truncation"]
    local = {"rope_type": "default", "rope_theta": 1e4}
    config = transformers.Gemma3TextConfig(
        rope_parameters={"full_attention": yarn, "sliding_attention": local}, head_dim=64
    )
    spec = RotarySpec.from_hf_config(config, "full_attention")
    assert spec.params["truncate"] is False
    flat = RotarySpec.from_hf_config(_llama(yarn))
    assert torch.equal(spec.inv_freq(), flat.inv_freq())

    theirs, _ = _table(config, layer_type="full_attention")
    truncated = RotarySpec.from_hf_config(_llama(yarn | {"truncate": True}))
    torch.testing.assert_close(theirs, truncated.inv_freq(), **FLOAT32)  # their nested table ignores the key
    flat_theirs, _ = _table(_llama(yarn))
    torch.testing.assert_close(flat_theirs, flat.inv_freq(), **FLOAT32)  # their flat one does not
    assert float((theirs - spec.inv_freq()).abs().max()) > 1e-4


def test_layer_types_have_their_own_encodings():
    config = transformers.Gemma3TextConfig(
        rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        }
    )
    full, sliding = (
        RotarySpec.from_hf_config(config, name) for name in ("full_attention", "sliding_attention")
    )
    assert (full.base, full.scaling, sliding.base, sliding.scaling) == (1e6, "linear", 1e4, "default")
    with pytest.raises(ValueError, match=r"layer_type must be one of .*full_attention.*got None"):
        RotarySpec.from_hf_config(config)
    version_4 = {
        "model_type": "gemma3_text",
        "head_dim": 256,
        "rope_theta": 1e6,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0},
        "rope_local_base_freq": 1e4,
    }
    assert RotarySpec.from_hf_config(version_4, "full_attention") == full
    assert RotarySpec.from_hf_config(version_4, "sliding_attention") == sliding
    with pytest.raises(ValueError, match="must be 'full_attention' or 'sliding_attention', got None"):
        RotarySpec.from_hf_config(version_4)


@pytest.mark.parametrize("name", ROPES)
def test_version_4_and_5_read_alike(name):
    kind = name.split(",")[0]
    sizes = {
        "model_type": "llama",
        "hidden_size": 256,
        "num_attention_heads": 4,
        "max_position_embeddings": 2048,
    }
    new = sizes | {"rope_parameters": {"rope_theta": 5e5, "rope_type": kind, **ROPES[name]}}
    specs = {
        RotarySpec.from_hf_config(json.loads(json.dumps(config)))
        for config in (
            new,
            sizes | {"rope_theta": 5e5, "rope_scaling": {"rope_type": kind, **ROPES[name]}},
            sizes | {"rope_theta": 500000, "rope_scaling": {"type": kind, **ROPES[name]}},
        )
    }
    assert len(specs) == 1
    assert specs == {RotarySpec.from_hf_config(_llama({"rope_type": kind, **ROPES[name]}))}


LONG = {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4}
CONFIGS = {
    "gpt_neox": (
        {"hidden_size": 64, "num_attention_heads": 4, "rotary_pct": 0.25, "rotary_emb_base": 10000},
        RotarySpec(16, rotary_dim=4),
    ),
    "gptj": (
        {"n_embd": 64, "n_head": 4, "rotary_dim": 8},
        RotarySpec(16, layout="interleaved", rotary_dim=8),
    ),
    "qwen2_vl": (
        {"head_dim": 16, "rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}},
        RotarySpec(16, 1e6, sections=(2, 3, 3)),
    ),
    "qwen3_vl_text": (
        {"head_dim": 16, "rope_parameters": {"rope_theta": 5e6, "mrope_section": [4, 2, 2]}},
        RotarySpec(16, 5e6, sections=(4, 2, 2), sections_interleaved=True),
    ),
    "deepseek_v3": (
        {"qk_rope_head_dim": 64, "head_dim": 64, "rope_theta": 1e4},
        RotarySpec(64, layout="interleaved"),
    ),
    "phi3": (
        {
            "head_dim": 8,
            "rope_theta": 1e4,
            "max_position_embeddings": 131072,
            "original_max_position_embeddings": 4096,
            "rope_scaling": {"type": "su", **LONG},
        },
        RotarySpec(
            8,
            scaling="longrope",
            params=LONG | {"original_max_position_embeddings": 4096, "factor": 32.0},
        ),
    ),
    "llama": ({"head_dim": 8, "rope_theta": 1e4, "rope_scaling": None}, RotarySpec(8)),
}


@pytest.mark.parametrize("model_type", CONFIGS)
def test_known_models(model_type):
    config, spec = CONFIGS[model_type]
    assert RotarySpec.from_hf_config({"model_type": model_type, **config}) == spec


def test_a_multi_modal_config_stands_for_its_text_part():
    text = {"model_type": "qwen2_vl_text", **CONFIGS["qwen2_vl"][0]}
    outer = {"model_type": "qwen2_vl", "text_config": text, "vision_config": {"rope_theta": 7.0}}
    assert RotarySpec.from_hf_config(outer) == CONFIGS["qwen2_vl"][1]


def test_an_unknown_model_type_needs_the_layout():
    config = {"model_type": "novel", "head_dim": 8, "rope_theta": 1e4}
    with pytest.raises(ValueError, match="layout of model type 'novel' is not known"):
        RotarySpec.from_hf_config(config)
    assert RotarySpec.from_hf_config(config, layout="interleaved").layout == "interleaved"
    with pytest.raises(ValueError, match="model type 'llama' has layout 'half', got layout='interleaved'"):
        RotarySpec.from_hf_config(config | {"model_type": "llama"}, layout="interleaved")


@pytest.mark.parametrize("name", ["llama", "gpt_neox", "phi", "olmo2", "cohere", "glm", "helium", "ernie4_5"])
def test_the_layout_is_the_models_own(name):
    """rotate_half of the model's code, on a vector that tells the pairs apart."""
    module = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    x = torch.arange(1.0, 9.0)
    config = {"model_type": name, "head_dim": 8, "rope_theta": 1e4, "partial_rotary_factor": 1.0}
    layout = RotarySpec.from_hf_config(config).layout
    assert torch.equal(module.rotate_half(x[None, None, None])[0, 0, 0], rotate_half(x, layout))


BASE = {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 64}
MROPE = {"model_type": "qwen2_vl"}
REFUSED = [
    ({"rope_theta": None}, "config has no rope_theta"),  # the classes assume 1e4, 1.5e5, 5e5, 1e6 …
    ({"head_dim": None}, "config needs head_dim"),
    ({"head_dim": None, "hidden_size": 65, "num_attention_heads": 4}, "a multiple of heads; got 65 and 4"),
    ({"rope_scaling": {"rope_type": "novel"}}, "scaling must be one of .*, got 'novel'"),
    ({"rope_scaling": {"rope_type": "linear"}}, r"needs the parameters \['factor'\]"),
    ({"rope_scaling": {"rope_type": "linear", "factor": 2, "finetuned": True}}, "parameter 'finetuned'"),
    ({"rope_scaling": {"rope_type": "yarn", "factor": 2, "attn_factor": 1}}, "parameter 'attn_factor'"),
    ({"rope_scaling": {"rope_type": "linear", "type": "yarn", "factor": 2}}, "rope_type and type disagree"),
    ({"rope_parameters": {"rope_theta": 2e4}}, "rope_theta is 20000.0 in the rope parameters but"),
    (
        {"rope_scaling": {"rope_type": "dynamic", "factor": 2, "original_max_position_embeddings": 32}},
        "starts",
    ),
    (
        {"rope_scaling": {"rope_type": "yarn", "factor": 2}, "max_position_embeddings": None},
        "needs original_max_position_embeddings",
    ),
    ({"rope_parameters": {"full": {"rope_theta": 1e4}, "nope": None}}, r"one of \['full'\], got None"),
    ({"rope_parameters": "yarn"}, "rope_parameters must be a mapping, got 'yarn'"),
    ({"rope_parameters": {"rope_theta": 1e4}, "rope_scaling": {"factor": 2.0}}, "but rope_scaling is"),
    ({"rope_scaling": "yarn"}, "rope_scaling must be a mapping, got 'yarn'"),
    ({"model_type": "phi"}, "'phi' omits partial_rotary_factor; .* AutoConfig"),
    ({"model_type": "gptj"}, "'gptj' omits rotary_dim"),
    ({"rope_scaling": {"mrope_interleaved": True}}, "planes to axes is not known"),
    ({"rope_scaling": {"mrope_section": [1, 1, 2]}}, "the code of model type 'llama' gives planes to axes"),
    ({"rope_scaling": {"type": "yarn", "original_max_position_embeddings": 0}}, "original_max_position_em"),
    ({"partial_rotary_factor": 0.0}, "partial_rotary_factor must be positive"),
    ({"rope_theta": math.nan}, "^rope_theta must be positive and finite, got nan"),
    (
        {"rope_theta": math.nan, "rope_parameters": {"rope_theta": float("nan")}},
        "^rope_theta must be positive and finite, got nan",
    ),
    ({"rope_theta": math.nan, "rope_parameters": {"rope_theta": 1e4}}, "rope_theta is 10000.0 in the rope"),
    ({"partial_rotary_factor": math.nan}, "^partial_rotary_factor must be positive and finite, got nan"),
    (
        {"rope_scaling": {"rope_type": "dynamic", "factor": 2}, "max_position_embeddings": math.nan},
        "^original_max_position_embeddings must be positive and finite, got nan",
    ),
    ({"model_type": "qwen2_vl"}, "rotates on several axes, but the config has no mrope_section"),
    (MROPE | {"rope_scaling": {"mrope_section": [1, 1]}}, "sections must sum to 4 planes"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_what_is_not_understood_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        RotarySpec.from_hf_config(BASE | change)


WRONG_TYPE = [
    *({key: "64"} for key in ("rope_theta", "head_dim", "rotary_dim", "partial_rotary_factor")),
    *({"head_dim": None, "hidden_size": h, "num_attention_heads": n} for h, n in (("64", 4), (64, "4"))),
    *({key: True} for key in ("rope_theta", "head_dim", "partial_rotary_factor")),
    {"head_dim": 8.7},
    {"rotary_dim": 6.5},
    {"model_type": ["llama"]},
    {"rope_scaling": {"rope_type": ["linear"], "factor": 2.0}},
    {"rope_scaling": {"rope_type": "linear", "factor": "2"}},
    {"rope_scaling": {"rope_type": "yarn", "original_max_position_embeddings": "64"}},
    {
        "rope_scaling": {"rope_type": "yarn", "original_max_position_embeddings": 64},
        "max_position_embeddings": "256",
    },
    MROPE | {"rope_scaling": {"rope_type": "default", "mrope_section": 4}},
]


@pytest.mark.parametrize("change", WRONG_TYPE, ids=str)
def test_values_of_a_wrong_type_are_refused_by_name(change):
    """Nothing is cut off, and no word is read as a number."""
    inner = change.get("rope_scaling", {})
    names = [
        name
        for name, value in (*change.items(), *inner.items())
        if isinstance(value, str | float | bool | list)
    ]
    names += [name for name in inner if name == "mrope_section"]
    with pytest.raises(TypeError, match=rf"\b({'|'.join(names)})\b must"):
        RotarySpec.from_hf_config(BASE | change)
    with pytest.raises(TypeError, match="layer_type must be a string"):
        RotarySpec.from_hf_config(BASE, 3)


@pytest.mark.parametrize("model_type", ["cohere2", "llama4_text"])
def test_full_attention_without_rotary_encoding_is_known(model_type):
    config = BASE | {"model_type": model_type, "layer_types": ["sliding_attention", "full_attention"]}
    config |= {"no_rope_layers": [1, 0]} if model_type == "llama4_text" else {}
    assert RotarySpec.from_hf_config(config, "sliding_attention").layout == "interleaved"
    with pytest.raises(ValueError, match="layers of type 'full_attention' have no rotary encoding"):
        RotarySpec.from_hf_config(config, "full_attention")


def test_gptj_may_say_that_it_rotates_whole_heads():
    assert RotarySpec.from_hf_config(BASE | {"model_type": "gptj", "rotary_dim": None}).rotated == 8


def test_a_layer_type_is_not_the_name_of_a_setting():
    rope = {"rope_type": "linear", "factor": 2.0}
    with pytest.raises(ValueError, match="layer_type must be None or one of"):
        RotarySpec.from_hf_config(BASE | {"rope_scaling": rope}, "factor")


def test_layers_without_rotary_encoding_are_refused():
    config = BASE | {"rope_theta": None, "rope_parameters": {"full": {"rope_theta": 1e4}, "nope": None}}
    assert RotarySpec.from_hf_config(config, "full").base == 1e4
    with pytest.raises(ValueError, match="layers of type 'nope' have no rotary encoding"):
        RotarySpec.from_hf_config(config, "nope")
    with pytest.raises(ValueError, match=r"layer_type must be None or one of \[\], got 'full'"):
        RotarySpec.from_hf_config(BASE, "full")
    with pytest.raises(TypeError, match="config must be a mapping or have to_dict"):
        RotarySpec.from_hf_config("meta-llama")


def _refused(config, match, **choice):
    with pytest.raises(ValueError, match=match):
        RotarySpec.from_hf_config(config, **choice)


ON = {
    "alibi": True,
    "use_dynamic_ntk": True,
    "use_logn_attn": True,
    "dual_chunk_attention_config": {"chunk_size": 262144},
    "attn_temperature_tuning": 4,
    "rope_ratio": 500,
    "no_rope_layers": [1, 1, 1, 0],
    "kv_channels": 128,
    "attention_head_dim": 160,
    "global_head_dim": 512,
    "rope_scaling_layers": [0, 2],
    "compress_rope_theta": 1e5,
    "position_embedding_type": "relative_key",
    "a_new_rotary_twist": 3,
    "xdrope_section": [1, 1],
    "rope_for_values": "yes",
}


@pytest.mark.parametrize("key", ON)
def test_a_key_that_bears_on_positions_is_refused_by_name(key):
    """By construction: a name that no list knows is refused as well; a setting that is off is not."""
    _refused(BASE | {key: ON[key]}, rf"config has {key} = ")
    plain = RotarySpec.from_hf_config(BASE)
    assert RotarySpec.from_hf_config(BASE | {key: ON[key]}, handled=(key,)) == plain
    if key != "position_embedding_type":
        for off in (None, False, [], {}):
            assert RotarySpec.from_hf_config(BASE | {key: off}) == plain


def test_a_config_for_chunks_says_which_function_takes_its_sizes():
    """As Qwen2.5-1M has it; handed on, the spec and the sizes are all that the function needs."""
    sizes = {"chunk_size": 262144, "local_size": 8192, "original_max_position_embeddings": 262144}
    config = BASE | {"dual_chunk_attention_config": sizes}
    message = "its chunk_size and local_size to posenc_lib.dual_chunk_attention, .* handled="
    _refused(config, message + r"\('dual_chunk_attention_config',\)")
    rope = RotaryEmbedding(RotarySpec.from_hf_config(config, handled=("dual_chunk_attention_config",)))
    x = torch.randn(1, 1, 5, rope.spec.dim, dtype=torch.float64)
    del sizes["original_max_position_embeddings"]
    chunked, usual = dual_chunk_attention(x, x, x, rope, **sizes), attention(x, x, x, rope, causal=True)
    torch.testing.assert_close(chunked, usual, rtol=0, atol=1e-14)


def test_what_leaves_the_rotation_alone_is_not_refused():
    other = {"hidden_act": "silu", "rms_norm_eps": 1e-6, "v_head_dim": 3, "index_head_dim": 7}
    other |= {"property": 1, "sliding_window": 4, "architectures": ["LlamaForCausalLM"]}
    assert RotarySpec.from_hf_config(BASE | other) == RotarySpec.from_hf_config(BASE)


def test_handled_names_keys_that_are_not_read():
    with pytest.raises(ValueError, match="handled must name keys that are not read, got 'rope_theta'"):
        RotarySpec.from_hf_config(BASE, handled=("rope_theta",))
    with pytest.raises(TypeError, match="handled must be a tuple or list, got 'alibi'"):
        RotarySpec.from_hf_config(BASE, handled="alibi")


def test_a_position_key_beside_the_text_config_is_refused():
    outer = {"model_type": "aria", "text_config": BASE, "max_position_embeddings": 7, "rope_theta": 1e4}
    assert RotarySpec.from_hf_config(outer) == RotarySpec.from_hf_config(BASE)
    for key, value in (("rope_theta", 2e4), ("alibi", True), ("global_head_dim", 512)):
        _refused(outer | {key: value}, f"config has {key} = ")


def test_layers_that_skip_the_rotation_are_chosen_by_index():
    config = BASE | {"model_type": "smollm3", "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
    _refused(config, r"layers differ, for example in turns: \['False', 'True'\]: pass layer, got None")
    planned = config | {"no_rope_layers": None, "no_rope_layer_interval": 4}
    for same in (config, planned):
        assert RotarySpec.from_hf_config(same, layer=2).base == 1e4
        _refused(same, "have no rotary encoding", layer=3)
        _refused(same, "layer must be below 4, the number of layers, got 4", layer=4)
    assert RotarySpec.from_hf_config(config | {"no_rope_layers": [1] * 4}).base == 1e4
    _refused(planned | {"no_rope_layer_interval": None}, "needs no_rope_layers or no_rope_layer_interval")
    _refused(
        planned | {"num_hidden_layers": 10**9}, "num_hidden_layers must be at most 10000, got 1000000000"
    )
    types = config | {"no_rope_layers": [1, 0], "layer_types": ["a_attention", "b_attention"]}
    assert RotarySpec.from_hf_config(types, "a_attention") == RotarySpec.from_hf_config(types, layer=0)
    _refused(types, "have no rotary encoding", layer_type="b_attention")
    _refused(types, "layer 0 is of type 'a_attention', got", layer=0, layer_type="b_attention")
    _refused(types | {"layer_types": ["x"]}, "must be equally long")


def test_an_unknown_model_with_two_kinds_of_layers_needs_a_choice():
    config = BASE | {"model_type": "novel", "layer_types": ["sliding_attention", "full_attention"]}
    _refused(config, "layer_type must be given, one of", layout="half")
    assert RotarySpec.from_hf_config(config, "full_attention", layout="half").rotated == 8
    assert RotarySpec.from_hf_config(config, layer=1, layout="half").rotated == 8
    _refused(
        config | {"layer_types": ["linear_attention"]}, "must be that of layers that turn", layout="half"
    )


@pytest.mark.parametrize("model_type", ["cohere2", "exaone4", "afmoe", "flint"])
def test_models_whose_window_decides_ask_for_the_kind_of_layer(model_type):
    config = BASE | {"model_type": model_type, "sliding_window": 4}
    _refused(config, "layer_type must be given")  # version 4 does not list the layers
    _refused(config, "have no rotary encoding", layer_type="full_attention")
    assert RotarySpec.from_hf_config(config, "sliding_attention").rotated == 8
    assert RotarySpec.from_hf_config(config | {"sliding_window": None}).rotated == 8


def test_gemma_4_has_wider_heads_in_full_attention():
    """The released json and the config object say it differently."""
    config = transformers.Gemma4TextConfig(num_hidden_layers=6, head_dim=16, global_head_dim=32)
    full, sliding = (RotarySpec.from_hf_config(config, k) for k in ("full_attention", "sliding_attention"))
    assert (full.dim, full.scaling, sliding.dim) == (32, "proportional", 16)
    assert RotarySpec.from_hf_config(config, layer=5) == full
    released = config.to_dict() | {"global_head_dim": 32}
    del released["per_layer_config"]
    assert RotarySpec.from_hf_config(released, "full_attention") == full
    assert RotarySpec.from_hf_config(released, "sliding_attention") == sliding
    del released["global_head_dim"]
    _refused(released, "needs global_head_dim; .* pass AutoConfig", layer_type="full_attention")


def test_each_width_has_its_key_and_the_narrower_part_wins():
    assert RotarySpec.from_hf_config(BASE | {"model_type": "jetmoe", "kv_channels": 6}).dim == 6
    latent = {"model_type": "deepseek_v2", "head_dim": 16, "qk_rope_head_dim": 4}
    assert RotarySpec.from_hf_config(BASE | latent | {"head_dim": None}).dim == 4
    _refused(BASE | latent, "qk_rope_head_dim is 4, but 1.0 of head_dim = 16")
    half = latent | {"model_type": "mistral4", "head_dim": 8, "rope_scaling": {"partial_rotary_factor": 0.5}}
    assert RotarySpec.from_hf_config(BASE | half).rotated == 4
    _refused(BASE | half | {"head_dim": 16}, "qk_rope_head_dim is 4, but 0.5 of head_dim = 16")
    minimax = {"model_type": "minimax_m2", "rotary_dim": 4, "layer_types": []}
    assert RotarySpec.from_hf_config(BASE | minimax).rotated == 4
    _refused(BASE | {"rotary_dim": 4}, "rotary_dim is 4, but partial_rotary_factor = 1.0 makes it 8")


def test_numbers_are_cut_as_the_models_cut_them():
    """24 · 0.44 = 10.56 channels are 10; 6144/4096 = 1.5 is the factor."""
    partial = {"model_type": "stablelm", "head_dim": 24, "partial_rotary_factor": 0.44}
    assert RotarySpec.from_hf_config(BASE | partial).rotated == 10
    yarn = {"rope_type": "yarn", "original_max_position_embeddings": 4096}
    spec = RotarySpec.from_hf_config(BASE | {"max_position_embeddings": 6144, "rope_scaling": yarn})
    assert spec.params["factor"] == 1.5


def test_dynamic_starts_at_the_longest_length_whatever_stands_beside_it():
    rope = {"rope_type": "dynamic", "factor": 2.0}
    config = _llama(rope, original_max_position_embeddings=512)
    spec = RotarySpec.from_hf_config(config)
    assert spec.params["original_max_position_embeddings"] == 2048
    torch.testing.assert_close(spec.inv_freq(4096), _table(config, 4096)[0], **FLOAT32)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_axes_of_an_unknown_model_are_not_guessed(layout):
    rope = {"rope_theta": 1e4, "mrope_section": [2, 1, 1]}
    for extra in ({}, {"mrope_interleaved": False}, {"mrope_interleaved": True}):
        config = {"model_type": "novel", "head_dim": 8, "rope_parameters": rope | extra}
        _refused(config, "mrope_section = .* 'novel' gives planes to axes is not known", layout=layout)
        known = RotarySpec.from_hf_config(config | {"model_type": "qwen3_vl_text"})
        assert known.sections_interleaved  # its code deals them in turn, whatever the key says


def test_numbers_from_elsewhere_do_not_fill_the_memory():
    for width in (10**9, 10**30):
        _refused(BASE | {"head_dim": width}, f"dim must be at most [0-9]+, got {width}")
    rope = {"rope_theta": 1e4, "mrope_section": [10**9] * 3}
    _refused(MROPE | {"head_dim": 8, "rope_parameters": rope}, "sections must sum to 4 planes")


def places(value, at=()):
    """The way to each value of a config, and to the first of each list."""
    if at:
        yield at
    inside = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for key, one in inside:
        yield from places(one, (*at, key))


def put(value, at, other):
    if not at:
        return other
    one = list(value) if isinstance(value, list) else dict(value)
    one[at[0]] = put(one[at[0]], at[1:], other)
    return one


ABSURD = (0, -0.0, -1, True, 10**9, 2**63, 10**5000, 5e-324, 1e308, math.nan, -math.inf, "8", "x" * 10**6)
ABSURD = (*ABSURD, None, [], {}, [10**9] * 3, [math.nan], "__import__('os')._exit(3)", float, [[[[]]]])


@pytest.mark.parametrize("model_type", [*CONFIGS, "yarn"])
def test_each_value_of_a_config_may_be_absurd(model_type):
    """It is read or refused in a few words, and at once: what it asks for is not made."""
    rope = {"rope_type": "yarn", "rope_theta": 1e4, **ROPES["yarn, no truncation"]}
    further = {"yarn": {"model_type": "llama", "head_dim": 8, "rope_parameters": rope}}
    config = further.get(model_type) or {"model_type": model_type, **CONFIGS[model_type][0]}
    refused = 0
    for at in places(config):
        for value in ABSURD:
            try:
                assert RotarySpec.from_hf_config(put(config, at, value)).inv_freq(64).numel() < 2**16
            except (TypeError, ValueError) as error:
                refused += 1
                assert len(str(error)) < 3000
    assert refused > 20


def test_llama_4_scout_as_released():
    rope = {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0}
    config = transformers.Llama4TextConfig(
        head_dim=128, rope_parameters=rope | {"rope_theta": 5e5, "original_max_position_embeddings": 8192}
    )
    theirs, _ = ROPE_INIT_FUNCTIONS["llama3"](config)
    spec = RotarySpec.from_hf_config(config, layer=0)
    torch.testing.assert_close(spec.inv_freq(), theirs.double(), **FLOAT32)


@pytest.mark.parametrize("name", ["ministral3", "mistral4"])
def test_a_temperature_by_position_is_left_to_the_caller(name):
    config = transformers.AutoConfig.for_model(name)
    _refused(
        config,
        r"llama_4_scaling_beta = 0.1, .*: queries are multiplied by .*hf\.layers.* handled=\('llama_4_sc",
    )
    assert RotarySpec.from_hf_config(config, handled=("llama_4_scaling_beta",)).scaling == "yarn"
    copy = {"rope_type": "linear", "factor": 2.0, "max_position_embeddings": 63}
    _refused(BASE | {"rope_scaling": copy}, "max_position_embeddings is 64, but the rope parameters")


def test_messages_say_what_to_pass():
    with pytest.raises(TypeError, match=r"got str; a name stands for AutoConfig\.from_pretrained\(name\)"):
        RotarySpec.from_hf_config("meta-llama/Llama-3.1-8B")
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "layer_types": ["full_attention"]}
    nested = {"model_type": "gemma3", "text_config": text}
    _refused(nested, r"AutoConfig\.from_pretrained", layer_type="full_attention")
    _refused(BASE | {"model_type": "nanochat"}, "'nanochat' is not read: it turns by the opp", layout="half")
    _refused(BASE | {"rope_interleave": True}, "layout is 'half', but the config has rope_interleave = True")


def test_hunyuans_alpha_is_one_base_for_all_lengths():
    """Released configs carry YaRN's keys as well; the model's code does not look at them."""
    rope = {"type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0}
    config = BASE | {"model_type": "hunyuan_v1_dense", "rope_theta": 1e4, "rope_scaling": rope}
    spec = RotarySpec.from_hf_config(config)
    assert (spec.scaling, dict(spec.params)) == ("ntk", {"factor": 1000.0})
    released = transformers.HunYuanDenseV1Config(
        head_dim=8,
        max_position_embeddings=64,
        rope_parameters=dict(rope, rope_theta=1e4, rope_type="dynamic"),
    )
    module = importlib.import_module("transformers.models.hunyuan_v1_dense.modeling_hunyuan_v1_dense")
    theirs = module.HunYuanDenseV1RotaryEmbedding(released)
    torch.testing.assert_close(spec.inv_freq(), theirs.inv_freq.double(), **FLOAT32)
    torch.testing.assert_close(spec.inv_freq(512), theirs.inv_freq.double(), **FLOAT32)
    _refused(BASE | {"rope_scaling": {"type": "dynamic", "factor": 2.0, "alpha": 3.0}}, "'alpha'")
    _refused(config | {"rope_scaling": rope | {"alpha": -1.0}}, "alpha must be positive")


def test_ernie_4_5_vl_gives_planes_to_height_and_width_in_turn_and_then_to_time():
    rope = {"rope_theta": 1e4, "mrope_section": [2, 2, 1]}
    config = {"model_type": "ernie4_5_vl_moe_text", "head_dim": 10, "rope_parameters": rope}
    spec = RotarySpec.from_hf_config(config)
    assert spec.axis_of_plane == (1, 2, 1, 2, 0) and spec.layout == "interleaved"
    for wrong in ([2, 1, 2], [2, 2], [2, 2, 0], [10**9, 10**9, 1]):
        _refused(config | {"rope_parameters": rope | {"mrope_section": wrong}}, "mrope_section must be")


def test_hunyuan_vl_turns_nothing_for_two_channels_of_a_pair_follow_different_axes():
    """Lengths change: no spec can say it, so it is refused by name."""
    module = importlib.import_module("transformers.models.hunyuan_vl.modeling_hunyuan_vl")
    config = transformers.HunYuanVLTextConfig(
        head_dim=8,
        hidden_size=32,
        num_attention_heads=4,
        rope_parameters={"rope_type": "default", "rope_theta": 1e4, "mrope_section": [1, 1, 1, 1]},
    )
    at = torch.tensor([3, 1, 4, 2])[:, None, None]
    q = torch.ones(1, 1, 1, 8)
    turned, _ = module.apply_rotary_pos_emb(q, q, *module.HunYuanVLRotaryEmbedding(config)(q, at))
    assert abs(float(turned.norm() - q.norm())) > 0.1
    same, _ = module.apply_rotary_pos_emb(q, q, *module.HunYuanVLRotaryEmbedding(config)(q, at * 0 + 3))
    assert abs(float(same.norm() - q.norm())) < 1e-5  # text turns
    _refused(config, "two channels of a pair turn by different axes, which is no rotation", layout="half")
