"""One term of a sum, and Kronecker's delta, which picks it.

The sum over j of delta(i, j) a(j) is a(i); delta(i, j) a(i) = delta(i, j) a(j).
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from ..kernel import Refused
from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, ZERO, Term, add, at, bind, fresh, fun, letters, mul, neg, num, sub, substitute
from ..kernel.theorem import Theorem
from .normal import closed, ordered
from .proof import NotFound, Parts, Proof, indexed
from .signs import signs


def at_most(P: Proof, a: Term, b: Term, known: tuple[Theorem, ...] = ()) -> Theorem:
    """a <= b: evident, known, or a condition."""
    for used in ((), *((th,) for th in known)):
        rest = canon(sub(b, add(a, *(sub(th.right, th.left) for th in used))))
        with suppress(Refused):
            return P.adding(a, "<=", b, [(ONE, th) for th in used], rest)
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


def one_term(P: Proof, left: Term, right: Term) -> Iterator[Theorem]:
    """a(e) <= sum a, for terms that are not negative, e in the range; a condition, if that is not evident."""
    places = ordered(s for s in closed([left]) if lies(s, "Z"))
    for s in closed([right], "sum"):
        for e in places:
            bounds = [at_most(P, s.args[0], e), at_most(P, e, s.args[1])]
            with suppress(Refused, NotFound):
                parts, before, behind = taken_out(P, s, e, bounds)
                minus, rest = [(neg(c), th) for c, th in parts], add(before, behind)
                yield P.adding(at(s, e), "<=", s, minus, rest, signs(P, rest))


def _has_delta(t: Term) -> bool:
    return "(delta " in t.text


def collapsed(P: Proof, t: Term, known: tuple[Theorem, ...] = ()) -> Theorem:
    """t = t without the sums over a delta's index; ``known`` says where the letters lie."""
    th = P.ring(t, t)
    for s in closed([t], "sum"):  # none that stood in another
        there = _has_delta(s) and s in closed([th.right], "sum")
        if there and (eq := _collapsed(P, s, known)) is not None:
            th = P.step("rewrite", th, [eq], substitute(th.right, {s: eq.right}))
    return th


def _collapsed(P: Proof, s: Term, known: tuple[Theorem, ...]) -> Theorem | None:
    (x, start), (lo, hi) = indexed(s), s.args[:2]
    bounds = (P.step("assume", [], lo, "<=", x), P.step("assume", [], x, "<=", hi))
    inner = collapsed(P, start, (*known, *bounds))
    products = [mul(*factors) for factors in _expanded(inner.right)]
    body = P.combine(inner.left, add(*products), [(ONE, inner)])
    th = P.over(s, body, x)
    sums = [bind("sum", s.hint, lo, hi, x, a) for a in products]
    apart = P.axiom("linear", "sum", lo, hi, [(ONE, a) for a in sums])
    th = P.combine(s, add(*sums), [(ONE, th), (ONE, apart)])
    values = [eq for a in sums if (eq := _picked(P, a, x, known)) is not None]
    if not values and inner.right == inner.left:
        return None
    right = substitute(th.right, {eq.left: eq.right for eq in values})
    return P.step("rewrite", th, values, right)


def _expanded(t: Term) -> list[list[Term]]:
    """The products that t is the sum of, each by its factors; sums without a delta stay."""
    if t.head in ("+", "*") and _has_delta(t):
        parts = [_expanded(a) for a in t.args]
        if t.head == "+":
            return [factors for part in parts for factors in part]
        return [[a for factors in choice for a in factors] for choice in product(*parts)]
    if t.head == "conj" and _has_delta(t):
        each = _expanded(t.args[0])
        return [[a if lies(a, "R") else fun("conj", a) for a in factors] for factors in each]
    return [[t]]


def _picked(P: Proof, s: Term, x: Term, known: tuple[Theorem, ...]) -> Theorem | None:
    """The sum over x of delta(x, e) g(x) = g(e), e an integer in the range; a condition, if not known."""
    body, (lo, hi) = at(s, x), s.args[:2]
    factors = body.args
    for k, delta in enumerate(factors):
        if delta.head != "delta" or x not in letters(delta):
            continue
        gap = sub(*delta.args)
        e = next((e for e in map(canon, (sub(x, gap), add(x, gap))) if x not in letters(e)), x)
        if e == x or not lies(e, "Z"):
            continue
        rest = mul(*factors[:k], *factors[k + 1 :])
        bounds = [at_most(P, lo, e, known), at_most(P, e, hi, known)]
        parts, first, tail = taken_out(P, s, e, bounds)  # one term, between two sums of zeros
        parts += [(ONE, _zero(P, first, e, -1)), (ONE, _zero(P, tail, e, 1))]
        return P.combine(s, substitute(rest, {x: e}), parts)
    return None


def _zero(P: Proof, s: Term, e: Term, side: int) -> Theorem:
    """A sum of delta(x, e) ... over x < e, or over x > e, is 0."""
    x, body = indexed(s)
    gap, low, high = (sub(e, x), x, s.args[1]) if side < 0 else (sub(x, e), s.args[0], x)
    th = P.step("assume", [], low, "<=", high)
    apart = P.adding(ZERO, "<", gap, [(ONE, th)], ONE)
    eq = P.axiom("inverse", gap, signs=[apart])
    own = canon(fun("delta", gap, ZERO))
    delta = next(a for a in body.args if a.head == "delta" and x in letters(a) and canon(a) == own)
    rest = mul(*(a for a in body.args if a is not delta))
    zero = P.over(s, P.combine(body, mul(ZERO, body), [(neg(rest), eq)]), x)
    nothing = P.axiom("linear", "sum", *s.args[:2], [(ZERO, s)])
    return P.combine(s, ZERO, [(ONE, zero), (ONE, nothing)])


def placed(P: Proof, t: Term) -> Theorem:
    """t = t with the number c for the letter x wherever delta(x, c) stands before it."""
    th = P.ring(t, t)
    if any(x.head == "num" for delta in closed([t], "delta") for x in delta.args):
        products = [_at_number(P, factors) for factors in _expanded(t)]
        th = P.combine(t, add(*(eq.right for eq in products)), [(ONE, eq) for eq in products])
    return th


def _at_number(P: Proof, factors: list[Term]) -> Theorem:
    """A product of these, with the letters of its deltas replaced one after another, each letter once."""
    th = P.ring(mul(*factors), mul(*factors))
    for k, delta in enumerate(factors):
        u, v = delta.args if delta.head == "delta" else (ZERO, ZERO)
        u, v = (v, u) if u.head == "num" else (u, v)
        if u.head != "var" or v.head != "num" or factors[k] != delta:
            continue
        rest, x = mul(*factors[:k], *factors[k + 1 :]), fresh("C", *factors)
        eq = P.axiom("alike", bind("sum", "i", ZERO, ZERO, x, substitute(rest, {u: x})), u, v)
        factors = [substitute(a, {u: v}) if a is not delta else delta for a in factors]
        th = P.combine(th.left, mul(*factors), [(ONE, th), (ONE, eq)])
    return th


def settled(P: Proof, terms: list[Term], sides: list[Term]) -> tuple[list[Theorem], set[Term]]:
    """What is left of deltas outside sums: their equations, and the divisors that they explain."""
    found, explained = list[Theorem](), set[Term]()
    for delta in closed(terms, "delta"):
        (u, v), gaps = delta.args, closed([canon(delta)], "inv")[:1]
        explained |= {gap.args[0] for gap in gaps}
        x = fresh("C", delta, *sides)
        values = [substitute(a, {u: x}) for a in _values(u, v, sides)]
        for body in (sub(x, v), fun("inv", sub(x, v)), *values) if gaps else ():
            found.append(P.axiom("alike", bind("sum", "i", ZERO, ZERO, x, body), u, v))
    return found, explained


def _values(u: Term, v: Term, sides: list[Term]) -> list[Term]:
    """The values of functions at u that also occur at v, and the exponentials that are 1 there."""
    every = closed(sides, "app", "exp")
    moved = [(s, substitute(s, {u: v})) for s in every]
    return [s for s, t in moved if s != t and (t in every or canon(t) == ONE)]
