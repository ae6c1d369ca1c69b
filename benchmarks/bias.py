"""Attention with a position bias, as a multiple of attention without one.

Run: python benchmarks/bias.py [--rounds 5] [--length 2048] [--long 8192]
"""

import gc
from collections.abc import Callable

import torch
from harness import Case, arguments, compare, one_thread, peak_mib, save, set_memory, training
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib import ALiBi, RelativeAttention, T5Bias, attention, relative_positions

HEADS, DIM, CLIP = 8, 64, 64
Call = Callable[[Tensor, Tensor, Tensor], Tensor]


def whole_bias(bias: T5Bias | ALiBi, causal: bool, length: int) -> Tensor:
    run = torch.arange(length)
    dense = bias.bias(run, run)
    if causal:
        dense = dense.masked_fill(relative_positions(length, length) > 0, float("-inf"))
    return dense.unsqueeze(0)


def shaw_gather(layer: RelativeAttention, causal: bool) -> Call:
    """The usual form: a vector for each pair of positions."""

    def call(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        rows = relative_positions(q.shape[2], k.shape[2], CLIP) + CLIP
        scores = q @ k.transpose(-1, -2) + torch.einsum("bhmd,mnd->bhmn", q, layer.key_table[rows])
        scores = scores / DIM**0.5
        if causal:
            scores = scores.masked_fill(relative_positions(q.shape[2], k.shape[2]) > 0, float("-inf"))
        return scores.softmax(-1) @ v

    return call


def calls(length: int, causal: bool, *, usual: bool) -> dict[str, tuple[torch.nn.Module | None, Call]]:
    """Name → encoding, attention with it; `usual` adds the forms that build matrices."""
    alibi, t5 = ALiBi(HEADS), T5Bias(HEADS, bidirectional=not causal)
    keys, both = RelativeAttention(DIM, CLIP, values=False), RelativeAttention(DIM, CLIP)

    found: dict[str, tuple[torch.nn.Module | None, Call]] = {
        "no bias": (None, lambda q, k, v: scaled_dot_product_attention(q, k, v, is_causal=causal))
    }
    ours = {"ALiBi": alibi, "T5": t5, "Shaw, keys": keys, "Shaw, keys and values": both}
    for name, encoding in ours.items():
        found[name] = encoding, lambda q, k, v, e=encoding: attention(q, k, v, e, causal=causal)
    if usual:
        held = whole_bias(alibi, causal, length)
        for name, matrix in (
            ("ALiBi, matrix built each call", lambda: whole_bias(alibi, causal, length)),
            ("ALiBi, matrix held", lambda: held),
        ):
            found[name] = (
                alibi,
                lambda q, k, v, m=matrix: scaled_dot_product_attention(q, k, v, attn_mask=m()),
            )
    if usual and length <= 1024:
        found["Shaw, keys, a vector for each pair"] = keys, shaw_gather(keys, causal)
    return found


def check(length: int) -> None:
    """Every form against the dense back end in double, before anything is timed."""
    for causal in (False, True):
        torch.manual_seed(0)
        q, k, v = torch.randn(3, 1, HEADS, length, DIM).unbind()
        for name, (encoding, call) in calls(length, causal, usual=True).items():
            exact = [x.double() for x in (q, k, v)]
            reference = attention(*exact, encoding, causal=causal, backend="dense")
            torch.testing.assert_close(call(q, k, v).double(), reference, rtol=0, atol=1e-5, msg=name)


def measure(length: int, causal: bool, rounds: int, *, train: bool, usual: bool) -> list[dict[str, object]]:
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, HEADS, length, DIM).unbind()
    cases: dict[str, Case] = {}
    for name, (_, call) in calls(length, causal, usual=usual).items():
        cases[name] = training(call, q, k, v) if train else lambda call=call: call(q, k, v)
    with torch.set_grad_enabled(train):
        times = compare(cases, "no bias", rounds=rounds)
        memory = {name: peak_mib(case) for name, case in cases.items()}
    gc.collect()
    setting = {"length": length, "causal": causal, "training": train}
    return [{**setting, "case": n, **times[n], "peak_mib": memory[n]} for n in cases]


def main() -> None:
    options = arguments(rounds=5, length=2048, long=8192)
    one_thread()
    set_memory("kept")
    check(512)
    rows: list[dict[str, object]] = []
    for causal in (True, False):
        rows += measure(options.length, causal, options.rounds, train=False, usual=True)
        rows += measure(options.length // 2, causal, options.rounds, train=True, usual=True)
        if options.long:
            rows += measure(options.long, causal, max(options.rounds // 2, 2), train=False, usual=False)
    save("bias", rows, seed=0)


if __name__ == "__main__":
    main()
