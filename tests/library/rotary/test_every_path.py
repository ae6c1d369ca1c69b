"""One property: on every path, in every form, queries and keys are the complex product in float64, rounded.

A path is a function that turns both: alone, together, in place, under a compiler, exported, under vmap, or
in the slot of another project. A form is a pair of shapes with tables that fit both.
"""

from itertools import product

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from written import cases, doubled

from posenc_lib import (
    RotaryEmbedding,
    _aliasing,
    apply_rotary,
    apply_rotary_pos_emb,
    apply_rotary_qk,
    cos_sin,
    inv_freq,
)
from posenc_lib.hf import liger_rotary, rotary_layer, titan_rotary
from posenc_lib.rotary.engine import autograd, eager
from posenc_lib.rotary.engine.eager import rotate_by_formula
from posenc_lib.rotary.engine.traced import packs, rotate_packed

F64, BF16 = torch.float64, torch.bfloat16
DTYPES = (torch.float32, F64, BF16, torch.float16)
layouts = pytest.mark.parametrize("layout", ["half", "interleaved"])
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    """Large is what has 1024 numbers, and not 2**21: several tiles, the last one shorter."""
    monkeypatch.setattr(eager, "TILE", 2**7)
    monkeypatch.setattr(autograd, "_FEW", 2**10)


def complex_product(x, cos, sin, layout, seq_dim=-2):
    """Planes as complex numbers times cos + i·sin, in float64; the channels beyond them unchanged."""
    n, turn = cos.shape[-1], torch.complex(cos.double(), sin.double())
    if turn.ndim < x.ndim and (turn.ndim > 2 or seq_dim == -3) and turn.ndim > 1:
        turn = turn.unsqueeze(-5 - seq_dim)  # the axis of the heads
    x, beyond = x[..., : 2 * n].double(), x[..., 2 * n :].double()
    pairs = x.unflatten(-1, (2, n)).movedim(-2, -1) if layout == "half" else x.unflatten(-1, (n, 2))
    turned = torch.view_as_real(torch.complex(*pairs.unbind(-1)) * turn)
    turned = turned.movedim(-1, -2) if layout == "half" else turned
    return torch.cat((turned.flatten(-2), beyond), -1)


def near(got, x, *tables, layout="half", seq_dim=-2):
    """Products and sums of numbers below 8, in float32 or wider, and one rounding to the dtype of x."""
    true, wide = complex_product(x, *tables, layout, seq_dim), torch.promote_types(x.dtype, tables[0].dtype)
    atol = 2e-15 if wide == F64 else 1e-6
    assert got.dtype == x.dtype and got.shape == x.shape
    assert torch.equal(got[..., 2 * tables[0].shape[-1] :], x[..., 2 * tables[0].shape[-1] :])
    torch.testing.assert_close(got.double(), true, rtol=torch.finfo(x.dtype).eps / 2, atol=atol)


def alone(q, k, *tables, **options):
    return tuple(apply_rotary(x, *tables, **options) for x in (q, k))


def in_place(q, k, *tables, **options):
    copies = q.clone(), k.clone()
    turned = apply_rotary_qk(*copies, *tables, **options, inplace=True)
    assert turned[0] is copies[0] and turned[1] is copies[1]
    return turned


EAGER = (alone, apply_rotary_qk, in_place)
FORMS = cases("forms")


def made(form, dtype, tables=None):
    """Vectors, and tables of float32 or wider, whose angles are any."""
    torch.manual_seed(0)
    q, k, table = form
    angle = torch.randn(table, dtype=tables or torch.promote_types(dtype, torch.float32))
    return torch.randn(q).to(dtype), torch.randn(k).to(dtype), angle.cos(), angle.sin()


@layouts
@dtypes
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_path_is_the_complex_product(form, dtype, layout):
    q, k, *tables = made(form, dtype)
    before = q.clone(), k.clone()
    for path in EAGER:
        for got, x in zip(path(q, k, *tables, layout=layout), (q, k), strict=True):
            near(got, x, *tables, layout=layout)
        assert torch.equal(q, before[0]) and torch.equal(k, before[1])


@layouts
@dtypes
@pytest.mark.parametrize("table", [(), (-1,), (2, -1)], ids=["one position", "shared", "each row its own"])
@pytest.mark.parametrize(("length", "planes"), [(1, 4), (1, 2), (4, 4), (4, 2), (6, 4), (2**6, 2)], ids=str)
def test_the_sequence_may_come_before_the_heads(length, planes, table, dtype, layout):
    table = (*(length if size == -1 else size for size in table), planes)
    q, k, *tables = made(((2, length, 4, 8), (2, length, 2, 8), table), dtype)
    for path in EAGER:
        for got, x in zip(path(q, k, *tables, layout=layout, seq_dim=-3), (q, k), strict=True):
            near(got, x, *tables, layout=layout, seq_dim=-3)
            assert path is not alone or got.is_contiguous()


@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_tables_with_as_many_axes_are_in_the_order_of_x(seq_dim):
    q, k, *tables = made(((2, 6, 4, 8), (2, 6, 2, 8), (2, 6, 1, 4)), torch.float32)
    for got, x in zip(apply_rotary_qk(q, k, *tables, seq_dim=seq_dim), (q, k), strict=True):
        near(got, x, *tables)


VIEWS = {
    "the other way": lambda x: x.transpose(-3, -2).contiguous().transpose(-3, -2),
    "odd offset": lambda x: torch.cat((x, x), -1)[..., 1 : x.shape[-1] + 1],
    "rows of odd length": lambda x: torch.cat((x, x[..., :1]), -1)[..., :-1],
    "in odd number": lambda x: torch.cat((x, x[..., :1]), -1)[:, :, 1:].contiguous()[..., :-1],
    "stride 2": lambda x: x.repeat_interleave(2, dim=-1)[..., ::2],
    "expanded": lambda x: x[:1].expand(3, -1, -1, -1),
    "empty": lambda x: x[:, :, :0],
}


@layouts
@dtypes
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("length", [3, 40], ids=["small", "large"])
def test_strides_do_not_matter(layout, dtype, view, length):
    x = view(torch.randn(2, 3, length, 48, generator=torch.Generator().manual_seed(0)).to(dtype))
    tables = made(((1,), (1,), (x.shape[-2], 16)), dtype)[2:]
    for path in (alone, apply_rotary_qk):
        near(path(x, x, *tables, layout=layout)[0], x, *tables, layout=layout)
    if 0 not in x.stride():
        other = x.clone(memory_format=torch.preserve_format)
        near(in_place(x, other, *tables, layout=layout)[0], x, *tables, layout=layout)


@layouts
@pytest.mark.parametrize(
    ("dtype", "wide"), [(torch.float32, F64), (BF16, BF16), (BF16, torch.float16), (BF16, F64)], ids=str
)
def test_tables_are_used_in_full_and_leave_the_dtype_of_x(layout, dtype, wide):
    """Whatever their width: finer ones are multiplied in their own, those of 16 bits in float32."""
    q, k, *tables = made(FORMS["a batch of tables"], dtype, wide)
    for path in EAGER:
        near(path(q, k, *tables, layout=layout)[0], q, *tables, layout=layout)


@layouts
@pytest.mark.parametrize("axes", [3, 4])
def test_whatever_their_shapes_queries_and_keys_together_are_each_as_alone(axes, layout):
    """Every pair of shapes of sizes 2 and 4, at one position."""
    angle, shapes = torch.tensor([0.7]), [(*s, d) for d in (2, 4) for s in product((2, 4), repeat=axes - 1)]
    tables, x = (angle.cos(), angle.sin()), {s: torch.randn(s) for s in shapes}
    for q, k in product(shapes, repeat=2):
        for got, shape in zip(apply_rotary_qk(x[q], x[k], *tables, layout=layout), (q, k), strict=True):
            near(got, x[shape], *tables, layout=layout)


def compiled(q, k, *tables, **options):
    torch._dynamo.reset()
    call = torch.compile(lambda *x: apply_rotary_qk(*x, **options), fullgraph=True, backend="aot_eager")
    return call(q, k, *tables)


class Turn(torch.nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, *given):
        return apply_rotary_qk(*given, **self.options)


def exported(q, k, *tables, **options):
    return torch.export.export(Turn(**options), (q, k, *tables)).module()(q, k, *tables)


def vmapped(q, k, *tables, **options):
    return torch.func.vmap(lambda *x: apply_rotary_qk(*x, *tables, **options))(q, k)


TRACED = {"compiled": compiled, "exported": exported, "vmap": vmapped}


# Every pair of a layout, a dtype and an axis.
TRACED_FORMS = [("half", torch.float32, -2), ("half", BF16, -3)]
TRACED_FORMS += [("interleaved", torch.float32, -3), ("interleaved", BF16, -2)]


@pytest.mark.parametrize(("layout", "dtype", "seq_dim"), TRACED_FORMS, ids=str)
@pytest.mark.parametrize("path", TRACED.values(), ids=TRACED)
def test_graphs_and_transforms_are_the_complex_product(path, seq_dim, dtype, layout):
    q, k, *tables = made(((2, 6, 6, 12), (2, 6, 6, 12), (6, 4)), dtype)
    for got, x in zip(path(q, k, *tables, layout=layout, seq_dim=seq_dim), (q, k), strict=True):
        near(got, x, *tables, layout=layout, seq_dim=seq_dim)


def drop_in(q, k, *tables, heads=1):
    return apply_rotary_pos_emb(q, k, *map(doubled, tables), unsqueeze_dim=heads)


def titan(q, k, *tables, heads=1):
    cache = torch.cat([doubled(table) for table in tables], -1)[:, :, None]
    turned = titan_rotary()(*(x if heads == 2 else x.transpose(1, 2) for x in (q, k)), cache)
    return tuple(x if heads == 2 else x.transpose(1, 2) for x in turned)


SLOTS = {
    "drop-in": drop_in,
    "drop-in, half the width": lambda q, k, *t, heads: apply_rotary_pos_emb(q, k, *t, unsqueeze_dim=heads),
    "drop-in, from the end": lambda q, k, *t, heads: apply_rotary_pos_emb(q, k, *t, unsqueeze_dim=heads - 4),
    "kernels": lambda q, k, *t, heads: rotary_layer()()(q, k, *map(doubled, t), unsqueeze_dim=heads),
    "kernels, once": lambda q, k, *t, heads: rotary_layer(doubled=False)()(q, k, *t, unsqueeze_dim=heads),
    "Liger": lambda q, k, *t, heads: liger_rotary()(q, k, *map(doubled, t), unsqueeze_dim=heads),
    "torchtitan": titan,
}


@pytest.mark.parametrize("dtype", [torch.float32, F64, BF16], ids=str)
@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("slot", SLOTS.values(), ids=SLOTS)
def test_what_stands_in_the_slot_of_another_project_is_the_complex_product(slot, heads, batch, dtype):
    q, k, *tables = made(((2, 4, 5, 16), (2, 2, 5, 16), (batch, 5, 8)), dtype)
    given = [x if heads == 1 else x.transpose(1, 2).contiguous() for x in (q, k)]
    for got, x in zip(slot(*given, *tables, heads=heads), (q, k), strict=True):
        near(got if heads == 1 else got.transpose(1, 2), x, *tables)


@layouts
def test_one_token_under_vmap_may_have_tables_of_its_own_for_each(layout):
    q, k, at = torch.randn(1, 4, 1, 8), torch.randn(1, 2, 1, 8), torch.arange(3)
    rope = RotaryEmbedding(8, layout=layout)
    turned = torch.func.vmap(lambda place: rope(q, k, place[None]))(at)
    for index, both in enumerate(zip(*turned, strict=True)):
        for got, x in zip(both, (q, k), strict=True):
            near(got, x, *cos_sin(inv_freq(8), at[index : index + 1]), layout=layout)


def test_big_tensors_under_transforms_and_with_trained_tables():
    """Tiles are written into, which neither torch.func nor gradients in the tables allow."""
    x, _, cos, sin = made(((2, 2**6, 32), (1,), (2**6, 16)), F64)
    near(torch.func.vmap(lambda y: apply_rotary(y, cos, sin))(x), x, cos, sin)
    near(torch.func.vmap(lambda c: apply_rotary(x, c, sin))(torch.stack((cos, cos)))[1], x, cos, sin)
    trained = cos.clone().requires_grad_()
    (slope,) = torch.autograd.grad(apply_rotary(x, trained, sin).sum(), trained)
    torch.testing.assert_close(slope, (x[..., :16] + x[..., 16:]).sum(0), rtol=0, atol=1e-13)


CUTS = {
    "channels": lambda x: x.flatten(2).unflatten(2, (3, 16)).transpose(1, 2).split(8, -1),
    "heads of one projection": lambda x: x.transpose(1, 2).split((4, 2), 1),
    "every second": lambda x: (x.transpose(1, 2)[:, ::2], x.transpose(1, 2)[:, 1::2]),
    "an axis of size one": lambda x: x.flatten()[:80].as_strided((2, 1, 1, 5, 8), (40, 40, 0, 8, 1)),
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_in_place_on_parts_of_one_tensor_that_do_not_meet(cut):
    """As a joint projection gives them: their memory is one block, their elements are not."""
    q, k = cut(torch.randn(2, 5, 6, 8))
    before, tables = (q.clone(), k.clone()), cos_sin(inv_freq(8), torch.arange(5))
    for got, x in zip(apply_rotary_qk(q, k, *tables, inplace=True), before, strict=True):
        near(got, x, *tables)


class Counted(TorchDispatchMode):
    """What torch is asked for."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.calls.append(function.overloadpacket)
        return function(*args, **kwargs or {})


@layouts
def test_one_token_in_place_costs_two_copies_and_no_search_for_shared_memory(layout, monkeypatch):
    monkeypatch.delattr(_aliasing, "_ways")
    (q, k), tables = (
        (torch.randn(1, heads, 1, 16) for heads in (4, 2)),
        cos_sin(inv_freq(16), torch.arange(1)),
    )
    with Counted() as anew:
        expected = apply_rotary_qk(q, k, *tables, layout=layout)
    with Counted() as over:
        got = apply_rotary_qk(q, k, *tables, layout=layout, inplace=True)
    assert over.calls == [*anew.calls, torch.ops.aten.copy_, torch.ops.aten.copy_]
    assert got[0] is q and got[1] is k and all(map(torch.equal, got, expected))


def test_in_place_on_an_inference_tensor_and_in_a_transform():
    x, tables = torch.randn(2, 3, 5, 8), cos_sin(inv_freq(8), torch.arange(5))
    with torch.inference_mode():
        fresh = x.clone()
        assert apply_rotary_qk(fresh, x.clone(), *tables, inplace=True)[0] is fresh
    with pytest.raises(ValueError, match="q, an inference tensor"):
        apply_rotary_qk(fresh, x.clone(), *tables, inplace=True)
    with pytest.raises(ValueError, match=r"no gradient of q in torch\.func"):
        torch.func.grad(lambda q: apply_rotary_qk(q * 1, x.clone(), *tables, inplace=True)[0].sum())(x)
    empty = x[:0]
    assert apply_rotary_qk(empty.clone(), empty.clone(), *tables, inplace=True)[0].shape == empty.shape


# Planes as 32-bit words: the same bits as the plain formula, infinities, NaN and ties included.


def test_words_have_the_same_bits_as_the_formula():
    x, _, *tables = made(((2, 3, 500, 64), (1,), (500, 32)), BF16)
    assert torch.equal(rotate_packed(x, *tables), rotate_by_formula(x, *tables, "interleaved"))


@pytest.mark.parametrize("scale", [1.0, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20])  # on and beside ties
def test_ties_infinities_and_nan_round_as_torch_rounds_them(scale):
    one, none = torch.ones(1, 1), torch.zeros(1, 1)
    values = torch.tensor([1.0, -1.0, 3.0e38, -3.0e38, torch.inf, -torch.inf, torch.nan, 0.0, -0.0, 1e-40])
    x = values.bfloat16()[:, None].expand(-1, 2).contiguous()
    got, true = rotate_packed(x, one * scale, none), rotate_by_formula(x, one * scale, none, "interleaved")
    assert torch.equal(got.isnan(), true.isnan())
    assert torch.equal(got.nan_to_num(7.0).view(torch.int16), true.nan_to_num(7.0).view(torch.int16))


class Own(torch.Tensor):
    pass


WORDS = torch.zeros(4, 6, 8, dtype=BF16)
NO_WORDS = {
    "float16": WORDS.half(),
    "odd stride": torch.zeros(4, 6, 9, dtype=BF16)[..., :8],
    "transposed": torch.zeros(4, 8, 6, dtype=BF16).mT,
    "a class of its own": WORDS.as_subclass(Own),
}


@pytest.mark.parametrize("x", NO_WORDS.values(), ids=NO_WORDS)
def test_what_cannot_be_read_as_words_is_left_alone(x):
    cos = torch.ones(6, 4)
    assert packs(WORDS, cos) and not packs(WORDS, cos.double()) and not packs(x, cos)


def test_gradients_of_words_are_turned_back():
    """Of half of the channels; code of words is generated in test_torch_transforms.py."""
    x, seed, cos, sin = made(((2, 20, 32), (2, 20, 32), (20, 8)), BF16)
    turn = lambda x: apply_rotary(x, cos, sin, layout="interleaved")  # noqa: E731
    turned = torch.compile(turn, fullgraph=True, backend="aot_eager")(x.requires_grad_())
    near(turned.detach(), x.detach(), cos, sin, layout="interleaved")
    near(*torch.autograd.grad(turned, x, seed), seed, cos, -sin, layout="interleaved")


def test_a_tensor_that_starts_at_an_odd_element_is_refused_under_a_compiler_with_a_reason():
    odd, tables = torch.zeros(6 * 8 + 1, dtype=BF16)[1:].view(6, 8), cos_sin(inv_freq(8), torch.arange(6))
    turn = lambda x: apply_rotary(x, *tables, layout="interleaved")  # noqa: E731
    assert turn(odd).shape == odd.shape
    with pytest.raises(RuntimeError, match="storage_offset"):
        torch.compile(turn)(odd)
