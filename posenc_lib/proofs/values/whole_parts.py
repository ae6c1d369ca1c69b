"""Polynomials over numbers such as 6, which SymPy takes for integers as soon as they are even."""

from __future__ import annotations

from typing import Any

from ..terms.letters import even_over_odd, require_whole_parts
from .substitution import replaced


def whole_parts(side: Any) -> Any:
    """``side`` with N(N + 1)(2N + 1)/6 multiplied out: SymPy 1.14 takes something even over 6 for an integer.

    Raises:
        ValueError: naming a fraction that multiplying out does not mend, such as d/6 for an even d.

    Example:
        >>> from posenc_lib.proofs import naturals
        >>> N = naturals("N")
        >>> whole_parts(N * (N + 1) / 6)
        N**2/6 + N/6
    """
    while products := {p: p.expand() for p in even_over_odd(side) if p.expand() != p}:
        side = replaced(side, products)
    require_whole_parts(side)
    return side
