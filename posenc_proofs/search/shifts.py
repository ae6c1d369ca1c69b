"""Sums of a(i + 1) from 0 on, by those of a(i)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ..kernel.domains import lies
from ..kernel.ring import NONE, UNIT, canon, poly
from ..kernel.terms import ONE, ZERO, Term, add, at, neg, num, sub, subterms
from ..kernel.theorem import Theorem
from .normal import redex
from .proof import Proof
from .ranges import index, with_ends


@redex("prod", "max")
def _from_zero(P: Proof, s: Term) -> Theorem | None:
    """max over 1..n of a(i) = max over 0..n - 1 of a(i + 1); products alike, but for k (k + 1) ... n."""
    lo = s.args[0]
    if lo == ZERO or s.args[2].head == "bv" or not lies(lo, "Z") or s.loose:
        return None
    return P.axiom("shift", s, neg(lo))


def offset(s: Term) -> int:
    """The least k in the values a(i + k) and divisors i + k of the body; 0 if there are none."""
    x = index(s)
    found = []
    for t in subterms(at(s, x)):
        for a in t.args if t.head in ("app", "inv") and not t.loose else ():
            p, none = poly(a), (Fraction(0), Fraction(0))
            (k, i), (slope, j) = p.get(UNIT, none), p.get((frozenset([(x, 1)]), NONE), none)
            if slope and not i and not j and (k / slope).denominator == 1:
                found.append(int(k / slope))
    return min(found, default=0)


@redex("sum")
def _from_the_first(P: Proof, s: Term) -> Theorem | None:
    """sum over 0..n - 1 of b(i + k) = sum over 0..n - 1 of b, k terms behind more, k terms before less."""
    lo, hi = s.args[:2]
    k, n = offset(s), canon(add(hi, ONE))
    if lo != ZERO or not k or not lies(n, "N") or n.head == "num":
        return None
    moved = P.axiom("shift", s, num(k))
    last, over = canon(add(hi, num(k))), partial(with_ends, moved.right)
    if k > 0:
        whole, cuts, other = over(ZERO, last), (num(k - 1), hi), over(ZERO, num(k - 1))
    else:
        whole, cuts, other = over(num(k), hi), (last, num(-1)), over(add(last, ONE), hi)
    here, there = (P.axiom("split", whole, cut) for cut in cuts)
    return P.combine(s, sub(canon(there.right), other), [(ONE, moved), (neg(ONE), here), (ONE, there)])
