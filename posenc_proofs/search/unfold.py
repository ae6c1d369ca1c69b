"""Defined names replaced by what they stand for: each definition is a theorem under its own hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..kernel.terms import BINDERS, ONE, Term, at, neg, subterms
from ..kernel.theorem import Theorem
from .proof import Proof, replaced_by
from .ranges import index

Meanings = Mapping[str, Theorem]  # by the name that is defined


def unfolded(P: Proof, t: Term, meanings: Meanings) -> Theorem:
    """t = t without defined names, also under binders."""
    th = P.ring(t, t)
    while equations := list(_openings(P, th.right, meanings)):
        th = P.step("rewrite", th, equations, replaced_by(th.right, equations))
    return th


def _openings(P: Proof, t: Term, meanings: Meanings) -> Iterator[Theorem]:
    """Equations for the outermost closed subterms of t that are defined, or bind something defined."""
    if not any(_definition(s, meanings) for s in subterms(t)):
        return
    definition = _definition(t, meanings)
    if definition and not t.loose:
        values = list(zip(definition.left.args, t.args, strict=True))
        yield P.step("instantiate", definition, [(x, value) for x, value in values if x != value], [])
        return
    ends = t.args[:2] if t.head in BINDERS else t.args
    inside = [eq for a in ends if not a.loose for eq in _openings(P, a, meanings)]
    yield from inside
    if t.head in BINDERS and not t.loose and not inside:
        x = index(t)
        body = unfolded(P, at(t, x), meanings)
        if body.right != body.left:
            yield P.over(t, body, x)


def _definition(t: Term, meanings: Meanings) -> Theorem | None:
    """The definition of a function, or, in a model, of a constant."""
    found = meanings.get(t.data[0]) if t.head in ("app", "var") else None
    return found if found and found.left.head == t.head else None


def both(P: Proof, th: Theorem, meanings: Meanings) -> Theorem:
    """A theorem with the defined names of both sides unfolded."""
    left, right = (unfolded(P, side, meanings) for side in (th.left, th.right))
    if left.left == left.right and right.left == right.right:
        return th
    parts = [(neg(ONE), left), (ONE, th), (ONE, right)]
    return P.adding_up(left.right, th.relation, right.right, parts)
