"""The value of a kernel term at a point of its letters' domains, in ball arithmetic."""

import hashlib
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from operator import add, mul

from flint import acb, acb_mat, arb

from ..kernel import domains
from ..kernel.balls import applied, rational
from ..kernel.terms import BINDERS, Term, has_words, letters, subterms
from ..latex.matrices import INVERSE
from ..text.reading import Known

LONGEST = 64
ANALYTIC = {"+", "*", "^", "inv", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "Si"}
ANALYTIC |= {"app", "int", "sum", "prod", "pow"}  # of a smooth function, a cubic; with x in the exponent
KINDS = {"Z": [0, 1, 2, -1, 3, -2], "N": [0, 1, 2, 3], "N+": [1, 2, 3, 4]}
SMALL_TRIES, DRAWN = 15, 30
ALIKE = DRAWN + 6  # here all letters are alike: 0, then 1, …
TRIES = ALIKE + 2  # and here matrices of any size have three rows
SMALL = {kind: [acb(n) for n in numbers] for kind, numbers in KINDS.items()}
SMALL |= {"R": [acb(1), acb(2), acb(0), acb(-1), acb(0.5)], "R+": [acb(1), acb(2), acb(0.5), acb(3)]}
SMALL |= {"C": [acb(1), acb(0, 1), acb(2, -1), acb(0), acb(1, 1)]}
Place = tuple[str, ...]  # a name, and its arguments
Given = Mapping[Place, acb] | None  # the values of some places
Bound = Mapping[Term, acb]  # the values of bound letters
NONE: Bound = {}
opened = lru_cache(maxsize=1000)(domains.opened)


class NoValue(ArithmeticError):
    """A pole, an order of what is not real, or a range that is too long."""


class Point:
    """A value for each letter, and each function at its arguments: given, or drawn by a seed.

    Small values are drawn first, and those that were drawn are remembered. A letter lies in its interval; a
    matrix is that of the model, where it has one.
    """

    def __init__(self, D: Known, seed: int, at: Given = None) -> None:
        said = D.reading.said
        self.seed, self.columns = seed, said.columns
        self.size = D.size or 2 + (seed >= ALIKE)  # of matrices of any size
        self.values: dict[Place, acb] = {}
        self.at = {(size,): acb(self.size) for size in said.sizes} | dict(at or {})
        self.intervals, self.models = said.intervals, D.matrix_models

    def drawn(self, name: str, domain: str, *at: str) -> acb:
        key = (name, *at)
        if key in self.at:
            found = self.at[key]
        elif name in self.intervals and not at:
            low, high = self.intervals[name]
            found = acb(rational(low + (high - low) * Fraction(self.seed * 7 % 17, 16)))
        elif domain in SMALL and (self.seed < SMALL_TRIES or DRAWN <= self.seed < ALIKE):
            apart = self.seed * 7 + sum(map(ord, "".join(key))) * (1 + self.seed)
            k = apart if self.seed < SMALL_TRIES else self.seed - DRAWN
            found = SMALL[domain][k % len(SMALL[domain])]
        else:
            found = _drawn(self.seed, name, domain, at)
        self.values[key] = found
        return found

    def matrix(self, name: str, at: Sequence[acb]) -> acb_mat:
        """The matrix of that name: a column, or a square."""
        if name in self.models:
            letters, rows = self.models[name]
            before, self.at = self.at, self.at | {(x,): a for x, a in zip(letters, at, strict=True)}
            found = acb_mat([[value(entry, self) for entry in row] for row in rows])
            self.at = before
            return found
        if name.endswith(INVERSE):
            return self.matrix(name.removesuffix(INVERSE), at).inv()
        width, key = 1 if name in self.columns else self.size, tuple(map(place, at))
        every = product(range(1, self.size + 1), range(1, width + 1))
        entries = [self.drawn(f"{name}_{row}{column}", "R", *key) for row, column in every]
        return acb_mat(self.size, width, entries)


@lru_cache(maxsize=1 << 16)
def _drawn(seed: int, name: str, domain: str, at: tuple[str, ...]) -> acb:
    digest = hashlib.sha256(repr((seed, name, domain, at)).encode()).digest()
    r = random.Random(digest)
    if domain in KINDS:
        return acb(r.choice(KINDS[domain]))
    parts = [Fraction(r.randint(1, 40), 8) * (1 if domain == "R+" else r.choice((1, -1))) for _ in "ri"]
    return acb(*map(rational, parts[: 1 + (domain == "C")]))


def value(t: Term, point: Point, bound: Bound = NONE) -> acb:
    """A ball around the value."""
    out = _value(t, point, bound)
    if not out.is_finite():
        raise NoValue(t.head)
    return out


def _value(t: Term, point: Point, bound: Bound) -> acb:
    if t.head == "num":
        return acb(*map(rational, t.data))
    if t.head == "var":
        return bound[t] if t in bound else point.drawn(*t.data)
    if t.head in BINDERS:
        return _ranged(t, point, bound)
    a = [value(s, point, bound) for s in t.args]
    if t.head == "app":
        return _unknown(t, point, a)
    if t.head == "^":
        return a[0] ** t.data[0]
    if t.head == "delta":
        if a[0].overlaps(a[1]) and not (a[0].is_exact() and a[1].is_exact()):
            raise NoValue("whether two numbers are one")
        return acb(int(a[0] == a[1]))
    if t.head == "sqrt" and a[0].imag == 0 and a[0].real >= 0:
        return acb(a[0].real.sqrt())
    return applied(t.head, *a)


def place(x: acb) -> str:
    """A number as the argument of a function."""
    return f"{float(x.real.mid()):.9g},{float(x.imag.mid()):.9g}"


def matrix(t: Term, point: Point) -> acb_mat:
    """The value of a sum of products of matrices of any size, at the size of the point."""
    if t.head == "word":
        one = acb_mat(point.size, point.size, 1)
        return reduce(mul, [matrix(a, point) for a in t.args]) if t.args else one
    if t.head == "T":
        return matrix(t.args[0], point).transpose()
    if t.head == "app":
        return point.matrix(t.data[0], [value(a, point) for a in t.args])
    if t.head == "+":
        return reduce(add, [matrix(a, point) for a in t.args])
    if t.head == "*":
        number = reduce(mul, [value(a, point) for a in t.args if not has_words(a)], acb(1))
        return reduce(mul, [matrix(a, point) for a in t.args if has_words(a)]) * number
    raise NoValue(f"no matrix: {t.head}")


def _unknown(t: Term, point: Point, a: list[acb]) -> acb:
    name, domain = t.data
    if domain != "S":
        return point.drawn(name, domain, *map(place, a))
    base, prime, slots = name.partition("'")  # a general cubic, and its derivatives
    orders = [slots.count(str(k + 1)) for k in range(len(a))] if len(a) > 1 else [len(prime + slots)]
    total = acb(0)
    for powers in (chosen for chosen in product(range(4), repeat=len(a)) if sum(chosen) < 4):
        term = point.drawn(base, "R", *map(str, powers))
        for x, p, n in zip(a, powers, orders, strict=True):
            for k in range(n):
                term *= max(p - k, 0)
            term *= x ** max(p - n, 0)
        total += term
    return total


def _ranged(t: Term, point: Point, bound: Bound) -> acb:
    lo, hi = (value(end, point, bound) if end.head != "oo" else None for end in t.args[:2])
    if t.head == "lim" or lo is None or hi is None:
        raise NoValue("a limit")
    x, body = opened(t)
    if t.head == "int":
        return _integral(x, body, point, bound, lo, hi)
    first, last = (end.real.unique_fmpz() for end in (lo, hi))
    if first is None or last is None or last - first > LONGEST:
        raise NoValue("a range")
    terms = [value(body, point, {**bound, x: acb(n)}) for n in range(int(first), int(last) + 1)]
    if t.head == "max":
        if not terms or any(x.imag != 0 for x in terms):
            raise NoValue("an order")
        return acb(reduce(arb.max, (x.real for x in terms)))
    return applied(t.head, *terms)


def _integral(x: Term, body: Term, point: Point, bound: Bound, lo: acb, hi: acb) -> acb:
    """By python-flint's rigorous quadrature; where the integrand may not be analytic, by bisection alone."""
    if _unknown_along(x, body):
        raise NoValue("an unknown function under an integral")
    analytic = _analytic(x, body)

    def integrand(here: acb, must_be_analytic: bool) -> acb:
        with suppress(NoValue, ZeroDivisionError):
            if analytic or not must_be_analytic:
                return value(body, point, {**bound, x: here})
        return acb(arb.nan())  # not known here: the quadrature looks at smaller pieces

    goal = arb(2) ** (-40 if analytic else -10)
    most = 200 if bound else 4000 if analytic else 1000  # wide balls stay wide: it may end early
    return acb.integral(integrand, lo, hi, rel_tol=goal, abs_tol=goal, eval_limit=most)


def _analytic(x: Term, t: Term) -> bool:
    """Whether a term is known to be analytic in a bound letter where it has a value."""
    along = [s for s in subterms(t) if s != x and x in letters(s)]
    return all(s.head in ANALYTIC and (s.head != "pow" or x not in letters(s.args[0])) for s in along)


def _unknown_along(x: Term, t: Term) -> bool:
    """Whether a function of which nothing is known is taken at a bound letter."""
    unknown = (s for s in subterms(t) if s.head == "app" and s.data[1] != "S")
    return any(x in letters(*s.args) for s in unknown)
