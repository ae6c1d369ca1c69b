"""The value of a kernel term at a point of its letters' domains, in ball arithmetic."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from operator import add, mul

from flint import acb, acb_mat, arb

from ..kernel.balls import applied, rational
from ..kernel.terms import BINDERS, Term, has_words
from ..latex.products import INVERSE

LONGEST = 64
ANALYTIC = {"bv", "+", "*", "^", "inv", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "Si"}
ANALYTIC |= {"app"}  # of a smooth function: a cubic
KINDS = {"Z": [0, 1, 2, -1, 3, -2], "N": [0, 1, 2, 3], "N+": [1, 2, 3, 4]}


class NoValue(ArithmeticError):
    """A pole, an order of what is not real, or a range that is too long."""


class Point:
    """A value for each letter, and each function at its arguments: drawn by a seed, always the same."""

    def __init__(self, seed: int, size: int = 2, columns: Collection[str] = ()) -> None:
        self.seed, self.size, self.columns = seed, size, columns  # of matrices of any size

    def matrix(self, name: str, at: Sequence[acb]) -> acb_mat:
        """The matrix of that name: a column, or a square."""
        if name.endswith(INVERSE):
            return self.matrix(name.removesuffix(INVERSE), at).inv()
        width, key = 1 if name in self.columns else self.size, tuple(map(place, at))
        entries = [
            self.drawn(f"{name}_{row}{column}", "R", *key)
            for row in range(1, self.size + 1)
            for column in range(1, width + 1)
        ]
        return acb_mat(self.size, width, entries)

    def drawn(self, name: str, domain: str, *at: str) -> acb:
        return _drawn(self.seed, name, domain, at)


@lru_cache(maxsize=1 << 16)
def _drawn(seed: int, name: str, domain: str, at: tuple[str, ...]) -> acb:
    digest = hashlib.sha256(repr((seed, name, domain, at)).encode()).digest()
    r = random.Random(digest)
    if domain in KINDS:
        return acb(r.choice(KINDS[domain]))
    parts = [Fraction(r.randint(1, 40), 8) * (1 if domain == "R+" else r.choice((1, -1))) for _ in "ri"]
    return acb(*map(rational, parts[: 1 + (domain == "C")]))


def value(t: Term, point: Point, bound: tuple[acb, ...] = ()) -> acb:
    """A ball around the value; ``bound`` are those of the bound letters, the innermost last."""
    out = _value(t, point, bound)
    if not out.is_finite():
        raise NoValue(t.head)
    return out


def _value(t: Term, point: Point, bound: tuple[acb, ...]) -> acb:
    if t.head == "num":
        return acb(*map(rational, t.data))
    if t.head == "var":
        return point.drawn(*t.data)
    if t.head == "bv":
        return bound[-1 - t.data[0]]
    if t.head in BINDERS:
        return _ranged(t, point, bound)
    if t.head in ("word", "T"):
        return _one(matrix(t, point, bound))
    a = [value(s, point, bound) for s in t.args]
    if t.head == "app":
        return _unknown(t, point, a)
    if t.head == "^":
        return a[0] ** t.data[0]
    if t.head == "delta":
        return acb(int(a[0].overlaps(a[1])))
    if t.head == "sqrt" and a[0].imag.contains(0) and a[0].real >= 0:
        return acb(a[0].real.sqrt())
    return applied(t.head, *a)


def place(x: acb) -> str:
    """A number as the argument of a function."""
    return f"{float(x.real.mid()):.9g},{float(x.imag.mid()):.9g}"


def matrix(t: Term, point: Point, bound: tuple[acb, ...] = ()) -> acb_mat:
    """The value of a sum of products of matrices of any size, at the size of the point."""
    if t.head == "word":
        own = acb_mat(point.size, point.size, [int(k % (point.size + 1) == 0) for k in range(point.size**2)])
        return reduce(mul, [matrix(a, point, bound) for a in t.args]) if t.args else own
    if t.head == "T":
        return matrix(t.args[0], point, bound).transpose()
    if t.head == "app":
        return point.matrix(t.data[0], [value(a, point, bound) for a in t.args])
    if t.head == "sum":
        terms = [matrix(t.args[2], point, (*bound, acb(n))) for n in _numbers(t, point, bound)]
        return reduce(add, terms)
    if t.head == "+":
        return reduce(add, [matrix(a, point, bound) for a in t.args])
    if t.head == "*":
        number = reduce(mul, [value(a, point, bound) for a in t.args if not has_words(a)], acb(1))
        return reduce(mul, [matrix(a, point, bound) for a in t.args if has_words(a)]) * number
    raise NoValue(f"no matrix: {t.head}")


def _one(m: acb_mat) -> acb:
    if (m.nrows(), m.ncols()) != (1, 1):
        raise NoValue("a matrix")
    return m[0, 0]


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


def _ranged(t: Term, point: Point, bound: tuple[acb, ...]) -> acb:
    lo, hi = (value(end, point, bound) if end.head != "oo" else None for end in t.args[:2])
    if t.head == "lim" or lo is None or hi is None:
        raise NoValue("a limit")
    if t.head == "int":
        return _integral(t.args[2], point, bound, lo, hi)
    terms = [value(t.args[2], point, (*bound, acb(n))) for n in _numbers(t, point, bound)]
    if t.head == "max":
        if not terms or any(x.imag != 0 for x in terms):
            raise NoValue("an order")
        return acb(reduce(arb.max, (x.real for x in terms)))
    return applied(t.head, *terms)


def _integral(body: Term, point: Point, bound: tuple[acb, ...], lo: acb, hi: acb) -> acb:
    """By python-flint's rigorous quadrature; where the integrand may not be analytic, by bisection alone."""
    if _unknown_along(body, 0):
        raise NoValue("an unknown function under an integral")
    analytic = _analytic(body, 0)

    def integrand(x: acb, must_be_analytic: bool) -> acb:
        try:
            if analytic or not must_be_analytic:
                return value(body, point, (*bound, x))
        except (NoValue, ZeroDivisionError):
            pass
        return acb(arb.nan())  # not known here: the quadrature looks at smaller pieces

    goal = arb(2) ** (-40 if analytic else -10)
    most = 200 if bound else 4000 if analytic else 1000  # wide balls stay wide: it may end early
    return acb.integral(integrand, lo, hi, rel_tol=goal, abs_tol=goal, eval_limit=most)


def _analytic(t: Term, k: int) -> bool:
    """Whether a term is known to be analytic in a bound letter, k levels up, where it has a value."""
    if not _has(t, k):
        return True
    if t.head in BINDERS:
        fixed = not any(_has(end, k) for end in t.args[:2])
        return fixed and t.head in ("int", "sum", "prod") and _analytic(t.args[2], k + 1)
    if t.head == "pow":
        return not _has(t.args[0], k) and _analytic(t.args[1], k)
    return t.head in ANALYTIC and all(_analytic(a, k) for a in t.args)


def _unknown_along(t: Term, k: int) -> bool:
    """Whether a function of which nothing is known is taken at a bound letter, k levels up."""
    if t.head == "app" and t.data[1] != "S" and any(_has(a, k) for a in t.args):
        return True
    return any(_unknown_along(a, k + (t.head in BINDERS and n == 2)) for n, a in enumerate(t.args))


def _has(t: Term, k: int) -> bool:
    if t.head == "bv":
        return bool(t.data[0] == k)
    return any(_has(a, k + (t.head in BINDERS and n == 2)) for n, a in enumerate(t.args))


def _numbers(t: Term, point: Point, bound: tuple[acb, ...]) -> range:
    """What a letter runs over."""
    first, last = (value(end, point, bound).real.unique_fmpz() for end in t.args[:2])
    if first is None or last is None or last - first > LONGEST:
        raise NoValue("a range")
    return range(int(first), int(last) + 1)
