"""How a model's code hands cos and sin to its rotation: once, doubled, or as complex numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from posenc_lib._checks import Layout
from posenc_lib.rotary.apply import apply_rotary_qk

Function = Callable[..., Any]
#: name → from half-width tables to the model's, and back.
WIDTHS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "once": (lambda t: t, lambda t: t),
    "halves": (lambda t: torch.cat((t, t), -1), lambda t: t[..., : t.shape[-1] // 2]),
    "pairs": (lambda t: t.repeat_interleave(2, -1), lambda t: t[..., ::2]),
}
_REAL, _COMPLEX = ["q", "k", "cos", "sin", "unsqueeze_dim"], ["xq", "xk", "freqs_cis"]


@dataclass(frozen=True)
class Form:
    """Of the tables of one model.

    Args:
        width: a name in :data:`WIDTHS`, or ``"complex"``.
        heads: the axis of heads, 1 or 2, where the function is not told.
    """

    width: str
    heads: int = 1

    def tables(self, cos: Tensor, sin: Tensor) -> Any:
        """What the model's rotary module returns, from half-width tables ``[batch, seq, n]``."""
        if self.width == "complex":
            return torch.complex(cos, sin)
        join, _ = WIDTHS[self.width]
        return join(cos), join(sin)

    def function(self, layout: Layout) -> Function:
        """What stands in for the model's function; it takes the model's own tables as well."""
        if self.width == "complex":

            def turn_complex(xq: Tensor, xk: Tensor, freqs_cis: Tensor) -> tuple[Tensor, Tensor]:
                cos, sin = (t.unsqueeze(self.heads) for t in (freqs_cis.real, freqs_cis.imag))
                return apply_rotary_qk(xq, xk, cos, sin, layout=layout)

            return turn_complex
        _, half = WIDTHS[self.width]

        def turn(
            q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
        ) -> tuple[Tensor, Tensor]:
            cos, sin = (half(t).unsqueeze(unsqueeze_dim) for t in (cos, sin))
            return apply_rotary_qk(q, k, cos, sin, layout=layout)

        return turn


def forms(tables: Any, function: Function, planes: int) -> list[Form]:
    """Those that tables of a model may have, judged by their kind and width.

    Raises:
        ValueError: the function or the tables are of another kind.
    """
    parameters = list(inspect.signature(function).parameters)
    if isinstance(tables, Tensor) and tables.is_complex() and parameters == _COMPLEX:
        if tables.shape[-1] == planes:
            return [Form("complex", heads) for heads in (1, 2)]
    elif isinstance(tables, tuple) and parameters == _REAL:
        known = {planes: ["once"], 2 * planes: ["halves", "pairs"]}
        found = [Form(width) for width in known.get(tables[0].shape[-1], [])]
        if found:
            return found
    shown = [list(t.shape) for t in (tables if isinstance(tables, tuple) else (tables,))]
    raise ValueError(
        f"the model's rotation {function.__name__}({', '.join(parameters)}) with tables of shape {shown} is "
        f"of a kind that is not known for {planes} planes"
    )
