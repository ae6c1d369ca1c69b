"""What cannot be turned as it is given is refused: tables, positions, factors, memory that is shared."""

import re

import pytest
import torch

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
from posenc_lib.angles.fit import fit_tables

F64 = torch.float64


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
        theta = torch.full((2**5,), 2.0**50)
        assert theta.sum() > 2**53 and cos_sin(theta, torch.arange(2))[0].isfinite().all()
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


def test_what_is_no_tensor_is_refused_by_name_in_place_of_all_three():
    for bad in ([1.0, 2.0], 1.0, None):
        with pytest.raises(TypeError, match=r"^x must be a torch\.Tensor, got"):
            apply_rotary(bad, bad, bad)


def test_one_row_of_tables_that_is_too_wide_is_refused_with_both_widths():
    wide = torch.ones(5)
    for x in (torch.zeros(2, 3, 4, 8), torch.zeros(8)):
        with pytest.raises(ValueError, match=r"tables of shape \[5\] turn 10 channels, but q has 8"):
            fit_tables(x, wide, wide, "q")


def test_numbers_that_no_float_holds_are_refused():
    with pytest.raises(ValueError, match="base must be at most 9223372036854775807 as an int, and finite"):
        inv_freq(8, 10**400)
