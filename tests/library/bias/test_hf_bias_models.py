"""Small random T5 and BLOOM models with posenc_lib for attention: the same logits and gradients."""

import math
import types

import pytest
import torch

from posenc_lib import ALiBi, T5Bias, attention, disentangled_scores

transformers = pytest.importorskip("transformers")
from transformers.models.bloom.modeling_bloom import BloomAttention  # noqa: E402
from transformers.models.t5.modeling_t5 import T5Attention  # noqa: E402

LENGTH = 150  # past the last boundary of T5's buckets, 113


def t5_model():
    torch.manual_seed(0)
    config = transformers.T5Config(
        vocab_size=31, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, dropout_rate=0.0
    )
    model = transformers.T5ForConditionalGeneration(config).double().eval()
    for module in model.modules():
        if isinstance(module, T5Attention) and module.has_relative_attention_bias:
            torch.nn.init.normal_(module.relative_attention_bias.weight)
    return model


def with_our_t5_attention(model):
    for stack in (model.encoder, model.decoder):
        first = stack.block[0].layer[0].SelfAttention
        bias = T5Bias(4, bidirectional=not stack.config.is_decoder).double()
        bias.weight = first.relative_attention_bias.weight  # one parameter, in T5's own layout
        for block in stack.block:
            block.layer[0].SelfAttention.forward = types.MethodType(
                t5_forward(bias), block.layer[0].SelfAttention
            )
    return model


def t5_forward(bias):
    def forward(self, hidden_states, mask=None, **_):
        q, k, v = (
            proj(hidden_states).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for proj in (self.q, self.k, self.v)
        )
        seen = None if mask is None else mask if mask.dtype == torch.bool else mask >= 0
        out = attention(q, k, v, bias, causal=self.is_decoder, mask=seen, scale=1.0)
        return self.o(out.transpose(1, 2).flatten(2)), None, None

    return forward


def trained(model, tokens, **inputs):
    """Loss and parameters after one step of training."""
    loss = model(**inputs, labels=tokens, use_cache=False).loss
    loss.backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return loss.detach(), {name: parameter.detach() for name, parameter in model.named_parameters()}


def assert_trained_alike(ours, theirs, **tolerance):
    torch.testing.assert_close(ours[0], theirs[0], **tolerance)
    assert ours[1].keys() == theirs[1].keys()
    for name, parameter in theirs[1].items():
        torch.testing.assert_close(ours[1][name], parameter, **tolerance, msg=name)


def outcome(model, **inputs):
    out = model(**inputs, use_cache=False)
    parameters = dict(model.named_parameters())
    gradients = torch.autograd.grad(out.logits.square().mean(), parameters.values(), allow_unused=True)
    return out.logits.detach(), dict(zip(parameters, gradients, strict=True))


def assert_same(ours, theirs):
    # double throughout, two layers; sums in another order
    torch.testing.assert_close(ours[0], theirs[0], rtol=1e-12, atol=1e-12)
    assert ours[1].keys() == theirs[1].keys()
    for name, gradient in theirs[1].items():
        if gradient is not None:
            torch.testing.assert_close(ours[1][name], gradient, rtol=1e-12, atol=1e-12, msg=name)


@pytest.mark.parametrize("padded", [False, True])
def test_t5_with_our_attention_has_the_same_logits_and_gradients(padded):
    torch.manual_seed(1)
    inputs = {
        "input_ids": torch.randint(1, 31, (2, LENGTH)),
        "decoder_input_ids": torch.randint(1, 31, (2, LENGTH)),
    }
    if padded:
        inputs["attention_mask"] = (torch.arange(LENGTH) < torch.tensor([[LENGTH], [90]])).long()
    theirs = outcome(t5_model(), **inputs)
    ours = outcome(with_our_t5_attention(t5_model()), **inputs)
    used = [n for n, g in ours[1].items() if g is not None and "relative_attention_bias" in n]
    assert len(used) == 2 and all(ours[1][n].abs().max() > 0 for n in used)
    assert_same(ours, theirs)


def test_t5_training_step_is_the_same():
    torch.manual_seed(1)
    tokens = torch.randint(1, 31, (2, LENGTH))
    theirs = trained(before := t5_model(), tokens, input_ids=tokens, decoder_input_ids=tokens)
    start = dict(t5_model().named_parameters())
    moved = [n for n, p in before.named_parameters() if not torch.equal(p, start[n])]
    assert sum("relative_attention_bias" in name for name in moved) == 2  # the step trains both tables
    assert_trained_alike(
        trained(with_our_t5_attention(t5_model()), tokens, input_ids=tokens, decoder_input_ids=tokens),
        theirs,
        rtol=0,
        atol=1e-12,
    )


def test_t5_in_float32():
    torch.manual_seed(1)
    inputs = {
        "input_ids": torch.randint(1, 31, (2, LENGTH)),
        "decoder_input_ids": torch.randint(1, 31, (2, LENGTH)),
    }
    theirs = t5_model().float()(**inputs, use_cache=False).logits
    ours = with_our_t5_attention(t5_model().float())(**inputs, use_cache=False).logits
    # scores are not scaled in T5: of size 10 here, so exp passes on ten roundings of 6e-8, twice
    torch.testing.assert_close(ours, theirs, rtol=0, atol=2e-6 * theirs.abs().max().item())


def bloom_model(heads):
    torch.manual_seed(0)
    config = transformers.BloomConfig(
        vocab_size=31,
        hidden_size=8 * heads,
        n_layer=2,
        n_head=heads,
        hidden_dropout=0.0,
        attention_dropout=0.0,
    )
    return transformers.BloomForCausalLM(config).double().eval()


def bloom_forward(self, hidden_states, residual, alibi, attention_mask, **_):
    q, k, v = self._reshape(self.query_key_value(hidden_states))
    seen = None if attention_mask is None else attention_mask
    if seen is not None and seen.dtype != torch.bool:
        seen = seen >= 0
    out = attention(q, k, v, ALiBi(self.num_heads), causal=True, mask=seen)
    return self.dense(out.transpose(1, 2).flatten(2)) + residual, None


@pytest.mark.parametrize("heads", [4, 12])
@pytest.mark.parametrize("padded", [False, True])
def test_bloom_with_our_attention_has_the_same_logits_and_gradients(heads, padded, monkeypatch):
    """12 heads: slopes that no power of two gives. BLOOM adds slope · key, we −slope · distance."""
    torch.manual_seed(1)
    inputs = {"input_ids": torch.randint(0, 31, (2, 40))}
    keep = torch.arange(40) < torch.tensor([[40], [25]])
    if padded:
        inputs["attention_mask"] = keep.long()
    theirs = bloom_model(heads)(**inputs, use_cache=False).logits
    monkeypatch.setattr(BloomAttention, "forward", bloom_forward)
    ours = bloom_model(heads)(**inputs, use_cache=False).logits
    if padded:
        theirs, ours = theirs[keep], ours[keep]
    # BLOOM takes its softmax in float32 whatever the model's dtype
    torch.testing.assert_close(ours, theirs, rtol=0, atol=2e-6)


def test_bloom_gradients(monkeypatch):
    torch.manual_seed(1)
    inputs = {"input_ids": torch.randint(0, 31, (2, 40))}
    theirs = outcome(bloom_model(4), **inputs)
    monkeypatch.setattr(BloomAttention, "forward", bloom_forward)
    ours = outcome(bloom_model(4), **inputs)
    for name, gradient in theirs[1].items():
        # float32 softmax on their side
        scale = gradient.abs().max().clamp_min(1e-6).item()
        torch.testing.assert_close(ours[1][name], gradient, rtol=0, atol=1e-4 * scale + 1e-9, msg=name)


def test_bloom_training_step_is_the_same(monkeypatch):
    torch.manual_seed(1)
    tokens = torch.randint(0, 31, (2, 40))
    theirs = trained(bloom_model(4), tokens, input_ids=tokens)
    monkeypatch.setattr(BloomAttention, "forward", bloom_forward)
    # a float32 softmax on their side, in a step of 0.1 times a gradient of size 1
    assert_trained_alike(trained(bloom_model(4), tokens, input_ids=tokens), theirs, rtol=0, atol=2e-7)


def test_bloom_in_float32(monkeypatch):
    torch.manual_seed(1)
    inputs = {"input_ids": torch.randint(0, 31, (2, 40))}
    theirs = bloom_model(4).float()(**inputs, use_cache=False).logits
    monkeypatch.setattr(BloomAttention, "forward", bloom_forward)
    ours = bloom_model(4).float()(**inputs, use_cache=False).logits
    torch.testing.assert_close(ours, theirs, rtol=0, atol=2e-6)


@pytest.mark.parametrize("terms", [["c2p"], ["p2c"]], ids=" ".join)
def test_deberta_equals_the_paper_in_its_second_term_and_not_in_its_third(terms):
    """The paper's position to content is at δ(n, m); the released code takes δ(m, n)."""
    from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention

    torch.manual_seed(0)
    config = transformers.DebertaV2Config(
        hidden_size=32,
        num_attention_heads=4,
        relative_attention=True,
        pos_att_type=terms,
        position_buckets=-1,
        max_relative_positions=4,
        share_att_key=False,
    )
    theirs = DisentangledSelfAttention(config).eval().double()
    x, rows = torch.randn(2, 9, 32).double(), torch.randn(8, 32).double()

    def heads(x):
        return x.unflatten(-1, (4, 8)).transpose(-2, -3)

    with torch.no_grad():
        expected = theirs(x, torch.ones(2, 1, 9, 9).bool(), rel_embeddings=rows)[0]
        q, k, v = (heads(f(x)) for f in (theirs.query_proj, theirs.key_proj, theirs.value_proj))
        table = heads((theirs.pos_key_proj if terms == ["c2p"] else theirs.pos_query_proj)(rows))
        none, at = torch.zeros_like(table), torch.arange(9)
        distance = (at[:, None] - at + 4).clamp(0, 7).expand(2, 4, 9, 9)
        if terms == ["c2p"]:
            paper = disentangled_scores(q, k, none, table, at, at)
            released = q @ k.mT + (q @ table.mT).gather(-1, distance)
        else:
            paper = disentangled_scores(q, k, table, none, at, at)
            released = q @ k.mT + (k @ table.mT).gather(-1, distance.mT).mT
        by_paper, by_code = (
            ((s / math.sqrt(2 * 8)).softmax(-1) @ v).transpose(1, 2).flatten(2) for s in (paper, released)
        )
    torch.testing.assert_close(by_code, expected, rtol=0, atol=1e-12)
    assert torch.equal(paper, released) == (terms == ["c2p"])
    assert ((by_paper - expected).abs().max() < 1e-12) == (terms == ["c2p"])
