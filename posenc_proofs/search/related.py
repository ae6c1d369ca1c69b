"""Equations between the sums, products, integrals and moduli that occur.

A longer range by a shorter one and the rest; sums of sums in another order; products of consecutive numbers,
such as n!, by what they have in common; integrals from a common start.
"""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import permutations

from ..kernel.domains import lies
from ..kernel.ring import UNIT, canon, poly
from ..kernel.terms import ONE, ZERO, Refused, Term, mul, num, sub, subterms
from ..kernel.theorem import Theorem
from .lemmas import reverse
from .normal import closed, taken_apart
from .proof import MINUS, Proof, indexed
from .ranges import with_ends

MOST_ORDERS = 24


def sums(P: Proof, sides: list[Term]) -> list[Theorem]:
    """sum over lo..hi = sum over lo..mid + over mid + 1..hi, where lo..mid occurs, too; products alike.

    And sum over i of sum over j = sum over j of sum over i, where both occur.
    """
    every = closed(sides, "sum", "prod")
    found: list[Theorem] = []
    for s, part in permutations(every, 2):
        alike = (part.head, part.args[0], part.args[2]) == (s.head, s.args[0], s.args[2])
        if alike and s.args[2].head != "bv":
            found += _parted(P, s, part.args[1])
    return found + [th for s in every if s.head == "sum" for th in _exchanged(P, s, every)]


def _exchanged(P: Proof, s: Term, every: list[Term]) -> Iterator[Theorem]:
    """s = the same terms added up in another order, if what comes out is known."""
    seen, todo = {s}, [P.ring(s, s)]
    for th in todo:
        for step in _neighbours(P, th.right):
            form = taken_apart(P, step.right).right
            if form not in seen and len(seen) < MOST_ORDERS:
                seen.add(form)
                todo.append(P.combine(s, canon(step.right), [(ONE, th), (ONE, step)]))
                if any(t != s and t in every for t in subterms(form)):
                    yield todo[-1]


def _neighbours(P: Proof, s: Term) -> Iterator[Theorem]:
    """sum over i of a_i (sum over j of b_ij) = sum over j of sum over i of a_i b_ij; further inside alike."""
    x, body = indexed(s)
    factors = body.args if body.head == "*" else (body,)
    for k, c in enumerate(factors):
        if c.head != "sum":
            continue
        front = mul(*factors[:k], *factors[k + 1 :])
        inside = P.axiom("linear", "sum", *c.args[:2], [(front, c)])
        whole = P.over(s, P.combine(body, inside.left, [(MINUS, inside)]), x)
        with suppress(Refused):  # the inner range may depend on the outer index
            yield P.chain([whole, P.axiom("swap", whole.right)])
        for inner in _neighbours(P, c):
            yield P.over(s, P.combine(body, mul(front, inner.right), [(front, inner)]), x)


def _offset(t: Term) -> Fraction:
    return poly(t).get(UNIT, (Fraction(0),))[0]


def products(P: Proof, sides: list[Term]) -> list[Theorem]:
    """lo ... hi from 1 on, where lo is positive; each such product by the one that all like it contain."""
    every = [s for s in closed(sides, "prod") if s.args[2].head == "bv"]
    found: list[Theorem] = []
    for s in list(every):
        before = canon(sub(s.args[0], ONE))
        if before != ZERO and lies(before, "N"):
            whole = with_ends(s, ONE, s.args[1])
            found += _parted(P, whole, before)
            every += [whole, with_ends(s, ONE, before)]
    groups: dict[tuple[Term, ...], list[Term]] = {}
    for s in dict.fromkeys(every):
        symbols = tuple(canon(sub(t, num(_offset(t)))) for t in s.args[:2])
        groups.setdefault(symbols, []).append(s)
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
    """lo..hi parted behind mid, where mid is known to lie in the range."""
    with suppress(Refused):
        return [P.axiom("split", s, mid)]
    return []


def integrals(P: Proof, sides: list[Term]) -> list[Theorem]:
    """int over a..b = int over a..c + int over c..b and int over a..c = - int over c..a, c a common end."""
    groups: dict[Term, list[Term]] = {}
    for s in closed(sides, "int"):
        groups.setdefault(s.args[2], []).append(s)
    found: list[Theorem] = []
    for group in groups.values():
        start = group[0].args[0]
        for s in group:
            lo, hi, body = s.args
            with suppress(Refused):
                if lo != start != hi:
                    found.append(P.axiom("join", s, start))
                if lo != start:
                    found.append(reverse(P, Term("int", (), (start, lo, body), s.hint)))
    return found


RELATED = (sums, products, integrals)
