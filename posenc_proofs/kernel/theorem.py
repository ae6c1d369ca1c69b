"""Theorems, and the rules of logic and of ordered fields.

A ``Theorem`` says: under its hypotheses, left relation right, for all values of the letters that are no
constants of the hypotheses. ``a <= b`` and ``a < b`` also say that both sides are real. Rules are the only
way to a theorem; each takes closed terms and lists, which ``replay`` has read from JSON. Their docstrings
read: premises: conclusion; then why.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from .domains import CONDITIONS, lies
from .ring import Poly, canon, plus, poly, same
from .terms import ZERO, Term, add, ask, letters, mul, sub, substitute

RELATIONS = ("=", "<=", "<", "!=")
_TOKEN = object()


class Formula(NamedTuple):
    """For all values of the letters in ``universal``: left relation right; any other letter is a constant."""

    universal: frozenset[Term]
    left: Term
    relation: str
    right: Term


class Theorem:
    """Hypotheses, left, relation, right, and the axioms used; made by rules only."""

    __slots__ = ("axioms", "hypotheses", "left", "relation", "right")

    axioms: frozenset[str]
    hypotheses: frozenset[Formula]
    left: Term
    relation: str
    right: Term

    def __init__(self, token: object, *values: object) -> None:
        if token is not _TOKEN:
            raise TypeError("theorems are made by rules")
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, *_: object) -> None:
        raise AttributeError("theorems are not changed")

    def __init_subclass__(cls) -> None:
        raise TypeError("there is one class of theorems")


Said = tuple[Term, str, Term]  # left, relation, right
Supposed = Iterable[Formula]
Formulas = frozenset[Formula]
Parts = list[tuple[Term, Theorem]]  # of a sum: theorems, each with its factor


def concluded(
    said: Said, premises: Sequence[Theorem] = (), supposed: Supposed | None = None, axioms: Iterable[str] = ()
) -> Theorem:
    """The theorem that a rule concludes, under the hypotheses of its premises or under those ``supposed``."""
    hypotheses = frozenset[Formula]().union(*(th.hypotheses for th in premises))
    axioms = frozenset[str](axioms).union(*(th.axioms for th in premises))
    if any(t.loose or any(x.data[0].startswith("#") for x in letters(t)) for t in (said[0], said[2])):
        raise AssertionError("a bound letter without its binder")
    return Theorem(_TOKEN, axioms, hypotheses if supposed is None else frozenset(supposed), *said)


def fixed(*hypotheses: Supposed) -> set[Term]:
    """The letters that are constants in hypotheses: no rule may let them vary."""
    return {x for hs in hypotheses for h in hs for x in letters(h.left, h.right) - h.universal}


Known = Callable[[Term, str], bool]


def known_by(signs: Iterable[Theorem]) -> Known:
    """``lies``, or a theorem says so: 0 < t, 0 <= t, t != 0, or t = u for a u that lies there."""
    said = set()
    for th in signs:
        if th.relation == "=":
            said |= {(canon(th.left), domain) for domain in CONDITIONS if lies(th.right, domain)}
        if th.relation == "!=" and same(th.right, ZERO):
            said.add((canon(th.left), "!=0"))
        if th.relation in ("<", "<=") and same(th.left, ZERO):
            domains = ("R", ">=0") if th.relation == "<=" else ("R", ">=0", ">0", "R+", "!=0")
            said |= {(canon(th.right), domain) for domain in domains}
    return lambda t, domain: lies(t, domain) or (canon(t), domain) in said


RULES: dict[str, tuple[Callable[..., Theorem], tuple[Any, ...]]] = {}


def rule(*signature: Any) -> Callable[[Callable[..., Theorem]], Callable[..., Theorem]]:
    """A rule that certificates may name, and what its arguments are; as ``replay`` reads them."""

    def enter(function: Callable[..., Theorem]) -> Callable[..., Theorem]:
        RULES[function.__name__] = (function, signature)
        return function

    return enter


@rule("term", "term")
def ring(left: Term, right: Term) -> Theorem:
    """|- left = right, where both have one normal form: each step of ``poly`` is an identity."""
    ask(same(left, right), "the normal forms differ")
    return concluded((left, "=", right))


@rule(["letter"], "term", "relation", "term")
def assume(universal: list[Term], left: Term, relation: str, right: Term) -> Theorem:
    """(for all universal: left relation right) |- left relation right."""
    return concluded((left, relation, right), (), [Formula(frozenset(universal), left, relation, right)])


@rule("theorem", [("letter", "term")], ["theorem"])
def instantiate(th: Theorem, values: list[tuple[Term, Term]], signs: list[Theorem]) -> Theorem:
    """H |- P(x), t in the domain of x, x no constant of H: H |- P(t). A theorem holds for all values."""
    known = known_by(signs)
    for x, value in values:
        ask(x not in fixed(th.hypotheses), f"{x} is a constant of a hypothesis")
        ask(known(value, x.data[1]), f"{value} is not known to lie in {x.data[1]}")
    put = dict(values)
    return concluded((substitute(th.left, put), th.relation, substitute(th.right, put)), [th, *signs])


@rule("theorem", ["theorem"], "term")
def rewrite(th: Theorem, equations: list[Theorem], right: Term) -> Theorem:
    """left R s, a = b: left R s[b for a], in turn, and in any form that ring calls the same. Congruence."""
    new = th.right
    for eq in equations:
        ask(eq.relation == "=", "an equation is expected")
        new = substitute(new, {eq.left: eq.right})
    ask(same(new, right), "the normal forms differ")
    return concluded((th.left, th.relation, right), [th, *equations])


def _total(parts: Parts) -> Poly:
    """The sum of c_k (L_k - R_k)."""
    return reduce(plus, (poly(mul(c, sub(th.left, th.right))) for c, th in parts), {})


@rule("term", "term", ["term"], [("term", "theorem")], ["theorem"])
def combine(left: Term, right: Term, unit: list[Term], parts: Parts, signs: list[Theorem]) -> Theorem:
    """L_k = R_k, u (left - right) = sum of c_k (L_k - R_k), no factor of u is 0: left = right.

    A field has no zero divisors.
    """
    known = known_by(signs)
    for u in unit:
        ask(known(u, "!=0"), f"{u} may vanish")
    ask(all(th.relation == "=" for _, th in parts), "an equation is expected")
    ask(poly(mul(*unit, sub(left, right))) == _total(parts), "not the combination")
    return concluded((left, "=", right), [*(th for _, th in parts), *signs])


@rule("term", "relation", "term", [("term", "theorem")], "term", ["theorem"])
def adding(left: Term, relation: str, right: Term, parts: Parts, rest: Term, signs: list[Theorem]) -> Theorem:
    """L_k <= R_k, right - left = sum of w_k (R_k - L_k) + rest, w_k and rest not negative: left <= right.

    The conclusion is < where the rest is positive, or an inequality < has a positive weight.
    """
    known = known_by(signs)
    strict = known(rest, ">0")
    ask(known(rest, ">=0"), f"the rest {rest} may be negative")
    for weight, th in parts:
        ask(th.relation in ("=", "<=", "<"), "an inequality is expected")
        ask(th.relation == "=" or known(weight, ">=0"), f"the weight {weight} may be negative")
        strict = strict or (th.relation == "<" and known(weight, ">0"))
    ask(poly(add(sub(left, right), rest)) == _total(parts), "not the combination")
    ask(relation == "<=" or (relation == "<" and strict), "nothing is strict")
    ask(known(left, "R") and known(right, "R"), "an order is between real numbers")
    return concluded((left, relation, right), [*(th for _, th in parts), *signs])


@rule("theorem", ["theorem"])
def roots(th: Theorem, signs: list[Theorem]) -> Theorem:
    """a^2 = b^2, 0 <= a, 0 <= b: a = b. The square is injective there."""
    ask(all(s.head == "^" and s.data == (2,) for s in (th.left, th.right)), "a^2 = b^2 is expected")
    return _arguments(th, signs, ">=0")


@rule("theorem", ["theorem"])
def exponents(th: Theorem, signs: list[Theorem]) -> Theorem:
    """e^a = e^b, a and b real: a = b. The exponential is injective there."""
    ask(th.left.head == th.right.head == "exp", "e^a = e^b is expected")
    return _arguments(th, signs, "R")


def _arguments(th: Theorem, signs: list[Theorem], domain: str) -> Theorem:
    """f(a) = f(b), a and b in the domain, where f is injective: a = b."""
    ask(th.relation == "=", "an equation is expected")
    a, b, known = th.left.args[0], th.right.args[0], known_by(signs)
    ask(known(a, domain) and known(b, domain), f"{a} and {b} are not known to lie in {domain}")
    return concluded((a, "=", b), [th, *signs])
