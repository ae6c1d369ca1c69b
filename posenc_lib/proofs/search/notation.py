"""SymPy's words for what the kernel says in others: n!, binomials, deltas, derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from ..kernel.calculus import derivative
from ..kernel.domains import lies
from ..kernel.terms import ONE, Refused, Term, add, bind, fun, mul, sub, substitute, var
from ..values.substitution import replaced


class Outside(Exception):
    """The kernel has no such term."""


Read = Callable[[Any], Term]


def from_to(lo: Term, hi: Term) -> Term:
    """lo (lo + 1) ... hi."""
    factor = var("factor", "Z")
    return bind("prod", "factor", lo, hi, factor, factor)


def factorial(n: Term) -> Term:
    """n! = 1 2 ... n, for a natural number n."""
    if not lies(n, "N"):
        raise Outside(f"n! is read for a natural number n, got {n}")
    return from_to(ONE, n)


def binomial(n: Term, k: Term) -> Term:
    """(n - k + 1) ... n / k! for an integer n and a natural number k."""
    if not (lies(n, "Z") and lies(k, "N")):
        raise Outside(f"binomial(n, k) is read for an integer n and a natural number k, got {n} and {k}")
    return mul(from_to(add(sub(n, k), ONE), n), fun("inv", factorial(k)))


def _real_letter(e: Any) -> Term:
    if not (isinstance(e, sympy.Symbol) and e.is_extended_real and not e.is_integer):
        raise Outside(f"a derivative is by a real letter, got {e}")
    return var(e.name, "R+" if e.is_positive else "R")


def _derivative(e: Any, term: Read) -> Term:
    """The derivative that the kernel computes: of a sum, a product, a chain; f'(g(x)) by g(x)."""
    by, times = e.variable_count[0]
    if times == 1 and not by.is_Symbol and len(e.variable_count) == 1:
        x = sympy.Dummy()
        return term(sympy.Subs(sympy.Derivative(replaced(e.expr, {by: x}), x), x, by))
    t = term(e.expr)
    for x, times in e.variable_count:
        if not times.is_Integer:
            raise Outside(f"a derivative of order {times}")
        for _ in range(int(times)):
            try:
                t = derivative(t, _real_letter(x))
            except Refused as error:
                raise Outside(f"{e}: {error}") from error
    return t


def _at(e: Any, term: Read) -> Term:
    """f(x) at a value of the real letter x."""
    letters, values = e.args[1:]
    names = {x.name for x in e.free_symbols | set(letters)}
    free = (name for k in range(len(names) + len(letters) + 1) if (name := f"at{k}") not in names)
    real = {x: sympy.Symbol(next(free), real=True) for x in letters}
    points = {term(real[x]): term(value) for x, value in zip(letters, values, strict=True)}
    if not all(lies(value, "R") for value in points.values()):
        raise Outside(f"{e} is read at real values")
    return substitute(term(replaced(e.expr, real)), points)


def notation(e: Any, term: Read) -> Term | None:
    """``e`` if it is one of these, its parts read by ``term``."""
    if isinstance(e, (sympy.factorial, sympy.binomial)):
        return (factorial if isinstance(e, sympy.factorial) else binomial)(*map(term, e.args))
    if isinstance(e, sympy.KroneckerDelta) and len(e.args) == 2:
        return fun("delta", *map(term, e.args))
    if isinstance(e, (sympy.Derivative, sympy.Subs)):
        return (_derivative if isinstance(e, sympy.Derivative) else _at)(e, term)
    return None
