"""A normal form beyond the kernel's `ring`: each rewriting is an axiom's row, or follows from one.

`normal(P, t)` proves t = n. Moduli, roots and logarithms of products are taken apart; e^(n log b) is b^n;
phases lose whole turns; x inv x is 1 where x cannot vanish; constants leave sums and integrals, sums start at
0 and have as many terms as a symbol says, the others stand apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor, isqrt

from ..kernel.calculus import continuous
from ..kernel.domains import lies
from ..kernel.ring import NONE, UNIT, UNITY, Monomial, Poly, canon, poly, same, term
from ..kernel.terms import (
    ONE,
    PI,
    ZERO,
    Refused,
    Term,
    add,
    at,
    bind,
    fun,
    letters,
    mul,
    neg,
    num,
    power,
    sub,
    substitute,
    var,
)
from ..kernel.theorem import Theorem
from .proof import Proof

MOST_TERMS = 64
MOST_STEPS = 60


def normal(P: Proof, t: Term) -> Theorem:
    """t = its normal form."""
    if t in P.normal:
        return P.normal[t]
    th = P.ring(t, canon(t))
    for _ in range(MOST_STEPS):
        equations = list(_redexes(P, th.right, set()))
        if not equations:
            break
        right = th.right
        for eq in equations:
            right = substitute(right, {eq.left: eq.right})
        th = P.step("rewrite", th, equations, canon(right))
    P.normal[t] = th
    P.normal.setdefault(th.right, P.ring(th.right, th.right))
    return th


def _redexes(P: Proof, t: Term, seen: set[Term]) -> Iterator[Theorem]:
    """Equations for the innermost closed subterms of t that are not in normal form."""
    if t in seen or t.loose:
        return
    seen.add(t)
    if t in P.normal and P.normal[t].right == t:
        return
    found = False
    for a in t.args:
        for eq in _redexes(P, a, seen):
            found = True
            yield eq
    if not found:
        own = _redex(P, t)
        if own is not None:
            yield own


def _redex(P: Proof, t: Term) -> Theorem | None:
    try:
        return RULES[t.head](P, t) if t.head in RULES else None
    except Refused:
        return None


# Numbers


def geometric(P: Proof, k: int, eq: Theorem, rest: Term) -> tuple[Term, Theorem]:
    """The part (cofactor, eq) that makes a^k rest - b^k rest of a = b."""
    a, b = eq.left, eq.right
    return mul(rest, add(*(mul(power(a, j), power(b, k - 1 - j)) for j in range(k)))), eq


def _inverted(P: Proof, eq: Theorem) -> Theorem:
    """a = b: inv a = inv b."""
    inv = fun("inv", eq.left)
    return P.step("rewrite", P.ring(inv, inv), [eq], fun("inv", eq.right))


def _square(P: Proof, t: Term) -> Theorem | None:
    """|z|^k and (sqrt z)^k by their squares."""
    base, k = t.args[0], t.data[0]
    inner = base.args[0] if base.head == "inv" else base
    if k < 2 or inner.head not in ("abs", "sqrt"):
        return None
    eq = P.axiom("modulus" if inner.head == "abs" else "root", inner.args[0])
    eq = eq if inner == base else _inverted(P, eq)
    rest = power(base, k % 2)
    return P.combine(t, canon(mul(power(eq.right, k // 2), rest)), [geometric(P, k // 2, eq, rest)])


def monomials(p: Poly) -> Iterator[tuple[Monomial, Term]]:
    for m, c in p.items():
        yield m, term({m: c})


def _size(z: complex | tuple[Fraction, Fraction]) -> Term:
    re, im = z  # type: ignore[misc]
    if not re or not im:
        return num(abs(re + im))
    square = re * re + im * im
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return num(root) if root * root == square else fun("sqrt", num(square))


def _modulus(P: Proof, t: Term) -> Theorem | None:
    """|c a b (p + q)| = |c| |a| |b| |p + q|, |e^p| = e^(re p)."""
    z = t.args[0]
    p = poly(z)
    if lies(z, ">=0"):
        goal = z
    elif lies(neg(z), ">=0"):
        goal = neg(z)
    else:
        first = next(iter(p))
        common = {a: min(dict(m[0]).get(a, 0) for m in p) for a, _ in first[0]} if p else {}
        common = {a: k for a, k in common.items() if k}
        exponent = min((e for _, e in p), key=lambda e: (bool(e), term(dict(e)).text))
        if exponent:
            p = poly(mul(z, fun("inv", fun("exp", term(dict(exponent))))))
        inside, c = _without(p, common)
        real_part = mul(num(Fraction(1, 2)), add(e := term(dict(exponent)), fun("conj", e)))
        factors = [_size(c), fun("exp", real_part)]
        for a, k in common.items():
            b = a.args[0] if a.head == "conj" else a
            if b.head == "inv":
                factors.append(power(fun("inv", fun("abs", b.args[0])), k))
            else:
                factors.append(
                    power(b if lies(b, ">=0") or (k % 2 == 0 and lies(b, "R")) else fun("abs", b), k)
                )
        if len(p) > 1:
            factors.append(fun("abs", inside))
        goal = mul(*factors)
    goal = canon(goal)
    if goal == t:
        return None
    squares = P.joined(normal(P, power(goal, 2)), normal(P, mul(z, fun("conj", z))))
    square = P.axiom("modulus", z)
    eq = P.combine(power(t, 2), power(goal, 2), [(ONE, square), (neg(ONE), squares)])
    return P.step("roots", eq, [])


def _without(p: Poly, common: dict[Term, int]) -> tuple[Term, tuple[Fraction, Fraction]]:
    """p without its common atoms and a coefficient; of p and its conjugate that which is written first."""
    q = {
        (frozenset((a, k - common.get(a, 0)) for a, k in powers if k != common.get(a, 0)), e): c
        for (powers, e), c in p.items()
    }
    if len(q) == 1:
        return ONE, next(iter(q.values()))
    ways = []
    for way in (term(q), canon(fun("conj", term(q)))):
        terms = poly(way)
        lead = terms[min(terms, key=lambda m: term({m: UNITY}).text)]
        if lead[0] and lead[1]:
            lead = UNITY
        ways.append((canon(mul(fun("inv", num(*lead)), way)), lead))
    return min(ways, key=lambda way: way[0].text)


def _root(P: Proof, t: Term) -> Theorem | None:
    return P.axiom("root_as_power", t.args[0]) if lies(t.args[0], ">0") else None


def _power(P: Proof, t: Term) -> Theorem | None:
    return P.axiom("powers", *t.args) if lies(t.args[0], "!=0") else None


def _real(P: Proof, t: Term) -> Theorem | None:
    return P.axiom("real", t.args[0]) if lies(t.args[0], "R") else None


def _primes(q: Fraction) -> Iterator[tuple[int, int]]:
    for n, sign in ((q.numerator, 1), (q.denominator, -1)):
        prime = 2
        while n > 1:
            if n % prime == 0:
                yield prime, sign
                n //= prime
            else:
                prime += 1


def _logarithm(P: Proof, t: Term) -> Theorem | None:
    """log of a positive monomial, by its factors."""
    p = poly(t.args[0])
    if len(p) != 1 or not lies(t.args[0], ">0"):
        return None
    (((powers, exponent), c),) = p.items()
    parts = [term(dict(exponent))] + [mul(num(sign), fun("log", num(q))) for q, sign in _primes(c[0])]
    for a, k in powers:
        b, sign = (a.args[0], -1) if a.head == "inv" else (a, 1)
        if not lies(b, ">0"):
            return None
        parts.append(mul(num(sign * k), fun("log", b)))
    goal = canon(add(*parts))
    if goal == t:
        return None
    eq = P.joined(P.axiom("logarithm", t.args[0]), normal(P, fun("exp", goal)))
    return P.step("exponents", eq, [])


def _phase(P: Proof, t: Term) -> Theorem | None:
    """e^(n log b + p) = b^n e^p; whole and quarter turns leave an exponent."""
    for (powers, inner), (re, im) in poly(t.args[0]).items():
        if inner:
            continue
        rest = dict(powers)
        if len(rest) == 1 and (log := next(iter(rest))).head == "log" and rest[log] == 1 and floor(re):
            if not lies(log.args[0], "!=0"):
                continue
            eq, n = P.axiom("logarithm", log.args[0]), floor(re)
            return _taken_out(P, t, eq if n > 0 else _inverted(P, eq), abs(n))
        if rest.pop(PI, 0) != 1 or not im:
            continue
        whole = term({(frozenset(rest.items()), NONE): UNITY})
        if not rest and (n := floor(im * 2) % 4):
            return _taken_out(P, t, P.axiom("quarter_turn"), n)
        half = Fraction(1 if lies(mul(num(Fraction(1, 2)), whole), "Z") else 2)
        if lies(whole, "Z") and (n := floor(im / half)):
            return _taken_out(P, t, P.axiom("turns", mul(num(n * half / 2), whole)), 1)
    return None


def _taken_out(P: Proof, t: Term, eq: Theorem, n: int) -> Theorem:
    """t = (t / a^n) b^n, for a = b with an exponential a."""
    rest = canon(mul(t, power(fun("inv", eq.left), n)))
    return P.combine(t, canon(mul(rest, power(eq.right, n))), [geometric(P, n, eq, rest)])


def _cancelled(P: Proof, t: Term) -> Theorem | None:
    """x inv x = 1 where x is known not to vanish; the leading part of a sum against the sum's inverse."""
    p = poly(t)
    if len(p) != 1:
        return None
    (((powers, exponent), c),) = p.items()
    have = dict(powers)
    for a, k in powers:
        if a.head != "inv" or not lies(a.args[0], "!=0"):
            continue
        for b in have:
            if b.head == "inv" and b.text < a.text and lies(b.args[0], "!=0"):
                eq_or_none = _apart(P, t, a, b)
                if eq_or_none is not None:
                    return eq_or_none
        d = poly(a.args[0])
        lead = _leading(d)
        if lead[1] or lead == UNIT or any(have.get(b, 0) < k for b, k in lead[0]):
            continue
        left = dict(have)
        for b, k in [*lead[0], (a, 1)]:
            left[b] -= k
        size = d[lead][0] ** 2 + d[lead][1] ** 2
        rest = mul(
            num(d[lead][0] / size, -d[lead][1] / size),
            term({(frozenset((b, k) for b, k in left.items() if k), exponent): c}),
        )
        eq = P.axiom("inverse", a.args[0])
        new = canon(add(t, mul(rest, sub(ONE, eq.left))))
        return P.combine(t, new, [(rest, eq)])
    return None


def _leading(d: Poly) -> Monomial:
    return max(d, key=lambda m: (sum(k for _, k in m[0]), sorted(b.text for b, _ in m[0])))


def _apart(P: Proof, t: Term, a: Term, b: Term) -> Theorem | None:
    """inv a inv b = (inv b - c inv a) / k, where a - c b = k is a number."""
    p, q = poly(a.args[0]), poly(b.args[0])
    lead = _leading(p)
    if lead == UNIT or lead not in q or (p[lead][1], q[lead][1]) != (0, 0):
        return None
    c = num(p[lead][0] / q[lead][0])
    k = canon(sub(a.args[0], mul(c, b.args[0])))
    if k.head != "num" or k == ZERO:
        return None
    (((powers, exponent), c0),) = poly(t).items()
    left = frozenset((s, n - (s in (a, b))) for s, n in powers if n > (s in (a, b)))
    rest = mul(term({(left, exponent): c0}), fun("inv", k))
    parts = [
        (mul(rest, b), P.axiom("inverse", a.args[0])),
        (neg(mul(rest, c, a)), P.axiom("inverse", b.args[0])),
    ]
    return P.combine(t, canon(mul(rest, sub(b, mul(c, a)))), parts)


# Sums and integrals


def index(s: Term, *others: Term) -> Term:
    """A letter for the body of a binder, named as its author did where that is free."""
    if s.head == "int":
        domain = "R+" if lies(s.args[0], ">0") and lies(s.args[1], ">0") else "R"
    else:
        domain = next(d for d in ("N+", "N", "Z") if d == "Z" or lies(s.args[0], d))
    taken = {x.data[0] for x in letters(s, *others)}
    name = next(n for n in (s.hint, *(f"{s.hint}{k}" for k in range(len(taken) + 1))) if n not in taken)
    return var(name, domain)


def _body(P: Proof, s: Term) -> Theorem | None:
    x = index(s)
    th = normal(P, at(s, x))
    return None if th.right == canon(th.left) else P.over(s, th, x)


def _with_ends(s: Term, lo: Term, hi: Term) -> Term:
    return Term(s.head, (), (canon(lo), canon(hi), s.args[2]), s.hint)


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
        whole = P.axiom("split", _with_ends(s, ZERO, last), hi)
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
    rest = _with_ends(s, *rest.args[:2])
    both = P.axiom("single", first), _few(P, rest, n - 1)
    return P.combine(s, add(*(th.right for th in both)), [(ONE, cut), *((ONE, th) for th in both)])


def _linear(P: Proof, s: Term) -> Theorem | None:
    """Constants in front, terms apart."""
    x, (lo, hi) = index(s), s.args[:2]
    parts, values = [], []
    for (powers, exponent), c in poly(at(s, x)).items():
        inside = frozenset(pair for pair in powers if x in letters(pair[0]))
        inner = frozenset(item for item in exponent if x in letters(term(dict([item]))))
        front = term({(powers - inside, exponent - inner): c})
        body = term({(inside, inner): UNITY})
        if s.head == "int" and not continuous(body, x):
            return None
        parts.append((front, bind(s.head, s.hint, lo, hi, x, body)))
        if body == ONE and s.head == "int":
            if lies(lo, x.data[1]) and lies(hi, x.data[1]):
                values.append(P.step("fundamental", x, x, s.hint, lo, hi, []))
        elif body == ONE and lies(lo, "Z") and lies(add(sub(hi, lo), ONE), "N"):
            values.append(P.axiom("count", s.hint, lo, hi))
    if not parts:
        return None
    eq = P.axiom("linear", s.head, lo, hi, parts)
    if values:
        right = substitute(eq.right, {value.left: value.right for value in values})
        return P.combine(s, right, [(ONE, P.step("rewrite", eq, values, right))])
    return None if same(s, eq.right) else P.combine(s, eq.right, [(ONE, eq)])


def _integral(P: Proof, s: Term) -> Theorem | None:
    return _body(P, s) or _linear(P, s)


RULES: dict[str, Callable[[Proof, Term], Theorem | None]] = {
    "abs": _modulus,
    "^": _square,
    "sqrt": _root,
    "pow": _power,
    "log": _logarithm,
    "exp": _phase,
    "conj": _real,
    "*": _cancelled,
    "sum": _sum,
    "int": _integral,
    "prod": _body,
    "max": _body,
}
