"""Attention by every back end, with every encoding, is what pairs of a query and a key say."""

import pytest
import torch
from pairs import BY_LENGTH, DIM, ENCODINGS, F64, HEADS, by_pairs, close, inputs, largest_made, made, slopes

from posenc_lib import ALiBi, RelativeAttention, RotaryEmbedding, attention, shaw_scores
from posenc_lib.attend import groups
from posenc_lib.attend.tiled import autograd as tiled
from posenc_lib.attend.tiled import inputs as tiled_inputs

RUN = list(range(150))
MIXED = [7, 2, 9, 0, 4, 10, 1, 3, 8, 6, 5]
# queries, keys, heads of keys and values, positions (of queries, of keys), causality, shape of a mask
SITUATIONS = {
    "all see all": (11, 11, 4, None, False, None),
    "causal": (11, 11, 4, None, True, None),
    "masked": (11, 11, 4, None, False, (2, 1, 11, 11)),
    "two heads share, causal": (11, 11, 2, None, True, None),
    "all heads share, a mask each": (11, 11, 1, None, True, (2, 4, 11, 11)),
    "later in a text": (11, 11, 2, (RUN[5:16], RUN[5:16]), True, None),
    "in any order": (11, 11, 4, (MIXED, MIXED), True, (2, 1, 11, 11)),
    "a run for each row": (11, 11, 4, ([RUN[3:14], RUN[9:20]],) * 2, True, None),
    "left padding": (11, 11, 4, ([RUN[:11], [0, 0, 0, 0, *RUN[:7]]],) * 2, True, (2, 1, 1, 11)),
    "two lengths": (5, 8, 4, (RUN[:5], RUN[:8]), False, None),
    "two vectors of one length": (11, 11, 4, (RUN[2:13], RUN[:11]), True, None),
    "two vectors, backwards": (11, 11, 4, (RUN[12:1:-1], RUN[:11]), False, None),
    "one query beside a cache": (1, 13, 2, (RUN[12:13], RUN[:13]), True, None),
    "several beside a cache": (5, 13, 2, (RUN[8:13], RUN[:13]), True, None),
    "before all keys": (6, 9, 4, (RUN[:6], RUN[3:12]), True, None),
    "far behind": (3, 13, 4, (RUN[125:128], RUN[:13]), True, None),
}


def situation(name, device="cpu", dtype=F64, dim=DIM):
    """q, k and v, and what else attention is told."""
    queries, keys, shared, places, causal, shape = SITUATIONS[name]
    given = {"causal": causal}
    if places is not None:
        given["position_ids"] = tuple(torch.tensor(x, device=device) for x in places)
    qkv = inputs(queries, keys, shared, device, dtype, dim)
    if shape is not None:
        given["mask"] = torch.rand(shape, device=device) > 0.4
        given["mask"][0, 0, -1] = False
    return qkv, given


@pytest.fixture
def small_blocks(monkeypatch):
    """Several blocks of rows, and of heads, at lengths a test can afford."""
    monkeypatch.setattr(tiled, "HEIGHT", 4)
    monkeypatch.setattr(tiled, "_HEIGHT_WITHOUT_COPY", 5)
    monkeypatch.setattr(tiled_inputs, "_BLOCK_NUMBERS", 50)


# FlexAttention has no gradients on the CPU, and is slow where it is not compiled; each formula: test_bias.
IN_FLEX = [(where, "alibi") for where in ("all heads share, a mask each", "several beside a cache")]
IN_FLEX += [("a run for each row", name) for name in ("t5", "fire", "shaw keys")]
CASES = [(where, name) for where in SITUATIONS for name in ENCODINGS]
CASES += [("causal", name) for name in BY_LENGTH]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("where", "name"), CASES)
def test_every_back_end_equals_the_pairs(where, name, device):
    encoding, (qkv, given) = made(name, device), situation(where, device)
    given |= {"length": 32} if name in BY_LENGTH else {}
    expected = by_pairs(*qkv, encoding, **given)
    slope = slopes(expected, qkv, encoding)
    for backend in ("sdpa", "dense"):
        got = attention(*qkv, encoding, backend=backend, **given)
        close(got, expected, 1e-13)
        close(slopes(got, qkv, encoding), slope, 1e-11)
    if (where, name) in IN_FLEX:
        qkv, encoding = [x.detach() for x in qkv], encoding.requires_grad_(False)
        got = attention(*qkv, encoding, backend="flex", **given)
        close(got, expected.detach(), 1e-13)


@pytest.mark.usefixtures("small_blocks", "fresh_compiler")
@pytest.mark.parametrize(
    ("where", "name"),
    [("all see all", "alibi"), ("two heads share, causal", "t5"), ("all heads share, a mask each", "alibi")],
)
def test_a_compiler_is_given_the_blocks_as_one_operator(name, where, monkeypatch):
    """As a matrix, which it would make of them, it takes two to four times as long."""
    encoding, (qkv, given), run, times = made(name), situation(where), tiled._forward, []
    monkeypatch.setattr(tiled, "_forward", lambda x: times.append(1) or run(x))
    call = torch.compile(lambda *x: attention(*x, encoding, **given), backend="aot_eager", fullgraph=True)
    got, expected = call(*qkv), by_pairs(*qkv, encoding, **given)
    close(got, expected, 1e-13)
    close(slopes(got, qkv, encoding), slopes(expected, qkv, encoding), 1e-11)
    assert times == [1]


@pytest.mark.usefixtures("fresh_compiler")
def test_inside_a_transform_a_compiler_is_given_what_has_a_rule_for_it():
    x = inputs(5)[0].detach()

    def tangent(x):
        return torch.func.jvp(lambda y: attention(y, y, y, ALiBi(HEADS), causal=True), (x,), (x,))[1]

    close(torch.compile(tangent, backend="aot_eager")(x), tangent(x), 1e-13)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("dtype", "atol"), [(torch.float32, 3e-6), (torch.bfloat16, 2e-2)], ids=str)
@pytest.mark.parametrize("name", ENCODINGS)
def test_other_dtypes_come_back_as_they_were(name, dtype, atol, device):
    """One rounding of the output, and sums in another order."""
    encoding = made(name, device, dtype)
    for where in ("all see all", "in any order", "several beside a cache"):
        qkv, given = situation(where, device, dtype)
        got, dense = (attention(*qkv, encoding, backend=b, **given) for b in ("sdpa", "dense"))
        assert got.dtype == dense.dtype == dtype
        close(got, dense, atol)


@pytest.mark.parametrize("size", [0.0, 1.0, 3e2, 3e4])
@pytest.mark.parametrize("causal", [False, True])
def test_near_and_far_keys_join_whatever_their_scores(size, causal, device, small_blocks):
    """Shaw's far keys are attended to apart; either part may hold all the weight."""
    q, k, v = inputs(23, device=device)
    got, expected = (f(q * size, k, v, made("shaw", device), causal=causal) for f in (attention, by_pairs))
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-12 * max(size, 1))


@pytest.mark.parametrize("name", ["t5", "kerple_log", "alibi", "shaw", "fire"])
@pytest.mark.parametrize("causal", [False, True])
def test_double_gradients(name, causal, device, monkeypatch):
    monkeypatch.setattr(tiled, "HEIGHT", 2)
    holder = torch.nn.Module()
    holder.encoding = RelativeAttention(2, 2).to(device).double() if name == "shaw" else made(name, device)
    holder.forward = lambda *qkv: attention(*qkv, holder.encoding, causal=causal)
    names, values = zip(*holder.named_parameters(), strict=True) if list(holder.parameters()) else ((), ())
    given = [x.detach().requires_grad_() for x in (*inputs(3, device=device, dim=2, batch=1), *values)]

    def of(*x):
        return torch.func.functional_call(holder, dict(zip(names, x[3:], strict=True)), x[:3])

    assert torch.autograd.gradcheck(of, given, fast_mode=True)
    assert torch.autograd.gradgradcheck(of, given, fast_mode=True)


@pytest.mark.parametrize(("name", "width"), [("none", 1), ("alibi", 1), ("fire", DIM), ("rotary", DIM)])
def test_grouped_heads_without_kernels_for_them(name, width, device, monkeypatch):
    """Before torch 2.9, and on devices other than the CPU; heads of one channel are grouped like any."""
    for ours in (True, False):
        monkeypatch.setattr(groups, "_CPU_KERNELS_SHARE", groups._CPU_KERNELS_SHARE and ours)
        for where in ("two heads share, causal", "all heads share, a mask each"):
            qkv, given = situation(where, device, dim=width)
            encoding = made(name, device)
            close(attention(*qkv, encoding, **given), by_pairs(*qkv, encoding, **given), 1e-13)


class Marked(torch.Tensor):
    """A tensor of a class of its own, in one process."""


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("kind", [torch.nn.Parameter, lambda x: x.as_subclass(Marked)], ids=["own", "marked"])
def test_queries_may_be_parameters_or_of_a_class_of_their_own(kind, backend, device):
    q, k, v = (x.detach() for x in inputs(5, device=device))
    ours = attention(kind(q), k, v, causal=True, backend=backend).detach().as_subclass(torch.Tensor)
    assert torch.equal(ours, attention(q, k, v, causal=True, backend=backend))


def test_memory_of_distance_biases_is_linear_in_length():
    """No tensor that the call makes has more than a fraction of L² numbers."""
    x = torch.randn(1, 2, 2048, 4)
    assert largest_made(lambda: attention(x, x, x, ALiBi(2), causal=True)) < 2048 * 16 * x.itemsize


def test_shaw_scores_never_hold_a_vector_for_each_pair():
    """Forwards or backwards: numbers for pairs, with a margin on either side, and not 48 times as many."""
    (q, k), table = torch.randn(2, 1, 1, 64, 48, requires_grad=True), torch.randn(9, 48, requires_grad=True)
    scored = torch.enable_grad()(lambda: shaw_scores(q, k, table, 4).sum().backward())
    assert 64**2 * q.itemsize <= largest_made(scored) <= 4 * 64**2 * q.itemsize


def test_bfloat16_attention_keeps_a_float32_bias(device):
    """Keys 2000 back: rounded to bfloat16 their biases move in steps of 8 slopes, another attention."""
    torch.manual_seed(0)
    q, k = (torch.zeros(1, 12, n, DIM, dtype=torch.bfloat16, device=device) for n in (1, 50))
    v = torch.randn(1, 12, 50, DIM, device=device).bfloat16()
    places = torch.tensor([2047], device=device), torch.arange(50, device=device)
    bias = ALiBi(12).bias(*places, dtype=F64)
    exact, rounded = (b.softmax(-1) @ v.double() for b in (bias, bias.bfloat16().double()))
    assert (rounded - exact).abs().max() > 0.3
    given = {"position_ids": places, "causal": True}
    once, fused = (attention(q, k, v, ALiBi(12), backend=b, **given) for b in ("dense", "sdpa"))
    # one rounding of numbers up to 4, 2⁻⁷; torch's kernel also rounds the weights, and on a GPU the bias
    torch.testing.assert_close(once.double(), exact, rtol=2**-8, atol=1e-6)
    torch.testing.assert_close(fused.double(), rounded if device == "cuda" else exact, rtol=0, atol=2**-6)


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ["rotary", "shaw", "alibi", "t5"])
def test_narrow_integers_are_positions_like_any_others(name, backend, device):
    encoding, (q, k, v) = made(name, device), inputs(6, device=device)
    wide = torch.tensor([253, 254, 255, 0, 1, 2], device=device)
    given = {"causal": True, "backend": backend}
    one, other = (attention(q, k, v, encoding, position_ids=p, **given) for p in (wide, wide.to(torch.uint8)))
    assert torch.equal(one, other)


def test_a_batch_of_texts_stands_on_all_axes_alike(device):
    """Three rows of a batch are not three axes."""
    rope, text = RotaryEmbedding(DIM, sections=(2, 1, 1)), RotaryEmbedding(DIM)
    q, k, v = inputs(5, device=device, batch=3)
    at = torch.tensor([[0, 0, 0, 1, 2], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3]], device=device)
    assert torch.equal(attention(q, k, v, rope, position_ids=at), attention(q, k, v, text, position_ids=at))
    on_axes = torch.stack((at, at, at + 1))
    three = attention(q, k, v, rope, position_ids=on_axes)
    assert torch.equal(three[:1], attention(q[:1], k[:1], v[:1], rope, position_ids=on_axes[:, :1]))


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_nothing_to_attend_from_or_an_empty_batch(name, backend, device):
    for shape in ((2, HEADS, 0, DIM), (0, HEADS, 3, DIM)):
        x = torch.zeros(shape, dtype=F64, device=device, requires_grad=True)
        out = attention(x, x, x, made(name, device), causal=True, backend=backend)
        out.sum().backward()
        assert out.shape == x.grad.shape == shape
