"""What the code of each Hugging Face model type does with positions, where its config does not say so.

``models.json`` has one row a type, whose keys are the fields of :class:`ModelType`. Every row is checked: by
tests/library/hf/test_hf_sweep.py against the rotation that the model's own code computes, and against its
class, which completes a config that omits a key; by test_hf_elsewhere.py where nothing turns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from posenc_lib._checks import shown

#: What says the positions of a model that turns nothing, by what stands for it here.
INSTEAD = {
    "LearnedEncoding": "a learned vector for each position is added to the embeddings",
    "SinusoidalEncoding": "fixed sines and cosines are added to the embeddings",
    "T5Bias": "a learned number for each bucket of distances is added to the scores",
    "ALiBi(num_heads)": "a slope times the distance is taken from the scores",
    "WindowBias": "a learned number for each shift in a window is added to the scores",
    "LogCPB": "a small network of the shift in a window is added to the scores",
    "disentangled_scores": "scores with vectors for distances are added",
}
BETA, TUNING = "llama_4_scaling_beta", "attn_temperature_tuning"
FROM_SIZES = "hidden_size // num_attention_heads"


class ModelType(NamedTuple):
    """One row; what is not written in it is what most types do.

    Example:
        >>> MODELS["cohere2"].layout, MODELS["cohere2"].unturned, MODELS["t5"].instead
        ('interleaved', 'full_attention', 'T5Bias')
    """

    # Which channels make a pair: "half" or "interleaved"; "rope_interleave" is a key that may say so, and
    # where it does not they are interleaved. Without it the caller says `layout`.
    layout: str = ""
    # Why no RotarySpec says what the code does, whatever the config.
    refused: str = ""
    # It turns nothing: a key of INSTEAD.
    instead: str = ""
    # How planes are given to the several axes of a position, whatever `mrope_interleaved` says.
    axes: str = ""
    # How a vision tower gives planes to height and width, and its layout: see posenc_lib.hf.axial.
    axial: Sequence[str] = ()
    # The key that holds the width of a head; or FROM_SIZES, which the code takes whatever `head_dim` says.
    width: str = ""
    # The base is in the code, not in the config; nor does the code look at any scaling.
    base: float = 0.0
    # Keys that a config must have, else its class fills them in with numbers of its own.
    needs: Sequence[str] = ()
    # Keys that the code of other types does not read.
    reads: Sequence[str] = ()
    # Keys that bear on positions by their names, but not on the layers that turn.
    harmless: Sequence[str] = ()
    # The type of layer that has no rotary encoding where other layers have a window.
    unturned: str = ""
    # The types of layers that do not attend, or turn nothing, in a model that has others.
    still: Sequence[str] = ()
    # The key, or name in the code, of a factor on queries that grows with their position: BETA in all layers,
    # another in those that do not turn.
    temperature: str = ""
    # The layout in which its sparse indexer turns, where it is not that of its attention.
    indexer: str = ""
    # The key that counts the layers, and how often each attends.
    counted: tuple[str, int] = ("num_hidden_layers", 1)
    # The key that says what the layers are: by indices of layers of one type, with that type and the type of
    # all others, or, without types, as a cycle of them.
    placed: Sequence[str] = ()

    def has(self, key: str) -> bool:
        """Whether a config of this type may hold a key that bears on positions."""
        needed = (name for need in self.needs for name in need.split(" or "))
        return key in (self.width, *self.reads, *self.harmless, *needed)

    @property
    def still_temperature(self) -> str:
        """The temperature of layers that do not turn, by its key or its name in the code."""
        return "" if self.temperature == BETA else self.temperature


MODELS = {
    name: ModelType(**row)
    for name, row in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")).items()
}
#: Factors on queries that the model's own code goes on applying where this library turns.
TEMPERATURES = tuple(sorted({row.temperature for row in MODELS.values()} - {""}))
#: A type in no table, for which the caller speaks.
UNKNOWN = ModelType(
    reads=("layer_rope_theta", "qk_rope_head_dim", "rope_local_base_freq", "rotary_emb_base", "rotary_pct")
)


def model_of(cfg: Mapping[str, Any]) -> ModelType:
    """The row of a config's model type."""
    model_type = cfg.get("model_type")
    if model_type is not None and not isinstance(model_type, str):
        raise TypeError(f"model_type must be a string, got {shown(model_type)}")
    return MODELS.get(str(model_type), UNKNOWN)


def known_layout(cfg: Mapping[str, Any]) -> str | None:
    """The pairing of channels in the code of this model type, if it is known."""
    layout = model_of(cfg).layout
    if layout == "rope_interleave":
        return "interleaved" if cfg.get("rope_interleave", True) else "half"
    return layout or None


def check_turns(cfg: Mapping[str, Any]) -> None:
    """Refuse a config whose model turns nothing, and say what its positions are.

    Example:
        >>> check_turns({"model_type": "t5"})
        Traceback (most recent call last):
        ...
        ValueError: model type 't5' has no rotary encoding: a learned number for each bucket of distances \
is added to the scores, see posenc_lib.T5Bias
    """
    name = model_of(cfg).instead
    if name:
        raise ValueError(
            f"model type {cfg['model_type']!r} has no rotary encoding: {INSTEAD[name]}, see posenc_lib.{name}"
        )
