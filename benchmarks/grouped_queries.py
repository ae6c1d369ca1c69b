"""Attention where several query heads share one of keys: alone, beside a cache, and in a layer.

Run: python benchmarks/grouped_queries.py [--rounds 15] [--short 2048] [--long 8192] [--prefill 512]
"""

from types import SimpleNamespace

import torch
from harness import Case, arguments, compare, one_thread, save, set_memory
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

import posenc_lib as lib

HEADS, SHARED, DIM, CLIP = 32, 8, 128, 64
FLOOR = "torch, enable_gqa"
PEER = "transformers, eager"
LAYER_HEADS, LAYER_SHARED, LAYER_DIM = 16, 4, 64


def encodings() -> dict[str, nn.Module | None]:
    torch.manual_seed(0)
    return {
        "no encoding": None,
        "ALiBi": lib.ALiBi(HEADS),
        "T5": lib.T5Bias(HEADS, bidirectional=False),
        "FIRE": lib.FIRE(HEADS),
        "Shaw, keys and values": lib.RelativeAttention(DIM, CLIP),
        "rotary, all keys turned": lib.RotaryEmbedding(lib.RotarySpec(DIM)),
    }


def made(queries: int, keys: int) -> tuple[Tensor, Tensor, Tensor, tuple[Tensor, Tensor]]:
    torch.manual_seed(0)
    q, (k, v) = torch.randn(1, HEADS, queries, DIM), torch.randn(2, 1, SHARED, keys, DIM)
    return q, k, v, (torch.arange(keys - queries, keys), torch.arange(keys))


def check(queries: int, keys: int) -> None:
    """Every encoding against the dense back end in double, with keys repeated for each head."""
    q, k, v, places = made(queries, keys)
    many = [x.repeat_interleave(HEADS // SHARED, 1).double() for x in (k, v)]
    for name, encoding in encodings().items():
        got = lib.attention(q, k, v, encoding, position_ids=places, causal=True)
        exact = lib.attention(q.double(), *many, encoding, position_ids=places, causal=True, backend="dense")
        torch.testing.assert_close(got.double(), exact, rtol=0, atol=1e-5, msg=name)


def cases(queries: int, keys: int) -> dict[str, Case]:
    q, k, v, places = made(queries, keys)
    causal = queries > 1
    found: dict[str, Case] = {
        FLOOR: lambda: scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True),
        "torch, keys copied for each head": lambda: scaled_dot_product_attention(
            q, *(x.repeat_interleave(HEADS // SHARED, 1) for x in (k, v)), is_causal=causal
        ),
    }
    found |= transformers_eager(q, k, v, causal)
    for name, encoding in encodings().items():
        found[name] = lambda e=encoding: lib.attention(q, k, v, e, position_ids=places, causal=causal)
    if not causal:
        found |= beside_a_cache(q, k, v, places)
        new, tables = k[:, :, -1:].clone(), lib.cos_sin(lib.inv_freq(DIM), places[0])
        found["rotary, the cache holds turned keys"] = lambda: lib.attention(
            lib.apply_rotary_qk(q, new, *tables)[0], k, v
        )
    return found


def transformers_eager(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> dict[str, Case]:
    """The attention of transformers' Llama in its plain form, with its mask made beforehand."""
    try:
        from transformers.models.llama.modeling_llama import eager_attention_forward
    except ImportError as missing:
        print(f"left out: transformers ({missing})")
        return {}
    module = SimpleNamespace(num_key_value_groups=HEADS // SHARED, training=False)
    size = q.shape[2]
    mask = torch.full((size, size), -torch.inf).triu(1)[None, None] if causal else None
    forward = lambda: eager_attention_forward(module, q, k, v, mask, DIM**-0.5)  # noqa: E731
    expected = scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
    torch.testing.assert_close(forward()[0].transpose(1, 2), expected, rtol=0, atol=1e-5)
    return {PEER: forward}


def beside_a_cache(q: Tensor, k: Tensor, v: Tensor, places: tuple[Tensor, Tensor]) -> dict[str, Case]:
    """The newest key and value go into the cache, then the query meets all of them."""
    at, run = places
    held = lib.KVCache(k[:, :, :-1].contiguous(), v[:, :, :-1].contiguous(), run[:-1])
    new = k[:, :, -1:].contiguous(), v[:, :, -1:].contiguous(), at
    expected = lib.attention(q, k, v)

    def step(cache: lib.KVCache) -> Tensor:
        longer = cache.extended(*new)
        return lib.attention(q, longer.k, longer.v, position_ids=(at, longer.position_ids), causal=True)

    found: dict[str, Case] = {}
    for name, cache in (("growing", held), ("preallocated, full", held.preallocated(k.shape[2]))):
        torch.testing.assert_close(step(cache), expected, rtol=0, atol=1e-5)
        found[f"no encoding, beside a cache, {name}"] = lambda cache=cache: step(cache)
    return found


def layers(queries: int, keys: int) -> dict[str, Case]:
    """A rotary layer, tables and projections included: ours, and transformers' with the same weights."""
    from transformers import DynamicCache, LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding

    torch.manual_seed(0)
    width = LAYER_HEADS * LAYER_DIM
    config = LlamaConfig(
        hidden_size=width, num_attention_heads=LAYER_HEADS, num_key_value_heads=LAYER_SHARED,
        attn_implementation="eager"
    )  # fmt: skip
    theirs, turn = LlamaAttention(config, 0).eval(), LlamaRotaryEmbedding(config)
    ours = lib.MultiHeadAttention(
        width, LAYER_HEADS, lib.RotaryEmbedding(LAYER_DIM), bias=False, num_kv_heads=LAYER_SHARED
    ).eval()
    ours.load_state_dict({k.replace("o_proj", "out_proj"): v for k, v in theirs.state_dict().items()})
    x, run = torch.randn(1, keys, width), torch.arange(keys)
    past = keys - queries
    hidden = torch.full((queries, keys), -torch.inf).triu(past + 1)[None, None] if queries > 1 else None
    memory = DynamicCache(config=config)
    if past:
        theirs(x[:, :past], turn(x, run[None, :past]), None, memory)

    def of_transformers() -> Tensor:
        out, _ = theirs(x[:, past:], turn(x, run[None, past:]), hidden, memory if past else None)
        if past:
            memory.crop(-queries)  # the next call finds what this one found
        return out

    def of_ours(cache: lib.KVCache | None) -> Tensor:
        return ours(x[:, past:], position_ids=run[past:], causal=True, cache=cache)

    expected = of_transformers()
    found: dict[str, Case] = {PEER: of_transformers}
    if past:
        _, held = ours(x[:, :past], position_ids=run[:past], causal=True, return_cache=True)
        caches = {"growing": held, "preallocated, full": held.preallocated(keys)}
        for name, cache in caches.items():
            found[f"ours, {name}"] = lambda cache=cache: of_ours(cache)
    else:
        found["ours"] = lambda: of_ours(None)
    for name, case in found.items():
        torch.testing.assert_close(case(), expected, rtol=0, atol=1e-4, msg=name)
    return found


def main() -> None:
    options = arguments(rounds=15, short=2048, long=8192, prefill=512)
    one_thread()
    set_memory("kept")
    check(1, 300)
    check(300, 300)
    rows: list[dict[str, object]] = []
    for queries, keys in ((1, options.short), (1, options.long), (options.prefill, options.prefill)):
        with torch.no_grad():
            times = compare(cases(queries, keys), FLOOR, rounds=options.rounds)
        rows += [
            {"of": "attention", "queries": queries, "keys": keys, "case": n, **t} for n, t in times.items()
        ]
    with torch.no_grad():
        for queries, keys in ((1, options.short), (options.prefill, options.prefill)):
            times = compare(layers(queries, keys), PEER, rounds=options.rounds)
            rows += [
                {"of": "layer", "queries": queries, "keys": keys, "case": n, **t} for n, t in times.items()
            ]
    layer = [LAYER_HEADS, LAYER_SHARED, LAYER_DIM]
    save("grouped_queries", rows, seed=0, heads=HEADS, key_heads=SHARED, dim=DIM, layer=layer)


if __name__ == "__main__":
    main()
