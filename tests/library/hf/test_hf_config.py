"""Configs of versions 4 and 5 are read as the models read them; those refused stand in ``refusals``."""

import importlib
import json
import math
import pathlib

import pytest
import torch
from config_cases import cases

from posenc_lib import RotarySpec

transformers = pytest.importorskip("transformers")
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS  # noqa: E402

CASES, EXAMPLES = cases("configs"), cases("scalings", "rotary")
VARIANTS = EXAMPLES.pop("variants")
ROPES = {name: rope for name, rope in EXAMPLES.items() if name not in ("default", "ntk")} | VARIANTS
BASE = {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 64}
# Hugging Face computes b^(2i/d) in float32: with exponents up to ln b = 13, whose rounding is 13·6e-8.
FLOAT32 = {"rtol": 1e-6, "atol": 0.0}


def _rope(name):
    return {"rope_type": name.split(",")[0], "rope_theta": 5e5, **ROPES[name]}


def _llama(rope):
    """Or, for a part of each head, StableLM, which has the same sizes."""
    partial = "partial_rotary_factor" in rope and rope["rope_type"] != "proportional"
    kind = "StableLm" if partial else "Llama"
    longest = 64 if rope["rope_type"] == "dynamic" else 256
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": longest}
    return getattr(transformers, f"{kind}Config")(rope_parameters=rope, **sizes)


def _table(config, length=None, layer_type=None):
    rope = config.rope_parameters if layer_type is None else config.rope_parameters[layer_type]
    theta, factor = ROPE_INIT_FUNCTIONS[rope["rope_type"]](config, seq_len=length, layer_type=layer_type)
    return theta.double(), factor


# partial_rotary_factor is a parameter of the kind "proportional" itself
@pytest.mark.parametrize(
    ("name", "partial"), [(n, p) for n in ROPES for p in (1.0, 0.25) if "proportional" not in n or p == 1.0]
)
def test_tables_equal_the_models_own(name, partial):
    rope = _rope(name)
    if partial != 1.0:
        rope |= {"partial_rotary_factor": partial}
        rope |= {key: rope[key][:2] for key in ("short_factor", "long_factor") if key in rope}
    if "dynamic" in name:
        del rope["original_max_position_embeddings"]
    config = _llama(rope)
    spec = RotarySpec.from_hf_config(config)
    assert spec.rotated == int(16 * partial)
    for length in (None, 64, 65, 256, 640):
        theta, factor = _table(config, length)
        torch.testing.assert_close(spec.inv_freq(length), theta, **FLOAT32)
        assert spec.attention_factor(length) == pytest.approx(factor, rel=1e-12)


def test_a_layers_own_truncate_counts():
    """transformers 5.23 looks for `truncate` beside the layer types, not inside them, and misses it."""
    yarn, local = _rope("yarn, no truncation"), {"rope_type": "default", "rope_theta": 1e4}
    nested = {"full_attention": yarn, "sliding_attention": local}
    config = transformers.Gemma3TextConfig(rope_parameters=nested, head_dim=16)
    spec = RotarySpec.from_hf_config(config, "full_attention")
    flat, truncated = (RotarySpec.from_hf_config(_llama(yarn | own)) for own in ({}, {"truncate": True}))
    assert spec.params["truncate"] is False and torch.equal(spec.inv_freq(), flat.inv_freq())
    theirs, _ = _table(config, layer_type="full_attention")
    torch.testing.assert_close(theirs, truncated.inv_freq(), **FLOAT32)  # their nested table ignores the key
    assert float((theirs - spec.inv_freq()).abs().max()) > 1e-4


@pytest.mark.parametrize("name", ROPES)
def test_version_4_and_5_read_alike(name):
    rope = _rope(name)
    theta, kind = rope.pop("rope_theta"), rope.pop("rope_type")
    sizes = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    sizes["max_position_embeddings"] = 64 if kind == "dynamic" else 256
    forms = (
        {"rope_parameters": {"rope_theta": theta, "rope_type": kind, **rope}},
        {"rope_theta": theta, "rope_scaling": {"rope_type": kind, **rope}},
        {"rope_theta": int(theta), "rope_scaling": {"type": kind, **rope}},
    )
    read = {RotarySpec.from_hf_config(json.loads(json.dumps(sizes | form))) for form in forms}
    assert read == {RotarySpec.from_hf_config(_llama(_rope(name)))}


ROWS = [*CASES["known models"], *CASES["choices"]]


@pytest.mark.parametrize(("config", "choice", "fields"), ROWS, ids=[f"{c['model_type']}" for c, _, _ in ROWS])
def test_a_config_is_this_spec(config, choice, fields):
    assert RotarySpec.from_hf_config(config, **choice) == RotarySpec(**fields)


@pytest.mark.parametrize("at", [str, pathlib.Path, lambda folder: folder / "config.json"])
def test_a_path_is_read_as_the_json_that_is_there(at, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(BASE), encoding="utf-8")
    assert RotarySpec.from_hf_config(at(tmp_path)) == RotarySpec.from_hf_config(BASE)
    with pytest.raises(TypeError, match=r"path of a config.json, .* where no file is; a name stands for"):
        RotarySpec.from_hf_config(at(tmp_path / "elsewhere"))


def test_gemma_4_has_wider_heads_in_full_attention():
    """The released json and the config object say it differently."""
    config = transformers.Gemma4TextConfig(num_hidden_layers=6, head_dim=16, global_head_dim=32)
    released = config.to_dict() | {"global_head_dim": 32}
    del released["per_layer_config"]
    for form in (config, released):
        full, sliding = (RotarySpec.from_hf_config(form, f"{k}_attention") for k in ("full", "sliding"))
        assert (full.dim, full.scaling, sliding.dim) == (32, "proportional", 16)
    assert RotarySpec.from_hf_config(config, layer=5) == full
    del released["global_head_dim"]
    with pytest.raises(ValueError, match=r"needs global_head_dim; .* pass AutoConfig"):
        RotarySpec.from_hf_config(released, layer_type="full_attention")


def places(value, at=()):
    """The way to each value of a config, and to the first of each list."""
    if at:
        yield at
    first = enumerate(value[:1] if isinstance(value, list) else ())
    for key, part in value.items() if isinstance(value, dict) else first:
        yield from places(part, (*at, key))


def put(value, at, other):
    if not at:
        return other
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[at[0]] = put(copy[at[0]], at[1:], other)
    return copy


ABSURD = (0, -0.0, -1, True, 10**9, 2**63, 10**5000, 5e-324, 1e308, math.nan, -math.inf, "8", "x" * 10**6)
ABSURD = (*ABSURD, None, [], {}, [10**9] * 3, [math.nan], "__import__('os')._exit(3)", float, [[[[]]]])


@pytest.mark.parametrize("config", [row[0] for row in CASES["known models"]], ids=lambda c: c["model_type"])
def test_each_value_of_a_config_may_be_absurd(config):
    """It is read or refused in a few words, and at once: what it asks for is not made."""
    refused = 0
    for at in places(config):
        for value in ABSURD:
            try:
                assert RotarySpec.from_hf_config(put(config, at, value)).inv_freq(64).numel() < 2**16
            except (TypeError, ValueError) as error:
                refused += 1
                assert len(str(error)) < 3000
    assert refused > 20


def test_hunyuans_alpha_is_one_base_for_all_lengths():
    rope = {"rope_type": "dynamic", "alpha": 1000.0, "factor": 1.0, "rope_theta": 1e4}
    config = transformers.HunYuanDenseV1Config(head_dim=8, max_position_embeddings=64, rope_parameters=rope)
    module = importlib.import_module("transformers.models.hunyuan_v1_dense.modeling_hunyuan_v1_dense")
    theirs = module.HunYuanDenseV1RotaryEmbedding(config).inv_freq.double()
    for length in (None, 512):
        torch.testing.assert_close(RotarySpec.from_hf_config(config).inv_freq(length), theirs, **FLOAT32)
