"""The figure of rotated values and of V-JEPA 2's turn, and what page 63 says of both."""

import math

import numpy as np
import pytest
import torch

from posenc_book.figures import latent, length
from posenc_book.stored import stored
from posenc_lib import apply_rotary, cos_sin, inv_freq, rotation_matrix

DOUBLE = torch.float64


def blocks(position, frequencies):
    """The 2 × 2 blocks of the tiled turn, from its definition in words: row r has the angle of channel r."""
    n = len(frequencies)
    angle = [position * float(frequencies[channel % n]) for channel in range(2 * n)]
    return [
        torch.tensor(
            [[math.cos(angle[k]), -math.sin(angle[k])], [math.sin(angle[k + 1]), math.cos(angle[k + 1])]]
        )
        for k in range(0, 2 * n, 2)
    ]


@pytest.mark.parametrize("position", [0, 1, 13, 32])
def test_tiled_turn_is_row_by_row_another_frequency(position):
    x = torch.randn(latent.SLICE, generator=torch.Generator().manual_seed(3), dtype=DOUBLE)
    expected = torch.block_diag(*blocks(position, inv_freq(latent.SLICE))).double() @ x
    assert torch.allclose(latent.tiled_turn(x, position, inv_freq(latent.SLICE)), expected, atol=1e-6)


def test_tiled_turn_is_a_rotation_where_both_rows_have_one_frequency():
    same = torch.full((4,), 0.3, dtype=DOUBLE)
    x = torch.randn(8, generator=torch.Generator().manual_seed(3), dtype=DOUBLE)
    turned = apply_rotary(x, *cos_sin(same, torch.tensor(5), dtype=DOUBLE), layout="interleaved")
    assert torch.allclose(latent.tiled_turn(x, 5, same), turned, rtol=0, atol=1e-14)


def test_the_most_flattened_plane_is_where_the_page_says():
    frequencies = inv_freq(latent.SLICE)
    found = {(m, k): abs(float(torch.linalg.det(block.double())))
             for m in range(33) for k, block in enumerate(blocks(m, frequencies))}  # fmt: skip
    assert min(found, key=found.__getitem__) == (13, 0)
    assert found[13, 0] == pytest.approx(abs(math.cos(13 * (1 - 10**-0.4))), abs=1e-6)


def test_output_turned_back_has_each_value_turned_by_its_distance():
    g = torch.Generator().manual_seed(2)
    values, weights = torch.randn(6, 8, generator=g, dtype=DOUBLE), torch.rand(6, generator=g, dtype=DOUBLE)
    expected = sum(
        weights[n] * (rotation_matrix(inv_freq(8), n - 5) @ values[n]) for n in range(6)
    )  # the query is the last
    for start in (0, 1000):
        found = latent.attended(values, weights, start, undo=True)
        assert torch.allclose(found, expected, rtol=0, atol=1e-12)
    assert not torch.allclose(latent.attended(values, weights, 1000, undo=False), expected, atol=0.1)


def test_the_figure_shows_what_its_title_says():
    data = latent.moved().data
    assert data["turned back"].max() < 1e-12 and data["left turned"][1:].min() > 0.5
    assert np.ptp(data["rotation"]) < 1e-12 and np.ptp(data["as released"]) > 5


def test_the_page_on_models_without_relativity():
    results = stored("54-length-generalisation")
    kept = {
        (task, turn, last): np.stack(
            [length.turned(results, task, turn, last, moved=moved) for moved in (0, 1)]
        )
        for task in results["measures"]
        for turn in results["relativity"]["turns"]
        for last in ((0,) if turn == "rotation" else (0, 224))
    }
    for task in results["measures"]:
        for turn in ("list repeated", "two turns"):
            for found in (kept[task, turn, 0][0, :, 0], kept[task, turn, 224][1]):
                assert (found.max() < 0.02) if task == "chain" else (found.min() > 0.99)
    back = {turn: kept["steps back", turn, 0] for turn in results["relativity"]["turns"]}
    for at in (back["list repeated"][1, :, -1], back["list repeated"][0, :, 1]):
        assert at.min() > 0.99
    for at in (back["bounded shear"][1, :, -1], back["bounded shear"][0, :, 1]):
        assert at.max() < 0.5
    chain = [kept["chain", turn, 0][0, :, 1] for turn in ("list repeated", "rotation")]
    assert chain[0].max() < chain[1].min()
    long = {turn: kept["look-up", turn, 0][0, :, -1] for turn in back}
    assert [turn for turn, found in long.items() if found.min() > 0.9] == ["bounded shear"]
