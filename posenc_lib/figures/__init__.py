"""The book's figures: each function returns a ``Plot`` that shows itself and the data it was drawn from."""

from .decay import abel_against_trivial, lasting_scores, partial_sum_curve
from .order import permuted_attention, taylor_errors, two_families, where_positions_enter
from .rotary import fixed_lag_scores, modulus_family, norm_and_angle, reflection_products
from .sinusoid import circle, clock_faces, first_rows, heat_maps
from .style import COLOURS, DIVERGING, SEQUENTIAL, Plot, figure

__all__ = [
    "COLOURS",
    "DIVERGING",
    "SEQUENTIAL",
    "Plot",
    "abel_against_trivial",
    "circle",
    "clock_faces",
    "figure",
    "first_rows",
    "fixed_lag_scores",
    "heat_maps",
    "lasting_scores",
    "modulus_family",
    "norm_and_angle",
    "partial_sum_curve",
    "permuted_attention",
    "reflection_products",
    "taylor_errors",
    "two_families",
    "where_positions_enter",
]
