"""Terms of the kernel as SymPy writes them, for a reader who goes on with SymPy, and for its own opinion."""

from __future__ import annotations

import sympy as sp

from ..kernel.domains import opened
from ..kernel.terms import BINDERS, Term
from ..kernel.theorem import Theorem
from ..latex.names import is_definition, put_in

KINDS: dict[str, dict[str, bool]] = {
    **{"Z": {"integer": True}, "N": {"integer": True, "nonnegative": True}},
    **{"N+": {"integer": True, "positive": True}, "R": {"real": True}, "R+": {"positive": True}},
    **{"C": {"complex": True}, "S": {"real": True}},
}
HEADS = {
    **{"sin": sp.sin, "cos": sp.cos, "exp": sp.exp, "log": sp.log, "abs": sp.Abs, "re": sp.re, "im": sp.im},
    **{"conj": sp.conjugate, "sqrt": sp.sqrt, "Ci": sp.Ci, "Si": sp.Si, "tan": sp.tan},
    **{"cosh": sp.cosh, "sinh": sp.sinh, "tanh": sp.tanh, "erf": sp.erf, "delta": sp.KroneckerDelta},
    **{"+": sp.Add, "*": sp.Mul, "inv": lambda a: 1 / a, "pow": sp.Pow},
}
CONSTANTS = {"pi": sp.pi, "euler": sp.EulerGamma, "oo": sp.oo}
RANGED = {"sum": sp.Sum, "prod": sp.Product, "int": sp.Integral}


class Outside(ValueError):
    """What SymPy has no expression for here: matrices of any size, derivatives of unknown functions."""


def expression(t: Term) -> sp.Expr:
    """The same number."""
    if t.head == "num":
        return sp.Rational(str(t.data[0])) + sp.I * sp.Rational(str(t.data[1]))
    if t.head == "var":
        return sp.Symbol(t.data[0], **KINDS[t.data[1]])
    if t.head in CONSTANTS:
        return CONSTANTS[t.head]
    if t.head in BINDERS:
        return _ranged(t)
    args = [expression(a) for a in t.args]
    if t.head == "app":
        return _unknown(t, args)
    if t.head == "^":
        return args[0] ** t.data[0]
    if t.head not in HEADS:
        raise Outside(t.head)
    return HEADS[t.head](*args)


def _ranged(t: Term) -> sp.Expr:
    if t.head not in RANGED:
        raise Outside(t.head)
    x, body = opened(t)
    kind = {"real": True} if t.head == "int" else {"integer": True}
    i = sp.Symbol(f"{t.hint or 'i'}_{len(t.text)}_", **kind)
    lo, hi = map(expression, t.args[:2])
    return RANGED[t.head](expression(body).subs(expression(x), i), (i, lo, hi))


def _unknown(t: Term, args: list[sp.Expr]) -> sp.Expr:
    name, domain = t.data
    if domain == "M" or "'" in name:
        raise Outside("a matrix of any size" if domain == "M" else "a derivative of an unknown function")
    name = name.removesuffix("[]")
    return sp.Function(name, **KINDS[domain])(*args) if args else sp.Symbol(name, **KINDS[domain])


def sides(th: Theorem) -> tuple[sp.Expr, sp.Expr]:
    """Both sides of a theorem, what is defined put in.

    Raises:
        Outside: for what SymPy has no expression for here.
    """
    meanings = {h.left.data[0]: h for h in th.hypotheses if is_definition(h)}
    return expression(put_in(meanings, th.left)), expression(put_in(meanings, th.right))
