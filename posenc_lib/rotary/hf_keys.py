"""Which keys of a Hugging Face config bear on positions, and what becomes of them: read or refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._checks import check_sequence
from posenc_lib.rotary.hf_models import GLOBAL_WIDTH, LAYER_PLAN, names

# Names that bear on positions, or on the width of a head, unless listed below.
BEARS = re.compile(
    r"rope(?!r)|rotary|theta|freq|alibi|nope|pos(ition|_?emb)|ntk|logn|yarn|mscale|dual_chunk|temperature"
    r"|head_(dim|size|width)|d_head|dim_head|d_kv|kv_channels|llama_4|per_layer_config|att(n|ention)_config"
)
READ = names(
    """
    rope_parameters rope_scaling rope_theta rotary_emb_base partial_rotary_factor rotary_pct rotary_dim
    rope_local_base_freq rope_interleave original_max_position_embeddings max_position_embeddings n_positions
    qk_rope_head_dim head_dim layer_rope_theta per_layer_config
    """
)
# They match, but leave the rotation of queries and keys alone: widths of other parts, sizes of learned
# tables, the rate at which a caller makes positions, the temperature of a gate.
HARMLESS = names(
    """
    qk_head_dim qk_nope_head_dim v_head_dim index_head_dim indexer_head_dim linear_head_dim
    linear_key_head_dim linear_value_head_dim mamba_d_head mamba_head_dim cross_head_dim resampler_dim_head
    prediction_head_size pad_head_dim_to_multiple_of num_position_embeddings position_id_per_seconds
    residual_gate_temperature max_target_positions max_source_positions dropout_positions
    """
)
# What the model's code makes of a key counts for models of these types alone.
READ_FOR = {
    "kv_channels": names("jetmoe"),
    "attention_head_dim": names("zamba2"),
    "global_head_dim": GLOBAL_WIDTH,
    "no_rope_layers": LAYER_PLAN,
    "no_rope_layer_interval": LAYER_PLAN,
}
HARMLESS_FOR = {
    "attn_temperature_tuning": names("llama4_text"),  # only in layers that do not turn
    "kv_channels": names("zamba2"),
}
# Switches whose values mean that the model turns queries and keys; any other value means that it does not.
SWITCHES = {"position_embedding_type": ("rope", "rotary"), "use_mem_rope": (True,)}
HINTS = {
    "alibi": "its scores have ALiBi's term and no rotation: see posenc_lib.ALiBi",
    "use_dynamic_ntk": "its base grows with the text: build a RotarySpec with scaling='dynamic'",
    "dual_chunk_attention_config": "its positions are counted anew in each chunk: give its chunk_size and "
    "local_size to posenc_lib.dual_chunk_attention, and beyond its original_max_position_embeddings "
    "scale=(1 + 0.1·ln(length/original))²/√head_dim",
    "attn_temperature_tuning": "multiply queries by the temperature of their position, "
    "posenc_lib.hf.temperatures(config)",
    "llama_4_scaling_beta": "multiply queries by 1 + beta·ln(1 + ⌊position/original length⌋), "
    "posenc_lib.hf.temperatures(config)",
    "attention_scaling": "multiply queries by (1 + (position + 1)/2048)^0.1 in layers that do not turn",
    "use_logn_attn": "multiply queries by the logarithm of their position",
}


def check_keys(cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting that bears on positions and is not read; None, False and empty are off."""
    check_sequence("handled", handled)
    for name in handled:
        if not isinstance(name, str):
            raise TypeError(f"handled must hold strings, got {name!r}")
        if name in READ:
            raise ValueError(f"handled must name keys that are not read, got {name!r}")
    model_type = cfg.get("model_type")
    for name, value in cfg.items():
        if name in handled:
            continue
        if name in SWITCHES:
            if value not in SWITCHES[name]:
                raise ValueError(
                    f"config has {name} = {value!r}: queries and keys turn for {SWITCHES[name]} only"
                )
        elif _is_on(value) and _bears(name, model_type):
            refuse_key(name, value, handled)


def check_outer_keys(outer: Mapping[str, Any], cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting beside the text config that contradicts it or that it does not have."""
    for name, value in outer.items():
        bears = BEARS.search(name) is not None and name not in HARMLESS and name != "max_position_embeddings"
        if bears and _is_on(value) and cfg.get(name) != value:
            refuse_key(name, value, handled)


def refuse_key(name: str, value: Any, handled: Sequence[str]) -> None:
    """Raise for a setting ``name`` that the caller has not ``handled``."""
    if name not in handled:
        shown = repr(value) if len(repr(value)) < 60 else f"{repr(value)[:56]} ..."
        raise ValueError(
            f"config has {name} = {shown}, which bears on positions and is not read"
            f"{': ' + HINTS[name] if name in HINTS else ''}. If your code does that, pass handled=({name!r},)"
        )


def _is_on(value: Any) -> bool:
    return value is not None and value is not False and value not in ({}, [], ())


def _bears(name: str, model_type: Any) -> bool:
    if name in READ or name in HARMLESS:
        return False
    if model_type in READ_FOR.get(name, ()) or model_type in HARMLESS_FOR.get(name, ()):
        return False
    return BEARS.search(name) is not None
