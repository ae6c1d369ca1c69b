"""Certificates for inequalities: added up, bounds by an axiom, term by term."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product

from ..kernel import Refused
from ..kernel.calculus import derivative
from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import BINDERS, ONE, ZERO, I, Term, add, fun, letters, mul, neg, power, sub, substitute
from ..kernel.theorem import Theorem
from . import lemmas
from .deltas import one_term
from .equations import identity
from .normal import closed, normal, ordered, taken_apart
from .proof import MINUS, NotFound, Parts, Proof, Signs, indexed
from .signs import signs as known_signs

MOST_GROUPS = 4


def sum_up(P: Proof, left: Term, relation: str, right: Term, parts: Parts, rest: Term = ZERO) -> Theorem:
    """``adding``, with signs that the kernel does not see, and quotients of what does not vanish.

    For ``<`` the rest has to be positive, or a part with ``<`` to have a positive weight.
    """
    weights = [w for w, th in parts if th.relation != "="]
    signs = [sign for t in (rest, *weights) for sign in known_signs(P, t, relation == "<")]
    with suppress(Refused):
        return _added(P, left, relation, right, parts, rest, signs)
    gap = add(rest, *(mul(w, sub(th.right, th.left)) for w, th in parts))
    eq = identity(P, sub(right, left), gap, conditions=False)
    return P.adding(left, relation, right, [*parts, (MINUS, eq)], rest, signs)


def _added(
    P: Proof, left: Term, relation: str, right: Term, parts: Parts, rest: Term = ZERO, signs: Signs = ()
) -> Theorem:
    """``adding``, with both sides and the parts in normal form where ``ring`` alone does not see it."""
    with suppress(Refused):
        return P.adding(left, relation, right, parts, rest, signs)
    forms = [taken_apart(P, t) for t in (left, right, rest)]
    flat: Parts = []
    for weight, th in parts:
        sides = mul(weight, th.left), mul(neg(weight), th.right)
        flat += [(weight, th), *((MINUS, taken_apart(P, side)) for side in sides)]
    flat += [(ONE, forms[0]), (MINUS, forms[1]), (ONE, forms[2])]
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
    inside = (s.args[0] for s in closed([left], "abs"))
    return (lemmas.chord(P, a.args[0]) for a in inside if a.head == "sin")


def _trigonometric_integrals(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    ends = product(closed([left], "Ci", "Si"), ("integrals_far", "integrals_near"))
    return (P.axiom(name, s.args[0]) for s, name in ends)


def _tangent(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    return (lemmas.tangent(P, s.args[0]) for s in closed([right], "exp"))


def _maximum(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for top, s in product(closed([right], "max"), closed([right], "sum")):
        yield P.axiom("maximum", s, Term("sum", (), top.args, top.hint))


def _cauchy_schwarz(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    """The factors of the sum's body, two at a time."""
    for c in closed([left], "sum"):
        *ends, body = c.args
        for k in range(1, len(body.args)) if body.head == "*" else ():
            parts = (mul(*body.args[:k]), mul(*body.args[k:]))
            yield P.axiom("cauchy_schwarz", *(Term("sum", (), (*ends, a), c.hint) for a in parts))


def _triangle(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    for s in closed([left], "abs"):
        inside = s.args[0]
        if inside.head == "+":
            yield P.axiom("triangle", list(inside.args))
        for c in inside.args if inside.head == "*" else (inside,):
            if c.head in ("sum", "int"):
                yield from _pushed(P, c)
                yield from _weighted(P, c)
        yield from _grouped(P, inside, right)


def _grouped(P: Proof, inside: Term, right: Term) -> Iterator[Theorem]:
    """|u a - v b| <= |u a| + |v b| for a right side u |a| + v |b|, also where the left is multiplied out."""
    parts = []
    for part in right.args if right.head == "+" else ():
        factors = part.args if part.head == "*" else (part,)
        if any(a.head == "abs" for a in factors):
            parts.append(mul(*(a.args[0] if a.head == "abs" else a for a in factors)))
    if 2 <= len(parts) <= MOST_GROUPS:
        form = normal(P, inside).right
        for unit, *turned in product((ONE, I), *[(ONE, MINUS)] * len(parts)):
            groups = [mul(unit, sign, part) for sign, part in zip(turned, parts, strict=True)]
            if normal(P, add(*groups)).right == form:
                yield P.axiom("triangle", groups)


def _triangle_over(P: Proof, c: Term) -> Theorem:
    return P.axiom("triangle_sum" if c.head == "sum" else "triangle_integral", c)


def _pushed(P: Proof, c: Term) -> Iterator[Theorem]:
    """|sum sum a| <= sum |sum a| <= sum sum |a|."""
    th = _triangle_over(P, c)
    yield th
    if c.args[2].head == c.head:
        x, body = indexed(c)
        for inner in _pushed(P, body):
            yield P.chain([th, P.over(c, inner, x)])


def _weighted(P: Proof, c: Term) -> Iterator[Theorem]:
    """|int w g| <= int w |g| for a weight w that is not negative on the range: |w| = w from lo <= x <= hi."""
    first = _triangle_over(P, c)
    x, body = indexed(c)
    lo, hi = P.step("assume", [], c.args[0], "<=", x), P.step("assume", [], x, "<=", c.args[1])
    factors = mul(*(fun("abs", a) for a in (body.args if body.head == "*" else (body,))))
    squares = P.joined(normal(P, power(factors, 2)), normal(P, mul(body, fun("conj", body))))
    th = P.step("roots", P.joined(P.axiom("modulus", body), squares), [])
    for s in factors.args:
        for w in (s.args[0], neg(s.args[0])):
            with suppress(Refused):
                sign = [] if lies(w, ">=0") else [_affine(P, w, x, lo, hi)]
                squares = P.combine(power(s, 2), power(w, 2), [(ONE, P.axiom("modulus", s.args[0]))])
                eq = P.step("roots", squares, sign)
                th = P.rewrite(th, [eq], substitute(th.right, {s: w}))
                break
    yield P.chain([first, P.over(c, th, x)])


def _affine(P: Proof, w: Term, x: Term, lo: Theorem, hi: Theorem) -> Theorem:
    """0 <= w, for w affine in x and not negative at an end of the range."""
    slope = canon(derivative(w, x))
    if x in letters(slope):
        raise Refused("not affine")
    if lies(slope, ">=0"):
        return P.adding(ZERO, "<=", w, [(slope, lo)], canon(substitute(w, {x: lo.left})))
    return P.adding(ZERO, "<=", w, [(canon(neg(slope)), hi)], canon(substitute(w, {x: hi.right})))


BOUNDS: dict[str, tuple[str, Callable[[Proof, Term, Term], Iterator[Theorem]]]] = {
    "triangle": ("triangle inequality", _triangle),
    "maximum": ("maximum taken out", _maximum),
    "one-term": ("one term of a sum", one_term),
    "chord": ("sine below its argument", _chord),
    "tangent": ("exponential above its tangent", _tangent),
    "cauchy-schwarz": ("Cauchy–Schwarz", _cauchy_schwarz),
    "trigonometric-integrals": ("sine and cosine integral at their ends", _trigonometric_integrals),
}


def termwise(P: Proof, left: Term, right: Term, premise: Theorem) -> Theorem:
    """left <= right from a premise about each index, whose letter has the index's name."""
    ranges, free = closed([left], "sum", "int"), ordered(letters(premise.left, premise.right))
    ths = (P.over(c, premise, x) for c in ranges for x in free if x.data[0] == c.hint)
    return _by_one(P, left, right, ths, "no sum or integral has the premise's letter")
