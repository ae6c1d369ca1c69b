"""Certificates for equations: identities, consequences of premises, induction, antiderivatives."""

from __future__ import annotations

import time

from ..kernel.domains import lies
from ..kernel.ring import canon, poly
from ..kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    at,
    fun,
    letters,
    mul,
    neg,
    num,
    sub,
    substitute,
    subterms,
    var,
)
from ..kernel.theorem import Theorem
from .ideal import Space, cofactors
from .normal import normal
from .proof import NotFound, Proof

SECONDS = 8


def identity(P: Proof, left: Term, right: Term, conditions: bool = True) -> Theorem:
    """left = right; with ``conditions``, where divisors that may vanish do not."""
    return follows(P, left, right, [], conditions=conditions)


def follows(
    P: Proof, left: Term, right: Term, premises: list[Theorem], times: Term = ONE, conditions: bool = True
) -> Theorem:
    """left = right from equations: put in as they stand, or as a combination of them."""
    for put in (_put_in, _under):
        if premises or put is _put_in:
            try:
                a, b = (put(P, side, premises) for side in (left, right))
                if a.right == b.right:
                    return P.joined(a, b)
            except Refused:
                continue
    return _combined(P, left, right, premises, times, conditions)


def _put_in(P: Proof, side: Term, premises: list[Theorem]) -> Theorem:
    """side = its normal form with the premises' left sides replaced, as written and in normal form."""
    th = P.ring(side, side)
    for eq in premises:
        th = P.step("rewrite", th, [eq], substitute(th.right, {eq.left: eq.right}))
    th = _continued(P, th)
    for eq in premises:
        form = normal(P, eq.left)
        if form.right.head in ("num", "pi") or form.right == eq.left:
            continue
        eq = P.combine(form.right, eq.right, [(neg(ONE), form), (ONE, eq)])
        th = P.step("rewrite", th, [eq], substitute(th.right, {eq.left: eq.right}))
    return _continued(P, th)


def _continued(P: Proof, th: Theorem) -> Theorem:
    """th, and the normal form of its right side."""
    form = normal(P, th.right)
    return P.combine(th.left, form.right, [(ONE, th), (ONE, form)])


def _under(P: Proof, t: Term, premises: list[Theorem]) -> Theorem:
    """t = t with the premises put in, also under binders, where a premise's letter has the index's name."""
    if t.head in ("sum", "int"):
        for x in {x for p in premises for x in letters(p.left, p.right) if x.data[0] == t.hint}:
            return _continued(P, P.over(t, _under(P, at(t, x), premises), x))
    th = _put_in(P, t, premises)
    for s in dict.fromkeys(subterms(th.right)):
        if s.head in ("sum", "int") and not s.loose and s != t:
            try:
                eq = _under(P, s, premises)
            except Refused:
                continue
            if eq.right != s:
                th = P.step("rewrite", th, [eq], substitute(th.right, {s: eq.right}))
    return _continued(P, th)


def _divisors(*terms: Term) -> list[Term]:
    found = {s.args[0]: None for t in terms for s in subterms(t) if s.head == "inv" and not s.loose}
    return [d for d in found if poly(d)]


def _not_zero(P: Proof, d: Term, conditions: bool) -> tuple[Theorem, list[Theorem]]:
    """d inv d = 1, and what says that d is not 0."""
    if lies(d, "!=0"):
        return P.axiom("inverse", d), []
    sign = _positive(P, d)
    if sign is None:
        if not conditions:
            raise NotFound(f"{d} may vanish")
        sign = P.step("assume", [], d, "!=", ZERO)
    return P.axiom("inverse", d, signs=[sign]), [sign]


def _positive(P: Proof, d: Term) -> Theorem | None:
    """d != 0 for d = +-(1 - e^-u), u > 0, since e^u >= 1 + u."""
    for s in {s for s in subterms(d) if s.head == "exp" and not s.loose}:
        u = canon(neg(s.args[0]))
        if lies(u, ">0"):
            eq = P.axiom("tangent", u)
            try:
                return P.adding(ZERO, "<", d, [(s, eq)], mul(u, s))
            except Refused:
                continue
    return None


def _combined(
    P: Proof, left: Term, right: Term, premises: list[Theorem], times: Term, conditions: bool
) -> Theorem:
    """A combination of the premises, their conjugates, and d inv d = 1 for the divisors."""
    forms = {side: normal(P, side) for side in (left, right)}
    ths = []
    for th in premises:
        th = P.combine(
            (a := normal(P, th.left)).right,
            (b := normal(P, th.right)).right,
            [(ONE, th), (neg(ONE), a), (ONE, b)],
        )
        ths.append(th)
        if not (lies(th.left, "R") and lies(th.right, "R")):
            pair = [fun("conj", s) for s in (th.left, th.right)]
            ths.append(P.step("rewrite", P.ring(pair[0], pair[0]), [th], pair[1]))
    sides = [th.right for th in forms.values()] + [s for th in ths for s in (th.left, th.right)]
    signs: list[Theorem] = []
    divisors = _divisors(*sides)
    for d in divisors:
        eq, said = _not_zero(P, d, conditions)
        ths.append(eq)
        signs += said
    for s in {s for side in sides for s in subterms(side) if s.head in ("abs", "sqrt") and not s.loose}:
        ths.append(P.axiom("modulus" if s.head == "abs" else "root", s.args[0]))
    until = time.monotonic() + SECONDS
    for unit in [[times] if times != ONE else [], *([[times, *divisors, *divisors]] if divisors else [])]:
        goal = mul(*unit, sub(forms[left].right, forms[right].right))
        polys = [poly(goal), *(poly(sub(th.left, th.right)) for th in ths)]
        space = Space(polys)
        target, *placed = map(space.place, polys)
        found = cofactors(target, placed + space.free, until)
        if found is not None:
            parts = [(space.back(c), th) for c, th in zip(found, ths, strict=False) if c]
            middle = P.combine(forms[left].right, forms[right].right, parts, unit, signs)
            return P.combine(left, right, [(ONE, forms[left]), (ONE, middle), (neg(ONE), forms[right])])
    raise NotFound("no combination was found")


def induction(P: Proof, left: Term, right: Term, n: Term, first: Term, premises: list[Theorem]) -> Theorem:
    """left = right for all n, from the value ``first`` on (over all integers also below)."""

    def put(t: Term, value: Term) -> Term:
        return substitute(t, {n: value})

    base = follows(P, put(left, first), put(right, first), premises, conditions=False)
    hypothesis = P.step("assume", [], left, "=", right)
    steps = []
    for by in (1, -1) if n.data[1] == "Z" else (1,):
        value = add(n, num(by))
        steps.append(
            follows(P, put(left, value), put(right, value), [hypothesis, *premises], conditions=False)
        )
    return P.step("induct", n, left, "=", right, base, steps, first)


def antiderivative(P: Proof, left: Term, right: Term, f: Term) -> Theorem:
    """The integral ``left`` = right, by a function f with the integrand as its derivative."""
    if left.head != "int":
        raise NotFound("not an integral")
    x = next((x for x in letters(f) if x.data[0] == left.hint), var(left.hint, "R"))
    whole = P.step("fundamental", f, x, left.hint, *left.args[:2], [])
    same_body = P.over(left, identity(P, at(left, x), at(whole.left, x), False), x)
    value = identity(P, whole.right, right)
    return P.combine(left, right, [(ONE, same_body), (ONE, whole), (ONE, value)])
