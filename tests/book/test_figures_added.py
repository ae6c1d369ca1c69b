"""The figure of what enters a model adds what it says, and its scores are those of the vectors above them."""

import numpy as np
import pytest
import torch

from posenc_book.figures.added import projections, sum_and_scores
from posenc_lib import sinusoidal
from posenc_lib.analysis import toeplitz_defect

LENGTH, DIM = 12, 16


def test_the_sum_is_embeddings_plus_encodings():
    data = sum_and_scores(LENGTH, DIM).data
    pe = sinusoidal(torch.arange(LENGTH), DIM, dtype=torch.float64).numpy()
    np.testing.assert_array_equal(data["+ encodings"], pe)
    np.testing.assert_array_equal(data["= what enters"], data["embeddings"] + pe)


def test_only_the_scores_before_the_projections_are_relative():
    data = {name: torch.from_numpy(values) for name, values in sum_and_scores().data.items()}
    assert toeplitz_defect(data["p·p: relative"]) < 1e-12
    for name in ("p·p, projected", "whole logit"):
        assert toeplitz_defect(data[name]) > 0.5 * data[name].abs().max()


def test_scores_are_entries_of_queries_times_keys():
    data = sum_and_scores(LENGTH, DIM).data
    (w_q, w_k), x = projections(DIM), data["= what enters"]
    for m, n in ((0, 3), (11, 2)):
        score = (x[m] @ w_q.numpy()) @ (x[n] @ w_k.numpy())
        assert data["whole logit"][m, n] == pytest.approx(score, abs=1e-12)
