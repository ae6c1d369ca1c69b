"""A decoder as one writes it with the library, on weights of transformers: YaRN, few key heads, a cache.

Its logits are those of the model run on the whole text, beyond the original context, token by token, with
rows of different length in one batch.
"""

import pytest
import torch

transformers = pytest.importorskip("transformers", minversion="5.23")
from small_models import sharpened  # noqa: E402
from transformers import LlamaConfig, LlamaForCausalLM  # noqa: E402

from posenc_lib import (  # noqa: E402
    KVCache,
    RotaryEmbedding,
    RotarySpec,
    apply_rotary_qk,
    attention,
    positions_from_mask,
)

YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 16}
TEXT, PROMPT = 60, 40


class Decoder:
    """Layers of a model, with tables, rotation, attention and cache of the library."""

    def __init__(self, model):
        self.model, self.spec = model, RotarySpec.from_hf_config(model.config)
        self.rope = RotaryEmbedding(self.spec)

    def step(self, ids, position_ids, caches=None, mask=None):
        """Logits of new tokens, and what each layer remembers."""
        body, kept = self.model.model, []
        x, tables = body.embed_tokens(ids), self.rope.tables(position_ids, dtype=torch.float64)
        for index, layer in enumerate(body.layers):
            own, y = layer.self_attn, layer.input_layernorm(x)
            q, k, v = (self.heads(f(y)) for f in (own.q_proj, own.k_proj, own.v_proj))
            q, k = apply_rotary_qk(q, k, *tables, layout=self.spec.layout)
            cache = caches[index].extended(k, v, position_ids) if caches else KVCache(k, v, position_ids)
            places = position_ids, cache.position_ids
            z = attention(q, cache.k, cache.v, position_ids=places, causal=True, mask=mask)
            x = x + own.o_proj(z.transpose(1, 2).flatten(2))
            x = x + layer.mlp(layer.post_attention_layernorm(x))
            kept.append(cache)
        return self.model.lm_head(body.norm(x)), kept

    def heads(self, x):
        return x.unflatten(-1, (-1, self.spec.dim)).transpose(1, 2)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    config = LlamaConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, vocab_size=23, max_position_embeddings=64, rope_parameters=YARN,
    )  # fmt: skip
    return sharpened(LlamaForCausalLM(config).double().eval())


@pytest.mark.parametrize("slots", [None, TEXT + 3], ids=["grows", "preallocated"])
@pytest.mark.parametrize("padding", [0, 9], ids=["whole rows", "left padding"])
@torch.no_grad()
def test_logits_are_those_of_the_model(model, padding, slots):
    ids = torch.randint(0, 23, (2, TEXT))
    seen = torch.ones(2, TEXT, dtype=torch.bool)
    seen[1, :padding] = False
    at = positions_from_mask(seen)
    expected = model(ids, attention_mask=seen.long(), position_ids=at).logits

    decoder = Decoder(model)
    found, caches = decoder.step(ids[:, :PROMPT], at[:, :PROMPT], mask=seen[:, None, None, :PROMPT])
    if slots is not None:
        caches = [cache.preallocated(slots) for cache in caches]
        seen = torch.nn.functional.pad(seen, (0, slots - TEXT))
    parts = [found]
    for t in range(PROMPT, TEXT):
        now = slice(t, t + 1)
        mask = seen[:, None, None, : slots or t + 1]
        found, caches = decoder.step(ids[:, now], at[:, now], caches, mask)
        parts.append(found)
    real = seen[:, :TEXT]
    # their angles are float32
    torch.testing.assert_close(torch.cat(parts, 1)[real], expected[real], rtol=0, atol=2e-5)
