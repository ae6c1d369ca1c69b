"""The book's figures: each function returns a ``Plot`` that shows itself and the data it was drawn from."""

from .decay import abel_against_trivial, lasting_scores, partial_sum_curve
from .order import permuted_attention, taylor_errors, two_families, where_positions_enter
from .practice import at_most, error_growth, exact_tables, length_curve, ratio_bars, spacings
from .rotary import fixed_lag_scores, modulus_family, norm_and_angle, reflection_products
from .sinusoid import circle, clock_faces, first_rows, heat_maps
from .style import COLOURS, DIVERGING, SEQUENTIAL, Plot, figure

__all__ = [
    "COLOURS",
    "DIVERGING",
    "SEQUENTIAL",
    "Plot",
    "abel_against_trivial",
    "at_most",
    "circle",
    "clock_faces",
    "error_growth",
    "exact_tables",
    "figure",
    "first_rows",
    "fixed_lag_scores",
    "heat_maps",
    "lasting_scores",
    "length_curve",
    "modulus_family",
    "norm_and_angle",
    "partial_sum_curve",
    "permuted_attention",
    "ratio_bars",
    "reflection_products",
    "spacings",
    "taylor_errors",
    "two_families",
    "where_positions_enter",
]
