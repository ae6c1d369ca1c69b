"""The figures of near-returns show what their titles claim."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from sympy import Poly, Symbol, continued_fraction_convergents, continued_fraction_iterator, pi

from posenc_book.figures import recurrence
from posenc_lib import inv_freq
from posenc_lib.analysis import decay_kernel


def numerators(number, below: int) -> list[int]:
    """Numerators of the convergents of a number."""
    found = []
    for fraction in continued_fraction_convergents(continued_fraction_iterator(number)):
        if fraction.p > below:
            return found
        found.append(int(fraction.p))
    return found


def test_records_of_one_hand_are_the_convergents_of_two_pi():
    positions = [position for position, _ in recurrence.records(inv_freq(2), 400_000)]
    assert positions == [1, *numerators(2 * pi, 400_000)]


def test_records_of_four_geared_hands_end_in_the_convergents_of_two_thousand_pi():
    positions = [position for position, _ in recurrence.records(inv_freq(8), 200_000)]
    assert positions[-5:] == numerators(2000 * pi, 200_000)


def test_records_do_not_depend_on_the_size_of_the_pieces(monkeypatch):
    whole = list(recurrence.records(inv_freq(8), 70_000))
    monkeypatch.setattr(recurrence, "CHUNK", 999)
    assert list(recurrence.records(inv_freq(8), 70_000)) == whole


def test_worst_angle_agrees_with_exact_fractions_of_pi():
    near = Fraction(314159265358979323846264338327950288, 10**35)  # π to 36 digits
    exact = float(710 - 226 * near)
    assert recurrence.worst_angle(torch.tensor(710), inv_freq(2)).item() == pytest.approx(exact, abs=1e-12)


def test_errors_of_geared_hands_are_ten_times_larger_at_each_gear():
    off = [recurrence.worst_angle(torch.tensor(710_000), speed[None]).item() for speed in inv_freq(8)]
    for faster, slower in itertools.pairwise(off):
        assert faster == pytest.approx(10 * slower, rel=1e-5)


@pytest.mark.parametrize("dim", [6, 8, 16, 24, 64, 80, 128])
def test_independent_frequencies_are_the_degree_of_the_minimal_polynomial(dim):
    x, rank = Symbol("x"), recurrence.independent(dim)
    assert Poly(x**rank - 10).is_irreducible
    exponents = {(4 * i * rank // (dim // 2)) % rank for i in range(dim // 2)}
    assert exponents == set(range(rank))


@pytest.mark.parametrize("dim", [32, 64, 128])
def test_frequencies_of_a_class_are_geared_by_ten(dim):
    freq, rank = inv_freq(dim), recurrence.independent(dim)
    assert torch.allclose(freq[rank:], freq[:-rank] / 10, rtol=1e-14, atol=0)


def test_kernel_of_four_hands_is_the_mean_over_the_phase_of_the_slowest():
    positions = torch.arange(3000)
    expected = recurrence.gear_mean(positions.double() * 1e-3)
    assert torch.allclose(decay_kernel(positions, inv_freq(8)), expected, rtol=0, atol=1e-11)


def test_minimum_drawn_is_the_least_value_on_a_fine_grid():
    phase = torch.linspace(0, math.pi, 2_000_001, dtype=torch.float64)
    drawn = recurrence.gear_curve().data["near the minimum"].min()
    assert drawn == pytest.approx(recurrence.gear_mean(phase).min().item(), abs=2e-5)
    assert -0.9678 < drawn < -0.9677


def test_staircases_only_fall_and_fall_less_the_more_frequencies_are_independent():
    data = recurrence.near_returns(up_to=200_000).data
    lowest = [steps[-1, 1] for steps in data.values()]
    assert all((np.diff(steps[:-1, 1]) < 0).all() for steps in data.values())  # the last goes on level
    assert lowest == sorted(lowest)
