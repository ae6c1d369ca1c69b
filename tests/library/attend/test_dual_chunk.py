"""Dual chunk attention: equals its definition by distances; near keys are exact; decoding equals prefill."""

import math

import pytest
import torch
from torch.func import functional_call

from posenc_lib import (
    KVCache,
    RotaryEmbedding,
    RotarySpec,
    attention,
    dual_chunk_attention,
    dual_chunk_positions,
    positions_from_mask,
    rotation_matrix,
)
from posenc_lib.attend.dual import blocks as dual_blocks

DIM, F64 = 8, torch.float64
# chunks of 6 with a window of 4, as in the paper's figure 2; of 4; of one token; and a first that is alone
SIZES = [(9, 3), (5, 1), (1, 0), (7, 0), (40, 15)]
ROPES = {
    "half": {},
    "interleaved": {"layout": "interleaved"},
    "partial": {"rotary_dim": 4},
    "factor": {"scaling": "yarn", "params": {"factor": 8.0, "original_max_position_embeddings": 64}},
}


def made(length, device, dtype=F64, heads=4, shared=2, batch=2, keys=None):
    torch.manual_seed(length)
    q = torch.randn(batch, heads, length, DIM, dtype=F64, device=device).to(dtype)
    k, v = torch.randn(2, batch, shared, keys or length, DIM, dtype=F64, device=device).to(dtype)
    return q, k, v


def sized(sizes):
    return dict(zip(("chunk_size", "local_size"), sizes, strict=True))


def distance(m, n, chunk, trained):
    """The paper's matrix of distances for chunks of s and a model trained on c positions, one entry."""
    window = trained - chunk
    successive = [min(chunk + i, trained - 1) if i < window else trained - 1 for i in range(chunk)]
    apart = m // chunk - n // chunk
    query = m % chunk if apart == 0 else successive[m % chunk] if apart == 1 else trained - 1
    return query - n % chunk


def by_definition(q, k, v, spec, sizes, at_q, at_k):
    """One query at a time, in doubles: its keys are moved by whole matrices, whatever their places."""
    chunk, trained = sizes[0] - sizes[1], sizes[0] + 1
    group, width = q.shape[1] // k.shape[1], spec.rotated
    back = (
        rotation_matrix(spec.inv_freq(), -torch.arange(trained), spec.layout) * spec.attention_factor() ** 2
    )
    k, v = (x.repeat_interleave(group, 1) for x in (k, v))
    out = torch.zeros(*q.shape[:3], v.shape[3], dtype=F64)
    for i, m in enumerate(at_q):
        seen = [j for j, n in enumerate(at_k) if n <= m]
        if seen:
            turn = back[[distance(m, at_k[j], chunk, trained) for j in seen]]
            moved = torch.einsum("jxy,bhjy->bhjx", turn, k[:, :, seen, :width])
            moved = torch.cat((moved, k[:, :, seen, width:]), -1)
            weights = torch.einsum("bhx,bhjx->bhj", q[:, :, i], moved / math.sqrt(DIM)).softmax(-1)
            out[:, :, i] = torch.einsum("bhj,bhjy->bhy", weights, v[:, :, seen])
    return out


@pytest.fixture(params=[None, 300], ids=["one block", "small blocks"])
def blocked(request, monkeypatch):
    if request.param is not None:
        monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS", request.param)
        monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS_ELSEWHERE", request.param)
        monkeypatch.setattr(dual_blocks, "_FEWEST_ROWS", 1)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("rope", ROPES)
@pytest.mark.parametrize("sizes", SIZES)
def test_equals_the_definition(sizes, rope, device):
    spec = RotarySpec(DIM, **ROPES[rope])
    q, k, v = made(27, "cpu")
    z = dual_chunk_attention(*(x.to(device) for x in (q, k, v)), RotaryEmbedding(spec), **sized(sizes))
    expected = by_definition(q, k, v, spec, sizes, range(27), range(27))
    torch.testing.assert_close(z.cpu(), expected, rtol=0, atol=1e-13)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize(("first_query", "first_key"), [(0, 0), (13, 4), (4, 13), (3, 20)])
def test_equals_the_definition_wherever_queries_and_keys_begin(first_query, first_key, device):
    """As after a prefix that was dropped, or with queries that come before all keys and so give zeros."""
    q, k, v = made(15, "cpu", keys=11)
    at = [torch.arange(first, first + n) for first, n in ((first_query, 15), (first_key, 11))]
    rope = RotaryEmbedding(DIM)
    expected = by_definition(q, k, v, rope.spec, (9, 3), *(x.tolist() for x in at))
    places = tuple(x.to(device) for x in at)
    inputs = [x.to(device) for x in (q, k, v)]
    z = dual_chunk_attention(*inputs, rope, **sized((9, 3)), position_ids=places)
    torch.testing.assert_close(z.cpu(), expected, rtol=0, atol=1e-13)
    assert (z.cpu()[:, :, at[0] < first_key] == 0).all()


def test_positions_are_those_of_the_paper_and_of_released_code():
    places = dual_chunk_positions(torch.arange(12), chunk_size=9, local_size=3)
    assert places.intra.tolist() == 2 * [0, 1, 2, 3, 4, 5]
    assert places.successive.tolist() == 2 * [6, 7, 8, 9, 9, 9]  # figure 2: s = 6, w = 4, c = 10
    assert places.inter.tolist() == 12 * [9]
    for chunk_size in range(1, 14):
        for local_size in range((chunk_size + 1) // 2):
            size = chunk_size - local_size  # released code: a table, whose last entry serves far keys
            table = (torch.arange(size) + size).clamp(max=chunk_size)
            at = torch.randint(1000, (3, 7))
            intra, successive, inter = dual_chunk_positions(at, **sized((chunk_size, local_size)))
            assert torch.equal(intra, at % size)
            assert torch.equal(successive, table[at % size])
            assert torch.equal(inter, table[size - 1].expand(3, 7))


@pytest.mark.parametrize("chunk_size", range(1, 14))
def test_near_distances_are_true_and_none_is_beyond_the_chunk_size(chunk_size):
    for local_size in range((chunk_size + 1) // 2):
        at = torch.arange(6 * chunk_size + 5)
        size = chunk_size - local_size
        places = dual_chunk_positions(at, **sized((chunk_size, local_size)))
        apart = at[:, None] // size - at // size
        ways = [way[:, None] - places.intra for way in places]
        given = torch.where(apart == 0, ways[0], torch.where(apart == 1, ways[1], ways[2]))
        true = at[:, None] - at
        past = true >= 0
        near, far = past & (true <= local_size + 1), past & (true > local_size + 1)
        assert torch.equal(given[near], true[near])
        assert (given[far] > local_size).all() and (given[past] <= true[past]).all()
        assert given[past].max() == chunk_size
        first = past[: chunk_size + 1]
        assert torch.equal(given[: chunk_size + 1][first], true[: chunk_size + 1][first])
        if local_size < size - 1:  # the next query is the first to see a distance that is not true
            assert not torch.equal(
                given[chunk_size + 1][: chunk_size + 2], true[chunk_size + 1][: chunk_size + 2]
            )


@pytest.mark.parametrize("sizes", SIZES)
def test_is_rotary_attention_up_to_one_token_more_than_the_chunk_size(sizes, device):
    rope = RotaryEmbedding(DIM)
    q, k, v = made(sizes[0] + 2, device)
    usual = attention(q, k, v, rope, causal=True)
    ours = dual_chunk_attention(q, k, v, rope, **sized(sizes))
    torch.testing.assert_close(ours[:, :, :-1], usual[:, :, :-1], rtol=0, atol=1e-14)
    assert not torch.allclose(ours[:, :, -1], usual[:, :, -1], rtol=0, atol=1e-6)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("step", [1, 4])
@pytest.mark.parametrize("room", [None, 32], ids=["growing", "preallocated"])
def test_decoding_from_a_cache_equals_prefill_row_by_row(step, room, device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, v = made(27, device)
    whole = dual_chunk_attention(q, k, v, rope, **sizes)

    def entering(a, b):
        at = torch.arange(a, b, device=device)
        intra = dual_chunk_positions(at, **sizes).intra
        return rope(k[:, :, a:b], k[:, :, a:b], intra)[1], v[:, :, a:b], at

    cache = KVCache(*entering(0, 3))
    cache = cache if room is None else cache.preallocated(room)
    for a in range(3, 27, step):
        keys, values, at = entering(a, a + step)
        cache = cache.extended(keys, values, at)
        places = (at, cache.position_ids)
        row = dual_chunk_attention(
            q[:, :, a : a + step], cache.k, cache.v, rope, **sizes, position_ids=places, keys_turned=True
        )
        torch.testing.assert_close(row, whole[:, :, a : a + step], rtol=0, atol=1e-14)


@pytest.mark.usefixtures("blocked")
def test_tokens_in_any_order_give_what_they_give_in_order(device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, v = made(27, device)
    whole = dual_chunk_attention(q, k, v, rope, **sizes)
    a, b = (torch.randperm(27, device=device) for _ in range(2))
    z = dual_chunk_attention(q[:, :, a], k[:, :, b], v[:, :, b], rope, **sizes, position_ids=(a, b))
    torch.testing.assert_close(z, whole[:, :, a], rtol=0, atol=1e-14)


@pytest.mark.parametrize("consecutive", [True, False])
def test_narrow_integers_are_positions_like_any_others(consecutive, device):
    """A place in the next chunk, 130 + 120, is no int8."""
    rope, sizes = RotaryEmbedding(DIM), sized((150, 20))
    q, k, v = made(4, device)
    at = torch.tensor([124, 125, 126, 127] if consecutive else [3, 127, 80, 126], device=device)
    wide, narrow = (
        dual_chunk_attention(q, k, v, rope, **sizes, position_ids=x) for x in (at, at.to(torch.int8))
    )
    assert torch.equal(wide, narrow)
    wide, narrow = (dual_chunk_positions(x, **sizes) for x in (at, at.to(torch.int8)))
    assert all(x.dtype == torch.int64 and torch.equal(x, y) for x, y in zip(narrow, wide, strict=True))


@pytest.mark.usefixtures("blocked")
def test_left_padding_changes_nothing(device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, v = made(27, device)
    alone = dual_chunk_attention(*(x[1:, :, 5:] for x in (q, k, v)), rope, **sizes)
    shown = torch.ones(2, 27, dtype=torch.bool, device=device)
    shown[1, :5] = False
    padded = dual_chunk_attention(
        q, k, v, rope, **sizes, position_ids=positions_from_mask(shown), mask=shown[:, None, None, :]
    )
    torch.testing.assert_close(padded[1:, :, 5:], alone, rtol=0, atol=1e-14)
    first = dual_chunk_attention(q[:1], k[:1], v[:1], rope, **sizes)
    torch.testing.assert_close(padded[:1], first, rtol=0, atol=1e-14)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("shape", [(27,), (27, 27), (4, 1, 27), (2, 1, 27, 27)])
def test_a_mask_hides_keys_and_a_row_without_any_gives_zeros(shape, device):
    """Scores that are hidden are as if they were −∞; compared through values that show the weights."""
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, _ = made(27, device)
    v = torch.eye(27, dtype=F64, device=device).expand(2, 2, 27, 27)
    mask = torch.rand(shape, device=device) > 0.6
    weights = dual_chunk_attention(q, k, v, rope, **sizes)
    kept = weights * mask
    total = kept.sum(-1, keepdim=True)
    expected = torch.where(total == 0, 0.0, kept / total)
    got = dual_chunk_attention(q, k, v, rope, **sizes, mask=mask)
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-13)
    nothing = dual_chunk_attention(q, k, v, rope, **sizes, mask=torch.zeros_like(mask))
    assert (nothing == 0).all()


def test_heads_that_share_keys_equal_copies_of_the_keys(device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, v = made(20, device, shared=1)
    copies = dual_chunk_attention(q, k.expand(2, 4, 20, DIM), v.expand(2, 4, 20, DIM), rope, **sizes)
    torch.testing.assert_close(dual_chunk_attention(q, k, v, rope, **sizes), copies, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("dtype", "unit"), [(torch.bfloat16, 2**-8), (torch.float16, 2**-11)])
def test_half_precision_is_computed_in_float32_and_rounded_once(dtype, unit, device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    half = made(60, device, dtype)
    exact = dual_chunk_attention(*(x.double() for x in half), rope, **sizes)
    z = dual_chunk_attention(*half, rope, **sizes)
    assert z.dtype == dtype
    torch.testing.assert_close(z.double(), exact, rtol=unit, atol=2e-6)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        assert torch.equal(dual_chunk_attention(*half, rope, **sizes), z)
    single = dual_chunk_attention(*(x.float() for x in half), rope, **sizes)
    assert single.dtype == torch.float32
    torch.testing.assert_close(single.double(), exact, rtol=0, atol=2e-6)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("consecutive", [True, False])
def test_gradients_of_queries_keys_values_and_frequencies(consecutive, device):
    rope = RotaryEmbedding(DIM, learnable=True).to(device)
    q, k, v = (x.requires_grad_() for x in made(13, device, heads=2, shared=1, batch=1))
    at = None if consecutive else torch.arange(13, device=device).expand(1, 13)
    (name, log_factors), *others = rope.named_parameters()
    assert not others

    def function(q, k, v, log_factors):
        class Call(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.rope = rope

            def forward(self, *x):
                return dual_chunk_attention(*x, self.rope, **sized((5, 1)), position_ids=at)

        return functional_call(Call(), {f"rope.{name}": log_factors}, (q, k, v))

    trained = log_factors.detach().double().requires_grad_()
    assert torch.autograd.gradcheck(function, (q, k, v, trained), fast_mode=True)


def test_transforms_compilers_and_export_compute_the_same(device):
    rope, sizes = RotaryEmbedding(DIM), sized((5, 1))
    q, k, v = made(13, device, heads=2)

    class Layer(torch.nn.Module):
        def forward(self, q, k, v):
            return dual_chunk_attention(q, k, v, rope, **sizes)

    layer = Layer()
    expected = layer(q, k, v)
    each = torch.func.vmap(lambda *x: layer(*(t[None] for t in x))[0])(q, k, v)
    torch.testing.assert_close(each, expected, rtol=0, atol=1e-14)
    compiled = torch.compile(layer, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(q, k, v), expected, rtol=0, atol=1e-14)
    length = torch.export.Dim("length", min=2, max=100)
    axis = {2: length}
    program = torch.export.export(layer, (q, k, v), dynamic_shapes={"q": axis, "k": axis, "v": axis})
    longer = made(31, device, heads=2)
    torch.testing.assert_close(program.module()(*longer), layer(*longer), rtol=0, atol=1e-14)


def test_other_arguments(device):
    rope, sizes = RotaryEmbedding(DIM), sized((9, 3))
    q, k, v = made(27, device)
    plain = dual_chunk_attention(q, k, v, rope, **sizes)
    swapped = dual_chunk_attention(*(x.transpose(1, 2) for x in (q, k, v)), rope, **sizes, seq_dim=-3)
    assert torch.equal(swapped, plain.transpose(1, 2))
    doubled = dual_chunk_attention(2 * q, k, v, rope, **sizes)
    scaled = dual_chunk_attention(q, k, v, rope, **sizes, scale=2 / math.sqrt(DIM))
    torch.testing.assert_close(scaled, doubled, rtol=0, atol=1e-14)
    growing = {"factor": 2.0, "original_max_position_embeddings": 8}
    dynamic = RotarySpec(DIM, scaling="dynamic", params=growing)
    told = dual_chunk_attention(q, k, v, RotaryEmbedding(dynamic), **sizes, length=27)
    base = 10000.0 * (2.0 * 27 / 8 - 1) ** (DIM / (DIM - 2))
    same = dual_chunk_attention(q, k, v, RotaryEmbedding(DIM, base=base), **sizes)
    torch.testing.assert_close(told, same, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="length must be given"):
        dual_chunk_attention(q, k, v, RotaryEmbedding(dynamic), **sizes)


def test_nothing_to_attend_from_or_an_empty_batch(device):
    for shape in ((2, 4, 0, DIM), (0, 4, 30, DIM)):
        x = torch.zeros(shape, dtype=F64, device=device, requires_grad=True)
        z = dual_chunk_attention(x, x, x, RotaryEmbedding(DIM), **sized((9, 3)))
        assert z.shape == shape
        z.sum().backward()
        assert x.grad.shape == shape


@pytest.mark.parametrize("consecutive", [True, False])
def test_no_more_than_a_block_of_scores_is_made_at_once(consecutive, monkeypatch):
    from test_attention import largest_made

    length, numbers = 1024, 2**17
    monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS", numbers)
    x = torch.randn(1, 2, length, DIM)
    at = None if consecutive else torch.arange(length).expand(1, length)
    rope = RotaryEmbedding(DIM)
    largest = largest_made(
        lambda: dual_chunk_attention(x, x, x, rope, chunk_size=300, local_size=100, position_ids=at)
    )
    assert largest <= numbers * x.itemsize / (1 if consecutive else 3)  # a 16th of all scores, or less


def test_scores_of_consecutive_tokens_are_computed_once(monkeypatch):
    """Those of a query and its own chunk's later keys too, but no score of a later chunk."""
    counted = []

    def product(q, k):
        counted.append(q.shape[2] * k.shape[3])
        return dual_blocks_product(q, k)

    dual_blocks_product = dual_blocks.product
    monkeypatch.setattr(dual_blocks, "product", product)
    q, k, v = made(64, "cpu")
    dual_chunk_attention(q, k, v, RotaryEmbedding(DIM), chunk_size=19, local_size=3)
    assert sum(counted) == 16 * 16 * (1 + 2 + 3 + 4)


X, ROPE, AT = torch.ones(1, 2, 4, DIM), RotaryEmbedding(DIM), torch.arange(4)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"local_size": 5}, ValueError, "local_size must be less than half of chunk_size = 9, got 5"),
        ({"chunk_size": 6}, ValueError, "local_size must be less than half of chunk_size = 6, got 3"),
        ({"chunk_size": 0}, ValueError, "chunk_size must be at least 1, got 0"),
        ({"chunk_size": 9.0}, TypeError, "chunk_size must be an int, got 9.0"),
        ({"local_size": -1}, ValueError, "local_size must be at least 0, got -1"),
        ({"position_ids": AT - 1}, ValueError, "position_ids must not be negative, got -1"),
        ({"position_ids": (AT, AT - 2)}, ValueError, "position_ids must not be negative, got -2"),
        ({"position_ids": AT.double()}, TypeError, "position_ids must be an integer tensor"),
        ({"position_ids": AT[:3]}, ValueError, "position_ids of the queries must have shape"),
        ({"q": X[:, :, :2]}, ValueError, "position_ids must be given as"),
        ({"rope": ROPE.spec}, TypeError, "rope must be a RotaryEmbedding, got RotarySpec"),
        ({"rope": RotaryEmbedding(4)}, ValueError, "rope is for heads of width 4, but q has width 8"),
        ({"rope": RotaryEmbedding(DIM, sections=(2, 2))}, ValueError, "rope must have one axis"),
        ({"keys_turned": 1}, TypeError, "keys_turned must be True or False, got 1"),
        ({"mask": torch.ones(4, 4)}, TypeError, "mask must be bool"),
        ({"scale": math.inf}, ValueError, "scale must be finite"),
        ({"scale": 1e39}, ValueError, r"scale must lie in ±3\.403e\+38"),
        ({"position_ids": (AT,)}, ValueError, "position_ids must be a tensor or a pair"),
    ],
)
def test_bad_input_is_refused_by_name(change, error, message):
    call = {"q": X, "k": X, "v": X, "rope": ROPE, "chunk_size": 9, "local_size": 3}
    dual_chunk_attention(**call)
    with pytest.raises(error, match=message):
        dual_chunk_attention(**(call | change))
