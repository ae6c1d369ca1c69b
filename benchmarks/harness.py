"""What all measurements share: interleaved rounds, medians with spread, peak memory, and where it was run."""

import argparse
import ctypes
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from experiments.stored import NOTHING_DRAWN, hardware, origin
from posenc_book.stored import RESULTS
from tools.whole_files import write_whole

Case = Callable[[], object]


def one_thread() -> None:
    """Measure one core: ratios on several threads depend on what else the machine does."""
    torch.set_num_threads(1)


MEMORY = ("mapped", "kept")  # in this order: what is kept once is not mapped again


def set_memory(how: str) -> None:
    """What becomes of large tensors (glibc): "kept" memory is used again, "mapped" asks the system each time.

    Left alone, glibc does the one or the other, by size and by what ran before. Mapping costs several times
    as much as copying, for the floor and for everybody, so a ratio without this has two values.
    """
    if how not in MEMORY:
        raise ValueError(f"how must be one of {MEMORY}, got {how!r}")
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-3, 2**30 if how == "kept" else 2**20)  # M_MMAP_THRESHOLD
        libc.mallopt(-1, 2**31 - 1 if how == "kept" else 0)  # M_TRIM_THRESHOLD
        libc.malloc_trim(0)
    except (OSError, AttributeError):
        print("another C library: it decides which large tensors are mapped anew")


def cpu_seconds(case: Case) -> float:
    """CPU time of the measuring thread."""
    start = time.thread_time()
    case()
    return time.thread_time() - start


def compare(
    cases: dict[str, Case], floor: str, *, rounds: int, timer: Callable[[Case], float] = cpu_seconds
) -> dict[str, dict[str, float]]:
    """Time every case once a round, as multiples of the floor of the same round.

    Rounds interleave the cases, so that a machine that slows down slows all of them. The first is dropped.

    Returns:
        For each case the median ratio and the quartiles of it over rounds.
    """
    ratios: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        seconds = {name: timer(case) for name, case in cases.items()}
        if turn:
            for name in cases:
                ratios[name].append(seconds[name] / seconds[floor])
    return {name: _summary(values) for name, values in ratios.items()}


def _summary(values: list[float]) -> dict[str, float]:
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"ratio": round(statistics.median(values), 3), "low": round(low, 3), "high": round(high, 3)}


def training(call: Callable[..., torch.Tensor], *given: torch.Tensor) -> Case:
    """Gradients of q, k, v, and of what the encoding learns, which a matrix that is held leaves out."""
    leaves = [x.detach().requires_grad_() for x in given]
    cotangent = torch.randn_like(given[0])
    return lambda: call(*leaves).backward(cotangent)


def peak_mib(case: Case) -> float | None:
    """Memory held at the peak of a call above what was held before, MiB; None where Linux does not tell."""
    reset = Path("/proc/self/clear_refs")
    case()
    gc.collect()
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        before = _status("VmRSS")
        reset.write_text("5")
    except OSError:
        return None
    case()
    return round(max(_status("VmHWM") - before, 0) / 1024, 1)


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(key)).split()[1])


def save(
    name: str,
    rows: list[dict[str, object]],
    *,
    seed: object = NOTHING_DRAWN,
    packages: Sequence[str] = (),
    **more: object,
) -> None:
    """Write the rows beside where they come from and what `more` there is to say of it, and print them."""
    path = RESULTS / f"{name}.json"
    command = "python " + " ".join([f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    made = origin(command, seed=seed, packages=packages) | {"clock": "CPU time of the measuring thread"}
    write_whole(path, json.dumps({**made, **more, "rows": rows}, indent=1) + "\n")
    for row in rows:
        print("  ".join(f"{k}={v}" for k, v in row.items()))
    print(f"{hardware()}; written to posenc_book/results/{path.name}")


def arguments(**defaults: int) -> argparse.Namespace:
    """Integer options of a benchmark, each with its default."""
    parser = argparse.ArgumentParser()
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args()
