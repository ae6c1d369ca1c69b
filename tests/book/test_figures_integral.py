"""The pictures of the decay integral: what they claim is true of the data they draw."""

import math

import numpy as np
import pytest
import torch

from posenc_book.figures import integral
from posenc_lib.analysis import decay_integral

F64 = torch.float64


def test_the_peak_is_one_and_the_shoulders_stay_above_two_fifths():
    data = integral.near().data
    assert data["integral"].max() == data["integral"][128] == 1
    assert data["integral"].min() == data["integral"][0] > 0.4
    assert data["sum"].min() < 0.34  # the sum does not stay on the curve


def test_the_law_and_the_integral_agree_from_ten_to_two_thousand():
    data = integral.logarithmic().data
    x = np.logspace(0, 5, 400)
    middle = (x > 10) & (x < 2000)
    assert np.abs(data["law"] - data["integral"])[middle].max() < 0.01
    assert data["law"][-1] < -0.3 < -0.01 < data["integral"][-1]


def test_the_ladder_leaves_the_integral_at_the_horizon():
    assert integral.horizon() == pytest.approx(43.66, abs=5e-3)
    sizes = {name: y.abs().max() for name, y in integral.differences(torch.linspace(0, 12, 100)).items()}
    assert sizes["usual ladder"] > 0.015
    assert max(sizes["without boundary term"], sizes["midpoint ladder"]) < 0.0025
    first_term = torch.tensor(1.0, dtype=F64).cos() - torch.tensor(1e-4, dtype=F64).cos()
    assert integral.boundary_term(torch.tensor(1.0, dtype=F64)) == first_term / 128


@pytest.mark.parametrize(("dim", "base"), [(64, 1e4), (128, 1e4), (128, 5e5)])
def test_the_noise_is_as_large_as_said_and_meets_the_integral_once(dim, base):
    start, crossing = integral.horizon(dim, base), integral.meeting(dim, base)
    x = torch.logspace(math.log10(start), math.log10(base), 500, dtype=F64)
    above = decay_integral(x, base) > integral.noise(x, dim, base)
    assert torch.equal(above, x < crossing)
    if base == 1e4:
        far = torch.arange(round(2 * start), round(40 * start), dtype=F64)
        measured = integral.differences(far, dim)["without boundary term"].square().mean()
        assert (measured / integral.noise(far, dim).square().mean()).sqrt() == pytest.approx(1, abs=0.03)


def test_the_local_mean_follows_the_integral_far_beyond_the_horizon():
    data = integral.signal_and_noise().data
    x = np.unique(np.round(np.logspace(1, np.log10(50_000), 90)))
    far = (x > integral.horizon()) & (x < integral.meeting())
    target = data["integral"] - 1 / 128  # the boundary term is −1/d on average
    mean, alone = (np.square(data[name] - target)[far].mean() ** 0.5 for name in ("means", "sum"))
    assert mean < alone / 3 and mean < data["noise"][far].mean() / 5


def test_the_integral_has_lost_a_quarter_for_each_factor_of_ten():
    steps = -decay_integral(torch.tensor([10.0, 100.0, 1000.0], dtype=F64)).diff()
    torch.testing.assert_close(steps, torch.full((2,), 0.25, dtype=F64), rtol=0, atol=5e-3)
