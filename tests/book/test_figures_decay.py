"""The pictures of the decay chapter: what they claim is true of the data they draw."""

import math

import numpy as np
import pytest
import torch

from posenc_book.figures import decay
from posenc_lib import inv_freq
from posenc_lib.analysis import abel_bound, decay_kernel, plane_products, rotary_score, trivial_bound


def test_the_curve_of_partial_sums_starts_at_half_of_n_plus_one_and_stays_above_one_half():
    data = decay.partial_sum_curve(dim=64).data
    assert data["near"][0] == pytest.approx((32 + 1) / 2, abs=1e-12)  # |S_j| = j, up to rounding
    assert min(data["near"].min(), data["far"].min()) >= 0.5


def test_columns_and_rows_of_the_staircase_have_one_area():
    plot = decay.by_parts()
    columns, rows = (
        [(bar.get_width(), bar.get_height()) for bar in axes.patches] for axes in plot.figure.axes
    )
    assert sum(w * h for w, h in columns) == pytest.approx(sum(w * h for w, h in rows), rel=1e-14)
    assert [w for w, _ in rows] == [*plot.data["S"][1:]] and [h for _, h in columns] == [*plot.data["h"][:-1]]


def test_the_taper_attains_the_ratio_two_over_n_plus_one():
    n, x = 32, torch.tensor([0, 7, 300])
    q = decay.tapered(n)
    ratio = abel_bound(q, q, x, inv_freq(2 * n)) / trivial_bound(q, q)
    curve = torch.from_numpy(decay.partial_sum_curve(dim=2 * n, last=300).data["near"])[x]
    torch.testing.assert_close(ratio, 2 / (n + 1) * curve, rtol=1e-12, atol=0)  # square roots squared again


def test_the_products_of_the_taper_fall_by_one():
    q = decay.tapered(16)
    steps = plane_products(q, q).real.diff()
    torch.testing.assert_close(steps, -torch.ones_like(steps), rtol=0, atol=1e-13)


def test_the_abel_bound_beats_the_trivial_one_for_the_taper_only():
    data = decay.abel_against_trivial().data
    assert data["triangular taper, bound"][1:].max() < 1
    assert min(data["constant, bound"].min(), data["Gaussian, bound"].min()) > 1


def test_no_drawn_score_exceeds_its_bound():
    data = decay.abel_against_trivial().data
    for name in decay.bound_examples():
        assert (data[f"{name}, score"] <= data[f"{name}, bound"] + 1e-12).all()


def test_the_band_of_the_bound_falls_far_above_that_of_the_scores_which_stays():
    data = decay.bands(draws=500).data
    (bound, most), (least, score, _) = data["Abel bound"][1:], data["|score|"]
    assert most[0] > 3 * most[-1] and bound.min() > 100 * score.max()
    assert np.ptp(score) < 0.3 * score.mean() and least.min() > 0


@pytest.mark.parametrize("peak", [20, 150])
def test_a_key_turned_ahead_peaks_at_that_distance_with_value_one(peak):
    x, pairs = torch.arange(400), decay.lasting_pairs(peak=peak)
    score = rotary_score(*pairs[f"turned by {peak}"], x, inv_freq(128))
    assert int(score.argmax()) == peak
    assert score[peak].item() == pytest.approx(1, abs=1e-13)


def test_the_slowest_plane_keeps_its_parabola():
    x, theta = torch.arange(0, 20_000, 50), inv_freq(128)
    score = rotary_score(*decay.lasting_pairs()["slowest plane"], x, theta)
    assert (score >= 1 - (x * theta[-1]) ** 2 / 2 - 1e-12).all()


def test_independent_scores_have_one_spread_and_shared_ones_follow_the_kernel():
    x, draws = torch.tensor([0, 30, 5000]), 4000
    apart = decay.score_spread(x, draws=draws)
    sigma = math.sqrt(128)
    # standard error of a standard deviation is about sigma / sqrt(2 draws), of a mean sigma / sqrt(draws)
    torch.testing.assert_close(
        apart[:, 1], torch.full((3,), sigma).double(), rtol=0, atol=5 * sigma / math.sqrt(2 * draws)
    )
    shared = decay.score_spread(x, draws=draws, shared=0.5)
    expected = 64 * decay_kernel(x, inv_freq(128))
    torch.testing.assert_close(shared[:, 0], expected, rtol=0, atol=5 * 1.6 * sigma / math.sqrt(draws))


def test_gaussian_pairs_make_the_bound_useless_everywhere():
    ratio, least_step = decay.useless_fraction(torch.tensor([1, 100]), draws=500)
    assert (ratio > 1).all()
    assert least_step > 2  # useless at every distance: the mean of |S| is at least ½


def test_the_largest_step_is_among_those_of_the_numbers_with_a_zero_behind_them():
    q, k = torch.randn(2, 50, 128, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    h = plane_products(q, k)
    steps = h.diff(append=torch.zeros(50, 1, dtype=torch.float64)).abs().max(1).values
    _, least_step = decay.useless_fraction(torch.tensor([1]), draws=50, seed=3)
    assert least_step == pytest.approx(float((steps / h.abs().mean(1)).min()), rel=1e-12)
