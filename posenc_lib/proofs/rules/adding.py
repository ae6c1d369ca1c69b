"""Inequalities added up with non-negative weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr

from ..kernel.theorem import Theorem
from ..search import inequalities
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.letters import require_whole_parts
from .rule import Plain, Rows, Theory, earlier


@dataclass(frozen=True)
class Adding(Plain):
    """L ≤ R, because R − L = Σ cₖ (Rₖ − Lₖ) + rest, with cₖ ≥ 0 and rest ≥ 0, and Lₖ ≤ Rₖ was shown.

    L < R where the rest is positive, or Lₖ < Rₖ was shown for one cₖ > 0.
    """

    relations = ("<=", "<")
    weights: tuple[tuple[Any, Expr], ...]
    rest: Expr

    def __post_init__(self) -> None:
        require_whole_parts(self.rest, *(weight for _, weight in self.weights))

    def method(self) -> str:
        return "adding inequalities with non-negative weights"

    def references(self) -> Sequence[Any]:
        return tuple(reference for reference, _ in self.weights)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        parts = [(theory.term(weight), theory.relation(reference)) for reference, weight in self.weights]
        return [
            inequalities.sum_up(P, left, relation, right, parts, theory.term(self.rest))
            for left, right in rows
        ]


def adding(weights: Mapping[Any, Any], rest: Any = 0) -> Adding:
    """Earlier inequalities times non-negative weights, added up, plus a non-negative rest.

    Example:
        >>> from sympy import Abs, sin
        >>> from posenc_lib.proofs import Derivation, le, positives, sine_chord
        >>> x, r = positives("x r")
        >>> D = Derivation("adding")
        >>> chord = D.prove("eq-chord", Abs(sin(x)), le(x, "a chord is shorter than its arc", by=sine_chord))
        >>> row = le(r * x + r, "times r, and more", by=adding({"eq-chord": r}, rest=r))
        >>> D.prove("eq-more", r * Abs(sin(x)), row).verdict.status
        'proved'
    """
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights must be a mapping from earlier results to factors, got {weights!r}")
    factors = tuple((earlier(label), expression(weight, "a weight")) for label, weight in weights.items())
    return Adding(factors, expression(rest, "the rest"))
