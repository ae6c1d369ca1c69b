"""Signs that are not read off: of e^a - e^b, of its inverse, of sums term by term."""

from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from math import prod

from ..kernel.domains import lies
from ..kernel.ring import canon, poly, term
from ..kernel.terms import ONE, ZERO, Term, fun, mul, neg, num, power, sub
from ..kernel.theorem import Theorem
from .lemmas import tangent
from .normal import less, monomials, normal, ordered
from .proof import MINUS, NotFound, Proof, indexed


def signed(P: Proof, d: Term) -> Theorem | None:
    """0 < d or 0 < -d, for d = c (e^a - e^b) and a - b > 0, since e^u >= 1 + u."""
    p = poly(d)
    if len(p) != 2 or any(powers for powers, _ in p) or sum((c for c, _ in p.values()), Fraction(0)) != 0:
        return None
    for high, low in permutations(monomials(p)):
        a, b, c = term(dict(high[1])), term(dict(low[1])), p[high]
        u = canon(sub(a, b))
        if not c[1] and lies(u, ">0"):
            right = d if c[0] > 0 else neg(d)
            weight = mul(num(abs(c[0])), fun("exp", b))
            return P.adding(ZERO, "<", right, [(weight, tangent(P, u))], mul(weight, u))
    return None


def signs(P: Proof, t: Term, strict: bool = False) -> list[Theorem]:
    """0 <= t, for the signs of a rule; 0 < t, if ``strict``, where that is found; [] if the kernel sees it.

    Raises:
        NotFound: if it is not found.
    """
    if lies(t, ">0" if strict else ">=0"):
        return []
    with suppress(NotFound):
        return [_monomials(P, t, strict)]
    return signs(P, t) if strict else [_as_written(P, t)]


def _as_written(P: Proof, t: Term) -> Theorem:
    """0 <= t for sums and products of such, and what runs over them, whose normal form has other signs."""
    if lies(t, ">=0"):
        return P.adding(ZERO, "<=", t, [], t)
    if t.head in ("sum", "int"):
        x, body = indexed(t)
        th = P.over(t, P.adding(ZERO, "<=", body, [], body, signs(P, body)), x)
        return P.adding(ZERO, "<=", t, [(ONE, th), (MINUS, normal(P, th.left))])
    if t.head not in ("+", "*"):
        raise NotFound(f"{t} may be negative")
    first, *others = (_as_written(P, a) for a in t.args)
    if t.head == "+":
        return P.adding(ZERO, "<=", t, [(ONE, th) for th in (first, *others)])
    for th in others:
        first = P.adding(ZERO, "<=", mul(first.right, th.right), [(first.right, th)], ZERO, [first])
    return P.adding(ZERO, "<=", t, [(ONE, first)])


def _monomials(P: Proof, t: Term, strict: bool) -> Theorem:
    form = normal(P, t)
    p = poly(form.right)
    found = [_monomial(P, term({m: p[m]})) for m in monomials(p)]
    if strict and all(th.relation == "<=" for th in found):
        raise NotFound(f"{t} may be 0")
    return P.adding(ZERO, "<" if strict else "<=", t, [*((ONE, th) for th in found), (MINUS, form)])


def _monomial(P: Proof, t: Term) -> Theorem:
    """0 < t or 0 <= t for a product, one factor after another."""
    ((powers, _),) = poly(t)
    hard = ordered(a for a, k in powers if k % 2 and not lies(a, ">=0"))
    factors = [_factor(P, a) for a in hard]
    sign = num(prod(sign for _, sign in factors))
    rest = canon(mul(sign, term(less(poly(t), dict.fromkeys(hard, 1)))))
    if not lies(rest, ">=0"):
        raise NotFound(f"{t} may be negative")
    relation = "<" if lies(rest, ">0") else "<="
    th = P.adding(ZERO, relation, rest, [], rest)
    for said, _ in factors:
        th = P.adding(ZERO, relation, mul(th.right, said.right), [(th.right, said)], ZERO, [th])
    return th


def _factor(P: Proof, a: Term) -> tuple[Theorem, int]:
    """0 < a or 0 < -a, with that sign; from 0 < d, d = u - v, also 0 < inv u <= inv d."""
    d = a.args[0] if a.head == "inv" else a
    said = signed(P, d)
    if said is None:
        raise NotFound(f"{a} may be negative")
    if a != d:
        d = said.right
        inverse, unit = fun("inv", d), P.axiom("inverse", d, signs=[said])
        at_least = P.adding(ZERO, "<=", inverse, [(power(inverse, 2), said), (inverse, unit)])
        p = poly(d)
        u = next(term({m: p[m]}) for m in monomials(p) if p[m][0] > 0)
        v, least = sub(u, d), fun("inv", u)
        said = P.adding(ZERO, "<", inverse, [(mul(least, v), at_least), (neg(least), unit)], least)
    return said, 1 if poly(said.right) == poly(a) else -1
