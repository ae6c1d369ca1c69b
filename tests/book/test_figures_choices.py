"""The pictures of other frequencies: what they claim is true of the data they draw."""

import math

import mpmath
import pytest
import torch

from posenc_book.figures import choices
from posenc_lib import sample_inv_freq
from posenc_lib.analysis import decay_kernel

F64 = torch.float64


def test_the_closed_forms_of_the_powers_against_quadrature():
    x = torch.tensor([0.5, 3.0, 40.0], dtype=F64)
    for name, power in (("√t", 0.5), ("t", 1), ("t²", 2)):
        for point, value in zip(x.tolist(), choices.CHOICES[name][1](x).tolist(), strict=True):
            exact = mpmath.quad(
                lambda u, point=point, power=power: mpmath.cos(point * u**power), mpmath.linspace(0, 1, 17)
            )
            assert value == pytest.approx(float(exact), abs=1e-13)
    for _, closed in choices.CHOICES.values():
        assert closed(torch.zeros(2, dtype=F64)).tolist() == [1, 1]


def test_each_choice_is_the_mean_of_its_own_frequencies():
    x = torch.tensor([2.0, 20.0], dtype=F64)
    for theta, closed in choices.CHOICES.values():
        mean = decay_kernel(x, sample_inv_freq(theta, 40_000, midpoint=True))
        torch.testing.assert_close(closed(x), mean, rtol=0, atol=1e-6)


def test_powers_lead_at_short_range_and_exponentials_are_largest_at_long_range():
    data = choices.short_range().data
    order = ["√t", "t", "t²", "1000⁻ᵗ", "10000⁻ᵗ"]
    one = [data[name][10] for name in order]  # distance 1
    assert one == sorted(one)
    levels = choices.levels(torch.tensor([1e3, 1e4, 1e7], dtype=F64))
    powers = torch.stack([levels[name] for name in ("√t", "t", "t²")])
    exponentials = torch.stack([levels[name] for name in ("1000⁻ᵗ", "10000⁻ᵗ")])
    assert bool((exponentials[:, :2].amin(0) > powers[:, :2].amax(0)).all())
    assert bool((exponentials[:, 2] < levels["t²"][2]).all() and (exponentials[:, 2] > levels["√t"][2]).all())


def test_the_cantor_half_comes_back_at_every_power_of_three():
    frequencies = choices.cantor_frequencies()
    assert bool((frequencies.diff() >= 0).all()) and frequencies.min() >= 0 and frequencies.max() <= 1
    limit = -math.prod(math.cos(2 * math.pi / 3**k) for k in range(1, 40)) / 2  # e^{iπ 3^k} = −1, halved
    at = 2 * math.pi * 3.0 ** torch.arange(4, dtype=F64)
    torch.testing.assert_close(
        decay_kernel(at, frequencies), torch.full((4,), limit, dtype=F64), rtol=0, atol=1e-4
    )


def test_evenly_spaced_frequencies_return():
    data = choices.returning_sums(dim=64, last=450).data
    assert data["t"][201] > 0.99 and data["t"][402] > 0.97
    assert data["t"][50:150].max() < 0.1
    assert data["10000⁻ᵗ"][100:].max() < 0.6
