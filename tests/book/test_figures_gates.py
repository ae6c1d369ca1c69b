"""The figure of gates that content closes, and what page 64 says of it."""

import math

import numpy as np
import pytest
import torch

from posenc_book.figures import gates


@pytest.mark.parametrize("slope", [0.01, 0.5, 2.0])
def test_constant_gates_are_a_linear_bias(slope):
    bias = gates.last_bias(torch.full((9,), -slope, dtype=torch.float64))
    assert torch.allclose(bias, -slope * torch.arange(8, -1, -1, dtype=torch.float64), rtol=0, atol=1e-14)


def test_a_closed_gate_lowers_what_came_before_it_and_not_itself():
    words = ["a", "b", ".", "c", "d"]
    drop = gates.last_bias(gates.log_gates(["a", "b", "c", "c", "d"])) - gates.last_bias(
        gates.log_gates(words)
    )
    expected = math.log(0.9 / 0.02)
    assert drop.tolist() == pytest.approx([expected, expected, 0, 0, 0], abs=1e-12)


@pytest.mark.parametrize("words", [["a"], ["."], ["a", ".", ".", "b"], list(gates.TEXT)])
def test_the_count_is_that_of_the_full_stops_from_a_word_on(words):
    assert gates.counted(words).tolist() == [words[n:].count(".") for n in range(len(words))]


def test_the_figure_shows_what_its_title_and_its_words_say():
    data = gates.between().data
    straight, cut = data["constant gates"], data["gates from content"]
    np.testing.assert_allclose(np.diff(straight), -math.log(0.9), rtol=1e-13)
    assert straight[-1] == 0
    jumps = np.diff(cut)
    closed = [place for place, word in enumerate(gates.TEXT) if word == "."]
    assert [place + 1 for place in np.flatnonzero(jumps > 1)] == closed
    np.testing.assert_allclose(jumps[jumps > 1], 4, rtol=0, atol=0.1)
    assert np.array_equal(data["full stops counted"], [2] * 4 + [1] * 4 + [0] * 3)
    assert np.array_equal(data["tokens counted"], np.arange(10, -1, -1))
