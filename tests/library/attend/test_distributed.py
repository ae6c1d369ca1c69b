"""What several processes compute in parts is what one computes of the whole: outputs, and gradients.

Tokens, heads or parameters are cut, by hand, as DTensors, or by torch's plans. Gloo on this machine, two
processes; all of it in float64, where sums are taken in another order.
"""

import copy
import os
import socket
from datetime import timedelta
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import yaml
from pairs import ENCODINGS, F64, YARN
from torch import multiprocessing

import posenc_lib as lib
from posenc_lib.bias import ScoreBias

HEADS, SHARED, SEQ, DIM, WIDTH = 8, 4, 16, 8, 64
WORLD, SCHEMES = 2, ("contiguous", "zigzag")
ATOL = 1e-12
ROTATIONS = {
    "rotary": {},
    "rotary interleaved": {"layout": "interleaved"},
    "yarn": {"scaling": "yarn", "params": YARN | {"beta_fast": 2.0, "beta_slow": 0.1}},
}
MADE = {
    **{name: (lambda form=form: lib.RotaryEmbedding(DIM, **form)) for name, form in ROTATIONS.items()},
    **{name: (lambda kind=kind: kind(HEADS)) for name, kind in lib.BIASES.items()},
    **{name: ENCODINGS[name] for name in ("none", "shaw")},
}
LEARNED = ["none", "rotary", *(name for name, make in MADE.items() if make() and [*make().parameters()])]
WHOLE_HEADS = [name for name, make in MADE.items() if not isinstance(make(), ScoreBias)]

pytestmark = pytest.mark.skipif(not dist.is_gloo_available(), reason="torch was built without gloo")


def numbers(*shape, seed):
    return torch.randn(*shape, dtype=F64, generator=torch.Generator().manual_seed(seed))


def full(x):
    return (x.full_tensor() if hasattr(x, "full_tensor") else x).detach()


def off(**pairs):
    """Largest deviations."""
    return {name: float((full(one) - full(other)).abs().max()) for name, (one, other) in pairs.items()}


def of_names(parts):
    return {name.replace(".", "_"): pair for name, pair in parts.items()}


def mesh():
    return dist.device_mesh.init_device_mesh("cpu", (WORLD,))


def cut_along(x, axis):
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    return distribute_tensor(x, mesh(), [Replicate() if axis is None else Shard(axis)])


def stays(x, axis):
    from torch.distributed.tensor import Shard

    return {f"cut {axis}": float(tuple(x.placements) != (Shard(axis),))}


def layer_of(name):
    torch.manual_seed(0)
    return lib.MultiHeadAttention(WIDTH, HEADS, MADE[name](), num_kv_heads=SHARED, qk_norm=True).double()


class Gather(torch.autograd.Function):
    """Concatenate the shards of all processes along the sequence; the gradient is summed over processes."""

    @staticmethod
    def forward(ctx, x):
        shards = [torch.empty_like(x) for _ in range(WORLD)]
        dist.all_gather(shards, x.contiguous())
        return torch.cat(shards, dim=-2)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous()
        dist.all_reduce(grad)
        return grad.chunk(WORLD, dim=-2)[dist.get_rank()]


def tokens_are_cut(name, scheme):
    """Each process encodes its own queries, at their global positions, and gathers all keys and values."""
    layer, twin, rank = layer_of(name), layer_of(name), dist.get_rank()
    places = [lib.positions_context_parallel(SEQ, r, WORLD, scheme=scheme) for r in range(WORLD)]
    mine, everywhere = places[rank], torch.cat(places)
    x, weights = numbers(2, SEQ, WIDTH, seed=0), numbers(2, SEQ, WIDTH, seed=2)
    whole_x, my_x = x.clone().requires_grad_(), x[:, mine].requires_grad_()
    whole = layer(whole_x, causal=True)
    (whole * weights).sum().backward()
    q, k, v = (twin._heads(f(my_x)) for f in (twin.q_proj, twin.k_proj, twin.v_proj))
    q, k = twin.q_norm(q), twin.k_norm(k)
    keys, values = Gather.apply(k), Gather.apply(v)
    z = lib.attention(q, keys, values, twin.encoding, position_ids=(mine, everywhere), causal=True)
    out = twin.out_proj(z.transpose(1, 2).flatten(2))
    (out * weights[:, mine]).sum().backward()
    for parameter in twin.parameters():
        dist.all_reduce(parameter.grad)
    with torch.no_grad():  # turned where they are, and had from the others as a cache
        _, own = layer(x[:, mine], position_ids=mine, causal=True, return_cache=True)
        others = [r for r in range(len(places)) if r != rank]
        k, v = (torch.cat([Gather.apply(t).chunk(len(places), -2)[r] for r in others], 2) for t in own[:2])
        cache = lib.KVCache(k, v, torch.cat([places[r] for r in others]))
        beside = layer(x[:, mine], position_ids=mine, causal=True, cache=cache)
    grads = zip(layer.named_parameters(), twin.parameters(), strict=True)
    pairs = {n: (p.grad, mine.grad) for (n, p), mine in grads} | {"input": (my_x.grad, whole_x.grad[:, mine])}
    return off(output=(out, whole[:, mine]), beside=(beside, whole[:, mine]), **of_names(pairs))


def layers_agree(whole, mine, reduced=()):
    x, weights = numbers(2, SEQ, WIDTH, seed=3), numbers(2, SEQ, WIDTH, seed=4)
    given = [x.clone().requires_grad_() for _ in range(2)]
    outs = [layer(y, causal=True) for layer, y in zip((whole, mine), given, strict=True)]
    for out in outs:
        (out * weights).sum().backward()
    pairs = {"output": outs, "input": [y.grad for y in given]}
    for (name, one), other in zip(whole.named_parameters(), mine.parameters(), strict=True):
        pairs[name] = one.grad, other.grad
        if name in reduced:  # each process has seen its own heads alone
            dist.all_reduce(other.grad)
    return off(**of_names(pairs))


def by_the_usual_plan(layer):
    """q, k and v by columns, so that each process has its heads; the output by rows."""
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    plan = {f"{p}_proj": ColwiseParallel() for p in "qkv"} | {"out_proj": RowwiseParallel()}
    return parallelize_module(copy.deepcopy(layer), mesh(), plan)


def heads_are_cut(name):
    shared = ("q_norm.weight", "k_norm.weight", "encoding.key_table", "encoding.value_table")
    whole = layer_of(name)
    return layers_agree(whole, by_the_usual_plan(whole), shared)


def parameters_are_cut(name):
    from torch.distributed.fsdp import fully_shard

    whole = layer_of(name)
    return layers_agree(whole, fully_shard(copy.deepcopy(whole), mesh=mesh()))


@torch.no_grad()
def decoding(name, slots):
    """With the heads cut a cache holds those of the process: a step makes it, so nobody has to say so."""
    whole, x, places = layer_of(name), numbers(2, SEQ, WIDTH, seed=5), lib.positions_range(SEQ)
    cache, errors = None, {}
    mine, expected = by_the_usual_plan(whole), whole(x, causal=True)
    for now in (slice(0, 10), *(slice(at, at + 1) for at in range(10, SEQ))):
        given = {"position_ids": places[now], "causal": True, "cache": cache, "return_cache": True}
        out, cache = mine(x[:, now], **given)
        cache = cache.preallocated(SEQ) if slots and cache.used is None else cache
        errors |= off(**{f"tokens from {now.start}": (out, expected[:, now])})
    return errors | {"heads": abs(cache.k.shape[1] - SHARED // WORLD)}


def rotated(name, axis):
    """DTensors cut along ``axis``, by the layer and by the function: values and gradients of the whole."""
    m, errors = lib.positions_range(SEQ), {}
    x, weights = (numbers(WORLD, WORLD, SEQ, DIM, seed=seed) for seed in (3, 4))
    given = ROTATIONS[name] | {"learnable": name != "yarn"}
    whole, parts = (lib.RotaryEmbedding(DIM, **given).double() for _ in range(2))
    leaf, cut = x.clone().requires_grad_(), cut_along(x, axis).requires_grad_()
    out = whole(leaf, leaf)
    (out[0] * weights).sum().backward()
    spec, tables = whole.spec, [t.detach() for t in whole.tables(m, dtype=F64)]
    for way, places in (("own", None), ("plain", m), ("DTensors", cut_along(m, None))):
        cut.grad = None
        parts.zero_grad()
        q, k = parts(cut, cut, places)
        (q * cut_along(weights, axis)).sum().backward()
        with torch.no_grad():
            step = parts(cut, cut, places)[1]
        pairs = {"q": (q, out[0]), "k": (k, out[1]), "step": (step, out[1]), "input": (cut.grad, leaf.grad)}
        if name != "yarn":
            pairs["ladder"] = [next(rope.parameters()).grad for rope in (parts, whole)]
        errors |= {f"{n}, {way}": e for n, e in (off(**pairs) | stays(q, axis) | stays(step, axis)).items()}
    beside = [tables] + ([[cut_along(t, 0) for t in tables]] if axis == 2 else [])
    for i, given in enumerate(beside):  # plain tables, and those that are cut along the sequence too
        turned = lib.apply_rotary(cut.detach(), *given, layout=spec.layout)
        errors |= stays(turned, axis) | off(**{f"tables {i}": (turned, out[0])})
    return errors


def attended(backend, axis):
    """Causal attention of DTensors cut along batch or heads, with grouped queries that are turned."""
    rope = lib.RotaryEmbedding(DIM)
    given = [numbers(WORLD, h * WORLD, SEQ, DIM, seed=h).requires_grad_() for h in (2, 1, 1)]
    cut = [cut_along(x.detach(), axis).requires_grad_() for x in given]
    whole, parts = (lib.attention(*x, rope, causal=True, backend=backend) for x in (given, cut))
    weights = numbers(*whole.shape, seed=7)
    (whole * weights).sum().backward()
    (parts * cut_along(weights, axis)).sum().backward()
    grads = {f"of {n}": (c.grad, x.grad) for n, c, x in zip("qkv", cut, given, strict=True)}
    return stays(parts, axis) | off(output=(parts, whole), **grads)


def refusals():
    """What is said where a DTensor meets what belongs to one process; of each argument: test_dtensors."""
    rope, x = lib.RotaryEmbedding(DIM), numbers(1, 2, SEQ, DIM, seed=3)
    cut, along = cut_along(x, None), cut_along(x, 2)
    heads, one = cut_along(x.repeat(1, WORLD, 1, 1), 1), cut_along(x[:, :1], 1)
    hidden, said = torch.ones(heads.shape[1], SEQ, SEQ) > 0, {}
    for name, call in (
        ("sequence", lambda: lib.attention(along, along, along, rope, causal=True)),
        ("one head", lambda: lib.attention(heads, one, one)),
        ("mask", lambda: lib.attention(heads, heads, heads, mask=hidden)),
        ("Shaw's", lambda: lib.attention(cut, cut, cut, lib.RelativeAttention(DIM, 3).double())),
    ):
        try:
            call()
        except (TypeError, ValueError) as error:
            said[name] = str(error)
    return said


CASES = {
    **{("tokens are cut", n, s): (tokens_are_cut, n, s) for n in MADE for s in SCHEMES},
    **{("heads are cut", n): (heads_are_cut, n) for n in WHOLE_HEADS},
    **{("parameters are cut", n): (parameters_are_cut, n) for n in LEARNED},
    **{("decoding", n, slots): (decoding, n, slots) for n in WHOLE_HEADS for slots in (False, True)},
    **{("rotated", n, axis): (rotated, n, axis) for n in ROTATIONS for axis in range(3)},
    **{("attended", b, axis): (attended, b, axis) for b in ("sdpa", "dense") for axis in range(2)},
}


def compared(folder):
    """What each of the processes finds, all of which talk over gloo."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shared = ["torch.distributed.fsdp", "torch.distributed.tensor.parallel"]  # imported once
    multiprocessing.set_forkserver_preload(shared)
    multiprocessing.start_processes(work, (port, folder), nprocs=WORLD, start_method="forkserver")
    return [torch.load(folder / f"{rank}.pt") for rank in range(WORLD)]


def work(rank, port, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=WORLD, timeout=timedelta(minutes=10))
    try:
        found = {name: case(*given) for name, (case, *given) in CASES.items()}
        torch.save(found | {"refusals": refusals()}, folder / f"{rank}.pt")
    finally:
        dist.destroy_process_group()


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """All comparisons of the process group, {case: {quantity: error}} for each rank."""
    return compared(tmp_path_factory.mktemp("ranks"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_parts_give_what_the_whole_gives(errors, case):
    for rank, of_rank in enumerate(errors):
        assert of_rank[case], "nothing was compared"
        for quantity, error in of_rank[case].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


SAID = yaml.safe_load(Path(__file__).with_name("refused_dtensors.yml").read_text(encoding="utf-8"))


def test_what_belongs_to_one_process_does_not_meet_dtensors(errors):
    sizes = {"world": WORLD, "heads": 2 * WORLD}
    for of_rank in errors:
        assert of_rank["refusals"] == {name: words.format_map(sizes) for name, words in SAID.items()}
