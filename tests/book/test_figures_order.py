"""The figures of part 1 show what their titles claim."""

import math

import pytest
import torch

from posenc_book.figures.order import (
    ORDER,
    attention_weights,
    expansion_errors,
    permutation_patterns,
    permuted_attention,
    random_head,
    read_out,
    two_families,
)
from posenc_lib.analysis import gram, toeplitz_defect


def test_weights_permute_with_the_sentence_without_positions_only():
    patterns = permutation_patterns()
    gaps = {
        kind: (patterns[f"{kind}, weights permuted"] - patterns[f"{kind}, sentence permuted"]).abs().max()
        for kind in ("without", "with")
    }
    assert gaps["without"] < 1e-14  # six terms summed in another order, weights below 1
    assert gaps["with"] > 0.05


def test_the_third_column_is_blank_without_positions_and_within_its_scale_with_them():
    drawn = permuted_attention().data
    for kind in ("without", "with"):
        gap = drawn[f"{kind}, sentence permuted"] - drawn[f"{kind}, weights permuted"]
        assert abs(gap - drawn[f"{kind}, difference"]).max() < 1e-9
    assert (drawn["without, difference"] == 0).all()
    assert 0.1 < abs(drawn["with, difference"]).max() < 0.15


def test_rows_of_attention_weights_sum_to_one():
    bilinear, table = random_head(8, seed=0)
    sums = attention_weights(table, bilinear).sum(-1)
    assert (sums - 1).abs().max() < 1e-14


def test_pooled_read_out_is_invariant():
    bilinear, table = random_head(8, seed=1)
    direction = torch.ones(8, dtype=torch.float64)
    order = [*ORDER, 7, 6]
    gap = read_out(table[order], bilinear, direction) - read_out(table, bilinear, direction)
    assert gap.abs() < 1e-13  # a mean of 64 numbers of size 1


@pytest.mark.parametrize(
    ("name", "power"), [("change", 1), ("error of order 1", 2), ("error of order 2", 3), ("error of pᵀHp", 3)]
)
def test_expansion_errors_fall_like_their_powers(name, power):
    scales = torch.tensor([1e-3, 2e-3], dtype=torch.float64)
    low, high = expansion_errors(scales, seeds=3)[name]
    # the next order adds about 1e-3 times a ratio of derivatives; rounding (1e-16 in 1e-11) is below that
    assert math.log2(high / low) == pytest.approx(power, abs=0.05)


def test_at_full_size_the_second_order_misses_what_the_caption_says():
    one = torch.ones(1, dtype=torch.float64)
    for sharpness, missed in ((1.0, 0.1), (4.0, 0.4)):
        sizes = expansion_errors(one, sharpness=sharpness)
        assert (sizes["error of order 2"] / sizes["change"]).item() == pytest.approx(missed, abs=0.05)


def test_read_out_is_the_attention_output_itself():
    bilinear, table = random_head(8, seed=1)
    outputs = attention_weights(table, bilinear) @ table
    for axis, direction in enumerate(torch.eye(8, dtype=torch.float64)):
        torch.testing.assert_close(
            read_out(table, bilinear, direction), outputs[:, axis].mean(), rtol=0, atol=1e-14
        )


def test_both_families_have_gram_matrices_of_the_distance():
    for points in two_families().data.values():
        assert toeplitz_defect(gram(torch.from_numpy(points.T.copy()))) < 1e-14
