"""What turns in a model's code: by which spec each kind of layer, and by which functions."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from torch import nn

from posenc_lib.hf.patching import Place
from posenc_lib.rotary.spec import RotarySpec

COUNTED = 2**24  #: Where float32 ends to count.


def by_type(module: nn.Module, listed: list[RotarySpec | None], config: Any) -> dict[str | None, RotarySpec]:
    """The spec for each kind of layer that the module is asked for."""
    typed = "layer_type" in inspect.signature(module.forward).parameters
    kinds = list(config.layer_types) if typed else [None] * len(listed)
    found: dict[str | None, RotarySpec] = {}
    for layer, (kind, spec) in enumerate(zip(kinds, listed, strict=True)):
        if spec is not None and found.setdefault(kind, spec) != spec:
            raise ValueError(f"layer {layer} turns by {spec}, others by {found[kind]}, from one module")
    if not found:
        raise ValueError("no layer turns anything, says the config")
    return found


def check_length(listed: list[RotarySpec | None], config: Any, length: int | None) -> None:
    """Refuse to leave the length open where texts may need it, and one that the check cannot go up to."""
    longest = getattr(config, "max_position_embeddings", None)
    for spec in listed:
        if length is not None and length > COUNTED and spec is not None and spec.needs_length:
            raise ValueError(
                f"length must be at most {COUNTED} where frequencies depend on it, here by scaling "
                f"{spec.scaling!r}: the model counts positions in float32; got {length}"
            )
        if length is None and longest is not None and spec is not None and spec.needs_length:
            original = spec.params["original_max_position_embeddings"]
            if longest > original:
                raise ValueError(
                    f"length must be given: scaling {spec.scaling!r} has other frequencies beyond {original} "
                    f"positions, and texts of this model go to {longest}: say length={longest}, or the most "
                    f"that you will give it; length={original} for texts up to its original context"
                )


def functions(model: nn.Module, rotary: nn.Module, config: Any) -> list[Place]:
    """Where the layers take what they turn by: the names that their own code asks for.

    A layer is a module with this config. Where none asks by name, all that the code beside the rotary module
    defines, or, for a class that somebody derived, beside the one it comes from.
    """
    found: dict[tuple[int, str], Place] = {}
    for kind in {type(m) for m in model.modules() if type(getattr(m, "config", None)) is type(config)}:
        code = inspect.unwrap(kind.forward)
        if inspect.isfunction(code):
            for name in _turning(code.__code__.co_names, code.__globals__):
                found[id(code.__globals__), name] = Place(code.__globals__, name)
    if found:
        return sorted(found.values(), key=str)
    for kind in type(rotary).__mro__:
        space = vars(sys.modules[kind.__module__])
        if names := _turning(space, space):
            return [Place(space, name) for name in names]
    raise ValueError(
        f"the layers of {type(model).__name__} call no function apply_rotary_…: what turns is in their own "
        "code, so it stays; for attention of your own take specs(model.config) and RotaryEmbedding"
    )


def _turning(names: Any, space: dict[str, Any]) -> list[str]:
    """Of these names the functions that turn texts."""
    mine = [name for name in names if name.startswith("apply_rotary") and "vision" not in name]
    return [name for name in mine if callable(space.get(name))]
