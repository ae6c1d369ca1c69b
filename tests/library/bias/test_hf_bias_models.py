"""Biases of T5, BLOOM and DeBERTa as the code of transformers makes them."""

import math

import pytest
import torch

from posenc_lib import ALiBi, T5Bias, disentangled_scores

transformers = pytest.importorskip("transformers")
from transformers.models.bloom.modeling_bloom import build_alibi_tensor  # noqa: E402
from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention  # noqa: E402
from transformers.models.t5.modeling_t5 import T5Attention  # noqa: E402

LENGTH = 150  # past the last boundary of T5's buckets, 113
AT = torch.arange(LENGTH)


@pytest.mark.parametrize("causal", [False, True])
def test_t5_s_own_layer_makes_the_same_bias_of_the_same_table(causal):
    config = transformers.T5Config(d_model=32, d_kv=8, num_heads=4, is_decoder=causal)
    theirs, ours = T5Attention(config, has_relative_attention_bias=True), T5Bias(4, bidirectional=not causal)
    ours.load_state_dict({"weight": torch.nn.init.normal_(theirs.relative_attention_bias.weight.data)})
    assert torch.equal(ours.bias(AT, AT), theirs.compute_bias(LENGTH, LENGTH)[0])


def test_bloom_s_own_function_makes_the_same_bias_up_to_a_number_for_each_query():
    """It adds slope · key, we −slope · distance; of 12 heads some have slopes that no power of two gives."""
    theirs, at = build_alibi_tensor(torch.ones(1, 40), 12, torch.float64), AT[:40]
    ours, seen = ALiBi(12).bias(at, at, dtype=torch.float64), at[:, None] >= at
    # theirs are float32 numbers up to 28, two of them rounded
    torch.testing.assert_close(ours[:, seen], (theirs - theirs.mT)[:, seen], rtol=0, atol=2e-6)


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
