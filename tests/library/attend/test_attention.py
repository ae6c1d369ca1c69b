"""Attention with every encoding: back ends agree, masks, decode, gradients, refusals."""

import copy

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib import (
    BIASES,
    ALiBi,
    KerpleLog,
    LearnedEncoding,
    LinearEncoding,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    SinusoidalEncoding,
    T5Bias,
    apply_rotary,
    attention,
    cos_sin,
    inv_freq,
)
from posenc_lib.attend import groups
from posenc_lib.attend.tiled import autograd as tiled
from posenc_lib.attend.tiled import inputs as tiled_inputs
from posenc_lib.bias import ScoreBias

HEADS, DIM = 4, 8
ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(RotarySpec(DIM)),
    "shaw": lambda: RelativeAttention(DIM, 3),
    "shaw keys": lambda: RelativeAttention(DIM, 3, values=False),
    "t5 causal": lambda: T5Bias(HEADS, bidirectional=False),
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items()},
}
ADDITIVE = {
    "sinusoidal": lambda: SinusoidalEncoding(HEADS * DIM),
    "learned": lambda: LearnedEncoding(40, HEADS * DIM),
    "linear": lambda: LinearEncoding(HEADS * DIM),
}
# one rounding of the output, and sums in another order
TOLERANCE = {torch.float64: 1e-14, torch.float32: 3e-6, torch.bfloat16: 2e-2}


def made(name, device, dtype=torch.float64):
    torch.manual_seed(0)
    encoding = ENCODINGS[name]()
    return encoding if encoding is None else encoding.to(device, dtype)


def inputs(length, device, dtype=torch.float64, keys=None, heads=HEADS):
    torch.manual_seed(1)
    q = torch.randn(2, heads, length, DIM, dtype=torch.float64, device=device).to(dtype)
    k, v = torch.randn(2, 2, heads, keys or length, DIM, dtype=torch.float64, device=device).to(dtype)
    return [x.requires_grad_() for x in (q, k, v)]


@pytest.fixture
def small_blocks(monkeypatch):
    """Several blocks of rows, and of heads, at lengths a test can afford."""
    monkeypatch.setattr(tiled, "HEIGHT", 4)
    monkeypatch.setattr(tiled, "_HEIGHT_WITHOUT_COPY", 5)
    monkeypatch.setattr(tiled_inputs, "_BLOCK_NUMBERS", 50)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_sdpa_agrees_with_dense(name, dtype, device, small_blocks):
    encoding = made(name, device, dtype)
    q, k, v = inputs(11, device, dtype)
    some = torch.rand(2, 1, 11, 11, device=device) > 0.4
    some[0, 0, 3] = False
    scattered = torch.randperm(11, device=device)
    batched = torch.arange(11, device=device) + torch.tensor([[3], [9]], device=device)
    for causal in (False, True):
        for mask in (None, some):
            for places in (None, torch.arange(5, 16, device=device), scattered, batched):
                given = {"causal": causal, "mask": mask, "position_ids": places}
                fast = attention(q, k, v, encoding, **given)
                reference = attention(q, k, v, encoding, backend="dense", **given)
                assert fast.dtype == dtype
                torch.testing.assert_close(fast, reference, rtol=0, atol=TOLERANCE[dtype])
                if mask is not None:
                    assert fast[0, :, 3].eq(0).all() and reference[0, :, 3].eq(0).all()


@pytest.mark.parametrize("name", ENCODINGS)
def test_sdpa_gradients_agree_with_dense(name, device, small_blocks):
    encoding = made(name, device)
    q, k, v = inputs(11, device)
    wanted = [q, k, v, *([] if encoding is None else encoding.parameters())]
    mask = torch.rand(2, 1, 11, 11, device=device) > 0.4
    mask[0, 0, 3] = False
    for given in ({"causal": True}, {}, {"causal": True, "mask": mask}):
        both = [attention(q, k, v, encoding, backend=b, **given) for b in ("sdpa", "dense")]
        cotangent = torch.randn_like(both[0])
        got, expected = (torch.autograd.grad(x, wanted, cotangent) for x in both)
        for a, b in zip(got, expected, strict=True):
            assert torch.isfinite(a).all()
            torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1.0, 3e2, 3e4])
@pytest.mark.parametrize("causal", [False, True])
def test_near_and_far_keys_join_whatever_their_scores(size, causal, device, small_blocks):
    """Shaw's far keys are attended to apart; either part may hold all the weight."""
    encoding = made("shaw", device)
    q, k, v = inputs(23, device)
    got, expected = (attention(q * size, k, v, encoding, causal=causal, backend=b) for b in ("sdpa", "dense"))
    assert torch.isfinite(got).all()
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-12 * max(size, 1))


@pytest.mark.parametrize("name", ["t5", "kerple_log", "alibi", "shaw", "fire"])
@pytest.mark.parametrize("causal", [False, True])
def test_double_gradients(name, causal, device, monkeypatch):
    monkeypatch.setattr(tiled, "HEIGHT", 2)
    encoding = made(name, device)
    names = [n for n, _ in encoding.named_parameters()]
    torch.manual_seed(0)
    parameters = [p.detach().clone().requires_grad_() for p in encoding.parameters()]
    q, k, v = (x[:1, :, :, :2].detach().requires_grad_() for x in inputs(3, device))
    if name == "shaw":
        encoding = RelativeAttention(2, 2).to(device).double()
        parameters = [p.detach().clone().requires_grad_() for p in encoding.parameters()]
    holder = torch.nn.Module()
    holder.encoding = encoding
    holder.forward = lambda q, k, v: attention(q, k, v, holder.encoding, causal=causal)

    def of(q, k, v, *values):
        given = {f"encoding.{n}": x for n, x in zip(names, values, strict=True)}
        return torch.func.functional_call(holder, given, (q, k, v))

    assert torch.autograd.gradcheck(of, (q, k, v, *parameters), fast_mode=True)
    assert torch.autograd.gradgradcheck(of, (q, k, v, *parameters), fast_mode=True)


@pytest.mark.parametrize("name", [n for n in ENCODINGS if n != "none"])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
def test_decode_rows_equal_prefill_rows(name, backend, device):
    """Past distance 16, where T5's logarithmic buckets begin, and past its last boundary 113."""
    encoding = made(name, device)
    q, k, v = inputs(130, device)
    run = torch.arange(130, device=device)
    whole = attention(q, k, v, encoding, causal=True, backend=backend)
    for m in (0, 15, 16, 17, 40, 129):
        row = attention(
            q[:, :, m : m + 1], k[:, :, : m + 1], v[:, :, : m + 1], encoding,
            position_ids=(run[m : m + 1], run[: m + 1]), causal=True, backend=backend,
        )  # fmt: skip
        torch.testing.assert_close(row, whole[:, :, m : m + 1], rtol=0, atol=1e-13)


def test_a_chunk_of_several_queries_equals_prefill_rows(device, small_blocks):
    encoding = made("t5 causal", device)
    q, k, v = inputs(30, device)
    run = torch.arange(30, device=device)
    whole = attention(q, k, v, encoding, causal=True)
    chunk = attention(q[:, :, 17:], k, v, encoding, position_ids=(run[17:], run), causal=True)
    torch.testing.assert_close(chunk, whole[:, :, 17:], rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", [n for n in ENCODINGS if n not in ("none", "fire", "shaw", "shaw keys")])
def test_left_padding_is_an_offset(name, device):
    """A row whose tokens begin after padding, with positions from 0 there, equals the row alone."""
    encoding = made(name, device)
    q, k, v = inputs(9, device)
    pad = 4
    places = torch.arange(-pad, 5, device=device).expand(2, -1)
    mask = (torch.arange(9, device=device) >= pad).expand(2, 1, 1, 9)
    padded = attention(q, k, v, encoding, position_ids=places, mask=mask, causal=True)
    alone = attention(q[:, :, pad:], k[:, :, pad:], v[:, :, pad:], encoding, causal=True)
    torch.testing.assert_close(padded[:, :, pad:], alone, rtol=0, atol=1e-13)
    assert padded[:, :, :pad].eq(0).all()  # padding sees nothing


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
def test_cross_attention_takes_two_lengths(backend, device):
    q, k, v = inputs(5, device, keys=8)
    plain = attention(q, k, v, backend=backend)
    torch.testing.assert_close(plain, scaled_dot_product_attention(q, k, v), rtol=0, atol=1e-14)
    places = torch.arange(5, device=device), torch.arange(8, device=device)
    turned = attention(q, k, v, made("rotary", device), position_ids=places, backend=backend)
    q_m, k_n = (
        apply_rotary(x, *cos_sin(inv_freq(DIM), p, dtype=torch.float64))
        for x, p in zip((q, k), places, strict=True)
    )
    torch.testing.assert_close(turned, scaled_dot_product_attention(q_m, k_n, v), rtol=0, atol=1e-13)


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_two_vectors_of_positions_of_one_length_differ(name, backend, device, small_blocks):
    """Eleven queries and eleven keys of one text of 13 tokens, each where it stands there."""
    encoding = made(name, device)
    q, k, v = inputs(13, device)
    run = torch.arange(13, device=device)
    for causal in (False, True):
        for at in (run[2:], run[2:].flip(0)):
            whole = attention(q, k, v, encoding, causal=causal, mask=run < 11, backend="dense")[:, :, at]
            few = q[:, :, at], k[:, :, :11], v[:, :, :11]
            ours = attention(*few, encoding, position_ids=(at, run[:11]), causal=causal, backend=backend)
            torch.testing.assert_close(ours, whole, rtol=0, atol=1e-13)


@pytest.mark.parametrize("shared", [1, 2])
@pytest.mark.parametrize("name", ENCODINGS)
def test_grouped_heads_equal_repeated_ones(name, shared, device, small_blocks):
    """Blocks of rows hold several groups of heads, or a part of one."""
    encoding = made(name, device)
    q, k, v = inputs(11, device)
    few = [x[:, :shared].detach().requires_grad_() for x in (k, v)]
    mask = torch.rand(2, HEADS, 11, 11, device=device) > 0.4
    parameters = [] if encoding is None else list(encoding.parameters())
    for given in ({}, {"causal": True}, {"causal": True, "mask": mask}):
        wanted = [q, *few, *parameters]
        repeated = [x.repeat_interleave(HEADS // shared, 1) for x in few]
        reference = attention(q, *repeated, encoding, backend="dense", **given)
        cotangent = torch.randn_like(reference)
        expected = torch.autograd.grad(reference, wanted, cotangent)
        for backend in ("sdpa", "dense"):
            ours = attention(q, *few, encoding, backend=backend, **given)
            torch.testing.assert_close(ours, reference, rtol=0, atol=1e-14)
            for a, b in zip(torch.autograd.grad(ours, wanted, cotangent), expected, strict=True):
                torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", ENCODINGS)
def test_one_query_of_grouped_heads_equals_prefill_rows(name, device):
    encoding = made(name, device)
    q, k, v = inputs(13, device)
    k, v = k[:, :2], v[:, :2]
    whole = attention(q, k, v, encoding, causal=True, backend="dense")
    run = torch.arange(13, device=device)
    for backend in ("sdpa", "dense"):
        step = attention(q[:, :, 12:], k, v, encoding, position_ids=(run[12:], run), backend=backend)
        torch.testing.assert_close(step, whole[:, :, 12:], rtol=0, atol=1e-13)


@pytest.mark.parametrize("causal", [False, True])
def test_heads_of_one_channel_are_grouped_like_any(causal, device):
    """A size of 1 is the number of queries only where it stands on their axis."""
    q, k, v = (x[..., :1] for x in inputs(5, device))
    ours = attention(q, k[:, :2], v[:, :2], ALiBi(HEADS), causal=causal)
    plain = attention(q, k[:, :2], v[:, :2], causal=causal)
    few = [x[:, :2].repeat_interleave(HEADS // 2, 1) for x in (k, v)]
    for got, encoding in ((ours, ALiBi(HEADS)), (plain, None)):
        reference = attention(q, *few, encoding, causal=causal, backend="dense")
        torch.testing.assert_close(got, reference, rtol=0, atol=1e-14)


class Marked(torch.Tensor):
    """A tensor of a class of its own, in one process."""


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize(
    "kind", [torch.nn.Parameter, lambda x: x.as_subclass(Marked)], ids=["parameter", "own"]
)
def test_queries_may_be_parameters_or_of_a_class_of_their_own(kind, backend, device):
    q, k, v = (x.detach() for x in inputs(5, device))
    ours = attention(kind(q), k, v, causal=True, backend=backend)
    assert torch.equal(
        ours.detach().as_subclass(torch.Tensor), attention(q, k, v, causal=True, backend=backend)
    )


@pytest.mark.parametrize("name", ["none", "fire", "rotary"])
def test_grouped_heads_without_kernels_for_them(name, device, monkeypatch):
    """Before torch 2.9, and on devices other than the CPU."""
    monkeypatch.setattr(groups, "_CPU_KERNELS_SHARE", False)
    encoding = made(name, device)
    q, k, v = inputs(11, device)
    given = {"causal": True, "mask": None if name == "none" else torch.rand(11, 11, device=device) > 0.4}
    ours, reference = (
        attention(q, k[:, :2], v[:, :2], encoding, backend=backend, **given) for backend in ("sdpa", "dense")
    )
    torch.testing.assert_close(ours, reference, rtol=0, atol=1e-14)


def largest_made(call):
    """Bytes of the largest tensor that a call makes anew."""
    from torch.utils._python_dispatch import TorchDispatchMode

    sizes = [0]

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            given = {x.untyped_storage().data_ptr() for x in args if isinstance(x, torch.Tensor)}
            out = func(*args, **(kwargs or {}))
            for x in out if isinstance(out, (tuple, list)) else (out,):
                if isinstance(x, torch.Tensor) and x.untyped_storage().data_ptr() not in given:
                    sizes.append(x.untyped_storage().nbytes())
            return out

    with Watch(), torch.no_grad():
        call()
    return max(sizes)


@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_decoding_makes_nothing_as_large_as_the_cache(name, backend, queries):
    """Four heads share one of keys: a copy for each would be four caches."""
    torch.manual_seed(0)
    width, keys, heads = 128, 512, HEADS
    encoding = {
        "shaw": lambda: RelativeAttention(width, 3),
        "shaw keys": lambda: RelativeAttention(width, 3, values=False),
        "rotary": lambda: RotaryEmbedding(RotarySpec(width)),
    }.get(name, ENCODINGS[name])()
    q, (k, v) = torch.randn(1, heads, queries, width), torch.randn(2, 1, 1, keys, width)
    places = torch.arange(keys - queries, keys), torch.arange(keys)
    if queries > 1 and not groups._CPU_KERNELS_SHARE:
        pytest.skip("this torch has no CPU kernel for grouped heads and several queries")
    largest = largest_made(
        lambda: attention(q, k, v, encoding, position_ids=places, causal=True, backend=backend)
    )
    # a rotary encoding turns the keys it is given; float64 tables for it are as large
    assert largest <= k.nbytes if name == "rotary" else largest < k.nbytes


def test_bfloat16_attention_keeps_a_float32_bias(device):
    """Keys 2000 back: rounded to bfloat16 their biases move in steps of 8 slopes, another attention."""
    torch.manual_seed(0)
    q = torch.zeros(1, 12, 1, DIM, dtype=torch.bfloat16, device=device)
    k = torch.zeros(1, 12, 50, DIM, dtype=torch.bfloat16, device=device)
    v = torch.randn(1, 12, 50, DIM, device=device).bfloat16()
    places = torch.tensor([2047], device=device), torch.arange(50, device=device)
    bias = ALiBi(12).bias(*places, dtype=torch.float64)
    exact = bias.softmax(-1) @ v.double()
    rounded = bias.bfloat16().double().softmax(-1) @ v.double()
    assert (rounded - exact).abs().max() > 0.3
    once = attention(q, k, v, ALiBi(12), position_ids=places, causal=True, backend="dense")
    # one rounding of numbers up to 4, 2⁻⁷; torch's kernel also rounds the weights
    torch.testing.assert_close(once.double(), exact, rtol=2**-8, atol=1e-6)
    fused = attention(q, k, v, ALiBi(12), position_ids=places, causal=True)
    torch.testing.assert_close(fused.double(), exact, rtol=0, atol=2**-6)


def test_memory_of_distance_biases_is_linear_in_length():
    """No tensor that the call makes has more than a fraction of L² numbers."""
    length = 2048
    x = torch.randn(1, 2, length, 4)
    largest = largest_made(lambda: attention(x, x, x, ALiBi(2), causal=True))
    assert largest < length * 16 * x.itemsize


@pytest.mark.parametrize("encoding", [ALiBi(HEADS), KerpleLog(HEADS), RelativeAttention(DIM, 3)])
def test_torch_func_transforms_and_compile_take_the_plain_path(encoding, device):
    encoding = encoding.to(device).double()
    q, k, v = (x.detach() for x in inputs(6, device))
    expected = attention(q, k, v, encoding, causal=True, backend="dense")
    each = torch.func.vmap(lambda *x: attention(*(t[None] for t in x), encoding, causal=True)[0])(q, k, v)
    torch.testing.assert_close(each, expected, rtol=0, atol=1e-13)
    got = torch.func.grad(lambda q: attention(q, k, v, encoding, causal=True).square().sum())(q)
    q.requires_grad_()
    (wanted,) = torch.autograd.grad(attention(q, k, v, encoding, causal=True).square().sum(), q)
    torch.testing.assert_close(got, wanted, rtol=0, atol=1e-12)
    whole = torch.compile(lambda *x: attention(*x, encoding, causal=True), fullgraph=True, backend="eager")
    torch.testing.assert_close(whole(q, k, v), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", [*ENCODINGS, *ADDITIVE])
def test_multi_head_attention_takes_any_encoding(name, device):
    torch.manual_seed(0)
    width = HEADS * DIM
    encoding = (ENCODINGS | ADDITIVE)[name]()
    layer = MultiHeadAttention(width, HEADS, encoding).to(device).double()
    x = torch.randn(2, 7, width, dtype=torch.float64, device=device)
    out = layer(x, causal=True)
    order = torch.randperm(7, device=device)
    permuted = layer(x[:, order], position_ids=order, causal=True)
    # tokens keep their positions: the order in memory means nothing
    torch.testing.assert_close(permuted, out[:, order], rtol=0, atol=1e-13)
    moved = layer(x[:, order], causal=False)
    same = torch.allclose(moved, layer(x)[:, order], rtol=0, atol=1e-12)
    assert same == (name == "none")  # without an encoding attention cannot tell the order


@pytest.mark.parametrize("name", ADDITIVE)
def test_cross_attention_adds_to_each_side_its_own_positions(name, device):
    torch.manual_seed(0)
    layer = MultiHeadAttention(HEADS * DIM, HEADS, ADDITIVE[name]()).to(device).double()
    x, context = (torch.randn(2, n, HEADS * DIM, dtype=torch.float64, device=device) for n in (5, 7))
    places = torch.arange(3, 8, device=device), torch.arange(20, 27, device=device)
    encoding, layer.encoding = layer.encoding, None
    expected = layer(encoding(x, places[0]), encoding(context, places[1]))
    layer.encoding = encoding
    torch.testing.assert_close(layer(x, context, position_ids=places), expected, rtol=0, atol=1e-13)


def part_of(layer, rank, parts):
    """What one process of `parts` holds when the heads are cut: rows of q, k and v, columns of the output."""
    mine = copy.deepcopy(layer)
    for projection in (mine.q_proj, mine.k_proj, mine.v_proj):
        projection.weight = torch.nn.Parameter(projection.weight.chunk(parts)[rank])
        projection.bias = torch.nn.Parameter(projection.bias.chunk(parts)[rank])
    mine.out_proj.weight = torch.nn.Parameter(mine.out_proj.weight.chunk(parts, 1)[rank])
    mine.out_proj.bias = torch.nn.Parameter(mine.out_proj.bias / parts)
    return mine


@pytest.mark.parametrize("name", [*ENCODINGS, *ADDITIVE])
def test_heads_cut_over_processes_add_up_or_are_refused(name, device):
    """Tensor parallelism leaves a layer with a part of its heads, and a bias that does not know which."""
    torch.manual_seed(0)
    whole = MultiHeadAttention(HEADS * DIM, HEADS, (ENCODINGS | ADDITIVE)[name]()).to(device).double()
    x = torch.randn(2, 6, HEADS * DIM, dtype=torch.float64, device=device)
    parts = [part_of(whole, rank, 2) for rank in range(2)]
    if isinstance(whole.encoding, ScoreBias):
        for part in parts:
            with pytest.raises(ValueError, match=r"num_heads = 4, but there are 2 heads"):
                part(x)
        return
    torch.testing.assert_close(parts[0](x) + parts[1](x), whole(x), rtol=0, atol=1e-13)
    odd = part_of(whole, 0, 2)
    odd.v_proj = torch.nn.Linear(HEADS * DIM, DIM + 3, device=device, dtype=torch.float64)
    with pytest.raises(ValueError, match=f"whole heads of width {DIM}"):
        odd(x)


LONGROPE = {
    "short_factor": [1.0, 1.0, 1.5, 2.0],
    "long_factor": [1.0, 4.0, 8.0, 16.0],
    "original_max_position_embeddings": 16,
    "attention_factor": 1.2,
}


def test_a_scaling_by_length_is_told_the_length(device):
    spec = RotarySpec(DIM, scaling="longrope", params=LONGROPE)
    rope = RotaryEmbedding(spec)
    layer = MultiHeadAttention(HEADS * DIM, HEADS, rope).to(device)
    x = torch.randn(1, 12, HEADS * DIM, device=device)
    short, long = layer(x, length=12), layer(x, length=64)
    assert (short - long).abs().max() > 1e-3
    q, k, v = (layer._heads(p(x)) for p in (layer.q_proj, layer.k_proj, layer.v_proj))
    for length, out in ((12, short), (64, long)):
        turned = attention(*rope(q, k, length=length), v)
        torch.testing.assert_close(layer.out_proj(turned.transpose(1, 2).flatten(2)), out, rtol=0, atol=1e-6)
        torch.testing.assert_close(attention(q, k, v, rope, length=length), turned, rtol=0, atol=1e-6)
    for encoding in (None, ALiBi(HEADS), RelativeAttention(DIM, 2)):
        with pytest.raises(ValueError, match="length is for a rotary encoding"):
            attention(q, k, v, encoding, length=12)


def test_beyond_the_original_length_a_scaling_must_be_told_the_length(device):
    layer = MultiHeadAttention(
        HEADS * DIM, HEADS, RotaryEmbedding(RotarySpec(DIM, scaling="longrope", params=LONGROPE))
    ).to(device)
    x = torch.randn(1, 64, HEADS * DIM, device=device)
    with pytest.raises(ValueError, match="length"):
        layer(x)
    assert layer(x, length=64).shape == x.shape


def test_multi_head_attention_equals_torchs_own(device):
    torch.manual_seed(0)
    ours = MultiHeadAttention(32, HEADS).to(device).double()
    theirs = torch.nn.MultiheadAttention(32, HEADS, batch_first=True, device=device, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in (ours.q_proj, ours.k_proj, ours.v_proj)]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in (ours.q_proj, ours.k_proj, ours.v_proj)]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    x, context = torch.randn(2, 5, 32, device=device).double(), torch.randn(2, 8, 32, device=device).double()
    torch.testing.assert_close(ours(x, context), theirs(x, context, context)[0], rtol=0, atol=1e-13)


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ["rotary", "shaw", "alibi", "t5"])
def test_narrow_integers_are_positions_like_any_others(name, backend, device):
    encoding = made(name, device)
    q, k, v = torch.randn(3, 1, HEADS, 6, DIM, dtype=torch.float64, device=device)
    at = torch.tensor([253, 254, 255, 0, 1, 2], device=device)
    with torch.no_grad():
        wide, narrow = (
            attention(q, k, v, encoding, position_ids=p, causal=True, backend=backend)
            for p in (at, at.to(torch.uint8))
        )
    assert torch.equal(wide, narrow)


def test_a_batch_of_texts_stands_on_all_axes_alike(device):
    """Three rows of a batch are not three axes."""
    rope = RotaryEmbedding(RotarySpec(DIM, sections=(2, 1, 1)))
    text = RotaryEmbedding(RotarySpec(DIM))
    q, k, v = torch.randn(3, 3, HEADS, 5, DIM, dtype=torch.float64, device=device)
    at = torch.tensor([[0, 0, 0, 1, 2], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3]], device=device)
    assert torch.equal(attention(q, k, v, rope, position_ids=at), attention(q, k, v, text, position_ids=at))
    on_axes = torch.stack((at, at, at + 1))
    three = attention(q, k, v, rope, position_ids=on_axes)
    assert torch.equal(three[:1], attention(q[:1], k[:1], v[:1], rope, position_ids=on_axes[:, :1]))


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_nothing_to_attend_from_or_an_empty_batch(name, backend, device):
    encoding = made(name, device)
    for shape in ((2, HEADS, 0, DIM), (0, HEADS, 3, DIM)):
        x = torch.zeros(shape, dtype=torch.float64, device=device, requires_grad=True)
        out = attention(x, x, x, encoding, causal=True, backend=backend)
        assert out.shape == shape
        out.sum().backward()
        assert x.grad.shape == shape
