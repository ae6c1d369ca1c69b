"""Certificates for equations: identities, consequences of premises, antiderivatives."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from ..kernel.domains import lies
from ..kernel.ring import poly
from ..kernel.terms import ONE, ZERO, Refused, Term, at, fun, has_words, letters, mul, neg, sub, subterms, var
from ..kernel.theorem import Theorem
from . import integrals, products, rewriting, sums
from .deltas import collapsed, placed, settled
from .factors import taken_apart
from .ideal import Space, cofactors
from .normal import normal, ordered
from .proof import NotFound, Proof, replaced_by
from .signs import signed
from .turns import parts_of_a_turn

RELATED = (sums.related, products.related, integrals.related, integrals.moduli)
MOST_PRODUCTS = 400_000  # of terms, in divisions: the same on every machine


def identity(P: Proof, left: Term, right: Term, conditions: bool = True) -> Theorem:
    """left = right; with ``conditions``, where divisors that may vanish do not."""
    return follows(P, left, right, [], conditions=conditions)


def follows(
    P: Proof,
    left: Term,
    right: Term,
    premises: list[Theorem],
    times: Term = ONE,
    conditions: bool = True,
    most: int = MOST_PRODUCTS,
) -> Theorem:
    """left = right from equations: put in as they stand, or as a combination of them."""
    if has_words(left, right):
        numbers = partial(_combined, P, premises=[], times=ONE, conditions=conditions, most=most)
        return rewriting.consequence(
            P, left, right, premises, min(rewriting.MOST_STATES, most // 20), numbers
        )
    pair = [P.continued(th, placed(P, th.right)) for th in (collapsed(P, side) for side in (left, right))]
    picked = any(th.left != th.right for th in pair)
    for put in (_put_in, _under):
        if premises or (put is _put_in and not picked):
            with suppress(Refused):
                a, b = (put(P, side, premises) for side in (left, right))
                if a.right == b.right:
                    return P.joined(a, b)
    if picked:
        th = follows(P, pair[0].right, pair[1].right, premises, times, conditions, most)
        return P.combine(left, right, [(ONE, pair[0]), (ONE, th), (neg(ONE), pair[1])])
    return _combined(P, left, right, premises, times, conditions, most)


def _put_in(P: Proof, side: Term, premises: list[Theorem]) -> Theorem:
    """side = its normal form with the premises' left sides replaced, as written and in normal form."""
    th = P.ring(side, side)
    for eq in premises:
        th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    th = _continued(P, th)
    for eq in [eq for premise in premises for eq in (premise, *_conjugate(P, premise))]:
        form = normal(P, eq.left)
        if form.right.head in ("num", "pi") or form.right == eq.left:
            continue
        eq = P.combine(form.right, eq.right, [(neg(ONE), form), (ONE, eq)])
        th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    return _continued(P, th)


def _conjugate(P: Proof, th: Theorem) -> list[Theorem]:
    """a = b: conj a = conj b, unless both are real."""
    if lies(th.left, "R") and lies(th.right, "R"):
        return []
    left, right = fun("conj", th.left), fun("conj", th.right)
    return [P.rewrite(P.ring(left, left), [th], right)]


def _continued(P: Proof, th: Theorem) -> Theorem:
    """th, and the normal form of its right side."""
    return P.continued(th, taken_apart(P, th.right))


def _under(P: Proof, t: Term, premises: list[Theorem]) -> Theorem:
    """t = t with the premises put in, also under binders, where a premise's letter has the index's name."""
    if t.head in ("sum", "int"):
        for x in ordered(letters(*(s for p in premises for s in (p.left, p.right)))):
            if x.data[0] != t.hint:
                continue
            return _continued(P, P.over(t, _under(P, at(t, x), premises), x))
    th = _put_in(P, t, premises)
    for s in dict.fromkeys(subterms(th.right)):
        if s.head in ("sum", "int") and not s.loose and s != t:
            eq = None
            with suppress(Refused):
                eq = _under(P, s, premises)
            if eq is not None and eq.right != s:
                th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    return _continued(P, th)


def _divisors(*terms: Term) -> list[Term]:
    found = {s.args[0]: None for t in terms for s in subterms(t) if s.head == "inv" and not s.loose}
    return [d for d in found if poly(d)]


def _not_zero(P: Proof, d: Term, conditions: bool) -> tuple[Theorem, list[Theorem]]:
    """d inv d = 1, and what says that d is not 0."""
    if lies(d, "!=0"):
        return P.axiom("inverse", d), []
    sign = signed(P, d)
    if sign is not None:
        return P.axiom("inverse", sign.right, signs=[sign]), [sign]
    if not conditions:
        raise NotFound(f"{d} may vanish")
    sign = P.step("assume", [], d, "!=", ZERO)
    return P.axiom("inverse", d, signs=[sign]), [sign]


def _flat(P: Proof, th: Theorem) -> Theorem:
    """Both sides in normal form."""
    a, b = taken_apart(P, th.left), taken_apart(P, th.right)
    return P.combine(a.right, b.right, [(ONE, th), (neg(ONE), a), (ONE, b)])


def _combined(
    P: Proof, left: Term, right: Term, premises: list[Theorem], times: Term, conditions: bool, most: int
) -> Theorem:
    """A combination of the premises, their conjugates, and d inv d = 1 for the divisors."""
    forms = {side: taken_apart(P, side) for side in (left, right)}
    ths = []
    for th in (_flat(P, th) for th in premises):
        ths += [th, *_conjugate(P, th)]
    sides = [th.right for th in forms.values()] + [s for th in ths for s in (th.left, th.right)]
    known, explained = settled(P, [left, right], sides)
    related = [th for find in RELATED for th in find(P, sides)]
    ths += [_flat(P, th) for th in (*known, *related)]
    sides += [s for th in ths for s in (th.left, th.right)]
    signs: list[Theorem] = []
    divisors = []
    for d in (d for d in _divisors(*sides) if d not in explained):
        eq, said = _not_zero(P, d, conditions)
        ths.append(eq)
        signs += said
        divisors += [th.left if th.relation == "!=" else th.right for th in said] or [d]
    for s in ordered(
        {s for side in sides for s in subterms(side) if s.head in ("abs", "sqrt") and not s.loose}
    ):
        ths.append(P.axiom("modulus" if s.head == "abs" else "root", s.args[0]))
    ths += parts_of_a_turn(P, *sides)
    for unit in [[times] if times != ONE else [], *([[times, *divisors, *divisors]] if divisors else [])]:
        goal = mul(*unit, sub(forms[left].right, forms[right].right))
        polys = [poly(goal), *(poly(sub(th.left, th.right)) for th in ths)]
        space = Space(polys)
        target, *placed = map(space.place, polys)
        found = cofactors(target, placed + space.free, most)
        if found is not None:
            parts = [(space.back(c), th) for c, th in zip(found, ths, strict=False) if c]
            middle = P.combine(forms[left].right, forms[right].right, parts, unit, signs)
            return P.combine(left, right, [(ONE, forms[left]), (ONE, middle), (neg(ONE), forms[right])])
    raise NotFound("no combination was found")


def antiderivative(P: Proof, left: Term, right: Term, f: Term) -> Theorem:
    """The integral ``left`` = right, by a function f with the integrand as its derivative."""
    if left.head != "int":
        raise NotFound("not an integral")
    x = next((x for x in ordered(letters(f)) if x.data[0] == left.hint), var(left.hint, "R"))
    whole = P.step("fundamental", f, x, left.hint, *left.args[:2], [])
    same_body = P.over(left, identity(P, at(left, x), at(whole.left, x), False), x)
    value = identity(P, whole.right, right)
    return P.combine(left, right, [(ONE, same_body), (ONE, whole), (ONE, value)])
