"""Axioms: each a row with its conditions, its statement and where it is proved.

``known(t, D)``: t lies in D for all values of its letters, or a theorem given to the step says so.
References: Rudin, Principles of Mathematical Analysis, third edition, by number; and the Digital Library of
Mathematical Functions, DLMF.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from .ring import HALF
from .terms import ONE, PI, ZERO, I, Term, add, ask, at, fun, mul, num, power, sub
from .theorem import Known, Said, Theorem, concluded, known_by, rule


class Axiom(NamedTuple):
    statement: Callable[..., Said]
    signature: tuple[Any, ...]  # "term !=0": of this domain; "binder sum prod": one of these
    reference: str


AXIOMS: dict[str, Axiom] = {}


def row(reference: str, *signature: Any) -> Callable[[Callable[..., Said]], Callable[..., Said]]:
    def enter(statement: Callable[..., Said]) -> Callable[..., Said]:
        AXIOMS[statement.__name__] = Axiom(statement, signature, reference)
        return statement

    return enter


@rule("axiom", ["theorem"])
def axiom(named: tuple[str, list[Any]], signs: list[Theorem]) -> Theorem:
    """|- the row's statement, where its conditions are known."""
    (name, args), known = named, known_by(signs)
    for kind, t in zip(AXIOMS[name].signature, args, strict=True):
        sort, *asked = kind.split() if type(kind) is str else [""]
        ok = not asked or (known(t, asked[0]) if sort == "term" else t.head in asked)
        ask(ok, f"{t} is not known to be {' or '.join(asked)}")
    return concluded(AXIOMS[name].statement(known, *args), signs, None, [name])


# Numbers


@row("field", "term !=0")
def inverse(_: Known, x: Term) -> Said:
    """x inv x = 1 for x != 0."""
    return mul(x, fun("inv", x)), "=", ONE


@row("1.31", "term R")
def real(_: Known, x: Term) -> Said:
    """conj x = x for real x."""
    return fun("conj", x), "=", x


@row("1.32", "term")
def modulus(_: Known, z: Term) -> Said:
    """|z|^2 = z conj z."""
    return power(fun("abs", z), 2), "=", mul(z, fun("conj", z))


@row("definition of the principal root", "term")
def root(_: Known, z: Term) -> Said:
    """(sqrt z)^2 = z."""
    return power(fun("sqrt", z), 2), "=", z


@row("8.6, 8.7", "term !=0")
def logarithm(_: Known, x: Term) -> Said:
    """e^(log x) = x for x != 0."""
    return fun("exp", fun("log", x)), "=", x


@row("definition of the principal power", "term !=0", "term")
def powers(_: Known, b: Term, x: Term) -> Said:
    """b^x = e^(x log b) for b != 0."""
    return fun("pow", b, x), "=", fun("exp", mul(x, fun("log", b)))


@row("definition of the principal root", "term !=0")
def root_as_power(_: Known, b: Term) -> Said:
    """sqrt b = e^(log b / 2) for b != 0."""
    return fun("sqrt", b), "=", fun("exp", mul(HALF, fun("log", b)))


@row("equals for equals", "binder", "term", "term")
def alike(_: Known, s: Term, u: Term, v: Term) -> Said:
    """delta(u, v) a(u) = delta(u, v) a(v), a the body of a binder: both are 0 where u != v."""
    same = fun("delta", u, v)
    return mul(same, at(s, u)), "=", mul(same, at(s, v))


@row("definition of the power", "term", "term N", "term N")
def natural_powers(_: Known, b: Term, m: Term, n: Term) -> Said:
    """b^(m + n) = b^m b^n for natural m and n, also for b = 0."""
    return fun("pow", b, add(m, n)), "=", mul(fun("pow", b, m), fun("pow", b, n))


@row("definition of the power", "term", "term N")
def plain_power(_: Known, b: Term, n: Term) -> Said:
    """b^n = b ... b for a number n = 0, 1, 2, ..., also for b = 0."""
    ask(n.head == "num", f"{n} is not a number")
    return fun("pow", b, n), "=", power(b, int(n.data[0]))


@row("8.7")
def quarter_turn(_: Known) -> Said:
    """e^(i pi / 2) = i."""
    return fun("exp", mul(I, PI, HALF)), "=", I


@row("definition of the error function")
def erf_at_zero(_: Known) -> Said:
    """erf 0 = 0."""
    return fun("erf", ZERO), "=", ZERO


# Order


@row("DLMF 6.2.9 to 6.2.11", "term >0")
def integrals_far(_: Known, x: Term) -> Said:
    """|Ci x + i (Si x - pi/2)| <= 2 / x for x > 0.

    It is |int of e^(iu) / u from x to oo|, by parts |i e^(ix) / x - i int of e^(iu) / u^2|: 1 / x, twice.
    """
    rest = sub(fun("Si", x), mul(HALF, PI))
    return fun("abs", add(fun("Ci", x), mul(I, rest))), "<=", mul(num(2), fun("inv", x))


@row("DLMF 6.2.9, 6.2.12, 6.2.13", "term >0")
def integrals_near(_: Known, x: Term) -> Said:
    """|Ci x + i Si x - log x - euler| <= x for x > 0.

    It is |int of (e^(iu) - 1) / u from 0 to x|, and a chord is shorter than its arc: |e^(iu) - 1| <= u.
    """
    near = add(fun("log", x), fun("euler"))
    return fun("abs", sub(add(fun("Ci", x), mul(I, fun("Si", x))), near)), "<=", x


@row("1.33", ["term"])
def triangle(_: Known, terms: list[Term]) -> Said:
    """|a + b + ...| <= |a| + |b| + ..."""
    return fun("abs", add(*terms)), "<=", add(*(fun("abs", a) for a in terms))
