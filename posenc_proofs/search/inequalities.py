"""Certificates for inequalities: added up, bounds by an axiom, term by term."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from ..kernel.terms import BINDERS, ONE, ZERO, Refused, Term, add, fun, letters, mul, neg, sub
from ..kernel.theorem import Theorem
from . import lemmas, one_term, triangle
from .equations import identity
from .factors import taken_apart
from .normal import closed, ordered
from .proof import NotFound, Parts, Proof
from .signs import signs as known_signs
from .signs import strictest


def sum_up(P: Proof, left: Term, relation: str, right: Term, parts: Parts, rest: Term = ZERO) -> Theorem:
    """``adding``, with signs that the kernel does not see, and quotients of what does not vanish.

    For ``<`` the rest has to be positive, or a part with ``<`` to have a positive weight.
    """
    weights = [w for w, th in parts if th.relation != "="]
    look = strictest if relation == "<" else known_signs
    signs = [sign for t in (rest, *weights) for sign in look(P, t)]
    try:
        return _added(P, left, relation, right, parts, rest, signs)
    except Refused:
        gap = add(rest, *(mul(w, sub(th.right, th.left)) for w, th in parts))
        eq = identity(P, sub(right, left), gap, conditions=False)
        return P.adding(left, relation, right, [*parts, (neg(ONE), eq)], rest, signs)


def _added(
    P: Proof,
    left: Term,
    relation: str,
    right: Term,
    parts: Parts,
    rest: Term = ZERO,
    signs: list[Theorem] | None = None,
) -> Theorem:
    """``adding``, with both sides and the parts in normal form where ``ring`` alone does not see it."""
    try:
        return P.adding(left, relation, right, parts, rest, signs)
    except Refused:
        forms = [taken_apart(P, t) for t in (left, right, rest)]
        flat: Parts = []
        for weight, th in parts:
            flat.append((weight, th))
            for side, factor in ((th.left, weight), (th.right, neg(weight))):
                flat.append((neg(ONE), taken_apart(P, mul(factor, side))))
        flat += [(ONE, forms[0]), (neg(ONE), forms[1]), (ONE, forms[2])]
        return P.adding(left, relation, right, flat, rest, signs)


def bound(P: Proof, word: str, left: Term, right: Term) -> Theorem:
    """left <= right by one axiom, times a factor that is not negative."""
    name, instances = BOUNDS[word]
    return _by_one(P, left, right, instances(P, left, right), f"no instance: {name}")


def _by_one(P: Proof, left: Term, right: Term, ths: Iterator[Theorem], missing: str) -> Theorem:
    for th in ths:
        for weight in _weights(left):
            with suppress(Refused):
                return _added(P, left, "<=", right, [(weight, th)])
    raise NotFound(missing)


def _weights(left: Term) -> Iterator[Term]:
    yield ONE
    factors = left.args if left.head == "*" else (left,)
    front = [a for a in factors if a.head not in ("abs", "sum")]
    if front:
        yield mul(*front)
    for a in factors:
        if a.head == "abs" and a.args[0].head == "*":
            yield mul(*front, fun("abs", mul(*(b for b in a.args[0].args if b.head not in BINDERS))))


def _chord(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for s in closed(left, "abs"):
        if s.args[0].head == "sin":
            yield lemmas.chord(P, s.args[0].args[0])


def _trigonometric_integrals(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for s in closed(left, "Ci", "Si"):
        yield P.axiom("integrals_far", s.args[0])
        yield P.axiom("integrals_near", s.args[0])


def _tangent(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for s in closed(right, "exp"):
        yield lemmas.tangent(P, s.args[0])


def _maximum(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for top in closed(right, "max"):
        for s in closed(right, "sum"):
            yield P.axiom("maximum", s, Term("sum", (), top.args, top.hint))


def _cauchy_schwarz(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    """The factors of the sum's body, two at a time."""
    for c in closed(left, "sum"):
        body = c.args[2]
        if body.head == "*":
            for k in range(1, len(body.args)):
                a, b = (
                    Term("sum", (), (*c.args[:2], mul(*part)), c.hint)
                    for part in (body.args[:k], body.args[k:])
                )
                yield P.axiom("cauchy_schwarz", a, b)


BOUNDS: dict[str, tuple[str, Callable[[Proof, Term, Term], Iterator[Theorem]]]] = {
    "triangle": ("triangle inequality", triangle.instances),
    "maximum": ("maximum taken out", _maximum),
    "one-term": ("one term of a sum", one_term.instances),
    "chord": ("sine below its argument", _chord),
    "tangent": ("exponential above its tangent", _tangent),
    "cauchy-schwarz": ("Cauchy–Schwarz", _cauchy_schwarz),
    "trigonometric-integrals": ("sine and cosine integral at their ends", _trigonometric_integrals),
}


def termwise(P: Proof, left: Term, right: Term, premise: Theorem) -> Theorem:
    """left <= right from a premise about each index, whose letter has the index's name."""
    ranges, free = closed(left, "sum", "int"), ordered(letters(premise.left, premise.right))
    ths = (P.over(c, premise, x) for c in ranges for x in free if x.data[0] == c.hint)
    return _by_one(P, left, right, ths, "no sum or integral has the premise's letter")
