"""A wrong call that has an obvious right one is answered with it."""

import inspect
import re

import numpy
import pytest
import torch

import posenc_lib as p
from posenc_lib._aliases import ARGUMENTS, OTHERWISE
from posenc_lib.hf import use_in

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
    "a dict for a spec": (
        lambda: p.RotaryEmbedding({"dim": 8}),
        "fields of one are given by name, as **fields",
    ),
    "numpy's width": (lambda: p.RotaryEmbedding(numpy.int64(8)), "got np.int64(8); write int(...)"),
    "numpy's width in a spec": (
        lambda: p.RotarySpec(numpy.int64(8)),
        "dim must be an int, got np.int64(8): write int(",
    ),
    "numpy's positions": (
        lambda: ROPE(Q, Q, numpy.arange(5)),
        "position_ids must be a torch.Tensor, got ndarray: torch.from_numpy makes one",
    ),
    "a base in the place of a switch": (
        lambda: p.RotaryEmbedding(8, 500000.0),
        "learnable must be True or False, got 500000.0; a base is given by name, base=10000.0",
    ),
    "a number of positions in the place of a switch": (
        lambda: p.RotaryEmbedding(8, 4096),
        "a number of positions not at all, tables are made for the positions that are asked for",
    ),
    "a layer for frequencies": (
        lambda: p.rerotate(Q, 2, ROPE),
        "inv_freq must be a torch.Tensor, got RotaryEmbedding: give its inv_freq()[0]",
    ),
    "what a layer gives for frequencies": (
        lambda: p.cos_sin(ROPE.inv_freq(), AT),
        "got tuple: a layer's inv_freq() gives frequencies and the attention factor, take the first",
    ),
    "a mask that is added, of integers": (
        lambda: p.positions_from_mask(torch.tensor([[-1, -1, 0]])),
        "mask must hold 0 and 1, got -1..0: give mask == 0 for a mask that is added",
    ),
    "numbers of texts for a mask": (
        lambda: p.positions_from_mask(torch.tensor([[1, 1, 2]])),
        "numbers of texts in one row to positions_from_cu_seqlens",
    ),
    "transformers' name of a back end": (
        lambda: p.attention(Q, Q, Q, backend="flash_attention_2"),
        "got 'flash_attention_2'; that is 'sdpa' here",
    ),
    "queries, keys and values for a layer": (
        lambda: p.MultiHeadAttention(8, 2)(Q[0], Q[0], Q[0]),
        "MultiHeadAttention.forward() takes x, context by position and all else by name, got 3; it projects "
        "x itself; attention(q, k, v, encoding) takes",
    ),
    "a mask by position": (
        lambda: p.attention(Q, Q, Q, None, AT),
        "attention() takes q, k, v, encoding by position and all else by name, got 5; further",
    ),
    "the factor of a scaling": (
        lambda: p.RotaryEmbedding(8, scaling_factor=2.0),
        "has no argument 'scaling_factor'; here it is scaling='linear', params={'factor': 2.0}, say",
    ),
    "a word for a spec": (
        lambda: p.RotaryEmbedding("8"),
        "a RotarySpec or a width, as in RotaryEmbedding(64), got '8'",
    ),
    "another library's layout": (
        lambda: p.RotarySpec(8, layout="neox"),
        "got 'neox'; that is 'half' here",
    ),
    "another library's scaling": (
        lambda: p.RotarySpec(8, scaling="mrope"),
        "got 'mrope'; that is 'default' here, with sections",
    ),
    "a misspelt scaling": (lambda: p.RotarySpec(8, scaling="yran"), "got 'yran'; did you mean 'yarn'?"),
    "another library's back end": (
        lambda: p.attention(Q, Q, Q, backend="flash"),
        "got 'flash'; that is 'sdpa' here",
    ),
    "a share for a width": (
        lambda: p.RotarySpec(8, rotary_dim=0.5),
        "rotary_dim must be an int, got 0.5: a share is int(share * dim)",
    ),
    "positions as a number": (
        lambda: p.sinusoidal(10, 8),
        "position_ids must be a torch.Tensor, got int: write torch.tensor([0, 1, 2]), say, or torch.arange",
    ),
    "a position as a number": (
        lambda: ROPE(Q, Q, 5),
        "position_ids must be a torch.Tensor, got int: write torch.tensor(...)",
    ),
    "heads after the one token of a step": (
        lambda: ROPE(torch.ones(1, 1, 4, 8), torch.ones(1, 1, 2, 8)),
        "but q has 4 and k has 2: rotate each key when it enters the cache, or call apply_rotary on q and on "
        "k; if axis -3 is the sequence, say seq_dim=-3",
    ),
    "a config's scaling": (
        lambda: p.RotaryEmbedding(8, rope_scaling={"rope_type": "yarn", "factor": 4.0}),
        "params={'factor': 2.0}, say; RotarySpec.from_hf_config(config) reads both",
    ),
    "a mask for positions": (
        lambda: ROPE(Q, Q, position_ids=torch.ones(2, 5).bool()),
        "got torch.bool; positions_from_mask makes positions of a mask",
    ),
    "positions for frequencies": (
        lambda: p.cos_sin(AT, p.inv_freq(8)),
        "inv_freq must have a floating dtype, got torch.int64; positions are given after it",
    ),
    "a width for frequencies": (
        lambda: p.cos_sin(8, AT),
        "inv_freq must be a torch.Tensor, got int: give inv_freq(8)",
    ),
    "a spec for frequencies": (
        lambda: p.rerotate(Q, 2, p.RotarySpec(8)),
        "inv_freq must be a torch.Tensor, got RotarySpec: give its inv_freq()",
    ),
    "a tensor for an offset": (
        lambda: ROPE(Q, Q, offset=torch.tensor([3, 4])),
        "offset must be an int, got a tensor of shape [2]: tensors go to position_ids",
    ),
    "tables of more positions": (
        lambda: p.apply_rotary(Q[:, :, :3], *p.cos_sin(p.inv_freq(8), AT)),
        "take the rows of these positions, cos[position_ids] and sin[position_ids]",
    ),
    "complex tables": (
        lambda: p.apply_rotary(Q, *2 * [torch.ones(5, 4) + 0j]),
        "got torch.float32 and torch.complex64; of complex numbers give .real and .imag",
    ),
    "tables without a batch": (
        lambda: p.apply_rotary_pos_emb(Q, Q, *[table[0] for table in DOUBLED]),
        "without a batch give cos[None] and sin[None]",
    ),
    "a mask that is added": (
        lambda: p.attention(Q, Q, Q, mask=torch.zeros(5, 5)),
        "give mask == 0 for a mask that is added (0 and -inf), mask.bool() where 1 means seen",
    ),
    "a mask of integers": (
        lambda: p.attention(Q, Q, Q, mask=torch.ones(5, 5).long()),
        "got torch.int64: give mask.bool()",
    ),
    "heads after the sequence": (
        lambda: p.attention(Q, Q[:, :, :3], Q[:, :, :3], ROPE),
        "for 5 queries and 3 keys; if axis -3 is the sequence, say seq_dim=-3",
    ),
    "a class for an encoding": (
        lambda: p.attention(Q, Q, Q, p.ALiBi),
        "got the class ALiBi: make one, as in ALiBi(…)",
    ),
    "a spec for an encoding": (
        lambda: p.attention(Q, Q, Q, p.RotarySpec(8)),
        "got RotarySpec; a spec is wrapped in RotaryEmbedding(spec)",
    ),
    "tables for an encoding": (
        lambda: p.MultiHeadAttention(32, 4, p.cos_sin(p.inv_freq(8), AT)),
        "got tuple; tables turn q and k beforehand, in apply_rotary_qk(q, k, cos, sin)",
    ),
    "numbers for an encoding": (
        lambda: p.attention(Q, Q, Q, torch.zeros(4, 5, 5)),
        "got Tensor; a tensor of numbers is attn_mask of torch's scaled_dot_product_attention",
    ),
    "a pair for a cache": (
        lambda: p.MultiHeadAttention(32, 4, ROPE)(
            torch.ones(2, 1, 32), position_ids=AT[4:], causal=True, cache=(Q, Q)
        ),
        "cache must be a KVCache, as return_cache=True gives it, got tuple",
    ),
    "lengths for their sums": (
        lambda: p.positions_from_cu_seqlens(torch.tensor([3, 2])),
        "lengths become cu_seqlens by torch.nn.functional.pad(lengths.cumsum(0), (1, 0))",
    ),
    "a floating padding mask": (
        lambda: p.positions_from_mask(torch.ones(2, 5)),
        "mask must be bool or integer (1 = real token), got torch.float32: give mask.bool()",
    ),
    "a tuple for a grid": (lambda: p.positions_grid((4, 4)), "got (4, 4): write positions_grid(*shape)"),
    "frequencies of no axis": (
        lambda: p.cos_sin_axes(p.inv_freq(8), p.positions_grid(2, 2)),
        "axis_frequencies(inv_freq, sections) deals frequencies to axes",
    ),
    "coordinates of each patch": (
        lambda: p.cos_sin_axes(p.axial_frequencies(8, 2), p.positions_grid(2, 3).T),
        "for text give position_ids.expand(2, -1, -1); if the last axis holds the coordinates, give "
        "position_ids.T",
    ),
    "a batch of texts for coordinates": (
        lambda: p.RotaryEmbedding(8, sections=(2, 1, 1)).tables(torch.arange(6).view(2, 3)),
        "got [3, 4] and [2, 3]; for text give position_ids.expand(3, -1, -1); if the last axis",
    ),
    "one text for coordinates": (
        lambda: p.cos_sin_axes(p.axial_frequencies(8, 2), AT),
        "got [2, 4] and [5]; for text give position_ids.expand(2, -1)",
    ),
    "no axis for the heads": (
        lambda: p.cos_sin_axes(p.mixed_frequencies(8, 3), torch.zeros(2, 4, 5)),
        "batch, 1, seq] beside frequencies for 3 heads, got [2, 4, 5]; give position_ids.unsqueeze(-2)",
    ),
    "numpy's frequencies": (
        lambda: p.cos_sin(numpy.ones(4), AT),
        "inv_freq must be a torch.Tensor, got ndarray: torch.from_numpy makes one",
    ),
    "a list of frequencies": (
        lambda: p.cos_sin((1.0, 0.5), AT),
        "inv_freq must be a torch.Tensor, got tuple: write torch.tensor(...)",
    ),
    "numpy's shift": (
        lambda: p.rerotate(Q, numpy.int64(3), p.inv_freq(8)),
        "delta must be a number or a torch.Tensor, got int64: write int(...)",
    ),
    "numpy's fraction of a shift": (
        lambda: p.shift_matrix(numpy.float32(0.5), p.inv_freq(8)),
        "k must be a number or a torch.Tensor, got float32: write float(...)",
    ),
    "a list of positions": (
        lambda: p.rotation_matrix(p.inv_freq(8), [1, 2]),
        "position must be a number or a torch.Tensor, got list: write torch.tensor(...)",
    ),
    "tables of more rows than the batch": (
        lambda: p.apply_rotary_pos_emb(Q, Q, *(table.expand(4, -1, -1) for table in DOUBLED)),
        "cos of shape [4, 5, 8] does not fit q of shape [2, 4, 5, 8] with unsqueeze_dim=1: expected "
        "[2, 5, width], or 1 for a size",
    ),
    "gates before their logarithm": (
        lambda: p.forgetting_bias(torch.ones(1, 4, 5), AT, AT),
        "torch.nn.functional.logsigmoid of a layer's output",
    ),
    "a config's name for the base": (
        lambda: p.RotarySpec(8, rope_theta=5e5),
        "RotarySpec() has no argument 'rope_theta'; here it is base",
    ),
    "a config's name for the width": (
        lambda: p.RotarySpec(head_dim=8),
        "RotarySpec() has no argument 'head_dim'; here it is dim",
    ),
    "a share of the width": (
        lambda: p.RotaryEmbedding(8, partial_rotary_factor=0.5),
        "RotaryEmbedding() has no argument 'partial_rotary_factor'; here it is rotary_dim=int(share * dim)",
    ),
    "a width for a spec": (
        lambda: p.RotaryEmbedding(dim=8),
        "RotaryEmbedding() has no argument 'dim'; here it is spec, as in RotaryEmbedding(64)",
    ),
    "a size that no table has": (
        lambda: p.RotaryEmbedding(8, max_position_embeddings=4096),
        "'max_position_embeddings'; leave it out, tables are made for the positions that are asked for",
    ),
    "a config for a spec": (
        lambda: p.RotaryEmbedding(config={}),
        "has no argument 'config'; RotarySpec.from_hf_config(config) reads one",
    ),
    "the number of rows of another library": (
        lambda: p.LearnedEncoding(max_position_embeddings=8, dim=8),
        "LearnedEncoding() has no argument 'max_position_embeddings'; here it is num_positions",
    ),
    "torch's name for causal": (
        lambda: p.attention(Q, Q, Q, is_causal=True),
        "attention() has no argument 'is_causal'; here it is causal",
    ),
    "torch's name for a mask": (
        lambda: p.attention(Q, Q, Q, attn_mask=None),
        "attention() has no argument 'attn_mask'; here it is mask",
    ),
    "torch's name for dropout": (
        lambda: p.attention(Q, Q, Q, dropout_p=0.1),
        "attention() has no argument 'dropout_p'; here it is dropout",
    ),
    "torch's switch for groups": (
        lambda: p.attention(Q, Q, Q, enable_gqa=True),
        "attention() has no argument 'enable_gqa'; leave it out, k and v may have fewer heads than q",
    ),
    "torch's mask of padding": (
        lambda: p.MultiHeadAttention(32, 4)(torch.ones(2, 5, 32), key_padding_mask=None),
        "MultiHeadAttention.forward() has no argument 'key_padding_mask'; "
        "here it is mask=~key_padding_mask[:, None, None, :]",
    ),
    "a misspelt argument": (
        lambda: p.RotarySpec(8, sectons=(2, 2)),
        "RotarySpec() has no argument 'sectons'; did you mean 'sections'?",
    ),
    "a bias of scores": (
        lambda: p.ALiBi(4)(Q),
        "ALiBi is not called: attention(q, k, v, encoding) uses it; encoding.bias(q_pos, k_pos) gives",
    ),
    "coordinates without sections": (
        lambda: ROPE(Q, Q, AT.expand(3, 2, 5)),
        "coordinates [axes, batch, seq] are for a spec that says which axis turns which plane: sections=...",
    ),
    "coordinates without sections, in attention": (
        lambda: p.attention(Q, Q, Q, ROPE, position_ids=AT.expand(3, 2, 5)),
        "got [3, 2, 5]; coordinates [axes, batch, seq] are for a spec",
    ),
    "a cache without positions": (
        lambda: p.MultiHeadAttention(32, 4, ROPE)(torch.ones(2, 5, 32), causal=True, return_cache=True),
        "position_ids must be given with a cache, those of x alone: after n tokens torch.arange(n, n + ",
    ),
    "no kind of layer": (
        lambda: p.RotarySpec.from_hf_config(
            {"model_type": "gemma3_text", "head_dim": 8, "rope_parameters": {"full_attention": LINEAR}}
        ),
        "got None; posenc_lib.hf.specs(config) gives all layers",
    ),
    "a name for a model": (
        lambda: use_in("meta-llama/Llama-3.1-8B"),
        "got str; a name stands for AutoModelForCausalLM.from_pretrained(name)",
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


# Calls that answer names of arguments: constructors, and attention, where a check of names costs nothing that
# can be measured. A rotation's call is counted in microseconds: there Python's own message stands.
CLASSES = {
    name: value
    for name in p.__all__
    if isinstance(value := getattr(p, name), type) and not hasattr(value, "_fields")
}
NAMED = {
    **CLASSES,
    "attention": p.attention,
    "linear_attention": p.linear_attention,
    "dual_chunk_attention": p.dual_chunk_attention,
    "MultiHeadAttention.forward": p.MultiHeadAttention(8, 2).forward,
    "RelativeAttention.forward": p.RelativeAttention(8, 2).forward,
}


@pytest.mark.parametrize("name", NAMED)
def test_an_argument_that_is_not_there_is_answered_with_those_that_are(name):
    with pytest.raises(TypeError, match=re.escape(f"{name}() has no argument 'zzz'; it has ")) as refused:
        NAMED[name](zzz=1)
    listed = set(str(refused.value).partition("it has ")[2].split(", "))
    assert set(inspect.signature(NAMED[name]).parameters) - {"fields"} <= listed
    assert not listed & {"self", "fields"}


def test_every_name_that_is_answered_with_is_an_argument_and_none_is_answered_twice_alike():
    known = {argument for call in NAMED.values() for argument in inspect.signature(call).parameters}
    known |= set(inspect.signature(p.RotarySpec).parameters)
    assert {re.match(r"\w+", ours)[0] for ours, _ in ARGUMENTS} <= known
    assert all(len(set(theirs.split())) == len(theirs.split()) for _, theirs in ARGUMENTS)
    assert not set(OTHERWISE) & known


def test_a_constructor_with_a_check_of_names_has_its_own_signature():
    assert str(inspect.signature(p.ALiBi.__init__)).startswith("(self, num_heads: 'int'")
    assert p.RotarySpec.__init__.__qualname__ == "RotarySpec.__init__"


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
