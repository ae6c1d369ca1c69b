"""A consequence of earlier equations, every one of which is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Integer

from ..kernel.theorem import Theorem
from ..search import equations
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.letters import require_whole_parts
from ..terms.undefined import nonzero
from .rule import Plain, Rows, Theory, earlier

ONE = Integer(1)
QUICK = 4_000  # products, to see whether a premise is left over


@dataclass(frozen=True)
class Follows(Plain):
    """An exact consequence of earlier equations; ``times`` is a non-zero factor that may be cancelled."""

    premises: tuple[Any, ...]
    times: Expr = ONE
    most: int = equations.MOST_PRODUCTS

    def __post_init__(self) -> None:
        require_whole_parts(self.times)
        if self.times != ONE and not nonzero(self.times):
            raise ValueError(
                f"times must be non-zero on the stated domain, got {self.times}, which may vanish"
            )

    def method(self) -> str:
        return "consequence of earlier results"

    def references(self) -> Sequence[Any]:
        return self.premises

    def weaker(self) -> Sequence[Follows]:
        if len(self.premises) == 1:
            return ()
        return [
            replace(self, premises=tuple(p for p in self.premises if p is not u), most=QUICK)
            for u in self.premises
        ]

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        premises, times = theory.equations(self.premises), theory.term(self.times)
        return [equations.follows(P, left, right, premises, times, most=self.most) for left, right in rows]


def follows(*premises: Any, times: Expr = ONE) -> Follows:
    """Follows from earlier results: labels, or instances of them such as ``D.at("eq-a", n=m)``.

    Raises:
        ValueError: if ``times``, a factor that may be cancelled, is not known to be non-zero.

    Example:
        >>> from posenc_lib.proofs import Derivation, eq, reals
        >>> x, y = reals("x y")
        >>> D = Derivation("follows")
        >>> D.constant(x, y)
        >>> hypothesis = D.assume("eq-h", x, y, "x equals y")
        >>> D.model(x, y)
        >>> D.prove("eq-s", x**2, eq(y**2, "squared", by=follows("eq-h"))).verdict.status
        'proved'
    """
    return Follows(tuple(map(earlier, premises)), expression(times, "times"))
