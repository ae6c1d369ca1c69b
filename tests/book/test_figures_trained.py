"""The figures of the trained model show what their titles claim, from the stored results."""

import numpy as np
import pytest

from posenc_book.figures import trained
from posenc_book.stored import stored


@pytest.fixture(scope="module")
def results():
    return stored("13-trained-model")


def test_planes_are_rings_in_a_ladder_of_periods(results):
    points = trained.planes(results).data["planes"]
    radius = np.hypot(points[..., 0], points[..., 1])
    assert points.shape == (5, 127, 2)
    rings = radius[2:]
    assert (rings.std(1) < 0.25 * rings.mean(1)).all() and (abs(rings.mean(1) - 1) < 0.3).all()
    turns = np.unwrap(np.arctan2(points[..., 1], points[..., 0]))
    paces = 2 * np.pi * 126 / (turns[:, -1] - turns[:, 0])[1:]  # the slowest plane makes no turn here
    periods = np.array(
        results["positions"]["tables"]["learned"]["turning"]["periods of the nearest rotation"]
    )
    nearest = abs(np.log(np.divide.outer(paces, periods))).argmin(1)
    assert nearest.tolist() == [1, 2, 3, 4]
    assert ((periods[:-1] / periods[1:] > 2.5) & (periods[:-1] / periods[1:] < 4)).all()


def test_the_gain_and_not_the_rotation_tells_the_learned_table_from_the_controls(results):
    learned, *controls = (results["positions"]["tables"][name] for name in
                          ("learned", "random walk", "AR(1), 0.9", "AR(1), 0.99"))  # fmt: skip
    for variant in ("whitened", "not whitened"):
        assert all(c[variant]["distance to the nearest rotation"] <= 0.01 for c in (learned, *controls))
        assert learned[variant]["gain over no change"] > 0.98
        assert max(c[variant]["gain over no change"] for c in controls) < 0.4
    assert min(learned["periods"]) < 6 and min(min(c["periods"]) for c in controls) > 100
    steadiness = [[*t["turning"]["spread of the modulus"]] for t in (learned, *controls)]
    assert all(mine < min(theirs) for mine, *theirs in zip(*steadiness, strict=True))


def test_errors_pass_the_change_before_the_trained_size(results):
    data = trained.expansion(results).data
    for name in ("as it is", "no vector at position 0"):
        change, first, second = (
            data[f"{name}, log10 {kind}"] for kind in ("change", "error of order 1", "error of order 2")
        )
        assert second[0] < first[0] < change[0]
        assert second[-1] > first[-1] > change[-1]
        assert (second[1] - second[0]) / np.log10(2) == pytest.approx(3, abs=0.02)
        assert (first[1] - first[0]) / np.log10(2) == pytest.approx(2, abs=0.02)


def peaks(lags, values):
    """Lags of the local maxima."""
    inside = (values[1:-1] > values[:-2]) & (values[1:-1] > values[2:])
    return lags[1:-1][inside]


def test_heads_are_above_the_null_and_one_peaks_at_the_previous_token(results):
    data = trained.heads(results).data
    share = data["even"] + data["odd"]
    assert (share > data["null"]).all()
    assert (share > 0.86).sum() == 10
    assert sorted(np.argsort(data["odd"])[-2:]) == [2, 5]
    layer = results["H"]["first layer"]
    low, median, high = np.array(layer["heads"][2]["by distance"]).T
    assert (median == data["median by distance"]).all()
    assert ((low <= data["fitted"]) & (data["fitted"] <= high)).all()
    lags = np.array(layer["lags"])
    assert lags[median.argmax()] == lags[data["fitted"].argmax()] == 1
    assert abs(peaks(lags, median) - peaks(lags, data["fitted"])).max() <= 1
