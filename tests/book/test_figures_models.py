"""The figure of released heads, and the numbers that page 61 tells of them."""

import math

import pytest
import torch

from posenc_book.figures import models
from posenc_lib import RotarySpec
from posenc_lib.analysis import decay_kernel
from tools.notebooks import ROOT

PAGE = ROOT / "book" / "6-models" / "61-which-planes-turn.ipynb"
BY_NAME = {model.name: model for model in models.RELEASED}


@pytest.mark.parametrize("model", models.RELEASED, ids=lambda model: model.name)
def test_a_plane_is_counted_by_its_own_period(model):
    periods = [2 * math.pi / f if f else math.inf for f in models.whole_head(model.spec).tolist()]
    finished = sum(period <= model.context for period in periods)
    resting = sum(period == math.inf for period in periods)
    assert len(periods) == model.spec.dim // 2
    assert models.counts(model) == (finished, len(periods) - finished - resting, resting)


@pytest.mark.parametrize("model", models.RELEASED, ids=lambda model: model.name)
def test_the_first_failure_is_negative_and_the_first(model):
    frequencies, failure = models.whole_head(model.spec), models.first_failure(model)
    last = model.context if failure is None else failure
    near = torch.arange(max(0, last - 2000), last)
    assert bool((decay_kernel(near, frequencies) >= 0).all())
    if failure is not None:
        assert decay_kernel(torch.tensor(failure), frequencies) < 0


def test_proportional_planes_are_the_fastest_of_the_whole_ladder():
    planes = models.whole_head(BY_NAME["Gemma 4"].spec)
    assert torch.equal(planes[:64], RotarySpec(512, 1e6).inv_freq()[:64])
    assert not planes[64:].any()


def test_the_figure_cuts_each_bar_into_its_planes():
    plot = models.shares()
    assert plot.data["planes"].tolist() == [list(models.counts(model)) for model in models.RELEASED]
    every = [model.name for model in models.RELEASED if models.counts(model)[2] == 0]
    assert len(every) == 7 and all(3 * sum(models.counts(m)[:2]) <= m.spec.dim // 2
                                   for m in models.RELEASED if m.name not in every)  # fmt: skip
    widths = [bar.get_width() for bar in plot.figure.axes[0].patches]
    assert sum(widths) == pytest.approx(len(models.RELEASED), rel=1e-14)
