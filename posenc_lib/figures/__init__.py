"""The book's figures: each function returns a ``Plot`` that shows itself and the data it was drawn from."""

from .rotary import fixed_lag_scores, modulus_family, norm_and_angle, reflection_products
from .style import COLOURS, DIVERGING, SEQUENTIAL, Plot, figure

__all__ = [
    "COLOURS",
    "DIVERGING",
    "SEQUENTIAL",
    "Plot",
    "figure",
    "fixed_lag_scores",
    "modulus_family",
    "norm_and_angle",
    "reflection_products",
]
