"""Inputs that our calls and the installed libraries' answer, the same in both processes."""

import torch


def vectors(*shape, seed=0):
    """Standard normal float32 of this shape."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


#: rotary-embedding-torch's own grid, tests/test_rope.py: widths, bases, positions.
WIDTHS, BASES, PLACES = (4, 8, 16, 32), (10, 1000, 10_000, 100_000), (0, 1, 42, 13, 67, 69, 39)
#: Heads of ALiBi, powers of two and others.
HEADS = (4, 8, 12, 6)
DISTANCES = torch.arange(-300, 301)
GRID = (5, 9)
