"""The rotation as an algebra: group law, inverse, norm, relative scores; partial widths, refusals."""

import math
import re
from itertools import product

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
    shift_matrix,
)
from posenc_lib._torch_state import is_wrapped
from posenc_lib.angles.fit import fit_tables
from posenc_lib.rotary.engine.eager import _rotate_halves, rotate_by_formula, rotate_own, rotate_small
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


def doubled(table):
    return torch.cat((table, table), dim=-1)


@pytest.mark.parametrize("unsqueeze_dim", [1, 2])
def test_hugging_face_drop_in(unsqueeze_dim):
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    q, k = torch.randn(2, 4, 6, 16), torch.randn(2, 2, 6, 16)
    if unsqueeze_dim == 2:
        q, k = q.transpose(1, 2), k.transpose(1, 2)
    cos, sin = cos_sin(inv_freq(16), torch.randint(0, 50, (2, 6)))
    theirs = llama.apply_rotary_pos_emb(q, k, doubled(cos), doubled(sin), unsqueeze_dim=unsqueeze_dim)
    for tables in ((doubled(cos), doubled(sin)), (cos, sin)):
        ours = apply_rotary_pos_emb(q, k, *tables, unsqueeze_dim=unsqueeze_dim)
        for a, b in zip(ours, theirs, strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=1e-6)  # two roundings of numbers below 8


@pytest.mark.parametrize("rotated", [4, 8])
def test_hugging_face_drop_in_with_partial_rotary(rotated):
    q, k = torch.randn(2, 4, 6, 16), torch.randn(2, 2, 6, 16)
    cos, sin = cos_sin(inv_freq(rotated), torch.arange(6)[None])
    ours = apply_rotary_pos_emb(q, k, doubled(cos), doubled(sin))
    expected = apply_rotary_qk(q, k, cos[:, None], sin[:, None])
    assert torch.equal(ours[0], expected[0]) and torch.equal(ours[1], expected[1])


def test_hugging_face_drop_in_compiled_for_any_length():
    compiled = torch.compile(apply_rotary_pos_emb, backend="eager", fullgraph=True, dynamic=True)
    for length in (6, 9):
        q, k = torch.randn(2, 4, length, 8), torch.randn(2, 2, length, 8)
        tables = [doubled(table)[None] for table in cos_sin(inv_freq(8), torch.arange(length))]
        assert all(map(torch.equal, compiled(q, k, *tables), apply_rotary_pos_emb(q, k, *tables)))


class TestRefusals:
    x = torch.randn(2, 3, 5, 8)
    tables = cos_sin(inv_freq(8), torch.arange(5))

    @pytest.mark.parametrize("shape", [(4, 4), (1, 4), (3, 5, 4), (2, 4, 4), (2, 2, 5, 4), (1, 1, 2, 5, 4)])
    def test_tables_that_do_not_fit(self, shape):
        with pytest.raises(ValueError, match="do not fit x of shape"):
            apply_rotary(self.x, torch.ones(shape), torch.ones(shape))

    def test_a_refusal_names_the_shape_that_was_given(self):
        for shape in ([4, 5, 4], [3, 4], [2, 2, 5, 4]):
            with pytest.raises(ValueError, match=rf"^tables of shape {re.escape(str(shape))} do not fit"):
                apply_rotary(self.x, torch.ones(shape), torch.ones(shape))

    @pytest.mark.parametrize("shape", [(5, 5), (5, 0), ()])
    def test_tables_that_are_too_wide_or_empty(self, shape):
        with pytest.raises(ValueError, match="channels"):
            apply_rotary(self.x, torch.ones(shape), torch.ones(shape))

    def test_a_refusal_counts_the_channels(self):
        for shape, turned in (((5, 5), 10), ((5, 0), 0), ((), 0)):
            with pytest.raises(ValueError, match=f"turn {turned} channels, but x has 8"):
                apply_rotary(torch.randn(5, 8), torch.ones(shape), torch.ones(shape))
        with pytest.raises(ValueError, match="turn 8 channels, but x has 0"):
            apply_rotary(torch.tensor(1.0), torch.ones(3, 4), torch.ones(3, 4))

    def test_unequal_tables(self):
        cos, sin = self.tables
        with pytest.raises(ValueError, match="one shape"):
            apply_rotary(self.x, cos, sin[:4])
        with pytest.raises(TypeError, match="sin has dtype"):
            apply_rotary(self.x, cos, sin.double())

    def test_coarse_tables_and_integers(self):
        cos, sin = self.tables
        with pytest.raises(TypeError, match="coarser than x"):
            apply_rotary(self.x.double(), cos, sin)
        with pytest.raises(TypeError, match="coarser than x"):
            apply_rotary(self.x, cos.bfloat16(), sin.bfloat16())
        with pytest.raises(TypeError, match="floating dtypes"):
            apply_rotary(self.x.long(), cos, sin)

    def test_tables_of_16_bits_are_not_coarser_than_what_they_turn(self):
        cos, sin = self.tables
        with pytest.raises(TypeError, match=r"bfloat16 are coarser than x of torch\.float16"):
            apply_rotary(self.x.half(), cos.bfloat16(), sin.bfloat16())
        x, at = self.x.bfloat16(), torch.arange(5)
        exact = apply_rotary(x.double(), *cos_sin(inv_freq(8), at, dtype=F64))
        for tables, bound in (((cos.half(), sin.half()), 2**-8), ((cos.bfloat16(), sin.bfloat16()), 2**-7)):
            turned = apply_rotary(x, *tables)
            assert turned.dtype is torch.bfloat16
            assert (turned.double() - exact).abs().max() <= bound * x.double().abs().max() * 2**0.5

    def test_other_devices(self):
        cos, sin = self.tables
        with pytest.raises(ValueError, match="cos is on cpu but x is on meta"):
            apply_rotary(self.x.to("meta"), cos, sin)

    def test_things_that_are_not_tensors(self):
        with pytest.raises(TypeError, match=r"x must be a .*Tensor, got list"):
            apply_rotary([1.0], *self.tables)
        with pytest.raises(TypeError, match=r"k must be a .*Tensor, got NoneType"):
            apply_rotary_qk(self.x, None, *self.tables)
        with pytest.raises(TypeError, match="cos must be a torch"):
            apply_rotary_pos_emb(self.x, self.x, 1.0, 0.0)

    def test_unknown_layout(self):
        with pytest.raises(ValueError, match="layout must be one of"):
            apply_rotary(self.x, *self.tables, layout="neox")

    def test_q_and_k_of_different_dtype(self):
        with pytest.raises(TypeError, match=r"q has dtype torch.float32 but k has torch.bfloat16"):
            apply_rotary_qk(self.x, self.x.bfloat16(), *self.tables)

    @pytest.mark.parametrize("cut", ["channels", "heads of one projection", "every second"])
    def test_in_place_on_parts_of_one_tensor_that_do_not_meet(self, cut):
        """As a joint projection gives them: their memory is one block, their elements are not."""
        whole = torch.randn(2, 5, 6, 8)
        q, k = {
            "channels": lambda x: x.flatten(2).unflatten(2, (3, 16)).transpose(1, 2).split(8, -1),
            "heads of one projection": lambda x: x.transpose(1, 2).split((4, 2), 1),
            "every second": lambda x: (x.transpose(1, 2)[:, ::2], x.transpose(1, 2)[:, 1::2]),
        }[cut](whole)
        expected = apply_rotary_qk(q.clone(), k.clone(), *self.tables)
        for one, other in zip(apply_rotary_qk(q, k, *self.tables, inplace=True), expected, strict=True):
            torch.testing.assert_close(one, other)

    def test_in_place_on_an_inference_tensor_and_in_a_transform(self):
        with torch.inference_mode():
            made = self.x.clone()
            assert apply_rotary_qk(made, self.x.clone(), *self.tables, inplace=True)[0] is made
        with pytest.raises(ValueError, match="q, an inference tensor"):
            apply_rotary_qk(made, self.x.clone(), *self.tables, inplace=True)

        def turned(q):
            return apply_rotary_qk(q * 1, self.x.clone(), *self.tables, inplace=True)[0].sum()

        with pytest.raises(ValueError, match=r"no gradient of q in torch\.func"):
            torch.func.grad(turned)(self.x.clone())

    def test_in_place_on_shared_memory(self):
        with pytest.raises(ValueError, match="twice"):
            apply_rotary_qk(self.x, self.x, *self.tables, inplace=True)
        with pytest.raises(ValueError, match="twice"):
            apply_rotary_qk(self.x, self.x.view(2, 3, 5, 8), *self.tables, inplace=True)
        with pytest.raises(ValueError, match="k lies in the same memory"):
            apply_rotary_qk(self.x[:, :2], self.x[:, 1:], *self.tables, inplace=True)
        windows = torch.randn(12).unfold(0, 8, 1)[None, None]  # each row begins one channel after the last
        for q, k, name in ((windows, self.x[:1].clone(), "q"), (self.x[:1].clone(), windows, "k")):
            with pytest.raises(ValueError, match=f"needs {name} to own its memory, got one whose elements"):
                apply_rotary_qk(q, k, *self.tables, inplace=True)
        empty = self.x[:0].clone()
        assert apply_rotary_qk(empty, empty.clone(), *self.tables, inplace=True)[0].shape == empty.shape
        with pytest.raises(ValueError, match="expanded"):
            apply_rotary_qk(self.x[:1].expand(2, 3, 5, 8), self.x.clone(), *self.tables, inplace=True)

    @pytest.mark.parametrize(
        "bad",
        [
            torch.tensor([True]),
            torch.tensor([1j]),
            torch.tensor([1.0]).half(),
            torch.tensor([1.0]).to(torch.float8_e4m3fn),
            torch.tensor([1], dtype=torch.uint16),
        ],
        ids=lambda bad: str(bad.dtype),
    )
    def test_positions_of_a_wrong_dtype(self, bad):
        with pytest.raises(TypeError, match="position_ids must"):
            cos_sin(inv_freq(4), bad)

    @pytest.mark.parametrize("bad", [float("nan"), float("inf")])
    def test_positions_that_are_not_finite(self, bad):
        with pytest.raises(ValueError, match="position_ids must be finite"):
            cos_sin(inv_freq(4), torch.tensor([bad]))

    @pytest.mark.parametrize("dtype", [torch.float32, F64])
    def test_numbers_whose_angles_would_overflow(self, dtype):
        for bad in (1e30, -1e30):
            with pytest.raises(ValueError, match=f"position_ids must lie in ±{2**53}, got"):
                cos_sin(inv_freq(4), torch.tensor([0.0, bad], dtype=dtype))
            with pytest.raises(ValueError, match=f"position_ids must lie in ±{2**53}, got"):
                cos_sin(inv_freq(4), torch.tensor(bad, dtype=dtype))
            with pytest.raises(ValueError, match=f"inv_freq must lie in ±{2**53}, got"):
                cos_sin(torch.full((2,), bad, dtype=dtype), torch.arange(3))
        furthest = torch.tensor([2.0**53, -(2.0**53)], dtype=dtype)
        for angle_dtype in (torch.float32, F64):
            tables = cos_sin(furthest.repeat(8), furthest, angle_dtype=angle_dtype)
            assert all(table.isfinite().all() for table in tables)

    def test_frequencies_whose_sum_alone_overflows(self):
        theta = torch.full((2**5,), 3e4, dtype=torch.float16)
        assert theta.sum().isinf() and cos_sin(theta, torch.arange(2))[0].isfinite().all()
        with pytest.raises(ValueError, match="inv_freq must be finite"):
            cos_sin(torch.tensor([1.0, float("nan")]), torch.arange(2))

    @pytest.mark.parametrize(
        ("factor", "dtype"), [(1e308, torch.float32), (-7e4, torch.float16), (4e38, F64)]
    )
    def test_factors_that_the_tables_cannot_hold(self, factor, dtype):
        narrow = torch.float32 if dtype == F64 else dtype
        said = f"to be finite in {narrow}, got {factor}"
        with pytest.raises(ValueError, match=rf"^attention_factor must lie in .* {re.escape(said)}"):
            cos_sin(
                inv_freq(4),
                torch.arange(3),
                attention_factor=factor,
                dtype=dtype,
                angle_dtype=torch.float32,
            )

    def test_the_largest_factors_are_taken(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float32, F64):
            cos, sin = cos_sin(
                inv_freq(4), torch.arange(3), attention_factor=torch.finfo(dtype).max, dtype=dtype
            )
            assert cos.isfinite().all() and sin.isfinite().all()

    def test_matrices_that_no_memory_holds(self):
        with pytest.raises(ValueError, match=r"inv_freq asks for 1\.1e\+12 numbers.*, got .*\[524288\]"):
            rotation_matrix(inv_freq(2**20), 1)

    @pytest.mark.parametrize("bad", ["a", True, None, 1j])
    def test_a_position_that_is_neither_a_number_nor_a_tensor(self, bad):
        for name, call in (
            ("delta", lambda: rerotate(self.x, bad, inv_freq(8))),
            ("position", lambda: rotation_matrix(inv_freq(8), bad)),
            ("k", lambda: shift_matrix(bad, inv_freq(8))),
        ):
            kind = type(bad).__name__
            with pytest.raises(TypeError, match=f"^{name} must be a number or a torch.Tensor, got {kind}$"):
                call()

    def test_positions_that_the_angle_cannot_hold(self):
        with pytest.raises(ValueError, match="position_ids must lie in"):
            cos_sin(inv_freq(4), torch.tensor([2**53 + 1]))
        with pytest.raises(ValueError, match=r"exact in torch\.float32"):
            cos_sin(inv_freq(4), torch.tensor([2**24 + 1]), angle_dtype=torch.float32)
        assert cos_sin(inv_freq(4), torch.tensor([-(2**53)]))[0].isfinite().all()

    def test_bad_frequencies_and_options(self):
        at = torch.arange(3)
        with pytest.raises(ValueError, match=r"inv_freq must have shape \[dim/2\]"):
            cos_sin(torch.ones(2, 2), at)
        with pytest.raises(TypeError, match="inv_freq must have a floating dtype"):
            cos_sin(torch.ones(2, dtype=torch.long), at)
        with pytest.raises(TypeError, match="angle_dtype must be one of"):
            cos_sin(inv_freq(4), at, angle_dtype=torch.bfloat16)
        with pytest.raises(TypeError, match="dtype must be one of"):
            cos_sin(inv_freq(4), at, dtype=torch.int32)
        with pytest.raises(ValueError, match="attention_factor must be finite"):
            cos_sin(inv_freq(4), at, attention_factor=float("nan"))
        with pytest.raises(TypeError, match="position_ids must be a torch"):
            cos_sin(inv_freq(4), [0, 1])

    @pytest.mark.parametrize("shape", [(), (4,), (2, 6), (2, 1)])
    def test_module_positions_of_another_length(self, shape):
        with pytest.raises(ValueError, match=r"position_ids must have shape \[\.\.\., 5\], got"):
            RotaryEmbedding(RotarySpec(8))(self.x, self.x, torch.zeros(shape, dtype=torch.long))

    def test_module_inputs_in_a_batch_have_positions_of_their_own(self):
        rope, at = RotaryEmbedding(RotarySpec(8)), torch.arange(10).view(2, 5)
        together, _ = rope(self.x, self.x, at)
        for row, x, own in zip(together, self.x, at, strict=True):
            assert torch.equal(row[None], rope(x[None], x[None], own)[0])

    def test_module_inputs(self):
        rope = RotaryEmbedding(RotarySpec(8))
        with pytest.raises(ValueError, match=r"q must have shape \[..., seq, 8\]"):
            rope(torch.randn(2, 3, 5, 6), self.x)
        with pytest.raises(ValueError, match="position_ids or offset, not both"):
            rope(self.x, self.x, position_ids=torch.arange(5), offset=1)
        with pytest.raises(TypeError, match="offset must be an int"):
            rope(self.x, self.x, offset=1.0)
        for offset in (False, 0.0, None, torch.zeros(5)):
            with pytest.raises(TypeError, match="offset must be an int, got"):
                rope(self.x, self.x, position_ids=torch.arange(5), offset=offset)
        for offset, said in ((-(2**53) - 1, "at least -"), (2**53 + 1, "at most ")):
            with pytest.raises(ValueError, match=f"offset must be {said}{2**53}, got"):
                rope(self.x, self.x, offset=offset)
        assert rope(self.x, self.x, offset=-(2**53))[0].isfinite().all()
        with pytest.raises(ValueError, match="q has 5 and k has 4: rotate each key when it enters the cache"):
            rope(self.x, self.x[..., :4, :])


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


def test_hugging_face_drop_in_counts_axes_from_either_end_and_wants_equal_tables():
    q = torch.randn(2, 4, 6, 16)
    cos, sin = cos_sin(inv_freq(16), torch.arange(12).view(2, 6))
    for ours, same in zip(
        apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=-3),
        apply_rotary_pos_emb(q, q, cos, sin),
        strict=True,
    ):
        assert torch.equal(ours, same)
    with pytest.raises(ValueError, match="one shape"):
        apply_rotary_pos_emb(q, q, doubled(cos), sin)
    for no_axis_before_the_last in (-1, 3, 4):
        with pytest.raises(ValueError, match="unsqueeze_dim must be an axis of q before the last"):
            apply_rotary_pos_emb(q, q, cos, sin, unsqueeze_dim=no_axis_before_the_last)


def test_hugging_face_drop_in_takes_half_precision_with_tables_in_float32():
    q = torch.randn(2, 4, 6, 16).bfloat16()
    cos, sin = cos_sin(inv_freq(16), torch.arange(12).view(2, 6))
    turned, _ = apply_rotary_pos_emb(q, q, doubled(cos), doubled(sin))
    assert torch.equal(turned, apply_rotary(q, cos[:, None], sin[:, None]))


def test_an_axis_of_size_one_never_overlaps():
    q, k = (torch.randn(2, 5, 8).as_strided((1, 2, 5, 8), (0, 40, 8, 1)) for _ in range(2))
    tables = cos_sin(inv_freq(8), torch.arange(5))
    expected = apply_rotary(q, *tables)
    torch.testing.assert_close(apply_rotary_qk(q, k, *tables, inplace=True)[0], expected)


SHAPES = {
    "heads differ": ((2, 4, 5, 8), (2, 1, 5, 8), (5, 4)),
    "batches differ": ((2, 4, 5, 8), (1, 4, 5, 8), (5, 4)),
    "batches of batches differ": ((3, 2, 4, 5, 8), (1, 2, 4, 5, 8), (5, 4)),
    "lengths differ": ((2, 4, 5, 8), (2, 4, 7, 8), (4,)),
    "widths differ": ((2, 4, 5, 8), (2, 4, 5, 12), (5, 4)),
    "axes differ": ((2, 4, 5, 8), (4, 5, 8), (5, 4)),
    "no heads": ((5, 8), (5, 8), (5, 4)),
    "one batch of heads": ((4, 5, 8), (2, 5, 8), (5, 4)),
    "a batch of tables": ((2, 4, 5, 8), (2, 3, 5, 8), (2, 5, 4)),
    "tables for each head": ((2, 4, 5, 8), (2, 4, 5, 8), (1, 4, 5, 4)),
    "one plane, tables for each head": ((2, 4, 5, 2), (2, 4, 5, 2), (1, 4, 5, 1)),
    "one batch, tables for each head": ((4, 5, 8), (4, 5, 8), (4, 5, 4)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("q_shape", "k_shape", "table"), SHAPES.values(), ids=SHAPES)
def test_queries_and_keys_together_are_each_as_alone(q_shape, k_shape, table, layout):
    q, k, angle = torch.randn(q_shape), torch.randn(k_shape), torch.randn(table)
    tables = angle.cos(), angle.sin()
    for got, x in zip(apply_rotary_qk(q, k, *tables, layout=layout), (q, k), strict=True):
        torch.testing.assert_close(got, apply_rotary(x, *tables, layout=layout))


@pytest.mark.parametrize("width", [8, 6])
@pytest.mark.parametrize(
    ("dtype", "table"), [(torch.float32, torch.float32), (F64, F64), (F64, torch.float32)]
)
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_a_tensor_of_ones_own_is_turned_to_the_bit_like_any_and_neighbours_where_they_stand(
    layout, dtype, table, width
):
    cos, sin = cos_sin(inv_freq(width), torch.arange(5), dtype=table)
    x = torch.randn(2, 3, 5, 8, dtype=dtype)
    own = x.clone()
    got = rotate_own(own, cos, sin, layout)
    assert torch.equal(got, rotate_small(x, cos, sin, layout))
    assert (got is own) == (layout == "interleaved")


def test_a_tensor_of_ones_own_that_pairs_up_nowhere_is_left_alone():
    cos, sin = cos_sin(inv_freq(8), torch.arange(5))
    x = torch.randn(5 * 9 + 1)[1:].reshape(5, 9)
    kept = x.clone()
    assert torch.equal(rotate_own(x, cos, sin, "interleaved"), rotate_small(kept, cos, sin, "interleaved"))
    assert torch.equal(x, kept)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_one_token_under_vmap_may_have_tables_of_its_own_for_each(layout):
    q, k, at = torch.randn(1, 4, 1, 8), torch.randn(1, 2, 1, 8), torch.arange(3)
    rope = RotaryEmbedding(8, layout=layout)
    q_all, k_all = torch.func.vmap(lambda place: rope(q, k, place[None]))(at)
    for place, one_q, one_k in zip(at, q_all, k_all, strict=True):
        expected = rope(q, k, place[None])
        torch.testing.assert_close((one_q, one_k), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_turning_queries_and_keys_together_leaves_both_as_they_were(layout):
    cos, sin = cos_sin(inv_freq(8), torch.arange(5))
    q, k = torch.randn(2, 4, 5, 8), torch.randn(2, 2, 5, 8)
    before = q.clone(), k.clone()
    apply_rotary_qk(q, k, cos, sin, layout=layout)
    assert torch.equal(q, before[0]) and torch.equal(k, before[1])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axes", [3, 4])
def test_whatever_their_shapes_queries_and_keys_together_are_each_as_alone(axes, layout):
    """Every pair of shapes of sizes 2 and 4, at one position."""
    angle, shapes = torch.tensor([0.7]), [(*s, 2) for s in product((2, 4), repeat=axes - 1)]
    shapes += [(*s[:-1], 4) for s in shapes]
    x = {s: torch.randn(s) for s in shapes}
    tables = angle.cos(), angle.sin()
    alone = {s: apply_rotary(x[s], *tables, layout=layout) for s in shapes}
    for q, k in product(shapes, repeat=2):
        together = apply_rotary_qk(x[q], x[k], *tables, layout=layout)
        assert all(torch.allclose(a, alone[s], atol=1e-6) for a, s in zip(together, (q, k), strict=True))


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


def test_what_is_no_tensor_is_refused_by_name_in_place_of_all_three():
    for bad in ([1.0, 2.0], 1.0, None):
        with pytest.raises(TypeError, match=r"^x must be a torch\.Tensor, got"):
            apply_rotary(bad, bad, bad)


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


def test_queries_with_more_axes_than_keys_rotate_as_each_alone():
    q, k, angle = torch.randn(2, 3, 4), torch.randn(4), torch.randn(2)
    got = apply_rotary_qk(q, k, angle.cos(), angle.sin())
    for turned, x in zip(got, (q, k), strict=True):
        assert torch.equal(turned, apply_rotary(x, angle.cos(), angle.sin()))


def test_one_row_of_tables_that_is_too_wide_is_refused_with_both_widths():
    wide = torch.ones(5)
    for x in (torch.zeros(2, 3, 4, 8), torch.zeros(8)):
        with pytest.raises(ValueError, match=r"tables of shape \[5\] turn 10 channels, but q has 8"):
            fit_tables(x, wide, wide, "q")


def test_hugging_face_drop_in_does_not_guess_at_position_zero():
    """There both halves of any table are equal; only without a factor do the two readings agree."""
    q = torch.randn(2, 4, 1, 16)
    start = torch.zeros(1, 1, dtype=torch.long)
    assert torch.equal(apply_rotary_pos_emb(q, q, *cos_sin(inv_freq(16), start))[0], q)
    scaled = cos_sin(inv_freq(16), start, attention_factor=1.3)
    with pytest.raises(ValueError, match="half-width for 16 channels or doubled for 8"):
        apply_rotary_pos_emb(q, q, *scaled)
    whole = apply_rotary_pos_emb(q, q, *(doubled(table) for table in scaled))[0]
    torch.testing.assert_close(whole, 1.3 * q)
    partial = cos_sin(inv_freq(8), start + 1, attention_factor=1.3)
    expected = apply_rotary_qk(q, q, *(table[:, None] for table in partial))[0]
    assert torch.equal(apply_rotary_pos_emb(q, q, *(doubled(table) for table in partial))[0], expected)
    with pytest.raises(ValueError, match="one shape"):
        apply_rotary_pos_emb(q, q, scaled[0], scaled[1][0, 0, 0])


def test_numbers_that_no_float_holds_are_refused():
    with pytest.raises(ValueError, match="base must be at most 9223372036854775807 as an int, and finite"):
        inv_freq(8, 10**400)
