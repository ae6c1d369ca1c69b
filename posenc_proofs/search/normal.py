"""A normal form beyond the kernel's ``ring``: each rewriting is an axiom's row, or follows from one.

``normal(P, t)`` proves t = n; the rules are in ``atoms`` and ``ranges``, which enter themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..kernel.ring import UNITY, Monomial, canon, term
from ..kernel.terms import Refused, Term, subterms
from ..kernel.theorem import Theorem
from .proof import Proof, replaced_by

MOST_STEPS = 60
Rule = Callable[[Proof, Term], Theorem | None]
RULES: dict[str, list[Rule]] = {}  # by the head of the term that a rule rewrites


def redex(*heads: str) -> Callable[[Rule], Rule]:
    """Enters a rule, which proves t = something simpler, or returns None where it does not apply."""

    def enter(rule: Rule) -> Rule:
        for head in heads:
            RULES.setdefault(head, []).append(rule)
        return rule

    return enter


def ordered(terms: Iterable[Term]) -> list[Term]:
    """As they are written: sets have no order of their own that is the same in every process."""
    return sorted(terms, key=str)


def closed(t: Term, *heads: str) -> list[Term]:
    """The subterms of t with these heads in which no index is free."""
    return [s for s in dict.fromkeys(subterms(t)) if s.head in heads and not s.loose]


def monomials(p: Iterable[Monomial]) -> list[Monomial]:
    return sorted(p, key=lambda m: term({m: UNITY}).text)


def normal(P: Proof, t: Term) -> Theorem:
    """t = its normal form."""
    if t in P.normal:
        return P.normal[t]
    th = P.ring(t, canon(t))
    for _ in range(MOST_STEPS):
        equations = list(_redexes(P, th.right, set()))
        if not equations:
            break
        th = P.rewrite(th, equations, canon(replaced_by(th.right, equations)))
    P.normal[t] = th
    P.normal.setdefault(th.right, P.ring(th.right, th.right))
    return th


def _redexes(P: Proof, t: Term, seen: set[Term]) -> Iterator[Theorem]:
    """Equations for the innermost closed subterms of t that are not in normal form."""
    if t in seen or t.loose:
        return
    seen.add(t)
    if t in P.normal and P.normal[t].right == t:
        return
    found = False
    for a in t.args:
        for eq in _redexes(P, a, seen):
            found = True
            yield eq
    if not found:
        own = _redex(P, t)
        if own is not None:
            yield own


def _redex(P: Proof, t: Term) -> Theorem | None:
    for rule in RULES.get(t.head, ()):
        try:
            eq = rule(P, t)
        except Refused:
            continue
        if eq is not None:
            return eq
    return None
