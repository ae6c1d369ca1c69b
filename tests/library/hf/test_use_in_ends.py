"""Where a model's code takes its function from, and that all comes back when a model is restored, or gone."""

import copy
import gc
import types

import pytest
import torch
from whole_runs import sample

from posenc_lib.hf import use_in
from posenc_lib.hf.patching import Place, own, standing

transformers = pytest.importorskip("transformers")
from small_models import ANGLES, TOKENS, WRITTEN, logits, made  # noqa: E402
from transformers.models.llama import modeling_llama  # noqa: E402

PLACE = Place(vars(modeling_llama), "apply_rotary_pos_emb")


class MyRotary(modeling_llama.LlamaRotaryEmbedding):
    """As somebody derives one in a notebook, whose module has no function that turns."""


def test_a_model_that_is_gone_leaves_nothing_behind():
    before, model = modeling_llama.apply_rotary_pos_emb, made("llama")
    use_in(model)  # the handle is dropped at once
    other = made("llama")
    used = use_in(other)
    assert len(standing(PLACE).users) == 2 and own(PLACE) is before
    del model
    gc.collect()
    assert len(standing(PLACE).users) == 1 and modeling_llama.apply_rotary_pos_emb is not before
    del other, used
    gc.collect()
    assert modeling_llama.apply_rotary_pos_emb is before and standing(PLACE) is None


def test_a_function_that_somebody_put_over_ours_stays(monkeypatch):
    def later(*args, **kwargs):
        raise AssertionError

    model = made("llama")
    used = use_in(model)
    monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", later)
    used.restore()
    assert modeling_llama.apply_rotary_pos_emb is later
    monkeypatch.undo()
    PLACE.space[PLACE.name] = standing(PLACE).original


def test_a_copy_goes_on_when_the_first_is_restored():
    model = made("llama")
    theirs = logits(model)
    with use_in(model):
        other = copy.deepcopy(model)
        torch.testing.assert_close(logits(other), theirs, **ANGLES)
    torch.testing.assert_close(logits(other), theirs, **ANGLES)
    assert standing(PLACE) is None and type(other.model.rotary_emb).__name__ == "Tables"


def test_what_comes_back_lies_where_the_model_went_in_its_own_dtype():
    model = made("llama", torch.float32)
    used = use_in(model)
    model.to(torch.bfloat16)
    used.restore()
    assert model.model.rotary_emb.inv_freq.dtype == torch.float32
    with use_in(model):
        model.to("meta")
    assert model.model.rotary_emb.inv_freq.is_meta and model.model.rotary_emb.inv_freq.dtype == torch.float32


def test_what_stands_in_has_whatever_the_models_module_has():
    """The layers of LFM2 and LFM3 ask it for more than tables."""
    model = made("llama")
    own = model.model.rotary_emb
    own.layer_types = ["full_attention"]
    with use_in(model):
        ours = model.model.rotary_emb
        assert ours is not own and ours.config is own.config and ours.layer_types is own.layer_types
        assert not hasattr(ours, "nothing")


def test_a_derived_rotary_module_is_found_beside_the_layers():
    model = made("llama")
    theirs = logits(model)
    model.model.rotary_emb = MyRotary(model.config).double()
    with use_in(model):
        assert standing(PLACE) is not None
        torch.testing.assert_close(logits(model), theirs, **ANGLES)


def test_a_layer_of_ones_own_is_served_where_it_asks():
    """Its code has names of its own, as a notebook that imports the function has."""
    names = dict(vars(modeling_llama), __name__="notebook")
    whole = modeling_llama.LlamaAttention.forward
    forward = types.FunctionType(whole.__code__, names, closure=whole.__closure__)
    forward.__kwdefaults__, forward.__defaults__ = whole.__kwdefaults__, whole.__defaults__
    mine = type("MyAttention", (modeling_llama.LlamaAttention,), {"forward": forward})
    model = made("llama")
    theirs, before = logits(model), names["apply_rotary_pos_emb"]
    for layer in model.model.layers:
        layer.self_attn.__class__ = mine
    with use_in(model):
        assert standing(Place(names, PLACE.name)) is not None and standing(PLACE) is None
        torch.testing.assert_close(logits(model), theirs, **ANGLES)
    assert names["apply_rotary_pos_emb"] is before


def test_layers_that_do_not_ask_by_name_are_served_beside_the_rotary_module():
    model = made("llama")
    model.model.rotary_emb = MyRotary(model.config)
    for layer in model.model.layers:
        layer.self_attn.config = None
    with use_in(model):
        assert standing(PLACE) is not None


def test_code_without_a_function_that_turns_is_refused_with_a_way_out(monkeypatch):
    model = made("llama")
    monkeypatch.delattr(modeling_llama, "apply_rotary_pos_emb")
    with pytest.raises(ValueError, match=r"call no function apply_rotary_….* take specs\(model\.config\)"):
        use_in(model)


def test_a_model_without_numbers_is_refused():
    with torch.device("meta"):
        model = transformers.LlamaModel(made("llama").config)
    with pytest.raises(ValueError, match=r"rotary_emb is on the meta device, .*: load the weights first"):
        use_in(model)


def test_texts_that_may_grow_beyond_the_original_context_need_a_length():
    model = made("phi3")
    with pytest.raises(ValueError, match=r"length must be given: .* beyond 64 .*: say length=256, or"):
        use_in(model)
    use_in(model, length=256).restore()


@pytest.mark.parametrize("length", [None, 64, 100])
@torch.no_grad()
def test_a_model_that_has_seen_a_long_text_is_taken(length):
    """Its frequencies are those of that text until a short one comes; the check works with a copy."""
    model = made("llama", **WRITTEN["dynamic"])
    theirs = logits(model)
    grown = model(torch.randint(0, 31, (1, 150))).logits
    assert grown.shape[1] == 150
    kept = model.model.rotary_emb.inv_freq.clone()
    with use_in(model, length=length):
        if length != 100:
            torch.testing.assert_close(logits(model), theirs, **ANGLES)
    assert torch.equal(model.model.rotary_emb.inv_freq, kept)


@torch.no_grad()
def test_a_length_is_at_most_what_float32_counts_to():
    model = made("llama", **WRITTEN["dynamic"])
    use_in(model, length=2**24).restore()
    for length in (2**24 + 1, 10**12):
        said = rf"^length must be at most {2**24} .*'dynamic'.*; got {length}$"
        with pytest.raises(ValueError, match=said):
            use_in(model, length=length)
    use_in(made("llama"), length=10**12).restore()  # whose frequencies are those of any length
    use_in(model, length=1).restore()
    with pytest.raises(ValueError, match="length must be at least 1, got 0"):
        use_in(model, length=0)


@torch.no_grad()
def test_without_a_length_the_first_text_beyond_a_dynamic_models_own_is_refused():
    model = made("llama", **WRITTEN["dynamic"])
    with use_in(model):
        assert model(torch.zeros(1, 64, dtype=torch.long)).logits.shape[1] == 64
        with pytest.raises(ValueError, match="length must be given: scaling 'dynamic'"):
            model(torch.zeros(1, 65, dtype=torch.long))


TWO = {"layer_types": ["sliding_attention", "full_attention"]}


@pytest.mark.parametrize(("model_type", "more"), sample([("deepseek_v3", {}), ("gemma4_text", TWO)], 2))
@torch.no_grad()
def test_what_stands_in_compiles_in_one_piece(model_type, more):
    model = made(model_type, num_hidden_layers=2, **more)
    theirs = logits(model)
    with use_in(model):
        compiled = torch.compile(model, backend="eager", fullgraph=True)
        torch.testing.assert_close(compiled(TOKENS, use_cache=False).logits, theirs, **ANGLES)
