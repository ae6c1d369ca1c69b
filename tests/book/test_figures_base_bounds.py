"""The figures of feasible bases show what their titles claim."""

import numpy as np
import torch

from posenc_book.figures import base_bounds
from posenc_lib import inv_freq
from posenc_lib.analysis import decay_kernel

ROWS = [
    {"length": 1024, "base": 4293.44, "safe": {"base": 6018.28}},
    {"length": 2048, "base": 11587.24, "safe": None},
]


def test_first_negative_is_the_first():
    for base in (1e2, 1e3, 1e4):
        kernel = decay_kernel(torch.arange(5000), inv_freq(128, base))
        found = base_bounds.first_negative(inv_freq(128, base), 5000)
        assert kernel[found] < 0 and bool((kernel[:found] >= 0).all())


def test_reached_keeps_the_shape():
    bases = torch.tensor([[100.0, 1000.0], [10000.0, 1e6]], dtype=torch.float64)
    expected = [[base_bounds.first_negative(inv_freq(128, b), 2000) for b in row] for row in bases.tolist()]
    assert base_bounds.reached(bases, 2000).tolist() == expected
    assert expected[1] == [1707, 2000]


def test_growth_shows_the_rows_and_what_is_quoted():
    plot = base_bounds.growth(ROWS, {"quoted": [4.3e3]})
    assert plot.data["quoted"] == [4.3e3]
    assert list(plot.data["smallest feasible"]) == [4293.44, 11587.24]
    assert list(plot.data["safe"]) == [6018.28]
    assert all(row["base"] > 2 * row["length"] / base_bounds.FIRST_ZERO for row in ROWS)
    labels = {text.get_text() for text in plot.figure.legends[0].get_texts()}
    assert {"quoted", "smallest feasible", "length / 0.6165"} <= labels


def test_islands_lie_between_the_smallest_and_the_safe_base():
    first = base_bounds.islands(1024, 2e3, 4293.44, 6018.28, 12e3).data["first"]
    bases = np.geomspace(2e3, 12e3, len(first))
    assert (first[bases < 4293] < 1024).all() and (first[bases > 6019] >= 1024).all()
    between = first[(bases > 4294) & (bases < 6018)] >= 1024
    assert between.any() and not between.all()


def test_weightings_draw_what_is_taken_from_each_plane_above_its_turns():
    rows = {"a": {"turns": [9.0, 0.5], "weights": [0.75, 1.0]}, "b": {"turns": [2.0], "weights": [0.0]}}
    plot = base_bounds.weightings(rows)
    assert plot.data["taken"].tolist() == [0.25, 0, 1]
    bars = [part.get_segments() for part in plot.figure.axes[0].collections]
    heights = [[(low[0], low[1] - high[1]) for low, high in row] for row in bars]
    np.testing.assert_allclose(heights[0], [(9, 0.2)], rtol=0, atol=1e-14)  # nothing is taken from the other
    np.testing.assert_allclose(heights[1], [(2, 0.8)], rtol=0, atol=1e-14)
    assert "a 87.5%; b 0.0%" in plot.alt
