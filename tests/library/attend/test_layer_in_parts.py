"""Layers over several processes: heads cut by a plan, parameters cut, tokens cut; all with grouped queries.

Gloo on this machine, two and four processes. Every case is compared with the whole layer in float64.
"""

import copy

import gloo_processes
import pytest
import torch
import torch.distributed as dist

from posenc_lib import (
    KVCache,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    positions_context_parallel,
)

HEADS, SHARED, D, SEQ = 8, 4, 4, 16
WIDTH = HEADS * D
WORLDS, SCHEMES = (2, 4), ("contiguous", "zigzag")
YARN = {"factor": 4.0, "original_max_position_embeddings": 8}
ENCODINGS = {
    "none": lambda: None,
    "rotary": lambda: RotaryEmbedding(D),
    "yarn": lambda: RotaryEmbedding(D, layout="interleaved", scaling="yarn", params=YARN),
    "shaw": lambda: RelativeAttention(D, 3),
}
# Everything is float64; sums are taken in another order.
ATOL = 1e-12

pytestmark = gloo_processes.needs_gloo


def _random(*shape, seed):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def _layer(name):
    torch.manual_seed(0)
    return MultiHeadAttention(WIDTH, HEADS, ENCODINGS[name](), num_kv_heads=SHARED, qk_norm=True).double()


def _compared(whole, mine, x, cotangent):
    """Largest deviations of output, input gradient and weight gradients."""
    given = [x.clone().requires_grad_() for _ in range(2)]
    outputs = [layer(y, causal=True) for layer, y in zip((whole, mine), given, strict=True)]
    for out in outputs:
        (out * cotangent).sum().backward()
    pairs = {"output": outputs, "input gradient": [y.grad for y in given]}
    for (n, p), q in zip(whole.named_parameters(), mine.parameters(), strict=True):
        pairs[n] = p.grad, q.grad
    return pairs


def _deviations(pairs):
    return {n: float((_full(a) - _full(b)).detach().abs().max()) for n, (a, b) in pairs.items()}


def _full(x):
    return x.full_tensor() if hasattr(x, "full_tensor") else x


def _tensor_parallel(name, mesh):
    """The usual plan: q, k and v by columns, so that each process has its heads; the output by rows."""
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    whole = _layer(name)
    plan = {f"{p}_proj": ColwiseParallel() for p in "qkv"} | {"out_proj": RowwiseParallel()}
    mine = parallelize_module(copy.deepcopy(whole), mesh, plan)
    pairs = _compared(whole, mine, _random(2, SEQ, WIDTH, seed=3), _random(2, SEQ, WIDTH, seed=4))
    for shared in ("q_norm.weight", "k_norm.weight", "encoding.key_table", "encoding.value_table"):
        if shared in pairs:  # each process has seen its own heads alone
            dist.all_reduce(pairs[shared][1])
    return _deviations(pairs)


def _decoding(name, mesh, slots):
    """With the heads cut a cache holds those of the process: a step makes it, so nobody has to say so."""
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    whole, x, places = _layer(name), _random(2, SEQ, WIDTH, seed=5), torch.arange(SEQ)
    plan = {f"{p}_proj": ColwiseParallel() for p in "qkv"} | {"out_proj": RowwiseParallel()}
    mine = parallelize_module(copy.deepcopy(whole), mesh, plan)
    with torch.no_grad():
        expected, cache, worst = whole(x, causal=True), None, 0.0
        for now in (slice(0, 10), *(slice(at, at + 1) for at in range(10, SEQ))):
            given = {"position_ids": places[now], "causal": True, "cache": cache, "return_cache": True}
            out, cache = mine(x[:, now], **given)
            cache = cache.preallocated(SEQ) if slots and cache.used is None else cache
            worst = max(worst, float((out - expected[:, now]).abs().max()))
    return {"output": worst, "heads": abs(cache.k.shape[1] - SHARED // dist.get_world_size())}


def _fully_sharded(name, mesh):
    from torch.distributed.fsdp import fully_shard

    whole = _layer(name)
    mine = fully_shard(copy.deepcopy(whole), mesh=mesh)
    return _deviations(_compared(whole, mine, _random(2, SEQ, WIDTH, seed=3), _random(2, SEQ, WIDTH, seed=4)))


def _context_parallel(name, scheme):
    """Each process turns its keys at their global positions, and has those of the others as a cache."""
    rank, world = dist.get_rank(), dist.get_world_size()
    layer, x = _layer(name), _random(2, SEQ, WIDTH, seed=6)
    mine = positions_context_parallel(SEQ, rank, world, scheme=scheme)
    with torch.no_grad():
        _, own = layer(x[:, mine], position_ids=mine, causal=True, return_cache=True)
        gathered = [[torch.empty_like(t) for _ in range(world)] for t in own[:3]]
        for parts, t in zip(gathered, own[:3], strict=True):
            dist.all_gather(parts, t.contiguous())
        others = [r for r in range(world) if r != rank]
        k, v, places = (
            torch.cat([parts[r] for r in others], dim) for parts, dim in zip(gathered, (2, 2, 0), strict=True)
        )
        out = layer(x[:, mine], position_ids=mine, causal=True, cache=KVCache(k, v, places))
        expected = layer(x, causal=True)[:, mine]
    return {"output": float((out - expected).abs().max())}


def _compare(rank, world):
    from torch.distributed.device_mesh import init_device_mesh

    mesh = init_device_mesh("cpu", (world,))
    errors = {("tensor parallel", name): _tensor_parallel(name, mesh) for name in ENCODINGS}
    errors |= {("fully sharded", name): _fully_sharded(name, mesh) for name in ENCODINGS}
    errors |= {("growing", name): _decoding(name, mesh, slots=False) for name in ENCODINGS}
    errors |= {("preallocated", name): _decoding(name, mesh, slots=True) for name in ENCODINGS}
    errors |= {(scheme, name): _context_parallel(name, scheme) for name in ENCODINGS for scheme in SCHEMES}
    return errors


@pytest.fixture(scope="module", params=WORLDS, ids=lambda n: f"{n} processes")
def errors(request, tmp_path_factory):
    """All comparisons of one process group, {case: {quantity: error}} for each rank."""
    return gloo_processes.compared(_compare, request.param, tmp_path_factory.mktemp("ranks"))


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("way", ["tensor parallel", "fully sharded", "growing", "preallocated", *SCHEMES])
def test_parts_give_what_the_whole_gives(errors, way, name):
    for rank, found in enumerate(errors):
        for quantity, error in found[way, name].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"
