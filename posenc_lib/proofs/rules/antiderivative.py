"""The fundamental theorem: an integral by a function whose derivative is the integrand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr

from ..kernel.theorem import Theorem
from ..search import equations
from ..search.proof import Proof
from ..terms.expression import expression
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Antiderivative(Plain):
    """∫ f over [a, b] = F(b) − F(a), because F′ = f and F is smooth on the whole interval."""

    function: Expr

    def method(self) -> str:
        return "antiderivative (fundamental theorem)"

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [equations.antiderivative(P, left, right, theory.term(self.function)) for left, right in rows]


def antiderivative(function: Any) -> Antiderivative:
    """An integral by a function whose derivative is the integrand, smooth on the whole interval.

    Example:
        >>> from sympy import Ci, Integral, cos, log
        >>> from posenc_lib.proofs import Derivation, eq, positives
        >>> x, b, t = positives("x b t")
        >>> closed = Ci(b * x) - Ci(x)
        >>> row = eq(closed, "Ci is an antiderivative of cos(t)/t", by=antiderivative(Ci(t)))
        >>> Derivation("integral").prove("eq-ci", Integral(cos(t) / t, (t, x, b * x)), row).verdict.method
        'antiderivative (fundamental theorem)'
    """
    return Antiderivative(expression(function))
