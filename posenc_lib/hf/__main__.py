"""``python -m posenc_lib.hf check MODEL_OR_CONFIG``: what each layer turns by, and whether its code agrees.

A name, a folder or a config.json, as transformers reads it. No weights are loaded: the model is made without
numbers, but for its rotary modules, which are compared as :func:`posenc_lib.hf.use_in` compares them.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

import torch
from torch import nn

from posenc_lib._checks import shown
from posenc_lib.hf.positions import Layer, layers
from posenc_lib.hf.swap import rotaries, use_in

USAGE = "usage: python -m posenc_lib.hf check MODEL_OR_CONFIG (a name, a folder or a config.json)"


def main(arguments: list[str]) -> int:
    """0 where the model's code turns as its config is read, 1 for a refusal, 2 where nothing was asked."""
    if len(arguments) != 2 or arguments[0] != "check":
        print(USAGE)
        return 2
    try:
        from transformers import AutoConfig
    except ImportError:
        print("transformers reads the model: pip install transformers")
        return 1
    print(", ".join(f"{name} {version(name)}" for name in ("posenc_lib", "torch", "transformers")))
    try:
        config = AutoConfig.from_pretrained(arguments[1])
        text = config.get_text_config()
        longest = getattr(text, "max_position_embeddings", None)
        print(f"{config.model_type}, {text.num_hidden_layers} layers, up to {longest} positions")
        listed = layers(config)
        for layer, places in _alike(listed).items():
            print(f"layers {places}: {_said(layer)}")
        model = _made(config)
        compared = {type(module).__name__ for module in rotaries(model, text).values()}
        by_length = any(layer.spec is not None and layer.spec.needs_length for layer in listed)
        used = use_in(model, length=longest if by_length else None)
    except Exception as error:  # a broken config meets errors of transformers' own
        print(f"refused: {' '.join(str(error).split())}")
        if "handled=" in str(error):
            print("(handled= is an argument of specs and layers; this command reads the config as it stands)")
        return 1
    print(f"compared with {', '.join(compared)}: tables at most {used.difference:.1g} apart, near and far")
    return 0


def _said(layer: Layer) -> str:
    turned = "turns nothing" if layer.spec is None else shown(layer.spec)
    return turned if layer.temperature is None else f"{turned}, queries times {layer.temperature}"


def _alike(listed: list[Layer]) -> dict[Layer, str]:
    """Layers that do the same, and which they are: ``0-2, 4-6``."""
    runs: dict[Layer, list[list[int]]] = {}
    for index, layer in enumerate(listed):
        mine = runs.setdefault(layer, [])
        if mine and mine[-1][-1] == index - 1:
            mine[-1][1:] = [index]
        else:
            mine.append([index])
    return {layer: ", ".join("-".join(map(str, run)) for run in mine) for layer, mine in runs.items()}


def _made(config: Any) -> nn.Module:
    from transformers import AutoModel

    with torch.device("meta"):
        model: nn.Module = AutoModel.from_config(config)
    for name, module in rotaries(model, config.get_text_config()).items():
        model.set_submodule(name, type(module)(module.config))
    return model


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
