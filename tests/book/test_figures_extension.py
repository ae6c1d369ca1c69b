"""The figures of context extension show what their titles claim."""

import math

import numpy as np
import pytest
import torch

from posenc_book.figures import extension
from posenc_lib import inv_freq
from posenc_lib.rotary.scaling.yarn import yarn

FREQ = inv_freq(128)
GRID = torch.linspace(1.0, 32.0, 31_001, dtype=torch.float64)


@pytest.mark.parametrize(("base", "length"), [(1e4, 2048), (1e4, 4096), (5e5, 8192), (1e6, 16384)])
def test_planes_of_one_turn_are_those_with_a_wavelength_within_the_length(base, length):
    wavelengths = [2 * math.pi * base ** (i / 64) for i in range(64)]
    counted = extension.one_turn(inv_freq(128, base), length)
    assert counted == sum(wavelength <= length for wavelength in wavelengths)
    assert counted == math.ceil(64 * math.log(length / (2 * math.pi), base))


@pytest.mark.parametrize("factor", [2.0, 8.0, 32.0])
def test_every_rule_lies_between_interpolation_and_nothing(factor):
    for name, row in extension.multipliers(FREQ, 4096, factor).items():
        assert bool((row <= 1).all()) and bool((row >= (1 - 1e-14) / factor).all())
        assert row[-1].item() == pytest.approx(1 / factor, rel=1e-14)
        assert row[0].item() == (1 / factor if name == "interpolation" else 1.0)


@pytest.mark.parametrize("factor", [2.0, 8.0, 32.0])
def test_only_the_change_of_base_leaves_slow_planes_out_of_bound(factor):
    slow = slice(extension.one_turn(FREQ, 4096), 63)
    for name, row in extension.multipliers(FREQ, 4096, factor).items():
        reach = factor * row[slow]
        if name == "NTK-aware":
            assert bool((reach > 1).all())
        else:
            assert torch.allclose(reach, torch.ones_like(reach), rtol=1e-13, atol=0)


def test_shares_kept_are_the_two_ramps():
    rows = extension.multipliers(FREQ, 4096, 16.0)
    paper, code = (extension.kept(rows[name], 16.0) for name in ("YaRN, paper", "YaRN, code"))
    expected = extension.ramp_in_turns(extension.turns(FREQ, 4096))
    assert torch.allclose(paper, expected, rtol=0, atol=1e-14)
    index = torch.arange(64, dtype=torch.float64)
    assert torch.allclose(code, ((46 - index) / 26).clamp(0, 1), rtol=0, atol=1e-14)


def test_logarithmic_ramp_is_above_the_linear_one_and_farthest_where_the_page_says():
    gap = extension.ramp_in_logarithm(GRID) - extension.ramp_in_turns(GRID)
    assert bool((gap[1:-1] > 0).all())
    assert gap[0].item() == 0 and gap[-1].item() == pytest.approx(0, abs=1e-15)
    assert GRID[gap.argmax()].item() == pytest.approx(31 / math.log(32), abs=1e-3)
    assert gap.max().item() == pytest.approx(0.375926, abs=1e-6)


def error_of(h, t):
    """|a(t) − (1 − t) a(0) − t a(1)| of the score with products h, from its definition."""
    score = [float((h * torch.exp(1j * x * FREQ)).sum().real) for x in (t, 0.0, 1.0)]
    return abs(score[0] - (1 - t) * score[1] - t * score[2])


@pytest.mark.parametrize("t", [0.1, 0.5, 0.8])
def test_worst_error_is_attained_and_never_exceeded(t):
    worst = extension.worst_error(torch.tensor(t, dtype=torch.float64), FREQ).item()
    bend = torch.exp(1j * t * FREQ) - (1 - t) - t * torch.exp(1j * FREQ)
    assert error_of(bend.conj() / bend.abs(), t) == pytest.approx(worst, rel=1e-12)
    phases = torch.rand(200, 64, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    assert max(error_of(torch.exp(2j * math.pi * phase), t) for phase in phases) < worst


def test_worst_error_in_the_middle_is_a_sum_of_squares_of_sines():
    half = extension.worst_error(torch.tensor(0.5), FREQ)
    assert half.item() == pytest.approx((2 * torch.sin(FREQ / 4) ** 2).sum().item(), rel=1e-12)


def test_largest_error_lies_between_the_printed_and_the_proved_bound():
    data = extension.interpolation_error().data
    inside = slice(1, -1)
    assert (data["printed bound"][inside] < data["largest error"][inside]).all()
    assert (data["largest error"][inside] < data["proved bound"][inside]).all()
    middles = [round(float(row[len(row) // 2]), 4) for row in data.values()]
    assert middles == [0.4998, 0.4939, 0.4343]


def test_frequencies_of_code_and_paper_differ_as_the_figure_says():
    data = extension.ramps().data
    for factor, peak in (4, 1.7), (16, 3.0), (64, 5.0):
        row = data[f"s = {factor}"]
        assert peak < row.max() < peak + 0.1
        assert 34 <= row.argmax() <= 42
        assert (row[:21] == 1).all() and np.allclose(row[46:], 1, rtol=1e-13, atol=0)
        assert 0.96 < row[21] < 1 and (row[22:46] > 1).all()


def test_page_48_on_the_third_ramp():
    ladder, rule = inv_freq(64, 150_000.0), {"factor": 32.0, "original_max_position_embeddings": 4096}
    exact, code, paper = (
        yarn(ladder, **rule, **rest)[0] for rest in ({"truncate": False}, {}, {"ramp": "paper"})
    )
    assert (code / exact).max().item() == pytest.approx(1.76, abs=0.005)
    assert (paper / exact).min().item() == pytest.approx(0.27, abs=0.005)
