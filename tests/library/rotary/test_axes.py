"""Several axes: commuting rotations, M-RoPE's two ways of dealing planes, mixed directions, and xPos."""

import math

import pytest
import torch

import posenc_lib as p

F64 = torch.float64


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_text_on_three_axes_is_text_on_one(layout, device):
    """Equal coordinates: M-RoPE is RoPE, bit for bit (p·θ + 0 + 0)."""
    theta, m = p.inv_freq(32), torch.arange(100, 140, device=device)
    for interleaved, sections in ((False, (4, 6, 6)), (True, (6, 5, 5))):
        matrix = p.axis_frequencies(theta, sections, interleaved=interleaved)
        for angle_dtype in (F64, torch.float32):
            several = p.cos_sin_axes(matrix, m.expand(3, -1), angle_dtype=angle_dtype)
            one = p.cos_sin(theta, m, angle_dtype=angle_dtype)
            assert torch.equal(several[0], one[0]) and torch.equal(several[1], one[1])


def test_mixed_directions_are_unit_and_differ_between_heads():
    matrix = p.mixed_frequencies(16, 4, generator=torch.Generator().manual_seed(0))
    assert matrix.shape == (2, 4, 1, 8)
    sizes, theta = matrix.norm(dim=0)[:, 0], p.inv_freq(16, 10.0)
    torch.testing.assert_close(sizes, theta.expand(4, -1), rtol=1e-14, atol=0)
    assert not torch.allclose(matrix[:, 0], matrix[:, 1])


def test_float32_tables_are_the_exact_ones_rounded_once(device):
    matrix = p.mixed_frequencies(16, 1, generator=torch.Generator().manual_seed(0))[:, 0, 0]
    far = torch.tensor([[131072], [2**24]], device=device)
    wide, narrow = p.cos_sin_axes(matrix, far, dtype=F64), p.cos_sin_axes(matrix, far)
    assert torch.equal(narrow[0], wide[0].float()) and torch.equal(narrow[1], wide[1].float())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, F64], ids=str)
def test_xpos_refuses_what_would_overflow(dtype):
    limit = math.log(torch.finfo(dtype).max) / 2 * 512 / math.log(3.5)
    tables = p.cos_sin_xpos(p.inv_freq(8), torch.tensor([int(limit)]), dtype=dtype)
    assert all(bool(torch.isfinite(t.square()).all()) for pair in tables for t in pair)
    with pytest.raises(ValueError, match=f"position_ids must lie within {int(limit)} of center=0"):
        p.cos_sin_xpos(p.inv_freq(8), torch.tensor([int(limit) + 1]), dtype=dtype)
    assert p.cos_sin_xpos(p.inv_freq(8), torch.tensor([int(limit) + 1]), center=2, dtype=dtype)


def test_one_axis_is_the_ordinary_table_and_the_factor_multiplies_it():
    theta, m = p.inv_freq(8), torch.arange(9)
    several = p.cos_sin_axes(theta[None], m[None], attention_factor=1.5)
    assert all(map(torch.equal, several, p.cos_sin(theta, m, attention_factor=1.5)))
    single = p.cos_sin_axes(theta[None], m[None].double() + 1e5 + 0.1, angle_dtype=torch.float32)
    rounded = p.cos_sin_axes(theta[None], (m[None].double() + 1e5 + 0.1).float(), angle_dtype=torch.float32)
    assert torch.equal(single[0], rounded[0]) and torch.equal(single[1], rounded[1])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_xpos_is_worked_out_in_doubles_and_rounded_once(dtype):
    at = torch.arange(-3, 9).view(3, 4) * 100
    wide, narrow = (p.cos_sin_xpos(p.inv_freq(8), at, scale_base=300.0, dtype=d) for d in (F64, dtype))
    for one, other in zip(sum(narrow, ()), sum(wide, ()), strict=True):
        assert torch.equal(one, other.to(dtype)) and one.shape == (3, 4, 4)


def test_a_batch_of_texts_is_told_apart_by_a_leading_axis_of_coordinates():
    rope, ids = p.RotaryEmbedding(8, sections=(2, 1, 1)), torch.arange(9).view(3, 3)
    cos, sin = rope.tables(ids.expand(3, -1, -1))
    for row, (own_cos, own_sin) in zip(ids, zip(cos, sin, strict=True), strict=True):
        assert all(map(torch.equal, rope.tables(row), (own_cos, own_sin)))
    assert rope.tables(ids)[0].shape == (3, 4)  # three coordinates of three tokens


def test_positions_of_each_head_may_meet_frequencies_of_each_head():
    matrix, at = p.mixed_frequencies(8, 3), torch.randn(2, 4, 3, 5, dtype=F64)
    whole = p.cos_sin_axes(matrix, at, dtype=F64)
    for head in range(3):
        own = p.cos_sin_axes(matrix[:, head, 0], at[:, :, head], dtype=F64)
        assert all(torch.equal(table[:, head], part) for table, part in zip(whole, own, strict=True))
