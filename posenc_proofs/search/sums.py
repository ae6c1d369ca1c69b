"""Sums of zeros; of one function over several ranges, a longer one by a shorter one and the rest; of sums."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..kernel.ring import canon, poly
from ..kernel.terms import ONE, ZERO, Refused, Term, at, mul, neg, subterms
from ..kernel.theorem import Theorem
from .factors import taken_apart
from .normal import redex
from .proof import Proof
from .ranges import index

MOST_ORDERS = 24


@redex("sum")
def _zeros(P: Proof, s: Term) -> Theorem | None:
    """sum 0 = 0, as 0 times any sum."""
    if poly(at(s, index(s))):
        return None
    return P.combine(s, ZERO, [(ONE, P.axiom("linear", "sum", *s.args[:2], [(ZERO, s)]))])


def related(P: Proof, sides: list[Term]) -> list[Theorem]:
    """sum over lo..hi = sum over lo..mid + over mid + 1..hi, where lo..mid occurs, too; products alike.

    And sum over i of sum over j = sum over j of sum over i, where both occur.
    """
    heads = ("sum", "prod")
    every = list(dict.fromkeys(s for t in sides for s in subterms(t) if s.head in heads and not s.loose))
    found: list[Theorem] = []
    for s in every:
        for part in every:
            alike = (part.head, part.args[0], part.args[2]) == (s.head, s.args[0], s.args[2])
            if part != s and alike and s.args[2].head != "bv":
                with suppress(Refused):
                    found.append(P.axiom("split", s, part.args[1]))
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
    x = index(s)
    body = at(s, x)
    factors = body.args if body.head == "*" else (body,)
    for k, c in enumerate(factors):
        if c.head != "sum":
            continue
        front = mul(*factors[:k], *factors[k + 1 :])
        inside = P.axiom("linear", "sum", *c.args[:2], [(front, c)])
        whole = P.over(s, P.combine(body, inside.left, [(neg(ONE), inside)]), x)
        with suppress(Refused):  # the inner range may depend on the outer index
            yield P.continued(whole, P.axiom("swap", whole.right))
        for inner in _neighbours(P, c):
            yield P.over(s, P.combine(body, mul(front, inner.right), [(front, inner)]), x)
