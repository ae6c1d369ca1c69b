"""Where functions are certainly analytic, or smooth, in one letter."""

from __future__ import annotations

from sympy import (
    Add,
    Ci,
    Derivative,
    Ei,
    Expr,
    Mul,
    Number,
    NumberSymbol,
    Pow,
    Si,
    Sum,
    Symbol,
    cos,
    cosh,
    erf,
    exp,
    log,
    sin,
    sinh,
)  # fmt: skip

from .symbols import SmoothFunction, is_smooth_unknown

ENTIRE = (exp, sin, cos, sinh, cosh, Si, erf)
ON_POSITIVES = (log, Ci, Ei)


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


def smooth(e: Expr, t: Symbol) -> bool:
    """Whether ``e`` is certainly infinitely differentiable for all values of t in its domain."""
    if not e.has(t) or isinstance(e, (Symbol, Number, NumberSymbol)):
        return True
    if isinstance(e, Pow):
        if e.exp.is_integer and e.exp.is_nonnegative and not e.exp.has(t):
            return smooth(e.base, t)
        return bool(e.base.is_positive) and smooth(e.base, t) and smooth(e.exp, t)
    if isinstance(e, ON_POSITIVES):
        return bool(e.args[0].is_positive) and smooth(e.args[0], t)
    if isinstance(e, Derivative):
        return smooth(e.expr, t)
    known = isinstance(e, (Add, Mul, *ENTIRE)) or isinstance(e.func, SmoothFunction)
    return known and all(smooth(a, t) for a in e.args)
