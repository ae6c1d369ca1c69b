"""Axioms about Kronecker's delta, natural powers, also of 0, and roots of squares; and a < b, so b != a."""

from __future__ import annotations

from .axioms import row
from .terms import Term, add, ask, at, fun, mul, power
from .theorem import Known, Said, Theorem, concluded, rule


@row("equals for equals", "binder", "term", "term")
def alike(_: Known, s: Term, u: Term, v: Term) -> Said:
    """delta(u, v) a(u) = delta(u, v) a(v), a the body of a binder: both are 0 where u != v."""
    same = fun("delta", u, v)
    return mul(same, at(s, u)), "=", mul(same, at(s, v))


@row("definition of the power", "term", "term", "term")
def natural_powers(known: Known, b: Term, m: Term, n: Term) -> Said:
    """b^(m + n) = b^m b^n for natural m and n, also for b = 0."""
    ask(known(m, "N") and known(n, "N"), f"{m} or {n} may not be a natural number")
    return fun("pow", b, add(m, n)), "=", mul(fun("pow", b, m), fun("pow", b, n))


@row("definition of the power", "term", "term")
def plain_power(known: Known, b: Term, n: Term) -> Said:
    """b^n = b ... b for a number n = 0, 1, 2, ..., also for b = 0."""
    ask(n.head == "num" and known(n, "N"), f"{n} is not a natural number")
    return fun("pow", b, n), "=", power(b, int(n.data[0]))


@row("1.32, definition", "term")
def root_of_square(_: Known, z: Term) -> Said:
    """sqrt(z conj z) = |z|."""
    return fun("sqrt", mul(z, fun("conj", z))), "=", fun("abs", z)


@row("8.6, arguments of c z and z agree", "term", "term")
def root_of_multiple(known: Known, c: Term, z: Term) -> Said:
    """sqrt(c z) = sqrt c sqrt z for c >= 0 and any z."""
    ask(known(c, ">=0"), f"{c} may be negative")
    return fun("sqrt", mul(c, z)), "=", mul(fun("sqrt", c), fun("sqrt", z))


@rule("theorem")
def different(th: Theorem) -> Theorem:
    """a < b: b != a. It shows that a model satisfies a hypothesis with !=."""
    ask(th.relation == "<", "a < b is expected")
    return concluded((th.right, "!=", th.left), [th])
