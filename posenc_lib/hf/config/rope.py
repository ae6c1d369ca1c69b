"""The rope parameters of a Hugging Face config: both spellings as one flat dict, and what its keys say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._checks import check_finite, check_int, check_sequence, shown
from posenc_lib.hf.config.elsewhere import OTHERS
from posenc_lib.hf.config.keys import refuse_key
from posenc_lib.hf.config.layers import NoRotation, layer_types
from posenc_lib.hf.config.models import ALPHA, FIXED_BASE, MULTI_AXIS, PAIRED_AXES, WITHOUT

ALIASES = {"su": "longrope", "mrope": "default"}
NEEDS_ORIGINAL = ("dynamic", "yarn", "longrope", "llama3")
# Version 4 keeps some settings beside the rope parameters, under one name or another.
BESIDE = (
    ("rope_theta", "rope_theta"),
    ("rope_theta", "rotary_emb_base"),
    ("partial_rotary_factor", "partial_rotary_factor"),
    ("partial_rotary_factor", "rotary_pct"),
)
MAX_PLANES = 2**15  # of the widest head
KINDS = (
    "full_attention",
    "sliding_attention",
    "chunked_attention",
)  # of layers, before version 4 listed them
COMPLETE = "a json may omit what its class fills in: pass AutoConfig.from_pretrained(...)"


def rope_dict(cfg: dict[str, Any], layer_type: str | None) -> dict[str, Any]:
    """One flat dict of rope settings without empty entries; version 4's keys are moved into it."""
    new, old = cfg.get("rope_parameters") or {}, cfg.get("rope_scaling") or {}
    for name, value in (("rope_parameters", new), ("rope_scaling", old)):
        if not isinstance(value, Mapping):
            raise ValueError(f"{name} must be a mapping, got {shown(value)}")
    if new and any(_differ(new.get(key), value) for key, value in old.items()):
        raise ValueError(f"rope_parameters are {new!r}, but rope_scaling is {old!r}")
    rope = new or old
    layers = {k: v for k, v in rope.items() if isinstance(v, Mapping) or (k == layer_type and v is None)}
    declared = set(layer_types(cfg) or (KINDS if cfg.get("model_type") in WITHOUT else ()))
    if layers:
        if layer_type not in layers:
            every = "; posenc_lib.hf.specs(config) gives all layers" if layer_type is None else ""
            raise ValueError(f"layer_type must be one of {sorted(layers)}, got {shown(layer_type)}{every}")
        chosen = layers[layer_type]
        if chosen is None:
            raise NoRotation(f"layers of type {layer_type!r} have no rotary encoding")
        rope = dict(chosen)
    elif "rope_local_base_freq" in cfg:  # version 4 of Gemma 3: sliding layers have a base of their own
        if layer_type not in ("full_attention", "sliding_attention"):
            raise ValueError(
                f"layer_type must be 'full_attention' or 'sliding_attention', got {shown(layer_type)}"
            )
        if layer_type == "sliding_attention":
            return {"rope_theta": cfg["rope_local_base_freq"]}
    elif layer_type is not None and layer_type not in declared:
        raise ValueError(f"layer_type must be None or one of {sorted(declared)}, got {shown(layer_type)}")
    flat = {key: value for key, value in rope.items() if value is not None}
    for key, name in BESIDE:
        if new and key == "partial_rotary_factor" and key not in flat and cfg.get(name) not in (None, 1):
            raise ValueError(f"{name} is {shown(cfg[name])} beside rope_parameters without it; {COMPLETE}")
        if cfg.get(name) is not None and _differ(flat.setdefault(key, cfg[name]), cfg[name]):
            raise ValueError(f"{key} is {flat[key]!r} in the rope parameters but {name} is {cfg[name]!r}")
    own = cfg.get("layer_rope_theta")
    if own is not None and _differ(own, flat.get("rope_theta")):
        raise ValueError(f"layer_rope_theta is {own}, but rope_theta {flat.get('rope_theta')}")
    return flat


def _differ(one: Any, other: Any) -> bool:
    """Whether a setting that is said twice has two values; NaN is one value, and refused where it is read."""
    return bool(one != other) and not (one != one and other != other)


def kind_of(rope: dict[str, Any]) -> str:
    words = [word for word in (rope.pop("rope_type", None), rope.pop("type", None)) if word is not None]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"rope_type must be a string, got {shown(word)}")
    names = {ALIASES.get(word, word) for word in words}
    if len(names) > 1:
        raise ValueError(f"rope_type and type disagree: {sorted(names)}")
    return names.pop() if names else "default"


def fixed_alpha(rope: dict[str, Any], kind: str, model_type: Any) -> str:
    """The kind of scaling; in Hunyuan's "dynamic" a key ``alpha`` stretches the base for all lengths."""
    if kind != "dynamic" or model_type not in ALPHA or not rope.get("alpha"):
        return kind
    check_finite("alpha", rope["alpha"], positive=True)
    for unread in ("factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"):
        rope.pop(unread, None)  # released configs have them, the code does not look
    rope["factor"] = rope.pop("alpha")
    return "ntk"


def base_of(rope: dict[str, Any], kind: str, cfg: dict[str, Any], hint: str) -> float:
    if cfg.get("model_type") in FIXED_BASE:
        ignored = {key: value for key, value in rope.items() if (key, value) != ("rope_theta", 1e4)}
        if kind != "default" or ignored:
            raise ValueError(
                f"the code of model type {cfg['model_type']!r} has the base 10000 and no settings, got "
                f"{ignored or kind}"
            )
        rope.clear()
        return 10000.0
    if "rope_theta" in rope:
        check_finite("rope_theta", rope["rope_theta"], positive=True)
        return float(rope.pop("rope_theta"))
    raise ValueError(f"config has no rope_theta (nor rotary_emb_base){hint}; {OTHERS}")


def axes_of(rope: dict[str, Any], model_type: Any) -> dict[str, Any]:
    """The spec's arguments for several axes: which planes each has is what the model's code decides."""
    sections, dealt = rope.pop("mrope_section", None), rope.pop("mrope_interleaved", None)
    if model_type not in MULTI_AXIS and model_type not in PAIRED_AXES:
        if sections is not None or dealt:
            raise ValueError(
                f"config has mrope_section = {shown(sections)}, but how the code of model type "
                f"{shown(model_type)} gives planes to axes is not known: build the RotarySpec yourself"
            )
        return {}
    if sections is None:
        raise ValueError(
            f"model type {model_type!r} rotates on several axes, but the config has no mrope_section"
        )
    check_sequence("mrope_section", sections)
    if model_type in MULTI_AXIS:
        return {"sections": tuple(sections), "sections_interleaved": MULTI_AXIS[model_type]}
    for size in sections:
        check_int("mrope_section", size, minimum=1)
    if len(sections) != 3 or sections[0] != sections[1] or sum(sections) > MAX_PLANES:
        raise ValueError(
            f"mrope_section must be planes of height, as many of width, and of time, got {shown(sections)}"
        )
    return {"axis_of_plane": (1, 2) * sections[0] + (0,) * sections[2]}


def params_of(cfg: dict[str, Any], rope: dict[str, Any], kind: str, handled: Sequence[str]) -> dict[str, Any]:
    """What is left of the rope dict, with the original length and the factor that other keys imply."""
    if "llama_4_scaling_beta" in rope:
        refuse_key("llama_4_scaling_beta", rope["llama_4_scaling_beta"], handled)
    for name in handled:
        rope.pop(name, None)
    longest, key = (
        cfg.get("max_position_embeddings", cfg.get("n_positions")),
        "original_max_position_embeddings",
    )
    if _differ(rope.pop("max_position_embeddings", longest), longest):  # a copy, in Ministral 3
        raise ValueError(f"max_position_embeddings is {longest}, but the rope parameters say another number")
    if kind == "dynamic" and _differ(rope.get(key, longest), longest):
        raise ValueError(
            f"dynamic scaling starts at max_position_embeddings={longest}, but {key} is {rope[key]}"
        )
    if kind in NEEDS_ORIGINAL:
        if kind != "dynamic" and cfg.get(key) is not None:  # Phi-3 keeps it outside, and that one counts
            rope[key] = cfg[key]
        rope.setdefault(key, longest)
        if rope[key] is None:
            raise ValueError(f"scaling {kind!r} needs {key} or max_position_embeddings")
        check_finite(key, rope[key], positive=True)
    if kind in ("yarn", "longrope") and "factor" not in rope and longest is not None:
        check_finite("max_position_embeddings", longest, positive=True)
        rope["factor"] = longest / rope[key]
    return rope
