"""The figures on general interaction matrices show what their titles claim."""

import pytest
import torch

from posenc_book.figures.general import (
    averaging,
    encodings,
    examples,
    matrices_and_scores,
    parts,
    shares,
    shift_average,
    step,
)
from posenc_lib import inv_freq, sinusoidal
from posenc_lib.analysis import toeplitz_defect

DOUBLE = torch.float64


def any_matrix(width=8, seed=3):
    return torch.randn(width, width, generator=torch.Generator().manual_seed(seed), dtype=DOUBLE)


def test_encodings_are_the_library_s_with_cosine_first():
    theirs = sinusoidal(torch.arange(9), 8, dtype=DOUBLE).unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
    assert torch.equal(encodings(inv_freq(8), torch.arange(9)), theirs)


def test_step_moves_every_encoding_on_by_one():
    freq = inv_freq(8)
    p = encodings(freq, torch.arange(9))
    assert (p[:-1] @ step(freq).mT - p[1:]).abs().max() < 1e-15


def test_parts_are_orthogonal_and_add_up():
    h = any_matrix()
    made = list(parts(h).values())
    assert (sum(made) - h).abs().max() < 1e-15  # entries below 2, two roundings each
    assert max(abs(float((made[k] * made[k - 1]).sum())) for k in range(3)) < 1e-14
    assert sum(shares(h).values()) == pytest.approx(1, rel=1e-14)


def test_the_relative_part_is_what_commutes_with_the_step():
    freq = inv_freq(8)
    h, u = any_matrix(), step(freq)
    relative = parts(h)["m − n"]
    assert (relative @ u - u @ relative).abs().max() < 1e-15
    assert (h @ u - u @ h).abs().max() > 0.1


def test_scores_of_the_parts():
    p = encodings(inv_freq(8), torch.arange(20))
    pieces = parts(any_matrix())
    assert toeplitz_defect(p @ pieces["m − n"] @ p.mT) < 1e-13
    # constant along anti-diagonals: the mirrored matrix is Toeplitz
    assert toeplitz_defect((p @ pieces["m + n"] @ p.mT).flip(-1)) < 1e-13
    across = p @ pieces["between planes"] @ p.mT
    assert toeplitz_defect(across) > 0.1 and toeplitz_defect(across.flip(-1)) > 0.1


def test_average_is_the_mean_of_turned_matrices():
    freq, h = inv_freq(6), any_matrix(6)
    u, turned, total = step(freq), h, torch.zeros_like(h)
    for _ in range(7):
        total, turned = total + turned, u.mT @ turned @ u
    assert (shift_average(h, freq, 7) - total / 7).abs().max() < 1e-13


def test_average_tends_to_the_relative_part():
    freq = torch.tensor([0.5, 1.1, 2.0], dtype=DOUBLE)
    h = any_matrix(6)
    for shifts in (1000, 100_000):
        # each oscillation at ω averages to at most 1 / (shifts · sin(ω/2)); the slowest here has ω = 0.6
        gap = (shift_average(h, freq, shifts) - parts(h)["m − n"]).abs().max()
        assert gap < 4 * h.abs().max() / (shifts * 0.29)


def test_averages_fall_and_blocks_stay():
    data = averaging(points=6, most=5000)
    assert data["any H"][-1] < data["any H"][0] / 5
    assert data["diagonal"][-1] < data["diagonal"][0] / 5
    assert data["⊕(aI + bJ)"].max() < 1e-13


def test_lower_row_is_empty_for_blocks_only():
    data = matrices_and_scores().data
    sizes = {name: abs(data[f"{name}, not relative"]).max() for name in examples()}
    assert sizes["⊕(aI + bJ)"] == 0
    assert min(sizes["diagonal"], sizes["any H"]) > 0.3
