"""Small random T5, BLOOM and DeBERTa models with posenc_lib for attention: the same answers and steps."""

import math
import types

import pytest
import torch

from posenc_lib import ALiBi, T5Bias, attention, disentangled_scores

transformers = pytest.importorskip("transformers")
from transformers.models.bloom.modeling_bloom import BloomAttention  # noqa: E402
from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention  # noqa: E402
from transformers.models.t5.modeling_t5 import T5Attention  # noqa: E402

LENGTH = 150  # past the last boundary of T5's buckets, 113
SIZES = {"vocab_size": 31, "attention_dropout": 0.0, "hidden_dropout": 0.0, "dropout_rate": 0.0}


def seen_by(mask):
    return None if mask is None else mask if mask.dtype == torch.bool else mask >= 0


def t5_model(heads, ours):
    torch.manual_seed(0)
    sizes = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": heads}
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(**SIZES, **sizes)).double().eval()
    for module in model.modules():
        if isinstance(module, T5Attention) and module.has_relative_attention_bias:
            torch.nn.init.normal_(module.relative_attention_bias.weight)
    for stack in (model.encoder, model.decoder) if ours else ():
        bias = T5Bias(heads, bidirectional=not stack.config.is_decoder).double()
        first = stack.block[0].layer[0].SelfAttention
        bias.weight = first.relative_attention_bias.weight  # one parameter, in T5's own layout
        for block in stack.block:
            own = block.layer[0].SelfAttention
            own.forward = types.MethodType(t5_forward(bias), own)
    return model


def t5_forward(bias):
    def forward(self, hidden_states, mask=None, **_):
        q, k, v = (
            proj(hidden_states).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for proj in (self.q, self.k, self.v)
        )
        out = attention(q, k, v, bias, causal=self.is_decoder, mask=seen_by(mask), scale=1.0)
        return self.o(out.transpose(1, 2).flatten(2)), None, None

    return forward


def bloom_model(heads, ours):
    torch.manual_seed(0)
    config = transformers.BloomConfig(**SIZES, hidden_size=8 * heads, n_layer=2, n_head=heads)
    model = transformers.BloomForCausalLM(config).double().eval()
    for module in model.modules() if ours else ():
        if isinstance(module, BloomAttention):
            module.forward = types.MethodType(bloom_forward, module)
    return model


def bloom_forward(self, hidden_states, residual, alibi, attention_mask, **_):
    q, k, v = self._reshape(self.query_key_value(hidden_states))
    out = attention(q, k, v, ALiBi(self.num_heads), causal=True, mask=seen_by(attention_mask))
    return self.dense(out.transpose(1, 2).flatten(2)) + residual, None


# model, heads, length, which of its parameters are positions, and how far ours may be: double, two layers,
# sums in another order; BLOOM takes its softmax in float32 whatever the model's dtype. 12 heads: slopes that
# no power of two gives. BLOOM adds slope · key, we −slope · distance.
MODELS = {
    "T5": (t5_model, 4, LENGTH, "relative_attention_bias", 1e-12),
    "BLOOM": (bloom_model, 12, 40, "none", 2e-6),
}


def told(name, length):
    """What the model is given, the second text padded, and which of its answers count."""
    torch.manual_seed(1)
    ids = torch.randint(1, 31, (2, length))
    keep = torch.arange(length) < torch.tensor([[length], [length - 15]])
    inputs = {"input_ids": ids, "attention_mask": keep.long(), "use_cache": False}
    if name == "T5":
        return inputs | {"decoder_input_ids": ids, "labels": ids}, ids > 0
    return inputs | {"labels": ids.where(keep, -100)}, keep


@pytest.mark.parametrize("name", MODELS)
def test_a_model_with_our_attention_gives_the_same_and_learns_the_same(name):
    make, heads, length, positions, atol = MODELS[name]
    inputs, counted = told(name, length)
    outs, models = [], [make(heads, ours) for ours in (False, True)]
    for model in models:
        out = model(**inputs)
        out.loss.backward()
        outs.append(out.logits.detach()[counted])
    torch.testing.assert_close(outs[1], outs[0], rtol=0, atol=atol)
    before = dict(make(heads, False).named_parameters())
    for model in models:
        torch.optim.SGD(model.parameters(), lr=0.1).step()
    theirs, ours = (dict(model.named_parameters()) for model in models)
    assert theirs.keys() == ours.keys()
    for key, parameter in theirs.items():
        if parameter.grad is not None:
            allowed = atol * (1 if name == "T5" else 50 * parameter.grad.abs().max().clamp_min(1e-6).item())
            torch.testing.assert_close(ours[key].grad, parameter.grad, rtol=0, atol=allowed, msg=key)
        torch.testing.assert_close(ours[key], parameter, rtol=0, atol=atol, msg=key)
    moved = [key for key, p in theirs.items() if not torch.equal(p, before[key])]
    assert moved and sum(positions in key for key in moved) == (2 if name == "T5" else 0)  # both tables


@pytest.mark.parametrize("terms", [["c2p"], ["p2c"]], ids=" ".join)
@torch.no_grad()
def test_deberta_equals_the_paper_in_its_second_term_and_not_in_its_third(terms):
    """The paper's position to content is at δ(n, m); the released code takes δ(m, n)."""
    torch.manual_seed(0)
    config = transformers.DebertaV2Config(
        hidden_size=32, num_attention_heads=4, relative_attention=True, pos_att_type=terms,
        position_buckets=-1, max_relative_positions=4, share_att_key=False
    )  # fmt: skip
    theirs = DisentangledSelfAttention(config).eval().double()
    x, rows, at = torch.randn(2, 9, 32).double(), torch.randn(8, 32).double(), torch.arange(9)
    expected = theirs(x, torch.ones(2, 1, 9, 9).bool(), rel_embeddings=rows)[0]

    def heads(x):
        return x.unflatten(-1, (4, 8)).transpose(-2, -3)

    q, k, v = (heads(f(x)) for f in (theirs.query_proj, theirs.key_proj, theirs.value_proj))
    of_content = terms == ["c2p"]
    table = heads((theirs.pos_key_proj if of_content else theirs.pos_query_proj)(rows))
    tables = (torch.zeros_like(table), table) if of_content else (table, torch.zeros_like(table))
    paper = disentangled_scores(q, k, *tables, at, at)
    distance = (at[:, None] - at + 4).clamp(0, 7).expand(2, 4, 9, 9)
    of_key = (k @ table.mT).gather(-1, distance.mT).mT
    released = q @ k.mT + ((q @ table.mT).gather(-1, distance) if of_content else of_key)
    by_paper, by_code = (
        ((s / math.sqrt(2 * 8)).softmax(-1) @ v).transpose(1, 2).flatten(2) for s in (paper, released)
    )
    torch.testing.assert_close(by_code, expected, rtol=0, atol=1e-12)
    assert torch.equal(paper, released) == of_content
    assert ((by_paper - expected).abs().max() < 1e-12) == of_content
