"""Rules for inequalities: named ones applied structurally, added up termwise, certified on a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Add, Expr, Sum, Symbol

from .bounds import INEQUALITIES, decide_bound
from .certified import decide_on_box
from .identity import Statement, check
from .rule import Context, Plain
from .verdict import Counterexample, Verdict, undecided


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
    """c + Σ aᵢ ≤ c + Σ bᵢ, because aᵢ ≤ bᵢ was proved for every i; the same c, or none, on both sides."""

    premise: Any

    def references(self) -> Sequence[Any]:
        return (self.premise,)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "termwise (an inequality added up over a range)"
        each, parts = context.relation(self.premise), _aligned_sums(statement.left, statement.right)
        if parts is None:
            reason = "both sides must be a sum over the same range, plus the same rest"
            return undecided(method, reason, statement.scope())
        if statement.relation != "<=" or each.relation != "<=":
            return undecided(method, "both the claim and the premise must say <=", statement.scope())
        left, right = parts
        ((index, low, _),) = left.limits
        if index.is_nonnegative and not low.is_nonnegative:
            return undecided(method, f"the range leaves the domain of {index}", statement.scope())
        if check(left.function, each.left) and check(right.function, each.right):
            return Verdict("proved", method, statement.scope())
        return undecided(method, f"the terms are not those of {self.premise}", statement.scope())


@dataclass(frozen=True)
class Adding(Plain):
    """L ≤ R, because R − L = Σ cₖ (Rₖ − Lₖ) + rest, with cₖ ≥ 0 and rest ≥ 0, and Lₖ ≤ Rₖ was shown."""

    relations = ("<=",)
    weights: tuple[tuple[Any, Expr], ...]
    rest: Expr

    def references(self) -> Sequence[Any]:
        return tuple(reference for reference, _ in self.weights)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "adding inequalities with non-negative weights"
        rest = context.meaning(self.rest)
        if not rest.is_nonnegative:
            return undecided(method, f"the rest {rest} is not known to be non-negative", statement.scope())
        total = rest
        for reference, weight in self.weights:
            used, factor = context.relation(reference), context.meaning(weight)
            if used.relation not in ("<=", "<", "="):
                return undecided(method, f"{reference} does not say <=", statement.scope())
            if used.relation != "=" and not factor.is_nonnegative:
                reason = f"the weight {factor} is not known to be non-negative"
                return undecided(method, reason, statement.scope())
            total += factor * (used.right - used.left)
        verdict = check(statement.right - statement.left, total, statement.where)
        if verdict.status == "refuted":
            return undecided(method, f"the gap is not {total}", statement.scope())
        return replace(verdict, method=method, scope=statement.scope())


@dataclass(frozen=True)
class Certified(Plain):
    """A strict inequality at every point of a box, by ball arithmetic with bisection."""

    relations = ("<", "<=", ">", ">=")
    box: tuple[tuple[Symbol, Any, Any], ...]

    def decide(self, statement: Statement, context: Context | None) -> Verdict:
        return decide_on_box(statement, {symbol: (low, high) for symbol, low, high in self.box})

    def refuting(self, statement: Statement) -> Counterexample | None:
        return self.decide(statement, None).counterexample


def _aligned_sums(left: Expr, right: Expr) -> tuple[Sum, Sum] | None:
    """The one sum of each side, where ranges and what is added to the sums agree."""
    found = [[term for term in Add.make_args(side) if isinstance(term, Sum)] for side in (left, right)]
    if any(len(sums) != 1 for sums in found):
        return None
    (a,), (b,) = found
    return (a, b) if a.limits == b.limits and check(left - a, right - b) else None
