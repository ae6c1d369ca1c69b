"""Compile Triton kernels for a GPU that is not there, and read the machine code.

Host code runs as usual, on CPU tensors, with a driver that compiles and launches nothing. So what is read is
what a library would start, with its own grid and its own specialisations. Nothing is timed.
"""

import math
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.jit import JITFunction

THREADS = 32  # of a warp


class Launch(NamedTuple):
    """A compiled kernel and how many programs of it the host would start."""

    kernel: Any
    programs: int


class Instruction(NamedTuple):
    predicate: str
    operation: str
    operands: str


class _NoGpu:
    def __init__(self, capability: int) -> None:
        self.capability = capability

    def get_current_device(self) -> int:
        return self.capability  # Triton keeps what it has compiled under this number

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", self.capability, THREADS)


@contextmanager
def compile_only(capability: int) -> Iterator[list[Launch]]:
    """Collect the launches inside the block, compiled for sm_`capability`."""
    launches: list[Launch] = []
    run = JITFunction.run

    def collect(self: JITFunction, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        kernel = run(self, *args, grid=grid, warmup=True, **options)
        bound = dict(zip(self.arg_names, args, strict=False)) | options
        launches.append(Launch(kernel, math.prod(grid(bound) if callable(grid) else grid)))
        return kernel

    driver.set_active(_NoGpu(capability))
    no_choice = patch.object(torch.cuda, "device", lambda index: nullcontext())
    with patch.object(JITFunction, "run", collect), no_choice:
        yield launches


_LINE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)([^;]*);")
_LABEL = re.compile(r"\.L_x_\d+")


def _tool(name: str, kernel: Any, *options: str) -> str:
    tool = getattr(triton.knobs.nvidia, name).path  # comes with Triton
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        Path(file.name).write_bytes(kernel.asm["cubin"])
        return subprocess.run([tool, *options, file.name], capture_output=True, text=True, check=True).stdout


def registers(kernel: Any) -> int:
    """Registers of one thread."""
    found = re.findall(r"REG:(\d+)", _tool("cuobjdump", kernel, "-res-usage"))
    return max(map(int, found))


def executed(kernel: Any, trips: int) -> Counter[str]:
    """Operations on the longest way through the code, when every loop goes round `trips` times."""
    code: list[Instruction] = []
    labels: dict[str, int] = {}
    for line in _tool("nvdisasm", kernel, "-c").splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            labels[label[1]] = len(code)
        elif found := _LINE.search(line):
            code.append(Instruction(found[1] or "", found[2], found[3]))
    return longest(code, labels, trips)


def longest(code: list[Instruction], labels: dict[str, int], trips: int) -> Counter[str]:
    """The way with most instructions; a jump backwards is a loop, a jump to itself the padding at the end."""
    jumps = {
        i: labels[_LABEL.search(line.operands).group()]  # type: ignore[union-attr]
        for i, line in enumerate(code)
        if line.operation.startswith("BRA")
    }
    loops = [(target, i) for i, target in jumps.items() if target < i]
    ways: list[Counter[str]] = [Counter()] * (len(code) + 1)
    for i in range(len(code) - 1, -1, -1):
        always = not code[i].predicate
        ends = (code[i].operation.startswith("EXIT") and always) or jumps.get(i) == i
        on = [] if ends or (always and jumps.get(i, -1) > i) else [i + 1]
        on += [jumps[i]] if jumps.get(i, -1) > i else []
        rest = max((ways[j] for j in on), key=Counter.total, default=Counter())
        times = trips ** sum(start <= i <= end for start, end in loops)
        ways[i] = rest + Counter({code[i].operation: times})
    return ways[0]


def bits(operation: str) -> int:
    """Width of one thread's memory access, LDG.E.128 → 128; 32 if nothing is said."""
    widths = [int(part) for part in operation.split(".") if part in ("8", "16", "32", "64", "128")]
    signed = [int(part[1:]) for part in operation.split(".") if part in ("U8", "S8", "U16", "S16")]
    return (widths + signed + [32])[0]
