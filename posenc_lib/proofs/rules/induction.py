"""Induction over an integer letter: a first case, and a step from each to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Integer, Symbol

from ..kernel.terms import num
from ..kernel.theorem import Theorem
from ..prove.check import check
from ..prove.ideal import consequence
from ..search import equations, read
from ..search.proof import Proof
from ..terms.expression import letter
from ..terms.letters import require_one_role
from ..terms.statement import Statement
from ..terms.verdict import Verdict
from ..values.substitution import put_into
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Induction(Plain):
    """True at ``start`` and inherited from k to k + 1 (over all of ℤ: from k to k − 1 as well)."""

    over: Symbol
    start: int = 0
    premises: tuple[Any, ...] = ()

    def letters(self) -> Sequence[Symbol]:
        return (self.over,)

    def references(self) -> Sequence[Any]:
        return self.premises

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        n, premises = read.term(self.over), theory.equations(self.premises)
        return equations.inductions(P, list(rows), n, num(self.start), premises)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        k = self.over
        method = f"induction on {k}"
        if not k.is_integer or k.is_even:
            raise ValueError(f"induction runs over an integer symbol, got {k}")
        first = 1 if k.is_positive else 0 if k.is_nonnegative else self.start
        if self.start != first:
            raise ValueError(f"induction over {k} must start at {first}, the first value of its domain")
        require_one_role(statement.left, statement.right, k)
        extra = context.premises(self.premises)
        at = lambda value: put_into(statement, {k: value})  # noqa: E731
        base = consequence(at(Integer(self.start)), extra)
        if not base:
            return replace(
                base, method=f"{method}: the base case {k} = {self.start}", scope=statement.scope()
            )
        steps = [k + 1] if k.is_nonnegative else [k + 1, k - 1]
        for following in steps:
            step = consequence(at(following), [statement, *extra])
            if not step:
                plain = None if extra else check(statement.left, statement.right, statement.where)
                failed = plain if plain is not None and plain.status == "refuted" else step
                return replace(
                    failed, method=f"{method}: the step {k} → {following}", scope=statement.scope()
                )
        direction = "upwards" if k.is_nonnegative else "in both directions"
        return Verdict("checked", f"{method}, base {k} = {self.start}, {direction}", statement.scope())


def induction(over: Symbol, start: int = 0, using: Sequence[Any] = ()) -> Induction:
    """By induction on ``over``, from ``start``; ``using`` names results the step relies on.

    Example:
        >>> from posenc_lib.proofs import Derivation, eq, naturals
        >>> from sympy import Sum
        >>> N, i = naturals("N i")
        >>> gauss = eq(N * (N + 1) / 2, "Gauss", by=induction(N))
        >>> Derivation("induction").prove("eq-gauss", Sum(i, (i, 0, N)), gauss).verdict.status
        'proved'
    """
    return Induction(letter(over, "over"), start, tuple(using))
