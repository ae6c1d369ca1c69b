"""Integrals over a real interval as combinations of irreducible ones."""

from __future__ import annotations

from sympy import Add, Expr, Function, Integral, Mul, Symbol, expand

from ..terms.depth import depth
from ..terms.symbols import CANONICAL_PREFIX
from ..terms.verdict import OutOfClass
from ..values.substitution import substitute
from .generators import Generators


def limits_of(e: Integral) -> tuple[Symbol, Expr, Expr]:
    """Variable and bounds of an integral over one interval that lies in the variable's domain.

    Raises:
        OutOfClass: for several or no intervals, an integer variable, or bounds outside the domain of the
            variable.
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
    for term in Add.make_args(expand(gens.rewrite(substitute(e.function, {t: s})))):
        factors = Mul.make_args(term)
        inside = [f for f in factors if s in gens.restore(f).free_symbols]
        outside = Mul(*(f for f in factors if f not in inside))
        if inside:
            kernel = gens.restore(Mul(*inside))
            total.append(outside * gens.generator(Function("integral_")(kernel, *bounds)))
        else:
            total.append(outside * gens.rewrite(high - low))
    return Add(*total)
