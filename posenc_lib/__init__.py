"""Position encodings for transformers: exact, small, each formula derived and checked in the book beside."""

from posenc_lib.additive import linear_positions, shift_matrix, sinusoidal, sinusoidal_of
from posenc_lib.additive_modules import LearnedEncoding, LinearEncoding, SinusoidalEncoding
from posenc_lib.analysis import (
    abel_bound,
    decay_integral,
    decay_kernel,
    mean_partial_sums,
    partial_sums,
    plane_products,
    rotary_score,
    trivial_bound,
)
from posenc_lib.attention import attention
from posenc_lib.axes import axial_frequencies, axis_frequencies, cos_sin_axes, mixed_frequencies, section_axes
from posenc_lib.bias import (
    BIASES,
    FIRE,
    ALiBi,
    DistanceBias,
    KerpleLog,
    KerplePower,
    Sandwich,
    ScoreBias,
    T5Bias,
    alibi_slopes,
    t5_buckets,
)
from posenc_lib.content_terms import disentangled_scores, rel_shift, transformer_xl_scores
from posenc_lib.context_limit import base_lower_bound
from posenc_lib.defects import gram, table_error, toeplitz_defect
from posenc_lib.frequencies import inv_freq, midpoint_inv_freq, sample_inv_freq
from posenc_lib.layout import permute_layout, permute_qk_weight, rotate_half
from posenc_lib.linear_attention import LinearState, linear_attention
from posenc_lib.modules import RotaryEmbedding, TrainableFrequencies
from posenc_lib.multihead import MultiHeadAttention
from posenc_lib.positions import (
    positions_context_parallel,
    positions_from_cu_seqlens,
    positions_from_mask,
    positions_grid,
    positions_mrope,
    positions_range,
)
from posenc_lib.relative import RelativeAttention, relative_positions, shaw_scores
from posenc_lib.rotary import apply_rotary, apply_rotary_pos_emb, apply_rotary_qk, rerotate
from posenc_lib.scaling import SCALINGS
from posenc_lib.spec import RotarySpec
from posenc_lib.tables import cos_sin, rotation_matrix
from posenc_lib.xpos import cos_sin_xpos

__all__ = [
    "BIASES",
    "FIRE",
    "SCALINGS",
    "ALiBi",
    "DistanceBias",
    "KerpleLog",
    "KerplePower",
    "LearnedEncoding",
    "LinearEncoding",
    "LinearState",
    "MultiHeadAttention",
    "RelativeAttention",
    "RotaryEmbedding",
    "RotarySpec",
    "Sandwich",
    "ScoreBias",
    "SinusoidalEncoding",
    "T5Bias",
    "TrainableFrequencies",
    "abel_bound",
    "alibi_slopes",
    "apply_rotary",
    "apply_rotary_pos_emb",
    "apply_rotary_qk",
    "attention",
    "axial_frequencies",
    "axis_frequencies",
    "base_lower_bound",
    "cos_sin",
    "cos_sin_axes",
    "cos_sin_xpos",
    "decay_integral",
    "decay_kernel",
    "disentangled_scores",
    "gram",
    "inv_freq",
    "linear_attention",
    "linear_positions",
    "mean_partial_sums",
    "midpoint_inv_freq",
    "mixed_frequencies",
    "partial_sums",
    "permute_layout",
    "permute_qk_weight",
    "plane_products",
    "positions_context_parallel",
    "positions_from_cu_seqlens",
    "positions_from_mask",
    "positions_grid",
    "positions_mrope",
    "positions_range",
    "rel_shift",
    "relative_positions",
    "rerotate",
    "rotary_score",
    "rotate_half",
    "rotation_matrix",
    "sample_inv_freq",
    "section_axes",
    "shaw_scores",
    "shift_matrix",
    "sinusoidal",
    "sinusoidal_of",
    "t5_buckets",
    "table_error",
    "toeplitz_defect",
    "transformer_xl_scores",
    "trivial_bound",
]
