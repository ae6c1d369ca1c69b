"""Temperatures that a config asks for, layer by layer, are those by which the model's own layers multiply."""

import copy
import re
from pathlib import Path

import pytest
import torch

from posenc_lib.hf import Layer, Temperature, layers, specs, temperatures, use_in

transformers = pytest.importorskip("transformers")
from small_models import SIZES, WRITTEN, sharpened  # noqa: E402
from transformers import AutoModel  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

SEQ = 24
# The settings, and those without any temperature.
MODELS = {name: (rows["hot"], rows["cold"]) for name, rows in WRITTEN["temperatures"].items()}
TOKENS = torch.randint(0, 31, (2, SEQ), generator=torch.Generator().manual_seed(1))
HANDLED = ("llama_4_scaling_beta", "attn_temperature_tuning", "attention_scaling")


def config_of(model_type, settings):
    return CONFIG_MAPPING[model_type](**copy.deepcopy(SIZES | WRITTEN["width of 32"] | settings))


def made(config):
    torch.manual_seed(0)
    model = AutoModel.from_config(config, attn_implementation="eager").double().eval()
    return sharpened(model, "q_b_proj", "kv_b_")


@torch.no_grad()
def states(model):
    return model(TOKENS).last_hidden_state


def heated(model, listed, at):
    """Multiply what projects to queries, before any rotation: a factor by position commutes with it."""
    name = "q_b_proj" if hasattr(model.layers[0].self_attn, "q_b_proj") else "q_proj"
    for layer, one in zip(model.layers, listed, strict=True):
        if one is not None:
            factor = one.factor(at, dtype=torch.float64)[:, None]
            getattr(layer.self_attn, name).register_forward_hook(lambda _, __, x, factor=factor: x * factor)
    return model


@pytest.mark.parametrize("model_type", MODELS)
def test_the_models_own_layers_multiply_so(model_type):
    with_it, without = (config_of(model_type, settings) for settings in MODELS[model_type])
    listed, at = temperatures(with_it), torch.arange(SEQ)
    theirs, cold = states(made(with_it)), states(made(without))
    # Llama 4 works its factor out in float32, Ministral 3 rounds positions/length to it.
    torch.testing.assert_close(states(heated(made(without), listed, at)), theirs, rtol=0, atol=1e-6)
    assert (theirs - cold).abs().max() > 1e-3  # the comparison sees it
    if model_type == "llama4_text":
        assert listed == [None, Temperature(0.3, 5, 1)] * 2
        shifted = [one and Temperature(0.3, 5) for one in listed]
        assert (states(heated(made(without), shifted, at)) - theirs).abs().max() > 1e-3
    else:
        assert listed == [Temperature(0.3, 5)] * 4


@pytest.mark.parametrize("model_type", ["ministral3", "llama4_text"])
def test_a_model_in_use_keeps_its_temperature(model_type):
    model = made(config_of(model_type, MODELS[model_type][0]))
    theirs = states(model)
    with use_in(model, angle_dtype=torch.float32):
        torch.testing.assert_close(states(model), theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("model_type", MODELS)
def test_one_call_gives_specs_and_temperatures_and_specs_alone_refuse_them_by_name(model_type):
    """What each is worth is compared with the model's own layers above and in test_use_in.py."""
    config = config_of(model_type, MODELS[model_type][0])
    name = r"llama_4_scaling_beta|attn_temperature_tuning.*hf\.layers\(config\)"
    with pytest.raises(ValueError, match=name):
        specs(config)
    found = layers(config)
    assert [one.spec for one in found] == specs(config, handled=HANDLED)
    turning = [one.spec is not None for one in found]
    assert turning == ([True, False] * 2 if model_type == "llama4_text" else [True] * 4)
    assert [one.temperature for one in found] == temperatures(config)
    assert any(one.temperature is not None for one in found)
    (handled,) = {"llama_4_scaling_beta"} if model_type != "llama4_text" else {"attn_temperature_tuning"}
    assert layers(config, handled=[handled]) == [Layer(spec, None) for spec in specs(config, handled=HANDLED)]
    cold = [one.temperature for one in layers(config_of(model_type, MODELS[model_type][1]))]
    assert cold in ([None] * 4, [Temperature(0.0, 5)] * 4)


def test_layers_refuses_what_neither_of_both_can_say():
    beam = CONFIG_MAPPING["beam"]()
    for read, words in (
        (layers, r"attention_scaling .*2048"),
        (specs, r"attention_scaling .* \(1 \+ \(position \+ 1\)/2048\)\^0\.1"),
        (temperatures, r"'beam' has a temperature by another formula: multiply .*2048"),
    ):
        with pytest.raises(ValueError, match=words):
            read(beam)
    assert None in specs(beam, handled=HANDLED)
    assert {one.temperature for one in layers(beam, handled=["attention_scaling"])} == {None}
    novel = {"model_type": "novel", "head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 2}
    assert layers(novel, layout="half") == [Layer(spec, None) for spec in specs(novel, layout="half")]


def test_no_other_code_multiplies_queries_by_a_logarithm_of_their_position():
    """A new model with a temperature fails here, until the reader knows it."""
    pytest.importorskip("transformers", minversion="5.23")  # whose types are listed
    position = r"\bpositions?(_ids)?\b"
    by_position = re.compile(rf"\blog(1p|2)?\(.*{position}|{position}.*\.log(1p|2)?\(")
    found = {
        path.parent.name
        for path in Path(transformers.__file__).parent.glob("models/*/modeling_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if by_position.search(line)
    }
    assert found == {"llama4", "ministral3", "mistral4", "beam", "mistral_large4"}


@pytest.mark.parametrize("model_type", ["smollm3", "llama4_text"])
def test_layers_that_do_not_turn_need_no_word_where_there_is_no_temperature(model_type):
    config = {"model_type": model_type, "attn_temperature_tuning": False, "max_position_embeddings": 64}
    config |= {"head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
    assert [spec is None for spec in specs(config)] == [False, False, False, True]


def test_a_model_without_a_temperature_has_none():
    assert temperatures({"model_type": "llama", "num_hidden_layers": 3}) == [None] * 3
    assert temperatures(config_of("llama4_text", MODELS["llama4_text"][1])) == [None] * 4
