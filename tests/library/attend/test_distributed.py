"""A sequence cut over processes gives what the whole gives: outputs, input gradients and weight gradients.

Each process holds the tokens that ``positions_context_parallel`` names, encodes its own queries and keys at
their global positions, and gathers keys and values from the others. Gloo on this machine, 2 and 4 processes.
"""

import copy

import gloo_processes
import pytest
import torch
import torch.distributed as dist

from posenc_lib import (
    BIASES,
    MultiHeadAttention,
    RelativeAttention,
    RotaryEmbedding,
    RotarySpec,
    apply_rotary,
    attention,
    cos_sin,
    positions_context_parallel,
    positions_range,
)
from posenc_lib.bias import ALiBi
from posenc_lib.relative.shaw import shaw_scores

HEADS, SEQ, DIM, CLIP = 2, 32, 8, 5
WORLDS, SCHEMES = (2, 4), ("contiguous", "zigzag")
ENCODINGS = ("rotary", "rotary interleaved", "yarn", "alibi", "shaw")
ROTATIONS = ("rotary", "rotary interleaved", "yarn")
LAYOUTS = ("half", "interleaved")
# Everything is float64; sums over keys are taken in another order, of numbers of size 10.
ATOL = 1e-12

pytestmark = gloo_processes.needs_gloo


def _random(*shape, seed):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def _spec(encoding):
    if encoding == "yarn":
        rule = {"factor": 4.0, "original_max_position_embeddings": 8, "beta_fast": 2.0, "beta_slow": 0.1}
        return RotarySpec(DIM, scaling="yarn", params=rule)
    return RotarySpec(DIM, layout="interleaved" if "interleaved" in encoding else "half")


def _place(encoding, x, position_ids):
    """What a process does to its own queries or keys."""
    if encoding in ("alibi", "shaw"):
        return x
    spec = _spec(encoding)
    factor = spec.attention_factor(SEQ)
    tables = cos_sin(spec.inv_freq(SEQ), position_ids, attention_factor=factor, dtype=x.dtype)
    return apply_rotary(x, *tables, layout=spec.layout)


def _attend(encoding, q, k, v, m, n, table):
    shaw = encoding == "shaw"
    scores = shaw_scores(q[None], k[None], table, CLIP, m, n)[0] if shaw else q @ k.mT
    scores = scores / DIM**0.5
    if encoding == "alibi":
        scores = scores + ALiBi(HEADS).bias(m, n, dtype=scores.dtype)
    return scores.masked_fill(n > m[:, None], -torch.inf).softmax(-1) @ v


def _weights():
    """Projection of tokens to q, k and v, and Shaw's table: what every process has a copy of."""
    weight = _random(HEADS * DIM, 3 * HEADS * DIM, seed=1) / 2
    return weight.requires_grad_(), _random(2 * CLIP + 1, DIM, seed=6).requires_grad_()


def _project(x, weight):
    return (x @ weight).unflatten(-1, (3, HEADS, DIM)).permute(1, 2, 0, 3)  # [3, heads, seq, dim]


def _whole(encoding):
    x = _random(SEQ, HEADS * DIM, seed=0).requires_grad_()
    weight, table = _weights()
    m, (q, k, v) = positions_range(SEQ), _project(x, weight)
    out = _attend(encoding, _place(encoding, q, m), _place(encoding, k, m), v, m, m, table)
    (out * _random(*out.shape, seed=2)).sum().backward()
    return out.detach(), x.grad, weight.grad, table.grad


class _Gather(torch.autograd.Function):
    """Concatenate the shards of all processes along the sequence; the gradient is summed over processes."""

    @staticmethod
    def forward(ctx, x):
        shards = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(shards, x)
        return torch.cat(shards, dim=-2)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous()
        dist.all_reduce(grad)
        return grad.chunk(dist.get_world_size(), dim=-2)[dist.get_rank()]


def _sharded(encoding, scheme, rank, world):
    """Largest deviations of this process's share from the whole's."""
    m = positions_context_parallel(SEQ, rank, world, scheme=scheme)
    n = torch.cat([positions_context_parallel(SEQ, r, world, scheme=scheme) for r in range(world)])
    x = _random(SEQ, HEADS * DIM, seed=0)[m].requires_grad_()
    weight, table = _weights()
    q, k, v = _project(x, weight)
    k, v = (_Gather.apply(t.contiguous()) for t in (_place(encoding, k, m), v))
    out = _attend(encoding, _place(encoding, q, m), k, v, m, n, table)
    (out * _random(HEADS, SEQ, DIM, seed=2)[:, m]).sum().backward()
    whole, whole_x, whole_weight, whole_table = _whole(encoding)
    pairs = {"output": (out.detach(), whole[:, m]), "input gradient": (x.grad, whole_x[m])}
    dist.all_reduce(weight.grad)
    pairs["weight gradient"] = (weight.grad, whole_weight)
    if encoding == "shaw":
        dist.all_reduce(table.grad)
        pairs["table gradient"] = (table.grad, whole_table)
    return {name: float((one - other).abs().max()) for name, (one, other) in pairs.items()}


def _dtensor(layout, world):
    """apply_rotary on a DTensor sharded along the sequence: sharded result, no communication needed."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Shard, distribute_tensor

    mesh = init_device_mesh("cpu", (world,))
    x, cotangent = _random(1, HEADS, SEQ, DIM, seed=3), _random(1, HEADS, SEQ, DIM, seed=4)
    tables = cos_sin(RotarySpec(DIM).inv_freq(), positions_range(SEQ), dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    whole = apply_rotary(leaf, *tables, layout=layout)
    (whole * cotangent).sum().backward()

    shards = distribute_tensor(x, mesh, [Shard(2)]).requires_grad_()
    parts = apply_rotary(shards, *(distribute_tensor(t, mesh, [Shard(0)]) for t in tables), layout=layout)
    (parts * distribute_tensor(cotangent, mesh, [Shard(2)])).sum().backward()
    beside_plain = apply_rotary(shards.detach(), *tables, layout=layout)
    return {
        "stays sharded": float(tuple(parts.placements) != (Shard(2),)),
        "stays sharded beside plain tables": float(tuple(beside_plain.placements) != (Shard(2),)),
        "output beside plain tables": float((beside_plain.full_tensor() - whole).detach().abs().max()),
        "output": float((parts.full_tensor() - whole).detach().abs().max()),
        "input gradient": float((shards.grad.full_tensor() - leaf.grad).abs().max()),
    }


def _rotated(encoding, axis, world):
    """A layer's rotation of DTensors cut along ``axis``, beside that of the whole: values, and gradients."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    mesh, m = init_device_mesh("cpu", (world,)), positions_range(SEQ)
    x, cotangent = _random(world, world, SEQ, DIM, seed=3), _random(world, world, SEQ, DIM, seed=4)
    whole, parts = (RotaryEmbedding(_spec(encoding), learnable=encoding != "yarn").double() for _ in range(2))
    leaf = x.clone().requires_grad_()
    out = whole(leaf, leaf)
    (out[0] * cotangent).sum().backward()
    cut = distribute_tensor(x, mesh, [Shard(axis)]).requires_grad_()
    found = {}
    for given in (None, m, distribute_tensor(m, mesh, [Replicate()])):
        cut.grad = None
        parts.zero_grad()
        q, k = parts(cut, cut, given)
        (q * distribute_tensor(cotangent, mesh, [Shard(axis)])).sum().backward()
        with torch.no_grad():
            step = parts(cut, cut, given)
        for name, one, other in (
            ("q", q, out[0]),
            ("k", k, out[1]),
            ("without gradients", step[1], out[1]),
            ("input gradient", cut.grad, leaf.grad),
        ):
            found[f"{name} stays cut, {type(given)}"] = float(tuple(one.placements) != (Shard(axis),))
            found[f"{name}, {type(given)}"] = float((one.full_tensor() - other).detach().abs().max())
        for one, other in zip(parts.parameters(), whole.parameters(), strict=True):
            found[f"frequencies, {type(given)}"] = float((one.grad - other.grad).abs().max())
    return found


def _attended(backend, axis, world):
    """Causal attention of DTensors cut along batch or heads, with grouped queries that are turned."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Shard, distribute_tensor

    mesh, rope = init_device_mesh("cpu", (world,)), RotaryEmbedding(DIM)
    heads = (2 * world, world, world)
    given = [_random(world, h, SEQ, DIM, seed=n).requires_grad_() for n, h in enumerate(heads)]
    cut = [distribute_tensor(x.detach(), mesh, [Shard(axis)]).requires_grad_() for x in given]
    cotangent = _random(world, 2 * world, SEQ, DIM, seed=7)
    whole = attention(*given, rope, causal=True, backend=backend)
    (whole * cotangent).sum().backward()
    parts = attention(*cut, rope, causal=True, backend=backend)
    (parts * distribute_tensor(cotangent, mesh, [Shard(axis)])).sum().backward()
    found = {"stays cut": float(tuple(parts.placements) != (Shard(axis),))}
    pairs = [(parts, whole), *((c.grad, x.grad) for c, x in zip(cut, given, strict=True))]
    return found | {
        name: float((one.full_tensor() - other).detach().abs().max())
        for name, (one, other) in zip(("output", "of q", "of k", "of v"), pairs, strict=True)
    }


def _refusals(world):
    """What is said where a DTensor meets what belongs to one process."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    mesh, m, rope = init_device_mesh("cpu", (world,)), positions_range(SEQ), RotaryEmbedding(DIM)
    x = _random(1, HEADS, SEQ, DIM, seed=3)
    cut, places = distribute_tensor(x, mesh, [Replicate()]), distribute_tensor(m, mesh, [Replicate()])
    along = distribute_tensor(x, mesh, [Shard(2)])
    heads = distribute_tensor(x.repeat(1, world, 1, 1), mesh, [Shard(1)])
    one, hidden = distribute_tensor(x[:, :1], mesh, [Shard(1)]), torch.ones(heads.shape[1], SEQ, SEQ) > 0
    found = {}
    for name, call in (
        ("plain k", lambda: rope(cut, x)),
        ("plain q", lambda: rope(x, cut)),
        ("positions", lambda: rope(x, x, places)),
        ("sequence", lambda: attention(along, along, along, rope, causal=True)),
        ("one head", lambda: attention(heads, one, one)),
        ("mask", lambda: attention(heads, heads, heads, mask=hidden)),
        ("Shaw's", lambda: attention(cut, cut, cut, RelativeAttention(DIM, 3).double())),
        ("tables", lambda: apply_rotary(x, *cos_sin(RotarySpec(DIM).inv_freq(), places, dtype=x.dtype))),
    ):
        try:
            call()
        except (TypeError, ValueError) as error:
            found[name] = str(error)
    return found


def _fully_sharded(name, world):
    """A layer whose parameters are cut over the processes: outputs and gradients of one that is whole."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    torch.manual_seed(0)
    whole = MultiHeadAttention(HEADS * DIM, HEADS, BIASES[name](HEADS)).double()
    cut = fully_shard(copy.deepcopy(whole), mesh=init_device_mesh("cpu", (world,)))
    x, cotangent = _random(2, SEQ, HEADS * DIM, seed=3), _random(2, SEQ, HEADS * DIM, seed=4)
    outputs = [layer(x, causal=True) for layer in (whole, cut)]
    for out in outputs:
        (out * cotangent).sum().backward()
    found = {"output": float((outputs[0] - outputs[1]).detach().abs().max())}
    pairs = zip(whole.named_parameters(), cut.parameters(), strict=True)
    return found | {n: float((p.grad - q.grad.full_tensor()).abs().max()) for (n, p), q in pairs}


def _compare(rank, world):
    errors = {(e, s): _sharded(e, s, rank, world) for e in ENCODINGS for s in SCHEMES}
    errors |= {("dtensor", layout): _dtensor(layout, world) for layout in LAYOUTS}
    errors |= {("attended", b, axis): _attended(b, axis, world) for b in ("sdpa", "dense") for axis in (0, 1)}
    errors["refusals"] = _refusals(world)
    errors |= {("rotated", e, axis): _rotated(e, axis, world) for e in ROTATIONS for axis in range(3)}
    errors |= {("fully sharded", name): _fully_sharded(name, world) for name in BIASES}
    return errors


@pytest.fixture(scope="module", params=WORLDS, ids=lambda n: f"{n} processes")
def errors(request, tmp_path_factory):
    """All comparisons of one process group, {case: {quantity: error}} for each rank."""
    return gloo_processes.compared(_compare, request.param, tmp_path_factory.mktemp("ranks"))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_shards_give_what_the_whole_gives(errors, encoding, scheme):
    for rank, found in enumerate(errors):
        for quantity, error in found[encoding, scheme].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dtensors_stay_sharded(errors, layout):
    for rank, found in enumerate(errors):
        for quantity, error in found["dtensor", layout].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


@pytest.mark.parametrize("axis", range(3), ids=["batch", "heads", "sequence"])
@pytest.mark.parametrize("encoding", ROTATIONS)
def test_a_layer_takes_dtensors_and_gives_them_back(errors, encoding, axis):
    """With its own positions, with plain ones, which are those of the whole, and with DTensors."""
    for rank, found in enumerate(errors):
        assert len(found["rotated", encoding, axis]) == (24 if encoding == "yarn" else 27)
        for quantity, error in found["rotated", encoding, axis].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


@pytest.mark.parametrize("axis", [0, 1], ids=["batch", "heads"])
@pytest.mark.parametrize("backend", ["sdpa", "dense"])
def test_attention_takes_dtensors_and_gives_one_back(errors, backend, axis):
    for rank, found in enumerate(errors):
        for quantity, error in found["attended", backend, axis].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


def test_what_belongs_to_one_process_does_not_meet_dtensors(errors):
    for found in errors:
        assert found["refusals"] == {
            "plain k": "q and k must both be DTensors or both be plain, got DTensor and Tensor",
            "plain q": "q and k must both be DTensors or both be plain, got Tensor and DTensor",
            "positions": "position_ids is a DTensor, but q a plain tensor: give the to_local() of "
            "position_ids, the part of this process, or distribute both by "
            "torch.distributed.tensor.distribute_tensor",
            "sequence": "q, k and v must be plain tensors, or DTensors cut alike along batch or heads "
            f"(axes 0 and 1), got placements {', '.join(['(Shard(dim=2),)'] * 3)}: redistribute them, or "
            "attend to plain parts, with the positions of positions_context_parallel where the sequence is "
            "cut",
            "one head": f"kv_heads must be cut into equal parts, got 1 over {len(errors)} processes",
            "mask": f"mask of shape {[1, 2 * len(errors), SEQ, SEQ]} differs along what is cut over processes"
            ": attend to q.to_local(), k.to_local() and v.to_local(), with those of this process",
            "Shaw's": "q must be a plain tensor with an encoding that adds to scores, got a DTensor: "
            "attend to the to_local() of q, k and v",
            "tables": "cos is a DTensor, but x a plain tensor: give the to_local() of cos, the part of this "
            "process, or distribute both by torch.distributed.tensor.distribute_tensor",
        }


@pytest.mark.parametrize("name", BIASES)
def test_parameters_cut_over_processes_give_what_the_whole_gives(errors, name):
    for rank, found in enumerate(errors):
        for quantity, error in found["fully sharded", name].items():
            assert error < ATOL, f"{quantity} of rank {rank} is off by {error}"


def test_local_positions_would_be_wrong():
    """What the comparison can see: a shard that counts from 0 disagrees by far more than rounding."""
    x = _random(HEADS, SEQ, DIM, seed=5)
    m = positions_context_parallel(SEQ, 1, 2)
    right, wrong = (_place("rotary", x[:, m], ids) for ids in (m, positions_range(len(m))))
    assert float((right - wrong).abs().max()) > 0.1
