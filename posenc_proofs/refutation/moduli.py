"""Moduli that are known, taken out of a term before it is evaluated: what is without them is analytic."""

from __future__ import annotations

from ..kernel.domains import lies
from ..kernel.terms import ONE, I, Term, fun, mul
from ..latex.names import within


def without_moduli(t: Term) -> Term:
    """t with |a b| = |a| |b|, |a| = a for what is not negative, |e^(i y)| = 1 for real y."""
    if "(abs " not in t.text:
        return t
    new = within(t, without_moduli)
    if t.head != "abs":
        return new
    inside = new.args[0]
    return mul(*map(_modulus, inside.args if inside.head == "*" else new.args))


def _modulus(a: Term) -> Term:
    if lies(a, ">=0"):
        return a
    return ONE if a.head == "exp" and lies(mul(I, *a.args), "R") else fun("abs", a)
