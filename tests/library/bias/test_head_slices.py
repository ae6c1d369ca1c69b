"""A bias for heads a … b − 1 of H: slices side by side are the whole, in values and in gradients."""

import copy
import pickle

import pytest
import torch
import torch.distributed as dist

from posenc_lib import BIASES, FIRE, ALiBi, LogCPB, MultiHeadAttention, T5Bias, WindowBias, attention
from posenc_lib.bias import DistanceBias

HEADS, DIM, LENGTH = 4, 8, 9
CUTS = [(0, 1), (1, 3), (3, 4)]
MADE = {
    **{name: lambda kind=kind: kind(HEADS) for name, kind in BIASES.items()},
    "fire": lambda: FIRE(HEADS, width=3, threshold=6.5),
    "window": lambda: WindowBias(HEADS, (3, 4)),
    "log_cpb": lambda: LogCPB(HEADS, (3, 4), width=3),
}


def made(name, device="cpu"):
    torch.manual_seed(0)
    bias = MADE[name]().double().to(device)
    with torch.no_grad():
        for parameter in bias.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return bias


def gradients(value, bias, cotangent):
    """Of every parameter, 0 where it has no part."""
    names, parameters = zip(*bias.named_parameters(), strict=True) if list(bias.parameters()) else ((), ())
    found = torch.autograd.grad((value * cotangent).sum(), parameters, allow_unused=True) if names else ()
    return {
        n: torch.zeros_like(p) if g is None else g for n, p, g in zip(names, parameters, found, strict=True)
    }


@pytest.mark.parametrize("batch", [False, True], ids=["one run", "a run a row"])
@pytest.mark.parametrize("name", MADE)
def test_slices_side_by_side_are_the_whole(name, batch, device):
    bias = made(name, device)
    m, n = torch.arange(3, 9, device=device), torch.arange(11, device=device)
    if batch:
        m, n = torch.stack([m, m + 2]), torch.stack([n, n + 1])
    whole = bias.bias(m, n, dtype=torch.float64)
    cotangent = torch.randn_like(whole)
    wanted = gradients(whole, bias, cotangent)
    parts, sums = [], {name: torch.zeros_like(g) for name, g in wanted.items()}
    for start, stop in CUTS:
        part = bias.head_slice(start, stop)
        parts.append(part.bias(m, n, dtype=torch.float64))
        for key, gradient in gradients(parts[-1], part, cotangent[..., start:stop, :, :]).items():
            sums[key] += gradient
    assert torch.equal(torch.cat(parts, -3), whole)
    for key, gradient in wanted.items():
        # double; FIRE's hidden layer gets a sum over heads, here in another order
        torch.testing.assert_close(sums[key], gradient, rtol=1e-13, atol=1e-13, msg=key)
        assert gradient.abs().max() > 0


@pytest.mark.parametrize("backend", ["dense", "sdpa", "flex"])
@pytest.mark.parametrize("name", MADE)
def test_attention_of_a_slice_is_a_slice_of_attention(name, backend, device):
    bias = made(name, device)
    q, k, v = torch.randn(3, 2, HEADS, LENGTH, DIM, dtype=torch.float64, device=device).unbind()
    with torch.set_grad_enabled(backend != "flex"):
        whole = attention(q, k, v, bias, causal=True, backend=backend)
        for start, stop in CUTS:
            own = slice(start, stop)
            found = attention(
                q[:, own], k[:, own], v[:, own], bias.head_slice(start, stop), causal=True, backend=backend
            )
            # double; the blocks of the back ends add up in another order
            torch.testing.assert_close(found, whole[:, own], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", [n for n, make in MADE.items() if isinstance(make(), DistanceBias)])
def test_distances_of_a_slice(name, device):
    bias, far = made(name, device), torch.arange(-20, 5, device=device)
    assert torch.equal(bias.head_slice(1, 3).of_distance(far), bias.of_distance(far)[1:3])


@pytest.mark.parametrize("name", MADE)
def test_a_slice_shares_its_parameters_and_a_copy_of_it_is_still_a_slice(name):
    bias = made(name)
    part, at = bias.head_slice(1, 3), torch.arange(5)
    assert type(part) is type(bias) and (bias.first_head, bias.heads) == (0, HEADS)
    assert part.state_dict().keys() == bias.state_dict().keys()
    assert all(a is b for a, b in zip(part.parameters(), bias.parameters(), strict=True))
    wanted, again = bias.bias(at, at)[1:3], part.head_slice(0, 4).head_slice(1, 3)
    for twin in (copy.deepcopy(part), pickle.loads(pickle.dumps(part)), again):
        assert torch.equal(twin.bias(at, at), wanted)
    assert "heads 1 to 2 of 4" in repr(part) and "heads" not in repr(bias).replace("num_heads", "")


@pytest.mark.parametrize("name", MADE)
def test_layers_that_hold_a_part_of_the_heads_add_up(name, device):
    """Tensor parallelism: rows of the projections, columns of the output projection, a slice of the bias."""
    torch.manual_seed(0)
    whole = MultiHeadAttention(HEADS * DIM, HEADS, made(name, device), bias=False).double().to(device)
    x = torch.randn(2, LENGTH, HEADS * DIM, dtype=torch.float64, device=device)
    total = 0
    for start, stop in CUTS:
        mine, rows = copy.deepcopy(whole), slice(start * DIM, stop * DIM)
        for projection in (mine.q_proj, mine.k_proj, mine.v_proj):
            projection.weight = torch.nn.Parameter(projection.weight[rows])
        mine.out_proj.weight = torch.nn.Parameter(mine.out_proj.weight[:, rows])
        mine.encoding = mine.encoding.head_slice(start, stop)
        total = total + mine(x, causal=True)
    # double; the output projection's sum is taken in parts
    torch.testing.assert_close(total, whole(x, causal=True), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("start", "stop", "error", "message"),
    [
        (0, 5, ValueError, "start < stop ≤ num_heads = 4, got 0 and 5"),
        (2, 2, ValueError, "start < stop ≤ num_heads = 4, got 2 and 2"),
        (3, 1, ValueError, "got 3 and 1"),
        (-1, 2, ValueError, "start must be at least 0, got -1"),
        (0, 1.0, TypeError, "stop must be an int, got 1.0"),
        (True, 2, TypeError, "start must be an int, got True"),
    ],
)
def test_heads_that_are_not_there_are_refused(start, stop, error, message):
    with pytest.raises(error, match=message):
        ALiBi(HEADS).head_slice(start, stop)


def test_other_numbers_of_heads_are_refused_with_what_to_do():
    q = torch.randn(1, 2, 3, DIM)
    with pytest.raises(ValueError, match=r"= 4, but there are 2 heads; .*head_slice\(start, stop\)"):
        attention(q, q, q, ALiBi(4))
    with pytest.raises(ValueError, match=r"for heads 1 to 3 of 4, but there are 2 heads$"):
        attention(q, q, q, ALiBi(4).head_slice(1, 4))
    with pytest.raises(ValueError, match=r"num_heads = 1, but there are 2 heads$"):
        attention(q, q, q, ALiBi(1))


@pytest.fixture
def mesh():
    if not dist.is_gloo_available():
        pytest.skip("torch was built without gloo")
    dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    yield dist.device_mesh.init_device_mesh("cpu", (1,))
    dist.destroy_process_group()


def test_dtensors_are_refused_with_what_to_pass(mesh):
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    bias, at = T5Bias(HEADS), torch.arange(LENGTH)
    cut = distribute_tensor(torch.randn(1, HEADS, LENGTH, DIM), mesh, [Shard(1)])
    places = distribute_tensor(at, mesh, [Replicate()])
    needed = r" must be a plain tensor, got a DTensor: pass its to_local\(\).*head_slice\(start, stop\)"
    for kind in (bias, FIRE(HEADS)):
        with pytest.raises(TypeError, match="^q" + needed):
            attention(cut, cut, cut, kind)
        with pytest.raises(TypeError, match="^q_pos" + needed):
            kind.bias(places, at)
        with pytest.raises(TypeError, match="^k_pos" + needed):
            kind.score_mod(at, places)
    with pytest.raises(TypeError, match="^distance" + needed):
        bias.of_distance(places)
    here = cut.to_local()
    found = attention(here, here, here, bias.head_slice(0, HEADS))
    assert torch.equal(found, attention(here, here, here, bias))
    bias.weight = torch.nn.Parameter(distribute_tensor(bias.weight.detach(), mesh, [Shard(1)]))
    for call in (lambda: bias.bias(at, at), lambda: bias.score_mod(), lambda: bias.of_distance(at)):
        with pytest.raises(TypeError, match="^weight" + needed):
            call()
