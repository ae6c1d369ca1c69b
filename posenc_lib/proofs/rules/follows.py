"""A consequence of earlier equations, every one of which is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr

from ..kernel.theorem import Theorem
from ..prove.ideal import ONE, consequence
from ..search import equations
from ..search.proof import Proof
from ..terms.expression import expression
from ..terms.letters import require_whole_parts
from ..terms.statement import Statement
from ..terms.verdict import Verdict, undecided
from .rule import Context, Plain, Rows, Theory


@dataclass(frozen=True)
class Follows(Plain):
    """An exact consequence of earlier equations; ``times`` is a non-zero factor that may be cancelled."""

    premises: tuple[Any, ...]
    times: Expr = ONE

    def references(self) -> Sequence[Any]:
        return self.premises

    def weaker(self) -> Sequence[Follows]:
        if len(self.premises) == 1:
            return ()
        return [replace(self, premises=tuple(p for p in self.premises if p is not u)) for u in self.premises]

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        premises, times = theory.equations(self.premises), theory.term(self.times)
        return [equations.follows(P, left, right, premises, times) for left, right in rows]

    def decide(self, statement: Statement, context: Context) -> Verdict:
        require_whole_parts(self.times)
        verdict = consequence(statement, context.premises(self.premises), self.times)
        if verdict:
            for unused, rest in zip(self.premises, self.weaker(), strict=False):
                if consequence(statement, context.premises(rest.premises), self.times, thorough=False):
                    reason = f"the premise {unused} is not used"
                    return undecided(verdict.method, reason, verdict.scope, final=True)
        return verdict


def follows(*premises: Any, times: Expr = ONE) -> Follows:
    """Follows from earlier results: labels, or instances of them such as ``D.at("eq-a", n=m)``.

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
    return Follows(premises, expression(times, "times"))
