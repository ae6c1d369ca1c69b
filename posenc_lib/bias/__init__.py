"""Biases added to attention scores. Each has ``bias(q_pos, k_pos)`` and ``score_mod()`` for FlexAttention."""

from posenc_lib.bias.alibi import ALiBi, alibi_slopes
from posenc_lib.bias.base import ScoreBias
from posenc_lib.bias.distance import DistanceBias
from posenc_lib.bias.fire import FIRE
from posenc_lib.bias.gates import cope_logits, forgetting_bias
from posenc_lib.bias.kerple import KerpleLog, KerplePower
from posenc_lib.bias.log_cpb import LogCPB, relative_log_coordinates
from posenc_lib.bias.sandwich import Sandwich
from posenc_lib.bias.t5 import T5Bias, t5_buckets
from posenc_lib.bias.window import WindowBias, relative_position_index, resize_window_table

BIASES: dict[str, type[ScoreBias]] = {
    "t5": T5Bias,
    "alibi": ALiBi,
    "kerple_log": KerpleLog,
    "kerple_power": KerplePower,
    "fire": FIRE,
    "sandwich": Sandwich,
}
"""The classes of score biases by name: those for sequences, which a number of heads is enough to make."""

__all__ = [
    "BIASES",
    "FIRE",
    "ALiBi",
    "DistanceBias",
    "KerpleLog",
    "KerplePower",
    "LogCPB",
    "Sandwich",
    "ScoreBias",
    "T5Bias",
    "WindowBias",
    "alibi_slopes",
    "cope_logits",
    "forgetting_bias",
    "relative_log_coordinates",
    "relative_position_index",
    "resize_window_table",
    "t5_buckets",
]
