"""Linear attention: equals its quadratic form, streams with constant memory, rotates the numerator alone."""

import pytest
import torch

from posenc_lib import LinearState, apply_rotary, cos_sin, inv_freq, linear_attention
from posenc_lib.attend.linear import FEATURE_MAPS, eager
from posenc_lib.attend.linear.eager import Features, tables_for
from posenc_lib.attend.linear.traced import all_keys_traced, causal_keys_traced

DIM = 8


def features(q, k, feature_map):
    if feature_map == "elu+1":
        return torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1
    return q.softmax(-1), k.exp()


def quadratic(q, k, v, cos=None, sin=None, *, feature_map="elu+1", causal=False, layout="half"):
    """The formula with whole matrices of weights; returns those, too."""
    fq, fk = features(q, k, feature_map)
    denominator = fq @ fk.transpose(-1, -2)
    if cos is not None:
        fq, fk = apply_rotary(fq, cos, sin, layout=layout), apply_rotary(fk, cos, sin, layout=layout)
    numerator = fq @ fk.transpose(-1, -2)
    if causal:
        numerator, denominator = numerator.tril(), denominator.tril()
    weights = numerator / denominator.sum(-1, keepdim=True)
    return weights @ v, weights


def inputs(length, device, dtype=torch.float64, batch=2):
    torch.manual_seed(0)
    return [
        torch.randn(batch, 3, length, DIM, dtype=torch.float64, device=device).to(dtype).requires_grad_()
        for _ in range(3)
    ]


def tables(length, device, start=0):
    return cos_sin(inv_freq(DIM), torch.arange(start, start + length, device=device), dtype=torch.float64)


@pytest.mark.parametrize("feature_map", ["elu+1", "softmax"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize(("length", "block"), [(1, 2**17), (31, 2**17), (33, 2**17), (1100, 2**10)])
def test_blocks_equal_the_quadratic_form(feature_map, causal, layout, length, block, device, monkeypatch):
    """Lengths on both sides of a chunk, 32, and one that takes many blocks."""
    monkeypatch.setattr(eager, "_BLOCK", block)
    q, k, v = inputs(length, device, batch=1)
    given = {"feature_map": feature_map, "causal": causal}
    plain = linear_attention(q, k, v, **given)
    torch.testing.assert_close(plain, quadratic(q, k, v, **given)[0], rtol=1e-12, atol=1e-12)
    cos, sin = tables(length, device)
    turned = linear_attention(q, k, v, cos, sin, layout=layout, **given)
    expected = quadratic(q, k, v, cos, sin, layout=layout, **given)[0]
    torch.testing.assert_close(turned, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("length", "block"), [(31, 2**17), (50, 2**6)])
def test_without_gradients_the_sums_are_the_same(causal, length, block, device, monkeypatch):
    """Parts, the last of them shorter, are then put where they belong one by one."""
    monkeypatch.setattr(eager, "_BLOCK", block)
    q, k, v = inputs(length, device)
    expected = quadratic(q, k, v, *tables(length, device), causal=causal)[0]
    with torch.no_grad():
        got = linear_attention(q, k, v, *tables(length, device), causal=causal)
    torch.testing.assert_close(got, expected.detach(), rtol=1e-12, atol=1e-12)


def test_unrotated_weights_are_an_average_and_rotated_ones_are_not(device):
    """Why the denominator is left alone: rotated weights can be negative, and their sum is not 1."""
    q, k, v = inputs(40, device)
    _, plain = quadratic(q, k, v)
    assert (plain > 0).all()
    torch.testing.assert_close(plain.sum(-1), torch.ones_like(plain.sum(-1)), rtol=0, atol=1e-14)
    cos, sin = tables(40, device)
    _, turned = quadratic(q, k, v, cos, sin)
    assert (turned < 0).any()
    assert (turned.sum(-1) - 1).abs().max() > 0.1
    ones = linear_attention(q, k, torch.ones_like(v), cos, sin)
    torch.testing.assert_close(ones[..., 0], turned.sum(-1), rtol=1e-12, atol=1e-12)
    # the rotated sums themselves could not serve as a denominator: they come close to zero or pass it
    fq, fk = features(q, k, "elu+1")
    rotated_sum = (apply_rotary(fq, cos, sin) @ apply_rotary(fk, cos, sin).transpose(-1, -2)).sum(-1)
    plain_sum = (fq @ fk.transpose(-1, -2)).sum(-1)
    assert (rotated_sum / plain_sum).min() < 0.5 < (plain_sum / plain_sum).min()


def test_scores_depend_on_distance_alone(device):
    """All positions shifted by 1000: the same output."""
    q, k, v = inputs(30, device)
    for causal in (False, True):
        here = linear_attention(q, k, v, *tables(30, device), causal=causal)
        there = linear_attention(q, k, v, *tables(30, device, start=1000), causal=causal)
        torch.testing.assert_close(here, there, rtol=0, atol=1e-11)  # angles of 1030 rad, in double


@pytest.mark.parametrize("feature_map", ["elu+1", "softmax"])
@pytest.mark.parametrize("cuts", [[1] * 20, [7, 1, 12], [20]])
def test_a_stream_equals_the_whole_whatever_the_cuts(feature_map, cuts, device):
    q, k, v = inputs(20, device)
    cos, sin = tables(20, device)
    whole = linear_attention(q, k, v, cos, sin, feature_map=feature_map, causal=True)
    state, parts, start, sizes = None, [], 0, set()
    for size in cuts:
        cut = slice(start, start + size)
        part, state = linear_attention(
            q[:, :, cut], k[:, :, cut], v[:, :, cut], cos[cut], sin[cut],
            feature_map=feature_map, causal=True, state=state, return_state=True,
        )  # fmt: skip
        parts.append(part)
        start += size
        sizes.add((tuple(state.kv.shape), tuple(state.z.shape)))
    torch.testing.assert_close(torch.cat(parts, 2), whole, rtol=1e-12, atol=1e-12)
    assert sizes == {((2, 3, DIM, DIM), (2, 3, DIM))}  # it never grows


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("feature_map", ["elu+1", "softmax"])
def test_double_gradients(causal, feature_map, device):
    torch.manual_seed(0)
    q, k, v = (x[:1, :1, :3, :2].detach().requires_grad_() for x in inputs(3, device))
    cos, sin = (t[:, :1] for t in tables(3, device))

    def of(q, k, v):
        return linear_attention(q, k, v, cos, sin, causal=causal, feature_map=feature_map)

    assert torch.autograd.gradcheck(of, (q, k, v))
    assert torch.autograd.gradgradcheck(of, (q, k, v))


def test_gradients_through_chunks_equal_those_of_the_quadratic_form(device):
    q, k, v = inputs(150, device, batch=1)
    cos, sin = tables(150, device)
    for causal in (False, True):
        got = linear_attention(q, k, v, cos, sin, causal=causal)
        expected = quadratic(q, k, v, cos, sin, causal=causal)[0]
        cotangent = torch.randn_like(got)
        pairs = [torch.autograd.grad(x, (q, k, v), cotangent) for x in (got, expected)]
        for a, b in zip(*pairs, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_bfloat16_is_computed_in_float32_and_rounded_once(causal, device):
    q, k, v = (x.detach() for x in inputs(200, device, torch.bfloat16))
    cos, sin = (t.float() for t in tables(200, device))
    low = linear_attention(q, k, v, cos, sin, causal=causal)
    high = linear_attention(q.float(), k.float(), v.float(), cos, sin, causal=causal)
    assert low.dtype == torch.bfloat16
    assert torch.equal(low, high.bfloat16())


def test_cross_attention_has_two_lengths(device):
    q, k, v = inputs(9, device)
    out = linear_attention(q[:, :, :4], k, v)
    torch.testing.assert_close(out, quadratic(q[:, :, :4], k, v)[0], rtol=1e-12, atol=1e-12)


X = torch.ones(1, 2, 3, 4)
T = torch.ones(3, 2)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: linear_attention(X[0], X, X), ValueError, "q must have shape"),
        (lambda: linear_attention(X.int(), X, X), TypeError, "q must have a floating"),
        (lambda: linear_attention(X, X.double(), X), TypeError, "k has dtype"),
        (lambda: linear_attention(X, X[:, :1], X[:, :1]), ValueError, "share batch"),
        (lambda: linear_attention(X, X[..., :2], X), ValueError, "share batch"),
        (lambda: linear_attention(X, X, X[:, :, :2]), ValueError, "share batch"),
        (lambda: linear_attention(X[:, :, :0], X, X), ValueError, "q must have shape"),
        (lambda: linear_attention(X, X, X, T), ValueError, "cos and sin"),
        (lambda: linear_attention(X, X, X, T[:2], T[:2]), ValueError, "tables"),
        (lambda: linear_attention(*3 * [X.half()], *2 * [T.half()]), TypeError, "coarser"),
        (lambda: linear_attention(X[:, :, :2], X, X, causal=True), ValueError, "one length"),
        (lambda: linear_attention(X, X, X, feature_map="relu"), ValueError, "feature_map"),
        (lambda: linear_attention(X, X, X, layout="pairs"), ValueError, "layout"),
        (lambda: linear_attention(X, X, X, return_state=True), ValueError, "causal"),
        (
            lambda: linear_attention(X, X, X, causal=True, state=LinearState(X[:, :, 0], X[:, :, 0])),
            ValueError,
            "state",
        ),
    ],
)
def test_bad_input_is_refused_by_name(call, error, name):
    with pytest.raises(error, match=name):
        call()


@pytest.mark.parametrize("causal", [False, True])
def test_one_row_of_tables_serves_every_position(causal, device):
    """One rotation for all cancels in the products, so the result is that without rotation."""
    torch.manual_seed(0)
    q, k, v = inputs(70, device)
    cos, sin = cos_sin(inv_freq(q.shape[-1]), torch.arange(3, 4, device=device), dtype=torch.float64)
    plain = linear_attention(q, k, v, causal=causal)
    for row in ((cos[0], sin[0]), (cos[None, None], sin[None, None])):
        torch.testing.assert_close(
            linear_attention(q, k, v, *row, causal=causal), plain, rtol=1e-12, atol=1e-12
        )


@pytest.mark.parametrize("feature_map", ["elu+1", "softmax"])
@pytest.mark.parametrize("length", [2, 63, 64, 150])
def test_the_form_for_a_compiler_has_the_same_sums_and_gradients(feature_map, length, device, monkeypatch):
    """Run outside a compiler, where each of its lines can be looked at; its chunks are of 64 rows."""
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    q, k, v = inputs(length, device)
    cos, sin = tables(length, device)
    for causal in (False, True):
        got = linear_attention(q, k, v, cos, sin, feature_map=feature_map, causal=causal)
        expected = quadratic(q, k, v, cos, sin, feature_map=feature_map, causal=causal)[0]
        torch.testing.assert_close(got, expected, rtol=1e-12, atol=1e-12)
        slopes = [torch.autograd.grad(y.square().sum(), (q, k, v)) for y in (got, expected)]
        for a, b in zip(*slopes, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)
    given = {"feature_map": feature_map, "causal": True, "return_state": True}
    _, state = linear_attention(q, k, v, cos, sin, **given)
    keys = features(k, k, feature_map)[1]
    sums = apply_rotary(keys, cos, sin).transpose(-1, -2) @ v
    torch.testing.assert_close(state.kv, sums, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(state.z, keys.sum(-2), rtol=1e-12, atol=1e-12)
    # what these keys left behind comes before the next keys
    again, _ = linear_attention(q, k, v, cos, sin, state=state, **given)
    twice = [torch.cat((x, x), 2) for x in (q, k, v)], [torch.cat((t, t)) for t in (cos, sin)]
    whole = quadratic(*twice[0], *twice[1], feature_map=feature_map, causal=True)[0]
    torch.testing.assert_close(again, whole[:, :, length:], rtol=1e-12, atol=1e-12)


def test_a_stream_keeps_the_dtype_of_its_queries_and_sums_in_float32(device):
    q, k, v = (x.detach() for x in inputs(70, device, torch.bfloat16))
    whole = linear_attention(q, k, v, causal=True)
    out, state = linear_attention(q, k, v, causal=True, return_state=True)
    assert torch.equal(out, whole) and out.dtype == torch.bfloat16
    assert state.kv.dtype == state.z.dtype == torch.float32
    sums = features(k.float(), k.float(), "elu+1")[1].sum(-2)
    torch.testing.assert_close(state.z, sums, rtol=1e-5, atol=0)  # 70 terms in float32


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("length", [3, 64, 130])
def test_the_form_for_a_compiler_has_the_same_sums_and_the_same_state(length, dtype, device):
    """Outside a compiler; lengths of one chunk of 64, and of several."""
    q, k, v = (x.detach() for x in inputs(length, device, dtype))
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    tolerance = 1e-12 if wide == torch.float64 else 1e-4  # 130 terms, some of them cancel
    cos, sin = tables(length, device)
    work = Features(*FEATURE_MAPS["elu+1"], tables_for(q, cos, sin, wide), "half", wide)
    every = quadratic(q.to(wide), k.to(wide), v.to(wide), cos, sin)[0]
    torch.testing.assert_close(all_keys_traced(q, k, v, work), every, rtol=tolerance, atol=tolerance)
    kv, z = torch.zeros(2, 3, DIM, DIM, dtype=wide), torch.zeros(2, 3, DIM, dtype=wide)
    out, kv, z = causal_keys_traced(q, k, v, work, kv.to(device), z.to(device))
    causal = quadratic(q.to(wide), k.to(wide), v.to(wide), cos, sin, causal=True)[0]
    torch.testing.assert_close(out, causal, rtol=tolerance, atol=tolerance)
    _, state = linear_attention(q, k, v, cos, sin, causal=True, return_state=True)
    torch.testing.assert_close((kv, z), tuple(state), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_where_features_are_at_their_kink(causal):
    """elu(x) + 1 has the slope 1 at 0 from either side; inputs that are exactly 0 are common."""
    torch.manual_seed(0)
    v = torch.randn(1, 2, 5, DIM, dtype=torch.float64)
    grads = []
    for function in (linear_attention, lambda *x, causal: quadratic(*x, causal=causal)[0]):
        q, k = (torch.zeros(1, 2, 5, DIM, dtype=torch.float64, requires_grad=True) for _ in range(2))
        function(q, k, v, causal=causal).square().sum().backward()
        grads.append(k.grad)
    assert grads[1].abs().max() > 1e-2
    torch.testing.assert_close(*grads, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("form", ["eager", "traced"])
@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
@pytest.mark.parametrize("size", [-10.0, -50.0, -75.0])
def test_small_features_are_averaged_as_exactly_as_others(
    size, feature_map, form, causal, device, monkeypatch
):
    """Down to e^-75 each. Below 0 both maps are exp, up to a factor that a query's quotient does not see."""
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: form == "traced")
    q, k, v = (x.detach() for x in inputs(40, device, torch.float32))
    q, k = q + size, k + size
    got = linear_attention(q, k, v, feature_map=feature_map, causal=causal)
    wide = [x.double() for x in (q, k, v)]
    expected, _ = quadratic(*wide, feature_map="softmax", causal=causal)
    torch.testing.assert_close(got.double(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_an_empty_batch_gives_an_empty_batch(causal):
    q = torch.zeros(0, 3, 4, DIM, requires_grad=True)
    out = linear_attention(q, q, q[..., :2], causal=causal)
    assert out.shape == (0, 3, 4, 2)
    out.sum().backward()
    assert q.grad.shape == q.shape
