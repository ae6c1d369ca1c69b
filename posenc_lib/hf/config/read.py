"""Read a Hugging Face model config into the arguments of a :class:`posenc_lib.RotarySpec`, or refuse.

Needs no ``transformers``: a config is a mapping, or anything with ``to_dict()``. Both spellings are read:
version 4 (``rope_theta`` with ``rope_scaling``) and version 5 (``rope_parameters``, flat or one dict a layer
type). A reader that guesses silently trains another model, so whatever is not understood raises.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from posenc_lib._aliases import meant
from posenc_lib._checks import MAX_WIDTH, Layout, check_finite, check_int, shown
from posenc_lib.hf.config.keys import COMPLETE, SWITCHES, check_keys, check_layout_keys, check_outer_keys
from posenc_lib.hf.config.layers import ListedLayer, check_one_part, each_layer, one_layer
from posenc_lib.hf.config.models import FROM_SIZES, MODELS, UNKNOWN, check_turns, known_layout, model_of
from posenc_lib.hf.config.rope import axes_of, base_of, fixed_alpha, kind_of, params_of, rope_dict


def rotary_arguments(
    config: Any,
    layer_type: str | None = None,
    *,
    layer: int | None = None,
    layout: Layout | None = None,
    handled: Sequence[str] = (),
) -> dict[str, Any]:
    """What :class:`posenc_lib.RotarySpec` takes, from a config; arguments as its ``from_hf_config``.

    Example:
        >>> rotary_arguments({"model_type": "llama", "head_dim": 4, "rope_theta": 5e5})["base"]
        500000.0
    """
    outer, cfg = _parts(config)
    model_type, model = cfg.get("model_type"), model_of(cfg)
    near = _nearest(model_type) if model is UNKNOWN else ""  # misspelt, nothing is known of what it omits
    hint = f"; model type {model_type!r} is not known{near}" * bool(near) + f"; {COMPLETE}"
    hint = "" if hasattr(config, "to_dict") else hint  # an object is complete, and no type of one misspelt
    if layer_type is not None and not isinstance(layer_type, str):
        raise TypeError(f"layer_type must be a string, got {shown(layer_type)}")
    if model.refused:
        raise ValueError(f"model type {model_type!r} is not read: {model.refused}")
    check_turns(cfg)
    if isinstance(rope := cfg.get("rope_parameters"), Mapping) and rope.get("rope_type") == "axial":
        raise ValueError(
            f"model type {model_type!r} turns by places of patches: posenc_lib.hf.axial(config) reads it"
        )
    check_keys(cfg, handled)
    if cfg is not outer:
        check_outer_keys(outer, cfg, handled)
    cfg = {key: value for key, value in cfg.items() if key not in handled}
    cfg, layer_type = one_layer(cfg, layer_type, layer)
    rope = rope_dict(cfg, layer_type)
    _check_complete(outer, cfg, rope)
    kind = fixed_alpha(rope, kind_of(rope), model)
    dim = _head_dim(cfg, layer_type, hint)
    base = base_of(rope, kind, cfg, hint)
    axes = axes_of(rope, cfg)
    rotary_dim = _rotary_dim(cfg, rope, kind, dim)
    if model.axes == "two in turn":
        axes["axis_of_plane"] = (0, 1) * ((rotary_dim or dim) // 4)
    return dict(
        dim=dim,
        base=base,
        layout=_layout(cfg, layout),
        rotary_dim=rotary_dim,
        scaling=kind,
        params=params_of(cfg, rope, kind, handled),
        **axes,
    )


def layers_of(config: Any) -> list[ListedLayer]:
    """What the text part of a config says of each of its layers."""
    return each_layer(text_part(config))


def text_part(config: Any) -> dict[str, Any]:
    """The text part of a config, which may be all of it, as a dict.

    Example:
        >>> text_part({"model_type": "aria", "text_config": {"model_type": "aria_text"}})
        {'model_type': 'aria_text'}
    """
    return _parts(config)[1]


def _parts(config: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The whole config, and its text part, which may be all of it."""
    outer = as_dict(config)
    check_one_part(outer)
    inner = outer.get("text_config")
    return outer, dict(inner) if isinstance(inner, Mapping) else outer


def as_dict(config: Any) -> dict[str, Any]:
    """A config as a dict of its own.

    Example:
        >>> as_dict({"head_dim": 64})
        {'head_dim': 64}
    """
    if isinstance(config, (str, os.PathLike)) and os.path.exists(config):
        file = Path(config, "config.json") if os.path.isdir(config) else Path(config)
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(
                f"config must be a config.json, or hold one, got {str(file)!r}: {error}"
            ) from None
    if isinstance(config, Mapping):
        return dict(config)
    if hasattr(config, "to_dict"):
        return dict(config.to_dict())
    hint = ""
    if isinstance(config, (str, os.PathLike)):
        hint = f" {shown(str(config))}, where no file is; a name stands for AutoConfig.from_pretrained(name)"
    if hasattr(getattr(config, "config", None), "to_dict"):
        hint = "; a model has one: pass model.config"
    what = "config must be a mapping or have to_dict(), or be the path of a config.json"
    raise TypeError(f"{what}, got {type(config).__name__}{hint}")


def _check_complete(outer: Mapping[str, Any], cfg: Mapping[str, Any], rope: Mapping[str, Any]) -> None:
    """Refuse a json that omits a key which the model's class, or that around it, fills in."""
    by_type = any(isinstance(value, Mapping) for value in (cfg.get("rope_parameters") or {}).values())
    given = {key for key, value in cfg.items() if value is not None or key in SWITCHES}
    given |= {*rope, *["rope_parameters by layer type"] * by_type}
    for need in (*model_of(outer).needs, *model_of(cfg).needs):
        if given.isdisjoint(need.split(" or ")):
            raise ValueError(f"config of type {cfg['model_type']!r} omits {need}; {COMPLETE}")


def _head_dim(cfg: dict[str, Any], layer_type: str | None, hint: str) -> int:
    model = model_of(cfg)
    names = ["qk_rope_head_dim", "head_dim"] if model.width in ("", FROM_SIZES) else [model.width]
    wider = layer_type == "full_attention" and "global_head_dim" in model.reads
    if wider and cfg.get("per_layer_config") is None:  # a config object says the same layer by layer
        names = ["global_head_dim"]
    hidden = cfg.get("hidden_size", cfg.get("n_embd"))
    heads = cfg.get("num_attention_heads", cfg.get("n_head"))
    for name, value in (("hidden_size", hidden), ("num_attention_heads", heads)):
        if value is not None:
            check_int(name, value, minimum=1)
    for name in names:
        if cfg.get(name) is None:
            continue
        check_int(name, cfg[name], minimum=1)
        if name == model.width and cfg.get("head_dim", cfg[name]) != cfg[name]:
            raise ValueError(f"{name} is {cfg[name]}, head_dim is {shown(cfg['head_dim'])}: say one width")
        if model.width == FROM_SIZES and hidden and heads and cfg[name] != hidden // heads:
            raise ValueError(
                f"{name} is {cfg[name]}, but the code of model type {cfg['model_type']!r} takes "
                f"{hidden} // {heads} = {hidden // heads}"
            )
        return int(cfg[name])
    if "head_dim" not in names:
        raise ValueError(f"config of type {cfg['model_type']!r} needs {names[0]}{hint}")
    if hidden is None or heads is None or hidden % heads:
        raise ValueError(
            f"config needs head_dim, or hidden_size a multiple of heads; got {hidden} and {heads}{hint}"
        )
    return int(hidden // heads)


def _nearest(model_type: object) -> str:
    """The model type of the same numbers that is spelt nearly so, as the end of a message."""
    version = re.findall(r"\d", str(model_type))
    return meant(model_type, [name for name in MODELS if re.findall(r"\d", name) == version])


def _layout(cfg: dict[str, Any], layout: str | None) -> str:
    model_type, known = cfg.get("model_type"), known_layout(cfg)
    if known is None and layout is None:
        raise ValueError(
            f"the layout of model type {shown(model_type)} is not known: pass layout='half' or 'interleaved'"
            f"{_nearest(model_type)}"
        )
    if known is not None and layout not in (None, known):
        raise ValueError(f"model type {shown(model_type)} has layout {known!r}, got layout={shown(layout)}")
    chosen = str(layout or known)
    check_layout_keys(cfg, chosen)
    return chosen


def _rotary_dim(cfg: dict[str, Any], rope: dict[str, Any], kind: str, dim: int) -> int | None:
    given, model = cfg.get("rotary_dim"), model_of(cfg)
    if given is not None:
        check_int("rotary_dim", given, minimum=1)
        if model.base:
            return int(given)
        if "rotary_dim" in model.reads and not cfg.get("rope_parameters"):  # as its class does
            rope.setdefault("partial_rotary_factor", given / dim)
    if kind == "proportional":  # keeps the whole ladder
        return None
    share = rope.pop("partial_rotary_factor", 1.0)
    check_finite("partial_rotary_factor", share, positive=True)
    if share > MAX_WIDTH:  # a product with it may be infinite
        raise ValueError(f"partial_rotary_factor must be a share of the width, got {share}")
    if cfg.get("qk_rope_head_dim") is not None:  # of the whole head turns the part that this key names
        whole = cfg.get("head_dim")
        if whole is not None:
            check_int("head_dim", whole, 1, MAX_WIDTH)
        if share != 1 if whole is None else int(whole * share) != dim:
            raise ValueError(f"qk_rope_head_dim is {dim}, but {share} of head_dim = {whole} would turn")
        return None
    if share != 1 and "partial_rotary_factor" not in model.reads and known_layout(cfg) is not None:
        why = "does not read it" if kind == "default" else f"makes narrower tables with scaling {kind!r}"
        raise ValueError(
            f"partial_rotary_factor is {share}, but the code of model type {cfg['model_type']!r} turns whole "
            f"heads, and {why}"
        )
    rotated = int(dim * share)
    if given is not None and given != rotated:
        raise ValueError(f"rotary_dim is {given}, but partial_rotary_factor = {share} makes it {rotated}")
    return None if rotated == dim else rotated
