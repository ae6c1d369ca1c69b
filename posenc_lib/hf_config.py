"""Read a Hugging Face model config into a :class:`~posenc_lib.RotarySpec`, or refuse.

Needs no ``transformers``: a config is a mapping, or anything with ``to_dict()``. Both spellings are read:
version 4 (``rope_theta`` with ``rope_scaling``) and version 5 (``rope_parameters``, flat or one dict a layer
type). A reader that guesses silently trains another model, so whatever is not understood raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lib._checks import check_finite, check_int, check_sequence
from posenc_lib._hf_models import FIXED_BASE, HALF, INTERLEAVED, MULTI_AXIS, PARTIAL, WITHOUT
from posenc_lib.spec import RotarySpec

ALIASES = {"su": "longrope", "mrope": "default"}
NEEDS_ORIGINAL = ("dynamic", "yarn", "longrope", "llama3")


def spec_from_hf_config(
    config: Any, layer_type: str | None = None, *, layout: str | None = None
) -> RotarySpec:
    """The rotary encoding that a Hugging Face config describes.

    Args:
        config: a mapping (``json.load`` of config.json) or a config object. A multi-modal config stands for
            its ``text_config``.
        layer_type: which entry of a config that has several, e.g. "full_attention" or "sliding_attention".
        layout: "half" or "interleaved". Known for the common model types; must be given for others.

    Returns:
        The spec. ``dim`` is the width that is rotated *and* passed through (the head; ``qk_rope_head_dim`` in
        multi-head latent attention).

    Raises:
        ValueError: unknown model type without *layout*, a *layout* that contradicts the model type, unknown
            rope kind, unknown or missing keys, settings that contradict each other, no base, several layer
            types and no choice, or a layer without rotary encoding.
        TypeError: not a config; a value of the wrong type, a number written as a string, say.

    Example:
        >>> rope = {"rope_type": "yarn", "factor": 4.0, "truncate": False}
        >>> rope["original_max_position_embeddings"] = 4096
        >>> config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e6}
        >>> spec = spec_from_hf_config(config | {"rope_scaling": rope})
        >>> spec.dim, spec.base, spec.scaling, spec.params["truncate"]
        (16, 1000000.0, 'yarn', False)
    """
    cfg = _as_dict(config)
    if isinstance(cfg.get("text_config"), Mapping):
        cfg = dict(cfg["text_config"])
    model_type = cfg.get("model_type")
    for name, word in (("model_type", model_type), ("layer_type", layer_type)):
        if word is not None and not isinstance(word, str):
            raise TypeError(f"{name} must be a string, got {word!r}")
    rope = _rope_dict(cfg, layer_type)
    kind = _kind(rope)
    dim = _head_dim(cfg)
    base = _base(rope, cfg)
    sections, dealt = rope.pop("mrope_section", None), rope.pop("mrope_interleaved", None)
    if sections is None and model_type in MULTI_AXIS:
        raise ValueError(
            f"model type {model_type!r} rotates on several axes, but the config has no mrope_section"
        )
    if sections is not None:
        check_sequence("mrope_section", sections)
    if dealt is None:
        dealt = MULTI_AXIS.get(str(model_type), False)
    return RotarySpec(
        dim=dim,
        base=base,
        layout=_layout(cfg, layout),
        rotary_dim=_rotary_dim(cfg, rope, kind, dim),
        scaling=kind,
        params=_params(cfg, rope, kind),
        sections=None if sections is None else tuple(sections),
        sections_interleaved=dealt,
    )


def _as_dict(config: Any) -> dict[str, Any]:
    if isinstance(config, Mapping):
        return dict(config)
    if hasattr(config, "to_dict"):
        return dict(config.to_dict())
    raise TypeError(f"config must be a mapping or have to_dict(), got {type(config).__name__}")


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
    declared = set(cfg.get("layer_types") or ())
    if layer_type is not None and WITHOUT.get(str(cfg.get("model_type"))) == layer_type:
        raise ValueError(f"layers of type {layer_type!r} have no rotary encoding")
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
    for key, alias in (("rope_theta", "rotary_emb_base"), ("partial_rotary_factor", "rotary_pct")):
        for name in (key, alias):
            if cfg.get(name) is not None and flat.setdefault(key, cfg[name]) != cfg[name]:
                raise ValueError(f"{key} is {flat[key]!r} in the rope parameters but {name} is {cfg[name]!r}")
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
    raise ValueError(f"config has no rope_theta (nor rotary_emb_base); its keys are {sorted(cfg)}")


def _head_dim(cfg: dict[str, Any]) -> int:
    for name in ("qk_rope_head_dim", "head_dim"):
        if cfg.get(name) is not None:
            check_int(name, cfg[name], minimum=1)
            return int(cfg[name])
    hidden = cfg.get("hidden_size", cfg.get("n_embd"))
    heads = cfg.get("num_attention_heads", cfg.get("n_head"))
    for name, value in (("hidden_size", hidden), ("num_attention_heads", heads)):
        if value is not None:
            check_int(name, value, minimum=1)
    if hidden is None or heads is None or hidden % heads:
        raise ValueError(
            f"config needs head_dim, or hidden_size a multiple of heads; got {hidden} and {heads}"
        )
    return int(hidden // heads)


def _layout(cfg: dict[str, Any], layout: str | None) -> str:
    model_type = cfg.get("model_type")
    known = "half" if model_type in HALF else "interleaved" if model_type in INTERLEAVED else None
    if model_type == "deepseek_v3":
        known = "interleaved" if cfg.get("rope_interleave", True) else "half"
    if known is None and layout is None:
        raise ValueError(
            f"the layout of model type {model_type!r} is not known: pass layout='half' or 'interleaved'"
        )
    if known is not None and layout not in (None, known):
        raise ValueError(f"model type {model_type!r} has layout {known!r}, got layout={layout!r}")
    return str(layout or known)


def _rotary_dim(cfg: dict[str, Any], rope: dict[str, Any], kind: str, dim: int) -> int | None:
    if cfg.get("rotary_dim") is not None:
        check_int("rotary_dim", cfg["rotary_dim"], minimum=1)
        return int(cfg["rotary_dim"])
    if kind == "proportional":  # keeps the whole ladder
        return None
    if "partial_rotary_factor" not in rope:
        if cfg.get("model_type") in PARTIAL and "rotary_dim" not in cfg:
            raise ValueError(
                f"model type {cfg['model_type']!r} rotates a part of each head, but the config has no "
                "partial_rotary_factor (nor rotary_pct, nor rotary_dim)"
            )
        return None
    check_finite("partial_rotary_factor", rope["partial_rotary_factor"], positive=True)
    rotated = int(dim * rope.pop("partial_rotary_factor"))
    return None if rotated == dim else rotated


def _params(cfg: dict[str, Any], rope: dict[str, Any], kind: str) -> dict[str, Any]:
    """What is left of the rope dict, with the original length and the factor that other keys imply."""
    longest, key = (
        cfg.get("max_position_embeddings", cfg.get("n_positions")),
        "original_max_position_embeddings",
    )
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
