"""Axioms about Kronecker's delta, natural powers, also of 0, and roots of squares."""

from __future__ import annotations

from .axioms import row
from .terms import Term, add, ask, at, fun, mul, power
from .theorem import Known, Said


@row("equals for equals", "binder", "term", "term")
def alike(_: Known, s: Term, u: Term, v: Term) -> Said:
    """delta(u, v) a(u) = delta(u, v) a(v), a the body of a binder: both are 0 where u != v."""
    same = fun("delta", u, v)
    return mul(same, at(s, u)), "=", mul(same, at(s, v))


@row("definition of the power", "term", "term N", "term N")
def natural_powers(_: Known, b: Term, m: Term, n: Term) -> Said:
    """b^(m + n) = b^m b^n for natural m and n, also for b = 0."""
    return fun("pow", b, add(m, n)), "=", mul(fun("pow", b, m), fun("pow", b, n))


@row("definition of the power", "term", "term N")
def plain_power(_: Known, b: Term, n: Term) -> Said:
    """b^n = b ... b for a number n = 0, 1, 2, ..., also for b = 0."""
    ask(n.head == "num", f"{n} is not a number")
    return fun("pow", b, n), "=", power(b, int(n.data[0]))


@row("1.32, definition", "term")
def root_of_square(_: Known, z: Term) -> Said:
    """sqrt(z conj z) = |z|."""
    return fun("sqrt", mul(z, fun("conj", z))), "=", fun("abs", z)


@row("8.6, arguments of c z and z agree", "term >=0", "term")
def root_of_multiple(_: Known, c: Term, z: Term) -> Said:
    """sqrt(c z) = sqrt c sqrt z for c >= 0 and any z."""
    return fun("sqrt", mul(c, z)), "=", mul(fun("sqrt", c), fun("sqrt", z))
