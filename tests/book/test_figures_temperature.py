"""The figure of fading leads, and what page 62 says of released temperatures."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from posenc_book.figures import temperature
from posenc_lib.hf import Temperature

LLAMA_4 = Temperature(slope=0.1, length=8192, first=1)


@pytest.mark.parametrize("scale", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("lead", [0.0, 3.0, 9.0])
def test_weight_is_the_softmax_of_one_leader_among_equals(lead, scale):
    for others in (1, 7, 500):
        scores = torch.zeros(others + 1, dtype=torch.float64)
        scores[0] = lead
        expected = torch.softmax(scale * scores, 0)[0].item()
        assert temperature.weight(lead, torch.tensor(others), scale).item() == pytest.approx(
            expected, rel=1e-12
        )


def test_the_factor_is_one_until_the_first_step_and_constant_within_a_block():
    scale = LLAMA_4.factor(torch.arange(3 * 8192), dtype=torch.float64)
    assert torch.equal(scale[:8191], torch.ones(8191, dtype=torch.float64))
    steps = (scale[1:] != scale[:-1]).nonzero().flatten() + 1
    assert steps.tolist() == [8191, 2 * 8192 - 1, 3 * 8192 - 1]
    assert scale[8191].item() == pytest.approx(1 + 0.1 * math.log(2), rel=1e-15)


@pytest.mark.parametrize("slope", [0.05, 0.1, 0.4])
def test_leads_above_one_over_the_slope_win_and_leads_below_it_lose(slope):
    others = torch.tensor([1e5, 1e7, 1e9, 1e11], dtype=torch.float64)
    scale = dataclasses.replace(LLAMA_4, slope=slope).factor(others.long(), dtype=torch.float64)
    for lead, sign in ((0.8 / slope, -1), (1.2 / slope, 1)):
        odds = scale * lead - others.log()  # logarithms: a weight of nearly 1 would be rounded
        assert (sign * odds.diff() > 0).all()
    at_threshold = temperature.weight(1 / slope, others, scale)[-1].item()
    assert at_threshold == pytest.approx(1 / (1 + 8192 * math.exp(-1 / slope)), rel=1e-4)


def test_the_figure_shows_what_its_title_and_its_words_say():
    data = temperature.fading().data
    for lead in (6, 10, 14):
        fixed, growing = data[f"lead {lead}, fixed"], data[f"lead {lead}, growing"]
        assert (np.diff(fixed) < 0).all() and (growing >= fixed).all()
    assert data["lead 6, growing"][-1] < 0.01
    assert (abs(data["lead 10, growing"][100:] - 0.75) < 0.1).all()
    assert data["lead 14, growing"].min() > 0.99
