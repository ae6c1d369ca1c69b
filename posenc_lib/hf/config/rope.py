"""The rope parameters of a Hugging Face config: both spellings as one flat dict, and what its keys say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._checks import check_finite, check_int, check_sequence, shown
from posenc_lib.hf.config.keys import COMPLETE, refuse_key
from posenc_lib.hf.config.layers import NoRotation, layer_types
from posenc_lib.hf.config.models import BETA, ModelType, known_layout, model_of

ALIASES = {"su": "longrope", "mrope": "default"}
NEEDS_ORIGINAL = ("dynamic", "yarn", "longrope", "llama3")
# Version 4 keeps some settings beside the rope parameters, GPT-NeoX under names of its own.
BESIDE = (("rope_theta", "rotary_emb_base"), ("partial_rotary_factor", "rotary_pct"))
MAX_PLANES = 2**15  # of the widest head
# Of layers, before version 4 listed them.
KINDS = ("full_attention", "sliding_attention", "chunked_attention")
#: How a model without rotary encoding, of a type in no table, may say its positions.
OTHERS = (
    "a model without rotary encoding may add embeddings (LearnedEncoding, SinusoidalEncoding) "
    "or a bias (T5Bias, ALiBi)"
)


def rope_dict(cfg: dict[str, Any], layer_type: str | None) -> dict[str, Any]:
    """One flat dict of rope settings without empty entries; version 4's keys are moved into it."""
    version_5, version_4 = cfg.get("rope_parameters") or {}, cfg.get("rope_scaling") or {}
    for name, value in (("rope_parameters", version_5), ("rope_scaling", version_4)):
        if not isinstance(value, Mapping):
            raise ValueError(f"{name} must be a mapping, got {shown(value)}")
    if version_5 and any(_differ(version_5.get(key), value) for key, value in version_4.items()):
        raise ValueError(f"rope_parameters are {version_5!r}, but rope_scaling is {version_4!r}")
    rope = version_5 or version_4
    by_type = {k: v for k, v in rope.items() if isinstance(v, Mapping) or (k == layer_type and v is None)}
    declared = set(layer_types(cfg) or (KINDS if model_of(cfg).unturned else ()))
    if by_type:
        if layer_type not in by_type:
            every = "; posenc_lib.hf.specs(config) gives all layers" if layer_type is None else ""
            raise ValueError(f"layer_type must be one of {sorted(by_type)}, got {shown(layer_type)}{every}")
        chosen = by_type[layer_type]
        if chosen is None and known_layout(cfg) and layer_type not in model_of(cfg).still:
            raise ValueError(f"rope_parameters of {layer_type!r} are None; {COMPLETE}")
        if chosen is None:
            raise NoRotation(f"layers of type {layer_type!r} have no rotary encoding")
        rope = dict(chosen)
    elif "rope_local_base_freq" in cfg:  # version 4 of Gemma 3: sliding layers have a base of their own
        if layer_type not in ("full_attention", "sliding_attention"):
            raise ValueError(
                f"layer_type must be 'full_attention' or 'sliding_attention', got {shown(layer_type)}"
                + f"; {COMPLETE}" * (layer_type is None)
            )
        if "type" in rope:  # the class looks for rope_type
            raise ValueError(f"rope_scaling has type = {shown(rope['type'])}: its class reads rope_type")
        if layer_type == "sliding_attention":
            return {"rope_theta": cfg["rope_local_base_freq"]}
    elif layer_type is not None and layer_type not in declared:
        raise ValueError(f"layer_type must be None or one of {sorted(declared)}, got {shown(layer_type)}")
    flat = {key: value for key, value in rope.items() if value is not None}
    known, model = known_layout(cfg) is not None, model_of(cfg)
    for key, name in ((names[0], name) for names in BESIDE for name in names):
        beside, own = cfg.get(name), dict(BESIDE)[key]
        if version_5 and key == "partial_rotary_factor" and key not in flat and beside not in (None, 1):
            raise ValueError(f"{name} is {shown(beside)} beside rope_parameters without it; {COMPLETE}")
        if beside is not None and key not in flat and known and (name == own) != model.has(own):
            raise ValueError(
                f"config has {name} = {shown(beside)}, which model type {cfg['model_type']!r} does not read; "
                f"{COMPLETE}"
            )
        if beside is not None and _differ(flat.setdefault(key, beside), beside):
            raise ValueError(f"{key} is {flat[key]!r} in the rope parameters but {name} is {beside!r}")
    base = cfg.get("layer_rope_theta")
    if base is not None and _differ(base, flat.get("rope_theta")):
        raise ValueError(f"layer_rope_theta is {base}, but rope_theta {flat.get('rope_theta')}")
    return flat


def _differ(value: Any, other: Any) -> bool:
    """Whether a setting that is said twice has two values; NaN is one value, and refused where it is read."""
    return bool(value != other) and not (value != value and other != other)


def kind_of(rope: dict[str, Any]) -> str:
    words = [word for word in (rope.pop("rope_type", None), rope.pop("type", None)) if word is not None]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"rope_type must be a string, got {shown(word)}")
    names = {ALIASES.get(word, word) for word in words}
    if len(names) > 1:
        raise ValueError(f"rope_type and type disagree: {sorted(names)}")
    if not names and "factor" in rope:
        raise ValueError(
            f"rope_scaling has factor = {shown(rope['factor'])} and no rope_type: write 'linear', say"
        )
    return names.pop() if names else "default"


def fixed_alpha(rope: dict[str, Any], kind: str, model: ModelType) -> str:
    """The kind of scaling; in Hunyuan's "dynamic" a key ``alpha`` stretches the base for all lengths."""
    if kind != "dynamic" or "alpha" not in model.reads or not rope.get("alpha"):
        return kind
    check_finite("alpha", rope["alpha"], positive=True)
    for unread in ("factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"):
        rope.pop(unread, None)  # released configs have them, the code does not look
    rope["factor"] = rope.pop("alpha")
    return "ntk"


def base_of(rope: dict[str, Any], kind: str, cfg: dict[str, Any], hint: str) -> float:
    fixed = float(model_of(cfg).base)
    if fixed:
        ignored = {key: value for key, value in rope.items() if (key, value) != ("rope_theta", fixed)}
        if kind != "default" or ignored:
            raise ValueError(
                f"the code of model type {cfg['model_type']!r} has the base {fixed:g} and no settings, got "
                f"{ignored or kind}"
            )
        rope.clear()
        return fixed
    if "rope_theta" in rope:
        check_finite("rope_theta", rope["rope_theta"], positive=True)
        return float(rope.pop("rope_theta"))
    raise ValueError(f"config has no rope_theta (nor rotary_emb_base){hint}; {OTHERS}")


def axes_of(rope: dict[str, Any], cfg: Mapping[str, Any]) -> dict[str, Any]:
    """The spec's arguments for several axes: which planes each has is what the model's code decides."""
    sections, dealt = rope.pop("mrope_section", None), rope.pop("mrope_interleaved", None)
    model_type, axes = cfg.get("model_type"), model_of(cfg).axes
    if axes in ("", "two in turn"):
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
    if axes in ("in blocks", "in turn"):
        return {"sections": tuple(sections), "sections_interleaved": axes == "in turn"}
    for size in sections:  # height and width take planes in turn, then time has the rest
        check_int("mrope_section", size, minimum=1)
    if len(sections) != 3 or sections[0] != sections[1] or sum(sections) > MAX_PLANES:
        raise ValueError(
            f"mrope_section must be planes of height, as many of width, and of time, got {shown(sections)}"
        )
    return {"axis_of_plane": (1, 2) * sections[0] + (0,) * sections[2]}


def params_of(cfg: dict[str, Any], rope: dict[str, Any], kind: str, handled: Sequence[str]) -> dict[str, Any]:
    """What is left of the rope dict, with the original length and the factor that other keys imply."""
    if BETA in rope:
        refuse_key(BETA, rope[BETA], handled)
    for name in handled:
        rope.pop(name, None)
    longest = cfg.get("max_position_embeddings", cfg.get("n_positions"))
    key = "original_max_position_embeddings"
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
