"""The names that stand at the lines of a figure."""

import numpy as np
import pytest
from matplotlib.text import Text

from posenc_book.figures.style import COLOURS, LETTERS, WIDTH, Plot, figure, key, name_lines


def named(ends, at=None):
    """A figure of lines from 0 to these ends: itself, its lines, and the box of each name, in points."""
    fig, axes = figure()
    for name, end in ends.items():
        axes.plot([0, 1], [0, end], label=name)
    axes.set(ylim=(0, 100))
    name_lines(axes, at)
    fig.draw_without_rendering()
    found = {text.get_text(): Text.get_window_extent(text) for text in axes.texts}  # without threads
    return fig, axes, {words: box.get_points() * 72 / fig.dpi for words, box in found.items()}


def places(axes, points):
    return axes.transData.transform(points) * 72 / axes.figure.dpi


def test_a_name_stands_behind_the_end_of_its_line_in_its_colour():
    fig, axes, boxes = named({"low": 10, "high": 80, "in the middle, broken": 50})
    assert list(boxes) == ["low", "in the middle,\nbroken", "high"]
    for (left, right), end in zip(boxes.values(), places(axes, [(1, 10), (1, 50), (1, 80)]), strict=True):
        assert abs((left[1] + right[1]) / 2 - end[1]) < 1.5
        assert end[0] < left[0] < end[0] + 15 and right[0] < 72 * WIDTH
    assert [text.get_color() for text in axes.texts] == [COLOURS[0], COLOURS[2], COLOURS[1]]
    drawn = Plot(fig, "Lines", "Three lines that rise.", {"y": np.arange(3)})
    assert f"fill: color-mix(in srgb, currentColor 40%, {COLOURS[1]})" in drawn.svg()
    key(fig)
    assert fig.legends[0].get_texts() == []


def test_names_that_would_meet_are_moved_apart_by_as_little_as_possible():
    _, axes, boxes = named({"c": 51, "a": 50, "b": 50.5, "far": 90})
    middles = np.array([box[:, 1].mean() for box in boxes.values()])
    ends = places(axes, [(1, end) for end in (50, 50.5, 51, 90)])[:, 1]
    assert list(boxes) == ["a", "b", "c", "far"]
    assert (np.diff(middles)[:2] >= 1.2 * LETTERS).all() and (np.diff(middles)[:2] < 1.5 * LETTERS).all()
    assert abs(middles[:3].mean() - ends[:3].mean()) < 1.5 and abs(middles[3] - ends[3]) < 1.5


@pytest.mark.parametrize(("up", "edge"), [(6, 0), (-6, 1)])
def test_a_name_stands_inside_where_the_caller_says(up, edge):
    _, axes, boxes = named({"turned by 150 steps": 20, "high": 80}, {"turned by 150 steps": (0.1, up)})
    box, point = boxes["turned by 150\nsteps"], places(axes, [(0, 0)])[0]
    assert abs(box[:, 0].mean() - point[0]) < 1.5 and abs(box[edge, 1] - point[1] - up) < 1.5


def test_a_name_that_no_line_has_is_refused():
    with pytest.raises(ValueError, match=r"at must name lines that have no name yet, got \['hihg'\]"):
        named({"high": 80}, {"hihg": (0.5, 4)})
