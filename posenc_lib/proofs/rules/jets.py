"""The two-jet rule: an expansion to second order, for every smooth function.

The kernel proves left = right + R with Taylor's remainder R written out, an integral of third order in the
small displacements. Beside it, an unknown function is replaced by a general cubic with symbolic coefficients;
the two sides must then agree up to terms of third order: so wrong versions are refuted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from sympy import Add, Derivative, Dummy, Expr, Function, Integer, Mul, Poly, Symbol, expand
from sympy.core.function import AppliedUndef

from ..kernel.terms import Term
from ..kernel.theorem import Theorem
from ..search import read
from ..search.jets import third_order, to_second_order
from ..search.proof import Proof
from ..show.printer import latex
from ..terms.expression import letter, several
from ..terms.statement import Statement
from ..terms.symbols import SmoothFunction
from ..terms.verdict import ProofError
from ..values.substitution import replaced, substitute
from .rule import Plain, Rows, Theory

ORDER = 2


EPSILON = Dummy("epsilon", real=True)


@cache
def general_cubic(slots: int, name: str, point: tuple[Expr, ...]) -> tuple[Expr, tuple[Symbol, ...]]:
    """A general polynomial of degree three in the function's slots, and the slots; each point has its own."""
    letters = tuple(Dummy(f"{name}_{k}", real=True) for k in range(slots))
    terms = []
    for degree in range(ORDER + 2):
        for places in combinations_with_replacement(range(slots), degree):
            label = "".join(map(str, places))
            terms.append(Dummy(f"{name}_c{label}", real=True) * Mul(*(letters[p] for p in places)))
    return Add(*terms), letters


@cache
def _orders(atom: Expr, function: Any, small: tuple[Symbol, ...]) -> tuple[Expr, ...]:
    """The coefficients of ε⁰, ε¹, ε² in a value or derivative of the cubic, the small quantities times ε."""

    still = {s: Integer(0) for s in small}

    def cubic(*arguments: Expr) -> Expr:
        point = tuple(expand(substitute(a, still)) for a in arguments)
        polynomial, letters = general_cubic(len(arguments), function.__name__, point)
        return substitute(polynomial, dict(zip(letters, arguments, strict=True)))

    value = substitute(atom.replace(function, cubic).doit(), {s: EPSILON * s for s in small})
    if not value.is_polynomial(EPSILON):
        raise ProofError(f"{atom} must be taken at points that depend on the small quantities polynomially")
    coefficients = Poly(value, EPSILON).all_coeffs()[::-1]
    return tuple(coefficients[: ORDER + 1])


def _require_germs(derivatives: set[Expr], small: tuple[Symbol, ...]) -> None:
    """A cubic stands for a function near one point: for its values, and its first derivatives there."""
    for derivative in derivatives:
        if derivative.derivative_count > ORDER + 1 or derivative.free_symbols & set(small):
            raise ProofError(f"{derivative} must be of order at most {ORDER + 1}, at the point itself")


def as_jets(statement: Statement, function: Any, small: tuple[Symbol, ...]) -> Statement:
    """The statement with the cubic put in, its difference cut off after second order in ``small``.

    Raises:
        ProofError: if the unknown function does not occur.
    """
    difference = statement.left - statement.right
    derivatives = difference.atoms(Derivative)
    values = {a for a in difference.atoms(AppliedUndef) if a.func == function}
    if not values:
        raise ProofError(f"the function {function.__name__} does not occur")
    if not all(e.is_extended_real for e in (*values, *small)):
        raise ProofError(f"{function.__name__} and the small quantities {small} must be real")
    _require_germs(derivatives, small)
    series: dict[Expr, Expr] = {}
    meaning: dict[Expr, Expr] = {}
    for atom in sorted(derivatives | values, key=str):
        orders = _orders(atom, function, small)
        stand_ins = [Dummy(real=True) for _ in orders]
        meaning.update(zip(stand_ins, orders, strict=True))
        series[atom] = Add(*(stand_in * EPSILON**k for k, stand_in in enumerate(stand_ins)))
    scaled = expand(substitute(replaced(difference, series), {s: EPSILON * s for s in small}))
    if not scaled.is_polynomial(EPSILON):
        raise ProofError(f"the two sides must be polynomials in {small}, apart from the unknown function")
    coefficients = Poly(scaled, EPSILON).all_coeffs()[::-1][: ORDER + 1]
    low = Add(*(c * Dummy(f"e{k}", real=True) for k, c in enumerate(coefficients)))
    return Statement(replaced(low, meaning), "=", Integer(0), statement.where)


@dataclass(frozen=True)
class TwoJet(Plain):
    """Equal up to terms of third order in the small quantities."""

    function: Any
    small: tuple[Symbol, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.function, SmoothFunction):
            raise ValueError(f"{self.function} may have no derivatives: make it with smooth_function")

    def method(self) -> str:
        return "two-jet (Taylor's theorem with its remainder)"

    def letters(self) -> Sequence[Symbol]:
        return self.small

    def reach(self) -> str:
        return "holds to second order only"

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        """left = right + R, with an integral R of third order; a sum with the right side first."""
        small = [read.term(x) for x in self.small]
        return [to_second_order(P, left, right, small) for left, right in rows]

    def accepts(self, rest: Sequence[Term]) -> bool:
        small = [read.term(x) for x in self.small]
        return len(rest) == 1 and third_order(rest[0], small)

    def remainder(self) -> str:
        return rf" + O\left(\lVert({', '.join(latex(s) for s in self.small)})\rVert^3\right)"

    def translate(self, statement: Statement) -> Statement:
        return as_jets(statement, self.function, self.small)


def two_jet(function: Function, small: Sequence[Symbol]) -> TwoJet:
    """To second order in ``small``, for a smooth unknown function.

    Raises:
        TypeError, ValueError: if a small quantity is no letter, or the function is not made with
            ``smooth_function``.

    Example:
        >>> from sympy import Derivative
        >>> from posenc_lib.proofs import Derivation, eq, reals, smooth_function
        >>> f, x, h = smooth_function("f"), *reals("x h")
        >>> taylor = f(x) + h * Derivative(f(x), x) + h**2 * Derivative(f(x), x, x) / 2
        >>> row = eq(taylor, "Taylor", by=two_jet(f, [h]))
        >>> Derivation("jet").prove("eq-jet", f(x + h), row).verdict.method
        "two-jet (Taylor's theorem with its remainder)"
    """
    return TwoJet(function, tuple(letter(s, "a small quantity") for s in several(small, "small")))
