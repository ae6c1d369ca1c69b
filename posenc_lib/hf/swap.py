"""Put this library's rotation into a loaded model, checked at that moment against the model's own."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lib._checks import Layout, check_dtype, check_int
from posenc_lib.angles.double import arithmetic
from posenc_lib.hf.check import checked
from posenc_lib.hf.forms import Form, Function
from posenc_lib.hf.layers import specs
from posenc_lib.hf.turning import by_type, function_name
from posenc_lib.rotary.module import RotaryEmbedding
from posenc_lib.rotary.spec import RotarySpec

#: Keys that make queries grow with their position: the model's own code goes on doing so.
TEMPERATURES = ("attn_temperature_tuning", "llama_4_scaling_beta", "attention_scaling")
#: Its own function, how ours turns in its place, and for which modules.
_originals: dict[ModuleType, tuple[Function, tuple[Form, Layout], list[nn.Module]]] = {}


class Tables(nn.Module):
    """Stands in for a model's ``rotary_emb``."""

    def __init__(self, ropes: Mapping[str | None, RotaryEmbedding], length: int | None, form: Form) -> None:
        super().__init__()
        self.ropes, self.length, self.form = dict(ropes), length, form

    def forward(self, x: Tensor, position_ids: Tensor, layer_type: str | None = None) -> Any:
        rope = self.ropes[layer_type]
        if rope.several_axes and position_ids.ndim == 2:  # text: one number on all axes
            position_ids = position_ids.expand(rope.spec.num_axes, -1, -1)
        return self.form.tables(*rope.tables(position_ids, length=self.length, dtype=arithmetic(x)))


class InUse:
    """A model that turns by this library; :meth:`restore` gives it back what was its own.

    Args:
        specs: one for each layer, None where it turns nothing.
        difference: the largest that the check found, of turned queries and keys.

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
        self._modules: dict[str, nn.Module] = {}
        self._code: list[ModuleType] = []

    def _put(self, name: str, module: nn.Module, code: ModuleType, turn: tuple[Form, Layout]) -> None:
        self._modules[name] = self._model.get_submodule(name)
        _set(self._model, name, module)
        if code not in _originals:
            key, (form, layout) = function_name(code), turn
            _originals[code] = getattr(code, key), turn, []
            setattr(code, key, form.function(layout))
        _originals[code][2].append(module)
        self._code.append(code)

    def restore(self) -> None:
        """Undo :func:`use_in`; a second call does nothing."""
        for (name, module), code in zip(self._modules.items(), self._code, strict=True):
            original, _, users = _originals[code]
            users.remove(self._model.get_submodule(name))
            _set(self._model, name, module)
            if not users:
                setattr(code, function_name(code), original)
                del _originals[code]
        self._modules, self._code = {}, []

    def __enter__(self) -> InUse:
        return self

    def __exit__(self, *exception: object) -> None:
        self.restore()

    def __repr__(self) -> str:
        turning = [spec for spec in self.specs if spec is not None]
        layouts = " and ".join(sorted({spec.layout for spec in turning}))
        state = f"difference {self.difference:.1g}" if self._modules else "restored"
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

    Before anything is changed, random queries and keys are turned at near and far positions by the model's
    own modules and function and by ours, with float32 angles on both sides; a difference beyond the rounding
    of these angles refuses the swap. Then tables are made anew from the config, so what the model keeps of
    them in a buffer no longer matters. The function is one for all models of a family in a process: the
    others keep their own tables, and get the same rotation.

    A model that is converted, ``model.to(torch.bfloat16)``, has its frequencies rounded, and so turns by
    others: it is refused. Load it with ``dtype=torch.bfloat16``, which leaves them in float32.

    Args:
        model: of transformers, with its ``config``.
        layout: ``"half"`` or ``"interleaved"``, for model types that the reader does not know; checked, too.
        length: of the context, for scalings that depend on it ("dynamic", "longrope"); one number for all
            calls, so texts that are shorter than it turn otherwise than in the model, which looks at each.
        angle_dtype: float64, or float32 for the model's own tables to the bit, before the model rounds them
            to its dtype.

    Returns:
        A handle with ``specs``, ``difference`` and :meth:`InUse.restore`; also a context.

    Raises:
        TypeError: not a module with a config.
        ValueError: the config is refused, see :func:`specs`; the model's code is of a kind that is not known;
            the model's own rotation is another one; the model is in use already.

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
    modules = _rotaries(model, config)
    listed = specs(model.config, layout=layout, handled=TEMPERATURES)
    plan = []
    for name, module in modules.items():
        code = sys.modules[type(module).__module__]
        chosen = by_type(module, listed, config)
        theirs = _originals[code][0] if code in _originals else getattr(code, function_name(code))
        form, apart = checked(name, module, theirs, chosen, config, length)
        turn = form, next(iter(chosen.values())).layout
        if code in _originals and _originals[code][1] != turn:
            raise ValueError(f"{code.__name__} turns by {_originals[code][1]} for another model, got {turn}")
        ropes = {kind: RotaryEmbedding(spec, angle_dtype=angle_dtype) for kind, spec in chosen.items()}
        plan.append((name, Tables(ropes, length, form), code, turn, apart))
    used = InUse(model, listed, max(apart for *_, apart in plan))
    for name, tables, code, turn, _ in plan:
        used._put(name, tables, code, turn)
    return used


def _rotaries(model: nn.Module, config: Any) -> dict[str, nn.Module]:
    """The model's rotary modules for text, by name."""
    found = {}
    for name, module in model.named_modules():
        if isinstance(module, Tables):
            raise ValueError(f"model uses this library already, in {name}: restore it first")
        takes = inspect.signature(module.forward).parameters
        own = type(getattr(module, "config", None)) is type(config)
        if own and "position_ids" in takes and name.rpartition(".")[2].startswith("rotary_emb"):
            found[name] = module
    if not found:
        raise ValueError(
            f"model {type(model).__name__} has no rotary module for its text, so nothing to swap: it has no "
            "rotary encoding, or its attention makes the tables itself, as GPT-J does; got model_type = "
            f"{config.model_type!r}"
        )
    return found


def _set(model: nn.Module, name: str, module: nn.Module) -> None:
    parent, _, leaf = name.rpartition(".")
    setattr(model.get_submodule(parent), leaf, module)
