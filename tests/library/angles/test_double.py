"""Devices without float64 (Apple's MPS, some Intel GPUs): angles are exact all the same, or refused by name.

There is no such device here, so one is played under the name "meta", which needs no driver: tensors that say
they live there hold their numbers on the CPU, and raise as soon as a float64 is made of them, as MPS does.
The last test shows that this stage fails what it should.
"""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

import posenc_lib as lib
from posenc_lib.angles import double

NARROW = torch.device("meta")


class There(torch.Tensor):
    @staticmethod
    def __new__(cls, numbers):
        if numbers.dtype == torch.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return torch.Tensor._make_wrapper_subclass(cls, numbers.shape, dtype=numbers.dtype, device=NARROW)

    def __init__(self, numbers):
        self.numbers = numbers

    def __repr__(self):
        return f"There({self.numbers})"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return played(func, args, kwargs or {})


def played(func, args, kwargs):
    """Work on the numbers; what comes out lives on the device asked for, or where the arguments live."""
    leaves, _ = tree_flatten((args, kwargs))
    asked = kwargs.get("device")
    there = any(isinstance(x, There) for x in leaves) if asked is None else torch.device(asked) == NARROW
    args, kwargs = tree_map(lambda x: x.numbers if isinstance(x, There) else x, (args, dict(kwargs)))
    if asked is not None:
        kwargs["device"] = torch.device("cpu")
    out = func(*args, **kwargs)
    return tree_map(lambda x: There(x) if there and isinstance(x, torch.Tensor) else x, out)


class Stage(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return played(func, args, kwargs or {})


@pytest.fixture
def stage(monkeypatch):
    monkeypatch.setattr(double, "has_float64", lambda device: device != NARROW)
    with Stage():
        yield


def same(got, expected):
    for one, other in zip(got, expected, strict=True):
        assert isinstance(one, There) and one.device == NARROW and one.dtype == torch.float32
        assert torch.equal(one.numbers, other)


FAR = torch.tensor([0, 1, 4095, 1_000_000])


def test_tables_are_the_cpus_bit_for_bit(stage):
    theta = lib.inv_freq(16)
    same(lib.cos_sin(theta, There(FAR)), lib.cos_sin(theta, FAR))
    same(lib.cos_sin(theta, There(FAR), attention_factor=1.5), lib.cos_sin(theta, FAR, attention_factor=1.5))
    grid = lib.positions_grid(2, 3) * 1000
    F = lib.axial_frequencies(16, 2)
    same(lib.cos_sin_axes(F, There(grid)), lib.cos_sin_axes(F, grid))
    rope = lib.RotaryEmbedding(lib.RotarySpec(16, scaling="linear", params={"factor": 2.0}))
    same(rope.tables(There(FAR)), rope.tables(FAR))


@pytest.mark.parametrize("delta", [3, 2.5, torch.tensor(-7)])
def test_a_cache_is_moved_there(stage, delta):
    k, theta = torch.linspace(-1, 1, 2 * 3 * 16).view(1, 2, 3, 16), lib.inv_freq(16)
    there = There(delta) if isinstance(delta, torch.Tensor) else delta
    same([lib.rerotate(There(k), there, theta)], [lib.rerotate(k, delta, theta)])


def test_added_encodings_and_biases_are_worked_out_for_it(stage):
    same([lib.linear_positions(There(FAR), 4)], [lib.linear_positions(FAR, 4)])
    distances = torch.tensor([-3.5, 0.0, 2.25])
    same([lib.Sandwich(2).of_distance(There(distances))], [lib.Sandwich(2).of_distance(distances)])
    with pytest.raises(ValueError, match=r"dtype must not be torch\.float64 on meta"):
        lib.Sandwich(2).of_distance(There(distances), dtype=torch.float64)


def test_frequencies_train_there(stage):
    module = lib.TrainableFrequencies(8)
    with torch.no_grad():
        module.log_ratio += torch.linspace(-1, 1, 8)
    other = lib.TrainableFrequencies(8)
    other.log_ratio = torch.nn.Parameter(There(module.log_ratio.detach()))
    assert torch.equal(other(lib.inv_freq(16)), module(lib.inv_freq(16)))  # float64 lives on the CPU alone
    same(lib.cos_sin(other(lib.inv_freq(16)), There(FAR)), lib.cos_sin(module(lib.inv_freq(16)), FAR))


def test_float32_angles_stay_there_and_are_the_coarser_ones(stage):
    coarse = lib.cos_sin(lib.inv_freq(16), There(FAR), angle_dtype=torch.float32)
    same(coarse, lib.cos_sin(lib.inv_freq(16), FAR, angle_dtype=torch.float32))
    assert not torch.equal(coarse[0].numbers, lib.cos_sin(lib.inv_freq(16), FAR)[0])


@pytest.mark.parametrize("tables", [lib.cos_sin, lambda f, p, **o: lib.cos_sin_axes(f[None], p[None], **o)])
def test_float64_tables_are_refused_by_name(tables, stage):
    with pytest.raises(ValueError, match=r"dtype must not be torch\.float64 on meta.*pass torch\.float32"):
        tables(lib.inv_freq(16), There(FAR), dtype=torch.float64)


def test_which_devices_have_float64():
    assert not double.has_float64(torch.device("mps"))
    assert all(double.has_float64(torch.device(name)) for name in ("cpu", "cuda:1", "meta"))


def test_the_stage_refuses_float64_as_the_device_does(stage):
    for convert in (torch.Tensor.double, lambda x: x.to(torch.float64), lambda x: x.mul(lib.inv_freq(8))):
        with pytest.raises(TypeError, match="Cannot convert a MPS Tensor to float64"):
            convert(There(FAR[:, None].float()))
