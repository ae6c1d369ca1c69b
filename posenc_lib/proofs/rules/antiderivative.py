"""The fundamental theorem: an integral by a function whose derivative is the integrand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Integral

from ..attack.refute import second_opinion
from ..kernel.theorem import Theorem
from ..prove.check import NO_SECOND_OPINION, check
from ..prove.integrals import limits_of
from ..search import equations
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.smoothness import smooth
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import OutOfClass, Verdict, undecided
from ..values.substitution import substitute
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Antiderivative(Plain):
    """∫ f over [a, b] = F(b) − F(a), because F′ = f and F is smooth on the whole interval."""

    function: Expr

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [equations.antiderivative(P, left, right, theory.term(self.function)) for left, right in rows]

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
            return undecided(method, reason, statement.scope(), final=True)
        verdict = check(difference, statement.right, statement.where)
        if verdict and not second_opinion(statement.left, difference, statement.where):
            return undecided(method, NO_SECOND_OPINION, statement.scope(), final=True)
        return replace(verdict, method=method, scope=statement.scope())


def antiderivative(function: Any) -> Antiderivative:
    """An integral by a function whose derivative is the integrand, smooth on the whole interval.

    Example:
        >>> from sympy import Ci, Integral, cos, log
        >>> from posenc_lib.proofs import Derivation, eq, positives
        >>> x, b, t = positives("x b t")
        >>> closed = Ci(b * x) - Ci(x)
        >>> row = eq(closed, "Ci is an antiderivative of cos(t)/t", by=antiderivative(Ci(t)))
        >>> Derivation("integral").prove("eq-ci", Integral(cos(t) / t, (t, x, b * x)), row).verdict.method
        'antiderivative (fundamental theorem)'
    """
    return Antiderivative(expression(function))
