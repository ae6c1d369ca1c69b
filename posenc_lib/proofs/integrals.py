"""Integrals over a real interval: where they are analytic, and as combinations of irreducible ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import (
    Add,
    Ci,
    Derivative,
    Ei,
    Expr,
    Function,
    Integral,
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
    expand,
    log,
    sin,
    sinh,
)  # fmt: skip

from .depth import depth
from .symbols import CANONICAL_PREFIX, SmoothFunction, is_smooth_unknown
from .verdict import OutOfClass

if TYPE_CHECKING:
    from .generators import Generators

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


def limits_of(e: Integral) -> tuple[Symbol, Expr, Expr]:
    """Variable and bounds of an integral over one interval that lies in the variable's domain.

    Raises
    ------
    OutOfClass
        for several or no intervals, an integer variable, or bounds outside the domain of the variable.
    """
    if len(e.limits) != 1 or len(e.limits[0]) != 3:
        raise OutOfClass(f"an integral over one interval is expected, got {e}")
    t, low, high = e.limits[0]
    if t.is_integer or not t.is_real:
        raise OutOfClass(f"the variable {t} of an integral must be real: make it with reals or positives")
    for bound in (low, high):
        inside = bound.is_positive if t.is_positive else bound.is_real
        if not inside:
            raise OutOfClass(f"the bound {bound} is not known to lie in the domain of {t}")
    return t, low, high


def rewrite_integral(gens: Generators, e: Integral) -> Expr:
    """An integral as a combination of irreducible ones: constants go out, terms are separated."""
    t, low, high = limits_of(e)
    s = Symbol(f"{CANONICAL_PREFIX}t{depth(e.function, Integral)}", **t.assumptions0)
    bounds = gens.canonical(low), gens.canonical(high)
    total: list[Expr] = []
    for term in Add.make_args(expand(gens.rewrite(e.function.subs(t, s)))):
        factors = Mul.make_args(term)
        inside = [f for f in factors if s in gens.restore(f).free_symbols]
        outside = Mul(*(f for f in factors if f not in inside))
        if inside:
            kernel = gens.restore(Mul(*inside))
            total.append(outside * gens.generator(Function("integral_")(kernel, *bounds)))
        else:
            total.append(outside * gens.rewrite(high - low))
    return Add(*total)
