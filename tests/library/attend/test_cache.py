"""Decoding beside a cache: a text in pieces is attended to as the whole text is, with every encoding."""

import pytest
import torch
from pairs import BY_LENGTH, DIM, ENCODINGS, EVERY, F64, HEADS, close, largest_made, made, slopes
from torch._dynamo.testing import CompileCounter

from posenc_lib import ALiBi, KVCache, MultiHeadAttention, RelativeAttention, RotaryEmbedding, rerotate
from posenc_lib.attend import groups
from posenc_lib.encoding import Encoding

WIDTH, SHARED, LENGTH = HEADS * DIM, 2, 24


class TurnsAndAdds(Encoding):
    """An encoding as a reader might write it: it turns queries and keys, and adds to their scores."""

    def __init__(self):
        super().__init__()
        self.rope, self.bias = RotaryEmbedding(DIM), ALiBi(HEADS)

    def turn(self, q, k, positions, length):
        return self.rope.turn(q, k, positions, length)

    def term(self, q, positions, scale):
        return self.bias.term(q, positions, scale)


NAMES = [*EVERY, "turns and adds"]


def layer_of(name, device, backend="sdpa", dtype=F64, **given):
    """A layer, and what its calls are told besides."""
    encoding = TurnsAndAdds() if name == "turns and adds" else made(name)
    torch.manual_seed(0)
    layer = MultiHeadAttention(WIDTH, HEADS, encoding, num_kv_heads=SHARED, backend=backend, **given)
    return layer.to(device, dtype).eval(), {"causal": True} | ({"length": 32} if name in BY_LENGTH else {})


def text(device, dtype=F64):
    """Tokens of two rows, and their positions."""
    torch.manual_seed(1)
    return torch.randn(2, LENGTH, WIDTH, dtype=dtype, device=device), torch.arange(LENGTH, device=device)


def in_pieces(layer, x, places, sizes, given, slots=None, mask=None):
    """Outputs of one piece after another, and the cache at the end."""
    outputs, cache, start = [], None, 0
    for size in sizes:
        now, told = slice(start, start + size), dict(given)
        if mask is not None:
            told["mask"] = mask[..., : slots if start and slots else start + size]
        out, cache = layer(x[:, now], position_ids=places[..., now], cache=cache, return_cache=True, **told)
        cache = cache.preallocated(slots) if start == 0 and slots else cache
        outputs.append(out)
        start += size
    return torch.cat(outputs, 1), cache


ROOM = {"growing": None, "full": LENGTH, "with room": LENGTH + 9}
WAYS = [(name, backend) for name in NAMES for backend in ("sdpa", "dense")]
WAYS += [("alibi", "flex")]  # which is slow where it is not compiled
# Of encodings that decode by the same code one; what turns and adds: test_generated_code_writes…
DECODED = ["dynamic", "shaw", "fire"]


@pytest.mark.parametrize(("name", "backend"), WAYS)
@torch.no_grad()
def test_prefill_and_decode_equal_the_whole_pass(name, backend, device):
    """At once, then several tokens, then one by one; rows that begin elsewhere, too."""
    (layer, given), (x, run) = layer_of(name, device), text(device)
    apart = run + torch.tensor([[0], [5]], device=device)
    for places in (apart,) if backend == "flex" else (run, apart):
        layer.backend = "dense" if backend == "flex" else backend
        whole, layer.backend = layer(x, position_ids=places, **given), backend
        for slots in [ROOM["with room"]] if backend == "flex" else ROOM.values():
            pieces, cache = in_pieces(layer, x, places, [9, 13, 1, 1], given, slots)
            close(pieces, whole, 1e-12)
            assert cache.k.shape == (2, SHARED, slots or LENGTH, DIM)  # keys are not repeated for their heads
            assert torch.equal(cache.position_ids[..., :LENGTH], places)


@pytest.mark.parametrize("name", DECODED)
def test_a_decode_step_is_compiled_once(name, device, fresh_compiler):
    """Ten tokens into a preallocated cache: one graph, without breaks, and the numbers of the whole pass."""
    (layer, given), (x, places), counter = layer_of(name, device), text(device), CompileCounter()

    @torch.compile(fullgraph=True, backend=counter)
    def step(x, place, cache):
        return layer(x, position_ids=place, cache=cache, return_cache=True, **given)

    with torch.no_grad():
        whole = layer(x, **given)
        _, cache = in_pieces(layer, x, places, [LENGTH - 10], given, slots=32)
        for at in range(LENGTH - 10, LENGTH):
            out, cache = step(x[:, at : at + 1], places[at : at + 1], cache)
            close(out, whole[:, at : at + 1], 1e-12)
    assert counter.frame_count == 1


def test_generated_code_writes_into_the_cache(device, fresh_compiler):
    """With the compiler that everybody uses, in bfloat16: numbers of eager mode, in the tensors given."""
    layer, given = layer_of("turns and adds", device, dtype=torch.bfloat16)
    x, places = text(device, torch.bfloat16)

    @torch.compile(fullgraph=True)
    def step(x, at, cache):
        return layer(x, position_ids=at, cache=cache, return_cache=True, **given)

    with torch.no_grad():
        _, first = in_pieces(layer, x, places, [LENGTH - 3], given, slots=LENGTH)
        cache, whole = first, layer(x, **given)
        for at in range(LENGTH - 3, LENGTH):
            out, cache = step(x[:, at : at + 1], places[at : at + 1], cache)
            # roundings of numbers below 1 in bfloat16, of scores, weights and output
            torch.testing.assert_close(out, whole[:, at : at + 1], rtol=0, atol=2**-7)
        if device.type == "cpu":  # elsewhere an assertion on the device, which ends the process
            with pytest.raises(RuntimeError, match="out of bounds"):
                step(x[:, :1], places[:1], cache)
    assert cache.k.data_ptr() == first.k.data_ptr()
    assert int(cache.used) == LENGTH and int(first.used) == LENGTH - 3


@pytest.mark.parametrize("name", NAMES)
def test_gradients_flow_through_a_growing_cache(name, device):
    (layer, given), (x, places) = layer_of(name, device), text(device)
    wanted = [x.requires_grad_(), *layer.parameters()]
    pieces, _ = in_pieces(layer, x, places, [10, 8, 6], given)
    for got, expected in zip(slopes(pieces, wanted), slopes(layer(x, **given), wanted), strict=True):
        close(got, expected, 1e-11 * max(1.0, float(expected.abs().max())))  # some are near 600


@pytest.mark.parametrize("room", ROOM)
@torch.no_grad()
def test_left_padding_is_a_mask_and_an_offset(room, device):
    """The second row begins after four tokens of padding: it equals the row alone."""
    (layer, given), (x, run) = layer_of("rotary", device, qk_norm=True), text(device)
    places = run - torch.tensor([[0], [4]], device=device)
    mask = torch.nn.functional.pad(places >= 0, (0, (ROOM[room] or LENGTH) - LENGTH))[:, None, None, :]
    pieces, _ = in_pieces(layer, x, places, [9, *[1] * 15], given, ROOM[room], mask)
    close(pieces[1:, 4:], layer(x[1:, 4:], **given), 1e-13)


@pytest.mark.parametrize("name", ["rotary", "rotary, interleaved, partial", "yarn"])
@torch.no_grad()
def test_after_eviction_keys_are_turned_to_where_they_stand_now(name, device):
    """Four first tokens and the newest stay, and close up: as if the rest had never been there."""
    (layer, given), (x, places) = layer_of(name, device), text(device)
    kept = torch.tensor([0, 1, 2, 3, *range(15, LENGTH - 1)], device=device)
    now, spec = torch.arange(len(kept) + 1, device=device), layer.encoding.spec
    _, cache = in_pieces(layer, x, places, [LENGTH - 1], given)
    k, v = cache.k[:, :, kept], cache.v[:, :, kept]
    moved = rerotate(k, now[:-1] - kept, spec.inv_freq(), layout=spec.layout)
    closed_up = layer(x[:, -1:], position_ids=now[-1:], cache=KVCache(moved, v, now[:-1]), **given)
    close(closed_up, layer(x[:, [*kept.tolist(), LENGTH - 1]], **given)[:, -1:], 1e-13)


@pytest.mark.parametrize("name", BY_LENGTH)
@torch.no_grad()
def test_keys_are_turned_for_one_length(name, device):
    """Going on with another one is refused; turned for it they serve."""
    (layer, given), (x, places) = layer_of(name, device), text(device)
    spec, long = layer.encoding.spec, given["length"]
    _, cache = in_pieces(layer, x, places, [6], {"causal": True})
    rest = {"position_ids": places[6:]}
    with pytest.raises(ValueError, match="length must be None, for which the keys in the cache were turn"):
        layer(x[:, 6:], cache=cache, **rest, **given)
    factor = spec.attention_factor(long) / spec.attention_factor()
    k = rerotate(cache.k, places[:6], spec.inv_freq(long) - spec.inv_freq(), attention_factor=factor)
    out = layer(x[:, 6:], cache=cache._replace(k=k, length=long), **rest, **given)
    close(out, layer(x, **given)[:, 6:], 1e-13)
    with pytest.raises(ValueError, match="length must be given"):
        layer(x[:, 6:], causal=True, cache=cache, **rest)


@torch.no_grad()
def test_drafted_tokens_are_taken_back(device):
    """From an older tuple one goes on as if the newer tokens had never been written into its slots."""
    (layer, given), (x, places) = layer_of("rotary", device), text(device)
    _, before = in_pieces(layer, x, places, [10], given, slots=LENGTH)
    layer(torch.randn_like(x[:, 10:14]), position_ids=places[10:14], cache=before, **given)
    out = layer(x[:, 20:21], position_ids=places[20:21], cache=before, **given)
    held = [*range(10), 20]
    close(out, layer(x[:, held], position_ids=places[held], **given)[:, -1:], 1e-13)


@pytest.mark.parametrize("slots", [None, LENGTH], ids=["growing", "preallocated"])
@torch.no_grad()
def test_rows_that_were_alike_go_on_apart_and_the_other_way_round(slots, device):
    (layer, given), (x, alike) = layer_of("rotary", device), text(device)
    apart = alike + torch.tensor([[0], [3]], device=device)
    for first, then in ((alike, apart), (apart, alike + 3)):
        _, cache = in_pieces(layer, x, first, [10], given, slots=slots)
        out = layer(x[:, 10:14], position_ids=then[..., 10:14], cache=cache, **given)
        places = torch.cat((first.expand(2, -1)[:, :10], then.expand(2, -1)[:, 10:14]), 1)
        close(out, layer(x[:, :14], position_ids=places, **given)[:, 10:], 1e-13)


def test_a_growing_cache_leaves_the_one_before_as_it_is(device):
    """Its first tensors are no views of what the caller has."""
    (layer, given), (x, _) = layer_of("none", device), text(device)
    place = torch.zeros(1, dtype=torch.long, device=device)
    _, first = layer(x[:, :1], position_ids=place, return_cache=True, **given)
    place += 7
    kept = [t.clone() for t in first[:3]]
    _, second = layer(x[:, 1:2], position_ids=place, cache=first, return_cache=True, **given)
    assert all(torch.equal(a, b) for a, b in zip(first[:3], kept, strict=True))
    assert second.position_ids.tolist() == [0, 7]


@pytest.mark.parametrize("tokens", [1, 3])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
@torch.no_grad()
def test_decoding_makes_nothing_as_large_as_a_preallocated_cache(name, backend, tokens):
    """Nor a copy of its keys for each of the four heads that share them."""
    if tokens > 1 and not groups._CPU_KERNELS_SHARE:
        pytest.skip("this torch has no CPU kernel for grouped heads and several queries")
    wide = {"rotary": RotaryEmbedding(128), "shaw": RelativeAttention(128, 3)}
    wide |= {"yarn": RotaryEmbedding(128), "rotary, interleaved, partial": RotaryEmbedding(128, rotary_dim=4)}
    wide["shaw keys"] = RelativeAttention(128, 3, values=False)
    encoding = wide.get(name) or ENCODINGS[name]()
    layer = MultiHeadAttention(512, HEADS, encoding, num_kv_heads=1, backend=backend).eval()
    x, at = torch.randn(1, tokens, 512), torch.arange(tokens)
    _, cache = layer(x, position_ids=at, causal=True, return_cache=True)
    given = {"position_ids": at + tokens, "causal": True, "cache": cache.preallocated(512)}
    assert largest_made(lambda: layer(x, **given)) < given["cache"].k.nbytes


def held(tokens=4):
    return KVCache(torch.ones(1, 2, tokens, DIM), torch.ones(1, 2, tokens, DIM), torch.arange(tokens))


@torch.no_grad()
def test_a_mask_over_the_filled_slots_alone_is_told_that_all_count():
    layer = MultiHeadAttention(16, 2, RotaryEmbedding(DIM))
    given = {"position_ids": torch.tensor([4]), "causal": True, "cache": held().preallocated(9)}
    with pytest.raises(ValueError, match=r"to \[1, 2, 1, 9\] \(all slots of the cache\), got \[1, 1, 1, 5\]"):
        layer(torch.ones(1, 1, 16), mask=torch.ones(1, 1, 1, 5).bool(), **given)


def test_a_cache_says_how_full_it_is_and_prints_no_numbers():
    assert repr(held()) == "KVCache(4 tokens, batch 1, 2 heads, keys 8, values 8)"
    assert repr(held().preallocated(9)) == "KVCache(4 of 9 slots used, batch 1, 2 heads, keys 8, values 8)"
    assert repr(held()._replace(length=64)).endswith("values 8, length 64)")


@pytest.mark.parametrize("slots", [None, 9])
def test_tokens_may_come_with_their_heads_behind_them(slots):
    """[batch, length, heads, dim], as projections leave them."""
    new, at = torch.randn(1, 3, 2, DIM), torch.arange(4, 7)
    cache = held().preallocated(slots) if slots else held()
    theirs = cache.extended(new, 2 * new, at, seq_dim=-3)
    ours = cache.extended(new.transpose(1, 2), 2 * new.transpose(1, 2), at)
    assert all(torch.equal(a, b) for a, b in zip(ours[:3], theirs[:3], strict=True))


def test_narrow_positions_are_written_into_slots_of_wide_ones():
    new = torch.ones(1, 2, 1, DIM)
    longer = held().preallocated(6).extended(new, new, torch.tensor([4], dtype=torch.int32))
    assert longer.position_ids.dtype == torch.int64 and longer.position_ids[:5].tolist() == [0, 1, 2, 3, 4]
