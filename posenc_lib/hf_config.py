"""Read a Hugging Face model config into a :class:`~posenc_lib.RotarySpec`, or refuse.

Needs no ``transformers``: a config is a mapping, or anything with ``to_dict()``. Both spellings are read:
version 4 (``rope_theta`` with ``rope_scaling``) and version 5 (``rope_parameters``, flat or one dict a layer
type). A reader that guesses silently trains another model, so whatever is not understood raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._checks import check_finite, check_int, check_sequence
from posenc_lib._hf_keys import check_keys, check_outer_keys, refuse_key
from posenc_lib._hf_layers import one_layer
from posenc_lib._hf_models import (
    FIXED_BASE,
    GLOBAL_WIDTH,
    MULTI_AXIS,
    NEEDS,
    REFUSED,
    ROTARY_DIM,
    WIDTH,
    WITHOUT,
    known_layout,
)
from posenc_lib.spec import RotarySpec

ALIASES = {"su": "longrope", "mrope": "default"}
NEEDS_ORIGINAL = ("dynamic", "yarn", "longrope", "llama3")
# Version 4 keeps some settings beside the rope parameters, under one name or another.
BESIDE = (
    ("rope_theta", "rope_theta"),
    ("rope_theta", "rotary_emb_base"),
    ("partial_rotary_factor", "partial_rotary_factor"),
    ("partial_rotary_factor", "rotary_pct"),
)
KINDS = (
    "full_attention",
    "sliding_attention",
    "chunked_attention",
)  # of layers, before version 4 listed them
COMPLETE = "a json may omit what its class fills in: pass AutoConfig.from_pretrained(...)"


def spec_from_hf_config(
    config: Any,
    layer_type: str | None = None,
    *,
    layer: int | None = None,
    layout: str | None = None,
    handled: Sequence[str] = (),
) -> RotarySpec:
    """The rotary encoding that a Hugging Face config describes.

    Args:
        config: a mapping (``json.load`` of config.json) or a config object. A multi-modal config stands for
            its ``text_config``. An object is safer: a nested json omits what its class fills in.
        layer_type: which kind of layer, e.g. "full_attention", where a config has several that differ.
        layer: the index of the layer, where its kind is not enough; some models skip the rotation in every
            fourth layer, say.
        layout: "half" or "interleaved". Known for most model types; must be given for others, and then you
            vouch that the model's code rotates in the usual way.
        handled: names of keys that bear on positions and that this reader refuses, because your own code does
            what they ask for.

    Returns:
        The spec. ``dim`` is the width that is rotated *and* passed through (the head; ``qk_rope_head_dim`` in
        multi-head latent attention).

    Raises:
        ValueError: unknown model type without *layout*, a *layout* that contradicts the model type, a type
            whose rotation no spec describes, a key that bears on positions and is not read, unknown rope
            kind, unknown or missing keys, settings that contradict each other, no base, layers that differ
            and no choice, or a layer without rotary encoding.
        TypeError: not a config; a value of the wrong type, a number written as a string, say.

    Example:
        >>> rope = {"rope_type": "yarn", "factor": 4.0, "truncate": False}
        >>> rope["original_max_position_embeddings"] = 4096
        >>> config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e6}
        >>> spec = spec_from_hf_config(config | {"rope_scaling": rope})
        >>> spec.dim, spec.base, spec.scaling, spec.params["truncate"]
        (16, 1000000.0, 'yarn', False)
    """
    outer = _as_dict(config)
    inner = outer.get("text_config")
    cfg = dict(inner) if isinstance(inner, Mapping) else outer
    model_type = cfg.get("model_type")
    for name, word in (("model_type", model_type), ("layer_type", layer_type)):
        if word is not None and not isinstance(word, str):
            raise TypeError(f"{name} must be a string, got {word!r}")
    if model_type in REFUSED:
        raise ValueError(f"model type {model_type!r} is not read: {REFUSED[model_type]}")
    check_keys(cfg, handled)
    if cfg is not outer:
        check_outer_keys(outer, cfg, handled)
    cfg, layer_type = one_layer(cfg, layer_type, layer)
    rope = _rope_dict(cfg, layer_type)
    _check_complete(cfg, rope)
    kind = _kind(rope)
    dim = _head_dim(cfg, layer_type)
    base = _base(rope, cfg)
    sections, dealt = _sections(rope, model_type)
    return RotarySpec(
        dim=dim,
        base=base,
        layout=_layout(cfg, layout),
        rotary_dim=_rotary_dim(cfg, rope, kind, dim),
        scaling=kind,
        params=_params(cfg, rope, kind, handled),
        sections=sections,
        sections_interleaved=dealt,
    )


def _as_dict(config: Any) -> dict[str, Any]:
    if isinstance(config, Mapping):
        return dict(config)
    if hasattr(config, "to_dict"):
        return dict(config.to_dict())
    hint = "; a name stands for AutoConfig.from_pretrained(name)" if isinstance(config, str) else ""
    raise TypeError(f"config must be a mapping or have to_dict(), got {type(config).__name__}{hint}")


def _check_complete(cfg: Mapping[str, Any], rope: Mapping[str, Any]) -> None:
    """Refuse a json that omits a key which the model's class fills with a number of its own."""
    for key, types in NEEDS.items():
        if cfg.get("model_type") in types and key not in cfg and key not in rope:
            raise ValueError(f"config of type {cfg['model_type']!r} omits {key}; {COMPLETE}")


def _rope_dict(cfg: dict[str, Any], layer_type: str | None) -> dict[str, Any]:
    """One flat dict of rope settings without empty entries; version 4's keys are moved into it."""
    new, old = cfg.get("rope_parameters") or {}, cfg.get("rope_scaling") or {}
    for name, value in (("rope_parameters", new), ("rope_scaling", old)):
        if not isinstance(value, Mapping):
            raise ValueError(f"{name} must be a mapping, got {value!r}")
    if new and any(new.get(key) != value for key, value in old.items()):
        raise ValueError(f"rope_parameters are {new!r}, but rope_scaling is {old!r}")
    rope = new or old
    layers = {k: v for k, v in rope.items() if isinstance(v, Mapping) or (k == layer_type and v is None)}
    listed = cfg.get("layer_types") or cfg.get("layers_block_type")
    declared = set(listed or (KINDS if cfg.get("model_type") in WITHOUT else ()))
    if layers:
        if layer_type not in layers:
            raise ValueError(f"layer_type must be one of {sorted(layers)}, got {layer_type!r}")
        chosen = layers[layer_type]
        if chosen is None:
            raise ValueError(f"layers of type {layer_type!r} have no rotary encoding")
        rope = dict(chosen)
    elif "rope_local_base_freq" in cfg:  # version 4 of Gemma 3: sliding layers have a base of their own
        if layer_type not in ("full_attention", "sliding_attention"):
            raise ValueError(
                f"layer_type must be 'full_attention' or 'sliding_attention', got {layer_type!r}"
            )
        if layer_type == "sliding_attention":
            return {"rope_theta": cfg["rope_local_base_freq"]}
    elif layer_type is not None and layer_type not in declared:
        raise ValueError(f"layer_type must be None or one of {sorted(declared)}, got {layer_type!r}")
    flat = {key: value for key, value in rope.items() if value is not None}
    for key, name in BESIDE:
        if cfg.get(name) is not None and flat.setdefault(key, cfg[name]) != cfg[name]:
            raise ValueError(f"{key} is {flat[key]!r} in the rope parameters but {name} is {cfg[name]!r}")
    if cfg.get("layer_rope_theta") not in (None, flat.get("rope_theta")):
        raise ValueError(
            f"layer_rope_theta is {cfg['layer_rope_theta']}, but rope_theta {flat.get('rope_theta')}"
        )
    return flat


def _kind(rope: dict[str, Any]) -> str:
    words = [word for word in (rope.pop("rope_type", None), rope.pop("type", None)) if word is not None]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"rope_type must be a string, got {word!r}")
    names = {ALIASES.get(word, word) for word in words}
    if len(names) > 1:
        raise ValueError(f"rope_type and type disagree: {sorted(names)}")
    return names.pop() if names else "default"


def _base(rope: dict[str, Any], cfg: dict[str, Any]) -> float:
    if "rope_theta" in rope:
        check_finite("rope_theta", rope["rope_theta"], positive=True)
        return float(rope.pop("rope_theta"))
    if cfg.get("model_type") in FIXED_BASE:
        return 10000.0
    raise ValueError(
        f"config has no rope_theta (nor rotary_emb_base); its keys are {sorted(cfg)}; {COMPLETE}"
    )


def _head_dim(cfg: dict[str, Any], layer_type: str | None) -> int:
    names = [WIDTH[cfg["model_type"]]] if cfg.get("model_type") in WIDTH else ["qk_rope_head_dim", "head_dim"]
    wide = layer_type == "full_attention" and cfg.get("model_type") in GLOBAL_WIDTH
    if wide and cfg.get("per_layer_config") is None:  # a config object says the same layer by layer
        names = ["global_head_dim"]
    for name in names:
        if cfg.get(name) is not None:
            check_int(name, cfg[name], minimum=1)
            return int(cfg[name])
    if "head_dim" not in names:
        raise ValueError(f"config of type {cfg['model_type']!r} needs {names[0]}; {COMPLETE}")
    hidden = cfg.get("hidden_size", cfg.get("n_embd"))
    heads = cfg.get("num_attention_heads", cfg.get("n_head"))
    for name, value in (("hidden_size", hidden), ("num_attention_heads", heads)):
        if value is not None:
            check_int(name, value, minimum=1)
    if hidden is None or heads is None or hidden % heads:
        raise ValueError(
            f"config needs head_dim, or hidden_size a multiple of heads; got {hidden} and {heads}; {COMPLETE}"
        )
    return int(hidden // heads)


def _layout(cfg: dict[str, Any], layout: str | None) -> str:
    model_type, known = cfg.get("model_type"), known_layout(cfg)
    if known is None and layout is None:
        raise ValueError(
            f"the layout of model type {model_type!r} is not known: pass layout='half' or 'interleaved'"
        )
    if known is not None and layout not in (None, known):
        raise ValueError(f"model type {model_type!r} has layout {known!r}, got layout={layout!r}")
    said = cfg.get("rope_interleave")
    if said is not None and said is not ((layout or known) == "interleaved"):
        raise ValueError(f"the layout is {layout or known!r}, but the config has rope_interleave = {said!r}")
    return str(layout or known)


def _sections(rope: dict[str, Any], model_type: Any) -> tuple[tuple[int, ...] | None, bool]:
    """The planes of each axis, and whether they are dealt in turn, which the model's code decides."""
    sections, dealt = rope.pop("mrope_section", None), rope.pop("mrope_interleaved", None)
    if model_type not in MULTI_AXIS:
        if sections is not None or dealt:
            raise ValueError(
                f"config has mrope_section = {sections!r}, but how the code of model type {model_type!r} "
                "gives planes to axes is not known: build the RotarySpec yourself"
            )
        return None, False
    if sections is None:
        raise ValueError(
            f"model type {model_type!r} rotates on several axes, but the config has no mrope_section"
        )
    check_sequence("mrope_section", sections)
    return tuple(sections), MULTI_AXIS[model_type]


def _rotary_dim(cfg: dict[str, Any], rope: dict[str, Any], kind: str, dim: int) -> int | None:
    given = cfg.get("rotary_dim")
    if given is not None:
        check_int("rotary_dim", given, minimum=1)
        if cfg.get("model_type") in ROTARY_DIM:
            return int(given)
    if kind == "proportional":  # keeps the whole ladder
        return None
    share = rope.pop("partial_rotary_factor", 1.0)
    check_finite("partial_rotary_factor", share, positive=True)
    latent = cfg.get("qk_rope_head_dim") is not None
    if latent and share != 1:  # a part of the whole head, which must be the part that qk_rope_head_dim names
        whole = cfg.get("head_dim")
        if whole is None or int(whole * share) != dim:
            raise ValueError(f"qk_rope_head_dim is {dim}, but partial_rotary_factor is {share} of {whole}")
        return None
    rotated = int(dim * share)
    if given is not None and given != rotated:
        raise ValueError(f"rotary_dim is {given}, but partial_rotary_factor = {share} makes it {rotated}")
    return None if rotated == dim else rotated


def _params(cfg: dict[str, Any], rope: dict[str, Any], kind: str, handled: Sequence[str]) -> dict[str, Any]:
    """What is left of the rope dict, with the original length and the factor that other keys imply."""
    if "llama_4_scaling_beta" in rope:
        refuse_key("llama_4_scaling_beta", rope["llama_4_scaling_beta"], handled)
    for name in handled:
        rope.pop(name, None)
    longest, key = (
        cfg.get("max_position_embeddings", cfg.get("n_positions")),
        "original_max_position_embeddings",
    )
    if rope.pop("max_position_embeddings", longest) != longest:  # a copy, in Ministral 3
        raise ValueError(f"max_position_embeddings is {longest}, but the rope parameters say another number")
    if kind == "dynamic" and rope.get(key, longest) != longest:
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
