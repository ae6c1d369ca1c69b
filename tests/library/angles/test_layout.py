"""Layouts: the two pairings differ by a permutation, which every function respects."""

import pytest
import torch

from posenc_lib import (
    apply_rotary,
    cos_sin,
    inv_freq,
    permute_layout,
    permute_qk_weight,
    rotate_half,
    rotation_matrix,
    shift_matrix,
    sinusoidal,
)

LAYOUTS = ["half", "interleaved"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rotate_half_twice_is_minus_one(layout, device):
    x = torch.randn(3, 8, device=device)
    assert torch.equal(rotate_half(rotate_half(x, layout), layout), -x)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rotate_half_is_the_quarter_turn_of_the_matrix(layout):
    x = torch.randn(8, dtype=torch.float64)
    quarter = rotation_matrix(torch.full((4,), torch.pi / 2, dtype=torch.float64), 1, layout)
    torch.testing.assert_close(rotate_half(x, layout), quarter @ x, rtol=0, atol=1e-15)  # cos(π/2) ≈ 6e-17


@pytest.mark.parametrize(("src", "dst"), [(a, b) for a in LAYOUTS for b in LAYOUTS])
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_permuting_there_and_back_is_the_identity(src, dst, rotary_dim):
    x = torch.randn(2, 8)
    there = permute_layout(x, src, dst, rotary_dim=rotary_dim)
    assert torch.equal(permute_layout(there, dst, src, rotary_dim=rotary_dim), x)
    assert torch.equal(there, x) == (src == dst)


@pytest.mark.parametrize("rotary_dim", [8, 4])
def test_rotation_commutes_with_the_change_of_layout(rotary_dim, device):
    x = torch.randn(2, 5, 8, device=device)
    cos, sin = cos_sin(inv_freq(rotary_dim), torch.arange(5, device=device))
    half = apply_rotary(permute_layout(x, "interleaved", "half", rotary_dim=rotary_dim), cos, sin)
    interleaved = apply_rotary(x, cos, sin, layout="interleaved")
    permuted = permute_layout(interleaved, "interleaved", "half", rotary_dim=rotary_dim)
    # the same sums, up to a fused multiply-add in one of the two forms: one rounding of numbers < 8
    torch.testing.assert_close(half, permuted, rtol=0, atol=1e-6)


def test_matrices_and_encodings_change_layout_by_the_same_permutation():
    theta, order = inv_freq(8), permute_layout(torch.arange(8), "interleaved", "half")
    for matrix in (lambda lay: rotation_matrix(theta, 7, lay), lambda lay: shift_matrix(7, theta, lay)):
        assert torch.equal(matrix("half"), matrix("interleaved")[order][:, order])
    positions = torch.arange(6)
    assert torch.equal(sinusoidal(positions, 8, layout="half"), sinusoidal(positions, 8)[:, order])


@pytest.mark.parametrize("rotary_dim", [None, 4])
@pytest.mark.parametrize("bias", [False, True])
def test_permuted_projections_give_the_same_scores(rotary_dim, bias):
    heads, dim, seq = 3, 8, 5
    x = torch.randn(seq, 12, dtype=torch.float64)
    layers = [torch.nn.Linear(12, heads * dim, bias=bias, dtype=torch.float64) for _ in range(2)]
    cos, sin = cos_sin(inv_freq(rotary_dim or dim), torch.arange(seq), dtype=torch.float64)

    def scores(layout):
        q, k = (
            apply_rotary(layer(x).unflatten(-1, (heads, dim)).transpose(0, 1), cos, sin, layout=layout)
            for layer in layers
        )
        return q @ k.mT

    trained = scores("interleaved")
    assert not torch.allclose(trained, scores("half"))  # mixing layouts changes scores: the test can fail
    with torch.no_grad():
        for layer in layers:
            for p in layer.parameters():
                p.copy_(permute_qk_weight(p, heads, "interleaved", "half", rotary_dim=rotary_dim))
    torch.testing.assert_close(scores("half"), trained, rtol=0, atol=1e-13)


def test_unknown_layouts_and_widths_are_refused():
    x = torch.randn(2, 8)
    with pytest.raises(ValueError, match="layout must be one of"):
        rotate_half(x, "neox")
    with pytest.raises(ValueError, match="src must be one of"):
        permute_layout(x, "gptj", "half")
    with pytest.raises(ValueError, match="dst must be one of"):
        permute_layout(x, "half", "gptj")
    with pytest.raises(ValueError, match="must be even"):
        rotate_half(torch.randn(3))
    with pytest.raises(ValueError, match="rotary_dim must be at most"):
        permute_layout(x, "half", "interleaved", rotary_dim=10)
    with pytest.raises(ValueError, match="not a multiple of num_heads = 3"):
        permute_qk_weight(x.T, 3, "half", "interleaved")
    with pytest.raises(ValueError, match=r"weight .* or a bias"):
        permute_qk_weight(torch.randn(2, 2, 2), 1, "half", "interleaved")
    with pytest.raises(TypeError, match="num_heads must be an int"):
        permute_qk_weight(x, 2.0, "half", "interleaved")
    with pytest.raises(TypeError, match="x must be a torch"):
        permute_layout([1, 2], "half", "interleaved")


def test_a_matrix_has_at_least_one_head():
    with pytest.raises(ValueError, match="num_heads must be at least 1"):
        permute_qk_weight(torch.ones(4), 0, "half", "interleaved")


def test_a_number_has_no_planes():
    with pytest.raises(ValueError, match="x must have shape"):
        rotate_half(torch.tensor(1.0))
    with pytest.raises(ValueError, match="x must have shape"):
        permute_layout(torch.tensor(1.0), "half", "interleaved")
