"""Constants in front of sums and integrals; sums from 0 on, as long as a symbol says, other terms apart."""

from __future__ import annotations

from fractions import Fraction

from ..kernel.calculus import continuous
from ..kernel.domains import along, lies
from ..kernel.ring import UNIT, UNITY, canon, poly, same, term
from ..kernel.terms import ONE, ZERO, Term, add, at, bind, letters, neg, num, sub, substitute, var
from ..kernel.theorem import Theorem
from .lemmas import count
from .normal import monomials, normal, redex
from .proof import Proof

MOST_TERMS = 64


def index(s: Term) -> Term:
    """A letter for the body of a binder, named as its author did where that is free."""
    return unused(s.hint, along(s), s)


def unused(name: str, domain: str, *terms: Term) -> Term:
    """A letter of this name, or with a number behind it, that stands in none of the terms."""
    taken = {x.data[0] for x in letters(*terms)}
    names = (name, *(f"{name}{k}" for k in range(len(taken) + 1)))
    return var(next(n for n in names if n not in taken), domain)


@redex("prod", "max")
def _body(P: Proof, s: Term) -> Theorem | None:
    x = index(s)
    th = normal(P, at(s, x))
    return None if th.right == canon(th.left) else P.over(s, th, x)


def with_ends(s: Term, lo: Term, hi: Term) -> Term:
    """The same over another range."""
    return Term(s.head, (), (canon(lo), canon(hi), s.args[2]), s.hint)


@redex("sum")
def _sum(P: Proof, s: Term) -> Theorem | None:
    inner = _body(P, s)
    if inner is not None:
        return inner
    lo, hi = s.args[:2]
    length = poly(add(sub(hi, lo), ONE))
    n, off = length.get(UNIT, (Fraction(0), Fraction(0)))
    symbol = term({m: c for m, c in length.items() if m != UNIT})
    if off or n.denominator != 1 or abs(n) > MOST_TERMS or not lies(lo, "Z"):
        return _linear(P, s)
    if symbol == ZERO:
        return _few(P, s, int(n))
    if not (lies(symbol, "N") and lies(add(symbol, num(n)), "N")):
        return _linear(P, s)
    if lo != ZERO:
        return P.axiom("shift", s, canon(neg(lo)))
    last = canon(sub(symbol, ONE))
    if n > 0:
        return P.axiom("split", s, last)
    if n < 0:
        whole = P.axiom("split", with_ends(s, ZERO, last), hi)
        rest = whole.right.args[1]
        return P.combine(s, sub(whole.left, rest), [(neg(ONE), whole)])
    return _linear(P, s)


def _few(P: Proof, s: Term, n: int) -> Theorem:
    """A sum of n terms written out."""
    if n <= 0:
        return P.axiom("empty", s)
    if n == 1:
        return P.axiom("single", s)
    cut = P.axiom("split", s, s.args[0])
    first, rest = cut.right.args
    rest = with_ends(s, *rest.args[:2])
    both = P.axiom("single", first), _few(P, rest, n - 1)
    return P.combine(s, add(*(th.right for th in both)), [(ONE, cut), *((ONE, th) for th in both)])


def _linear(P: Proof, s: Term) -> Theorem | None:
    """Constants in front, terms apart."""
    x, (lo, hi) = index(s), s.args[:2]
    parts, values = [], []
    p = poly(at(s, x))
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


@redex("int")
def _integral(P: Proof, s: Term) -> Theorem | None:
    return _body(P, s) or _linear(P, s)
