"""How a model's function is called that turns queries and keys, and what stands in its place."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from posenc_lib._checks import Layout
from posenc_lib.angles.layout import permute_layout
from posenc_lib.hf.table_formats import Form
from posenc_lib.rotary.apply import apply_rotary, apply_rotary_qk

Function = Callable[..., Any]
#: The names of its arguments → the kind of call.
CALLS = {
    ("q", "k", "cos", "sin", "unsqueeze_dim"): "both",
    ("q", "k", "cos", "sin", "position_ids", "unsqueeze_dim"): "both",  # and asks for no positions
    ("x", "cos", "sin", "unsqueeze_dim"): "one",
    ("xq", "xk", "freqs_cis"): "complex",
}


@dataclass(frozen=True)
class Turn:
    """One function of a model's code, in all that matters to who calls it.

    Args:
        form: of the tables that it is given.
        layout: of the queries and keys that it is given.
        arguments: their names, a key of :data:`CALLS`.
        gathers: it returns pairs gathered into halves, as DeepSeek's does: one order for queries and keys,
            so every score stays as it was.
        heads: the axis of heads, 1 or 2, where the function is not told.
    """

    form: Form
    layout: Layout
    arguments: tuple[str, ...]
    gathers: bool = False
    heads: int = 1

    def function(self) -> Function:
        """What stands in for the model's function; it takes the model's own tables as well."""
        kind = CALLS[self.arguments]
        if kind == "complex":

            def turn_complex(xq: Tensor, xk: Tensor, freqs_cis: Tensor) -> tuple[Tensor, Tensor]:
                cos, sin = (t.unsqueeze(self.heads) for t in self.form.half(freqs_cis))
                return apply_rotary_qk(xq, xk, cos, sin, layout=self.layout)

            return turn_complex
        layout: Layout = "half" if self.gathers else self.layout
        if kind == "one":

            def turn_one(x: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> Tensor:
                cos, sin = (t.unsqueeze(unsqueeze_dim) for t in self.form.half((cos, sin)))
                return apply_rotary(self._taken(x), cos, sin, layout=layout)

            return turn_one

        def turn_both(
            q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, *unsqueeze: Any, **named: Any
        ) -> tuple[Tensor, Tensor]:
            given = dict(zip(self.arguments[4:], unsqueeze, strict=False)) | named
            dim = given.get("unsqueeze_dim", 1)
            cos, sin = (t.unsqueeze(dim) for t in self.form.half((cos, sin)))
            return apply_rotary_qk(self._taken(q), self._taken(k), cos, sin, layout=layout)

        return turn_both

    def _taken(self, x: Tensor) -> Tensor:
        return permute_layout(x, "interleaved", "half") if self.gathers else x

    def call(self, function: Function, q: Tensor, k: Tensor, tables: Any) -> tuple[Tensor, ...]:
        """q and k ``[batch, heads, seq, dim]`` turned by a function that is called so."""
        kind = CALLS[self.arguments]
        if kind == "one":
            return function(q, *tables), function(k, *tables)
        if kind == "both":
            return function(q, k, *tables)
        if self.heads == 1:
            return function(q, k, tables)
        return tuple(x.transpose(1, 2) for x in function(q.transpose(1, 2), k.transpose(1, 2), tables))


def turns(function: Function, form: Form, first: Layout) -> list[Turn]:
    """All that a function may be, judged by its arguments; those of layout ``first`` come first."""
    arguments = tuple(inspect.signature(function).parameters)
    kind = CALLS.get(arguments)
    if kind is None or (kind == "complex") != (form.width == "complex"):
        return []
    if kind == "complex":
        return [Turn(form, first, arguments, heads=heads) for heads in (1, 2)]
    other: Layout = "half" if first == "interleaved" else "interleaved"
    return [
        *(Turn(form, layout, arguments) for layout in (first, other)),
        Turn(form, "interleaved", arguments, gathers=True),
    ]
