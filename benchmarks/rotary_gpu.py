"""Rotating queries and keys on a GPU: a device copy, ours and peers, in one process, correctness first.

Run: python benchmarks/rotary_gpu.py [--rounds 9] [--heads 32] [--key_heads 8] [--dim 128]
Without a GPU: python benchmarks/rotary_gpu.py --rehearse 1 checks every case on a tiny shape, on the CPU, in
Triton's interpreter; nothing is timed or stored.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from unittest.mock import patch

import torch
from harness import arguments, compare, save

options = arguments(rounds=9, heads=32, key_heads=8, dim=128, rehearse=0)
if options.rehearse:
    os.environ["TRITON_INTERPRET"] = "1"  # read when a kernel is defined, so before the next line

from fused_rotations import Cases, Rotate, ours, peers, versions  # noqa: E402
from rotary import correct, hugging_face  # noqa: E402
from torch import Tensor  # noqa: E402

from posenc_lib import apply_rotary_qk, cos_sin, inv_freq  # noqa: E402
from posenc_lib.kernels import fused_rotary_qk  # noqa: E402

SHAPES = {
    "decode": (8, 1),
    "training": (4, 4096),
    "long": (1, 32768),
}  # batch, tokens; q and k from 160 MiB on
CALLS = 20  # between two readings of the clock


def clock() -> float:
    torch.cuda.synchronize()
    return time.perf_counter()


def cases(length: int, dim: int, device: str) -> Cases:
    """Everything that is compared; what is compiled is compiled by torch, for the shape at hand."""
    tables = tuple(t.to(device) for t in cos_sin(inv_freq(dim), torch.arange(length)))
    found = ours(length, dim, device) | peers(length, dim, device)
    plain: Cases = {"Hugging Face": hugging_face(length, dim, torch.bfloat16, device)}
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
        found |= {f"{name}, compiled": (layout, torch.compile(r)) for name, (layout, r) in plain.items()}
    return found | plain


def inputs(batch: int, length: int, device: str) -> tuple[Tensor, Tensor]:
    """With the heads after the sequence in memory, as projections leave them."""
    sizes = [(batch, length, n, options.dim) for n in (options.heads, options.key_heads)]
    q, k = (torch.randn(size, device=device).bfloat16().transpose(1, 2) for size in sizes)
    return q, k


def checked(q: Tensor, k: Tensor) -> Cases:
    """The cases that are right; on copies, because some work in place."""
    found = cases(q.shape[2], options.dim, q.device.type)
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


def measure(shape: str) -> list[dict[str, object]]:
    q, k = inputs(*SHAPES[shape], "cuda")
    found = {name: rotate for name, (_, rotate) in checked(q, k).items()}
    rows = table(q, k, {"copy": copy} | found)
    trained = {n: gradient_of(r, q, k) for n, r in found.items() if "in place" not in n}
    both = {"copy": lambda q, k: (*copy(q, k), *copy(q, k))} | trained
    rows = [{"pass": "forward", **row} for row in rows]
    rows += [{"pass": "forward+backward", **row} for row in table(q, k, both)]
    return [{"shape": shape, **row} for row in rows]


def table(q: Tensor, k: Tensor, found: dict[str, Rotate]) -> list[dict[str, object]]:
    def calls(rotate: Rotate) -> Callable[[], None]:
        def run() -> None:
            for _ in range(CALLS):
                rotate(q, k)

        return run

    times = compare({n: calls(r) for n, r in found.items()}, "copy", rounds=options.rounds, clock=clock)
    return [{"case": n, **times[n], "peak_mib": peak_mib(r, q, k)} for n, r in found.items()]


def peak_mib(rotate: Rotate, q: Tensor, k: Tensor) -> float:
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    rotate(q, k)
    return round((torch.cuda.max_memory_allocated() - before) / 2**20, 1)


def rehearse() -> int:
    """Exit status 1 if a case is wrong or fails."""
    q, k = inputs(2, 5, "cpu")
    with patch.object(
        torch.cuda, "device", lambda index: nullcontext()
    ):  # some choose a GPU before they start
        wanted, right = cases(5, options.dim, "cpu"), checked(q, k)
    print(f"right: {', '.join(right)}")
    return int(set(wanted) != set(right))


def main() -> int:
    torch.manual_seed(0)
    if options.rehearse:
        return rehearse()
    if not torch.cuda.is_available():
        print("no GPU here: nothing measured")
        return 0
    rows = [row for shape in SHAPES for row in measure(shape)]
    save("rotary_gpu", rows, clock=f"wall clock around {CALLS} calls, synchronised", versions=versions())
    return 0


if __name__ == "__main__":
    sys.exit(main())
