"""The picture of linear attention: what its caption claims is true of the data it draws."""

import pytest

from posenc_book.figures import linear


def test_unrotated_weights_add_up_to_one_and_rotated_ones_to_less():
    for name, sums in linear.row_sums(draws=8).items():
        curve = sums.mean(0)
        assert curve[0].item() == pytest.approx(1, abs=1e-12), name  # a single key, at distance 0
        if name.endswith("not rotated"):
            assert (curve - 1).abs().max() < 1e-12, name
        else:
            assert curve[1] > curve[15] > curve[63] > curve[255] and curve[16:].max() < 1, name
