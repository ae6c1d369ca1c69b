"""All that each layer of a config does with positions: its rotation, and the temperature of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from posenc_lib._aliases import knows_names
from posenc_lib._checks import Layout, check_sequence
from posenc_lib.hf.config.models import BETA, TEMPERATURES, TUNING, model_of
from posenc_lib.hf.config.read import text_part
from posenc_lib.hf.layers import specs
from posenc_lib.hf.temperature import Temperature, temperatures
from posenc_lib.rotary.spec import RotarySpec


class Layer(NamedTuple):
    """What one layer does with positions.

    Args:
        spec: what turns queries and keys, or None.
        temperature: what queries are multiplied by besides, or None.
        indexer: what turns the queries and keys by which a sparse indexer chooses tokens, where that is not
            ``spec``; None where it is, or there is none.

    Example:
        >>> config = {"model_type": "deepseek_v32", "qk_rope_head_dim": 64, "rope_theta": 1e4}
        >>> for spec, _, indexer in layers(config | {"num_hidden_layers": 1}):
        ...     spec.layout, indexer.layout
        ('interleaved', 'half')
    """

    spec: RotarySpec | None
    temperature: Temperature | None
    indexer: RotarySpec | None = None


@knows_names
def layers(config: Any, *, layout: Layout | None = None, handled: Sequence[str] = ()) -> list[Layer]:
    """What each layer of a Hugging Face config turns by, and what its queries are multiplied by.

    Args:
        config, layout, handled: as :meth:`posenc_lib.RotarySpec.from_hf_config`. A temperature whose key is
            ``handled`` is left to your code, and not given.

    Returns:
        As many as the model has layers, each with what :func:`specs` and :func:`temperatures` say of it.

    Raises:
        ValueError, TypeError: as :func:`specs` and :func:`temperatures`; a temperature by another formula
            than :func:`posenc_lib.attention_temperature` is refused by its name.

    Example:
        >>> config = {"model_type": "llama4_text", "head_dim": 128, "rope_theta": 5e5}
        >>> config |= {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]}
        >>> config |= {"attn_temperature_tuning": True, "attn_scale": 0.1, "floor_scale": 8192}
        >>> for spec, temperature, _ in layers(config)[2:]:
        ...     spec and spec.base, temperature
        (500000.0, None)
        (None, Temperature(slope=0.1, length=8192, first=1))

    Source:
        the configs and the code of the transformers library, which the tests compare with.
    """
    check_sequence("handled", handled)
    listed = specs(config, layout=layout, handled=(*handled, BETA, TUNING))
    left_to_you = set(TEMPERATURES).intersection(handled)
    heated: list[Temperature | None] = [None] * len(listed) if left_to_you else temperatures(config)
    other = model_of(text_part(config)).indexer
    return [
        Layer(spec, factor, replace(spec, layout=cast(Layout, other)) if spec and other else None)
        for spec, factor in zip(listed, heated, strict=True)
    ]
