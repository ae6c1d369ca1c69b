"""Integrals of one function over several ranges: by one antiderivative, from a common start."""

from __future__ import annotations

from ..kernel.terms import Refused, Term, subterms
from ..kernel.theorem import Theorem
from .proof import Proof


def related(P: Proof, sides: list[Term]) -> list[Theorem]:
    """int over a..b = int over a..c + int over c..b and int over a..c = - int over c..a, c a common end."""
    every = dict.fromkeys(s for t in sides for s in subterms(t) if s.head == "int" and not s.loose)
    groups: dict[Term, list[Term]] = {}
    for s in every:
        groups.setdefault(s.args[2], []).append(s)
    found: list[Theorem] = []
    for group in groups.values():
        start = group[0].args[0]
        for s in group if len(group) > 1 else ():
            lo, hi, body = s.args
            try:
                if lo != start != hi:
                    found.append(P.axiom("join", s, start))
                if lo != start:
                    found.append(P.axiom("reverse", Term("int", (), (start, lo, body), s.hint)))
            except Refused:
                continue
    return found
