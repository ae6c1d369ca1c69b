"""An inequality added up over a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Add, Expr, Integral, Mul, Sum

from ..kernel.theorem import Theorem
from ..prove.check import check
from ..search import inequalities
from ..search.proof import Proof
from ..terms.letters import require_ranges
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import Verdict, undecided
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Termwise(Plain):
    """rest + c Σ aᵢ ≤ rest + c Σ bᵢ with c ≥ 0, because aᵢ ≤ bᵢ was proved for every i; ∫ likewise."""

    relations = ("<=",)
    premise: Any

    def references(self) -> Sequence[Any]:
        return (self.premise,)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [inequalities.termwise(P, left, right, theory.relation(self.premise)) for left, right in rows]

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
            return undecided(method, reason, statement.scope(), final=True)
        require_ranges(left)
        if isinstance(left, Integral) and not (left.limits[0][2] - left.limits[0][1]).is_nonnegative:
            return undecided(method, f"{left.limits[0]} may run backwards", statement.scope())
        if check(left.function, each.left) and check(right.function, each.right):
            return Verdict("checked", method, statement.scope())
        return undecided(method, f"the terms are not those of {self.premise}", statement.scope())


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


def termwise(premise: Any) -> Termwise:
    """An inequality proved for each index, added up: ``termwise(D.at("eq-each", j=2 * i))``.

    Example:
        >>> from sympy import Abs, Sum
        >>> from posenc_lib.proofs import Derivation, complex_sequence, counts, le, naturals, triangle
        >>> a, b, i, N = complex_sequence("a"), complex_sequence("b"), naturals("i"), counts("N")
        >>> D = Derivation("termwise")
        >>> each = le(Abs(a[i]) + Abs(b[i]), "triangle inequality", by=triangle)
        >>> result = D.prove("eq-each", Abs(a[i] + b[i]), each)
        >>> row = le(Sum(each.right, (i, 1, N)), "added up", by=termwise("eq-each"))
        >>> D.prove("eq-all", Sum(Abs(a[i] + b[i]), (i, 1, N)), row).verdict.status
        'proved'
    """
    return Termwise(premise)
