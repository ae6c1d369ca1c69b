"""The two-jet rule: an expansion to second order depends only on the function's Taylor polynomial.

An unknown function is replaced by a general cubic with symbolic coefficients; the two sides must then agree
up to terms of third order in the small displacements. By Taylor's theorem with Lagrange's remainder the same
holds for every function with continuous third derivatives.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from sympy import Add, Expr, Mul, Poly, Symbol, expand

from .identity import Statement
from .verdict import ProofError

ORDER = 2


def general_cubic(arguments: tuple[Expr, ...], name: str) -> tuple[Expr, tuple[Symbol, ...]]:
    """A general polynomial of degree three in the function's slots, and the slots."""
    slots = tuple(Symbol(f"_{name}_{k}", real=True) for k in range(len(arguments)))
    terms = []
    for degree in range(ORDER + 2):
        for places in combinations_with_replacement(range(len(slots)), degree):
            label = "".join(map(str, places))
            terms.append(Symbol(f"{name}_c{label}", real=True) * Mul(*(slots[p] for p in places)))
    return Add(*terms), slots


def as_jets(statement: Statement, function: type, small: tuple[Symbol, ...]) -> Statement:
    """The statement with the cubic put in, its difference cut off after second order in ``small``.

    Raises
    ------
    ProofError
        if the difference is not polynomial in the small quantities.
    """
    difference = statement.left - statement.right
    applied = sorted(difference.atoms(function), key=str)
    if not applied:
        raise ProofError(f"the function {function.__name__} does not occur")
    cubic, slots = general_cubic(applied[0].args, function.__name__)
    difference = difference.replace(
        function, lambda *arguments: cubic.subs(list(zip(slots, arguments, strict=True)), simultaneous=True)
    ).doit()
    epsilon = Symbol("_epsilon", real=True)
    scaled = expand(difference.subs({s: epsilon * s for s in small}, simultaneous=True))
    coefficients = Poly(scaled, epsilon).all_coeffs()[::-1]
    low = Add(*(c * Symbol(f"_e{k}", real=True) for k, c in enumerate(coefficients[: ORDER + 1])))
    return Statement(expand(low), "=", statement.left * 0, statement.where)
