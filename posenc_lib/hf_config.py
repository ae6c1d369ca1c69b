"""Read a Hugging Face model config into a :class:`~posenc_lib.RotarySpec`, or refuse.

Needs no ``transformers``: a config is a mapping, or anything with ``to_dict()``. Both spellings are read:
version 4 (``rope_theta`` with ``rope_scaling``) and version 5 (``rope_parameters``, flat or one dict a layer
type). A reader that guesses silently trains another model, so whatever is not understood raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lib._hf_models import FIXED_BASE, HALF, INTERLEAVED, MULTI_AXIS
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
            rope kind, unknown or missing keys, no base, several layer types and no choice, or a layer without
            rotary encoding. TypeError: not a config.

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
    rope = _rope_dict(cfg, layer_type)
    kind = _kind(rope)
    dim = _head_dim(cfg)
    base = _base(rope, cfg)
    sections, dealt = rope.pop("mrope_section", None), rope.pop("mrope_interleaved", None)
    if sections is None and model_type in MULTI_AXIS:
        raise ValueError(
            f"model type {model_type!r} rotates on several axes, but the config has no mrope_section"
        )
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
        sections_interleaved=sections is not None and dealt,
    )


def _as_dict(config: Any) -> dict[str, Any]:
    if isinstance(config, Mapping):
        return dict(config)
    if hasattr(config, "to_dict"):
        return dict(config.to_dict())
    raise TypeError(f"config must be a mapping or have to_dict(), got {type(config).__name__}")


def _rope_dict(cfg: dict[str, Any], layer_type: str | None) -> dict[str, Any]:
    """One flat dict of rope settings without empty entries; version 4's keys are moved into it."""
    rope = cfg.get("rope_parameters") or cfg.get("rope_scaling") or {}
    if not isinstance(rope, Mapping):
        raise ValueError(f"rope_parameters must be a mapping, got {rope!r}")
    layers = {key: value for key, value in rope.items() if isinstance(value, Mapping) or key == layer_type}
    declared = set(cfg.get("layer_types") or ())
    if layers:
        if layer_type not in layers:
            raise ValueError(f"layer_type must be one of {sorted(layers)}, got {layer_type!r}")
        if layers[layer_type] is None:
            raise ValueError(f"layers of type {layer_type!r} have no rotary encoding")
        rope = dict(layers[layer_type])
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
    for new, *old in (("rope_theta", "rotary_emb_base"), ("partial_rotary_factor", "rotary_pct")):
        for name in (new, *old):
            if cfg.get(name) is not None and flat.setdefault(new, cfg[name]) != cfg[name]:
                raise ValueError(f"{new} is {flat[new]!r} in the rope parameters but {name} is {cfg[name]!r}")
    return flat


def _kind(rope: dict[str, Any]) -> str:
    names = {
        ALIASES.get(n, n) for n in (rope.pop("rope_type", None), rope.pop("type", None)) if n is not None
    }
    if len(names) > 1:
        raise ValueError(f"rope_type and type disagree: {sorted(names)}")
    return names.pop() if names else "default"


def _base(rope: dict[str, Any], cfg: dict[str, Any]) -> float:
    if "rope_theta" in rope:
        return float(rope.pop("rope_theta"))
    if cfg.get("model_type") in FIXED_BASE:
        return 10000.0
    raise ValueError(f"config has no rope_theta (nor rotary_emb_base); its keys are {sorted(cfg)}")


def _head_dim(cfg: dict[str, Any]) -> int:
    for name in ("qk_rope_head_dim", "head_dim"):
        if cfg.get(name) is not None:
            return int(cfg[name])
    hidden = cfg.get("hidden_size", cfg.get("n_embd"))
    heads = cfg.get("num_attention_heads", cfg.get("n_head"))
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
        return int(cfg["rotary_dim"])
    if kind == "proportional" or "partial_rotary_factor" not in rope:  # "proportional" keeps the whole ladder
        return None
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
    if kind in ("yarn", "longrope") and "factor" not in rope and longest is not None:
        rope["factor"] = longest / rope[key]
    return rope
