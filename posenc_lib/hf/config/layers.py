"""The settings of one layer: some models give their layers different rotations, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from posenc_lib._checks import check_int, check_sequence, shown
from posenc_lib.hf.config.keys import COMPLETE, WIDTHS
from posenc_lib.hf.config.models import known_layout, model_of

# Layers that do not attend, or attend without turning anything, where the code of the model has them.
OTHER = {"linear_attention", "lightning_attention", "cross_attention", "conv", "mamba", "recurrent"}
MOST_LAYERS = 10_000
_COUNTS = ("layers", "_config")  # ends of keys that a part with layers of its own has


class NoRotation(ValueError):
    """The layer that was asked for turns nothing."""


class ListedLayer(NamedTuple):
    """What a config says of one layer: its type, whether it turns, and keys whose values are its own."""

    type: str | None
    turns: bool
    settings: Mapping[str, Any]


def one_layer(
    cfg: Mapping[str, Any], layer_type: str | None, layer: int | None
) -> tuple[dict[str, Any], str | None]:
    """The config as the layers asked for see it, and their type; raise if they differ or do not turn."""
    layers = _layers(cfg)
    if layer is not None:
        chosen = [_layer_at(cfg, layers, layer)]
        if layer_type not in (None, chosen[0].type):
            raise ValueError(
                f"layer {layer} is of type {chosen[0].type!r}, got layer_type={shown(layer_type)}"
            )
        layer_type = chosen[0].type
    elif layer_type is not None:
        chosen = [candidate for candidate in layers if candidate.type in (layer_type, None)]
    else:
        chosen = [candidate for candidate in layers if candidate.type not in OTHER]
        _refuse_a_mixture(cfg, sorted({turning.type for turning in chosen if turning.type}), bool(layers))
    if layer_type in OTHER or (layer_type is not None and layer_type == _unturned(cfg)):
        raise NoRotation(f"layers of type {layer_type!r} have no rotary encoding")
    if layers and not chosen:
        types = sorted({str(listed.type) for listed in layers})
        raise ValueError(
            f"layer_type must be that of layers that turn, one of {types}, got {shown(layer_type)}"
        )
    if not chosen:
        return dict(cfg), layer_type
    _require_alike(chosen)
    if not chosen[0].turns:
        raise NoRotation("layers that were asked for have no rotary encoding, says the config")
    return {**cfg, **chosen[0].settings}, layer_type


def each_layer(cfg: Mapping[str, Any]) -> list[ListedLayer]:
    """As many as the config lists, or says; where it lists none they are alike."""
    return _layers(cfg) or [ListedLayer(None, True, {})] * _number(cfg)


def _layer_at(cfg: Mapping[str, Any], layers: Sequence[ListedLayer], layer: int) -> ListedLayer:
    """The layer of an index; where none are listed all must be alike."""
    check_int("layer", layer)
    every = layers or each_layer(cfg)
    if layer >= len(every):
        raise ValueError(f"layer must be below {len(every)}, the number of layers, got {layer}")
    if not layers:
        _refuse_a_mixture(cfg, [], listed=False)
    return every[layer]


def _require_alike(layers: Sequence[ListedLayer]) -> None:
    """Refuse layers of which some turn otherwise than the first, and name a key in which they differ."""
    every = [{"turns": layer.turns, **layer.settings} for layer in layers]
    for settings in every:
        if settings != every[0]:
            key = next(key for key in settings | every[0] if settings.get(key) != every[0].get(key))
            values = sorted({str(listed.get(key)) for listed in every})
            raise ValueError(f"layers differ, for example in {key}: {values}: pass layer, got None")


def _layers(cfg: Mapping[str, Any]) -> list[ListedLayer]:
    """As many as the config lists; none where it lists nothing."""
    lists = {key: cfg.get(key) or [] for key in ("no_rope_layers", "layer_rope_theta")}
    lists = {"layer_types": layer_types(cfg), **lists}
    for name, value in lists.items():
        check_sequence(name, value)
        if len(value) > MOST_LAYERS:
            raise ValueError(f"{name} must list at most {MOST_LAYERS} layers, got {len(value)}")
    if not all(isinstance(kind, str) for kind in lists["layer_types"]):
        raise TypeError(f"layer_types must hold strings, got {shown(lists['layer_types'])}")
    strange = OTHER.intersection(lists["layer_types"]).difference(model_of(cfg).still)
    if strange and known_layout(cfg):
        raise ValueError(
            f"layer_types has {sorted(strange)}, which the code of model type {cfg['model_type']!r} does not "
            "read: there every layer turns"
        )
    if "no_rope_layers" not in model_of(cfg).reads:
        lists["no_rope_layers"] = []  # refused, or handled by the caller
    elif not lists["no_rope_layers"]:
        lists["no_rope_layers"] = _planned(cfg)
    lengths = {len(value) for value in lists.values() if value}
    if len(lengths) > 1:
        raise ValueError(f"{sorted(key for key in lists if lists[key])} must be equally long, got {lengths}")
    widths = _widths(cfg)
    number = lengths.pop() if lengths else _number(cfg) if any(widths.values()) else 0
    types, turning, bases = lists.values()
    layers = []
    for i in range(number):
        settings = dict(widths.get(str(i), {}))
        turns = bool(turning[i]) if turning else True
        if bases:
            settings["layer_rope_theta"] = bases[i]
            turns = turns and bool(bases[i])  # 0 stands for no rotation
        layers.append(ListedLayer(types[i] if types else None, turns, settings))
    return layers


def _widths(cfg: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Widths of their own of some layers, by the layer's index."""
    by_layer = cfg.get("per_layer_config") or {}
    if not isinstance(by_layer, Mapping):
        raise TypeError(f"per_layer_config must be a mapping, got {shown(by_layer)}")
    return {
        str(index).lstrip("0") or "0": {key: settings[key] for key in WIDTHS if key in settings}
        for index, settings in by_layer.items()
        if isinstance(settings, Mapping)
    }


def layer_types(cfg: Mapping[str, Any]) -> list[str]:
    """One a layer, or none where the config does not say. A key of the model's own goes first."""
    return _placed(cfg) or cfg.get("layer_types") or cfg.get("layers_block_type") or []


def _placed(cfg: Mapping[str, Any]) -> list[str]:
    """The types of layers where a key of the model's own says them: by their indices, or as a cycle."""
    key, named, others = model_of(cfg).placed or ("", "", "")
    if not key:
        return []
    if key not in cfg:
        raise ValueError(f"config of type {cfg['model_type']!r} omits {key}, which says what its layers are")
    given = cfg[key] or []
    check_sequence(key, given)
    if named:  # indices
        return [named if i in given else others for i in range(_number(cfg))]
    if not given or not all(isinstance(kind, str) for kind in given):
        raise TypeError(f"{key} must hold strings, got {shown(given)}")
    return [given[i % len(given)] for i in range(_number(cfg))]


def _planned(cfg: Mapping[str, Any]) -> list[bool]:
    """Every so many layers one has no rotation."""
    interval = cfg.get("no_rope_layer_interval")
    if interval is None:
        raise ValueError("config needs no_rope_layers or no_rope_layer_interval")
    check_int("no_rope_layer_interval", interval, minimum=1)
    return [(i + 1) % interval != 0 for i in range(_number(cfg))]


def _number(cfg: Mapping[str, Any]) -> int:
    key, times = model_of(cfg).counted
    number: Any = cfg.get("num_hidden_layers", cfg.get("n_layer"))
    if number is None and cfg.get(key) is not None:
        check_int(key, cfg[key], minimum=1)
        number = cfg[key] * times
    if number is None:
        _refuse_uncounted(cfg)
    check_int("num_hidden_layers", number, minimum=1)
    if number > MOST_LAYERS:
        raise ValueError(f"num_hidden_layers must be at most {MOST_LAYERS}, got {number}")
    return int(number)


def check_one_part(cfg: Mapping[str, Any]) -> None:
    """Refuse a config that holds those of an encoder and of a decoder, which may turn otherwise.

    Example:
        >>> check_one_part({"model_type": "t5gemma", "encoder": {"head_dim": 8}, "decoder": {"head_dim": 8}})
        Traceback (most recent call last):
        ...
        ValueError: model type 't5gemma' has an encoder and a decoder: pass config.encoder or config.decoder
    """
    for encoder, decoder in (("encoder", "decoder"), ("encoder_config", "decoder_config")):
        if isinstance(cfg.get(encoder), Mapping) and isinstance(cfg.get(decoder), Mapping):
            raise ValueError(
                f"model type {shown(cfg.get('model_type'))} has an encoder and a decoder: "
                f"pass config.{encoder} or config.{decoder}"
            )


def _refuse_uncounted(cfg: Mapping[str, Any]) -> None:
    """Say where the layers are, of a config that does not count its own."""
    named = f"model type {shown(cfg.get('model_type'))}"
    inner = {key: part for key, part in cfg.items() if key.endswith("_config") and isinstance(part, Mapping)}
    parts = [f"config.{key}" for key, part in inner.items() if any(k.endswith(_COUNTS) for k in part)]
    if parts:
        raise ValueError(f"{named} counts no layers of its own: pass a part, {' or '.join(parts)}")
    if cfg.get("is_encoder_decoder"):
        raise ValueError(
            f"{named} has an encoder and a decoder, whose layers one config describes: "
            "build a RotarySpec for each that turns"
        )
    raise ValueError(f"config of {named} has no num_hidden_layers")


def _unturned(cfg: Mapping[str, Any]) -> str | None:
    """The type of layer that this model does not turn. With no window at all, every layer turns."""
    windowless = "sliding_window" in cfg and cfg["sliding_window"] is None
    return None if windowless else model_of(cfg).unturned or None


def _refuse_a_mixture(cfg: Mapping[str, Any], kinds: list[str], listed: bool) -> None:
    """Without a choice all kinds of layers must turn alike; of an unknown model nobody can say."""
    unturned = _unturned(cfg)
    if (unturned and (unturned in kinds or not listed)) or (len(kinds) > 1 and known_layout(cfg) is None):
        said = f"one of {kinds}, got None" if kinds else f"got None; {COMPLETE}"
        raise ValueError(f"layers differ: layer_type must be given, {said}")
