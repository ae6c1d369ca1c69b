"""Dropout on attention weights, read off the output: values that are unit vectors show each weight."""

import copy
import math

import pytest
import torch

from posenc_lib import BIASES, ALiBi, MultiHeadAttention, RelativeAttention, RotaryEmbedding, attention
from posenc_lib.attend.groups import fused_attention

HEADS, LENGTH, P = 4, 12, 0.3
ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(LENGTH),
    "shaw keys": lambda: RelativeAttention(LENGTH, 3, values=False),
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items()},
}


def inputs(device, dtype=torch.float64, heads=HEADS):
    """Queries, keys and unit vectors as values."""
    torch.manual_seed(1)
    q = torch.randn(10, HEADS, LENGTH, LENGTH, device=device, dtype=dtype)
    k = torch.randn(10, heads, LENGTH, LENGTH, device=device, dtype=dtype)
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
@pytest.mark.parametrize("name", ENCODINGS)
def test_weights_are_dropped_and_the_rest_grow(name, backend, causal, shared, device):
    encoding = ENCODINGS[name]()
    encoding = encoding if encoding is None else encoding.to(device).double()
    q, k, v = inputs(device, heads=shared)
    mask = torch.rand(LENGTH, LENGTH, device=device) > 0.2
    for given in ({}, {"mask": mask}):
        with torch.no_grad():
            weights = attention(q, k, v, encoding, causal=causal, backend="dense", **given)
            got = attention(q, k, v, encoding, causal=causal, dropout=P, backend=backend, **given)
        check_dropped(got, weights, 1e-12)


@pytest.mark.parametrize(("shared", "queries", "causal"), [(4, 12, True), (2, 1, False), (2, 12, True)])
def test_torchs_kernels_are_given_the_probability(shared, queries, causal, device):
    """What a GPU takes; here torch's own form of it."""
    q, k, v = inputs(device, torch.float32, heads=shared)
    q = q[:, :, :queries]
    weights, got = (fused_attention(q, k, v, causal=causal, scale=0.3, dropout=p) for p in (0.0, P))
    check_dropped(got, weights, 1e-5)


def test_shaws_values_lose_the_same_weights(device):
    """A table of unit vectors, as wide as the distances are many, shows the weight of each distance."""
    shaw = RelativeAttention(2 * LENGTH - 1, LENGTH - 1).to(device).double()
    q, k = torch.randn(2, 10, HEADS, LENGTH, 2 * LENGTH - 1, dtype=torch.float64, device=device)
    v = torch.eye(LENGTH, 2 * LENGTH - 1, dtype=torch.float64, device=device).expand(10, HEADS, -1, -1)
    with torch.no_grad():
        shaw.value_table.copy_(torch.eye(2 * LENGTH - 1, device=device))
        torch.manual_seed(7)
        both = attention(q, k, v, shaw, dropout=P)
        shaw.value_table.zero_()
        torch.manual_seed(7)
        of_values = attention(q, k, v, shaw, dropout=P)[..., :LENGTH]
    at = torch.arange(LENGTH, device=device)
    columns = (at - at[:, None] + LENGTH - 1).expand(10, HEADS, -1, -1)
    expected = torch.zeros_like(both).scatter(-1, columns, of_values)
    expected[..., :LENGTH] += of_values
    torch.testing.assert_close(both, expected, rtol=0, atol=1e-14)


def test_gradients_are_those_of_the_weights_that_were_kept(device):
    q, k, v = (x[:1].detach().clone().requires_grad_() for x in inputs(device))
    torch.manual_seed(3)
    out = attention(q, k, v, ALiBi(HEADS), causal=True, dropout=P)
    kept = (out != 0).double() / (1 - P)
    cotangent = torch.randn_like(out)
    got = torch.autograd.grad(out, (q, k, v), cotangent)
    at = torch.arange(LENGTH, device=device)
    scores = q @ k.mT / LENGTH**0.5 + ALiBi(HEADS).bias(at, at, dtype=q.dtype)
    hidden = torch.ones(LENGTH, LENGTH, dtype=torch.bool, device=device).triu(1)
    plain = (scores.masked_fill(hidden, -torch.inf).softmax(-1) * kept) @ v
    expected = torch.autograd.grad(plain, (q, k, v), cotangent)
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-12)


@pytest.mark.parametrize("encoding", [None, ALiBi(HEADS)], ids=["none", "alibi"])
def test_the_layer_drops_while_it_trains_and_not_afterwards(encoding, device):
    torch.manual_seed(0)
    plain = MultiHeadAttention(16, HEADS, encoding, num_kv_heads=2).to(device)
    layer = MultiHeadAttention(16, HEADS, encoding, num_kv_heads=2, dropout=P).to(device)
    layer.load_state_dict(plain.state_dict())
    x = torch.randn(1, 6, 16, device=device)
    with torch.no_grad():
        many = layer(x.expand(400, -1, -1), causal=True)
        assert (many[0] - many[1]).abs().max() > 1e-3
        expected = plain(x, causal=True)
        # five standard deviations of a mean over 400
        torch.testing.assert_close(many.mean(0), expected[0], rtol=0, atol=5 * float(many.std(0).max()) / 20)
        assert torch.equal(layer.eval()(x, causal=True), expected)
        assert torch.equal(copy.deepcopy(layer).train().eval()(x, causal=True), expected)


def test_dropout_that_no_back_end_can_do_is_refused():
    x = torch.ones(1, HEADS, 3, LENGTH)
    for value, error in ((1.0, ValueError), (-0.1, ValueError), (math.nan, ValueError), ("0.1", TypeError)):
        for call in (
            lambda value=value: attention(x, x, x, dropout=value),
            lambda value=value: MultiHeadAttention(16, HEADS, dropout=value),
        ):
            with pytest.raises(error, match="dropout must be"):
                call()
    for call in (
        lambda: attention(x, x, x, dropout=0.1, backend="flex"),
        lambda: MultiHeadAttention(16, HEADS, dropout=0.1, backend="flex"),
    ):
        with pytest.raises(ValueError, match=r"backend='flex' has no dropout, got dropout = 0\.1; use"):
            call()
    assert attention(x, x, x, dropout=0, backend="flex").shape == x.shape
