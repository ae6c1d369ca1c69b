"""Attention with a position bias on a GPU, as a multiple of torch's own without; also one token of decoding.

Run: python benchmarks/attention_gpu.py [--rounds 5] [--heads 16] [--dim 128]
"""

import sys
import time
from collections.abc import Callable, Iterator

import torch
from gpu import description, graphed, peak_mib, repeated, seconds
from harness import Case, arguments, compare, save, training
from torch import Tensor, nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention

from posenc_lib import ALiBi, T5Bias, attention

Call = Callable[[Tensor, Tensor, Tensor], Tensor]
Row = dict[str, object]
LENGTHS, KEYS, BATCH, GROUP = (4096, 16384), (4096, 16384), 8, 4
WHOLE = 4096  # the longest text for the reference, which holds float32 numbers for each pair of positions
FLOOR = "no encoding"
STARTED = time.monotonic()
left_out: dict[str, str] = {}  # what torch could not do, or did wrongly, and its words
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
        found[f"{name}, ours"] = lambda q, k, v, b=bias: attention(q, k, v, b, causal=True)
        found[f"{name}, ours, compiled"] = compiled(found[f"{name}, ours"])
        if length <= WHOLE:
            found[f"{name}, ours, dense"] = lambda q, k, v, b=bias: attention(
                q, k, v, b, causal=True, backend="dense"
            )
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
        found[f"{name}, ours, dense"] = lambda q, k, v, b=bias: attention(
            q, k, v, b, position_ids=at, backend="dense"
        )
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


def right(calls: dict[str, Call], q: Tensor, k: Tensor, v: Tensor) -> dict[str, Call]:
    """Those that agree with the dense back end in double; bfloat16 is coarse, a wrong bias is further off."""
    of = {FLOOR: None, **encodings()}
    queries, keys = q.shape[2], k.shape[2]
    some = torch.linspace(0, queries - 1, min(queries, 64), device="cuda").long()
    exact = q[:, :, some].double(), k.double(), v.double()
    at = some + keys - queries, torch.arange(keys, device="cuda")
    found = {}
    for name, call in calls.items():
        if not works(f"{name}, {queries} of {keys}", lambda call=call: call(q, k, v)):
            continue
        encoding = of[name.split(",")[0]]
        true = attention(*exact, encoding, position_ids=at, causal=True, backend="dense")
        error = float((call(q, k, v)[:, :, some].double() - true).norm() / true.norm())
        print(f"{time.monotonic() - STARTED:.0f} s, {name}: relative error {error:.1e}")
        if error < 1e-2:
            found[name] = call
        else:
            left_out[f"{name}, {queries} of {keys}"] = f"wrong by {error:.2g}"
    return found


def works(name: str, case: Case) -> bool:
    """Whether torch can do it on this GPU; if not, its words are stored."""
    try:
        case()
    except RuntimeError as error:  # of the compiler, of memory
        left_out[name] = str(error).splitlines()[0]
        return False
    return True


def table(cases: dict[str, Case], calls: int, **where: object) -> list[Row]:
    at = ", ".join(map(str, where.values()))
    cases = {name: case for name, case in cases.items() if works(f"{name}, {at}", case)}
    runs = {name: repeated(case, calls) for name, case in cases.items()}
    ratios = compare(runs, FLOOR, rounds=options.rounds, timer=seconds)
    print(f"{time.monotonic() - STARTED:.0f} s, {at}: done")
    return [{**where, "case": n, **ratios[n], "peak_mib": peak_mib(case)} for n, case in cases.items()]


def replayed(cases: dict[str, Case], calls: int, **where: object) -> list[Row]:
    """The same in a graph, without the host; what looks at the numbers in positions cannot be recorded."""
    graphs: dict[str, Case] = {}
    for name, case in cases.items():
        if name not in ("ALiBi, ours", "T5, ours"):
            works(f"{name}, in a graph", lambda n=name, c=case: graphs.update({n: graphed(c, calls)}))
    ratios = compare(graphs, FLOOR, rounds=options.rounds, timer=seconds)
    return [{**where, "pass": "forward, in a graph", "case": n, **ratios[n]} for n in graphs]


def whole(length: int, train: bool) -> list[Row]:
    torch._dynamo.reset()
    torch.cuda.empty_cache()
    q, k, v = made(1, length, length, options.heads)
    calls = text(length)
    where = {"setting": "text", "length": length, "pass": "forward+backward" if train else "forward"}
    if train:
        return table({n: training(c, q, k, v) for n, c in calls.items()}, 1, **where)
    with torch.no_grad():
        calls = right(calls, q, k, v)
        return table({n: (lambda c=c: c(q, k, v)) for n, c in calls.items()}, 3, **where)


@torch.no_grad()
def step(keys: int) -> list[Row]:
    torch._dynamo.reset()
    torch.cuda.empty_cache()
    q, k, v = made(BATCH, 1, keys, options.heads // GROUP)
    calls = right(token(keys), q, k, v)
    cases: dict[str, Case] = {n: (lambda c=c: c(q, k, v)) for n, c in calls.items()}
    where = {"setting": "one token", "length": keys}
    return table(cases, 20, **where, **{"pass": "forward"}) + replayed(cases, 20, **where)


def blocks() -> Iterator[list[Row]]:
    """What was measured, a shape at a time; training last, since gradients take longest to compile."""
    for length in LENGTHS:
        yield whole(length, train=False)
    for keys in KEYS:
        yield step(keys)
    yield whole(LENGTHS[0], train=True)


def store(measured: list[Row]) -> None:
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


def main() -> int:
    torch.manual_seed(0)
    torch._dynamo.config.recompile_limit = 64  # one code object serves several encodings
    if not torch.cuda.is_available():
        print("no GPU here: nothing measured")
        return 0
    measured: list[Row] = []
    for block in blocks():
        measured += block
        store(measured)  # each time: compiling takes minutes, and may be cut short
    return 0


if __name__ == "__main__":
    sys.exit(main())
