"""Inequalities turned round: >= and > are read from right to left."""

from __future__ import annotations

from typing import Any

TURNED = {">=": "<=", ">": "<"}


def turned(left: Any, relation: str, right: Any) -> tuple[Any, str, Any]:
    """a >= b is b <= a, a > b is b < a; any other statement as it is."""
    return (right, TURNED[relation], left) if relation in TURNED else (left, relation, right)
