"""The rotary figures show what their titles claim."""

import numpy as np
import pytest
import torch

from posenc_book.figures.rotary import (
    fixed_lag_scores,
    four_clocks,
    modulus_family,
    norm_and_angle,
    reflection_products,
    two_hands,
)
from posenc_lib.analysis import toeplitz_defect

EXACT = 1e-12  # float64, a handful of operations on numbers of order one


def vectors() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([1.5, 0.4], dtype=torch.float64), torch.tensor([0.3, 1.4], dtype=torch.float64)


def test_reflections_have_a_relative_real_part_only():
    data = reflection_products(q=1 + 0.8j, k=0.6 + 1j).data
    assert toeplitz_defect(torch.from_numpy(data["real part"])) < EXACT
    assert toeplitz_defect(torch.from_numpy(data["imaginary part"])) > 0.1


@pytest.mark.parametrize("sigma", [-0.1, 0.0, 0.05])
def test_moduli_of_query_and_key_multiply_to_a_constant_and_scores_are_relative(sigma):
    data = modulus_family(sigmas=(sigma,)).data
    query, key = (np.hypot(*data[f"{letter}, step by step"]) for letter in "qk")
    middle, end = data[f"scores, σ = {sigma:g}"]
    assert np.allclose(query * key, 1.0, rtol=0, atol=EXACT)
    assert np.allclose(middle, end, rtol=0, atol=EXACT * np.exp(abs(sigma) * len(query)))
    assert (np.ptp(query) < EXACT) == (sigma == 0.0)


def test_score_of_the_family_is_exp_sigma_distance_times_cosine():
    _, end = modulus_family(sigmas=(-0.05,), theta=0.3).data["scores, σ = -0.05"]
    distance = np.arange(len(end))
    assert np.allclose(end, np.exp(-0.05 * distance) * np.cos(0.3 * distance), rtol=0, atol=EXACT)


def test_rotation_keeps_length_and_turns_linearly_addition_does_neither():
    data = norm_and_angle(*vectors(), theta=0.2).data
    assert np.allclose(data["length, R x"], 1.0, rtol=0, atol=EXACT)
    assert np.allclose(np.diff(data["angle, R x"]), 0.2, rtol=0, atol=EXACT)
    assert np.ptp(data["length, x + p"]) > 0.1
    assert np.ptp(np.diff(data["angle, x + p"])) > 0.1


def test_length_after_addition_is_the_expanded_square():
    q, k = vectors()
    angle = 0.2 * np.arange(41)
    expected = np.sqrt(float(q @ q) + 2 * (float(q[0]) * np.sin(angle) + float(q[1]) * np.cos(angle)) + 1)
    shown = norm_and_angle(q, k, theta=0.2).data["length, x + p"] * float(q.norm())
    assert np.allclose(shown, expected, rtol=0, atol=EXACT)


def test_fixed_lag_curve_is_the_diagonal_below():
    table = torch.arange(16.0, dtype=torch.float64).reshape(4, 4)
    assert fixed_lag_scores({"any": table}, lag=1).data["any"].tolist() == [4.0, 9.0, 14.0]


def test_the_two_hands_score_alike_at_one_distance_and_with_the_conjugate_forgotten_they_do_not():
    m, n, theta = 6, 2, 0.4
    plot = two_hands(m, n, theta, last=11)
    q, k = (np.exp(1j * angle) for angle in (0.5, 1.25))
    start = np.arange(m - n, 12)
    turned_q, turned_k = q * np.exp(1j * theta * start), k * np.exp(1j * theta * (start - m + n))
    assert np.allclose(plot.data["score"], (turned_q * turned_k.conj()).real, rtol=0, atol=EXACT)
    assert np.ptp(plot.data["score"]) < EXACT
    assert np.allclose(plot.data["without the conjugate"], (turned_q * turned_k).real, rtol=0, atol=EXACT)
    assert np.ptp(plot.data["without the conjugate"]) > 0.5


@pytest.mark.parametrize("pairs", [[(6, 2), (11, 7)], [(9, 5), (4, 0)]])
def test_in_each_plane_of_the_four_clocks_the_hands_are_four_steps_apart(pairs):
    data, speeds = four_clocks(pairs).data, 2.0 ** -np.arange(4)
    turned = data["hands"][..., 0] + 1j * data["hands"][..., 1]
    assert np.allclose(turned, np.exp(1j * np.array(pairs)[..., None] * speeds), rtol=0, atol=EXACT)
    assert data["arcs"].tolist() == [4, 2, 1, 0.5]
