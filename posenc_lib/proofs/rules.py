"""The rules a step may give as its reason. Each turns a statement into a verdict, and says what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from sympy import Abs, Expr, Integer, Limit, Sum, Symbol, limit

from .bounds import INEQUALITIES, decide_bound
from .certified import decide_on_box
from .follow import ONE, decide
from .identity import Statement, check
from .jets import as_jets
from .printer import latex
from .verdict import Verdict, undecided


class Context(Protocol):
    """What a rule may ask of the derivation it is used in."""

    def premises(self, references: Sequence[Any]) -> list[Statement]: ...

    def relation(self, reference: Any) -> Statement: ...


class Rule(Protocol):
    """A way to justify ``left relation right``, for the relations it can show."""

    @property
    def relations(self) -> tuple[str, ...]: ...

    def decide(self, statement: Statement, context: Context) -> Verdict: ...

    def translate(self, statement: Statement) -> Statement: ...

    def references(self) -> Sequence[Any]: ...

    def remainder(self) -> str: ...


class _Plain:
    """A rule that takes the statement as it is and uses no earlier result; equality gives ≤ as well."""

    relations: ClassVar[tuple[str, ...]] = ("=", "<=")

    def translate(self, statement: Statement) -> Statement:
        return statement

    def references(self) -> Sequence[Any]:
        return ()

    def remainder(self) -> str:
        return ""


@dataclass(frozen=True)
class Identity(_Plain):
    """Equal for all values of the symbols, by the normal form."""

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return check(statement.left, statement.right, statement.where)


@dataclass(frozen=True)
class Follows(_Plain):
    """An exact consequence of earlier equations; ``times`` is a non-zero factor that may be cancelled."""

    premises: tuple[Any, ...]
    times: Expr = ONE

    def references(self) -> Sequence[Any]:
        return self.premises

    def decide(self, statement: Statement, context: Context) -> Verdict:
        verdict = decide(statement, context.premises(self.premises), self.times)
        if verdict:
            for unused in self.premises if len(self.premises) > 1 else ():
                others = [p for p in self.premises if p is not unused]
                if decide(statement, context.premises(others), self.times, thorough=False):
                    return undecided(verdict.method, f"the premise {unused} is not used", verdict.scope)
        return verdict


@dataclass(frozen=True)
class Induction(_Plain):
    """True at ``start`` and inherited from k to k + 1 (over all of ℤ: from k to k − 1 as well)."""

    over: Symbol
    start: int = 0
    premises: tuple[Any, ...] = ()

    def references(self) -> Sequence[Any]:
        return self.premises

    def decide(self, statement: Statement, context: Context) -> Verdict:
        k = self.over
        method = f"induction on {k}"
        if not k.is_integer:
            raise ValueError(f"induction runs over an integer symbol, got {k}")
        first = 1 if k.is_positive else 0 if k.is_nonnegative else self.start
        if self.start != first:
            raise ValueError(f"induction over {k} must start at {first}, the first value of its domain")
        bound = {
            b for side in (statement.left, statement.right) for t in side.atoms(Sum) for b in t.bound_symbols
        }
        if k in bound:
            raise ValueError(f"{k} is also the index of a sum: rename one of the two")
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
class Finite(_Plain):
    """Checked separately for each listed value; nothing is claimed beyond the list."""

    over: Symbol
    values: tuple[int, ...]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        listed = ", ".join(map(str, self.values))
        scope = statement.scope().replace(f"{self.over} ∈ ", f"{self.over} one of {listed}; ")
        for value in self.values:
            case = _substituted(statement, {self.over: Integer(value)})
            verdict = check(case.left, case.right, case.where)
            if not verdict:
                return replace(verdict, method=f"finite: {self.over} = {value}", scope=scope)
        return Verdict("proved", f"finite: {self.over} = {listed} only", scope)


@dataclass(frozen=True)
class Bound(_Plain):
    """A named inequality, applied structurally."""

    relations = ("<=",)
    name: str

    def __post_init__(self) -> None:
        if self.name not in INEQUALITIES:
            raise ValueError(f"name must be one of {sorted(INEQUALITIES)}, got {self.name!r}")

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return decide_bound(statement, self.name)


@dataclass(frozen=True)
class Termwise(_Plain):
    """Σ aᵢ ≤ Σ bᵢ, because aᵢ ≤ bᵢ was proved for every i."""

    premise: Any

    def references(self) -> Sequence[Any]:
        return (self.premise,)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "termwise (an inequality added up over a range)"
        left, right, each = statement.left, statement.right, context.relation(self.premise)
        if not (isinstance(left, Sum) and isinstance(right, Sum) and left.limits == right.limits):
            return undecided(method, "both sides must be sums over the same range", statement.scope())
        if statement.relation != "<=" or each.relation != "<=":
            return undecided(method, "both the claim and the premise must say <=", statement.scope())
        ((index, low, _),) = left.limits
        if index.is_nonnegative and not low.is_nonnegative:
            return undecided(method, f"the range leaves the domain of {index}", statement.scope())
        if check(left.function, each.left) and check(right.function, each.right):
            return Verdict("proved", method, statement.scope())
        return undecided(method, f"the terms are not those of {self.premise}", statement.scope())


@dataclass(frozen=True)
class LimitBy(_Plain):
    """lim f = value, because an earlier result bounds |f − value| by an error that tends to zero."""

    bound: Any
    value: Expr

    def references(self) -> Sequence[Any]:
        return (self.bound,)

    def translate(self, statement: Statement) -> Statement:
        return Statement(self.value, "=", statement.right)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "limit (explicit error bound)"
        if not isinstance(statement.left, Limit):
            return undecided(method, "the left side is not a limit", statement.scope())
        function, variable, target, _ = statement.left.args
        error = context.relation(self.bound)
        if error.relation not in ("<=", "=") or not check(error.left, Abs(function - self.value)):
            reason = f"{self.bound} does not bound the distance to {self.value}"
            return undecided(method, reason, statement.scope())
        if limit(error.right, variable, target) != 0:
            return undecided(method, f"the error {error.right} does not tend to zero", statement.scope())
        return replace(check(self.value, statement.right), method=method)


@dataclass(frozen=True)
class TwoJet(_Plain):
    """Equal up to terms of third order in the small quantities."""

    function: Any
    small: tuple[Symbol, ...] = ()

    def remainder(self) -> str:
        return rf" + O\left(\lVert({', '.join(latex(s) for s in self.small)})\rVert^3\right)"

    def translate(self, statement: Statement) -> Statement:
        return as_jets(statement, self.function, self.small)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        jets = self.translate(statement)
        verdict = check(jets.left, jets.right)
        scope = f"for every {self.function.__name__} with continuous third derivatives"
        return replace(verdict, method="two-jet (general cubic germ)", scope=scope)


@dataclass(frozen=True)
class Certified(_Plain):
    """A strict inequality at every point of a box, by ball arithmetic with bisection."""

    relations = ("<", "<=", ">", ">=")
    box: tuple[tuple[Symbol, Any, Any], ...]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return decide_on_box(statement, {symbol: (low, high) for symbol, low, high in self.box})


def _substituted(statement: Statement, values: dict[Symbol, Expr]) -> Statement:
    sides = (side.subs(values, simultaneous=True) for side in (statement.left, statement.right))
    left, right = sides
    return Statement(left, statement.relation, right, tuple(c.subs(values) for c in statement.where))
