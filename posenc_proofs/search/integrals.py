"""Integrals of one function over several ranges, from a common start; moduli of each other's conjugates."""

from __future__ import annotations

from contextlib import suppress

from ..kernel.terms import ONE, Refused, Term, fun, neg, power, subterms
from ..kernel.theorem import Theorem
from .lemmas import reverse
from .normal import normal
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
            with suppress(Refused):
                if lo != start != hi:
                    found.append(P.axiom("join", s, start))
                if lo != start:
                    found.append(reverse(P, Term("int", (), (start, lo, body), s.hint)))
    return found


def moduli(P: Proof, sides: list[Term]) -> list[Theorem]:
    """|a| = |b| where b is the conjugate of a: both squares are a b."""
    every = list(dict.fromkeys(s for t in sides for s in subterms(t) if s.head == "abs" and not s.loose))
    found: list[Theorem] = []
    for k, s in enumerate(every):
        form = normal(P, fun("conj", s.args[0])) if every[k + 1 :] else None
        for other in every[k + 1 :]:
            if form is not None and form.right == normal(P, other.args[0]).right:
                with suppress(Refused):
                    found.append(_equal(P, s, other))
    return found


def _equal(P: Proof, s: Term, other: Term) -> Theorem:
    a = P.axiom("modulus", s.args[0])
    b = P.axiom("modulus", other.args[0])
    squares = [normal(P, th.right) for th in (a, b)]
    parts = [(ONE, a), (ONE, squares[0]), (neg(ONE), squares[1]), (neg(ONE), b)]
    return P.step("roots", P.combine(power(s, 2), power(other, 2), parts), [])
