"""Certificates for equations: identities, consequences of premises, antiderivatives, induction."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from ..kernel import Refused
from ..kernel.domains import lies
from ..kernel.ring import canon, poly
from ..kernel.terms import ONE, ZERO, Term, add, at, fun, has_words, letters, mul, num, sub, substitute, var
from ..kernel.theorem import Theorem
from . import matrices
from .deltas import collapsed, placed, settled
from .ideal import Space, cofactors
from .lemmas import parts_of_a_turn
from .normal import closed, normal, ordered, taken_apart
from .proof import MINUS, NotFound, Proof, replaced_by
from .ranges import RELATED
from .signs import signed

Pair = tuple[Term, Term]


def identity(P: Proof, left: Term, right: Term, conditions: bool = True) -> Theorem:
    """left = right; with ``conditions``, where divisors that may vanish do not."""
    return follows(P, left, right, [], conditions=conditions)


def follows(
    P: Proof, left: Term, right: Term, premises: list[Theorem], times: Term = ONE, conditions: bool = True
) -> Theorem:
    """left = right from equations: put in as they stand, or as a combination of them."""
    if has_words(left, right):
        numbers = partial(_combined, P, premises=[], times=ONE, conditions=conditions)
        return matrices.consequence(P, left, right, premises, numbers)
    pair = [P.chain([th, placed(P, th.right)]) for th in (collapsed(P, side) for side in (left, right))]
    picked = any(canon(th.left) != canon(th.right) for th in pair)
    for put in (_put_in, _under) if premises else (_put_in,) * (not picked):
        with suppress(Refused):
            a, b = (put(P, side, premises) for side in (left, right))
            if a.right == b.right:
                return P.joined(a, b)
    if picked:
        th = follows(P, pair[0].right, pair[1].right, premises, times, conditions)
        return P.combine(left, right, [(ONE, pair[0]), (ONE, th), (MINUS, pair[1])])
    return _combined(P, left, right, premises, times, conditions)


def _put_in(P: Proof, side: Term, premises: list[Theorem]) -> Theorem:
    """side = its normal form with the premises' left sides replaced, as written and in normal form."""
    th = P.ring(side, side)
    for eq in premises:
        th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    th = _continued(P, th)
    for eq in [eq for premise in premises for eq in _with_conjugate(P, premise)]:
        form = normal(P, eq.left)
        if form.right.head in ("num", "pi") or form.right == eq.left:
            continue
        eq = P.combine(form.right, eq.right, [(MINUS, form), (ONE, eq)])
        th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    return _continued(P, th)


def _with_conjugate(P: Proof, th: Theorem) -> list[Theorem]:
    """a = b, and conj a = conj b, unless both are real."""
    if lies(th.left, "R") and lies(th.right, "R"):
        return [th]
    left, right = fun("conj", th.left), fun("conj", th.right)
    return [th, P.rewrite(P.ring(left, left), [th], right)]


def _continued(P: Proof, th: Theorem) -> Theorem:
    """th, and the normal form of its right side."""
    return P.chain([th, taken_apart(P, th.right)])


def _under(P: Proof, t: Term, premises: list[Theorem]) -> Theorem:
    """t = t with the premises put in, also under binders, where a premise's letter has the index's name."""
    if t.head in ("sum", "int"):
        for x in ordered(letters(*(s for p in premises for s in (p.left, p.right)))):
            if x.data[0] == t.hint:
                return _continued(P, P.over(t, _under(P, at(t, x), premises), x))
    th = _put_in(P, t, premises)
    for s in closed([th.right], "sum", "int"):
        if s != t:
            with suppress(Refused):
                eq = _under(P, s, premises)
                th = P.rewrite(th, [eq], replaced_by(th.right, [eq]))
    return _continued(P, th)


def _not_zero(P: Proof, d: Term, conditions: bool) -> tuple[Theorem, list[Theorem]]:
    """d inv d = 1, and what says that d is not 0."""
    if lies(d, "!=0"):
        return P.axiom("inverse", d), []
    sign = signed(P, d)
    if sign is None and not conditions:
        raise NotFound(f"{d} may vanish")
    sign, known = (P.step("assume", [], d, "!=", ZERO), d) if sign is None else (sign, sign.right)
    return P.axiom("inverse", known, signs=[sign]), [sign]


def _flat(P: Proof, th: Theorem) -> Theorem:
    """Both sides in normal form."""
    a, b = taken_apart(P, th.left), taken_apart(P, th.right)
    return P.combine(a.right, b.right, [(ONE, th), (MINUS, a), (ONE, b)])


def _combined(
    P: Proof, left: Term, right: Term, premises: list[Theorem], times: Term, conditions: bool
) -> Theorem:
    """A combination of the premises, their conjugates, and d inv d = 1 for the divisors."""
    forms = {side: taken_apart(P, side) for side in (left, right)}
    ths = [eq for th in premises for eq in _with_conjugate(P, _flat(P, th))]
    sides = [th.right for th in forms.values()] + [s for th in ths for s in (th.left, th.right)]
    known, explained = settled(P, [left, right], sides)
    related = [th for find in RELATED for th in find(P, sides)]
    ths += [_flat(P, th) for th in (*known, *related)]
    sides += [s for th in ths for s in (th.left, th.right)]
    below = dict.fromkeys(s.args[0] for s in closed(sides, "inv"))
    inverses = [_not_zero(P, d, conditions) for d in below if poly(d) and d not in explained]
    divisors = [eq.left.args[0] for eq, _ in inverses]
    signs = [sign for _, said in inverses for sign in said]
    ths += [eq for eq, _ in inverses]
    for s in ordered(closed(sides, "abs", "sqrt")):
        ths.append(P.axiom("modulus" if s.head == "abs" else "root", s.args[0]))
    ths += parts_of_a_turn(P, *sides)
    for unit in [[times] if times != ONE else [], *([[times, *divisors, *divisors]] if divisors else [])]:
        goal = mul(*unit, sub(forms[left].right, forms[right].right))
        polys = [poly(goal), *(poly(sub(th.left, th.right)) for th in ths)]
        space = Space(polys)
        target, *placed = map(space.place, polys)
        found = cofactors(target, placed + space.free)
        if found is not None:
            parts = [(space.back(c), th) for c, th in zip(found, ths, strict=False) if c]
            middle = P.combine(forms[left].right, forms[right].right, parts, unit, signs)
            return P.combine(left, right, [(ONE, forms[left]), (ONE, middle), (MINUS, forms[right])])
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


def inductions(
    P: Proof, rows: list[Pair], n: Term, first: Term, premises: list[Theorem], moved: Sequence[Pair] = ()
) -> list[Theorem]:
    """left = right for each row, by one induction: the step from n may use all rows at n.

    With a free letter before each row they are one equation, for all values of these letters. ``moved`` are
    letters and values: the step then supposes the rows for all values of these letters, and uses them there.
    """
    weights = [var(f"row{k}", "C") for k in range(len(rows))] if len(rows) > 1 else []
    left, right = (_weighted(weights, [row[side] for row in rows]) for side in (0, 1))
    hypothesis = P.step("assume", [*weights, *(x for x, _ in moved)], left, "=", right)

    def put(t: Term, value: Term) -> Term:
        return substitute(t, {n: value})

    def together(value: Term, premises: list[Theorem]) -> Theorem:
        found = [follows(P, put(a, value), put(b, value), premises) for a, b in rows]
        return P.combine(put(left, value), put(right, value), list(zip(weights or [ONE], found, strict=True)))

    base = together(first, premises)
    supposed = _apart(P, hypothesis, weights, rows)
    there = [P.step("instantiate", th, moved, []) for th in supposed] if moved else []
    premises = [*supposed, *there, *premises]
    steps = [together(add(n, num(by)), premises) for by in ((1, -1) if n.data[1] == "Z" else (1,))]
    whole = P.step("induct", n, left, "=", right, base, steps, first)
    return _apart(P, whole, weights, rows)


def _weighted(weights: list[Term], sides: list[Term]) -> Term:
    return add(*(mul(w, t) for w, t in zip(weights, sides, strict=True))) if weights else sides[0]


def _apart(P: Proof, th: Theorem, weights: list[Term], rows: list[Pair]) -> list[Theorem]:
    """The rows that are added up with weights: one weight is put to 1, the others to 0."""
    found = []
    for w, (left, right) in zip(weights, rows, strict=False):
        one = P.step("instantiate", th, [(u, num(int(u == w))) for u in weights], [])
        found.append(P.combine(left, right, [(ONE, one)]))
    return found or [th]
