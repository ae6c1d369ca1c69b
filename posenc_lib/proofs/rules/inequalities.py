"""Rules for inequalities: named ones applied structurally, added up termwise, certified on a box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Add, Expr, Integral, Mul, Sum, Symbol

from ..prove.identity import check
from ..terms.letters import require_ranges
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import Counterexample, Verdict, undecided
from ..values.point import Point
from .bounds import INEQUALITIES, decide_bound
from .certified import decide_on_box
from .rule import Context, Plain


@dataclass(frozen=True)
class Bound(Plain):
    """A named inequality, applied structurally."""

    relations = ("<=",)
    name: str

    def __post_init__(self) -> None:
        if self.name not in INEQUALITIES:
            raise ValueError(f"name must be one of {sorted(INEQUALITIES)}, got {self.name!r}")

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return decide_bound(statement, self.name)


@dataclass(frozen=True)
class Termwise(Plain):
    """rest + c Σ aᵢ ≤ rest + c Σ bᵢ with c ≥ 0, because aᵢ ≤ bᵢ was proved for every i; ∫ likewise."""

    relations = ("<=",)
    premise: Any

    def references(self) -> Sequence[Any]:
        return (self.premise,)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "termwise (an inequality added up over a range)"
        each, parts = context.relation(self.premise), _aligned(statement.left, statement.right)
        if parts is None:
            reason = "both sides must be a sum or integral over the same range, plus the same rest"
            return undecided(method, reason, statement.scope())
        if each.relation not in ("<=", "<"):
            return undecided(method, "the premise must say <=", statement.scope())
        left, right = parts
        if reason := unsaid((left.function, right.function), each.left, each.right):
            return undecided(method, reason, statement.scope())
        require_ranges(left)
        if isinstance(left, Integral) and not (left.limits[0][2] - left.limits[0][1]).is_nonnegative:
            return undecided(method, f"{left.limits[0]} may run backwards", statement.scope())
        if check(left.function, each.left) and check(right.function, each.right):
            return Verdict("proved", method, statement.scope())
        return undecided(method, f"the terms are not those of {self.premise}", statement.scope())


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
                return undecided(method, reason, statement.scope())
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


@dataclass(frozen=True)
class Certified(Plain):
    """A strict inequality at every point of a box, by ball arithmetic with bisection."""

    relations = ("<", "<=", ">", ">=")
    box: tuple[tuple[Symbol, Any, Any], ...]

    def letters(self) -> Sequence[Symbol]:
        return tuple(symbol for symbol, _, _ in self.box)

    def decide(self, statement: Statement, context: Context | None) -> Verdict:
        return decide_on_box(statement, {symbol: (low, high) for symbol, low, high in self.box})

    def reach(self) -> str:
        return "holds on a box only" if self.box else ""

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        return self.decide(statement, None).counterexample


def _aligned(left: Expr, right: Expr) -> tuple[Sum | Integral, Sum | Integral] | None:
    """The one sum or integral of each side, where kind, range, factor in front and rest agree."""
    found = []
    for side in (left, right):
        terms = [(term, f) for term in Add.make_args(side) for f in Mul.make_args(term)]
        totals = [(term, f) for term, f in terms if isinstance(f, (Sum, Integral))]
        if len(totals) != 1:
            return None
        ((term, total),) = totals
        found.append((total, Mul(*(f for f in Mul.make_args(term) if f is not total)), side - term))
    (a, front, rest), (b, other_front, other_rest) = found
    if type(a) is not type(b) or a.limits != b.limits or len(a.limits) != 1 or not front.is_nonnegative:
        return None
    return (a, b) if check(front, other_front) and check(rest, other_rest) else None
