"""SymPy to terms. A mistake here proves another statement than the author's; so pages print the terms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from ..kernel.domains import lies
from ..kernel.terms import (
    FUNCTIONS,
    ONE,
    OO,
    PI,
    ZERO,
    I,
    Term,
    add,
    bind,
    fun,
    mul,
    neg,
    num,
    power,
    sub,
    var,
)
from ..terms.expression import expression
from .notation import Outside, notation

HALF = num(Fraction(1, 2))
BINDERS = {"Sum": "sum", "Product": "prod", "Integral": "int", "MaxOver": "max"}


def domain(e: Any) -> str:
    """The smallest domain that SymPy's assumptions say."""
    if e.is_even and e.is_positive:
        return "E"
    if e.is_integer:
        return "N+" if e.is_positive else "N" if e.is_nonnegative else "Z"
    if e.is_positive:
        return "R+"
    if type(e.func).__name__ == "SmoothFunction":
        return "S"
    return "R" if e.is_extended_real else "C"


def term(e: Any) -> Term:
    """A SymPy expression as a term, in its own order and grouping."""
    e = expression(e)
    name = type(e).__name__
    constants = {sympy.I: I, sympy.pi: PI, sympy.E: fun("exp", ONE), sympy.EulerGamma: fun("euler")}
    if e in constants:
        return constants[e]
    if e.is_Rational:
        return num(Fraction(int(e.p), int(e.q)))
    if isinstance(e, sympy.Symbol):
        return var(name_of(e.name), domain(e))
    if isinstance(e, (sympy.Add, sympy.Mul)):
        return (add if isinstance(e, sympy.Add) else mul)(*map(term, e.args))
    if isinstance(e, sympy.Pow):
        return _power(e.base, e.exp)
    if isinstance(e, (sympy.Max, sympy.Min)) and len(e.args) == 2:
        a, b = map(term, e.args)
        if not (lies(a, "R") and lies(b, "R")):
            raise Outside(f"{e}, of numbers that may not be real")
        gap = fun("abs", sub(a, b))
        return mul(HALF, add(a, b, gap if isinstance(e, sympy.Max) else neg(gap)))
    if isinstance(e, sympy.cot):
        return mul(fun("cos", term(e.args[0])), fun("inv", fun("sin", term(e.args[0]))))
    if isinstance(e, (sympy.sec, sympy.csc)):
        return fun("inv", fun("cos" if isinstance(e, sympy.sec) else "sin", term(e.args[0])))
    if name in BINDERS:
        body = term(e.function)
        for limit in e.limits:
            if len(limit) != 3:
                raise Outside(f"the range {limit}")
            x, lo, hi = limit
            body = bind(BINDERS[name], x.name, term(lo), term(hi), term(x), body)
        return body
    if isinstance(e, sympy.Limit):
        return _limit(e)
    if isinstance(e, AppliedUndef):
        return Term("app", (name_of(e.func.__name__), domain(e)), tuple(map(term, e.args)))
    if isinstance(e, sympy.Indexed):
        return Term("app", (f"{name_of(str(e.base.label))}[]", domain(e)), tuple(map(term, e.indices)))
    head = {"Abs": "abs", "Modulus": "abs", "conjugate": "conj", "gamma": "Gamma"}.get(name, name)
    if FUNCTIONS.get(head) == 1 and len(e.args) == 1:
        return fun(head, term(e.args[0]))
    if (other := notation(e, term)) is not None:
        return other
    raise Outside(name)


def name_of(name: str) -> str:
    """A name of the kernel, of letters, digits and _, and no function's: W^Q is W__Q, delta is delta__."""
    return name.replace("^", "__").replace(",", "___") + ("__" if name in FUNCTIONS else "")


def _limit(e: Any) -> Term:
    """A limit at infinity, or at 0 from above."""
    function, x, target, direction = e.args
    letter = term(x)
    path = (OO, ZERO) if target == 0 else (ONE if letter.data[1] == "N+" else ZERO, OO)
    if target not in (0, sympy.oo) or str(direction) != ("+" if target == 0 else "-"):
        raise Outside(f"the limit {e}")
    return bind("lim", x.name, *path, letter, term(function))


def _power(base: Any, exponent: Any) -> Term:
    if exponent.is_Integer:
        k = abs(int(exponent))
        whole = term(base) if k == 1 else power(term(base), k)
        return whole if exponent > 0 else fun("inv", whole)
    if abs(exponent) == sympy.Rational(1, 2):
        return fun("sqrt", term(base)) if exponent > 0 else fun("inv", fun("sqrt", term(base)))
    if base == -1 and exponent.is_integer:
        return fun("exp", mul(I, PI, term(exponent)))
    return fun("pow", term(base), term(exponent))


def terms(e: Any) -> list[Term]:
    """The entries of a matrix, or the one expression."""
    e = expression(e)
    return [term(x) for x in e] if getattr(e, "is_Matrix", False) else [term(e)]
