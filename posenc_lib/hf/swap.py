"""Put this library's rotation into a loaded model, checked at that moment against the model's own."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lib._checks import Layout, check_dtype, check_int
from posenc_lib.angles.double import arithmetic
from posenc_lib.hf.check import checked
from posenc_lib.hf.config.models import TEMPERATURES
from posenc_lib.hf.layers import specs
from posenc_lib.hf.patching import stand_in, standing
from posenc_lib.hf.rotating_functions import by_type, check_length, functions
from posenc_lib.hf.table_formats import Form
from posenc_lib.rotary.module import RotaryEmbedding
from posenc_lib.rotary.spec import RotarySpec


class Tables(nn.Module):
    """Stands in for a model's ``rotary_emb``, and keeps it: beside the model, not as a part of it."""

    def __init__(
        self, ropes: Mapping[str | None, RotaryEmbedding], length: int | None, form: Form, replaced: nn.Module
    ) -> None:
        super().__init__()
        self.ropes, self.length, self.form = dict(ropes), length, form
        vars(self)["replaced"] = replaced

    def __getattr__(self, name: str) -> Any:
        """Whatever else the model's layers ask of its module."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(vars(self)["replaced"], name)

    def forward(self, x: Tensor, position_ids: Tensor, layer_type: str | None = None) -> Any:
        rope = self.ropes[layer_type]
        if rope.several_axes and position_ids.ndim == 2:  # text: one number on all axes
            position_ids = position_ids.expand(rope.spec.num_axes, -1, -1)
        return self.form.tables(*rope.tables(position_ids, length=self.length, dtype=arithmetic(x)))

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Tables:
        """The model's own module moves with the model, and keeps its dtype."""
        replaced: nn.Module = vars(self)["replaced"]
        if (buffer := next(replaced.buffers(), None)) is not None:
            replaced.to(fn(torch.empty(0, device=buffer.device)).device)
        return super()._apply(fn, recurse)


class InUse:
    """A model that turns by this library; :meth:`restore` gives it back what was its own.

    Args:
        specs: one for each layer, None where it turns nothing.
        difference: the largest that the check found, of the model's tables and ours.

    Example:
        >>> from posenc_lib.hf import use_in
        >>> from transformers import LlamaConfig, LlamaModel
        >>> small = {"hidden_size": 32, "intermediate_size": 32, "num_attention_heads": 2, "vocab_size": 9}
        >>> model = LlamaModel(LlamaConfig(num_hidden_layers=1, **small))
        >>> with use_in(model) as used:
        ...     type(model.rotary_emb).__name__, used.specs[0].dim
        ('Tables', 16)
        >>> type(model.rotary_emb).__name__
        'LlamaRotaryEmbedding'
    """

    def __init__(self, model: nn.Module, specs: list[RotarySpec | None], difference: float) -> None:
        self.specs, self.difference = specs, difference
        self._model = model
        self._tables: dict[str, Tables] = {}
        self._leave: list[weakref.finalize[Any, Any]] = []

    def restore(self) -> None:
        """Undo :func:`use_in`; a second call does nothing."""
        for leave in self._leave:
            leave()
        for name, tables in self._tables.items():
            self._model.set_submodule(name, vars(tables)["replaced"])
        self._tables, self._leave = {}, []

    def __enter__(self) -> InUse:
        return self

    def __exit__(self, *exception: object) -> None:
        self.restore()

    def __repr__(self) -> str:
        turning = [spec for spec in self.specs if spec is not None]
        layouts = " and ".join(sorted({spec.layout for spec in turning}))
        state = f"difference {self.difference:.1g}" if self._tables else "restored"
        return (
            f"InUse({type(self._model).__name__}: {len(turning)} of {len(self.specs)} layers turn, "
            f"layout {layouts}, {state})"
        )


def use_in(
    model: nn.Module,
    *,
    layout: Layout | None = None,
    length: int | None = None,
    angle_dtype: torch.dtype = torch.float64,
) -> InUse:
    """Let a loaded transformers model take its tables and its rotation from this library.

    Before anything is changed, the model's own tables are compared with ours, plane by plane, at near and
    far positions up to ``max_position_embeddings``, with float32 angles on both sides, and random queries and
    keys are turned by the model's function and by ours. A difference beyond the rounding of each angle
    refuses the swap. Then tables are made anew from the config, so what the model keeps of them in a buffer
    no longer matters. A function is one for all models of a family in a process: the others keep their own
    tables, and get the same rotation. It comes back when the last model in use is restored, or gone.

    A model that is converted, ``model.to(torch.bfloat16)``, has its frequencies rounded, and so turns by
    others: it is refused. Load it with ``dtype=torch.bfloat16``, which leaves them in float32.

    Args:
        model: of transformers, with its ``config``.
        layout: ``"half"`` or ``"interleaved"``, for model types that the reader does not know; checked, too.
        length: of the context, for scalings that depend on it ("dynamic", "longrope"); one number for all
            calls, so texts that are shorter than it turn otherwise than in the model, which looks at each.
            Must be said where the config lets texts grow beyond the original context; longer texts are
            refused on the CPU, where their positions can be looked at. The config of a "dynamic" model names
            one length only, so none is asked for here: the first text beyond it is refused in the same way.
            At most 2²⁴ for these scalings, since models count positions in float32.
        angle_dtype: float64, or float32 for the model's own tables to the bit, before the model rounds them
            to its dtype.

    Returns:
        A handle with ``specs``, ``difference`` and :meth:`InUse.restore`; also a context.

    Raises:
        TypeError: not a module with a config.
        ValueError: the config is refused, see :func:`specs`; the model's code is of a kind that is not known;
            the model's own rotation is another one; its weights are not loaded; the model is in use already;
            ``length`` is missing though the config says that texts go beyond the original context, or is more
            than 2²⁴ where frequencies depend on it.

    Example:
        >>> use_in(torch.nn.Linear(2, 2))
        Traceback (most recent call last):
        ...
        TypeError: model must be a module with a config, as transformers has them, got Linear

    Source:
        the modules and functions of the transformers library, which the tests run.
    """
    if not isinstance(model, nn.Module) or not hasattr(getattr(model, "config", None), "get_text_config"):
        raise TypeError(
            f"model must be a module with a config, as transformers has them, got {type(model).__name__}"
            + "; a name stands for AutoModelForCausalLM.from_pretrained(name)" * isinstance(model, str)
        )
    check_dtype("angle_dtype", angle_dtype, (torch.float64, torch.float32))
    if length is not None:
        check_int("length", length, minimum=1)
    config = model.config.get_text_config()  # type: ignore[union-attr, operator]
    modules = rotaries(model, config)
    listed = specs(model.config, layout=layout, handled=TEMPERATURES)
    check_length(listed, config, length)
    used, places = InUse(model, listed, 0.0), []
    for name, module in modules.items():
        chosen = by_type(module, listed, config)
        at = functions(model, module, config)
        form, turns, apart = checked(name, module, at, chosen, config, length)
        for place, turn in zip(at, turns, strict=True):
            known = standing(place)
            if known is not None and known.turn != turn:
                raise ValueError(f"{place} turns by {known.turn} for another model, got {turn}")
        ropes = {kind: RotaryEmbedding(spec, angle_dtype=angle_dtype) for kind, spec in chosen.items()}
        used._tables[name] = Tables(ropes, length, form, module)
        used.difference = max(used.difference, apart)
        places += [(place, turn, used._tables[name]) for place, turn in zip(at, turns, strict=True)]
    for name, tables in used._tables.items():
        model.set_submodule(name, tables)
    used._leave = [stand_in(*place) for place in places]
    return used


def rotaries(model: nn.Module, config: Any) -> dict[str, nn.Module]:
    """The model's rotary modules for text, by name."""
    rotaries = {}
    for name, module in model.named_modules():
        if isinstance(module, Tables):
            raise ValueError(f"model uses this library already, in {name}: restore it first")
        parameters = inspect.signature(module.forward).parameters
        of_text = type(getattr(module, "config", None)) is type(config)
        if of_text and "position_ids" in parameters and name.rpartition(".")[2].startswith("rotary_emb"):
            rotaries[name] = module
    if not rotaries:
        raise ValueError(
            f"model {type(model).__name__} has no rotary module for its text, so nothing to swap: it has no "
            "rotary encoding, or its attention makes the tables itself, as GPT-J does (then take "
            "specs(model.config) and RotaryEmbedding, for attention of your own); got model_type = "
            f"{config.model_type!r}"
        )
    return rotaries
