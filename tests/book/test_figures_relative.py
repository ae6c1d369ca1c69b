"""The pictures of relative encodings: what their captions claim is true of the data they draw."""

import itertools
import math

import pytest
import torch

from posenc_book.figures import relative


def test_a_clipped_table_has_a_row_for_each_near_diagonal_and_one_for_each_far_corner():
    data = relative.diagonals().data
    for m in range(6):
        for n in range(6):
            assert data["distance"][m, n] == n - m
            assert data["row"][m, n] == max(0, min(4, n - m + 2))


def test_the_rulers_begin_their_last_mark_where_the_caption_says():
    starts = relative.rulers().data
    assert starts["Shaw, clip 16"].tolist() == list(range(1, 17))
    for name, even, last in (("T5, both directions", 8, 91), ("T5, causal", 16, 113)):
        gaps = [int(after - before) for before, after in itertools.pairwise(starts[name])]
        assert starts[name][:even].tolist() == list(range(1, even + 1))
        assert all(after >= before - 1 for before, after in itertools.pairwise(gaps))  # thresholds round up
        assert gaps[-1] > 10 and starts[name][-1] == last


def test_every_curve_starts_at_zero_and_is_below_it_afterwards():
    for name, curve in relative.bias_curves().items():
        assert curve.dtype == torch.float64
        assert curve[0].item() == pytest.approx(0, abs=1e-12), name  # FIRE's and Sandwich's zeros are rounded
        assert curve[20:].max() < 0, name


def test_only_alibi_falls_at_a_constant_rate():
    for name, curve in relative.bias_curves().items():
        steps = curve.diff()
        assert bool((steps - steps[0]).abs().max() < 1e-12) == name.startswith("ALiBi"), name


def test_the_curves_follow_their_formulas():
    curves, x = relative.bias_curves(), 100
    assert curves["ALiBi, head 4 of 8"][x].item() == -x / 16
    # both parameters pass through softplus or sigmoid in float32 before they are doubled
    assert curves["KERPLE power, r₂ = ½"][x].item() == pytest.approx(-0.25 * math.sqrt(x), rel=1e-6)
    assert curves["KERPLE log, as initialised"][x].item() == pytest.approx(-math.log1p(x / 2), rel=1e-6)
    for m in (256, 4096):
        fire = -6 * math.log1p(0.1 * x) / math.log1p(0.1 * m)  # c and L are stored in float32, too
        assert curves[f"FIRE, f(x) = −6x, m = {m}"][x].item() == pytest.approx(fire, rel=1e-6)


def test_the_staircase_is_flat_from_its_last_bucket_on():
    curve = relative.bias_curves()["T5, an even staircase"]
    assert curve.unique().numel() == 32
    assert (curve[113:] == -6).all() and curve[112] > -6
