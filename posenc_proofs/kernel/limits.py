"""Limits, also of inequalities, by an error that vanishes: powers beat logarithms, exponentials powers."""

from __future__ import annotations

from fractions import Fraction

from .domains import lies
from .ring import UNITY, Monomial, poly, same, term
from .terms import PATHS, ZERO, Term, ask, bind, fun, letters, mul, num, sub
from .theorem import Theorem, concluded, fixed, rule


def _vanishes(m: Monomial, x: Term, inwards: bool) -> None:
    """Refused unless a product of x^a, (log x)^k, e^(-u x), phases, and factors without x tends to 0."""
    degrees = {x: 1, fun("inv", x): -1, fun("log", x): 0}
    degree, falls = Fraction(0), False
    for a, k in m[0]:
        if x in letters(a):
            ask(a in degrees, f"the growth of {a} is not known")
            degree += k * degrees.get(a, 0)
    for n, (re, _) in m[1]:
        inner, slope = term({n: UNITY}), term({(n[0] - {(x, 1)}, n[1]): UNITY})
        if inner == fun("log", x):
            degree += re
        elif x in letters(inner):
            ask(lies(inner, "R"), f"{inner} may not be real")
            if re:
                ask(x not in letters(slope), f"the growth of e^{inner} is not known")
                ask(lies(mul(num(-re), slope), ">0"), f"e^{inner} may grow")
                falls = True
    ask(degree > 0 if inwards else degree < 0 or falls, "the error may stay")


@rule("theorem", "letter", "name", "term", "term", "term", "term")
def limit(th: Theorem, x: Term, hint: str, lo: Term, hi: Term, f: Term, value: Term) -> Theorem:
    """H |- |f(x) - v| <= e(x), e tends to 0, x no constant of H: H |- lim f = v. There is one limit."""
    ask(PATHS.get((lo, hi)) == x.data[1], "no letter for this limit")
    ask(th.relation in ("=", "<", "<="), "a bound is expected")
    ask(same(th.left, fun("abs", sub(f, value))), "the distance to the value is expected")
    ask(x not in letters(value), f"{x} occurs in the value")
    ask(x not in fixed(th.hypotheses), f"{x} is a constant of a hypothesis")
    for m in poly(th.right):
        _vanishes(m, x, hi == ZERO)
    return concluded((bind("lim", hint, lo, hi, x, f), "=", value), [th])


@rule("theorem", "letter", "term", "term", "term")
def pressed(th: Theorem, x: Term, lo: Term, hi: Term, value: Term) -> Theorem:
    """H |- a <= v + e(x), e tends to 0, x in neither a nor v, no constant of H: H |- a <= v. Rudin 3.19.

    For fixed other letters the right sides are real, at least a, and tend to v: so v is real, and at least a.
    """
    ask(PATHS.get((lo, hi)) == x.data[1], "no letter for this limit")
    ask(th.relation in ("<", "<="), "an inequality is expected")
    ask(x not in letters(th.left, value), f"{x} occurs in the limit")
    ask(x not in fixed(th.hypotheses), f"{x} is a constant of a hypothesis")
    for m in poly(sub(th.right, value)):
        _vanishes(m, x, hi == ZERO)
    return concluded((th.left, "<=", value), [th])
