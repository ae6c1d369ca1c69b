"""Tools to study an encoding with: scores, the mean kernel, bounds on the base, measures of error."""

from posenc_lib.analysis.base_bound import base_lower_bound
from posenc_lib.analysis.mean_kernel import decay_integral, decay_kernel
from posenc_lib.analysis.measures import gram, table_error, toeplitz_defect
from posenc_lib.analysis.scores import (
    abel_bound,
    mean_partial_sums,
    partial_sums,
    plane_products,
    rotary_score,
    trivial_bound,
)

__all__ = [
    "abel_bound",
    "base_lower_bound",
    "decay_integral",
    "decay_kernel",
    "gram",
    "mean_partial_sums",
    "partial_sums",
    "plane_products",
    "rotary_score",
    "table_error",
    "toeplitz_defect",
    "trivial_bound",
]
