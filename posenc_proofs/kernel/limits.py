"""Limits, also of inequalities, by an error that vanishes: sums of powers of x, or of 1 / x."""

from .ring import poly, same, term
from .terms import PATHS, ZERO, Term, ask, bind, fun, letters, sub
from .theorem import Theorem, concluded, fixed, rule


def _vanishes(error: Term, th: Theorem, x: Term, lo: Term, hi: Term) -> None:
    """Refused unless each monomial has a power of what tends to 0, x or 1 / x, and x nowhere else."""
    ask(PATHS.get((lo, hi)) == x.data[1], "no letter for this limit")
    ask(x not in fixed(th.hypotheses), f"{x} is a constant of a hypothesis")
    small = x if hi == ZERO else fun("inv", x)
    for powers, exponent in poly(error):
        moving = {a for a, _ in powers if x in letters(a)}
        ask(moving == {small} and x not in letters(term(dict(exponent))), f"the error {error} may stay")


@rule("theorem", "letter", "name", "term", "term", "term", "term")
def limit(th: Theorem, x: Term, hint: str, lo: Term, hi: Term, f: Term, value: Term) -> Theorem:
    """H |- |f(x) - v| <= e(x), e tends to 0, x no constant of H: H |- lim f = v. There is one limit."""
    ask(th.relation in ("=", "<", "<="), "a bound is expected")
    ask(same(th.left, fun("abs", sub(f, value))), "the distance to the value is expected")
    ask(x not in letters(value), f"{x} occurs in the value")
    _vanishes(th.right, th, x, lo, hi)
    return concluded((bind("lim", hint, lo, hi, x, f), "=", value), [th])


@rule("theorem", "letter", "term", "term", "term")
def pressed(th: Theorem, x: Term, lo: Term, hi: Term, value: Term) -> Theorem:
    """H |- a <= v + e(x), e tends to 0, x in neither a nor v, no constant of H: H |- a <= v. Rudin 3.19.

    For fixed other letters the right sides are real, at least a, and tend to v: so v is real, and at least a.
    """
    ask(th.relation in ("<", "<="), "an inequality is expected")
    ask(x not in letters(th.left, value), f"{x} occurs in the limit")
    _vanishes(sub(th.right, value), th, x, lo, hi)
    return concluded((th.left, "<=", value), [th])
