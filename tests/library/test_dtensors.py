"""A DTensor in place of any tensor, alone or with all others: the numbers of plain ones, or a refusal.

One process with a mesh of its own; what several processes compute is compared in attend/test_distributed.py.
"""

import re

import pytest
import torch
import torch.distributed as dist
from test_refusals import CALLED, CALLS, run

from posenc_lib import MultiHeadAttention, T5Bias, attention

pytestmark = pytest.mark.skipif(not dist.is_gloo_available(), reason="torch was built without gloo")


@pytest.fixture(scope="module")
def mesh():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield dist.device_mesh.init_device_mesh("cpu", (1,))
    dist.destroy_process_group()


def spread(value, mesh):
    from torch.distributed.tensor import Replicate, distribute_tensor

    return distribute_tensor(value, mesh, [Replicate()])


def tensors(name):
    return [argument for argument, value in CALLS[name][1].items() if isinstance(value, torch.Tensor)]


def numbers(result):
    """All tensors of a result, in order, as plain ones."""
    if isinstance(result, torch.Tensor):
        return [result.full_tensor() if hasattr(result, "full_tensor") else result]
    return [x for part in result for x in numbers(part)] if isinstance(result, (tuple, list)) else []


def called(name, arguments):
    torch.manual_seed(0)
    return numbers(run(name, arguments))


ONE = [pytest.param(name, (a,), id=f"{name} {a}") for name in CALLS for a in tensors(name)]
ALL = [pytest.param(name, tuple(tensors(name)), id=f"{name} all") for name in CALLS if len(tensors(name)) > 1]


@pytest.mark.parametrize(("name", "spread_out"), ONE + ALL)
def test_a_dtensor_is_the_plain_one_or_refused_by_name(mesh, name, spread_out):
    arguments = CALLS[name][1] | ({"dropout": 0.0} if name == "attention" else {})
    given = arguments | {argument: spread(arguments[argument], mesh) for argument in spread_out}
    try:
        found = called(name, given)
    except TypeError as refused:
        names = "|".join(CALLED.get((name, argument), argument) for argument in spread_out)
        assert re.search(rf"\b({names})\b", str(refused)), str(refused)
        assert "DTensor" in str(refused)
        return
    for one, other in zip(found, called(name, arguments), strict=True):
        torch.testing.assert_close(one, other)


def test_a_layer_says_which_of_the_two_is_plain(mesh):
    layer, x = MultiHeadAttention(16, 2), torch.randn(1, 4, 16)
    with pytest.raises(TypeError, match="x is a DTensor, but the weights a plain tensor: give the to_local"):
        layer(spread(x, mesh))
    with pytest.raises(TypeError, match="context is a DTensor, but the weights a plain tensor"):
        layer(x, spread(x, mesh))


def test_a_bias_says_that_each_process_passes_its_own_heads(mesh):
    bias, at = T5Bias(4), torch.arange(9)
    cut = spread(torch.randn(1, 4, 9, 8), mesh)
    needed = r" must be a plain tensor, got a DTensor: pass its to_local\(\).*head_slice\(start, stop\)"
    with pytest.raises(TypeError, match="^q" + needed):
        attention(cut, cut, cut, bias)
    bias.weight = torch.nn.Parameter(spread(bias.weight.detach(), mesh))
    for call in (lambda: bias.bias(at, at), lambda: bias.score_mod(), lambda: bias.of_distance(at)):
        with pytest.raises(TypeError, match="^weight" + needed):
            call()
