"""What measurements on a GPU share: its clock, its memory, calls in a graph, and what it is."""

from collections.abc import Callable

import torch
from harness import Case


def seconds(case: Case) -> float:
    """Between two events in the queue of the device; what the host is late with counts."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    case()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3


def repeated(case: Case, calls: int) -> Callable[[], None]:
    def run() -> None:
        for _ in range(calls):
            case()

    return run


def graphed(case: Case, calls: int) -> Callable[[], None]:
    """The calls recorded once and replayed without the host: the time of the device alone."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        repeated(case, 3)()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        repeated(case, calls)()
    return graph.replay


def peak_mib(case: Case) -> float:
    """Memory at the peak of a call above what was held before, MiB."""
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    case()
    return round((torch.cuda.max_memory_allocated() - before) / 2**20, 1)


def description() -> dict[str, object]:
    """Of the device; inputs smaller than its second-level cache are read from there."""
    device = torch.cuda.get_device_properties()
    return {"gpu": device.name, "l2_mib": device.L2_cache_size / 2**20, "cuda": torch.version.cuda}
