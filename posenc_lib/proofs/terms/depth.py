"""How deep sums, products, integrals or maxima are nested: every level has its own canonical letter."""

from __future__ import annotations

from typing import Any

from sympy import Expr, preorder_traversal


def depth(e: Expr, kind: Any) -> int:
    """How many levels of ``kind`` there are in ``e``."""
    return max((1 + depth(b.function, kind) for b in preorder_traversal(e) if isinstance(b, kind)), default=0)
