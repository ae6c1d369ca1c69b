"""The one place of side conditions: ``lies(t, D)``, whether t lies in D for all values of its letters.

D is a domain of letters (``Z N N+ R R+ C``) or one of ``>=0 >0 !=0``. True is a promise; False says: not
known.
"""

from collections.abc import Callable
from functools import lru_cache

from .ring import UNITY, Monomial, Number, Poly, canon, conjugate, plainly_real, plus, poly
from .terms import INTEGERS, ONE, PATHS, PI, Term, add, at, fresh, letters, neg, sub, substitute


def opened(t: Term) -> tuple[Term, Term]:
    """A new letter in the range of the binder, and the body for it.

    An integer that is at least lo lies in N where lo does; a number between two positive ones is positive.
    """
    x = fresh(along(t), t)
    return x, at(t, x)


def along(t: Term) -> str:
    """The domain of the letter of a binder."""
    lo, hi = t.args[:2]
    if t.head == "int":
        return "R+" if lies(lo, ">0") and lies(hi, ">0") else "R"
    return PATHS.get((lo, hi), "C") if t.head == "lim" else from_on(lo)


def from_on(lo: Term) -> str:
    """The domain of the integers from lo on."""
    return "N+" if lies(lo, "N+") else "N" if lies(lo, "N") else "Z"


@lru_cache(maxsize=100_000)
def lies(t: Term, domain: str) -> bool:
    """Whether t lies in the domain for all values of its letters; False: not known."""
    return domain in CONDITIONS and CONDITIONS[domain](t)  # smoothness is never concluded


CONDITIONS: dict[str, Callable[[Term], bool]] = {
    "C": lambda t: True,
    "R": lambda t: _turned(conjugate(poly(t), _real)) == _turned(poly(t)),
    "Z": lambda t: all(_whole(m, c) for m, c in poly(t).items()),
    "N": lambda t: lies(t, "Z") and lies(t, ">=0"),
    "N+": lambda t: lies(sub(t, ONE), "N"),
    "R+": lambda t: lies(t, ">0"),
    ">0": lambda t: _positive(t, True),
    ">=0": lambda t: _positive(t, False),
    "!=0": lambda t: lies(t, ">0") or lies(neg(t), ">0") or _one_that_is_not_zero(poly(t)),
}


def _real(a: Term) -> bool:
    """Whether an atom is real."""
    if plainly_real(a):
        return True
    if a.head == "pow":
        natural = lies(a.args[0], "R") and lies(a.args[1], "N")
        return natural or (lies(a.args[0], ">0") and lies(a.args[1], "R"))
    if a.head in ("sum", "prod", "int"):
        return lies(opened(a)[1], "R")
    needs = {"log": ">0", "Ci": ">0", "sqrt": ">=0", "inv": "R", "Si": "R", "erf": "R"}
    return a.head in needs and lies(a.args[0], needs[a.head])


def _turned(p: Poly) -> Poly:
    """p without whole turns, e^(2 pi i n) = 1 for an integer n: so that (-1)^n is seen to be real."""
    out: Poly = {}
    for (powers, exponent), c in p.items():
        kept = {m: (re, im % 2 if _half_turns(m) else im) for m, (re, im) in exponent}
        left = frozenset((m, d) for m, d in kept.items() if d != (0, 0))
        out = plus(out, {(powers, left): c})
    return out


def _half_turns(m: Monomial) -> bool:
    """Whether a monomial is pi times an integer."""
    powers = dict(m[0])
    return powers.pop(PI, 0) == 1 and _whole((frozenset(powers.items()), m[1]), UNITY)


def _whole(m: Monomial, c: Number) -> bool:
    """An integer multiple of integer letters and values."""
    whole = all(a.head in ("var", "app") and a.data[1] in INTEGERS for a, _ in m[0])
    return whole and not m[1] and c[1] == 0 and c[0].denominator == 1


def _one_that_is_not_zero(p: Poly) -> bool:
    """A single monomial of atoms that are not 0."""
    return len(p) == 1 and all(_not_zero(a) for powers, _ in p for a, _ in powers)


def _not_zero(a: Term) -> bool:
    return _sign(a, True) or (a.head in ("inv", "conj", "abs", "sqrt") and lies(a.args[0], "!=0"))


def _positive(t: Term, strict: bool) -> bool:
    """Not negative (positive, if strict): as it is written, or every monomial of its normal form."""
    return (not strict and _plainly(t)) or any(_all_positive(p, strict) for p in (poly(t), _from_least(t)))


def _plainly(t: Term) -> bool:
    """Not negative as it is written: a sum or product of such, an even power of something real."""
    if t.head in ("+", "*") and len(t.args) > 1:
        return all(lies(a, ">=0") for a in t.args)
    return t.head == "^" and t.data[0] % 2 == 0 and lies(t.args[0], "R")


def _from_least(t: Term) -> Poly:
    """t with 1 + y for each letter of N+, where y lies in N and is new each time."""
    t = canon(t)
    values: dict[Term, Term] = {}
    for x in sorted((x for x in letters(t) if x.data[1] == "N+"), key=str):
        values[x] = add(ONE, fresh("N", t, *values.values()))
    return poly(substitute(t, values))


def _all_positive(p: Poly, strict: bool) -> bool:
    """Positive coefficients before monomials that are not negative, and one of them positive if strict."""
    safe = all(c[1] == 0 and c[0] > 0 and _monomial(m, False) for m, c in p.items())
    return safe and (not strict or any(_monomial(m, True) for m in p))


def _monomial(m: Monomial, strict: bool) -> bool:
    rest, exponent = dict(m[0]), dict(m[1])
    for a, k in m[0]:
        pair = a.head == "conj" and rest.get(a.args[0]) == k  # z conj z
        if (pair or (k % 2 == 0 and _real(a))) and (not strict or _not_zero(a)):
            for b in (a, *a.args) if pair else (a,):
                rest.pop(b, None)
    return conjugate(exponent, _real) == exponent and all(_sign(a, strict) for a in rest)


def _sign(a: Term, strict: bool) -> bool:
    """Whether an atom is not negative (positive, if strict)."""
    sign = ">0" if strict else ">=0"
    if a.head in ("var", "app"):
        return a.data[1] in ("N+", "R+") or (a.data[1] == "N" and not strict)
    if a.head in ("pi", "euler"):
        return True
    if a.head == "abs":
        return not strict or lies(a.args[0], "!=0")
    if a.head in ("inv", "sqrt"):
        return lies(a.args[0], sign)
    if a.head == "pow":
        return lies(a.args[0], ">0") and lies(a.args[1], "R")
    if a.head == "log":
        return lies(sub(a.args[0], ONE), sign)
    if a.head == "prod":
        return lies(opened(a)[1], sign)
    if a.head in ("sum", "max"):
        filled = lies(a.args[0], "Z") and lies(sub(a.args[1], a.args[0]), ">=0")
        return (filled or not strict) and lies(opened(a)[1], sign)
    if a.head == "int":
        return not strict and lies(sub(a.args[1], a.args[0]), ">=0") and lies(opened(a)[1], ">=0")
    return False
