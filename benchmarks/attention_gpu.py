"""Attention with a position bias on a GPU, as a multiple of torch's own without; also one token of decoding.

Run: python benchmarks/attention_gpu.py [--rounds 5] [--heads 16] [--dim 128]
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import torch
from gpu import description, peak_mib, repeated, seconds
from harness import Case, arguments, compare, save
from torch import Tensor, nn
from torch._inductor.exc import InductorError
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib import ALiBi, T5Bias, attention

Call = Callable[[Tensor, Tensor, Tensor], Tensor]
LENGTHS, KEYS, BATCH, GROUP = (4096, 16384), (4096, 16384), 8, 4
WHOLE = 4096  # the longest text for what holds a float32 number for each pair of positions
FLOOR = "no encoding"
left_out: dict[str, str] = {}  # what torch could not compile
options = arguments(rounds=5, heads=16, dim=128)


def encodings() -> dict[str, nn.Module]:
    torch.manual_seed(0)
    made = {"ALiBi": ALiBi(options.heads), "T5": T5Bias(options.heads, bidirectional=False)}
    nn.init.normal_(made["T5"].weight)  # as large as learned ones, so that the check would see a wrong bucket
    return {name: encoding.cuda() for name, encoding in made.items()}


def compiled(call: Call) -> Call:
    return torch.compile(call, fullgraph=True, dynamic=False)


def matrix(bias: ALiBi | T5Bias, queries: int, keys: int) -> Tensor:
    """What torch's attention is usually given, ``[1, heads, queries, keys]``, in the dtype of q."""
    distance = torch.arange(1 - keys, queries, device="cuda")
    numbers = bias.of_distance(distance).masked_fill(distance > 0, float("-inf")).bfloat16()
    return numbers.unfold(-1, keys, 1).flip(1).unsqueeze(0)  # the first window is that of the last query


def text(length: int) -> dict[str, Call]:
    """A whole text, causal."""
    seen = create_block_mask(lambda b, h, m, n: m >= n, None, None, length, length, device="cuda")
    found: dict[str, Call] = {
        FLOOR: lambda q, k, v: scaled_dot_product_attention(q, k, v, is_causal=True),
        "no encoding, flex, compiled": compiled(lambda q, k, v: flex_attention(q, k, v, block_mask=seen)),
    }
    for name, bias in encodings().items():
        found[f"{name}, ours, flex, compiled"] = compiled(
            lambda q, k, v, b=bias: attention(q, k, v, b, causal=True, backend="flex")
        )
        held = matrix(bias, length, length).detach()
        found[f"{name}, matrix held"] = lambda q, k, v, held=held: scaled_dot_product_attention(
            q, k, v, attn_mask=held
        )
        found[f"{name}, matrix built each call"] = lambda q, k, v, b=bias: scaled_dot_product_attention(
            q, k, v, attn_mask=matrix(b, length, length)
        )
        if length <= WHOLE:
            found[f"{name}, ours"] = lambda q, k, v, b=bias: attention(q, k, v, b, causal=True)
    return found


def token(keys: int) -> dict[str, Call]:
    """One token that attends to a cache, several heads of queries for each of keys."""
    at = torch.arange(keys - 1, keys, device="cuda"), torch.arange(keys, device="cuda")
    found: dict[str, Call] = {
        FLOOR: lambda q, k, v: scaled_dot_product_attention(q, k, v, enable_gqa=True),
        "no encoding, ours": lambda q, k, v: attention(q, k, v),
        "no encoding, keys copied for each head": lambda q, k, v: scaled_dot_product_attention(
            q, *(x.repeat_interleave(GROUP, 1) for x in (k, v))
        ),
    }
    for name, bias in encodings().items():
        held = matrix(bias, 1, keys).detach()
        found[f"{name}, ours"] = lambda q, k, v, b=bias: attention(q, k, v, b, position_ids=at)
        found[f"{name}, ours, flex, compiled"] = compiled(
            lambda q, k, v, b=bias: attention(q, k, v, b, position_ids=at, backend="flex")
        )
        found[f"{name}, row held"] = lambda q, k, v, held=held: scaled_dot_product_attention(
            q, k, v, attn_mask=held, enable_gqa=True
        )
    return found


def made(batch: int, queries: int, keys: int, shared: int) -> tuple[Tensor, Tensor, Tensor]:
    sizes = (options.heads, queries), (shared, keys), (shared, keys)
    q, k, v = (torch.randn(batch, *size, options.dim, device="cuda").bfloat16() for size in sizes)
    return q, k, v


def check(calls: dict[str, Call], q: Tensor, k: Tensor, v: Tensor) -> None:
    """Every form against the dense back end in double: bfloat16 is coarse, a wrong bias is not that near."""
    of = {FLOOR: None, **encodings()}
    exact = [x.double() for x in (q, k, v)]
    queries, keys = q.shape[2], k.shape[2]
    at = torch.arange(keys - queries, keys, device="cuda"), torch.arange(keys, device="cuda")
    for name, call in calls.items():
        encoding = of[name.split(",")[0]]
        true = attention(*exact, encoding, position_ids=at, causal=True, backend="dense")
        got = call(q, k, v).double()
        error = float(((got - true).norm() / true.norm()).detach())
        if not error < 1e-2:
            raise AssertionError(f"{name} is wrong by {error:.2g}")
        print(f"{name}: relative error {error:.1e}")


def training(call: Call, q: Tensor, k: Tensor, v: Tensor) -> Case:
    """Gradients of q, k, v, and of what the encoding learns, which a matrix that is held leaves out."""
    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    cotangent = torch.randn_like(q)
    return lambda: call(*leaves).backward(cotangent)


def works(name: str, case: Case) -> bool:
    """Whether torch compiles it for this GPU."""
    try:
        case()
    except InductorError as error:
        left_out[name] = str(error).splitlines()[0]
        return False
    return True


def table(
    calls: dict[str, Call], q: Tensor, k: Tensor, v: Tensor, times: int, train: bool = False
) -> list[dict[str, object]]:
    found: dict[str, Case] = {
        n: training(c, q, k, v) if train else (lambda c=c: c(q, k, v)) for n, c in calls.items()
    }
    with torch.set_grad_enabled(train):
        found = {n: case for n, case in found.items() if works(n, case)}
        runs = {n: repeated(case, times) for n, case in found.items()}
        ratios = compare(runs, FLOOR, rounds=options.rounds, timer=seconds)
        memory = {n: peak_mib(case) for n, case in found.items()}
    return [{"case": n, **ratios[n], "peak_mib": memory[n]} for n in found]


def rows() -> list[dict[str, object]]:
    """About four minutes, most of them compiling."""
    found = []
    for length in LENGTHS:
        torch._dynamo.reset()
        q, k, v = made(1, length, length, options.heads)
        calls = text(length)
        if length <= WHOLE:
            with torch.no_grad():
                check(calls, q, k, v)
        setting = {"setting": "text", "length": length}
        found += [{**setting, "pass": "forward", **row} for row in table(calls, q, k, v, 3)]
        if length <= WHOLE:
            trained = table(calls, q, k, v, 1, train=True)
            found += [{**setting, "pass": "forward+backward", **row} for row in trained]
        del calls
        torch.cuda.empty_cache()
    for keys in KEYS:
        torch._dynamo.reset()
        q, k, v = made(BATCH, 1, keys, options.heads // GROUP)
        calls = token(keys)
        if keys <= WHOLE:
            with torch.no_grad():
                check(calls, q, k, v)
        setting = {"setting": "one token", "length": keys, "pass": "forward"}
        found += [{**setting, **row} for row in table(calls, q, k, v, 20)]
    return found


def main() -> int:
    torch.manual_seed(0)
    torch._dynamo.config.recompile_limit = 64  # one code object serves several encodings
    if not torch.cuda.is_available():
        print("no GPU here: nothing measured")
        return 0
    measured = rows()
    save(
        "attention_gpu",
        measured,
        left_out=left_out,
        clock="CUDA events around 3 calls, one in training, 20 of one token",
        seed=0,
        **description(),
        heads=options.heads,
        key_heads=options.heads // GROUP,
        dim=options.dim,
        batch={"text": 1, "one token": BATCH},
        dtype="bfloat16",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
