"""The figures of the classification show what their titles claim."""

import itertools

import numpy as np
import pytest
import torch

from posenc_book.figures import all_relative
from posenc_lib.analysis import toeplitz_defect

EXACT = 1e-12  # float64, a handful of operations on numbers of order one
DOUBLE = torch.float64


@pytest.mark.parametrize("name", ["rotation", "another basis", "turn and shrink", "shear"])
def test_encoding_by_powers_of_one_matrix_is_relative(name):
    step = all_relative.plane_matrices()[name]
    query, key = torch.tensor([1.0, 0.3], dtype=DOUBLE), torch.tensor([0.4, 1.0], dtype=DOUBLE)
    queries = all_relative.powers(step, range(12)).mT @ query
    keys = all_relative.powers(step, [-n for n in range(12)]) @ key
    assert toeplitz_defect(queries @ keys.T) < EXACT * 10


def test_bounded_matrices_are_those_with_eigenvalues_on_the_circle_and_no_jordan_block():
    sizes = {
        name: torch.linalg.matrix_norm(all_relative.powers(step, (-400, 400)), 2).max().item()
        for name, step in all_relative.plane_matrices().items()
    }
    assert sizes["rotation"] == pytest.approx(1, abs=EXACT)
    assert sizes["another basis"] < 4
    assert sizes["turn and shrink"] > 1e5
    assert sizes["shear"] > 20


@pytest.mark.parametrize("terms", [20, 300])
def test_the_corrected_form_of_an_orbit_is_symmetric_positive_and_kept(terms):
    turns = torch.block_diag(*(turn(angle) for angle in (0.3, 1.1)), torch.tensor([[-1.0]], dtype=DOUBLE))
    basis = torch.eye(5, dtype=DOUBLE) + 0.3 * torch.ones(5, 5, dtype=DOUBLE).triu(1)
    step = basis @ turns @ torch.linalg.inv(basis)
    mean, kept = all_relative.orbit_forms(step, terms)
    assert torch.allclose(kept, kept.T, rtol=0, atol=1e-12)
    assert torch.linalg.eigvalsh(kept).min() > 0
    assert torch.allclose(step.T @ kept @ step, kept, rtol=0, atol=1e-12)
    missed = (step.T @ mean @ step - mean).abs().max()
    assert 1e-6 < missed < 10 / terms  # the two ends, divided by the number of forms


def turn(angle):
    return torch.tensor([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], dtype=DOUBLE)


def test_orbits_are_a_circle_an_ellipse_a_spiral_and_a_line_with_the_scores_below_them():
    data = all_relative.orbits().data
    assert np.allclose(np.linalg.norm(data["key, rotation"], axis=1), np.sqrt(1.16), rtol=0, atol=EXACT)
    assert np.ptp(np.linalg.norm(data["key, another basis"], axis=1)) > 0.5
    spiral = np.linalg.norm(data["key, turn and shrink"], axis=1)
    assert np.allclose(spiral[1:] / spiral[:-1], 1 / 0.97, rtol=0, atol=EXACT)
    assert np.ptp(data["key, shear"][:, 1]) == 0
    line = data["score, shear"]
    assert np.allclose(np.diff(line), -0.06, rtol=0, atol=EXACT)
    middle = len(line) // 2
    wave = data["score, rotation"]
    assert np.allclose(wave[2:] + wave[:-2], 2 * np.cos(0.3) * wave[1:-1], rtol=0, atol=EXACT * 10)
    assert line[middle] == pytest.approx(1.0 * 0.4 + 0.3 * 1.0, rel=1e-14)


def test_causal_rank_is_the_least_over_all_small_completions():
    values = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], dtype=DOUBLE)
    upper = torch.cartesian_prod(values, values, values)
    for given in itertools.product([0.0, 1.0], repeat=6):
        a, b, c, d, e, f = given
        table = torch.tensor([[a, 0, 0], [b, c, 0], [d, e, f]], dtype=DOUBLE)
        completions = table.repeat(len(upper), 1, 1)
        completions[:, 0, 1], completions[:, 0, 2], completions[:, 1, 2] = upper.T
        assert all_relative.causal_rank(table) == int(torch.linalg.matrix_rank(completions).min())


def test_causal_rank_ignores_what_lies_above_the_diagonal():
    table = torch.randn(9, 9, generator=torch.Generator().manual_seed(0), dtype=DOUBLE)
    assert all_relative.causal_rank(table) == all_relative.causal_rank(table.tril())


def test_rank_of_two_sided_alibi_is_full_and_of_exponential_polynomials_is_fixed():
    for length in (16, 40, 64):
        ranks = all_relative.ranks(length)
        assert ranks["−|m − n|, two-sided ALiBi"] == (length, 2)
        assert ranks["−(m − n), causal ALiBi"] == ranks["cos((m − n)π/512), cosFormer"] == (2, 2)
        assert ranks["(m − n)²"] == (3, 3)
        assert ranks["four rotary planes"] == (8, 8)


def test_the_t5_table_is_a_staircase_over_the_keys_before_the_query():
    last_query = all_relative.biases(12)["T5 buckets"][-1]
    assert last_query.tolist() == [-8, -8, -8, -8, -7, -6, -5, -4, -3, -2, -1, 0]


def test_rank_of_buckets_and_clipping_grows_under_a_causal_mask_too():
    data = all_relative.rank_growth(lengths=(32, 64, 96)).data
    for name in ("clip to ±16, Shaw", "T5 buckets"):
        for mask in ("two-sided", "causal"):
            assert (np.diff(data[f"{name}, {mask}"]) > 0).all()
