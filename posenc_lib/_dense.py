"""Softmax that survives rows without any key."""

from __future__ import annotations

import torch
from torch import Tensor


def masked_softmax(scores: Tensor) -> Tensor:
    """Softmax over the last axis; a row of −∞ alone gives zeros, and zero gradients, not NaN."""
    empty = (scores == float("-inf")).all(-1, keepdim=True)
    return torch.where(empty, 0.0, scores.masked_fill(empty, 0.0).softmax(-1))
