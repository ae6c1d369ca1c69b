"""How a model's rotary module hands over cos and sin: once, doubled, or as complex numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

#: name → from half-width tables to the model's, and back.
WIDTHS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "once": (lambda t: t, lambda t: t),
    "halves": (lambda t: torch.cat((t, t), -1), lambda t: t[..., : t.shape[-1] // 2]),
    "pairs": (lambda t: t.repeat_interleave(2, -1), lambda t: t[..., ::2]),
}


@dataclass(frozen=True)
class Form:
    """Of the tables of one model.

    Args:
        width: a name in :data:`WIDTHS`, or ``"complex"``.
    """

    width: str

    def tables(self, cos: Tensor, sin: Tensor) -> Any:
        """What the model's rotary module returns, from half-width tables ``[batch, seq, n]``."""
        if self.width == "complex":
            return torch.complex(cos, sin)
        join, _ = WIDTHS[self.width]
        return join(cos), join(sin)

    def half(self, tables: Any) -> tuple[Tensor, Tensor]:
        """Half-width tables of the model's: the way back."""
        if self.width == "complex":
            return tables.real, tables.imag
        _, half = WIDTHS[self.width]
        cos, sin = tables
        return half(cos), half(sin)


def form_of(name: str, tables: Any, planes: int) -> Form:
    """The form that tables of a model have: each number stands where the form says, to the bit.

    Raises:
        ValueError: they have none.
    """
    if isinstance(tables, Tensor) and tables.is_complex() and tables.shape[-1] == planes:
        return Form("complex")
    if isinstance(tables, tuple) and len(tables) == 2:
        known = {planes: ["once"], 2 * planes: ["halves", "pairs"]}
        for form in (Form(width) for width in known.get(tables[0].shape[-1], [])):
            if all(map(torch.equal, form.tables(*form.half(tables)), tables)):
                return form
    shown = [list(t.shape) for t in (tables if isinstance(tables, tuple) else (tables,))]
    raise ValueError(
        f"{name} gives tables of shape {shown}, of a kind that is not known for {planes} planes: the model "
        "keeps its own; for attention of your own take specs(model.config) and RotaryEmbedding"
    )
