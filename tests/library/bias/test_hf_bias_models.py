"""DeBERTa's terms as the code of transformers makes them."""

import math

import pytest
import torch

from posenc_lib import disentangled_scores

transformers = pytest.importorskip("transformers")
from transformers.models.deberta_v2.modeling_deberta_v2 import DisentangledSelfAttention  # noqa: E402


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
    attended = ((scores / math.sqrt(2 * 8)).softmax(-1) @ v for scores in (paper, released))
    by_paper, by_code = (heads_first.transpose(1, 2).flatten(2) for heads_first in attended)
    torch.testing.assert_close(by_code, expected, rtol=0, atol=1e-12)
    assert torch.equal(paper, released) == of_content
    assert ((by_paper - expected).abs().max() < 1e-12) == of_content
