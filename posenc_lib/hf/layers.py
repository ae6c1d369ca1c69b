"""One spec for each layer of a config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lib._aliases import knows_names
from posenc_lib._checks import Layout
from posenc_lib.hf.config.keys import refuse_key
from posenc_lib.hf.config.layers import NoRotation
from posenc_lib.hf.config.models import check_turns, model_of
from posenc_lib.hf.config.read import layers_of, text_part
from posenc_lib.rotary.spec import RotarySpec


@knows_names
def specs(
    config: Any, *, layout: Layout | None = None, handled: Sequence[str] = ()
) -> list[RotarySpec | None]:
    """What each layer of a Hugging Face config turns queries and keys by; None where it turns nothing.

    Layer types, bases of their own and layers without a rotation are read as
    :meth:`posenc_lib.RotarySpec.from_hf_config` reads them, layer by layer. A temperature that grows with the
    position is no rotation: it is refused by its name until you say that you have ``handled`` it.
    :func:`layers` gives it beside each spec.

    Args:
        config, layout, handled: as :meth:`posenc_lib.RotarySpec.from_hf_config`.

    Returns:
        As many as the model has layers.

    Raises:
        ValueError, TypeError: as :meth:`posenc_lib.RotarySpec.from_hf_config`; of a model without rotary
            encoding it names the class that says its positions.

    Example:
        >>> config = {"model_type": "smollm3", "head_dim": 64, "rope_theta": 5e6, "num_hidden_layers": 4}
        >>> config |= {"no_rope_layers": [1, 1, 1, 0], "max_position_embeddings": 65536}
        >>> [spec and spec.base for spec in specs(config)]
        [5000000.0, 5000000.0, 5000000.0, None]

    Source:
        the configs and the code of the transformers library, which the tests compare with.
    """
    check_turns(text_part(config))  # they may count their layers otherwise
    listed = [str(layer) for layer in layers_of(config)]
    found: dict[str, RotarySpec | None] = {}
    for layer in map(listed.index, dict.fromkeys(listed)):  # of layers that are said alike one is read
        try:
            spec = RotarySpec.from_hf_config(config, layer=layer, layout=layout, handled=handled)
        except NoRotation:
            _check_still(text_part(config), handled)
            spec = None
        found[listed[layer]] = spec
    return [found[layer] for layer in listed]


def _check_still(cfg: Mapping[str, Any], handled: Sequence[str]) -> None:
    """Refuse a temperature in the layers that do not turn; its name need not be a key of the config."""
    name = model_of(cfg).still_temperature
    if name and cfg.get(name, True):
        refuse_key(name, cfg.get(name, "in its code"), handled)
