"""Which keys of a Hugging Face config bear on positions, and what becomes of them: read or refused.

A config may hold names that nobody has seen before. So it is the words of a name that count, and only names
that are listed leave the rotation alone; ``keys.json`` lists them. A name close to one that is read is a slip
of the pen. tests/library/hf/test_hf_sweep.py reads every type with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from posenc_lib._checks import check_sequence, shown
from posenc_lib.hf.config.models import UNKNOWN, known_layout, model_of

_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
READ = frozenset(_WORDS["read"])
COMPLETE = "a json may omit what its class fills in: pass AutoConfig.from_pretrained(...)"
WIDTHS = ("head_dim", "qk_rope_head_dim", "hidden_size", "num_attention_heads")
# Switches whose values mean that the model turns queries and keys; any other value means that it does not.
# A name that says no more than that there is a rotation (`use_rope`, `rotary`) is a switch for True.
SWITCHES = {"position_embedding_type": ("rope", "rotary"), "use_mem_rope": (True,)}
HINTS: dict[str, str] = _WORDS["hints"]
# Parts of names that bear on positions, or on the width of a head; then words, which stand between "_".
BEARS = re.compile("|".join(_WORDS["bears"]))
# They match, but leave the rotation of queries and keys alone: widths of other parts, sizes of learned
# tables, the rate at which a caller makes positions, the temperature of a gate.
HARMLESS = frozenset(_WORDS["harmless"])
_TURNS = frozenset(("rope", "ropes", "rotary"))
_AROUND = frozenset(_WORDS["around"])
_PAIRS = {"interleave": "interleaved", "interleaved": "interleaved", "neox": "half"}
_AROUND_PAIRS = frozenset(("is", "use", "gpt", "style", "layout")) | _TURNS


def check_keys(cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse, by name, a setting that bears on positions and is not read; None, False and empty are off.

    So is a temperature of 1, by which nothing changes.
    """
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
        if _is_on(name, value) and name not in READ and not model.has(name) and bears(name):
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
        set_outside = _is_on(name, value) or (value is False and layout_meant(name) is not None)
        if set_outside and bears(name) and cfg.get(name) != value:
            refuse_key(name, value, handled)


def check_layout_keys(cfg: Mapping[str, Any], layout: str) -> None:
    """Refuse, by name, a setting whose name stands for a layout, and whose value says the other one.

    Example:
        >>> check_layout_keys({"is_neox_style": False, "rope_interleave": True}, "interleaved")
    """
    for name, value in cfg.items():
        meant = layout_meant(name)
        if meant and value is not None and value is not (layout == meant):
            raise ValueError(f"the layout is {layout!r}, but the config has {name} = {value!r}")


def refuse_key(name: str, value: Any, handled: Sequence[str]) -> None:
    """Raise for a setting ``name`` that the caller has not ``handled``."""
    if name not in handled:
        shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:56]} ..."
        near = nearest(name)
        raise ValueError(
            f"config has {name} = {shown}{f'; did you mean {near}? It' if near else ', which'} bears on "
            f"positions and is not read{': ' + HINTS[name] if name in HINTS else ''}. "
            f"If your code does that, pass handled=({name!r},)"
        )


def _is_on(name: str, value: Any) -> bool:
    if name == "temperature" and value == 1 and value is not True:  # version 4 writes sampling's into each
        return False
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
        >>> bears("xpos"), bears("headdim"), bears("hidden_size"), bears("property")
        (True, True, False, False)
    """
    return name not in HARMLESS and (BEARS.search(name.lower()) or nearest(name)) is not None


@lru_cache(maxsize=4096)
def nearest(name: str) -> str | None:
    """The key that is read and that was meant, if a name is nearly one.

    Example:
        >>> nearest("headDim"), nearest("rope_thetta"), nearest("rope_theta"), nearest("hidden_size")
        ('head_dim', 'rope_theta', None, None)
    """
    from difflib import get_close_matches

    if name in READ:
        return None
    read = {key.replace("_", ""): key for key in READ}
    close = get_close_matches(name.lower().replace("_", ""), read, n=1, cutoff=0.85)
    return read[close[0]] if close else None


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return frozenset(re.findall(r"[a-z0-9]+", apart.lower()))
