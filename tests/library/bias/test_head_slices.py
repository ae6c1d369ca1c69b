"""A bias for heads a … b − 1 of H: which heads it is for, and what it says to DTensors."""

import pytest
import torch
import torch.distributed as dist

from posenc_lib import ALiBi, T5Bias, attention

HEADS, DIM, LENGTH = 4, 8, 9


def test_another_number_of_heads_than_the_slice_has_is_refused():
    q = torch.randn(1, 2, 3, DIM)
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
    from torch.distributed.tensor import Shard, distribute_tensor

    bias, at = T5Bias(HEADS), torch.arange(LENGTH)
    cut = distribute_tensor(torch.randn(1, HEADS, LENGTH, DIM), mesh, [Shard(1)])
    needed = r" must be a plain tensor, got a DTensor: pass its to_local\(\).*head_slice\(start, stop\)"
    with pytest.raises(TypeError, match="^q" + needed):
        attention(cut, cut, cut, bias)
    bias.weight = torch.nn.Parameter(distribute_tensor(bias.weight.detach(), mesh, [Shard(1)]))
    for call in (lambda: bias.bias(at, at), lambda: bias.score_mod(), lambda: bias.of_distance(at)):
        with pytest.raises(TypeError, match="^weight" + needed):
            call()
