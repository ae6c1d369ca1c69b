"""Rules of calculus: antiderivatives, limits with an explicit error, Taylor expansion to second order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Integral, Limit, Symbol, oo

from ..attack.refute import second_opinion
from ..prove.identity import NO_SECOND_OPINION, check
from ..prove.integrals import limits_of
from ..show.printer import latex
from ..terms.modulus import Modulus
from ..terms.smoothness import smooth
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import OutOfClass, Verdict, undecided
from ..values.substitution import substitute
from .jets import as_jets
from .limits import tends_to_zero
from .rule import Context, Plain


@dataclass(frozen=True)
class Antiderivative(Plain):
    """∫ f over [a, b] = F(b) − F(a), because F′ = f and F is smooth on the whole interval."""

    function: Expr

    def decide(self, statement: Statement, context: Context) -> Verdict:
        method = "antiderivative (fundamental theorem)"
        if not isinstance(statement.left, Integral):
            return undecided(method, "the left side is not an integral", statement.scope())
        try:
            t, low, high = limits_of(statement.left)
        except OutOfClass as problem:
            return undecided(method, str(problem), statement.scope())
        function = context.meaning(self.function)
        if not smooth(function, t):
            return undecided(method, f"{function} is not known to be smooth", statement.scope())
        if not check(function.diff(t), statement.left.function):
            reason = f"the derivative of {function} is not the integrand"
            return undecided(method, reason, statement.scope())
        difference = substitute(function, {t: high}) - substitute(function, {t: low})
        if reason := unsaid((statement.left, statement.right), function, difference):
            return undecided(method, reason, statement.scope())
        verdict = check(difference, statement.right, statement.where)
        if verdict and not second_opinion(statement.left, difference, statement.where):
            return undecided(method, NO_SECOND_OPINION, statement.scope())
        return replace(verdict, method=method, scope=statement.scope())


@dataclass(frozen=True)
class LimitBy(Plain):
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
        function, variable, target, direction = statement.left.args
        if str(direction) != ("-" if target == oo else "+"):
            return undecided(method, "a limit from above, or at infinity, is expected", statement.scope())
        error, value = context.relation(self.bound), context.meaning(self.value)
        if value.has(variable):
            return undecided(method, f"the value {value} depends on {variable}", statement.scope())
        if reason := unsaid((function, value), error.left, error.right):
            return undecided(method, reason, statement.scope())
        if error.relation not in ("<=", "=") or not check(error.left, Modulus(function - value)):
            reason = f"{self.bound} does not bound the distance to {value}"
            return undecided(method, reason, statement.scope())
        if not tends_to_zero(error.right, variable, target):
            reason = f"the error {error.right} is not known to tend to zero"
            return undecided(method, reason, statement.scope())
        return replace(check(value, statement.right), method=method, scope=statement.scope())


@dataclass(frozen=True)
class TwoJet(Plain):
    """Equal up to terms of third order in the small quantities."""

    function: Any
    small: tuple[Symbol, ...] = ()

    def letters(self) -> Sequence[Symbol]:
        return self.small

    def reach(self) -> str:
        return "holds to second order only"

    def remainder(self) -> str:
        return rf" + O\left(\lVert({', '.join(latex(s) for s in self.small)})\rVert^3\right)"

    def translate(self, statement: Statement) -> Statement:
        return as_jets(statement, self.function, self.small)

    def decide(self, statement: Statement, context: Context) -> Verdict:
        jets = self.translate(statement)
        verdict = check(jets.left, jets.right)
        scope = f"for every {self.function.__name__} with continuous third derivatives"
        return replace(verdict, method="two-jet (general cubic germ)", scope=scope)
