"""Bases are excluded without a gap, and the stored rows are what the cover and ball arithmetic give."""

import math
from itertools import pairwise

import pytest
import torch
from flint import arb

import experiments.base_bounds as tool
from experiments.base_bounds import certificate
from posenc_book.stored import stored
from posenc_lib import inv_freq
from posenc_lib.analysis import base_lower_bound, decay_kernel
from posenc_lib.analysis.base_bound import base_cover, kernel_sums

F64 = torch.float64
STORED = stored("49-base-bounds")
CASES = [(16, 4), (100, 16), (256, 128), (1000, 64)]


@pytest.mark.parametrize("length", [1, 2, 3, 16, 17, 1000])
@pytest.mark.parametrize("dim", [2, 8, 128])
def test_sums_by_one_product_are_the_sums(length, dim):
    expected = dim / 2 * decay_kernel(torch.arange(length), inv_freq(dim))
    torch.testing.assert_close(kernel_sums(inv_freq(dim), length), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("length", "dim"), CASES)
def test_cells_join_and_are_negative_throughout(length, dim):
    edges, distances = base_cover(length, dim)
    assert edges[0] == 0.0 and len(edges) == len(distances) + 1
    assert set(distances) <= set(range(1, length))
    for (low, high), distance in zip(pairwise(edges), distances, strict=True):
        assert low < high
        inside = torch.linspace(low, high, 9, dtype=F64).exp().tolist()
        assert max(decay_kernel(torch.tensor(distance), inv_freq(dim, base)) for base in inside) < 0


@pytest.mark.parametrize(("length", "dim"), CASES)
def test_cover_ends_at_the_first_feasible_base(length, dim):
    edges, _ = base_cover(length, dim)
    assert kernel_sums(inv_freq(dim, math.exp(edges[-1] + 1e-7)), length).min() > 0
    assert base_lower_bound(length, dim) == math.exp(edges[-1])
    for base in torch.logspace(0, math.log10(math.exp(edges[-1])), 500, dtype=F64)[:-1].tolist():
        assert kernel_sums(inv_freq(dim, base), length).min() < 0


def test_coarser_walks_end_earlier_and_finest_ones_stop():
    ends = [base_cover(256, 128, rtol=rtol)[0][-1] for rtol in (1e-4, 1e-6, 1e-9, 1e-300)]
    assert ends == sorted(ends) and ends[0] < ends[-1]
    assert ends[-1] - ends[-2] < 1e-7


def test_balls_confirm_a_cover_and_refuse_a_spoilt_one():
    edges, distances = base_cover(256, 128)
    assert certificate.infeasible(edges, distances, 64)
    assert not certificate.infeasible(edges, distances[:-1], 64)
    assert not certificate.infeasible(edges, [*distances[:-1], 1], 64)
    assert not certificate.infeasible([*edges[:-1], edges[-1] + 1e-6], distances, 64)


def test_balls_of_the_product_hold_the_sums():
    u, length = 9.2, 50
    for m, ball in enumerate(certificate.sums(certificate.ladder(u, 64), [1] * 64, length)):
        exact = sum(((m * (-arb(u) * i / 64).exp()).cos() for i in range(64)), arb(0))
        assert ball.overlaps(exact) and ball.rad() < 1e-18


def test_a_feasible_cell_is_one_at_every_base_inside():
    edges = tool.safe_edges(128, 64)
    assert certificate.feasible(edges[:20], 128, 64)
    for high, low in pairwise(edges):
        middle = math.exp((low + high) / 2)
        for base in (math.exp(low), middle, math.exp(high)):
            assert kernel_sums(inv_freq(128, base), 128).min() > 0
    assert not certificate.feasible_on(edges[-1] - 1e-5, edges[-1], 128, 64)


@pytest.mark.parametrize("length", [64, 1024, 32768])
@pytest.mark.parametrize("power", [2.25, 2.5, 4.0])
def test_sums_of_large_bases_are_above_their_bound(length, power):
    bound = tool.far_sum(length, 64)
    assert 0 < bound < kernel_sums(inv_freq(128, length**power), length).min()


def test_a_row_that_is_not_certified_is_an_error(monkeypatch):
    monkeypatch.setattr(tool, "infeasible", lambda *cells: False)
    with pytest.raises(ArithmeticError, match="L = 64, the cells"):
        tool.rows((64,))


def test_stored_rows_of_short_contexts_are_the_library_s():
    assert [row["length"] for row in STORED["rows"]] == list(tool.LENGTHS)
    for row in STORED["rows"][:4]:
        assert base_lower_bound(row["length"], 128) == pytest.approx(row["base"], rel=1e-7)


@pytest.mark.parametrize("row", STORED["rows"], ids=lambda row: str(row["length"]))
def test_stored_bases_separate(row):
    above = kernel_sums(inv_freq(128, row["base"] * (1 + STORED["step"])), row["length"])
    below = kernel_sums(inv_freq(128, row["base"] * (1 - STORED["step"])), row["length"])
    assert above.min() > 0 > below[row["distance"]]


@pytest.mark.parametrize("row", [row for row in STORED["rows"] if row["safe"]], ids=lambda row: row["length"])
def test_stored_safe_bases_are_above_and_fail_just_below(row):
    safe = row["safe"]
    assert safe["base"] > row["base"]
    below = kernel_sums(inv_freq(128, safe["base"] * (1 - STORED["step"])), row["length"])
    assert below[safe["distance"]] < 0
    for factor in (1 + 1e-7, 1.001, 1.01, 1.1, 2, 10):
        assert kernel_sums(inv_freq(128, safe["base"] * factor), row["length"]).min() > 0
