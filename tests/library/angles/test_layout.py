"""Layouts: the two pairings differ by a permutation, which every function respects."""

import pytest
import torch

import posenc_lib as lib

LAYOUTS = ["half", "interleaved"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rotate_half_is_the_quarter_turn_of_the_matrix(layout):
    x = torch.randn(8, dtype=torch.float64)
    quarter = lib.rotation_matrix(torch.full((4,), torch.pi / 2, dtype=torch.float64), 1, layout)
    torch.testing.assert_close(lib.rotate_half(x, layout), quarter @ x, rtol=0, atol=1e-15)  # cos(π/2)


@pytest.mark.parametrize(("src", "dst"), [(a, b) for a in LAYOUTS for b in LAYOUTS])
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_permuting_there_and_back_is_the_identity(src, dst, rotary_dim):
    x = torch.randn(2, 8)
    there = lib.permute_layout(x, src, dst, rotary_dim=rotary_dim)
    assert torch.equal(lib.permute_layout(there, dst, src, rotary_dim=rotary_dim), x)
    assert torch.equal(there, x) == (src == dst)


def test_matrices_and_encodings_change_layout_by_the_same_permutation():
    theta, order = lib.inv_freq(8), lib.permute_layout(torch.arange(8), "interleaved", "half")

    def matrices(layout):
        return torch.stack((lib.rotation_matrix(theta, 7, layout), lib.shift_matrix(7, theta, layout)))

    assert torch.equal(matrices("half"), matrices("interleaved")[:, order][:, :, order])
    positions = torch.arange(6)
    assert torch.equal(lib.sinusoidal(positions, 8, layout="half"), lib.sinusoidal(positions, 8)[:, order])


@pytest.mark.parametrize("rotary_dim", [None, 4])
@pytest.mark.parametrize("bias", [False, True])
def test_permuted_projections_give_the_same_scores(rotary_dim, bias):
    heads, dim, seq = 3, 8, 5
    x = torch.randn(seq, 12, dtype=torch.float64)
    layers = [torch.nn.Linear(12, heads * dim, bias=bias, dtype=torch.float64) for _ in range(2)]
    cos, sin = lib.cos_sin(lib.inv_freq(rotary_dim or dim), torch.arange(seq), dtype=torch.float64)

    def scores(layout):
        projected = (layer(x).unflatten(-1, (heads, dim)).transpose(0, 1) for layer in layers)
        q, k = (lib.apply_rotary(y, cos, sin, layout=layout) for y in projected)
        return q @ k.mT

    trained = scores("interleaved")
    assert not torch.allclose(trained, scores("half"))  # mixing layouts changes scores: the test can fail
    with torch.no_grad():
        for layer in layers:
            for p in layer.parameters():
                p.copy_(lib.permute_qk_weight(p, heads, "interleaved", "half", rotary_dim=rotary_dim))
    torch.testing.assert_close(scores("half"), trained, rtol=0, atol=1e-13)
