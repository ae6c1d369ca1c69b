"""Comparisons that several processes of this machine make together, over gloo."""

import os
import socket
from datetime import timedelta

import pytest
import torch
import torch.distributed as dist
from torch import multiprocessing

needs_gloo = pytest.mark.skipif(not dist.is_gloo_available(), reason="torch was built without gloo")


def compared(compare, world, folder):
    """What ``compare(rank, world)``, a function of a module, returns in each of ``world`` processes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shared = [
        "torch.distributed.fsdp",
        "torch.distributed.tensor.parallel",
    ]  # imported once
    multiprocessing.set_forkserver_preload(shared)
    multiprocessing.start_processes(
        _work, (compare, world, port, str(folder)), nprocs=world, start_method="forkserver"
    )
    return [torch.load(folder / f"{rank}.pt") for rank in range(world)]


def _work(rank, compare, world, port, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=world, timeout=timedelta(minutes=10))
    try:
        torch.save(compare(rank, world), os.path.join(folder, f"{rank}.pt"))
    finally:
        dist.destroy_process_group()
