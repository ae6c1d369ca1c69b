"""A config of a model that turns nothing is refused in one sentence, which names what says its positions."""

import re
from pathlib import Path

import pytest
import torch

import posenc_lib
from posenc_lib import RotaryEmbedding, RotarySpec
from posenc_lib.hf import specs
from posenc_lib.rotary.hf_elsewhere import ELSEWHERE

transformers = pytest.importorskip("transformers")
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name  # noqa: E402
from transformers.models.roformer import modeling_roformer as roformer  # noqa: E402

#: What the code of a model must have that uses each of ours.
CODE = {
    "LearnedEncoding": (
        r"nn\.Embedding\(\s*config\.(max_position_embeddings|n_positions)"
        r"|nn\.Embedding\(\s*max_position_embeddings|class \w*LearnedPositionalEmbedding\(nn\.Embedding\)"
    ),
    "SinusoidalEncoding": r"class \w*Sinusoidal\w*\(nn\.",
    "T5Bias": r"def _relative_position_bucket",
    "ALiBi": r"def build_(mpt_)?alibi_tensor",
    "WindowBias": r"self\.relative_position_bias_table = nn\.Parameter",
    "LogCPB": r"self\.continuous_position_bias_mlp",
    "disentangled_scores": r"def disentangled_attention_bias|def disentangled_att_bias",
}
TURNS = re.compile(r"def rotate_half|RotaryEmbedding\b")


@pytest.mark.parametrize("model_type", sorted(ELSEWHERE))
def test_the_model_s_code_is_what_the_table_says(model_type):
    (name,) = re.findall(r"posenc_lib\.(\w+)(?:\(num_heads\))?$", ELSEWHERE[model_type])
    assert name in posenc_lib.__all__
    folder = Path(transformers.__file__).parent / "models" / model_type_to_module_name(model_type)
    code = "".join(file.read_text("utf-8") for file in folder.glob("modeling_*.py"))
    assert re.search(CODE[name], code) and not TURNS.search(code)


@pytest.mark.parametrize("model_type", sorted(ELSEWHERE))
@pytest.mark.parametrize("read", [specs, RotarySpec.from_hf_config], ids=["specs", "from_hf_config"])
def test_it_is_refused_in_a_sentence(model_type, read):
    with pytest.raises(ValueError) as refused:
        read(CONFIG_MAPPING[model_type]())
    assert str(refused.value) == f"model type {model_type!r} has no rotary encoding: {ELSEWHERE[model_type]}"


def test_another_type_without_rotation_is_told_where_to_look():
    config = {"model_type": "novel", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    with pytest.raises(
        ValueError, match=r"^config has no rope_theta .*AutoConfig.*LearnedEncoding"
    ) as refused:
        specs(config)
    assert "hidden_size" not in str(refused.value)
    assert "AutoConfig" not in str(_refusal(transformers.AutoConfig.for_model("audioflamingo3_encoder")))


def _refusal(config):
    with pytest.raises(ValueError, match="has no rope_theta") as refused:
        RotarySpec.from_hf_config(config)
    return refused.value


PARTS = {
    "t5gemma": r"pass config\.encoder or config\.decoder$",
    "t5gemma2": r"pass config\.encoder or config\.decoder$",
    "dia": r"pass config\.encoder_config or config\.decoder_config$",
    "moonshine": r"whose layers one config describes: build a RotarySpec for each that turns$",
    "whisper": r"whose layers one config describes: build a RotarySpec for each that turns$",
}


@pytest.mark.parametrize("model_type", PARTS)
def test_an_encoder_and_a_decoder_are_told_apart(model_type):
    config = CONFIG_MAPPING[model_type]()
    said = rf"^model type '{model_type}' has an encoder and a decoder.*{PARTS[model_type]}"
    with pytest.raises(ValueError, match=said):
        specs(config)
    if "pass config" in said:
        with pytest.raises(ValueError, match=said):
            RotarySpec.from_hf_config(config)
    for part in re.findall(r"config\\\.(\w+)", PARTS[model_type]):
        assert None not in specs(getattr(config, part))


def test_a_config_that_does_not_count_its_layers_is_refused_by_name():
    with pytest.raises(
        ValueError, match=r"^model type 'parakeet_tdt' .* pass a part, config\.encoder_config$"
    ):
        specs(CONFIG_MAPPING["parakeet_tdt"]())
    with pytest.raises(ValueError, match=r"^config of model type 'dbrx' has no num_hidden_layers$"):
        specs(CONFIG_MAPPING["dbrx"]())  # its parts, attn_config and ffn_config, are not models
    with pytest.raises(ValueError, match=r"^config of model type 'llama' has no num_hidden_layers$"):
        specs({"model_type": "llama", "head_dim": 8, "rope_theta": 1e4})
    with pytest.raises(TypeError, match="num_hidden_layers must be an int, got '2'"):
        specs({"model_type": "llama", "head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": "2"})


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
