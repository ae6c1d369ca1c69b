"""Products of a few factors; products of consecutive numbers, such as n!, by what they have in common."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from ..kernel.domains import lies
from ..kernel.ring import UNIT, canon, poly
from ..kernel.terms import ONE, ZERO, Refused, Term, add, mul, num, sub, subterms
from ..kernel.theorem import Theorem
from .normal import redex
from .proof import Proof
from .ranges import MOST_TERMS, with_ends


@redex("prod")
def _few_factors(P: Proof, s: Term) -> Theorem | None:
    """A product of a number of factors, written out."""
    lo, hi = s.args[:2]
    length = canon(add(sub(hi, lo), ONE))
    if length.head != "num" or not lies(length, "Z") or not lies(lo, "Z") or length.data[0] > MOST_TERMS:
        return None
    if length.data[0] <= 0:
        return P.axiom("empty", s)
    if length == ONE:
        return P.axiom("single", s)
    cut = P.axiom("split", s, lo)
    rest = with_ends(s, add(lo, ONE), hi)
    values = [P.axiom("single", cut.right.args[0]), _few_factors(P, rest)]
    th = P.combine(s, mul(cut.right.args[0], rest), [(ONE, cut)])
    right = mul(*(eq.right for eq in values if eq is not None))
    return P.step("rewrite", th, values, right)


def _offset(t: Term) -> Fraction:
    return poly(t).get(UNIT, (Fraction(0),))[0]


def _symbol(t: Term) -> Term:
    return canon(sub(t, num(_offset(t))))


def related(P: Proof, sides: list[Term]) -> list[Theorem]:
    """lo ... hi from 1 on, where lo is positive; each such product by the one that all like it contain."""
    every = [s for t in sides for s in subterms(t) if s.head == "prod" and not s.loose]
    every = list(dict.fromkeys(s for s in every if s.args[2].head == "bv"))
    found: list[Theorem] = []
    for s in list(every):
        before = canon(sub(s.args[0], ONE))
        if before != ZERO and lies(before, "N"):
            whole = with_ends(s, ONE, s.args[1])
            found += _parted(P, whole, before)
            every += [whole, with_ends(s, ONE, before)]
    groups: dict[tuple[Term, ...], list[Term]] = {}
    for s in dict.fromkeys(every):
        groups.setdefault(tuple(map(_symbol, s.args[:2])), []).append(s)
    for group in groups.values():
        lo = max((s.args[0] for s in group), key=_offset)
        hi = min((s.args[1] for s in group), key=_offset)
        for s in group:
            if s.args[1] != hi:
                found += _parted(P, s, hi)
            if s.args[0] != lo:
                found += _parted(P, with_ends(s, s.args[0], hi), canon(sub(lo, ONE)))
    return found


def _parted(P: Proof, s: Term, mid: Term) -> list[Theorem]:
    """lo ... hi = (lo ... mid)(mid + 1 ... hi), where mid is known to lie in the range."""
    with suppress(Refused):
        return [P.axiom("split", s, mid)]
    return []
