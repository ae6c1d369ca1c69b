"""A config of a model that turns nothing is refused in one sentence, which names what says its positions."""

import re
from pathlib import Path

import pytest
import torch
from config_cases import cases

import posenc_lib
from posenc_lib import RotaryEmbedding, RotarySpec
from posenc_lib.hf import specs
from posenc_lib.hf.config.models import INSTEAD, MODELS

transformers = pytest.importorskip("transformers")
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name  # noqa: E402
from transformers.models.roformer import modeling_roformer as roformer  # noqa: E402

CASES = cases("elsewhere")
ELSEWHERE = {name: model.instead for name, model in MODELS.items() if model.instead}
TURNS = re.compile(r"def rotate_half|RotaryEmbedding\b")


@pytest.mark.parametrize("model_type", sorted(ELSEWHERE))
def test_the_model_s_code_is_what_the_table_says(model_type):
    name = ELSEWHERE[model_type].removesuffix("(num_heads)")
    assert name in posenc_lib.__all__
    folder = Path(transformers.__file__).parent / "models" / model_type_to_module_name(model_type)
    code = "".join(file.read_text("utf-8") for file in folder.glob("modeling_*.py"))
    assert re.search(CASES["code"][name], code) and not TURNS.search(code)


@pytest.mark.parametrize("model_type", sorted(ELSEWHERE))
@pytest.mark.parametrize("read", [specs, RotarySpec.from_hf_config], ids=["specs", "from_hf_config"])
def test_it_is_refused_in_a_sentence(model_type, read):
    with pytest.raises(ValueError) as refused:
        read(CONFIG_MAPPING[model_type]())
    name = ELSEWHERE[model_type]
    why = f"{INSTEAD[name]}, see posenc_lib.{name}"
    assert str(refused.value) == f"model type {model_type!r} has no rotary encoding: {why}"


def test_a_part_without_rotation_is_not_told_what_a_config_is():
    with pytest.raises(ValueError, match="has no rope_theta") as refused:
        RotarySpec.from_hf_config(transformers.AutoConfig.for_model("audioflamingo3_encoder"))
    assert "AutoConfig" not in str(refused.value)


@pytest.mark.parametrize(("model_type", "parts"), CASES["parts"].items(), ids=CASES["parts"])
def test_an_encoder_and_a_decoder_are_told_apart(model_type, parts):
    config, listed = CONFIG_MAPPING[model_type](), [f"config.{part}" for part in parts]
    way = "whose layers one config describes: build a RotarySpec for each that turns"
    way = f"pass {' or '.join(listed)}" if parts else way
    said = rf"^model type '{model_type}' has an encoder and a decoder.*{re.escape(way)}$"
    for read in (specs, RotarySpec.from_hf_config) if parts else (specs,):
        with pytest.raises(ValueError, match=said):
            read(config)
    assert all(None not in specs(getattr(config, part)) for part in parts)


@pytest.mark.parametrize(("model_type", "words"), CASES["no count of layers"].items())
def test_a_config_that_does_not_count_its_layers_is_refused_by_name(model_type, words):
    with pytest.raises(ValueError, match=words):
        specs(CONFIG_MAPPING[model_type]())


@torch.no_grad()
def test_roformer_turns_by_the_spec_that_its_refusal_names():
    config = transformers.RoFormerConfig(hidden_size=32, num_attention_heads=4, max_position_embeddings=64)
    said = r"^model type 'roformer' is not read: .* RotarySpec\(width of a head, layout='interleaved'\)"
    for read in (specs, RotarySpec.from_hf_config):
        with pytest.raises(ValueError, match=said):
            read(config)
    table = roformer.RoFormerSinusoidalPositionalEmbedding(64, 8)
    table.weight.copy_(table.create_weight())
    q, k = torch.randn(2, 1, 4, 64, 8, generator=torch.Generator().manual_seed(0)).unbind()
    turned = roformer.RoFormerSelfAttention.apply_rotary_position_embeddings(table((1, 64))[None, None], q, k)
    ours = RotaryEmbedding(RotarySpec(8, layout="interleaved"))(q, k)
    torch.testing.assert_close(ours, turned, rtol=0, atol=1e-5)
