"""Sums, products, maxima and integrals in normal form.

Constants stand in front of sums and integrals; sums run from 0 on, as long as a symbol says, other terms
apart; sums of a(i + 1) from 0 on become those of a(i); a few terms are written out.

And equations between those that occur, ``RELATED``: a longer range by a shorter one and the rest; sums of
sums in another order; products of consecutive numbers, such as n!, by what they have in common; integrals
from a common start.
"""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import permutations

from ..kernel import Refused
from ..kernel.calculus import continuous
from ..kernel.domains import lies
from ..kernel.ring import NONE, UNIT, UNITY, canon, poly, same, term
from ..kernel.terms import ONE, ZERO, Term, add, bind, letters, mul, neg, num, sub, substitute, subterms
from ..kernel.theorem import Theorem
from .lemmas import count, reverse
from .normal import closed, monomials, normal, redex, taken_apart
from .proof import MINUS, Proof, indexed

MOST_TERMS, MOST_ORDERS = 64, 24
NOTHING = (Fraction(0), Fraction(0))


@redex("sum", "prod", "int", "max")
def _body(P: Proof, s: Term) -> Theorem | None:
    x, body = indexed(s)
    th = normal(P, body)
    return None if th.right == canon(th.left) else P.over(s, th, x)


def with_ends(s: Term, lo: Term, hi: Term) -> Term:
    """The same over another range."""
    return Term(s.head, (), (canon(lo), canon(hi), s.args[2]), s.hint)


@redex("sum", "prod", "max")
def _from_zero(P: Proof, s: Term) -> Theorem | None:
    """A few terms written out; from 0 on, other sums to a symbol, other products but for k (k + 1) ... n."""
    (lo, hi), (symbol, n) = s.args[:2], _length(s) or (None, 0)
    if symbol == ZERO and s.head != "max":
        return _few(P, s, n)
    if s.head != "sum":
        moved = lo != ZERO and s.args[2].head != "bv" and lies(lo, "Z")
        return P.axiom("shift", s, neg(lo)) if moved else None
    if symbol is None or not (lies(symbol, "N") and lies(add(symbol, num(n)), "N")):
        return _linear(P, s)
    if lo != ZERO:
        return P.axiom("shift", s, canon(neg(lo)))
    last = canon(sub(symbol, ONE))
    if n > 0:
        return P.axiom("split", s, last)
    if n < 0:
        whole = P.axiom("split", with_ends(s, ZERO, last), hi)
        rest = whole.right.args[1]
        return P.combine(s, sub(whole.left, rest), [(MINUS, whole)])
    return _linear(P, s)


def _length(s: Term) -> tuple[Term, int] | None:
    """How many terms there are: a symbol, and a number more; None if it is another number, or a large one."""
    lo, hi = s.args[:2]
    length = poly(add(sub(hi, lo), ONE))
    n, off = length.get(UNIT, NOTHING)
    if off or n.denominator != 1 or abs(n) > MOST_TERMS or not lies(lo, "Z"):
        return None
    return term({m: c for m, c in length.items() if m != UNIT}), int(n)


def _few(P: Proof, s: Term, n: int) -> Theorem:
    """A sum or product of n terms written out."""
    if n <= 0:
        return P.axiom("empty", s)
    if n == 1:
        return P.axiom("single", s)
    cut = P.axiom("split", s, s.args[0])
    first, rest = cut.right.args
    rest = with_ends(s, *rest.args[:2])
    each = [P.axiom("single", first), _few(P, rest, n - 1)]
    if s.head == "sum":
        return P.combine(s, add(*(th.right for th in each)), [(ONE, cut), *((ONE, th) for th in each)])
    th = P.combine(s, mul(first, rest), [(ONE, cut)])
    return P.step("rewrite", th, each, mul(*(th.right for th in each)))


@redex("int")
def _linear(P: Proof, s: Term) -> Theorem | None:
    """Constants in front, terms apart."""
    (x, whole), (lo, hi) = indexed(s), s.args[:2]
    parts, values = [], []
    p = poly(whole)
    for powers, exponent in monomials(p):
        inside = frozenset(pair for pair in powers if x in letters(pair[0]))
        inner = frozenset(item for item in exponent if x in letters(term(dict([item]))))
        front = term({(powers - inside, exponent - inner): p[powers, exponent]})
        body = term({(inside, inner): UNITY})
        if s.head == "int" and not continuous(body, x):
            return None
        parts.append((front, bind(s.head, s.hint, lo, hi, x, body)))
        if body == ONE and s.head == "int":
            if lies(lo, x.data[1]) and lies(hi, x.data[1]):
                values.append(P.step("fundamental", x, x, s.hint, lo, hi, []))
        elif body == ONE and lies(lo, "Z") and lies(add(sub(hi, lo), ONE), "N"):
            values.append(count(P, s.hint, lo, hi))
    if not parts:
        parts.append((ZERO, bind(s.head, s.hint, lo, hi, x, ONE)))
    eq = P.axiom("linear", s.head, lo, hi, parts)
    if values:
        right = substitute(eq.right, {value.left: value.right for value in values})
        return P.combine(s, right, [(ONE, P.rewrite(eq, values, right))])
    return None if same(s, eq.right) else P.combine(s, eq.right, [(ONE, eq)])


def offset(s: Term) -> int:
    """The least k in the values a(i + k) and divisors i + k of the body; 0 if there are none."""
    x, body = indexed(s)
    found = []
    for t in subterms(body):
        for a in t.args if t.head in ("app", "inv") and not t.loose else ():
            p = poly(a)
            (k, i), (slope, j) = p.get(UNIT, NOTHING), p.get((frozenset([(x, 1)]), NONE), NOTHING)
            if slope and not i and not j and (k / slope).denominator == 1:
                found.append(int(k / slope))
    return min(found, default=0)


@redex("sum")
def _from_the_first(P: Proof, s: Term) -> Theorem | None:
    """sum over 0..n - 1 of b(i + k) = sum over 0..n - 1 of b, k terms behind more, k terms before less."""
    lo, hi = s.args[:2]
    k, n = offset(s), canon(add(hi, ONE))
    if lo != ZERO or not k or not lies(n, "N") or n.head == "num":
        return None
    moved = P.axiom("shift", s, num(k))
    last, over = canon(add(hi, num(k))), partial(with_ends, moved.right)
    if k > 0:
        whole, cuts, other = over(ZERO, last), (num(k - 1), hi), over(ZERO, num(k - 1))
    else:
        whole, cuts, other = over(num(k), hi), (last, num(-1)), over(add(last, ONE), hi)
    here, there = (P.axiom("split", whole, cut) for cut in cuts)
    return P.combine(s, sub(canon(there.right), other), [(ONE, moved), (MINUS, here), (ONE, there)])


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
