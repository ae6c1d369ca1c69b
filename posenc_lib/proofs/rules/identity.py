"""The identity rule: equal for all values of the symbols."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.theorem import Theorem
from ..search import equations
from ..search.proof import Proof
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Identity(Plain):
    """Equal for all values of the symbols."""

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [equations.identity(P, left, right) for left, right in rows]


identity = Identity()
