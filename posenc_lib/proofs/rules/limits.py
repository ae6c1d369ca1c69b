"""Limits, by an error that tends to zero: decided by the growth of each factor, without SymPy's limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Add, Basic, Expr, Integer, Limit, Mul, Pow, Rational, Symbol, cos, exp, log, oo, sin

from ..kernel.theorem import Theorem
from ..prove.check import check
from ..search import limits
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.modulus import Modulus
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import Verdict, undecided
from .rule import Context, Plain, Rows, Theory


def tends_to_zero(e: Expr, x: Symbol, target: Basic) -> bool:
    """Whether every term of ``e`` certainly tends to 0 as x → ∞, or as x → 0 from above.

    A term is a product of factors x^a, log(x)^k, e^{−cx} (at infinity), bounded sines and cosines, and
    factors without x. Of these, e^{−cx} beats powers and powers beat logarithms. False means "not shown".

    Example:
        >>> from sympy import cos, log, oo
        >>> from posenc_lib.proofs import positives
        >>> x, b = positives("x b")
        >>> tends_to_zero(log(x) / x + cos(x) / (b * x**2), x, oo), tends_to_zero(cos(x), x, oo)
        (True, False)
    """
    if not x.is_positive or target not in (Integer(0), oo) or (target == 0 and x.is_integer):
        return False  # whole numbers come to no limit but infinity
    orders = [_order(term, x, at_infinity=target == oo) for term in Add.make_args(e.expand())]
    return all(order is not None and order < (0, 0) for order in orders)


Order = tuple[Rational, Rational]


def _order(term: Expr, x: Symbol, at_infinity: bool) -> Order | None:
    """(decay rate, power) of a term, smaller is faster; a logarithm costs less than any power."""
    if term == 0:
        return Integer(-1), Integer(0)
    rate = power = Integer(0)
    for factor in Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if not factor.has(x):
            continue
        if isinstance(factor, exp) and at_infinity:
            slope = (factor.args[0] / x).expand()
            if slope.has(x) or not slope.is_negative:
                return None
            rate = Integer(-1)
        elif base == x and exponent.is_Rational:
            power += exponent if at_infinity else -exponent
        elif base == log(x) and exponent.is_Integer and exponent > 0:
            pass  # neither makes a vanishing term survive nor another one vanish
        elif isinstance(factor, Pow) and isinstance(base, (sin, cos)):
            if not (exponent.is_Integer and exponent > 0 and base.args[0].is_extended_real):
                return None
        elif not (isinstance(factor, (sin, cos)) and factor.args[0].is_extended_real):
            return None
    return rate, power


@dataclass(frozen=True)
class LimitBy(Plain):
    """lim f = value, because an earlier result bounds |f − value| by an error that tends to zero."""

    bound: Any
    value: Expr

    def references(self) -> Sequence[Any]:
        return (self.bound,)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        bound, value = theory.relation(self.bound), theory.term(self.value)
        return [limits.limit(P, left, right, bound, value) for left, right in rows]

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
            return undecided(method, reason, statement.scope(), final=True)
        if error.relation not in ("<=", "=") or not check(error.left, Modulus(function - value)):
            reason = f"{self.bound} does not bound the distance to {value}"
            return undecided(method, reason, statement.scope())
        if not tends_to_zero(error.right, variable, target):
            reason = f"the error {error.right} is not known to tend to zero"
            return undecided(method, reason, statement.scope())
        return replace(check(value, statement.right), method=method, scope=statement.scope())


def limit_by(bound: Any, value: Any) -> LimitBy:
    """A limit, from an earlier result ``|f − value| ≤ error`` whose error tends to zero.

    Example:
        >>> from sympy import Abs, Limit, oo
        >>> from posenc_lib.proofs import Derivation, eq, positives
        >>> x = positives("x")
        >>> D = Derivation("limit")
        >>> result = D.prove("eq-error", Abs(2 / x), eq(2 / x, "x is positive"))
        >>> row = eq(0, "the error vanishes", by=limit_by("eq-error", 0))
        >>> D.prove("eq-limit", Limit(2 / x, x, oo), row).verdict.status
        'proved'
    """
    return LimitBy(bound, expression(value, "the limit"))
