"""A wrong call that has an obvious right one is answered with it."""

import re

import pytest
import torch

import posenc_lib as p

Q, ROPE = torch.randn(2, 4, 5, 8), p.RotaryEmbedding(8)
AT = torch.arange(5)
DOUBLED = [torch.cat((table, table), -1)[None] for table in p.cos_sin(p.inv_freq(8), AT)]
LINEAR = {"rope_type": "linear", "factor": 2.0}

WRONG = {
    "a model's name for its config": (
        lambda: p.RotarySpec.from_hf_config("meta-llama/Llama-3.1-8B"),
        "got str; a name stands for AutoConfig.from_pretrained(name)",
    ),
    "a config's dict for a scaling": (
        lambda: p.RotaryEmbedding(8, scaling=LINEAR),
        "its numbers go to params, as in scaling='linear', params={'factor': 2.0}; RotarySpec.from_hf_config",
    ),
    "a padding mask": (
        lambda: p.attention(Q, Q, Q, mask=torch.ones(2, 5).bool()),
        "a padding mask [batch, K] is given as mask[:, None, None, :]",
    ),
    "one query beside the keys of a cache": (
        lambda: ROPE(Q[:, :, 4:], Q, offset=4),
        "q has 1 and k has 5: rotate each key when it enters the cache, or call apply_rotary on q and on k",
    ),
    "a longer context without a length": (
        lambda: p.RotaryEmbedding(
            8, scaling="dynamic", params={"factor": 2.0, "original_max_position_embeddings": 4}
        )(Q, Q),
        "choose one length for the whole sequence",
    ),
    "an encoding for the whole width": (
        lambda: p.MultiHeadAttention(32, 4, p.RotaryEmbedding(32)),
        "encoding is for heads of width 32, but the width (head_dim) is 8",
    ),
    "doubled tables": (
        lambda: p.apply_rotary(Q, *DOUBLED),
        "turn 16 channels, but x has 8; tables of d columns, cat(c, c), are for apply_rotary_pos_emb",
    ),
    "the old call with positions": (
        lambda: p.apply_rotary_pos_emb(Q, Q, *DOUBLED, AT[None]),
        "unsqueeze_dim must be an int, got a tensor of shape [1, 5]: leave position_ids out",
    ),
    "a word for a spec": (
        lambda: p.RotaryEmbedding("8"),
        "a RotarySpec or a width, as in RotaryEmbedding(64), got '8'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_message_says_what_to_write(name):
    call, hint = WRONG[name]
    with pytest.raises((TypeError, ValueError), match=re.escape(hint)):
        call()


def test_tables_that_are_too_wide_but_not_doubled_get_no_hint():
    with pytest.raises(ValueError, match=r"turn 12 channels, but x has 8$"):
        p.apply_rotary(Q, *p.cos_sin(p.inv_freq(12), AT))


@pytest.mark.parametrize(
    "call",
    [
        lambda big: p.inv_freq(big),
        lambda big: p.RotaryEmbedding(big),
        lambda big: p.RotaryEmbedding(8, learnable=big),
        lambda big: p.RotarySpec(8, layout=big),
        lambda big: p.RotarySpec(8, sections=big),
        lambda big: p.RotarySpec(8, base=big),
        lambda big: p.cos_sin(p.inv_freq(8), AT, dtype=big),
    ],
)
def test_a_tensor_in_a_message_is_its_shape(call):
    with pytest.raises((TypeError, ValueError), match=r"got a tensor of shape \[999\]$"):
        call(torch.arange(999))
