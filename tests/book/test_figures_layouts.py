"""The picture of the two layouts shows the pairs that the library turns."""

import pytest

from posenc_book.figures import layouts


def test_the_pairs_are_half_a_head_apart_or_neighbours():
    assert layouts.partners("half") == [4, 5, 6, 7, 0, 1, 2, 3]
    assert layouts.partners("interleaved") == [1, 0, 3, 2, 5, 4, 7, 6]


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_the_figure_names_each_pair(layout):
    plot = layouts.pairs()
    assert plot.data[layout].tolist() == layouts.partners(layout)
    assert "0 with 4" in plot.alt and "0 with 1" in plot.alt
    assert not any(axis.axison for axis in plot.figure.axes)  # channels have no coordinates
