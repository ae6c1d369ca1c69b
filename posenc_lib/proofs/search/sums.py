"""Sums of zeros; sums of one function over several ranges: a longer one by a shorter one and the rest."""

from __future__ import annotations

from ..kernel.ring import poly
from ..kernel.terms import ONE, ZERO, Refused, Term, at, subterms
from ..kernel.theorem import Theorem
from .normal import redex
from .proof import Proof
from .ranges import index


@redex("sum")
def _zeros(P: Proof, s: Term) -> Theorem | None:
    """sum 0 = 0, as 0 times any sum."""
    if poly(at(s, index(s))):
        return None
    return P.combine(s, ZERO, [(ONE, P.axiom("linear", "sum", *s.args[:2], [(ZERO, s)]))])


def related(P: Proof, sides: list[Term]) -> list[Theorem]:
    """sum over lo..hi = sum over lo..mid + over mid + 1..hi, where lo..mid occurs, too; products alike."""
    heads = ("sum", "prod")
    every = list(dict.fromkeys(s for t in sides for s in subterms(t) if s.head in heads and not s.loose))
    found: list[Theorem] = []
    for s in every:
        for part in every:
            alike = (part.head, part.args[0], part.args[2]) == (s.head, s.args[0], s.args[2])
            if part != s and alike and s.args[2].head != "bv":
                try:
                    found.append(P.axiom("split", s, part.args[1]))
                except Refused:
                    continue
    return found
