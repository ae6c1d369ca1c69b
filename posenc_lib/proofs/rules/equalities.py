"""Rules for equalities: identity, consequence of earlier results, induction, listed values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Integer, Symbol

from ..attack.refute import counterexample
from ..prove.ideal import ONE, decide
from ..prove.identity import check
from ..terms.domains import in_domain, pretty_name
from ..terms.letters import require_one_role, require_whole_parts
from ..terms.statement import Statement
from ..terms.verdict import Counterexample, Verdict, undecided
from ..values.point import Point
from ..values.substitution import substitute
from .rule import Context, Plain


@dataclass(frozen=True)
class Identity(Plain):
    """Equal for all values of the symbols, by the normal form."""

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return check(statement.left, statement.right, statement.where)


@dataclass(frozen=True)
class Follows(Plain):
    """An exact consequence of earlier equations; ``times`` is a non-zero factor that may be cancelled."""

    premises: tuple[Any, ...]
    times: Expr = ONE

    def references(self) -> Sequence[Any]:
        return self.premises

    def decide(self, statement: Statement, context: Context) -> Verdict:
        require_whole_parts(self.times)
        verdict = decide(statement, context.premises(self.premises), self.times)
        if verdict:
            for unused in self.premises if len(self.premises) > 1 else ():
                others = [p for p in self.premises if p is not unused]
                if decide(statement, context.premises(others), self.times, thorough=False):
                    return undecided(verdict.method, f"the premise {unused} is not used", verdict.scope)
        return verdict


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
        at = lambda value: _substituted(statement, {k: value})  # noqa: E731
        base = decide(at(Integer(self.start)), extra)
        if not base:
            return replace(
                base, method=f"{method}: the base case {k} = {self.start}", scope=statement.scope()
            )
        steps = [k + 1] if k.is_nonnegative else [k + 1, k - 1]
        for following in steps:
            step = decide(at(following), [statement, *extra])
            if not step:
                plain = None if extra else check(statement.left, statement.right, statement.where)
                failed = plain if plain is not None and plain.status == "refuted" else step
                return replace(
                    failed, method=f"{method}: the step {k} → {following}", scope=statement.scope()
                )
        direction = "upwards" if k.is_nonnegative else "in both directions"
        return Verdict("proved", f"{method}, base {k} = {self.start}, {direction}", statement.scope())


@dataclass(frozen=True)
class Finite(Plain):
    """Checked separately for each listed value; nothing is claimed beyond the list."""

    over: Symbol
    values: tuple[int, ...]

    def letters(self) -> Sequence[Symbol]:
        return (self.over,)

    def reach(self) -> str:
        return "holds for listed values only"

    def decide(self, statement: Statement, context: Context) -> Verdict:
        if not self.values or not all(in_domain(self.over, Integer(value)) for value in self.values):
            raise ValueError(f"values must list numbers in the domain of {self.over}, got {self.values}")
        listed, cases = ", ".join(map(str, self.values)), self._cases(statement)
        others = "; ".join(dict.fromkeys(case.scope() for case in cases)).removeprefix("for these numbers")
        scope = f"for {pretty_name(str(self.over))} one of {listed}" + (f" and {others}" if others else "")
        for value, case in zip(self.values, cases, strict=True):
            verdict = check(case.left, case.right, case.where)
            if not verdict:
                return replace(verdict, method=f"finite: {self.over} = {value}", scope=scope)
        return Verdict("proved", f"finite: {self.over} = {listed} only", scope)

    def _cases(self, statement: Statement) -> list[Statement]:
        return [_substituted(statement, {self.over: Integer(value)}) for value in self.values]

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        """A point at which a version fails for one of the listed values."""
        points = list(at)
        found = (counterexample(*case, points) for case in self._cases(statement))
        return next(filter(None, found), None)


def _substituted(statement: Statement, values: dict[Symbol, Expr]) -> Statement:
    left, right, *where = (
        substitute(part, values) for part in (statement.left, statement.right, *statement.where)
    )
    return Statement(left, statement.relation, right, tuple(where))
