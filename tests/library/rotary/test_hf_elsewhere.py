"""A config of a model that turns nothing is refused in one sentence, which names what says its positions."""

import re
from pathlib import Path

import pytest

import posenc_lib
from posenc_lib import RotarySpec
from posenc_lib.hf import specs
from posenc_lib.rotary.hf_elsewhere import ELSEWHERE

transformers = pytest.importorskip("transformers")
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name  # noqa: E402

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
    (name,) = re.findall(r"posenc_lib\.(\w+)$", ELSEWHERE[model_type])
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
