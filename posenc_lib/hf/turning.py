"""What turns in a model's code: by which spec each kind of layer, and by which function all of them."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from torch import nn

from posenc_lib.rotary.spec import RotarySpec

FUNCTIONS = ("apply_rotary_pos_emb", "apply_rotary_emb")


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


def function_name(code: ModuleType) -> str:
    """The name of the function by which this model's code turns."""
    found = [name for name in vars(code) if name.startswith("apply_rotary") and "vision" not in name]
    if len(found) != 1 or found[0] not in FUNCTIONS:
        why = (
            "; which of them a layer takes is in the code of that layer, so they stay: for attention of your "
            "own take specs(model.config) and RotaryEmbedding"
        ) * (len(found) > 1)
        raise ValueError(f"{code.__name__} must turn by one function, one of {FUNCTIONS}, got {found}{why}")
    return found[0]
