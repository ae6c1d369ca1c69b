"""Attention where several query heads share one of keys, as a multiple of torch's own with `enable_gqa`.

Run: python benchmarks/grouped_queries.py [--rounds 15] [--short 2048] [--long 8192] [--prefill 512]
"""

from __future__ import annotations

import torch
from harness import Case, arguments, compare, one_thread, save, set_memory
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib import (
    FIRE,
    ALiBi,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    T5Bias,
    apply_rotary_qk,
    attention,
    cos_sin,
    inv_freq,
)

HEADS, SHARED, DIM, CLIP = 32, 8, 128, 64
FLOOR = "torch, enable_gqa"


def encodings() -> dict[str, nn.Module | None]:
    torch.manual_seed(0)
    return {
        "no encoding": None,
        "ALiBi": ALiBi(HEADS),
        "T5": T5Bias(HEADS, bidirectional=False),
        "FIRE": FIRE(HEADS),
        "Shaw, keys and values": RelativeAttention(DIM, CLIP),
        "rotary, all keys turned": RotaryEmbedding(RotarySpec(DIM)),
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
        got = attention(q, k, v, encoding, position_ids=places, causal=True)
        exact = attention(q.double(), *many, encoding, position_ids=places, causal=True, backend="dense")
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
    for name, encoding in encodings().items():
        found[name] = lambda e=encoding: attention(q, k, v, e, position_ids=places, causal=causal)
    if not causal:
        new, tables = k[:, :, -1:].clone(), cos_sin(inv_freq(DIM), places[0])
        found["rotary, the cache holds turned keys"] = lambda: attention(
            apply_rotary_qk(q, new, *tables)[0], k, v
        )
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
        rows += [{"queries": queries, "keys": keys, "case": n, **t} for n, t in times.items()]
    save("grouped_queries", rows, seed=0, heads=HEADS, key_heads=SHARED, dim=DIM)


if __name__ == "__main__":
    main()
