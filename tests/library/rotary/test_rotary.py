"""The rotation as an algebra: group law, inverse, norm, relative scores; partial widths, refusals."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lib import (
    RotaryEmbedding,
    RotarySpec,
    apply_rotary,
    apply_rotary_pos_emb,
    apply_rotary_qk,
    cos_sin,
    inv_freq,
    rerotate,
    rotation_matrix,
)
from posenc_lib._torch_state import is_wrapped
from posenc_lib.rotary.engine.eager import _rotate_halves, rotate_by_formula
from posenc_lib.rotary.engine.traced import packs, rotate_traced

LAYOUTS = ["half", "interleaved"]
positions = st.integers(-(2**20), 2**20)
F64 = torch.float64
# Two angles below 2²¹ rad, each off by half an ulp of 2²¹ (2.3e-10); everything else is smaller.
ANGLE = 1e-9


def turn(x, m, dim=8, layout="half", **kw):
    return apply_rotary(x, *cos_sin(inv_freq(dim), torch.tensor(m), dtype=x.dtype), layout=layout, **kw)


@given(m=positions, n=positions, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=50, deadline=None)
def test_group_law(m, n, layout):
    x = torch.linspace(-1, 1, 8, dtype=F64)
    both = turn(turn(x, n, layout=layout), m, layout=layout)
    torch.testing.assert_close(both, turn(x, m + n, layout=layout), rtol=0, atol=ANGLE)


@given(m=positions, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=50, deadline=None)
def test_inverse_and_norm(m, layout):
    x = torch.linspace(-1, 1, 8, dtype=F64)
    y = turn(x, m, layout=layout)
    torch.testing.assert_close(turn(y, m, layout=layout, inverse=True), x, rtol=0, atol=1e-15)
    assert torch.equal(turn(x, m, layout=layout, inverse=True), turn(x, -m, layout=layout))
    torch.testing.assert_close(y.norm(), x.norm(), rtol=4e-16 * 4, atol=0)


@given(m=positions, n=positions, shift=positions, layout=st.sampled_from(LAYOUTS))
@settings(max_examples=50, deadline=None)
def test_score_depends_on_m_minus_n_only(m, n, shift, layout):
    q, k = torch.linspace(-1, 1, 8, dtype=F64), torch.linspace(1, 0, 8, dtype=F64)
    score = turn(q, m, layout=layout) @ turn(k, n, layout=layout)
    shifted = turn(q, m + shift, layout=layout) @ turn(k, n + shift, layout=layout)
    torch.testing.assert_close(score, shifted, rtol=0, atol=4 * ANGLE)


def test_sign_a_key_at_n_seen_from_m_turns_by_m_minus_n():
    q, k = torch.randn(8, dtype=F64), torch.randn(8, dtype=F64)
    h = torch.complex(q[:4], q[4:]) * torch.complex(k[:4], k[4:]).conj()
    expected = (h * torch.exp(1j * 5 * inv_freq(8))).sum().real
    torch.testing.assert_close(turn(q, 12) @ turn(k, 7), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, F64])
def test_efficient_form_equals_the_dense_matrix(layout, dtype, device):
    x = torch.randn(3, 5, 8, dtype=dtype, device=device)
    at = torch.tensor([0, 1, 17, 300, -4], device=device)
    dense = (rotation_matrix(inv_freq(8), at, layout) @ x.double().unsqueeze(-1)).squeeze(-1)
    ours = apply_rotary(x, *cos_sin(inv_freq(8), at, dtype=dtype), layout=layout)
    torch.testing.assert_close(ours, dense.to(dtype), rtol=0, atol=8 * torch.finfo(dtype).eps * 4)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rotation_matrices_are_orthogonal_and_start_at_one(layout):
    theta = inv_freq(6)
    m, n = rotation_matrix(theta, 5, layout), rotation_matrix(theta, -3, layout)
    assert torch.equal(rotation_matrix(theta, 0, layout), torch.eye(6, dtype=F64))
    torch.testing.assert_close(m @ m.T, torch.eye(6, dtype=F64), rtol=0, atol=1e-15)
    torch.testing.assert_close(m @ n, rotation_matrix(theta, 2, layout), rtol=0, atol=2e-15)
    assert torch.equal(m.T, rotation_matrix(theta, -5, layout))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, F64, torch.bfloat16])
def test_partial_rotation_leaves_the_other_channels_alone(layout, dtype):
    x = torch.randn(2, 5, 12, dtype=dtype)
    cos, sin = cos_sin(inv_freq(8), torch.arange(5), dtype=F64 if dtype == F64 else torch.float32)
    y = apply_rotary(x, cos, sin, layout=layout)
    assert torch.equal(y[..., 8:], x[..., 8:])
    alone = apply_rotary(x[..., :8].contiguous(), cos, sin, layout=layout)
    # another form may fuse a multiply and an add: one rounding of numbers below 8
    torch.testing.assert_close(y[..., :8], alone, rtol=0, atol=8 * torch.finfo(dtype).eps)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, F64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("width", [8, 12])
def test_in_place_gives_the_same_numbers_in_the_same_memory(layout, dtype, width, device):
    q, k = (torch.randn(2, h, 5, width, device=device).to(dtype) for h in (4, 2))
    cos, sin = cos_sin(
        inv_freq(8), torch.arange(5, device=device), dtype=F64 if dtype == F64 else torch.float32
    )
    expected = apply_rotary_qk(q, k, cos, sin, layout=layout)
    got = apply_rotary_qk(q, k, cos, sin, layout=layout, inplace=True)
    assert got[0] is q and got[1] is k
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=2 * torch.finfo(dtype).eps, atol=2 * torch.finfo(dtype).eps)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    "view",
    [
        lambda x: (
            x.transpose(1, 2).contiguous().transpose(1, 2)
        ),  # [batch, seq, heads, dim] seen the other way
        lambda x: torch.cat((x, x), dim=-1)[..., 1 : x.shape[-1] + 1],  # odd offset
        lambda x: torch.cat((x, x[..., :1]), dim=-1)[..., :-1],  # rows of odd length
        lambda x: torch.cat((x, x[..., :1]), dim=-1)[:, :, 1:].contiguous()[..., :-1],  # and in odd number
        lambda x: x.repeat_interleave(2, dim=-1)[..., ::2],  # stride 2 in the last axis
        lambda x: x[:1].expand(3, -1, -1, -1),
        lambda x: x[:, :, :0],
    ],
)
def test_strides_do_not_matter(layout, dtype, view):
    x = view(torch.randn(2, 3, 40, 8).to(dtype))
    cos, sin = cos_sin(inv_freq(8), torch.arange(x.shape[-2]))
    expected = apply_rotary(x.contiguous(), cos, sin, layout=layout)
    torch.testing.assert_close(apply_rotary(x, cos, sin, layout=layout), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_big_and_small_tensors_take_the_same_values(layout):
    big = torch.randn(1, 8, 700, 64)
    cos, sin = cos_sin(inv_freq(64), torch.arange(700))
    whole = apply_rotary(big, cos, sin, layout=layout)
    for m in (0, 511, 699):
        one = apply_rotary(big[:, :, m : m + 1].contiguous(), cos[m : m + 1], sin[m : m + 1], layout=layout)
        torch.testing.assert_close(whole[:, :, m : m + 1], one, rtol=0, atol=1e-6)  # one rounding of |x| < 8


def test_tables_of_every_shape_mean_what_the_docstring_says(device):
    x = torch.randn(2, 3, 5, 8, device=device)
    at = torch.randint(0, 100, (2, 5), device=device)
    cos, sin = cos_sin(inv_freq(8), at)
    per_row = apply_rotary(x, cos, sin)
    assert torch.equal(per_row, apply_rotary(x, cos[:, None], sin[:, None]))
    assert torch.equal(per_row[1], apply_rotary(x[1], cos[1], sin[1]))
    assert torch.equal(per_row[1, 2, 4], apply_rotary(x[1, 2, 4], cos[1, 4], sin[1, 4]))
    heads_last = apply_rotary(x.transpose(1, 2), cos[:, :, None], sin[:, :, None])
    assert torch.equal(heads_last.transpose(1, 2), per_row)


def test_offset_decode_equals_prefill(device):
    rope = RotaryEmbedding(RotarySpec(8, rotary_dim=6))
    q, k = torch.randn(2, 4, 9, 8, device=device), torch.randn(2, 1, 9, 8, device=device)
    q_all, k_all = rope(q, k)
    steps = [rope(q[..., m : m + 1, :], k[..., m : m + 1, :], offset=m) for m in range(9)]
    torch.testing.assert_close(torch.cat([s[0] for s in steps], dim=-2), q_all, rtol=0, atol=1e-6)
    torch.testing.assert_close(torch.cat([s[1] for s in steps], dim=-2), k_all, rtol=0, atol=1e-6)
    ids = torch.arange(9, device=device).expand(2, 9)
    assert torch.equal(rope(q, k, position_ids=ids)[0], q_all)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rerotating_moves_keys_and_changes_frequencies(layout):
    k, theta, other = torch.randn(2, 5, 8, dtype=F64), inv_freq(8), inv_freq(8, 5e5)
    at = torch.arange(5)
    kw = {"layout": layout}
    cached = apply_rotary(k, *cos_sin(theta, at, dtype=F64), **kw)
    moved = apply_rotary(k, *cos_sin(theta, at - 9, dtype=F64), **kw)
    torch.testing.assert_close(rerotate(cached, -9, theta, **kw), moved, rtol=0, atol=1e-14)
    refitted = apply_rotary(k, *cos_sin(other, at, attention_factor=1.5, dtype=F64), **kw)
    repaired = rerotate(cached, at, other - theta, attention_factor=1.5, **kw)
    torch.testing.assert_close(repaired, refitted, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("shape", [(2**13, 48), (3, 2**11, 48), (2, 3, 2**10, 48), (2**12, 4, 48)], ids=str)
@pytest.mark.parametrize("odd_offset", [False, True])
def test_big_tensors_are_turned_row_by_row_in_place_or_not(layout, dtype, shape, odd_offset):
    """Large enough for tiles, and partial: 32 of 48 channels turn."""
    x = torch.randn(*shape[:-1], shape[-1] + odd_offset).to(dtype)[..., int(odd_offset) :]
    seq, tiny = shape[-2], torch.finfo(dtype).eps
    cos, sin = cos_sin(inv_freq(32), torch.arange(seq), dtype=F64 if dtype == F64 else torch.float32)
    outside = apply_rotary(x, cos, sin, layout=layout)
    inside, other = x.clone(), x.clone()
    if odd_offset:
        inside = torch.cat((x[..., :1], x), dim=-1)[..., 1:]
    inside, _ = apply_rotary_qk(inside, other, cos, sin, layout=layout, inplace=True)
    for row in (0, 1, seq // 2 + 1, seq - 1):
        at = slice(row, row + 1)
        alone = apply_rotary(x[..., at, :].clone(), cos[at], sin[at], layout=layout)
        torch.testing.assert_close(outside[..., at, :], alone, rtol=tiny, atol=4 * tiny)
        torch.testing.assert_close(inside[..., at, :], alone, rtol=tiny, atol=4 * tiny)


def test_plain_numbers_are_positions_in_double_on_the_device_of_the_rest():
    theta = inv_freq(4)
    assert rotation_matrix(theta, 0.1)[0, 0].item() == math.cos(0.1)
    assert rotation_matrix(theta, 3, dtype=torch.bfloat16).dtype == torch.bfloat16
    assert rotation_matrix(theta.to("meta"), 3).device.type == "meta"
    assert rerotate(torch.randn(2, 4, device="meta"), 3, theta.to("meta")).device.type == "meta"
    assert rerotate(torch.randn(2, 4), 3, theta).dtype == torch.float32
    with pytest.raises(ValueError, match="position must be at most 9007199254740992, got"):
        rotation_matrix(theta, 2**53 + 1)


def test_an_axis_of_size_one_never_overlaps():
    q, k = (torch.randn(2, 5, 8).as_strided((1, 2, 5, 8), (0, 40, 8, 1)) for _ in range(2))
    tables = cos_sin(inv_freq(8), torch.arange(5))
    expected = apply_rotary(q, *tables)
    torch.testing.assert_close(apply_rotary_qk(q, k, *tables, inplace=True)[0], expected)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_one_token_under_vmap_may_have_tables_of_its_own_for_each(layout):
    q, k, at = torch.randn(1, 4, 1, 8), torch.randn(1, 2, 1, 8), torch.arange(3)
    rope = RotaryEmbedding(8, layout=layout)
    q_all, k_all = torch.func.vmap(lambda place: rope(q, k, place[None]))(at)
    for place, one_q, one_k in zip(at, q_all, k_all, strict=True):
        expected = rope(q, k, place[None])
        torch.testing.assert_close((one_q, one_k), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", [5, 2**14], ids=["small", "big"])
@pytest.mark.parametrize("heads", [1, 2], ids=["a batch of tables", "tables for each head"])
def test_tables_with_axes_of_their_own_turn_each_part_by_its_own_angle(layout, length, heads):
    """Together, in place or not; 4 of 6 channels; the big tensor is turned in tiles."""
    q, k = torch.randn(2, 2, length, 6), torch.randn(2, 2, length, 6)
    angle = torch.randn(2, heads, length, 2)
    tables = angle.cos(), angle.sin()
    parts = [
        torch.stack([
            torch.stack([turn_by(x[b, h], angle[b, h % heads], layout) for h in range(2)]) for b in range(2)
        ])
        for x in (q, k)
    ]  # fmt: skip
    for inplace in (False, True):
        for got, part in zip(
            apply_rotary_qk(q, k, *tables, layout=layout, inplace=inplace), parts, strict=True
        ):
            torch.testing.assert_close(got, part, rtol=0, atol=1e-5)  # angles in float32, |x| below 8


def turn_by(x, angle, layout):
    """Planes as complex numbers times e^{i·angle}; the channels beyond them unchanged."""
    n = angle.shape[-1]
    first, second = (
        (x[:, :n], x[:, n : 2 * n]) if layout == "half" else (x[:, : 2 * n : 2], x[:, 1 : 2 * n : 2])
    )
    z = torch.complex(first, second) * torch.exp(1j * angle)
    planes = torch.cat((z.real, z.imag), -1) if layout == "half" else torch.view_as_real(z).flatten(-2)
    return torch.cat((planes, x[:, 2 * n :]), -1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_finer_tables_are_used_in_full_and_leave_the_dtype_of_x(layout):
    x, angle = torch.randn(64, 8), torch.randn(64, 4, dtype=F64)
    got = apply_rotary(x, angle.cos(), angle.sin(), layout=layout)
    assert got.dtype == torch.float32
    assert torch.equal(got, apply_rotary(x.double(), angle.cos(), angle.sin(), layout=layout).float())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("width", [8, 12])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_the_form_for_a_compiler_is_the_same_map(layout, width, dtype):
    """Outside a compiler, where each of its branches can be looked at."""
    x, angle = torch.randn(3, 5, width).to(dtype), torch.randn(5, 4)
    true = torch.stack([turn_by(row, angle, layout) for row in x.double()])
    got = rotate_traced(x, angle.cos()[None], angle.sin()[None], layout)
    assert got.dtype == dtype
    assert torch.equal(got[..., 8:], x[..., 8:])
    torch.testing.assert_close(got.double(), true, rtol=torch.finfo(dtype).eps / 2, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_half_precision_tables_are_multiplied_in_float32(layout):
    x, angle = torch.randn(64, 8).bfloat16(), torch.randn(64, 4)
    cos, sin = angle.cos().bfloat16(), angle.sin().bfloat16()
    wide = apply_rotary(x.double(), cos.double(), sin.double(), layout=layout)
    got = apply_rotary(x, cos, sin, layout=layout)
    # one rounding, of a number that float32 gives to its last places
    assert ((got.double() - wide).abs() <= torch.finfo(torch.bfloat16).eps / 2 * wide.abs() + 1e-6).all()


def test_big_tensors_under_transforms_and_with_trained_tables():
    """Tiles are written into, which neither torch.func nor gradients in the tables allow."""
    x, theta, at = torch.randn(2, 2**12, 32, dtype=F64), inv_freq(32), torch.arange(2**12)
    cos, sin = cos_sin(theta, at, dtype=F64)
    expected = apply_rotary(x, cos, sin)
    torch.testing.assert_close(
        torch.func.vmap(lambda y: apply_rotary(y, cos, sin))(x), expected, rtol=0, atol=1e-14
    )
    both = torch.func.vmap(lambda c: apply_rotary(x, c, sin))(torch.stack((cos, cos)))
    torch.testing.assert_close(both[1], expected, rtol=0, atol=1e-14)
    trained = cos.clone().requires_grad_()
    (slope,) = torch.autograd.grad(apply_rotary(x, trained, sin).sum(), trained)
    torch.testing.assert_close(slope, (x[..., :16] + x[..., 16:]).sum(0), rtol=0, atol=1e-13)


def test_tables_fit_by_their_sizes_and_never_by_accident():
    fits = [
        ((5, 8), (1, 4)),
        ((2, 4, 5, 8), (2, 4, 5, 4)),
        ((3, 2, 4, 5, 8), (3, 2, 5, 4)),
        ((2, 4, 5, 8), (1, 1, 1, 4)),
    ]
    for x, table in fits:
        angle = torch.randn(table)
        assert apply_rotary(torch.randn(x), angle.cos(), angle.sin()).shape == x
    accidents = [
        ((2, 4, 5, 8), (1, 4)),
        ((2, 4, 5, 8), (2, 1, 4)),
        ((2, 4, 5, 8), (2, 1, 3, 4)),
        ((2, 4, 5, 8), (3, 5, 4)),
        ((1, 4, 5, 8), (2, 4, 5, 4)),
        ((5, 8), (3, 5, 4)),
    ]
    for x, table in accidents:
        with pytest.raises(ValueError, match="do not fit"):
            apply_rotary(torch.randn(x), torch.ones(table), torch.ones(table))


def test_the_attention_factor_multiplies_both_tables():
    theta, at = inv_freq(8), torch.arange(9)
    for factor in (1.0, 1.5, 2.0):
        for scaled, plain in zip(
            cos_sin(theta, at, attention_factor=factor, dtype=F64), cos_sin(theta, at, dtype=F64), strict=True
        ):
            assert torch.equal(scaled, factor * plain)


@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("width", [8, 12])
def test_the_form_for_a_gpu_is_the_same_map_of_as_many_channels_as_the_tables_have(width, dtype):
    """It is plain arithmetic, so it can be compared here; sums are taken in another order."""
    torch.manual_seed(0)
    x = torch.randn(2, 3, 5, width, dtype=F64).to(dtype)
    wide = torch.promote_types(dtype, torch.float32)
    for tables in (
        cos_sin(inv_freq(8), torch.arange(5), dtype=wide),
        cos_sin(inv_freq(8), torch.arange(5), dtype=dtype),
    ):
        ours, formula = (
            form(x, *tables, *more) for form, more in ((_rotate_halves, ()), (rotate_by_formula, ("half",)))
        )
        assert ours.dtype == dtype and torch.equal(ours, formula)


def test_the_form_for_a_compiler_keeps_channels_beyond_the_tables_whatever_the_other_sizes():
    """The tables turn 4 channels of 6; the length is 4, too."""
    x, angle = torch.randn(2, 4, 6).bfloat16(), torch.randn(4, 2)
    got = rotate_traced(x, angle.cos(), angle.sin(), "interleaved")
    assert torch.equal(got, apply_rotary(x, angle.cos(), angle.sin(), layout="interleaved"))
    assert torch.equal(got[..., 4:], x[..., 4:])


def test_a_tensor_of_a_class_of_its_own_is_neither_tiled_nor_read_as_words():
    class Own(torch.Tensor):
        pass

    x, cos = torch.zeros(4, 8, dtype=torch.bfloat16), torch.ones(4)
    assert packs(x, cos) and not is_wrapped(x)
    assert not packs(x.as_subclass(Own), cos) and is_wrapped(x.as_subclass(Own))


def test_half_width_tables_for_an_odd_number_of_channels_are_not_halved_again():
    """Four planes turn 8 channels of 9; width 4 could also be two planes, doubled, but its halves differ."""
    angle, q = torch.randn(2, 5, 4, dtype=F64), torch.randn(2, 3, 5, 9, dtype=F64)
    got, _ = apply_rotary_pos_emb(q, q, angle.cos(), angle.sin())
    assert torch.equal(got, apply_rotary(q, angle.cos(), angle.sin()))
