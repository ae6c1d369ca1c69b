"""The identity rule: equal for all values of the symbols."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..kernel.theorem import Theorem
from ..prove.advice import advice
from ..prove.check import UNEQUAL, check
from ..search import equations
from ..search.proof import Proof
from ..terms.statement import Statement
from ..terms.verdict import Verdict
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Identity(Plain):
    """Equal for all values of the symbols, by the normal form."""

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [equations.identity(P, left, right) for left, right in rows]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        verdict = check(statement.left, statement.right, statement.where)
        if verdict.reason == UNEQUAL and (tip := advice(statement.left, statement.right)):
            return replace(verdict, reason=f"{verdict.reason}; {tip}")
        return verdict


identity = Identity()
