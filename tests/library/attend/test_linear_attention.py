"""Linear attention: equals its quadratic form, streams with constant memory, rotates the numerator alone."""

import pytest
import torch

from posenc_lib import apply_rotary, cos_sin, inv_freq, linear_attention
from posenc_lib.attend.linear import FEATURE_MAPS, LinearState, eager

DIM, F64 = 8, torch.float64
# The length of a text, and how many numbers a block may have.
BLOCKS = {1: 2**17, 31: 2**17, 33: 2**17, 64: 2**17, 150: 2**10}
STREAM = {"causal": True, "return_state": True}


def features(q, k, feature_map):
    if feature_map == "elu+1":
        return torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1
    return q.softmax(-1), k.exp()


def quadratic(q, k, v, cos=None, sin=None, *, feature_map="elu+1", causal=False, layout="half"):
    """The formula with whole matrices of weights: the denominator does not turn."""
    fq, fk = features(q, k, feature_map)
    denominator = fq @ fk.mT
    if cos is not None:
        fq, fk = apply_rotary(fq, cos, sin, layout=layout), apply_rotary(fk, cos, sin, layout=layout)
    numerator = fq @ fk.mT
    if causal:
        numerator, denominator = numerator.tril(), denominator.tril()
    return numerator / denominator.sum(-1, keepdim=True) @ v


def inputs(length, device, dtype=F64, batch=2):
    torch.manual_seed(0)
    numbers = torch.randn(3, batch, 3, length, DIM, dtype=F64, device=device).to(dtype)
    return [x.clone().requires_grad_() for x in numbers]


def tables(length, device, start=0):
    return cos_sin(inv_freq(DIM), torch.arange(start, start + length, device=device), dtype=F64)


def close(got, expected, atol=1e-12):
    torch.testing.assert_close(got, expected, rtol=atol, atol=atol)


@pytest.fixture(params=["eager", "traced"])
def form(request, monkeypatch):
    """The sums of eager code, and those for a compiler, run where each of their lines can be looked at."""
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: request.param == "traced")
    return request.param


@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("layout", ["half", "interleaved", None])
@pytest.mark.parametrize(("length", "block"), BLOCKS.items())
def test_blocks_equal_the_quadratic_form(
    feature_map, causal, layout, length, block, form, device, monkeypatch
):
    """Lengths on both sides of a chunk, 32 or 64, and one that takes many blocks; None: nothing is turned."""
    monkeypatch.setattr(eager, "_BLOCK", block)
    qkv, given = inputs(length, device, batch=1), {"feature_map": feature_map, "causal": causal}
    turned = () if layout is None else tables(length, device)
    given["layout"] = layout or "half"
    got, expected = linear_attention(*qkv, *turned, **given), quadratic(*qkv, *turned, **given)
    close(got, expected)
    close(*(torch.autograd.grad(y.square().sum(), qkv) for y in (got, expected)))
    with torch.no_grad():  # parts, the last of them shorter, are then put where they belong one by one
        close(linear_attention(*qkv, *turned, **given), expected.detach())


@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
@pytest.mark.parametrize("cuts", [[1] * 20, [7, 1, 12], [20], [5, 65, 80]], ids=str)
def test_a_stream_equals_the_whole_whatever_the_cuts(feature_map, cuts, form, device):
    length = sum(cuts)
    (q, k, v), (cos, sin) = inputs(length, device), tables(length, device)
    whole = quadratic(q, k, v, cos, sin, feature_map=feature_map, causal=True)
    state, parts, start = None, [], 0
    for size in cuts:
        now = slice(start, start + size)
        tokens = *(x[:, :, now] for x in (q, k, v)), cos[now], sin[now]
        part, state = linear_attention(*tokens, feature_map=feature_map, state=state, **STREAM)
        parts.append(part)
        start += size
        assert (state.kv.shape, state.z.shape) == ((2, 3, DIM, DIM), (2, 3, DIM))  # it never grows
    close(torch.cat(parts, 2), whole)
    keys = features(k, k, feature_map)[1]
    close(state.kv, apply_rotary(keys, cos, sin).mT @ v)
    close(state.z, keys.sum(-2))


@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
def test_a_state_that_fades_carries_alibi(feature_map, form, device):
    """e^-r for each token that passes: weights times e^{b(m-n)} with ALiBi's line b, above and below."""
    q, k, v = (x.detach() for x in inputs(40, device))
    fade, state, parts = 0.9, None, []
    for n in range(40):
        token = (x[:, :, n : n + 1] for x in (q, k, v))
        part, state = linear_attention(*token, feature_map=feature_map, state=state, **STREAM)
        state = LinearState(fade * state.kv, fade * state.z)
        parts.append(part)
    fq, fk = features(q, k, feature_map)
    at = torch.arange(40, dtype=F64, device=device)
    weights = (fq @ fk.mT * fade ** (at[:, None] - at)).tril()
    close(torch.cat(parts, 2), weights / weights.sum(-1, keepdim=True) @ v)


@pytest.mark.parametrize("causal", [False, True])
def test_bfloat16_is_computed_in_float32_and_rounded_once(causal, form, device):
    qkv = [x.detach() for x in inputs(200, device, torch.bfloat16)]
    cos, sin = (t.float() for t in tables(200, device))
    low, high = (linear_attention(*x, cos, sin, causal=causal) for x in (qkv, [x.float() for x in qkv]))
    assert low.dtype == torch.bfloat16 and torch.equal(low, high.bfloat16())
    if causal:  # a stream's sums stay in float32
        out, state = linear_attention(*qkv, cos, sin, **STREAM)
        assert torch.equal(out, low) and state.kv.dtype == state.z.dtype == torch.float32
        sums = features(*(x.float() for x in qkv[:2]), "elu+1")[1].sum(-2)
        torch.testing.assert_close(state.z, sums, rtol=1e-5, atol=0)  # 200 terms in float32


def test_cross_attention_has_two_lengths(form, device):
    q, k, v = inputs(9, device)
    close(linear_attention(q[:, :, :4], k, v), quadratic(q[:, :, :4], k, v))


@pytest.mark.parametrize("causal", [False, True])
def test_one_row_of_tables_serves_every_position(causal, form, device):
    """One rotation for all cancels in the products, so the result is that without rotation."""
    qkv, (cos, sin) = inputs(70, device), tables(1, device, 3)
    for row in ((cos[0], sin[0]), (cos[None, None], sin[None, None])):
        close(linear_attention(*qkv, *row, causal=causal), linear_attention(*qkv, causal=causal))


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_where_features_are_at_their_kink(causal):
    """elu(x) + 1 has the slope 1 at 0 from either side; inputs that are exactly 0 are common."""
    torch.manual_seed(0)
    v, grads = torch.randn(1, 2, 5, DIM, dtype=F64), []
    for function in (linear_attention, quadratic):
        q, k = torch.zeros(2, 1, 2, 5, DIM, dtype=F64, requires_grad=True).unbind()
        grads.append(torch.autograd.grad(function(q, k, v, causal=causal).square().sum(), k)[0])
    assert grads[1].abs().max() > 1e-2
    close(*grads)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
@pytest.mark.parametrize("size", [-10.0, -50.0, -75.0])
def test_small_features_are_averaged_as_exactly_as_others(size, feature_map, causal, form, device):
    """Down to e^-75 each. Below 0 both maps are exp, up to a factor that a query's quotient does not see."""
    q, k, v = (x.detach() for x in inputs(40, device, torch.float32))
    q, k = q + size, k + size
    got = linear_attention(q, k, v, feature_map=feature_map, causal=causal)
    wide = (x.double() for x in (q, k, v))
    close(got.double(), quadratic(*wide, feature_map="softmax", causal=causal), 1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_an_empty_batch_gives_an_empty_batch(causal):
    q = torch.zeros(0, 3, 4, DIM, requires_grad=True)
    out = linear_attention(q, q, q[..., :2], causal=causal)
    out.sum().backward()
    assert out.shape == (0, 3, 4, 2) and q.grad.shape == q.shape
