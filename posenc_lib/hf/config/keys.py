"""Which keys of a Hugging Face config bear on positions, and what becomes of them: read or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._checks import check_sequence, shown
from posenc_lib.hf.config.key_patterns import bears, is_switch, layout_meant
from posenc_lib.hf.config.layers import WIDTHS
from posenc_lib.hf.config.models import READ_FOR, known_layout, names

READ = names(
    """
    rope_parameters rope_scaling rope_theta partial_rotary_factor rotary_dim rope_interleave
    original_max_position_embeddings max_position_embeddings n_positions head_dim per_layer_config
    """
)
HARMLESS_FOR = {
    "attn_temperature_tuning": names("llama4_text"),  # only in layers that do not turn
    "kv_channels": names("zamba2"),
    "attn_scale": names("llama4_text"),  # numbers of that temperature
    "floor_scale": names("llama4_text"),
}
# Switches whose values mean that the model turns queries and keys; any other value means that it does not.
# A name that says no more than that there is a rotation (`use_rope`, `rotary`) is a switch for True.
SWITCHES = {"position_embedding_type": ("rope", "rotary"), "use_mem_rope": (True,)}
HINTS = {
    "alibi": "its scores have ALiBi's term and no rotation: see posenc_lib.ALiBi",
    "use_dynamic_ntk": "its base grows with the text: build a RotarySpec with scaling='dynamic'",
    "dual_chunk_attention_config": "its positions are counted anew in each chunk: give its chunk_size and "
    "local_size to posenc_lib.dual_chunk_attention, and beyond its original_max_position_embeddings "
    "scale=(1 + 0.1·ln(length/original))²/√head_dim",
    "attn_temperature_tuning": "queries are multiplied by the temperature of their position, and "
    "posenc_lib.hf.layers(config) gives it beside each layer's spec",
    "llama_4_scaling_beta": "queries are multiplied by 1 + beta·ln(1 + ⌊position/original length⌋), and "
    "posenc_lib.hf.layers(config) gives that beside each layer's spec",
    "attention_scaling": "multiply queries by (1 + (position + 1)/2048)^0.1 in layers that do not turn",
    "use_logn_attn": "multiply queries by the logarithm of their position",
}


def check_keys(cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting that bears on positions and is not read; None, False and empty are off."""
    check_sequence("handled", handled)
    for name in handled:
        if not isinstance(name, str):
            raise TypeError(f"handled must hold strings, got {shown(name)}")
        if name in READ:
            raise ValueError(f"handled must name keys that are not read, got {shown(name)}")
    model_type = "" if known_layout(cfg) is None else cfg["model_type"]
    for name, value in cfg.items():
        if _check_switch(name, value, handled) or layout_meant(name) is not None:
            continue
        if _is_on(value) and _bears(name, model_type):
            refuse_key(name, value, handled)
    layers = cfg.get("per_layer_config")
    for layer in layers.values() if isinstance(layers, Mapping) else ():
        if isinstance(layer, Mapping):
            own = {name: value for name, value in layer.items() if name not in WIDTHS}
            check_outer_keys(own, cfg, handled)


def check_outer_keys(outer: Mapping[str, Any], cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting outside ``cfg`` that contradicts it or that it does not have."""
    for name, value in outer.items():
        if _check_switch(name, value, handled) or name == "max_position_embeddings":
            continue
        said = _is_on(value) or (value is False and layout_meant(name) is not None)
        if said and bears(name) and cfg.get(name) != value:
            refuse_key(name, value, handled)


def check_layout_keys(cfg: Mapping[str, Any], layout: str, handled: Sequence[str]) -> None:
    """Refuse, by name, a setting whose name stands for a layout, and whose value says the other one.

    Example:
        >>> check_layout_keys({"is_neox_style": False, "rope_interleave": True}, "interleaved", ())
    """
    for name, value in cfg.items():
        said = layout_meant(name)
        if said is not None and value is not None and name not in handled and value is not (layout == said):
            raise ValueError(f"the layout is {layout!r}, but the config has {name} = {value!r}")


def refuse_key(name: str, value: Any, handled: Sequence[str]) -> None:
    """Raise for a setting ``name`` that the caller has not ``handled``."""
    if name not in handled:
        shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:56]} ..."
        raise ValueError(
            f"config has {name} = {shown}, which bears on positions and is not read"
            f"{': ' + HINTS[name] if name in HINTS else ''}. If your code does that, pass handled=({name!r},)"
        )


def _is_on(value: Any) -> bool:
    return value is not None and value is not False and value not in ({}, [], ())


def _check_switch(name: str, value: Any, handled: Sequence[str]) -> bool:
    """Whether a name is a switch; refuse one that is not at a value for which the model turns."""
    turning = SWITCHES.get(name, (True,) if is_switch(name) else ())
    if turning and name not in handled and value not in turning:
        if name not in SWITCHES and value:  # settings of the rotation, or a list of layers
            refuse_key(name, value, handled)
        only = " or ".join(map(repr, turning))
        raise ValueError(f"config has {name} = {value!r}: queries and keys turn for {only} only")
    return bool(turning)


def _bears(name: str, model_type: str) -> bool:
    if name in READ or model_type in READ_FOR.get(name, ()) or model_type in HARMLESS_FOR.get(name, ()):
        return False
    return bears(name)
