"""Dropout on attention weights, read off the output: values that are unit vectors show each weight."""

import copy
import math

import pytest
import torch
from pairs import ENCODINGS, F64, HEADS, close

import posenc_lib as lib
from posenc_lib.attend.groups import fused_attention

LENGTH, P = 12, 0.3
# as wide as a text is long
WIDE = {
    "rotary": lambda: lib.RotaryEmbedding(LENGTH),
    "shaw keys": lambda: lib.RelativeAttention(LENGTH, 3, values=False),
}
NAMES = ["none", *WIDE, "learned bias", *lib.BIASES]


def inputs(device, dtype=F64, heads=HEADS):
    """Queries, keys and unit vectors as values."""
    torch.manual_seed(1)
    q, k = (torch.randn(10, h, LENGTH, LENGTH, device=device, dtype=dtype) for h in (HEADS, heads))
    return q, k, torch.eye(LENGTH, device=device, dtype=dtype).expand(10, heads, -1, -1)


def check_dropped(got, weights, atol):
    """Every weight is 0 or 1 / (1 − p) of itself, and about p of them are 0."""
    there, dropped = weights > 1e-9, got == 0
    torch.testing.assert_close(got, torch.where(dropped, 0.0, weights / (1 - P)), rtol=0, atol=atol)
    count = int(there.sum())
    off = float(dropped[there].sum()) - P * count
    assert abs(off) < 5 * math.sqrt(count * P * (1 - P))  # five standard deviations


@pytest.mark.parametrize("shared", [HEADS, 2])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_weights_are_dropped_and_the_rest_grow(name, backend, causal, shared, device):
    encoding = (ENCODINGS | WIDE)[name]()
    encoding, qkv = encoding and encoding.to(device).double(), inputs(device, heads=shared)
    for mask in (None, torch.rand(LENGTH, LENGTH, device=device) > 0.2):
        given = {"causal": causal, "mask": mask}
        weights = lib.attention(*qkv, encoding, backend="dense", **given)
        check_dropped(lib.attention(*qkv, encoding, dropout=P, backend=backend, **given), weights, 1e-12)


@pytest.mark.parametrize(("shared", "queries", "causal"), [(4, 12, True), (2, 1, False), (2, 12, True)])
def test_torchs_kernels_are_given_the_probability(shared, queries, causal, device):
    """What a GPU takes; here torch's own form of it."""
    q, k, v = inputs(device, torch.float32, heads=shared)
    q = q[:, :, :queries]
    weights, got = (fused_attention(q, k, v, causal=causal, scale=0.3, dropout=p) for p in (0.0, P))
    check_dropped(got, weights, 1e-5)


@torch.no_grad()
def test_shaws_values_lose_the_same_weights(device):
    """With a table of zeros the output shows the weights; the table's rows get what is left of them."""
    shaw, (q, k, v), outs = lib.RelativeAttention(LENGTH, 3).to(device).double(), inputs(device), []
    tables = torch.randn_like(shaw.value_table), torch.zeros_like(shaw.value_table)
    for table in tables:
        shaw.value_table.copy_(table)
        torch.manual_seed(7)
        outs.append(lib.attention(q, k, v, shaw, dropout=P))
    rows = lib.relative_positions(LENGTH, LENGTH, 3, device=device) + 3
    close(outs[0] - outs[1], torch.einsum("bhmn,mnd->bhmd", outs[1], tables[0][rows]), 1e-13)


@pytest.mark.parametrize("encoding", [None, lib.ALiBi(HEADS)], ids=["none", "alibi"])
@torch.no_grad()
def test_the_layer_drops_while_it_trains_and_not_afterwards(encoding, device):
    torch.manual_seed(0)
    plain = lib.MultiHeadAttention(16, HEADS, encoding, num_kv_heads=2).to(device)
    layer = lib.MultiHeadAttention(16, HEADS, encoding, num_kv_heads=2, dropout=P).to(device)
    layer.load_state_dict(plain.state_dict())
    x = torch.randn(1, 6, 16, device=device)
    many, expected = layer(x.expand(400, -1, -1), causal=True), plain(x, causal=True)
    assert (many[0] - many[1]).abs().max() > 1e-3
    # five standard deviations of a mean over 400
    torch.testing.assert_close(many.mean(0), expected[0], rtol=0, atol=5 * float(many.std(0).max()) / 20)
    assert torch.equal(layer.eval()(x, causal=True), expected)
    assert torch.equal(copy.deepcopy(layer).train().eval()(x, causal=True), expected)


def test_no_dropout_is_what_every_back_end_can_do():
    x = torch.ones(1, HEADS, 3, LENGTH)
    assert lib.attention(x, x, x, dropout=0, backend="flex").shape == x.shape
