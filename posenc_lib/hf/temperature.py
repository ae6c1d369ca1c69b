"""Attention temperatures of a config: by what each layer multiplies its queries, besides turning them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from posenc_lib._checks import FURTHEST, check_finite, check_int
from posenc_lib.hf.config.keys import COMPLETE, HINTS, refuse_key
from posenc_lib.hf.config.models import BETA, TUNING, model_of
from posenc_lib.hf.config.read import layers_of, text_part
from posenc_lib.hf.layers import specs
from posenc_lib.rotary.temperature import attention_temperature


@dataclass(frozen=True)
class Temperature:
    """What one layer multiplies its queries by, as they stand at their positions.

    Args:
        slope, length, first: as :func:`posenc_lib.attention_temperature`.

    Example:
        >>> Temperature(slope=0.1, length=8192, first=1).factor(torch.tensor([0, 8191]))
        tensor([1.0000, 1.0693])
    """

    slope: float
    length: int
    first: int = 0

    def __post_init__(self) -> None:
        check_finite("slope", self.slope)
        check_int("length", self.length, minimum=1)
        check_int("first", self.first, 0, FURTHEST)

    def factor(self, position_ids: Tensor, *, dtype: torch.dtype = torch.float32) -> Tensor:
        """:func:`posenc_lib.attention_temperature` with these numbers."""
        return attention_temperature(
            position_ids, slope=self.slope, length=self.length, first=self.first, dtype=dtype
        )


def temperatures(config: Any) -> list[Temperature | None]:
    """What each layer of a Hugging Face config multiplies its queries by; None where by nothing.

    Args:
        config: as :meth:`posenc_lib.RotarySpec.from_hf_config`.

    Returns:
        As many as the model has layers.

    Raises:
        ValueError: a key is missing, or asks for a temperature in a model type whose code is not known to
            have it, or a model type whose code has another formula, by name.
        TypeError: not a config; a value of the wrong type.

    Example:
        >>> config = {"model_type": "llama4_text", "head_dim": 128, "rope_theta": 5e5}
        >>> config |= {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
        >>> config |= {"attn_temperature_tuning": True, "attn_scale": 0.1, "floor_scale": 8192}
        >>> temperatures(config)
        [None, None, None, Temperature(slope=0.1, length=8192, first=1)]

    Source:
        the configs and the code of the transformers library, which the tests compare with.
    """
    cfg, number = text_part(config), len(layers_of(config))
    model_type = cfg.get("model_type")
    rope = cfg.get("rope_parameters") or cfg.get("rope_scaling") or {}
    known = model_of(cfg).temperature
    if known not in ("", BETA, TUNING):
        raise ValueError(f"model type {model_type!r} has a temperature by another formula: {HINTS[known]}")
    if rope.get(BETA) is not None:
        if known != BETA:
            refuse_key(BETA, rope[BETA], ())
        return [_temperature(rope, BETA, "original_max_position_embeddings")] * number
    if not cfg.get(TUNING):
        return [None] * number
    if known != TUNING:
        refuse_key(TUNING, cfg[TUNING], ())
    still = _temperature(cfg, "attn_scale", "floor_scale", first=1)
    return [None if spec else still for spec in specs(config, handled=[TUNING])]


def _temperature(settings: Mapping[str, Any], slope: str, length: str, first: int = 0) -> Temperature:
    """From the values of two keys, whose names errors say."""
    for key in (slope, length):
        if settings.get(key) is None:
            raise ValueError(f"config has a temperature, but no {key}; {COMPLETE}")
    check_finite(slope, settings[slope])
    check_int(length, settings[length], minimum=1)
    return Temperature(float(settings[slope]), settings[length], first)
