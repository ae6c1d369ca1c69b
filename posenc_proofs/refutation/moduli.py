"""Moduli that are known, taken out of a term before it is evaluated: what is without them is analytic."""

from __future__ import annotations

from ..kernel.domains import lies, opened
from ..kernel.terms import BINDERS, ONE, I, Term, bind, fun, mul


def without_moduli(t: Term) -> Term:
    """t with |a b| = |a| |b|, |a| = a for what is not negative, |e^(i y)| = 1 for real y."""
    if t.head in BINDERS:
        x, body = opened(t)
        lo, hi = map(without_moduli, t.args[:2])
        return bind(t.head, t.hint, lo, hi, x, without_moduli(body))
    args = tuple(map(without_moduli, t.args))
    if t.head != "abs":
        return Term(t.head, t.data, args, t.hint)
    (inside,) = args
    return mul(*map(_modulus, inside.args if inside.head == "*" else args))


def _modulus(a: Term) -> Term:
    if lies(a, ">=0"):
        return a
    return ONE if a.head == "exp" and lies(mul(I, *a.args), "R") else fun("abs", a)
