"""The parts of use_in by themselves: where it compares, what it takes for a rotation, which lengths."""

from types import ModuleType, SimpleNamespace

import pytest
import torch
from transformers import LlamaConfig, LlamaModel

from posenc_lib import RotarySpec
from posenc_lib.hf import specs, use_in
from posenc_lib.hf.check import FAR, _near_and_far
from posenc_lib.hf.forms import forms
from posenc_lib.hf.turning import function_name

LONG = {"short_factor": (1.0,) * 4, "long_factor": (2.0,) * 4, "original_max_position_embeddings": 64}


@pytest.mark.parametrize(("longest", "last"), [(80, 79), (10 * FAR, FAR - 1), (None, FAR - 1)])
def test_rotations_are_compared_as_far_as_float32_angles_allow(longest, last):
    config = SimpleNamespace(max_position_embeddings=longest)
    found = _near_and_far(RotarySpec(8), config, None).tolist()
    assert found == sorted({0, 1, 2, 3, 7, last // 3, last // 2, last - 1, last})


@pytest.mark.parametrize(("length", "last"), [(None, 63), (2 * FAR, 2 * FAR - 1)])
def test_a_scaling_by_length_is_compared_up_to_that_length(length, last):
    spec = RotarySpec(8, scaling="longrope", params={**LONG, "factor": 2.0})
    assert _near_and_far(spec, SimpleNamespace(max_position_embeddings=10**6), length)[-1] == last


def turn(q, k, cos, sin, unsqueeze_dim=1):
    raise AssertionError("only its arguments are looked at")


def other(q, k, cosine, sine, unsqueeze_dim=1):
    raise AssertionError("only its arguments are looked at")


def test_a_rotation_is_known_by_its_tables_and_by_its_arguments():
    pair = torch.ones(1, 5, 8), torch.zeros(1, 5, 8)
    assert [form.width for form in forms(pair, turn, 4)] == ["halves", "pairs"]
    assert [form.width for form in forms(pair, turn, 8)] == ["once"]
    for tables, function, planes in ((pair, other, 4), (pair[0], turn, 4), (pair, turn, 5)):
        with pytest.raises(ValueError, match=rf"{function.__name__}\(q, k, .* not known for {planes} planes"):
            forms(tables, function, planes)


def test_the_shortest_length_is_one():
    small = {"hidden_size": 32, "intermediate_size": 32, "num_attention_heads": 2, "vocab_size": 9}
    model = LlamaModel(LlamaConfig(num_hidden_layers=1, **small))
    use_in(model, length=1).restore()
    with pytest.raises(ValueError, match="length must be at least 1, got 0"):
        use_in(model, length=0)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], r"got \[\]$"),
        (["apply_rotary_in_its_own_way"], r"got \['apply_rotary_in_its_own_way'\]$"),
        (["apply_rotary_emb", "apply_rotary_pos_emb"], r"which of them a layer takes .* take specs"),
    ],
    ids=["none", "unknown", "two"],
)
def test_code_must_turn_by_one_function_that_is_known(names, message):
    code = ModuleType("some_model")
    vars(code).update(dict.fromkeys(names, turn))
    with pytest.raises(ValueError, match=message):
        function_name(code)
    code = ModuleType("another_model")
    vars(code).update(apply_rotary_emb=turn, apply_rotary_pos_emb_vision=turn)
    assert function_name(code) == "apply_rotary_emb"


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "smollm3", "max_position_embeddings": 64},
        {"model_type": "llama4_text", "attn_temperature_tuning": False},
    ],
    ids=lambda config: config["model_type"],
)
def test_layers_that_do_not_turn_need_no_word_where_there_is_no_temperature(config):
    layers = {"head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
    assert [spec is None for spec in specs(config | layers)] == [False, False, False, True]
