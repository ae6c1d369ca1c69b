"""A loaded model takes its rotation from this library: the same logits, or a refusal that says why.

With float32 angles the operations are the model's own, and logits agree to the bit but where small_models.yml
says how they differ. With float64 angles logits move by what the model's float32 angles are off.
"""

import copy
from dataclasses import replace

import pytest
import torch

from posenc_lib.hf import specs, swap, use_in
from posenc_lib.hf.patching import Place, standing

transformers = pytest.importorskip("transformers")
from small_models import ANGLES, MODELS, SIZES, WRITTEN, logits, made  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402


@pytest.mark.parametrize("model_type", MODELS)
def test_logits_stay_and_come_back(model_type):
    model = made(model_type)
    theirs, names = logits(model), [name for name, _ in model.named_modules()]
    length = 64 if model_type == "phi3" else None
    with use_in(model, angle_dtype=torch.float32, length=length) as used:
        ours = logits(model)
    if model_type in WRITTEN["to rounding"]:
        torch.testing.assert_close(ours, theirs, rtol=0, atol=5e-7)
    else:
        assert torch.equal(ours, theirs)
    with use_in(model, length=length) as used:
        torch.testing.assert_close(logits(model), theirs, **ANGLES)
        tables = next(m for m in model.modules() if type(m).__name__ == "Tables")
        for rope in tables.ropes.values():  # the comparison sees what is put in
            rope.spec = replace(rope.spec, base=7.0)
        assert (logits(model) - theirs).abs().max() > 1e-3
    assert torch.equal(logits(model), theirs) and [name for name, _ in model.named_modules()] == names
    turns = getattr(model.config, "no_rope_layers", None) or [1] * 4
    if model_type == "cohere2":
        turns = [1, 1, 1, 0]
    assert [spec is not None for spec in used.specs] == [bool(t) for t in turns]
    assert all(spec == specs(model.config, handled=swap.TEMPERATURES)[i] for i, spec in enumerate(used.specs))


@pytest.mark.parametrize("default", [torch.float64, torch.bfloat16])
def test_the_check_does_not_depend_on_torchs_default_dtype(default):
    model, before = made("llama"), torch.get_default_dtype()
    theirs = logits(model)
    torch.set_default_dtype(default)
    try:
        with use_in(model):
            torch.testing.assert_close(logits(model), theirs, **ANGLES)
    finally:
        torch.set_default_dtype(before)


def test_a_buffer_that_was_cast_is_refused_with_the_difference():
    """``model.to(torch.bfloat16)`` casts the frequencies, and the model goes on with others."""
    model = made("mistral", torch.bfloat16)
    rotary = model.model.rotary_emb
    cause = r"its inv_freq is torch\.bfloat16: load the model with dtype=torch\.bfloat16 instead of conv"
    with pytest.raises(ValueError, match=rf"another than .* differs from .* by \d.*; {cause}"):
        use_in(model)
    assert model.model.rotary_emb is rotary


def test_a_model_loaded_in_bfloat16_is_taken(tmp_path):
    made("mistral", torch.float32).save_pretrained(tmp_path)
    model = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.bfloat16)
    assert model.lm_head.weight.dtype == torch.bfloat16
    with use_in(model) as used:
        assert repr(used).startswith("InUse(MistralForCausalLM: 4 of 4 layers turn, layout half, difference ")
    assert repr(used) == "InUse(MistralForCausalLM: 4 of 4 layers turn, layout half, restored)"


@pytest.mark.parametrize("change", [{"rope_theta": 500.0}, {"partial_rotary_factor": 0.5}], ids=str)
def test_a_config_that_is_not_the_models_is_refused(change):
    model = made("stablelm")
    model.config = copy.deepcopy(model.config)
    model.config.rope_parameters |= change
    with pytest.raises(ValueError, match=r"another than that of its config|of a kind that is not known"):
        use_in(model)


def test_a_wrong_layout_is_refused():
    """For a model type that the reader does not know, the caller names a layout, and the model judges it."""

    class Unheard(transformers.LlamaConfig):
        model_type = "unheard_of"

    model = transformers.LlamaForCausalLM(Unheard(**SIZES))
    with pytest.raises(ValueError, match="layout of model type 'unheard_of' is not known"):
        use_in(model)
    with pytest.raises(ValueError, match="another than that of its config"):
        use_in(model, layout="interleaved")
    use_in(model, layout="half").restore()


def test_scalings_by_length_are_checked_at_that_length():
    model = made("phi3")
    with torch.no_grad():
        long = torch.randint(0, 31, (1, 80), generator=torch.Generator().manual_seed(2))
        theirs = model(long).logits
        with use_in(model, length=80):
            torch.testing.assert_close(model(long).logits, theirs, **ANGLES)
        with use_in(model, length=70), pytest.raises(ValueError, match=r"length is 70, .* goes to 79"):
            model(long)


def test_two_models_of_a_family_share_the_function_until_the_last_is_restored():
    own, one, other = modeling_llama.apply_rotary_pos_emb, made("llama"), made("llama")
    bystander = made("llama")
    theirs = logits(bystander)
    first, second = use_in(one), use_in(other)
    assert modeling_llama.apply_rotary_pos_emb is not own
    assert torch.equal(logits(bystander), theirs)
    first.restore()
    first.restore()
    assert modeling_llama.apply_rotary_pos_emb is not own
    second.restore()
    assert modeling_llama.apply_rotary_pos_emb is own


def test_a_model_in_use_is_refused():
    model = made("llama")
    with use_in(model), pytest.raises(ValueError, match="uses this library already"):
        use_in(model)


def test_models_whose_code_would_have_to_turn_in_two_ways_are_refused(monkeypatch):
    one, other = made("llama"), made("llama")
    with use_in(one):
        known = standing(Place(vars(modeling_llama), "apply_rotary_pos_emb"))
        monkeypatch.setattr(known, "turn", replace(known.turn, layout="interleaved"))
        with pytest.raises(ValueError, match="for another model"):
            use_in(other)


@pytest.mark.parametrize("kind", ["Bert", "GPTJ"])
def test_a_model_without_a_rotary_module_is_told_so_first(kind):
    config = getattr(transformers, f"{kind}Config")(**SIZES | {"pad_token_id": 0, "rotary_dim": 8})
    said = f"^model {kind}Model has no rotary .*: it has no rotary encoding, or .* itself, as GPT-J does"
    with pytest.raises(ValueError, match=said):
        use_in(getattr(transformers, f"{kind}Model")(config))


def test_a_model_in_place_of_its_config_is_answered():
    with pytest.raises(TypeError, match=r"got LlamaForCausalLM; a model has one: pass model\.config"):
        specs(made("llama"))
