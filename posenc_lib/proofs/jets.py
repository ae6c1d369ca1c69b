"""The two-jet rule: an expansion to second order depends only on the function's Taylor polynomial.

An unknown function is replaced by a general cubic with symbolic coefficients; the two sides must then agree
up to terms of third order in the small displacements. By Taylor's theorem with Lagrange's remainder the same
holds for every function with continuous third derivatives.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from sympy import Add, Derivative, Dummy, Expr, Integer, Mul, Poly, Symbol, expand
from sympy.core.function import AppliedUndef

from .identity import Statement
from .verdict import ProofError

ORDER = 2


EPSILON = Symbol("_epsilon", real=True)


@cache
def general_cubic(slots: int, name: str) -> tuple[Expr, tuple[Symbol, ...]]:
    """A general polynomial of degree three in the function's slots, and the slots."""
    letters = tuple(Symbol(f"_{name}_{k}", real=True) for k in range(slots))
    terms = []
    for degree in range(ORDER + 2):
        for places in combinations_with_replacement(range(slots), degree):
            label = "".join(map(str, places))
            terms.append(Symbol(f"{name}_c{label}", real=True) * Mul(*(letters[p] for p in places)))
    return Add(*terms), letters


@cache
def _orders(atom: Expr, function: Any, small: tuple[Symbol, ...]) -> tuple[Expr, ...]:
    """The coefficients of ε⁰, ε¹, ε² in a value or derivative of the cubic, the small quantities times ε."""

    def cubic(*arguments: Expr) -> Expr:
        polynomial, letters = general_cubic(len(arguments), function.__name__)
        return polynomial.xreplace(dict(zip(letters, arguments, strict=True)))

    value = atom.replace(function, cubic).doit().xreplace({s: EPSILON * s for s in small})
    coefficients = Poly(value, EPSILON).all_coeffs()[::-1]
    return tuple(coefficients[: ORDER + 1])


def as_jets(statement: Statement, function: Any, small: tuple[Symbol, ...]) -> Statement:
    """The statement with the cubic put in, its difference cut off after second order in ``small``.

    Raises
    ------
    ProofError
        if the unknown function does not occur.
    """
    difference = statement.left - statement.right
    derivatives = difference.atoms(Derivative)
    values = {a for a in difference.atoms(AppliedUndef) if a.func == function}
    if not values:
        raise ProofError(f"the function {function.__name__} does not occur")
    series: dict[Expr, Expr] = {}
    meaning: dict[Expr, Expr] = {}
    for atom in sorted(derivatives | values, key=str):
        orders = _orders(atom, function, small)
        stand_ins = [Dummy(real=True) for _ in orders]
        meaning.update(zip(stand_ins, orders, strict=True))
        series[atom] = Add(*(stand_in * EPSILON**k for k, stand_in in enumerate(stand_ins)))
    scaled = expand(difference.xreplace(series).xreplace({s: EPSILON * s for s in small}))
    coefficients = Poly(scaled, EPSILON).all_coeffs()[::-1][: ORDER + 1]
    low = Add(*(c * Symbol(f"_e{k}", real=True) for k, c in enumerate(coefficients)))
    return Statement(low.xreplace(meaning), "=", Integer(0), statement.where)
