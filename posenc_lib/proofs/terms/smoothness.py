"""Where functions are certainly analytic in one letter."""

from __future__ import annotations

from sympy import (
    Add,
    Derivative,
    Expr,
    Mul,
    Pow,
    Si,
    Sum,
    Symbol,
    cos,
    cosh,
    erf,
    exp,
    sin,
    sinh,
)  # fmt: skip

from .symbols import is_smooth_unknown

ENTIRE = (exp, sin, cos, sinh, cosh, Si, erf)


def analytic(e: Expr, t: Symbol) -> bool:
    """Whether ``e`` is meromorphic in a complex t: no modulus, conjugate, root or logarithm of t inside."""
    if not e.has(t) or e == t:
        return True
    if isinstance(e, Pow):
        whole = e.exp.is_Integer and analytic(e.base, t)
        return whole or (not e.base.has(t) and analytic(e.exp, t))
    if isinstance(e, Sum):
        return analytic(e.function, t) and not any(bound.has(t) for limit in e.limits for bound in limit[1:])
    if isinstance(e, Derivative):
        return analytic(e.expr, t)
    known = isinstance(e, (Add, Mul, *ENTIRE)) or is_smooth_unknown(e)
    return known and all(analytic(a, t) for a in e.args)
