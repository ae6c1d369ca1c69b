"""What 5.1, 5.6 and the page of config keys say of transformers: of its configs, positions and caches."""

import pytest
import torch
from transformers import DataCollatorWithFlattening, Gemma3Config, LlamaConfig, LlamaForCausalLM, Olmo3Config
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.olmo3.modeling_olmo3 import Olmo3RotaryEmbedding

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}


@pytest.fixture
def llama():
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    with torch.no_grad():
        yield LlamaForCausalLM(LlamaConfig(**sizes, vocab_size=50)).double().eval()


def test_a_multimodal_config_holds_the_rule_in_its_part_for_text():
    config, plain = Gemma3Config(), LlamaConfig()
    assert not hasattr(config, "rope_parameters") and config.get_text_config().rope_parameters
    assert plain.get_text_config() is plain


def test_a_rule_beside_the_entries_for_types_of_layer_is_ignored():
    plain, beside, inside = Olmo3Config(), Olmo3Config(), Olmo3Config()
    beside.rope_parameters = beside.rope_parameters | YARN
    inside.rope_parameters["full_attention"] |= YARN
    turns = [dict(Olmo3RotaryEmbedding(config).named_buffers()) for config in (plain, beside, inside)]
    for kind, same in (("full_attention", [True, False]), ("sliding_attention", [True, True])):
        first, *others = (it[f"{kind}_inv_freq"] for it in turns)
        assert [torch.equal(it, first) for it in others] == same


@pytest.mark.parametrize(
    ("rule", "seen", "same"), [("linear", 200, True), ("dynamic", 200, False), ("yarn", 0, False)]
)
def test_what_a_larger_max_position_embeddings_does(rule, seen, same):
    tables = []
    for longest in (64, 256):
        parameters = {"rope_type": rule, "rope_theta": 1e4, "factor": 4.0}
        config = LlamaConfig(head_dim=16, max_position_embeddings=longest, rope_parameters=parameters)
        rotary = LlamaRotaryEmbedding(config)
        rotary(torch.zeros(1), torch.tensor([[seen]]))
        tables.append(rotary.inv_freq)
    assert torch.equal(*tables) == same


def test_packed_texts_are_apart_only_without_a_mask_and_a_cache(llama):
    texts = [1, 2, 3, 4], [5, 6, 7]
    packed = DataCollatorWithFlattening()([{"input_ids": text} for text in texts])
    apart = torch.cat([llama(torch.tensor([text])).logits for text in texts], 1)
    for how, same in (
        ({}, True),
        ({"use_cache": True}, False),
        ({"attention_mask": torch.ones(1, 7)}, False),
    ):
        asked = {"input_ids": packed["input_ids"], "position_ids": packed["position_ids"], "use_cache": False}
        assert torch.allclose(llama(**asked | how).logits, apart, rtol=0, atol=1e-14) == same


def positions_seen(model):
    """A list to which each call adds the positions that it turns by."""
    seen = []
    model.model.rotary_emb.register_forward_pre_hook(
        lambda _, __, named: seen.append(named["position_ids"].tolist()), with_kwargs=True
    )
    return seen


def test_generate_counts_from_the_first_real_token_on(llama):
    seen, mask = positions_seen(llama), torch.tensor([[0, 0, 1, 1, 1]])
    how = {"max_new_tokens": 2, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    llama.generate(5 * mask, attention_mask=mask, **how)
    assert seen == [[[0, 0, 0, 1, 2]], [[3]]]


def test_a_cache_holds_no_positions_and_crop_turns_nothing(llama):
    seen, at = positions_seen(llama), torch.arange(10, 16)[None]
    cache = llama(at, position_ids=at).past_key_values
    turned = cache.layers[0].keys.clone()
    cache.crop(-2)
    assert torch.equal(cache.layers[0].keys, turned[..., :4, :])
    llama(at[:, :1], past_key_values=cache)
    assert seen == [at.tolist(), [[4]]], "it goes on from the number of keys"
