"""Decoding beside a cache: a text in pieces is attended to as the whole text is, with every encoding."""

import pytest
import torch
from torch._dynamo.testing import CompileCounter

from posenc_lib import (
    BIASES,
    ALiBi,
    KVCache,
    LearnedEncoding,
    LinearEncoding,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    SinusoidalEncoding,
    T5Bias,
    rerotate,
)
from posenc_lib.encoding import Encoding

WIDTH, HEADS, SHARED, D, LENGTH = 32, 4, 2, 8, 24
YARN = {"factor": 4.0, "original_max_position_embeddings": 8}
LONGROPE = {
    "short_factor": [1.0, 1.0, 1.5, 2.0],
    "long_factor": [1.0, 4.0, 8.0, 16.0],
    "original_max_position_embeddings": 8,
    "attention_factor": 1.2,
}


class TurnsAndAdds(Encoding):
    """An encoding as a reader might write it: it turns queries and keys, and adds to their scores."""

    def __init__(self):
        super().__init__()
        self.rope, self.bias = RotaryEmbedding(D), ALiBi(HEADS)

    def turn(self, q, k, positions, length):
        return self.rope.turn(q, k, positions, length)

    def term(self, q, positions, scale):
        return self.bias.term(q, positions, scale)


ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(D),
    "rotary, interleaved, partial": lambda: RotaryEmbedding(D, layout="interleaved", rotary_dim=4),
    "yarn": lambda: RotaryEmbedding(D, scaling="yarn", params=YARN),
    "dynamic": lambda: RotaryEmbedding(D, scaling="dynamic", params=YARN),
    "longrope": lambda: RotaryEmbedding(D, scaling="longrope", params=LONGROPE),
    "shaw": lambda: RelativeAttention(D, 3),
    "t5 causal": lambda: T5Bias(HEADS, bidirectional=False),
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in BIASES.items()},
    "sinusoidal": lambda: SinusoidalEncoding(WIDTH),
    "learned": lambda: LearnedEncoding(64, WIDTH),
    "linear": lambda: LinearEncoding(WIDTH),
    "turns and adds": TurnsAndAdds,
}
BY_LENGTH = {"dynamic": 32, "longrope": 32}


def made(name, device, backend="sdpa", dtype=torch.float64, **given):
    torch.manual_seed(0)
    layer = MultiHeadAttention(WIDTH, HEADS, ENCODINGS[name](), num_kv_heads=SHARED, backend=backend, **given)
    return layer.to(device, dtype).eval(), BY_LENGTH.get(name)


def tokens(device, batch=2, length=LENGTH, dtype=torch.float64):
    torch.manual_seed(1)
    return torch.randn(batch, length, WIDTH, dtype=dtype, device=device)


def in_pieces(layer, x, places, sizes, length=None, slots=None, mask=None):
    """Outputs of one piece after another, and the cache at the end."""
    outputs, cache, start = [], None, 0
    for size in sizes:
        now = slice(start, start + size)
        given = {"position_ids": places[..., now], "causal": True, "length": length, "return_cache": True}
        if mask is not None:
            given["mask"] = mask[..., : start + size]
        out, cache = layer(x[:, now], cache=cache, **given)
        if start == 0 and slots:
            cache = cache.preallocated(slots)
        outputs.append(out)
        start += size
    return torch.cat(outputs, 1), cache


def rows_apart(device):
    return torch.arange(LENGTH, device=device) + torch.tensor([[0], [5]], device=device)


@pytest.mark.parametrize("slots", [None, LENGTH, LENGTH + 9], ids=["growing", "full", "with room"])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_prefill_and_decode_equal_the_whole_pass(name, backend, slots, device):
    """At once, then several tokens, then one by one; rows that begin elsewhere, too."""
    layer, length = made(name, device, backend)
    x = tokens(device)
    with torch.no_grad():
        for places in (torch.arange(LENGTH, device=device), rows_apart(device)):
            whole = layer(x, position_ids=places, causal=True, length=length)
            pieces, cache = in_pieces(layer, x, places, [9, 5, *[1] * 10], length, slots)
            torch.testing.assert_close(pieces, whole, rtol=0, atol=1e-12)
            assert cache.k.shape == (2, SHARED, slots or LENGTH, D)  # keys are not repeated for their heads
            assert torch.equal(cache.position_ids[..., :LENGTH], places)


@pytest.mark.parametrize("slots", [None, LENGTH + 9], ids=["growing", "with room"])
@pytest.mark.parametrize("name", ["rotary", "alibi"])
def test_flex_reads_a_cache_too(name, slots, device):
    layer, _ = made(name, device, "flex")
    x, places = tokens(device), rows_apart(device)
    with torch.no_grad():
        pieces, _ = in_pieces(layer, x, places, [20, 4], None, slots)
        layer.backend = "dense"
        whole = layer(x, position_ids=places, causal=True)
    torch.testing.assert_close(pieces, whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_decode_step_is_compiled_once(name, device):
    """Ten tokens into a preallocated cache: one graph, without breaks, and the numbers of the whole pass."""
    torch._dynamo.reset()
    layer, length = made(name, device)
    x = tokens(device)
    counter = CompileCounter()

    @torch.compile(fullgraph=True, backend=counter)
    def step(x, place, cache):
        return layer(x, position_ids=place, causal=True, length=length, cache=cache, return_cache=True)

    places = torch.arange(LENGTH, device=device)
    with torch.no_grad():
        whole = layer(x, causal=True, length=length)
        _, cache = in_pieces(layer, x, places, [LENGTH - 10], length, slots=32)
        for at in range(LENGTH - 10, LENGTH):
            out, cache = step(x[:, at : at + 1], places[at : at + 1], cache)
            torch.testing.assert_close(out, whole[:, at : at + 1], rtol=0, atol=1e-12)
    assert counter.frame_count == 1


@pytest.mark.parametrize("name", ["rotary", "alibi", "fire"])
def test_generated_code_writes_into_the_cache(name, device):
    """With the compiler that everybody uses, in bfloat16: numbers of eager mode, in the tensors given."""
    torch._dynamo.reset()
    layer, _ = made(name, device, dtype=torch.bfloat16)
    x, places = tokens(device, dtype=torch.bfloat16), torch.arange(LENGTH, device=device)
    step = torch.compile(
        lambda x, at, cache: layer(x, position_ids=at, causal=True, cache=cache, return_cache=True),
        fullgraph=True,
    )
    with torch.no_grad():
        _, first = in_pieces(layer, x, places, [LENGTH - 3], slots=LENGTH)
        cache, kept = first, first.k.data_ptr()
        whole = layer(x, causal=True)
        for at in range(LENGTH - 3, LENGTH):
            out, cache = step(x[:, at : at + 1], places[at : at + 1], cache)
            # roundings of numbers below 1 in bfloat16, of scores, weights and output
            torch.testing.assert_close(out, whole[:, at : at + 1], rtol=0, atol=2**-7)
        if device.type == "cpu":  # elsewhere an assertion on the device, which ends the process
            with pytest.raises(RuntimeError, match="out of bounds"):
                step(x[:, :1], places[:1], cache)
    assert cache.k.data_ptr() == kept
    assert int(cache.used) == LENGTH and int(first.used) == LENGTH - 3


@pytest.mark.parametrize("name", ENCODINGS)
def test_gradients_flow_through_a_growing_cache(name, device):
    layer, length = made(name, device)
    x = tokens(device).requires_grad_()
    places = torch.arange(LENGTH, device=device)
    whole = layer(x, causal=True, length=length)
    pieces, _ = in_pieces(layer, x, places, [10, 8, 6], length)
    wanted, cotangent = [x, *layer.parameters()], torch.randn_like(whole)
    got, expected = (torch.autograd.grad(y, wanted, cotangent) for y in (pieces, whole))
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-11)


def test_left_padding_is_a_mask_and_an_offset(device):
    """The second row begins after four tokens of padding: it equals the row alone."""
    layer, _ = made("rotary", device, qk_norm=True)
    x = tokens(device)
    places = torch.arange(LENGTH, device=device) - torch.tensor([[0], [4]], device=device)
    mask = (places >= 0)[:, None, None, :]
    with torch.no_grad():
        pieces, _ = in_pieces(layer, x, places, [9, *[1] * 15], mask=mask)
        alone = layer(x[1:, 4:], causal=True)
    torch.testing.assert_close(pieces[1:, 4:], alone, rtol=0, atol=1e-13)


def test_the_newest_tokens_alone_are_a_sliding_window(device):
    window = 6
    layer, _ = made("rotary", device)
    x, places = tokens(device), torch.arange(LENGTH, device=device)
    near = places[:, None] - places < window
    with torch.no_grad():
        whole = layer(x, causal=True, mask=near)
        _, cache = layer(x[:, :1], position_ids=places[:1], causal=True, return_cache=True)
        for at in range(1, LENGTH):
            keep = slice(max(at - window + 1, 0), None) if at < window else slice(-window + 1, None)
            cache = KVCache(cache.k[:, :, keep], cache.v[:, :, keep], cache.position_ids[keep])
            out, cache = layer(
                x[:, at : at + 1],
                position_ids=places[at : at + 1],
                causal=True,
                cache=cache,
                return_cache=True,
            )
            torch.testing.assert_close(out, whole[:, at : at + 1], rtol=0, atol=1e-13)
    assert cache.k.shape[2] == window


@pytest.mark.parametrize("name", ["rotary", "rotary, interleaved, partial", "yarn"])
def test_after_eviction_keys_are_turned_to_where_they_stand_now(name, device):
    """Four first tokens and the newest stay, and close up: as if the rest had never been there."""
    layer, _ = made(name, device)
    x, places = tokens(device), torch.arange(LENGTH, device=device)
    keep = torch.tensor([0, 1, 2, 3, *range(15, LENGTH - 1)], device=device)
    now = torch.arange(len(keep) + 1, device=device)
    spec = layer.encoding.spec
    with torch.no_grad():
        _, cache = in_pieces(layer, x, places, [LENGTH - 1])
        k, v = cache.k[:, :, keep], cache.v[:, :, keep]
        moved = rerotate(k, now[:-1] - keep, spec.inv_freq(), layout=spec.layout)
        outputs = [
            layer(x[:, -1:], position_ids=now[-1:], causal=True, cache=KVCache(keys, v, now[:-1]))
            for keys in (moved, k)
        ]
        expected = layer(x[:, [*keep.tolist(), LENGTH - 1]], causal=True)[:, -1:]
    torch.testing.assert_close(outputs[0], expected, rtol=0, atol=1e-13)
    assert (outputs[1] - expected).abs().max() > 1e-3  # what the comparison can see


def test_a_prefix_is_used_again_at_another_place(device):
    layer, _ = made("rotary", device)
    x, places = tokens(device), torch.arange(LENGTH, device=device)
    with torch.no_grad():
        _, cache = in_pieces(layer, x, places[:9], [9])
        moved = cache._replace(
            k=rerotate(cache.k, 50, layer.encoding.spec.inv_freq()), position_ids=places[:9] + 50
        )
        out = layer(x[:, 9:], position_ids=places[9:] + 50, causal=True, cache=moved)
        expected = layer(x, position_ids=places + 50, causal=True)[:, 9:]
    torch.testing.assert_close(out, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", BY_LENGTH)
def test_keys_are_turned_for_one_length(name, device):
    """Going on with another one is refused; turned for it they serve."""
    layer, long = made(name, device)
    spec, x = layer.encoding.spec, tokens(device)
    places = torch.arange(LENGTH, device=device)
    given = {"position_ids": places[6:], "causal": True, "length": long}
    with torch.no_grad():
        _, cache = in_pieces(layer, x, places, [6])
        with pytest.raises(
            ValueError, match="length must be None, for which the keys in the cache were turn"
        ):
            layer(x[:, 6:], cache=cache, **given)
        factor = spec.attention_factor(long) / spec.attention_factor()
        difference = spec.inv_freq(long) - spec.inv_freq()
        k = rerotate(cache.k, places[:6], difference, attention_factor=factor)
        out = layer(x[:, 6:], cache=cache._replace(k=k, length=long), **given)
        torch.testing.assert_close(out, layer(x, causal=True, length=long)[:, 6:], rtol=0, atol=1e-13)
        with pytest.raises(ValueError, match="length must be given"):
            layer(x[:, 6:], position_ids=places[6:], causal=True, cache=cache)


def test_drafted_tokens_are_taken_back(device):
    """From an older tuple one goes on as if the newer tokens had never been written into its slots."""
    layer, _ = made("rotary", device)
    x, places = tokens(device), torch.arange(LENGTH, device=device)
    with torch.no_grad():
        _, before = in_pieces(layer, x, places, [10], slots=LENGTH)
        draft = torch.randn_like(x[:, 10:14])
        layer(draft, position_ids=places[10:14], causal=True, cache=before)
        out = layer(x[:, 20:21], position_ids=places[20:21], causal=True, cache=before)
        held = [*range(10), 20]
        expected = layer(x[:, held], position_ids=places[held], causal=True)[:, -1:]
    torch.testing.assert_close(out, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("slots", [None, LENGTH], ids=["growing", "preallocated"])
def test_rows_that_were_alike_go_on_apart_and_the_other_way_round(slots, device):
    layer, _ = made("rotary", device)
    x, alike = tokens(device), torch.arange(LENGTH, device=device)
    apart = alike + torch.tensor([[0], [3]], device=device)
    with torch.no_grad():
        for first, then in ((alike, apart), (apart, alike + 3)):
            _, cache = in_pieces(layer, x, first, [10], slots=slots)
            out = layer(x[:, 10:14], position_ids=then[..., 10:14], causal=True, cache=cache)
            places = torch.cat(
                [t.expand(2, -1)[:, n] for t, n in ((first, slice(10)), (then, slice(10, 14)))], 1
            )
            expected = layer(x[:, :14], position_ids=places, causal=True)[:, 10:]
            torch.testing.assert_close(out, expected, rtol=0, atol=1e-13)


def test_a_growing_cache_leaves_the_one_before_as_it_is(device):
    """Its first tensors are no views of what the caller has."""
    layer, _ = made("none", device)
    x, place = tokens(device), torch.zeros(1, dtype=torch.long, device=device)
    _, first = layer(x[:, :1], position_ids=place, causal=True, return_cache=True)
    place += 7
    kept = [t.clone() for t in first[:3]]
    _, second = layer(x[:, 1:2], position_ids=place, causal=True, cache=first, return_cache=True)
    assert all(torch.equal(a, b) for a, b in zip(first[:3], kept, strict=True))
    assert second.position_ids.tolist() == [0, 7]


def test_tables_serve_beside_a_cache(device):
    layer, _ = made("rotary", device)
    x, places = tokens(device), torch.arange(LENGTH, device=device)
    with torch.no_grad():
        whole, cache = layer(x, causal=True), None
        for now in (slice(0, 20), slice(20, 21), slice(21, 24)):
            tables = layer.encoding.tables(places[now], dtype=torch.float64)
            out, cache = layer(
                x[:, now],
                position_ids=places[now],
                causal=True,
                tables=tables,
                cache=cache,
                return_cache=True,
            )
            torch.testing.assert_close(out, whole[:, now], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["none", "rotary", "alibi", "t5", "kerple_log"])
def test_a_decode_step_makes_nothing_as_large_as_a_preallocated_cache(name):
    from test_attention import largest_made

    torch.manual_seed(0)
    encoding = {"rotary": lambda: RotaryEmbedding(64)}.get(name, ENCODINGS[name])()
    layer = MultiHeadAttention(256, HEADS, encoding, num_kv_heads=1).eval()
    x = torch.randn(1, 1, 256)
    with torch.no_grad():
        _, cache = layer(x, position_ids=torch.arange(1), causal=True, return_cache=True)
        cache = cache.preallocated(4096)
        given = {"position_ids": torch.arange(1, 2), "causal": True, "cache": cache}
        assert largest_made(lambda: layer(x, **given)) < cache.k.nbytes


ROPE = MultiHeadAttention(16, 2, RotaryEmbedding(8)).eval()
ON_AXES = MultiHeadAttention(16, 2, RotaryEmbedding(8, sections=(2, 1, 1)))
X, AT = torch.ones(1, 4, 16), torch.arange(4)
CACHE = ROPE(X, position_ids=AT, causal=True, return_cache=True)[1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ROPE(X, position_ids=AT, cache=CACHE), ValueError, "causal must be True with a cache"),
        (
            lambda: ROPE(X, causal=True, cache=CACHE),
            ValueError,
            "position_ids must be given with a cache",
        ),
        (
            lambda: ROPE(X, position_ids=(AT, AT), causal=True, cache=CACHE),
            TypeError,
            "position_ids must be a torch.Tensor, got tuple",
        ),
        (
            lambda: ROPE(X, position_ids=AT.float(), causal=True, cache=CACHE),
            TypeError,
            "position_ids must be an integer tensor",
        ),
        (
            lambda: ROPE(X, position_ids=AT[:3], causal=True, cache=CACHE),
            ValueError,
            "position_ids of the qu",
        ),
        (
            lambda: ROPE(X, X.clone(), position_ids=AT, causal=True, cache=CACHE),
            ValueError,
            "a cache is for attention of x to itself",
        ),
        (
            lambda: ROPE(X, position_ids=AT, causal=True, cache=CACHE[:2]),
            TypeError,
            "cache must be a KVCache, as return_cache=True gives it",
        ),
        (
            lambda: ROPE(X.repeat(2, 1, 1), position_ids=AT, causal=True, cache=CACHE),
            ValueError,
            r"k must have shape \[1, 2, L, 8\], got \[2, 2, 4, 8\]",
        ),
        (
            lambda: ROPE.double()(X.double(), position_ids=AT, causal=True, cache=CACHE),
            TypeError,
            r"k has dtype torch.float64 but the cache has torch.float32",
        ),
        (
            lambda: ROPE.float()(X, position_ids=AT, causal=True, cache=CACHE, mask=torch.ones(4, 4).bool()),
            ValueError,
            r"mask must broadcast to \[1, 2, 4, 8\], got \[4, 4\]",
        ),
        (
            lambda: ON_AXES(X, position_ids=AT.expand(3, 1, -1), causal=True, return_cache=True),
            ValueError,
            "a cache, which keeps one position a token",
        ),
        (
            lambda: ROPE.float()(X, position_ids=AT, causal=True, cache=CACHE.preallocated(9)),
            ValueError,
            r"a preallocated cache is written in place, without gradients: use torch.no_grad\(\)",
        ),
        (lambda: CACHE.preallocated(3), ValueError, "size must be at least 4, got 3"),
        (lambda: CACHE.preallocated(10**12), ValueError, r"size asks for 1.6e\+13 numbers, .*1000000000000"),
        (lambda: CACHE.preallocated(2**62), ValueError, "size asks for"),
        (
            lambda: KVCache(1, 2, 3).extended(CACHE.k, CACHE.v, AT),
            TypeError,
            "cache.k must be a torch.Tensor",
        ),
        (lambda: KVCache(1, 2, 3).preallocated(9), TypeError, "cache.k must be a torch.Tensor, got int"),
        (
            lambda: ROPE(X, position_ids=AT, causal=True, cache=CACHE._replace(v=None)),
            TypeError,
            "cache.v must be a torch.Tensor, got NoneType",
        ),
        (
            lambda: ROPE(X, position_ids=AT, causal=True, cache=CACHE._replace(k=CACHE.k[0])),
            ValueError,
            r"cache.k and cache.v must have shape .* got \[2, 4, 8\] and \[1, 2, 4, 8\]",
        ),
        (
            lambda: ROPE(X, position_ids=AT, causal=True, cache=CACHE._replace(position_ids=[0, 1])),
            TypeError,
            "cache.position_ids must be a torch.Tensor, got list",
        ),
        (
            lambda: ROPE(X, position_ids=AT, causal=True, cache=CACHE._replace(used=4)),
            TypeError,
            "cache.used must be a torch.Tensor, got int",
        ),
    ],
)
def test_what_does_not_fit_a_cache_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_more_tokens_than_slots_are_refused():
    cache = CACHE.preallocated(6)
    with torch.no_grad():
        _, cache = ROPE.float()(X[:, :2], position_ids=AT[:2], causal=True, cache=cache, return_cache=True)
        with pytest.raises(ValueError, match="the cache has 6 slots, 6 of them used, got 1 more tokens"):
            ROPE(X[:, :1], position_ids=AT[:1], causal=True, cache=cache)


@torch.no_grad()
def test_a_mask_over_the_filled_slots_alone_is_told_that_all_count():
    fixed, step = CACHE.preallocated(9), X[:, :1]
    given = {"position_ids": torch.tensor([4]), "causal": True, "cache": fixed}
    with pytest.raises(ValueError, match=r"to \[1, 2, 1, 9\] \(all slots of the cache\), got \[1, 1, 1, 5\]"):
        ROPE.float()(step, mask=torch.ones(1, 1, 1, 5).bool(), **given)


def test_a_cache_says_how_full_it_is_and_prints_no_numbers():
    assert repr(CACHE) == "KVCache(4 tokens, batch 1, 2 heads, keys 8, values 8)"
    assert repr(CACHE.preallocated(9)) == "KVCache(4 of 9 slots used, batch 1, 2 heads, keys 8, values 8)"
    assert repr(CACHE._replace(length=64)).endswith("values 8, length 64)")


@pytest.mark.parametrize("which", [0, 1], ids=["k", "v"])
def test_a_preallocated_cache_refuses_gradients_of_keys_or_of_values(which):
    held = torch.randn(2, 1, 2, 3, 4)
    cache = KVCache(*held, torch.arange(3)).preallocated(6)
    given = [x.clone().requires_grad_(i == which) for i, x in enumerate(held[:, :, :, :1])]
    with pytest.raises(ValueError, match="without gradients"):
        cache.extended(*given, torch.tensor([3]))


def test_narrow_positions_are_written_into_slots_of_wide_ones():
    held = torch.randn(2, 1, 2, 3, 4)
    cache = KVCache(*held, torch.arange(3)).preallocated(6)
    longer = cache.extended(*held[:, :, :, :1], torch.tensor([3], dtype=torch.int32))
    assert longer.position_ids.dtype == torch.int64 and longer.position_ids[:4].tolist() == [0, 1, 2, 3]
