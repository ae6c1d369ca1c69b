"""Dual chunk attention: equals its definition by distances; near keys are exact; decoding equals prefill."""

import math

import pytest
import torch
from pairs import BY_LENGTH, DIM, F64, by_pairs, close, inputs, largest_made
from torch.func import functional_call

import posenc_lib as lib
from posenc_lib.attend.dual import blocks as dual_blocks

# chunks of 6 with a window of 4, as in the paper's figure 2; of 4; of one token; and a first that is alone
SIZES = [(9, 3), (5, 1), (1, 0), (7, 0), (40, 15)]
ROPES = {
    "half": {},
    "interleaved": {"layout": "interleaved"},
    "partial": {"rotary_dim": 4},
    "factor": {"scaling": "yarn", "params": {"factor": 8.0, "original_max_position_embeddings": 64}},
}


def sized(sizes):
    return dict(zip(("chunk_size", "local_size"), sizes, strict=True))


def distance(m, n, chunk, trained):
    """The paper's matrix of distances for chunks of s and a model trained on c positions, one entry."""
    window = trained - chunk
    successive = [min(chunk + i, trained - 1) if i < window else trained - 1 for i in range(chunk)]
    apart = m // chunk - n // chunk
    query = m % chunk if apart == 0 else successive[m % chunk] if apart == 1 else trained - 1
    return query - n % chunk


def by_definition(qkv, rope, sizes, **given):
    """In doubles: each pair's key is moved by a whole matrix."""

    def apart(m, n):
        rows = zip(m.tolist(), n.tolist(), strict=True)
        far = [[[distance(i, j, sizes[0] - sizes[1], sizes[0] + 1) for j in k] for i in q] for q, k in rows]
        return -torch.tensor(far, device=m.device)

    return by_pairs(*qkv, rope, causal=True, distance=apart, **given)


@pytest.fixture(params=[None, 300], ids=["one block", "small blocks"])
def blocked(request, monkeypatch):
    if request.param is not None:
        monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS", request.param)
        monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS_ELSEWHERE", request.param)
        monkeypatch.setattr(dual_blocks, "_FEWEST_ROWS", 1)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("rope", ROPES)
@pytest.mark.parametrize("sizes", SIZES)
@torch.no_grad()
def test_equals_the_definition(sizes, rope, device):
    qkv, rope = inputs(27, shared=2, device=device), lib.RotaryEmbedding(DIM, **ROPES[rope])
    close(lib.dual_chunk_attention(*qkv, rope, **sized(sizes)), by_definition(qkv, rope, sizes), 1e-13)


MIXED = [4, 9, 0, 13, 2, 7, 11, 1, 14, 5, 3, 12, 8, 6, 10]
PADDED = [0, 0, 0, *range(12)]
# positions of 15 queries and of 11 keys, one row for both of a batch or one for each
PLACES = {
    "both from 0 on": (range(15), range(11)),
    "keys begin earlier": (range(13, 28), range(4, 15)),
    "after a prefix that was dropped": (range(4, 19), range(13, 24)),
    "queries before all keys": (range(3, 18), range(20, 31)),
    "in any order": (MIXED, MIXED[:11]),
    "a row each": ([*map(list, (range(15), PADDED))], [*map(list, (range(11), PADDED[:11]))]),
}


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("mask", [None, (11,), (15, 11), (4, 1, 11), (2, 1, 15, 11), (2, 1, 1, 11)], ids=str)
@pytest.mark.parametrize("where", PLACES)
@torch.no_grad()
def test_equals_the_definition_wherever_queries_and_keys_stand(where, mask, device):
    """Left padding, parts of a text, and queries that see no key, which give zeros."""
    qkv, rope = inputs(15, 11, shared=2, device=device), lib.RotaryEmbedding(DIM)
    given = {"position_ids": tuple(torch.tensor(list(x), device=device) for x in PLACES[where])}
    if mask is not None:
        given["mask"] = torch.rand(mask, device=device) > 0.6
    z = lib.dual_chunk_attention(*qkv, rope, **given, **sized((9, 3)))
    close(z, by_definition(qkv, rope, (9, 3), **given), 1e-13)


def test_positions_are_those_of_the_paper_and_of_released_code():
    places = lib.dual_chunk_positions(torch.arange(12), chunk_size=9, local_size=3)
    assert places.intra.tolist() == 2 * [0, 1, 2, 3, 4, 5]
    assert places.successive.tolist() == 2 * [6, 7, 8, 9, 9, 9]  # figure 2: s = 6, w = 4, c = 10
    assert places.inter.tolist() == 12 * [9]
    for sizes in ((c, w) for c in range(1, 14) for w in range((c + 1) // 2)):
        size, at = sizes[0] - sizes[1], torch.randint(1000, (3, 7))
        # released code: its last entry is for far keys
        table = (torch.arange(size) + size).clamp(max=sizes[0])
        expected = at % size, table[at % size], table[size - 1].expand(3, 7)
        assert all(map(torch.equal, lib.dual_chunk_positions(at, **sized(sizes)), expected))


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("step", [1, 4])
@pytest.mark.parametrize("room", [None, 32], ids=["growing", "preallocated"])
@torch.no_grad()
def test_decoding_from_a_cache_equals_prefill_row_by_row(step, room, device):
    rope, sizes, (q, k, v) = lib.RotaryEmbedding(DIM), sized((9, 3)), inputs(27, shared=2, device=device)
    whole = lib.dual_chunk_attention(q, k, v, rope, **sizes)

    def entering(a, b):
        at = torch.arange(a, b, device=device)
        intra = lib.dual_chunk_positions(at, **sizes).intra
        return rope(k[:, :, a:b], k[:, :, a:b], intra)[1], v[:, :, a:b], at

    cache = lib.KVCache(*entering(0, 3))
    cache = cache if room is None else cache.preallocated(room)
    for a in range(3, 27, step):
        keys, values, at = entering(a, a + step)
        cache = cache.extended(keys, values, at)
        given = {"position_ids": (at, cache.position_ids), "keys_turned": True, **sizes}
        row = lib.dual_chunk_attention(q[:, :, a : a + step], cache.k, cache.v, rope, **given)
        close(row, whole[:, :, a : a + step], 1e-14)


@pytest.mark.parametrize("consecutive", [True, False])
@torch.no_grad()
def test_narrow_integers_are_positions_like_any_others(consecutive, device):
    """A place in the next chunk, 130 + 120, is no int8."""
    sizes, rope, qkv = sized((150, 20)), lib.RotaryEmbedding(DIM), inputs(4, device=device)
    at = torch.tensor([124, 125, 126, 127] if consecutive else [3, 127, 80, 126], device=device)
    both = at, at.to(torch.int8)
    assert torch.equal(*(lib.dual_chunk_attention(*qkv, rope, **sizes, position_ids=x) for x in both))
    wide, narrow = (lib.dual_chunk_positions(x, **sizes) for x in both)
    assert all(x.dtype == torch.int64 and torch.equal(x, y) for x, y in zip(narrow, wide, strict=True))


@pytest.mark.parametrize(("dtype", "unit"), [(torch.bfloat16, 2**-8), (torch.float16, 2**-11)])
@torch.no_grad()
def test_half_precision_is_computed_in_float32_and_rounded_once(dtype, unit, device):
    half = inputs(60, shared=2, device=device, dtype=dtype)

    def attended(*qkv):
        return lib.dual_chunk_attention(*qkv, lib.RotaryEmbedding(DIM), **sized((9, 3)))

    exact, z, single = (attended(*(x.to(wide) for x in half)) for wide in (F64, dtype, torch.float32))
    assert z.dtype == dtype and single.dtype == torch.float32
    torch.testing.assert_close(z.double(), exact, rtol=unit, atol=2e-6)
    torch.testing.assert_close(single.double(), exact, rtol=0, atol=2e-6)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        assert torch.equal(attended(*half), z)


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("consecutive", [True, False])
def test_gradients_of_queries_keys_values_and_frequencies(consecutive, device):
    holder = torch.nn.Module()
    holder.rope = lib.RotaryEmbedding(DIM, learnable=True).to(device)
    at = None if consecutive else torch.arange(13, device=device).expand(1, 13)
    holder.forward = lambda *x: lib.dual_chunk_attention(*x, holder.rope, **sized((5, 1)), position_ids=at)
    ((name, log_factors),) = holder.named_parameters()
    given = [*inputs(13, shared=1, device=device, batch=1), log_factors.detach().double().requires_grad_()]
    assert torch.autograd.gradcheck(
        lambda *x: functional_call(holder, {name: x[3]}, x[:3]), given, fast_mode=True
    )


@torch.no_grad()
def test_transforms_and_export_compute_the_same(device):
    rope, qkv = lib.RotaryEmbedding(DIM), [x.detach() for x in inputs(13, device=device)]

    class Layer(torch.nn.Module):
        def forward(self, q, k, v):
            return lib.dual_chunk_attention(q, k, v, rope, **sized((5, 1)))

    layer = Layer()
    close(torch.func.vmap(lambda *x: layer(*(t[None] for t in x))[0])(*qkv), layer(*qkv), 1e-14)
    axis = {2: torch.export.Dim("length", min=2, max=100)}
    program = torch.export.export(layer, tuple(qkv), dynamic_shapes={"q": axis, "k": axis, "v": axis})
    longer = inputs(31, device=device)
    close(program.module()(*longer), layer(*longer), 1e-14)


@torch.no_grad()
def test_other_arguments(device):
    rope, sizes, (q, k, v) = lib.RotaryEmbedding(DIM), sized((9, 3)), inputs(27, shared=2, device=device)
    plain = lib.dual_chunk_attention(q, k, v, rope, **sizes)
    swapped = lib.dual_chunk_attention(*(x.transpose(1, 2) for x in (q, k, v)), rope, **sizes, seq_dim=-3)
    assert torch.equal(swapped, plain.transpose(1, 2))
    scaled = lib.dual_chunk_attention(q, k, v, rope, **sizes, scale=2 / math.sqrt(DIM))
    close(scaled, lib.dual_chunk_attention(2 * q, k, v, rope, **sizes), 1e-14)
    dynamic = BY_LENGTH["dynamic"]()
    told = lib.dual_chunk_attention(q, k, v, dynamic, **sizes, length=27)
    close(told, by_definition((q, k, v), dynamic, (9, 3), length=27), 1e-12)


def test_nothing_to_attend_from_or_an_empty_batch(device):
    for shape in ((2, 4, 0, DIM), (0, 4, 30, DIM)):
        x = torch.zeros(shape, dtype=F64, device=device, requires_grad=True)
        z = lib.dual_chunk_attention(x, x, x, lib.RotaryEmbedding(DIM), **sized((9, 3)))
        z.sum().backward()
        assert z.shape == x.grad.shape == shape


@pytest.mark.parametrize("consecutive", [True, False])
def test_no_more_than_a_block_of_scores_is_made_at_once(consecutive, monkeypatch):
    length, numbers = 1024, 2**17
    monkeypatch.setattr(dual_blocks, "_BLOCK_NUMBERS", numbers)
    x, given = torch.randn(1, 2, length, DIM), sized((300, 100))
    if not consecutive:
        given["position_ids"] = torch.arange(length).expand(1, length)
    largest = largest_made(lambda: lib.dual_chunk_attention(x, x, x, lib.RotaryEmbedding(DIM), **given))
    assert largest <= numbers * x.itemsize / (1 if consecutive else 3)  # a 16th of all scores, or less
