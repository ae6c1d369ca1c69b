"""Equal as polynomials: sums, products, powers, exponentials, conjugates, and inverses of products.

A polynomial has coefficients in Q(i); its monomials are powers of atoms times the exponential of a
polynomial, so that e^p e^q = e^(p+q) is built in. Anything else is an atom, its arguments in normal form.
Each clause of ``poly`` is an identity between total functions, true also where a divisor vanishes; so nothing
is asked here.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, reduce

from .terms import BINDERS, ONE, ZERO, I, Term, add, fun, mapped, mul, neg, num, power, sub, work

Number = tuple[Fraction, Fraction]
Monomial = tuple[frozenset, frozenset]  # {(atom, power)}, {items of the exponent, a polynomial}
Poly = dict[Monomial, Number]

NONE: frozenset = frozenset()
UNIT: Monomial = (NONE, NONE)
UNITY: Number = (Fraction(1), Fraction(0))
HALF = num(Fraction(1, 2))
MINUS_I = num(0, -1)

MEANING: dict[str, Callable[..., Term]] = {  # functions that are what stands beside them
    "cos": lambda x: mul(HALF, add(fun("exp", mul(I, x)), fun("exp", mul(MINUS_I, x)))),
    "sin": lambda x: mul(HALF, MINUS_I, sub(fun("exp", mul(I, x)), fun("exp", mul(MINUS_I, x)))),
    "cosh": lambda x: mul(HALF, add(fun("exp", x), fun("exp", neg(x)))),
    "sinh": lambda x: mul(HALF, sub(fun("exp", x), fun("exp", neg(x)))),
    "tan": lambda x: mul(fun("sin", x), fun("inv", fun("cos", x))),
    "tanh": lambda x: mul(fun("sinh", x), fun("inv", fun("cosh", x))),
    "re": lambda z: mul(HALF, add(z, fun("conj", z))),
    "delta": lambda u, v: sub(ONE, mul(sub(u, v), fun("inv", sub(u, v)))),  # inv 0 = 0
    "im": lambda z: mul(HALF, MINUS_I, sub(z, fun("conj", z))),
}


def _product(a: Number, b: Number) -> Number:
    if not (a[1] or b[1]):
        return a[0] * b[0], a[1]
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def reciprocal(a: Number) -> Number:
    size = a[0] * a[0] + a[1] * a[1]
    return a[0] / size, -a[1] / size


def constant(c: Number) -> Poly:
    return {UNIT: c} if c != (0, 0) else {}


def plus(p: Poly, q: Poly, factor: Number = UNITY) -> Poly:
    """p + factor q."""
    out = dict(p)
    for m, c in q.items():
        _put(out, m, c if factor == UNITY else _product(c, factor))
    return out


def _put(out: Poly, m: Monomial, c: Number) -> None:
    """One more term of a sum that is still being built."""
    work(1 + sum(q.numerator.bit_length() + q.denominator.bit_length() for q in c) // 1000)
    old = out.get(m)
    re, im = (old[0] + c[0], old[1] + c[1]) if old else c
    if re or im:
        out[m] = re, im
    elif old:
        del out[m]


def times(p: Poly, q: Poly) -> Poly:
    out: Poly = {}
    for (a, e), c in p.items():
        for (b, f), d in q.items():
            powers = _added(dict(a), b) if a and b else a or b
            exponent = frozenset(plus(dict(e), dict(f)).items()) if e and f else e or f
            _put(out, (powers, exponent), _product(c, d))
    return out


def _added(powers: dict[Term, int], more: frozenset) -> frozenset:
    for atom, k in more:
        powers[atom] = powers.get(atom, 0) + k
    return frozenset(powers.items())


def raised(p: Poly, k: int) -> Poly:
    out = constant(UNITY)
    for _ in range(k if p else min(k, 1)):
        out = times(out, p)
    return out


def atom(t: Term) -> Poly:
    return {(frozenset([(t, 1)]), NONE): UNITY}


def exponential(p: Poly) -> Poly:
    return {(NONE, frozenset(p.items())): UNITY}


@lru_cache(maxsize=100_000)
def poly(t: Term) -> Poly:
    """The normal form of a closed term; not to be changed by its reader."""
    head = t.head
    if head == "num":
        return constant((t.data[0], t.data[1]))
    if head == "+":
        out: Poly = {}
        for m, c in (item for a in t.args for item in poly(a).items()):
            _put(out, m, c)
        return out
    if head == "*":
        return reduce(times, map(poly, t.args), constant(UNITY))
    if head == "^":
        return raised(poly(t.args[0]), t.data[0])
    if head in MEANING:
        return poly(MEANING[head](*t.args))
    if head == "exp":
        return exponential(poly(t.args[0]))
    if head == "inv":
        return _inverse(poly(t.args[0]))
    if head == "conj":
        return conjugate(poly(t.args[0]), plainly_real)
    if head in BINDERS:
        return atom(mapped(t, canon, canon))
    return atom(Term(head, t.data, tuple(map(canon, t.args))))


def _inverse(p: Poly) -> Poly:
    """inv(a b) = inv a inv b, inv(inv a) = a, inv(e^p) = e^-p, also at 0; inv of a longer sum is an atom."""
    if not p:
        return {}
    if len(p) > 1:
        c = p[min(p, key=_order)]
        monic = term(plus({}, p, reciprocal(c)))
        return plus({}, atom(fun("inv", monic)), reciprocal(c))
    (((powers, exponent), c),) = p.items()
    out = plus({}, exponential(plus({}, dict(exponent), (Fraction(-1), Fraction(0)))), reciprocal(c))
    for a, k in powers:
        out = times(out, raised(poly(a.args[0]) if a.head == "inv" else atom(fun("inv", a)), k))
    return out


def plainly_real(a: Term) -> bool:
    """Real by its kind alone, whatever its arguments."""
    return a.data[1] != "C" if a.head in ("var", "app") else a.head in ("pi", "euler", "abs", "max")


def conjugate(p: Poly, real: Callable[[Term], bool]) -> Poly:
    """The conjugate, where ``real`` says which atoms are their own; it passes through sums and integrals."""
    out: Poly = {}
    for (powers, exponent), (re, im) in p.items():
        new = plus({}, exponential(conjugate(dict(exponent), real)), (re, -im))
        for a, k in powers:
            new = times(new, raised(_conjugate(a, real), k))
        out = plus(out, new)
    return out


def _conjugate(a: Term, real: Callable[[Term], bool]) -> Poly:
    if real(a):
        return atom(a)
    if a.head == "conj":
        return atom(a.args[0])
    if a.head == "inv":
        return _inverse(conjugate(poly(a.args[0]), real))
    if a.head in ("sum", "prod", "int"):
        return atom(mapped(a, lambda body: canon(fun("conj", body)), canon))
    return atom(fun("conj", a))


def _order(m: Monomial) -> tuple:
    return sorted((a.text, k) for a, k in m[0]), sorted((_order(n), c) for n, c in m[1])


def term(p: Poly) -> Term:
    """The term that a polynomial is, always written the same way."""
    parts = []
    for (powers, exponent), (re, im) in sorted(p.items(), key=lambda item: _order(item[0])):
        factors = [num(re, im)] if (re, im) != UNITY or not (powers or exponent) else []
        factors += [a if k == 1 else power(a, k) for a, k in sorted(powers, key=lambda item: item[0].text)]
        factors += [fun("exp", term(dict(exponent)))] if exponent else []
        parts.append(factors[0] if len(factors) == 1 else mul(*factors))
    return parts[0] if len(parts) == 1 else add(*parts) if parts else ZERO


@lru_cache(maxsize=100_000)
def canon(t: Term) -> Term:
    """The normal form, as a term."""
    return term(poly(t))


def same(a: Term, b: Term) -> bool:
    """Equal normal forms."""
    return poly(a) == poly(b)
