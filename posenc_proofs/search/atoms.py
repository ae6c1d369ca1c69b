"""Moduli and logarithms of products taken apart; e^(n log b) = b^n; phases without whole turns.

And x inv x = 1 where x is known not to vanish; roots, of squares first, and powers, also natural ones of what
may be 0.
"""

from fractions import Fraction
from math import floor, isqrt
from typing import Any

from sympy import Rational, factorrat

from ..kernel.domains import lies
from ..kernel.ring import NONE, UNIT, UNITY, Monomial, Number, Poly, canon, poly, reciprocal, term
from ..kernel.terms import ONE, PI, ZERO, I, Term, add, fun, mul, neg, num, power, sub
from ..kernel.theorem import Theorem
from .ideal import Space
from .lemmas import root_of_square, turns
from .normal import less, monomials, normal, ordered, redex
from .proof import Proof
from .ranges import MOST_TERMS


def geometric(k: int, eq: Theorem, rest: Term) -> tuple[Term, Theorem]:
    """The part (cofactor, eq) that makes a^k rest - b^k rest of a = b."""
    a, b = eq.left, eq.right
    return mul(rest, add(*(mul(power(a, j), power(b, k - 1 - j)) for j in range(k)))), eq


def _inverted(P: Proof, eq: Theorem) -> Theorem:
    """a = b: inv a = inv b."""
    inv = fun("inv", eq.left)
    return P.rewrite(P.ring(inv, inv), [eq], fun("inv", eq.right))


@redex("^")
def _square(P: Proof, t: Term) -> Theorem | None:
    """|z|^k and (sqrt z)^k by their squares."""
    base, k = t.args[0], t.data[0]
    inner = base.args[0] if base.head == "inv" else base
    if k < 2 or inner.head not in ("abs", "sqrt"):
        return None
    eq = P.axiom("modulus" if inner.head == "abs" else "root", inner.args[0])
    eq = eq if inner == base else _inverted(P, eq)
    rest = power(base, k % 2)
    return P.combine(t, canon(mul(power(eq.right, k // 2), rest)), [geometric(k // 2, eq, rest)])


def _size(c: Number) -> Term:
    """|c| of a number."""
    square = c[0] ** 2 + c[1] ** 2
    root = rational_root(square)
    return fun("sqrt", num(square)) if root is None else num(root)


def rational_root(q: Fraction) -> Fraction | None:
    """The root of a number that is not negative, if it is rational."""
    root = Fraction(isqrt(q.numerator), isqrt(q.denominator))
    return root if root * root == q else None


@redex("abs")
def _modulus(P: Proof, t: Term) -> Theorem | None:
    """|c a b (p + q)| = |c| |a| |b| |p + q|, |e^p| = e^(re p)."""
    z = t.args[0]
    goal = canon(next((a for a in (z, neg(z)) if lies(a, ">=0")), None) or _by_factors(z))
    if goal == t:
        return None
    squares = P.joined(normal(P, power(goal, 2)), normal(P, mul(z, fun("conj", z))))
    return P.step("roots", P.joined(P.axiom("modulus", z), squares), [])


def _by_factors(z: Term) -> Term:
    """|z| as the moduli of the atoms and the exponential that all terms of z share, and of what is left."""
    p = poly(z)
    shared = set[Term].intersection(*({a for a, _ in powers} for powers, _ in p))
    common = {a: min(dict(powers)[a] for powers, _ in p) for a in ordered(shared)}
    exponent = term(dict(min((e for _, e in p), key=lambda e: (bool(e), term(dict(e)).text))))
    factors = [fun("exp", fun("re", exponent)), *_left(mul(z, fun("exp", neg(exponent))), common)]
    for a, k in common.items():
        b = min(a, canon(fun("conj", a)), key=lambda z: len(z.text))
        plain = lies(b, ">=0") or (k % 2 == 0 and lies(b, "R"))
        size = fun("inv", fun("abs", b.args[0])) if b.head == "inv" else b if plain else fun("abs", b)
        factors.append(power(size, k))
    return mul(*factors)


def _left(z: Term, common: dict[Term, int]) -> list[Term]:
    """The moduli of a coefficient and of z without it and common atoms; of a sum, or its conjugate."""
    q = less(poly(z), common)
    own, ways = term(q), []
    if len(q) == 1:
        return [_size(*q.values())]
    for way in (own,) if lies(own, "R") else (own, canon(fun("conj", own))):
        terms = poly(way)
        lead = terms[monomials(terms)[0]]
        ways.append((canon(mul(fun("inv", num(*lead)), way)), lead))
    first, lead = min(ways, key=lambda way: way[0].text)  # as they are written
    return [_size(lead), fun("abs", first)]


@redex("erf")
def _erf(P: Proof, t: Term) -> Theorem | None:
    return P.axiom("erf_at_zero") if t.args[0] == ZERO else None


@redex("log")
def _logarithm(P: Proof, t: Term) -> Theorem | None:
    """log of a positive monomial, by its factors."""
    p = poly(t.args[0])
    if len(p) != 1 or not lies(t.args[0], ">0"):
        return None
    (((powers, exponent), c),) = p.items()
    primes = factorrat(Rational(c[0]))
    parts = [term(dict(exponent)), *(mul(num(k), fun("log", num(prime))) for prime, k in primes.items())]
    for a, k in powers:
        b, sign = (a.args[0], -1) if a.head == "inv" else (a, 1)
        parts.append(mul(num(sign * k), fun("log", b)))
    goal = canon(add(*parts))
    if goal == t:
        return None
    eq = P.joined(P.axiom("logarithm", t.args[0]), normal(P, fun("exp", goal)))
    return P.step("exponents", eq, [])


@redex("exp")
def _phase(P: Proof, t: Term) -> Theorem | None:
    """e^(n log b + p) = b^n e^p; whole and quarter turns leave an exponent."""
    p = poly(t.args[0])
    for powers, inner in monomials(p):
        re, im = p[powers, inner]
        if inner:
            continue
        rest = dict(powers)
        log = next(iter(rest), ONE)
        if log.head == "log" and rest == {log: 1} and floor(re) and lies(log.args[0], "!=0"):
            eq, n = P.axiom("logarithm", log.args[0]), floor(re)
            return _taken_out(P, t, eq if n > 0 else _inverted(P, eq), abs(n))
        if rest.pop(PI, 0) != 1 or not im:
            continue
        whole = term({(frozenset(rest.items()), NONE): UNITY})
        if not rest and (n := floor(im * 2) % 4):
            return _taken_out(P, t, P.axiom("quarter_turn"), n)
        half = Fraction(1 if lies(mul(num(Fraction(1, 2)), whole), "Z") else 2)
        if lies(whole, "Z") and (n := floor(im / half)):
            return _taken_out(P, t, turns(P, mul(num(n * half / 2), whole)), 1)
    return None


def _taken_out(P: Proof, t: Term, eq: Theorem, n: int) -> Theorem:
    """t = (t / a^n) b^n, for a = b with an exponential a."""
    rest = canon(mul(t, power(fun("inv", eq.left), n)))
    return P.combine(t, canon(mul(rest, power(eq.right, n))), [geometric(n, eq, rest)])


@redex("*")
def _cancelled(P: Proof, t: Term) -> Theorem | None:
    """x inv x = 1 where x is known not to vanish; the leading part of a sum against the sum's inverse."""
    ((powers, _),) = poly(t)
    have = dict(powers)
    for a in ordered(have):
        if a.head != "inv" or not lies(a.args[0], "!=0"):
            continue
        for b in ordered(have):
            both = b.head == "inv" and b.text < a.text and lies(b.args[0], "!=0")
            if both and (parted := _apart(P, t, a, b)) is not None:
                return parted
        d = poly(a.args[0])
        lead = _leading(d)
        if lead[1] or lead == UNIT or any(have.get(b, 0) < k for b, k in lead[0]):
            continue
        rest = mul(num(*reciprocal(d[lead])), term(less(poly(t), {**dict(lead[0]), a: 1})))
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
    rest = mul(term(less(poly(t), {a: 1, b: 1})), fun("inv", k))
    one, other = (P.axiom("inverse", s.args[0]) for s in (a, b))
    parts = [(mul(rest, b), one), (neg(mul(rest, c, a)), other)]
    return P.combine(t, canon(mul(rest, sub(b, mul(c, a)))), parts)


@redex("sqrt")
def _root_of_a_square(P: Proof, t: Term) -> Theorem | None:
    """sqrt(b^2) = |b| for real b."""
    b = square_root(t.args[0])
    if b is None or not lies(b, "R"):
        return None
    modulus = root_of_square(P, b)
    return P.step("rewrite", P.ring(t, modulus.left), [modulus], modulus.right)


BY_AXIOM = {"sqrt": ("root_as_power", ">0"), "pow": ("powers", "!=0"), "conj": ("real", "R")}


@redex(*BY_AXIOM)
def _by_axiom(P: Proof, t: Term) -> Theorem | None:
    name, domain = BY_AXIOM[t.head]
    return P.axiom(name, *t.args) if lies(t.args[0], domain) else None


def square_root(z: Term) -> Term | None:
    """b with z = b^2, as polynomials in the atoms and exponentials of z; None if there is none."""
    space = Space([poly(z)])
    place, shift = space.place(poly(z)), space.one
    for key in space.scale:
        up, down = space.gen[key, 1], space.gen[key, -1]
        place, shift = place * up ** (2 * place.degree(down)), shift * down ** place.degree(down)
    place = place.rem(space.free) if space.free else place
    c, factors = place.sqf_list()
    root = _root(c)
    if root is None or any(k % 2 for _, k in factors):
        return None
    for p, k in factors:
        shift = shift * p ** (k // 2)
    return canon(mul(root, space.back(shift)))


def _root(c: Any) -> Term | None:
    """A root of a real number of Q(i) in Q(i)."""
    q = Fraction(int(c.x.numerator), int(c.x.denominator))
    root = rational_root(abs(q))
    if c.y or root is None:
        return None
    return num(root) if q > 0 else mul(I, num(root))


@redex("pow")
def _natural_power(P: Proof, t: Term) -> Theorem | None:
    """b^(n + m + 2) = b^n b^m b^2 for natural n and m; from the least value of a letter on."""
    b, n = t.args
    if n.head == "num":
        return P.axiom("plain_power", b, n) if lies(n, "N") else None
    parts = _summands(n)
    if parts is None or len(parts) < 2:
        return None
    eq = P.axiom("natural_powers", b, parts[0], add(*parts[1:]))
    return P.combine(t, eq.right, [(ONE, eq)])


def _summands(n: Term) -> list[Term] | None:
    """Natural numbers with the sum n, none the sum of others; None if they are not known."""
    p = dict(poly(n))
    constant = p.pop(UNIT, (Fraction(0), Fraction(0)))[0]
    parts = []
    for m, c in sorted(p.items(), key=lambda item: term({item[0]: UNITY}).text):
        unit, count = _least(m)
        if c[1] or c[0].denominator != 1 or not 1 <= c[0] <= MOST_TERMS or not lies(unit, "N"):
            return None
        constant += c[0] * count
        parts += [unit] * int(c[0])
    if constant < 0 or constant.denominator != 1:
        return None
    return parts + [num(constant)] * (constant > 0)


def _least(m: Monomial) -> tuple[Term, int]:
    """A letter of N+ as n - 1 and 1, any other monomial as it is and 0."""
    t = term({m: UNITY})
    return (sub(t, ONE), 1) if t.head == "var" and t.data[1] == "N+" else (t, 0)
