"""The sinusoidal figures draw what the library computes, and refuse data they would distort."""

import numpy as np
import pytest
import torch

from posenc_book.figures.sinusoid import circle, clock_faces, first_rows, heat_maps, turns
from posenc_lib import inv_freq, shift_matrix, sinusoidal
from posenc_lib.analysis import decay_kernel


def encode(length, dim):
    return sinusoidal(torch.arange(length), dim, dtype=torch.float64)


def test_a_step_is_the_same_block_of_the_shift_matrix_from_both_positions():
    plot = turns(3, (0, 8), dim=20, shown=3)
    hands = plot.data["hands"]  # [starts, before and after, planes, 2]
    blocks = shift_matrix(3, inv_freq(20)).unfold(0, 2, 2).unfold(1, 2, 2).diagonal()[..., :3].numpy()
    turned = np.einsum("xyp,mpy->mpx", blocks, hands[:, 0])
    np.testing.assert_allclose(turned, hands[:, 1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(np.degrees(plot.data["angles"]), (172, 68, 27), atol=0.5)
    assert "172°, 68°, 27°" in plot.alt


def test_clock_hands_start_at_twelve_and_turn_clockwise_by_their_frequency():
    hands = clock_faces(7, 20).data["hands"]
    assert hands.shape == (7, 10, 2)
    np.testing.assert_array_equal(hands[0], np.tile([0.0, 1.0], (10, 1)))
    clockwise = np.arctan2(hands[1, :, 0], hands[1, :, 1])
    np.testing.assert_allclose(clockwise, inv_freq(20).numpy(), rtol=1e-14, atol=1e-16)


def test_circle_shows_sine_and_cosine_of_the_position():
    points = circle(12).data["points"]
    m = np.arange(12.0)
    np.testing.assert_allclose(points, np.stack([np.sin(m), np.cos(m)], axis=-1), rtol=0, atol=1e-15)


def test_heat_map_is_the_decay_kernel_of_the_distance():
    values = heat_maps({"d": encode(20, 64)}, "claim").data["d"]
    distance = torch.arange(20)[:, None] - torch.arange(20)
    expected = decay_kernel(distance, inv_freq(64)).numpy()
    np.testing.assert_allclose(
        values, expected, rtol=0, atol=1e-14
    )  # 64 products of numbers up to 1, in another order


def test_heat_map_refuses_values_outside_its_colours():
    with pytest.raises(ValueError, match=r"encodings\['d = 2'\] must have cosines in \[low, 1\]"):
        heat_maps({"d = 2": encode(12, 2)}, "claim")


def test_first_row_names_the_first_rise():
    plot = first_rows({"d = 512": encode(61, 512)}, "claim")
    assert "d = 512 rises first from k = 43" in plot.alt
    np.testing.assert_allclose(
        plot.data["d = 512"], decay_kernel(torch.arange(61), inv_freq(512)).numpy(), rtol=0, atol=1e-13
    )  # 512 products, summed in another order
