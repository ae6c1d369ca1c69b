"""Weights that save a base are certified from both sides, and a changed number is refused."""

import math

import pytest
import torch

from experiments.base_bounds.weightings import (
    FARTHER,
    TRIES,
    Sums,
    at_most,
    failing,
    heaviest,
    permuted,
    saves,
)
from posenc_book.stored import stored
from posenc_lib import RotarySpec

F64 = torch.float64
STORED = stored("49-base-bounds")["weightings"]
ROWS = [(name, setting, STORED["rows"][name]) for name, setting in failing().items()]
ROWS += [(f"{length}", (length, RotarySpec(128)), row)
         for length, row in zip(FARTHER, STORED["farther"], strict=True)]  # fmt: skip
SHORT = [row for row in ROWS if row[0] in ("Llama 1", "ModernBERT")]


def named(rows):
    return pytest.mark.parametrize(
        ("setting", "row"), [row[1:] for row in rows], ids=[row[0] for row in rows]
    )


@named(ROWS)
def test_stored_weights_serve_all_distances_and_stored_multipliers_leave_no_more(setting, row):
    length, spec = setting
    weights = torch.tensor(row["weights"], dtype=F64)
    assert row["length"] == length and row["total"] == math.fsum(row["weights"])
    assert weights.min() >= 0 and weights.max() <= 1
    assert Sums(spec.inv_freq(), length)(weights).min() >= STORED["margin"] / 2 * row["total"]
    again = at_most(spec.inv_freq(), row["distances"], row["multipliers"])
    assert row["at most"] == pytest.approx(again, abs=1e-9)
    assert row["total"] <= row["at most"] < row["total"] + 0.005


@named(SHORT)
def test_balls_confirm_the_weights_and_refuse_changed_ones(setting, row):
    theta, weights = setting[1].inv_freq(), row["weights"]
    assert saves(theta, weights, setting[0])
    part = next(i for i, w in enumerate(weights) if 0 < w < 0.9)
    assert not saves(theta, [w + 0.01 * (i == part) for i, w in enumerate(weights)], setting[0])
    assert not saves(theta, [1.0] * len(weights), setting[0])
    assert not saves(theta, [-1.0, *weights[1:]], setting[0])


@named(SHORT)
def test_changed_multipliers_bound_less_and_negative_ones_are_refused(setting, row):
    theta, multipliers = setting[1].inv_freq(), row["multipliers"]
    for k in range(len(multipliers)):
        for factor in (0.9, 1.1):
            changed = [mu * (factor if i == k else 1) for i, mu in enumerate(multipliers)]
            assert at_most(theta, row["distances"], changed) > row["at most"]
    with pytest.raises(ValueError, match="must not be negative"):
        at_most(theta, row["distances"], [-mu for mu in multipliers])


@named(SHORT)
def test_the_simplex_method_finds_the_stored_total_again(setting, row):
    weights, multipliers = heaviest(setting[1].inv_freq(), setting[0])
    assert float(weights.sum()) == pytest.approx(row["total"], rel=1e-8)
    assert sorted(multipliers) == row["distances"]


def test_one_resting_plane_carries_one_of_two_that_alternate():
    theta = torch.tensor([math.pi, math.pi, 1e-9], dtype=F64)
    weights, multipliers = heaviest(theta, 4)
    assert float(weights.sum()) == pytest.approx(2, abs=1e-5)
    assert at_most(theta, list(multipliers), list(multipliers.values())) == pytest.approx(2, abs=1e-5)


def test_sines_are_multipliers_that_leave_no_weight_beyond_half_a_turn():
    theta = RotarySpec(8, 100.0).inv_freq()
    for length, saved in ((90, True), (103, False)):  # the slowest plane makes half a turn in 99.3
        sines = [1e5 * math.sin(math.pi * m / length) for m in range(1, length)]
        assert (at_most(theta, list(range(1, length)), sines) >= 1) == saved


@named(SHORT[:1])
def test_stored_orders_are_tried_again(setting, row):
    assert STORED["permuted"]["Llama 1"] == permuted(*setting, row["weights"])
    assert permuted(2, setting[1], row["weights"])["permutations that save"] == TRIES
