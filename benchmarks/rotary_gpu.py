"""Rotating queries and keys on a GPU: a device copy, ours and peers, in one process, correctness first.

Run: python benchmarks/rotary_gpu.py [--rounds 15] [--heads 32] [--key_heads 8] [--dim 128]
Without a GPU: python benchmarks/rotary_gpu.py --rehearse 1 checks every case on a tiny shape, on the CPU, in
Triton's interpreter; nothing is timed or stored.
"""

import os
import sys
from contextlib import nullcontext
from unittest.mock import patch

import torch
from harness import Case, arguments, compare, save

options = arguments(rounds=15, heads=32, key_heads=8, dim=128, rehearse=0)
if options.rehearse:
    os.environ["TRITON_INTERPRET"] = "1"  # read when a kernel is defined, so before the next line

from fused_rotations import Cases, Rotate, ours, peers, versions  # noqa: E402
from gpu import description, graphed, peak_mib, repeated, seconds  # noqa: E402
from rotary import correct, hugging_face  # noqa: E402
from torch import Tensor  # noqa: E402

from posenc_lib import apply_rotary_qk, cos_sin, inv_freq  # noqa: E402
from posenc_lib.kernels import fused_rotary_qk  # noqa: E402

SHAPES = {"prefill": (8, 4096), "one token": (1, 1), "one token, batch 64": (64, 1)}  # batch, tokens
DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def cases(length: int, dtype: torch.dtype, device: str) -> Cases:
    """Everything that is compared; what is compiled is compiled by torch, for the shape at hand."""
    dim = options.dim
    tables = tuple(t.to(device) for t in cos_sin(inv_freq(dim), torch.arange(length)))
    found = ours(length, dim, device) | peers(length, dim, device)
    plain: Cases = {"Hugging Face": hugging_face(length, dim, dtype, device)}
    for layout in ("half", "interleaved"):
        found[f"ours, {layout}, in place"] = (
            layout,
            lambda q, k, layout=layout: fused_rotary_qk(q, k, *tables, layout=layout, inplace=True),
        )
        plain[f"ours without Triton, {layout}"] = (
            layout,
            lambda q, k, layout=layout: apply_rotary_qk(q, k, *tables, layout=layout),
        )
    if not options.rehearse:
        torch._dynamo.reset()  # one code object serves all layouts, dtypes, shapes and gradient modes
        found |= {
            f"{name}, compiled": (layout, torch.compile(r, fullgraph=True, dynamic=False))
            for name, (layout, r) in plain.items()
        }
    return found | plain


def inputs(batch: int, length: int, dtype: torch.dtype, device: str) -> tuple[Tensor, Tensor]:
    """With the heads after the sequence in memory, as projections leave them."""
    sizes = [(batch, length, n, options.dim) for n in (options.heads, options.key_heads)]
    q, k = (torch.randn(size, device=device).to(dtype).transpose(1, 2) for size in sizes)
    return q, k


def checked(q: Tensor, k: Tensor) -> Cases:
    """The cases that are right; on copies, because some work in place."""
    found = cases(q.shape[2], q.dtype, q.device.type)
    on_copies: Cases = {
        name: (layout, lambda q, k, rotate=rotate: rotate(q.clone(), k.clone()))
        for name, (layout, rotate) in found.items()
    }
    right = correct(q, k, on_copies)
    return {name: case for name, case in found.items() if name in right}


def copy(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    return q.clone(), k.clone()


def gradient_of(rotate: Rotate, q: Tensor, k: Tensor) -> Rotate:
    """Forward and backward, as a function of the inputs."""
    cotangents = torch.randn_like(q), torch.randn_like(k)

    def step(q: Tensor, k: Tensor) -> tuple[Tensor, ...]:
        leaves = q.detach().requires_grad_(), k.detach().requires_grad_()
        return torch.autograd.grad(rotate(*leaves), leaves, cotangents)

    return step


def measure(shape: str, dtype: str) -> list[dict[str, object]]:
    q, k = inputs(*SHAPES[shape], DTYPES[dtype], "cuda")
    found = {"copy": copy} | {name: rotate for name, (_, rotate) in checked(q, k).items()}
    forward = {name: (lambda rotate=rotate: rotate(q, k)) for name, rotate in found.items()}
    passes: dict[str, dict[str, Case]] = {"forward": forward}
    if shape == "prefill":
        trained = {n: gradient_of(r, q, k) for n, r in found.items() if n != "copy" and "in place" not in n}
        both = {"copy": lambda q, k: (*copy(q, k), *copy(q, k))} | trained
        passes["forward+backward"] = {n: (lambda rotate=r: rotate(q, k)) for n, r in both.items()}
    rows = []
    for name, found_cases in passes.items():
        calls = 20 if shape == "prefill" else 200
        rows += [{"pass": name, **row} for row in table(found_cases, q, k, calls)]
    if shape != "prefill":
        replayed = {name: graphed(case, 200) for name, case in forward.items()}
        times = compare(replayed, "copy", rounds=options.rounds, timer=seconds)
        rows += [{"pass": "forward, in a graph", "case": n, **t} for n, t in times.items()]
    return [{"shape": shape, "dtype": dtype, **row} for row in rows]


def table(found: dict[str, Case], q: Tensor, k: Tensor, calls: int) -> list[dict[str, object]]:
    runs = {name: repeated(case, calls) for name, case in found.items()}
    times = compare(runs, "copy", rounds=options.rounds, timer=seconds)
    return [{"case": n, **times[n], "peak_mib": peak_mib(case)} for n, case in found.items()]


def bandwidth() -> float:
    """Of the copy, forward, with the prefill's bytes: read and written, 10¹² a second."""
    q, k = inputs(*SHAPES["prefill"], torch.bfloat16, "cuda")
    times = sorted(seconds(repeated(lambda: copy(q, k), 20)) / 20 for _ in range(options.rounds))
    return round(2 * (q.nbytes + k.nbytes) / times[len(times) // 2] / 1e12, 3)


def rehearse() -> int:
    """Exit status 1 if a case is wrong or fails."""
    q, k = inputs(2, 5, torch.bfloat16, "cpu")
    with patch.object(
        torch.cuda, "device", lambda index: nullcontext()
    ):  # some choose a GPU before they start
        wanted, right = cases(5, q.dtype, "cpu"), checked(q, k)
    print(f"right: {', '.join(right)}")
    return int(set(wanted) != set(right))


def main() -> int:
    torch.manual_seed(0)
    if options.rehearse:
        return rehearse()
    if not torch.cuda.is_available():
        print("no GPU here: nothing measured")
        return 0
    rows = [row for shape in SHAPES for dtype in DTYPES for row in measure(shape, dtype)]
    save(
        "rotary_gpu",
        rows,
        clock="CUDA events around 20 calls, or 200 of one token",
        seed=0,
        **description(),
        copy_tb_per_s=bandwidth(),
        versions=versions(),
        shapes={n: [batch, options.heads, tokens, options.dim] for n, (batch, tokens) in SHAPES.items()},
        key_heads=options.key_heads,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
