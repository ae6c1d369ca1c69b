"""One term of a sum: the sum is what stands before it, it, and what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, ZERO, Refused, Term, add, at, neg, num, sub, subterms
from ..kernel.theorem import Theorem
from .normal import closed, ordered
from .proof import NotFound, Parts, Proof
from .signs import signs


def at_most(P: Proof, a: Term, b: Term, known: tuple[Theorem, ...] = ()) -> Theorem:
    """a <= b: evident, known, or a condition."""
    with suppress(Refused):
        return P.adding(a, "<=", b, [], canon(sub(b, a)))
    for th in known:
        with suppress(Refused):
            return P.adding(a, "<=", b, [(ONE, th)], canon(sub(sub(b, a), sub(th.right, th.left))))
    return P.step("assume", [], a, "<=", b)


def taken_out(P: Proof, s: Term, e: Term, bounds: list[Theorem]) -> tuple[Parts, Term, Term]:
    """The equations whose sum is s = before + a(e) + behind, from lo <= e and e <= hi; before; behind."""
    lo, hi = s.args[:2]
    last = canon(add(e, num(-1)))
    low, high = (_sign(P, t, th) for t, th in zip((add(sub(e, lo), ONE), sub(hi, e)), bounds, strict=True))
    cut = P.axiom("split", s, e, signs=[low, high])
    head, behind = cut.right.args
    second = P.axiom("split", head, last, signs=[_sign(P, add(sub(last, lo), ONE), bounds[0])])
    before, one = second.right.args
    single = P.axiom("single", Term("sum", (), (e, *one.args[1:]), one.hint))
    return [(ONE, cut), (ONE, second), (ONE, single)], before, behind


def _sign(P: Proof, t: Term, bound: Theorem) -> Theorem:
    """0 <= t, from a <= b and t - (b - a) >= 0."""
    return P.adding(ZERO, "<=", t, [(ONE, bound)], canon(sub(t, sub(bound.right, bound.left))))


def instances(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    """a(e) <= sum a, for terms that are not negative, e in the range; a condition, if that is not evident."""
    places = ordered({s for s in subterms(left) if not s.loose and lies(s, "Z")})
    for s in closed(right, "sum"):
        for e in places:
            bounds = [at_most(P, s.args[0], e), at_most(P, e, s.args[1])]
            with suppress(Refused, NotFound):
                parts, before, behind = taken_out(P, s, e, bounds)
                minus, rest = [(neg(c), th) for c, th in parts], add(before, behind)
                yield P.adding(at(s, e), "<=", s, minus, rest, signs(P, rest))
