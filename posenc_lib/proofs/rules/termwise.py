"""An inequality added up over a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Integral, Sum

from ..kernel.theorem import Theorem
from ..search import inequalities
from ..search.proof import Proof
from ..terms.statement import Statement
from .rule import Plain, Rows, Sides, Theory, earlier


@dataclass(frozen=True)
class Termwise(Plain):
    """rest + c Σ aᵢ ≤ rest + c Σ bᵢ with c ≥ 0, because aᵢ ≤ bᵢ was proved for every i; ∫ likewise."""

    relations = ("<=",)
    premise: Any

    def method(self) -> str:
        return "termwise (an inequality added up over a range)"

    def spoken_of(self, statement: Statement) -> Sequence[Sides]:
        """What stands under the sums or integrals that the two sides do not share."""
        left, right = (side.atoms(Sum, Integral) for side in (statement.left, statement.right))
        totals = left ^ right
        inner = {part for total in totals for part in total.function.atoms(Sum, Integral)}
        return (tuple(total.function for total in totals - inner),)

    def references(self) -> Sequence[Any]:
        return (self.premise,)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [inequalities.termwise(P, left, right, theory.relation(self.premise)) for left, right in rows]


def termwise(premise: Any) -> Termwise:
    """An inequality proved for each index, added up: ``termwise(D.at("eq-each", j=2 * i))``.

    Example:
        >>> from sympy import Abs, Sum
        >>> from posenc_lib.proofs import Derivation, complex_sequence, counts, le, naturals, triangle
        >>> a, b, i, N = complex_sequence("a"), complex_sequence("b"), naturals("i"), counts("N")
        >>> D = Derivation("termwise")
        >>> each = le(Abs(a[i]) + Abs(b[i]), "triangle inequality", by=triangle)
        >>> result = D.prove("eq-each", Abs(a[i] + b[i]), each)
        >>> row = le(Sum(each.right, (i, 1, N)), "added up", by=termwise("eq-each"))
        >>> D.prove("eq-all", Sum(Abs(a[i] + b[i]), (i, 1, N)), row).verdict.status
        'proved'
    """
    return Termwise(earlier(premise))
