"""The figures of several axes show what their titles claim."""

import itertools
import math

import pytest
import torch

from posenc_book.figures import several_axes
from posenc_lib import apply_rotary, cos_sin_axes, inv_freq, positions_grid

ENCODINGS = several_axes.two_axes()
ONE_AXIS_A_PLANE = ("axial", "blocks", "interleaved")


@pytest.mark.parametrize("name", ENCODINGS)
def test_kernel_is_the_score_of_equal_contents_that_the_library_computes(name):
    cells = positions_grid(5, 5)
    tables = cos_sin_axes(ENCODINGS[name], cells, dtype=torch.float64)
    x = torch.full((25, 64), 64**-0.5, dtype=torch.float64)
    scores = apply_rotary(x, *tables) @ apply_rotary(x, *tables).T
    drawn = several_axes.kernel(ENCODINGS[name], reach=4)
    rows, columns = (cells[:, :, None] - cells[:, None, :] + 4).unbind()
    torch.testing.assert_close(scores, drawn[rows, columns], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ENCODINGS)
def test_scores_are_sums_over_the_axes_exactly_if_each_plane_has_one_axis(name):
    one_axis = bool(((ENCODINGS[name] != 0).sum(0) == 1).all())
    defect = several_axes.rectangle_defect(several_axes.kernel(ENCODINGS[name]))
    assert one_axis == (name in ONE_AXIS_A_PLANE)
    assert defect < 1e-14 if one_axis else defect > 0.5


def test_two_sided_quaternions_with_equal_speeds_are_axial_turned_by_45_degrees():
    half, s = inv_freq(32, 100.0), torch.arange(-16.0, 17.0, dtype=torch.float64)
    ridge = lambda v: (v[..., None] * half).cos().mean(-1)  # noqa: E731
    drawn = several_axes.kernel(ENCODINGS["two-sided"])
    turned = (ridge(s[:, None] + s) + ridge(s[:, None] - s)) / 2
    product = ((s[:, None, None] * half).cos() * (s[:, None] * half).cos()).mean(-1)
    torch.testing.assert_close(drawn, turned, rtol=0, atol=1e-14)
    torch.testing.assert_close(drawn, product, rtol=0, atol=1e-14)


def test_rectangle_defect_is_taken_from_the_centre():
    rows, columns = torch.randn(2, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    values = rows[:, None] + columns
    assert several_axes.rectangle_defect(values) < 1e-15
    values[6, 0] += 0.25
    assert several_axes.rectangle_defect(values) == pytest.approx(0.25, rel=1e-14)


@pytest.mark.parametrize("matrix", [[[1.0], [2**0.5]], [[0.5, 0.0], [0.0, 0.7]], [[2.0, 1.0], [0.3, 3.0]]])
def test_closest_agrees_with_all_pairs_of_cells(matrix):
    angles = (positions_grid(4, 4).double().T @ torch.tensor(matrix, dtype=torch.float64)).tolist()
    worst = [
        max(abs(math.remainder(a - b, 2 * math.pi)) for a, b in zip(one, other, strict=True))
        for one, other in itertools.combinations(angles, 2)
    ]
    found = several_axes.closest(torch.tensor(matrix, dtype=torch.float64), 4)
    assert found == pytest.approx(min(worst), abs=1e-12)


def test_every_wavelength_is_dealt_once():
    ladder = 2 * math.pi / inv_freq(128, 1e6)
    for axes in several_axes.dealt_wavelengths().values():
        assert torch.equal(torch.cat(list(axes.values())).sort().values, ladder.sort().values)


def test_blocks_give_bands_and_interleaving_gives_each_axis_the_whole_range():
    blocks, interleaved = several_axes.dealt_wavelengths().values()
    time, height, width = blocks.values()
    assert time.max() < height.min() and height.max() < width.min()
    assert time.max() == pytest.approx(160.1, abs=0.05) and width.min() > 35_000
    for lengths in interleaved.values():
        assert lengths.min() < 10 and lengths.max() > 1_700_000


def test_heat_maps_stay_inside_the_colour_scale():
    for values in several_axes.kernels().data.values():
        assert values.min() > 0 and values.max() == pytest.approx(1, abs=1e-12)
        assert values[16, 16] == values.max()
