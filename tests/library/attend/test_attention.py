"""Attention by every back end, with every encoding, is what pairs of a query and a key say; and the layer."""

import copy

import pytest
import torch
from pairs import (
    ADDITIVE,
    BY_LENGTH,
    DIM,
    ENCODINGS,
    EVERY,
    F64,
    HEADS,
    by_pairs,
    close,
    inputs,
    largest_made,
    made,
    parameters,
    slopes,
)

from posenc_lib import ALiBi, MultiHeadAttention, RelativeAttention, RotaryEmbedding, ScoreBias, attention
from posenc_lib.attend import groups
from posenc_lib.attend.tiled import autograd as tiled
from posenc_lib.attend.tiled import inputs as tiled_inputs

WIDTH = HEADS * DIM
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


# FlexAttention has no table of values, and on the CPU no gradients; it is slow where it is not compiled.
IN_FLEX = ("in any order", "a run for each row", "all heads share, a mask each", "several beside a cache")
CASES = [
    (where, name, backend) for where in SITUATIONS for name in ENCODINGS for backend in ("sdpa", "dense")
]
CASES += [(where, name, "flex") for where in IN_FLEX for name in ENCODINGS if name != "shaw"]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("where", "name", "backend"), CASES)
def test_every_back_end_equals_the_pairs(where, name, backend, device):
    encoding, (qkv, given) = made(name, device), situation(where, device)
    if backend == "flex":
        qkv, encoding = [x.detach() for x in qkv], encoding and encoding.requires_grad_(False)
    got, expected = attention(*qkv, encoding, backend=backend, **given), by_pairs(*qkv, encoding, **given)
    if backend == "flex":
        close(got, expected, 3e-7)  # a bias without parameters is float32 there
    else:
        close(got, expected, 1e-13)
        trained = [*qkv, *parameters(encoding)]
        close(slopes(got, trained), slopes(expected, trained), 1e-11)


@pytest.mark.usefixtures("small_blocks", "fresh_compiler")
@pytest.mark.parametrize("where", ["all see all", "two heads share, causal", "all heads share, a mask each"])
@pytest.mark.parametrize("name", ["alibi", "t5"])
def test_a_compiler_is_given_the_blocks_as_one_operator(name, where, monkeypatch):
    """As a matrix, which it would make of them, it takes two to four times as long."""
    encoding, (qkv, given), run, times = made(name), situation(where), tiled._forward, []
    monkeypatch.setattr(tiled, "_forward", lambda x: times.append(1) or run(x))
    call = torch.compile(lambda *x: attention(*x, encoding, **given), backend="aot_eager", fullgraph=True)
    got, expected, trained = call(*qkv), by_pairs(*qkv, encoding, **given), [*qkv, *parameters(encoding)]
    close(got, expected, 1e-13)
    close(slopes(got, trained), slopes(expected, trained), 1e-11)
    assert times == [1]


@pytest.mark.usefixtures("fresh_compiler")
def test_inside_a_transform_a_compiler_is_given_what_has_a_rule_for_it():
    x = inputs(5)[0].detach()

    def tangent(x):
        return torch.func.jvp(lambda y: attention(y, y, y, ALiBi(HEADS), causal=True), (x,), (x,))[1]

    close(torch.compile(tangent, backend="aot_eager")(x), tangent(x), 1e-13)


@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", [*ENCODINGS, *BY_LENGTH])
def test_decode_rows_equal_prefill_rows(name, backend, device):
    """Past distance 16, where T5's logarithmic buckets begin, and past its last boundary 113."""
    encoding, (q, k, v), run = (
        made(name, device),
        inputs(130, device=device),
        torch.arange(130, device=device),
    )
    given = {"causal": True, "backend": backend} | ({"length": 130} if name in BY_LENGTH else {})
    with torch.no_grad():
        whole = attention(q, k, v, encoding, **given)
        for m in (0, 15, 16, 17, 40, 129):
            held = k[:, :, : m + 1], v[:, :, : m + 1]
            places = run[m : m + 1], run[: m + 1]
            row = attention(q[:, :, m : m + 1], *held, encoding, position_ids=places, **given)
            close(row, whole[:, :, m : m + 1], 1e-13)


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


@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_decoding_makes_nothing_as_large_as_the_cache(name, backend, queries):
    """Four heads share one of keys: a copy for each would be four caches."""
    width, keys = 128, 512
    wide = {"shaw": RelativeAttention(width, 3), "shaw keys": RelativeAttention(width, 3, values=False)}
    turns = isinstance(ENCODINGS[name](), RotaryEmbedding)
    encoding = RotaryEmbedding(width) if turns else wide.get(name, ENCODINGS[name]())
    q, (k, v) = torch.randn(1, HEADS, queries, width), torch.randn(2, 1, 1, keys, width)
    places = torch.arange(keys - queries, keys), torch.arange(keys)
    if queries > 1 and not groups._CPU_KERNELS_SHARE:
        pytest.skip("this torch has no CPU kernel for grouped heads and several queries")
    given = {"position_ids": places, "causal": True, "backend": backend}
    largest = largest_made(lambda: attention(q, k, v, encoding, **given))
    # a rotary encoding turns the keys it is given; float64 tables for it are as large
    assert largest <= k.nbytes if turns else largest < k.nbytes


def test_memory_of_distance_biases_is_linear_in_length():
    """No tensor that the call makes has more than a fraction of L² numbers."""
    x = torch.randn(1, 2, 2048, 4)
    assert largest_made(lambda: attention(x, x, x, ALiBi(2), causal=True)) < 2048 * 16 * x.itemsize


def test_bfloat16_attention_keeps_a_float32_bias(device):
    """Keys 2000 back: rounded to bfloat16 their biases move in steps of 8 slopes, another attention."""
    torch.manual_seed(0)
    q, k = (torch.zeros(1, 12, n, DIM, dtype=torch.bfloat16, device=device) for n in (1, 50))
    v = torch.randn(1, 12, 50, DIM, device=device).bfloat16()
    places = torch.tensor([2047], device=device), torch.arange(50, device=device)
    bias = ALiBi(12).bias(*places, dtype=F64)
    exact, rounded = (b.softmax(-1) @ v.double() for b in (bias, bias.bfloat16().double()))
    assert (rounded - exact).abs().max() > 0.3
    once, fused = (
        attention(q, k, v, ALiBi(12), position_ids=places, causal=True, backend=b) for b in ("dense", "sdpa")
    )
    # one rounding of numbers up to 4, 2⁻⁷; torch's kernel also rounds the weights
    torch.testing.assert_close(once.double(), exact, rtol=2**-8, atol=1e-6)
    torch.testing.assert_close(fused.double(), exact, rtol=0, atol=2**-6)


@pytest.mark.parametrize("name", ["alibi", "kerple_log", "shaw", "rotary"])
def test_torch_func_transforms_take_the_plain_path(name, device):
    encoding, (q, k, v) = made(name, device), inputs(6, device=device)
    expected = by_pairs(q, k, v, encoding, causal=True)
    each = torch.func.vmap(lambda *x: attention(*(t[None] for t in x), encoding, causal=True)[0])(q, k, v)
    close(each, expected, 1e-13)
    got = torch.func.grad(lambda q: attention(q, k, v, encoding, causal=True).square().sum())(q)
    close(got, torch.autograd.grad(expected.square().sum(), q), 1e-12)


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


# --- the layer


def layer_of(name, device="cpu", **given):
    torch.manual_seed(0)
    return MultiHeadAttention(WIDTH, HEADS, made(name), **given).to(device).double()


def tokens(length, device="cpu", seed=1, batch=2):
    numbers = torch.randn(batch, length, WIDTH, dtype=F64, generator=torch.Generator().manual_seed(seed))
    return numbers.to(device)


@pytest.mark.parametrize("name", [*ENCODINGS, *ADDITIVE])
def test_tokens_keep_their_positions_in_any_order(name, device):
    layer, x, order = layer_of(name, device), tokens(7, device), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    out = layer(x, causal=True)
    close(layer(x[:, order], position_ids=order.to(device), causal=True), out[:, order], 1e-13)
    same = torch.allclose(layer(x[:, order]), layer(x)[:, order], rtol=0, atol=1e-12)
    assert same == (name == "none")  # without an encoding attention cannot tell the order


@pytest.mark.parametrize("name", ADDITIVE)
def test_cross_attention_adds_to_each_side_its_own_positions(name, device):
    layer, x, context = layer_of(name, device), tokens(5, device), tokens(7, device, seed=2)
    places = torch.arange(3, 8, device=device), torch.arange(20, 27, device=device)
    encoding, layer.encoding = layer.encoding, None
    expected = layer(encoding(x, places[0]), encoding(context, places[1]))
    layer.encoding = encoding
    close(layer(x, context, position_ids=places), expected, 1e-13)


def part_of(layer, start, stop):
    """What a process holds of heads start … stop − 1: rows of q, k and v, columns of the output."""
    mine, rows = copy.deepcopy(layer), slice(start * DIM, stop * DIM)
    for projection in (mine.q_proj, mine.k_proj, mine.v_proj):
        projection.weight = torch.nn.Parameter(projection.weight[rows])
    mine.out_proj.weight = torch.nn.Parameter(mine.out_proj.weight[:, rows])
    return mine


@pytest.mark.parametrize("name", [*ENCODINGS, *ADDITIVE])
def test_heads_cut_over_processes_add_up_or_are_refused(name, device):
    """Tensor parallelism leaves a layer with a part of its heads, and a bias that does not know which."""
    whole, x = layer_of(name, device, bias=False), tokens(6, device)
    parts = [part_of(whole, *cut) for cut in ((0, 1), (1, 3), (3, 4))]
    if isinstance(whole.encoding, ScoreBias):
        with pytest.raises(ValueError, match="num_heads = 4, but there are 2 heads"):
            parts[1](x)
        for part, cut in zip(parts, ((0, 1), (1, 3), (3, 4)), strict=True):
            part.encoding = part.encoding.head_slice(*cut)
    close(sum(part(x, causal=True) for part in parts), whole(x, causal=True), 1e-13)
    parts[0].v_proj = torch.nn.Linear(WIDTH, DIM + 3, device=device, dtype=F64)
    with pytest.raises(ValueError, match=f"whole heads of width {DIM}"):
        parts[0](x)


@pytest.mark.parametrize("name", BY_LENGTH)
def test_a_scaling_by_length_is_told_the_length(name, device):
    layer, x = layer_of(name, device), tokens(8, device)
    rope, outs = layer.encoding, [layer(x, length=length) for length in (8, 64)]
    assert (outs[0] - outs[1]).abs().max() > 1e-3
    q, k, v = (layer._heads(p(x)) for p in (layer.q_proj, layer.k_proj, layer.v_proj))
    for length, out in zip((8, 64), outs, strict=True):
        turned = attention(*rope(q, k, length=length), v)
        close(layer.out_proj(turned.transpose(1, 2).flatten(2)), out, 1e-13)
        close(attention(q, k, v, rope, length=length), turned, 1e-13)
    with pytest.raises(ValueError, match="length"):
        layer(tokens(64, device))


def test_multi_head_attention_equals_torchs_own(device):
    ours = layer_of("none", device)
    theirs = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, device=device, dtype=F64)
    projections = ours.q_proj, ours.k_proj, ours.v_proj
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    x, context = tokens(5, device), tokens(8, device, seed=2)
    close(ours(x, context), theirs(x, context, context)[0], 1e-13)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("shared", [1, 2])
def test_grouped_queries_are_repeated_keys_and_values(name, shared):
    whole, grouped = layer_of(name), layer_of(name, num_kv_heads=shared)
    grouped.encoding = whole.encoding
    assert grouped.k_proj.weight.shape == grouped.v_proj.weight.shape == (shared * DIM, WIDTH)
    state = grouped.state_dict()
    for key in state:
        if key[:6] in ("k_proj", "v_proj"):
            heads = state[key].unflatten(0, (shared, DIM))
            state[key] = heads.repeat_interleave(HEADS // shared, 0).flatten(0, 1)
    whole.load_state_dict(state)
    given = {"causal": True, "length": 64} if name in BY_LENGTH else {"causal": True}
    close(grouped(tokens(6), **given), whole(tokens(6), **given), 1e-13)


def test_heads_are_normed_each_for_itself_before_they_turn():
    """Scores no longer see the size of a head's queries and keys, and see the trained weight."""
    plain, normed = layer_of("none", bias=False), layer_of("none", bias=False, qk_norm=True)
    normed.load_state_dict(plain.state_dict(), strict=False)
    x, weight = tokens(6), torch.rand(DIM, dtype=F64) + 0.5
    with torch.no_grad():
        normed.q_norm.weight.copy_(weight)
    q, k, v = (plain._heads(f(x)) for f in (plain.q_proj, plain.k_proj, plain.v_proj))
    q, k = (t / (t.square().mean(-1, keepdim=True) + torch.finfo(t.dtype).eps).sqrt() for t in (q, k))
    close(normed(x), plain.out_proj(by_pairs(q * weight, k, v).transpose(1, 2).flatten(2)), 1e-13)
    assert {"q_norm.weight", "k_norm.weight"} == set(normed.state_dict()) - set(plain.state_dict())


@pytest.mark.parametrize("bias", [True, False])
def test_each_projection_has_an_offset_or_none_has(bias):
    layer = MultiHeadAttention(WIDTH, HEADS, num_kv_heads=2, bias=bias)
    offsets = {name for name in layer.state_dict() if name.endswith(".bias")}
    assert offsets == ({f"{one}_proj.bias" for one in ("q", "k", "v", "out")} if bias else set())


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_tables_are_made_once_for_all_layers(layout, monkeypatch):
    import posenc_lib.rotary.module as rotary_module

    rope = RotaryEmbedding(DIM, layout=layout)
    layers = [MultiHeadAttention(WIDTH, HEADS, rope, num_kv_heads=2, qk_norm=True) for _ in range(3)]
    at, made_tables, tables_of = torch.tensor([[0], [3]]) + torch.arange(6), [], rotary_module.tables_of
    monkeypatch.setattr(rotary_module, "tables_of", lambda *a: made_tables.append(1) or tables_of(*a))

    def through(**given):
        x = tokens(6).float()
        for layer in layers:
            x = x + layer(x, position_ids=at, causal=True, **given)
        return x

    expected = through()
    assert len(made_tables) == 6
    close(through(tables=rope.tables(at)), expected, 1e-6)
    assert len(made_tables) == 7


def test_autocast_chooses_the_dtype_of_the_weights():
    with torch.autocast("cpu", torch.bfloat16):
        assert MultiHeadAttention(8, 2)(torch.randn(1, 3, 8).bfloat16()).dtype == torch.bfloat16
