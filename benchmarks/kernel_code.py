"""What the fused rotations become on a GPU, read from machine code. No GPU is needed, and nothing is timed.

A kernel can run at the speed of memory only if starting its instructions takes less time than moving its
bytes: `issue_share`, the one as a share of the other, must be well below 1. And it must store no byte twice.

Run: python benchmarks/kernel_code.py [--length 2048] [--heads 32] [--key_heads 8] [--dim 128]
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple
from unittest.mock import patch

import torch
from fused_rotations import ours, peers, versions
from harness import arguments, save
from machine_code import THREADS, bits, compile_only, executed, registers

from posenc_lib.kernels import _triton


class Gpu(NamedTuple):
    capability: int
    processors: int
    gigahertz: float
    gigabytes_per_second: float


# From NVIDIA's data sheets of the SXM boards with 80 GB. A processor starts up to 4 instructions a cycle.
GPUS = {"A100": Gpu(80, 108, 1.41, 2039), "H100": Gpu(90, 132, 1.98, 3350)}
HEADS_A_PROGRAM = 4  # the one loop of our kernel; the others have none


def measure(gpu: str, case: str, call: Callable[[], object], floor: int) -> dict[str, object]:
    """One row: `floor` is the bytes of q and k, once."""
    machine = GPUS[gpu]
    anywhere = patch.object(_triton, "check_place")  # tensors are on the CPU, and nothing is launched
    with compile_only(machine.capability) as launches, anywhere:
        call()
    counts: Counter[str] = Counter()
    for launch in launches:
        warps = launch.programs * launch.kernel.metadata.num_warps
        path = executed(launch.kernel, HEADS_A_PROGRAM)
        counts += Counter({name: times * warps for name, times in path.items()})

    def moved(kind: str) -> int:
        return sum(n * bits(name) // 8 * THREADS for name, n in counts.items() if name.startswith(kind))

    slots = machine.processors * 4 * machine.gigahertz  # a nanosecond
    code = [launch.kernel.asm["ptx"] for launch in launches]
    return {
        "gpu": gpu,
        "case": case,
        "launches": len(launches),
        "registers": max(registers(launch.kernel) for launch in launches),
        "float64": sum(text.count(".f64") for text in code),
        "spills": sum(n for name, n in counts.items() if name.startswith(("LDL", "STL"))),
        "narrowest": min(bits(name) for name in counts if name.startswith("STG")) // 8,
        "loaded": round(moved("LDG") / floor, 3),
        "stored": round(moved("STG") / floor, 3),
        "issue_share": round(counts.total() / slots / (2 * floor / machine.gigabytes_per_second), 3),
    }


def rows(
    length: int, heads: int, key_heads: int, dim: int, *, others: bool = True
) -> list[dict[str, object]]:
    """All cases on all GPUs, for bfloat16 with the heads after the sequence, as projections leave them."""
    q, k = (torch.zeros(1, length, n, dim, dtype=torch.bfloat16).transpose(1, 2) for n in (heads, key_heads))
    floor = q.nbytes + k.nbytes
    cases = ours(length, dim, "cpu") | (peers(length, dim, "cpu") if others else {})
    return [
        measure(gpu, case, lambda rotate=rotate: rotate(q, k), floor)
        for gpu in GPUS
        for case, (_, rotate) in cases.items()
    ]


def main() -> None:
    options = arguments(length=2048, heads=32, key_heads=8, dim=128)
    found = rows(options.length, options.heads, options.key_heads, options.dim, others=True)
    save(
        "kernel_code",
        found,
        hardware="compiled for GPUs that are not here",
        clock="none",
        versions=versions(),
    )


if __name__ == "__main__":
    main()
