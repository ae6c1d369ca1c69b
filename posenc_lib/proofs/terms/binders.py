"""What binds a letter: sums, products, integrals, maxima, blocks, and limits."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Derivative, Integral, Limit, Product, Sum, Symbol

from .blocks import BlockDiagonal, Stacked
from .extrema import MaxOver

BINDERS = (Sum, Product, Integral, MaxOver, BlockDiagonal, Stacked)


def limits(binder: Any) -> list[tuple[Any, ...]]:
    """The ranges (letter, first, last) of a sum, an integral, a maximum or of blocks."""
    ranges = [binder.limits] if isinstance(binder, (BlockDiagonal, Stacked)) else binder.limits
    return [tuple(limit) for limit in ranges]


def bound_letters(*sides: Basic) -> set[Symbol]:
    """The letters that sums, products, integrals, maxima, blocks and limits run over."""
    found = {limit[0] for side in sides for binder in side.atoms(*BINDERS) for limit in limits(binder)}
    return found | {limit.args[1] for side in sides for limit in side.atoms(Limit)}


def running_letters(*sides: Basic) -> set[Symbol]:
    """The letters that do not keep one value: those that are bound, and those of derivatives."""
    return bound_letters(*sides) | {v for side in sides for d in side.atoms(Derivative) for v in d.variables}


def whole_letters(*sides: Basic) -> list[str]:
    """The letters that go to infinity through the integers: their limit is printed as a real letter's is."""
    letters = {limit.args[1] for side in sides for limit in side.atoms(Limit)}
    return sorted(letter.name for letter in letters if letter.is_integer)
