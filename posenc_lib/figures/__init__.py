"""The book's figures: each function returns a ``Plot`` that shows itself and the data it was drawn from."""

from .style import COLOURS, DIVERGING, SEQUENTIAL, Plot, figure

__all__ = ["COLOURS", "DIVERGING", "SEQUENTIAL", "Plot", "figure"]
