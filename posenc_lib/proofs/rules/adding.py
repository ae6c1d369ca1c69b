"""Inequalities added up with non-negative weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr

from ..kernel.theorem import Theorem
from ..prove.check import check
from ..search import inequalities
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import Verdict, undecided
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Adding(Plain):
    """L ≤ R, because R − L = Σ cₖ (Rₖ − Lₖ) + rest, with cₖ ≥ 0 and rest ≥ 0, and Lₖ ≤ Rₖ was shown.

    L < R where the rest is positive, or Lₖ < Rₖ was shown for one cₖ > 0.
    """

    relations = ("<=", "<")
    weights: tuple[tuple[Any, Expr], ...]
    rest: Expr

    def references(self) -> Sequence[Any]:
        return tuple(reference for reference, _ in self.weights)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        parts = [(theory.term(weight), theory.relation(reference)) for reference, weight in self.weights]
        return [
            inequalities.sum_up(P, left, relation, right, parts, theory.term(self.rest))
            for left, right in rows
        ]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "adding inequalities with non-negative weights"
        rest = context.meaning(self.rest)
        if not rest.is_nonnegative:
            return undecided(method, f"the rest {rest} is not known to be non-negative", statement.scope())
        total, strict = rest, bool(rest.is_positive)
        for reference, weight in self.weights:
            used, factor = context.relation(reference), context.meaning(weight)
            if used.relation not in ("<=", "<", "="):
                return undecided(method, f"{reference} does not say <=", statement.scope())
            if reason := unsaid((statement.left, statement.right), used.left, used.right):
                return undecided(method, reason, statement.scope(), final=True)
            if used.relation != "=" and not factor.is_nonnegative:
                reason = f"the weight {factor} is not known to be non-negative"
                return undecided(method, reason, statement.scope())
            total += factor * (used.right - used.left)
            strict |= used.relation == "<" and bool(factor.is_positive)
        if statement.relation == "<" and not strict:
            reason = "neither the rest nor a weighted strict inequality is known to be positive"
            return undecided(method, reason, statement.scope())
        verdict = check(statement.right - statement.left, total, statement.where)
        if verdict.status == "refuted":
            return undecided(method, f"the gap is not {total}", statement.scope())
        return replace(verdict, method=method, scope=statement.scope())


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
    factors = tuple((reference, expression(weight, "a weight")) for reference, weight in weights.items())
    return Adding(factors, expression(rest, "the rest"))
