"""Which keys of a Hugging Face config bear on positions, and what becomes of them: read or refused.

A config may hold names that nobody has seen before. So it is the words of a name that count, and only names
that are listed leave the rotation alone. tests/library/hf/test_hf_sweep.py reads every type with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from posenc_lib._checks import check_sequence, shown
from posenc_lib.hf.config.models import UNKNOWN, known_layout, model_of


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


READ = _names(
    """
    rope_parameters rope_scaling rope_theta partial_rotary_factor rotary_dim rope_interleave
    original_max_position_embeddings max_position_embeddings n_positions head_dim per_layer_config
    """
)
WIDTHS = ("head_dim", "qk_rope_head_dim", "hidden_size", "num_attention_heads")
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
# Parts of names that bear on positions, or on the width of a head; then words, which stand between "_".
BEARS = re.compile(
    r"rope(?!r)|rotary|theta|freq|alibi|nope|position|pos_?emb|ntk|logn|yarn|mscale|dual_chunk|temperature"
    r"|head_(dim|size|width)|d_head|dim_head|d_kv|kv_channels|llama_4|per_layer_config|att(n|ention)_config"
    r"|relative|window_bias|buckets|max_(\w+_)?distance|sinus|sincos|timescale|wavelength|interpolation_factor"
    r"|(attn|floor)_scale$|attention_scaling|log_scaling|ssmax|kerple|self_extend|stick_?breaking|forget"
    r"|(^|_)(pos|abs|rel|pe|ape|rpe|xpos|cope|fope|rot|rotate[ds]?|rotations?|axial|angles?|neox|interleaved)(_|$)"
    r"|^scaling(_factor|_type)?$"
)
# They match, but leave the rotation of queries and keys alone: widths of other parts, sizes of learned
# tables, the rate at which a caller makes positions, the temperature of a gate.
HARMLESS = _names(
    """
    qk_head_dim qk_nope_head_dim v_head_dim index_head_dim indexer_head_dim linear_head_dim
    linear_key_head_dim linear_value_head_dim mamba_d_head mamba_head_dim cross_head_dim resampler_dim_head
    prediction_head_size pad_head_dim_to_multiple_of num_position_embeddings position_id_per_seconds
    residual_gate_temperature max_target_positions max_source_positions dropout_positions
    """
)
_TURNS = _names("rope ropes rotary")
_AROUND = _names(
    """
    use uses using used apply enable enabled active with has do is add on qk attention attn layer layers pos
    position positions positional emb embs embed embeds embedding embeddings encoding encodings to in queries
    keys
    """
)
_PAIRS = {"interleave": "interleaved", "interleaved": "interleaved", "neox": "half"}
_AROUND_PAIRS = _names("is use gpt style layout") | _TURNS


def check_keys(cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting that bears on positions and is not read; None, False and empty are off."""
    check_sequence("handled", handled)
    for name in handled:
        if not isinstance(name, str):
            raise TypeError(f"handled must hold strings, got {shown(name)}")
        if name in READ:
            raise ValueError(f"handled must name keys that are not read, got {shown(name)}")
    model = UNKNOWN if known_layout(cfg) is None else model_of(cfg)
    for name, value in cfg.items():
        if _check_switch(name, value, handled) or layout_meant(name) is not None:
            continue
        if _is_on(value) and name not in READ and not model.has(name) and bears(name):
            refuse_key(name, value, handled)
    by_layer = cfg.get("per_layer_config")
    for settings in by_layer.values() if isinstance(by_layer, Mapping) else ():
        if isinstance(settings, Mapping):
            others = {name: value for name, value in settings.items() if name not in WIDTHS}
            check_outer_keys(others, cfg, handled)


def check_outer_keys(outer: Mapping[str, Any], cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting outside ``cfg`` that contradicts it or that it does not have."""
    for name, value in outer.items():
        if _check_switch(name, value, handled) or name == "max_position_embeddings":
            continue
        set_outside = _is_on(value) or (value is False and layout_meant(name) is not None)
        if set_outside and bears(name) and cfg.get(name) != value:
            refuse_key(name, value, handled)


def check_layout_keys(cfg: Mapping[str, Any], layout: str, handled: Sequence[str]) -> None:
    """Refuse, by name, a setting whose name stands for a layout, and whose value says the other one.

    Example:
        >>> check_layout_keys({"is_neox_style": False, "rope_interleave": True}, "interleaved", ())
    """
    for name, value in cfg.items():
        meant = layout_meant(name)
        if meant and value is not None and name not in handled and value is not (layout == meant):
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


def is_switch(name: str) -> bool:
    """Whether a name says no more than that there is a rotation.

    Example:
        >>> [is_switch(name) for name in ("rope", "use_rotary_embedding", "rope_theta", "use_rope_scaling")]
        [True, True, False, False]
    """
    words = _words(name)
    return bool(words & _TURNS) and words <= _TURNS | _AROUND


def layout_meant(name: str) -> str | None:
    """The layout that a name stands for where its value is True; where it is False it stands for the other.

    Example:
        >>> layout_meant("is_neox_style"), layout_meant("rope_interleaved"), layout_meant("interleave_layers")
        ('half', 'interleaved', None)
    """
    words = _words(name)
    pairs = words & _PAIRS.keys()
    if len(pairs) != 1 or not words <= _PAIRS.keys() | _AROUND_PAIRS:
        return None
    return _PAIRS[next(iter(pairs))]


def bears(name: str) -> bool:
    """Whether a setting of this name may bear on positions.

    Example:
        >>> bears("xpos"), bears("relative_attention_num_buckets"), bears("hidden_size"), bears("property")
        (True, True, False, False)
    """
    return name not in HARMLESS and BEARS.search(name.lower()) is not None


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return frozenset(re.findall(r"[a-z0-9]+", apart.lower()))
