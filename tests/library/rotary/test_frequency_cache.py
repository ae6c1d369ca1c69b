"""Frequencies that a layer keeps are those that it would make, whatever came before.

A layer whose frequencies are kept is compared, bit for bit, with a new one.
"""

import copy
import pickle

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from posenc_lib import RotaryEmbedding, RotarySpec
from posenc_lib.rotary.frequency_cache import Purpose, kept

DIM = 128
GROWING = {"factor": 2.0, "original_max_position_embeddings": 16}
YARN = {"factor": 4.0, "original_max_position_embeddings": 64}
FIELDS = {
    "plain": {},
    "partial": {"rotary_dim": 32, "base": 5e5},
    "factor": {"scaling": "yarn", "params": YARN},
    "axes": {"sections": (16, 24, 24)},
    "dynamic": {"scaling": "dynamic", "params": GROWING},
}
AT = torch.tensor([[2047]])


def used(**fields):
    """A layer that keeps frequencies by now."""
    rope = RotaryEmbedding(DIM, **fields)
    rope.tables(AT)
    assert rope._kept is not None
    return rope


def same(got, expected):
    assert len(got) == len(expected) > 0
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype and torch.equal(one, other)


def one_token(dtype, key_heads=8):
    return torch.randn(1, 32, 1, DIM).to(dtype), torch.randn(1, key_heads, 1, DIM).to(dtype)


@pytest.mark.parametrize("angle_dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("fields", FIELDS.values(), ids=FIELDS)
def test_every_call_gives_what_a_new_layer_gives(fields, angle_dtype):
    def new():
        return RotaryEmbedding(DIM, angle_dtype=angle_dtype, **fields)

    rope = new()
    places = [torch.arange(9), torch.tensor([[3]], dtype=torch.int32), torch.rand(2, 5), torch.arange(0)]
    for length in (None, 12, 40, 12, None, 100, 100):
        for at in places:
            if rope.several_axes and at.ndim > 1:
                at = at.expand(3, *at.shape)
            for dtype in (torch.float32, torch.float64, torch.bfloat16):
                given = {"length": length, "dtype": dtype}
                same(rope.tables(at, **given), new().tables(at, **given))


def test_another_description_is_another_ladder():
    rope, other = used(), used(base=5e5)
    rope.spec = other.spec
    same(rope.tables(AT), other.tables(AT))
    rope.angle_dtype = torch.float32
    same(rope.tables(AT), RotaryEmbedding(DIM, base=5e5, angle_dtype=torch.float32).tables(AT))
    rope.frequencies = RotaryEmbedding(DIM, learnable=True).frequencies
    with torch.no_grad():
        rope.frequencies.log_ratio += 1
    assert not torch.equal(rope.tables(AT)[0], other.tables(AT)[0])


def test_frequencies_that_train_are_never_kept():
    rope = RotaryEmbedding(DIM, learnable=True)
    for _ in range(2):
        before = rope.tables(AT)[0]
        before.sum().backward()
        assert rope._kept is None and rope.frequencies.log_ratio.grad.any()
        with torch.no_grad():
            rope.frequencies.log_ratio += 0.1
        assert not torch.equal(rope.tables(AT)[0], before)


def test_nobody_is_handed_what_is_kept():
    rope, at = used(), torch.arange(3, 5)
    rope.inv_freq()[0].zero_()
    for table in rope.tables(at):
        table.zero_()
    same(rope.tables(at), RotaryEmbedding(DIM).tables(at))


def test_they_are_no_state_and_no_copy_has_them():
    fresh, rope = RotaryEmbedding(DIM), used()
    assert rope.state_dict() == {} and list(rope.buffers()) == list(rope.parameters()) == []
    assert pickle.dumps(rope) == pickle.dumps(fresh)
    for twin in (copy.copy(rope), copy.deepcopy(rope), pickle.loads(pickle.dumps(rope))):
        assert twin._kept is None and twin.spec == rope.spec
        assert "_kept" not in fresh.__dict__  # nor has a pickle that knew nothing of them
        same(twin.tables(AT), rope.tables(AT))


def test_every_device_gets_its_own():
    """The meta device stands for another one; then a layer made there is filled here."""
    rope, meta = used(), AT.to("meta")
    assert all(table.is_meta for table in rope.tables(meta))
    same(rope.tables(AT), RotaryEmbedding(DIM).tables(AT))
    with torch.device("meta"):
        hollow = RotaryEmbedding(DIM)
    assert hollow.tables(meta)[0].is_meta
    same(hollow.to_empty(device="cpu").tables(AT), rope.tables(AT))


def test_where_meta_is_the_default_numbers_are_refused_and_not_kept():
    rope = RotaryEmbedding(DIM)
    with torch.device("meta"), pytest.raises(ValueError, match="inv_freq is on meta"):
        rope.tables(AT)
    assert rope._kept is None
    same(rope.tables(AT), used().tables(AT))


def test_a_device_without_float64_has_them_on_the_cpu():
    spec = RotarySpec(DIM)
    purpose = Purpose(spec, torch.float64, None, torch.device("mps"))
    found = kept(lambda length: (spec.inv_freq(length), 1.0), purpose)
    assert found.inv_freq.device.type == "cpu" and torch.equal(found.inv_freq, spec.inv_freq())


def test_what_was_made_in_inference_mode_serves_training():
    rope = RotaryEmbedding(DIM)
    with torch.inference_mode():
        rope.tables(AT)
    assert not rope._kept.inv_freq.is_inference()
    at = torch.rand(1, 3, requires_grad=True)
    rope.tables(at)[0].sum().backward()  # saves the frequencies
    assert at.grad.any()


def made_fake(rope):
    with FakeTensorMode() as mode:
        rope.tables(mode.from_tensor(AT))


WORLDS = {
    "fake tensors": made_fake,
    "vmap": lambda rope: torch.func.vmap(lambda at: rope.tables(at)[0])(torch.rand(2, 3)),
    "grad": lambda rope: torch.func.grad(lambda at: rope.tables(at)[0].sum())(torch.rand(3)),
    "jvp": lambda rope: torch.func.jvp(lambda at: rope.tables(at)[0], (torch.rand(3),), (torch.ones(3),)),
    "functionalize": lambda rope: torch.func.functionalize(lambda at: rope.tables(at)[0])(AT),
    "make_fx": lambda rope: make_fx(lambda at: rope.tables(at)[0], tracing_mode="fake")(AT),
    "jit.trace": lambda rope: torch.jit.trace(lambda at: rope.tables(at)[0], AT, check_trace=False),
    "autocast": lambda rope: torch.autocast("cpu", torch.bfloat16)(rope.tables)(AT),
    "compile": lambda rope: torch.compile(rope.tables, backend="eager", fullgraph=True)(AT),
    "export": lambda rope: torch.export.export(rope, one_token(torch.float32), {"position_ids": AT}),
}


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("world", WORLDS)
def test_no_world_leaves_anything_behind(world):
    """A layer first called there gives the right numbers here; and one called here can be called there."""
    torch._dynamo.reset()
    rope, expected = RotaryEmbedding(DIM), used().tables(AT)
    for _ in range(2):
        WORLDS[world](rope)
        assert rope._kept is None or type(rope._kept.inv_freq) is torch.Tensor
        same(rope.tables(AT), expected)


def test_an_exported_program_makes_its_own():
    rope, (q, k) = used(), one_token(torch.float32)
    program = torch.export.export(rope, (q, k), {"position_ids": AT})
    assert not program.constants and not program.state_dict
    assert any("pow" in str(node.target) for node in program.graph.nodes)
    same(program.module()(q, k, position_ids=torch.tensor([[5]])), rope(q, k, torch.tensor([[5]])))


@pytest.mark.parametrize("name", ["plain", "dynamic"])
def test_a_wrong_length_is_refused_after_a_right_one(name):
    rope = RotaryEmbedding(DIM, **FIELDS[name])
    rope.tables(AT, length=2048)
    for wrong, error in ((True, TypeError), (1.0, TypeError), ("12", TypeError), (-1, ValueError)):
        with pytest.raises(error, match=r"length must be (an int|at least 0)"):
            rope.tables(AT, length=wrong)


@pytest.mark.parametrize("kind", [torch.int64, torch.float32, torch.float64], ids=str)
def test_positions_are_looked_at_in_every_call_one_or_many(kind):
    rope = used()
    bad = 2**53 + 2 if kind == torch.int64 else float("nan")
    for shape in ((1, 1), (1,), (), (1, 3)):
        with pytest.raises(ValueError, match="position_ids must"):
            rope.tables(torch.full(shape, bad, dtype=kind))
        good = torch.full(shape, 2**53 if kind == torch.int64 else 2.5, dtype=kind)
        same(rope.tables(good), RotaryEmbedding(DIM).tables(good))
    with pytest.raises(TypeError, match="dtype must be one of"):
        rope.tables(AT, dtype=torch.int64)
