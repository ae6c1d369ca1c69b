"""Axioms about sums, products, integrals and maxima: rows of the same table."""

from .axioms import row
from .calculus import continuous
from .domains import lies, opened
from .ring import same
from .terms import ONE, ZERO, Term, add, ask, at, bind, fresh, fun, letters, mapped, mul, power, sub
from .theorem import Known, Said


def _continuous(s: Term) -> bool:
    """Whether the body is continuous on the range."""
    x, body = opened(s)
    return continuous(body, x)


def _zipped(s: Term, t: Term) -> Term:
    """The sum, over one range, of the products of two sums' terms."""
    ask(s.args[:2] == t.args[:2], "two sums over one range are expected")
    x = fresh("Z", s, t)
    return bind("sum", s.hint, s.args[0], s.args[1], x, mul(at(s, x), at(t, x)))


# Order


@row("1.33", "binder sum")
def triangle_sum(_: Known, s: Term) -> Said:
    """|sum a| <= sum |a|."""
    return fun("abs", s), "<=", mapped(s, lambda a: fun("abs", a))


@row("6.13, 6.25", "binder int")
def triangle_integral(known: Known, s: Term) -> Said:
    """|int a| <= int |a| for lo <= hi and a continuous."""
    ask(known(sub(s.args[1], s.args[0]), ">=0"), "the ends may be in the wrong order")
    ask(_continuous(s), "the integrand may not be continuous")
    return fun("abs", s), "<=", mapped(s, lambda a: fun("abs", a))


@row("1.35", "binder sum", "binder sum")
def cauchy_schwarz(_: Known, s: Term, t: Term) -> Said:
    """|sum a b|^2 <= sum |a|^2 sum |b|^2."""
    squares = (mapped(u, lambda a: power(fun("abs", a), 2)) for u in (s, t))
    return power(fun("abs", _zipped(s, t)), 2), "<=", mul(*squares)


@row("each term at most the largest", "binder sum", "binder sum")
def maximum(_: Known, s: Term, t: Term) -> Said:
    """sum a b <= (max b) sum a for real b and a that is not negative."""
    ask(lies(opened(s)[1], ">=0"), "the weights may be negative")
    ask(lies(opened(t)[1], "R"), "the values may not be real")
    return _zipped(s, t), "<=", mul(Term("max", (), t.args, t.hint), s)


# Sums, products and integrals


@row("6.12", "kind", "term", "term", [("term", "binder")])
def linear(_: Known, kind: str, lo: Term, hi: Term, parts: list[tuple[Term, Term]]) -> Said:
    """B (c a + d b + ...) = c B a + d B b + ..., B a sum, or an integral of continuous pieces."""
    ask(kind in ("sum", "int"), "a sum or an integral is expected")
    for _c, s in parts:
        ask(s.head == kind and s.args[:2] == (lo, hi), "the ranges differ")
        ask(kind == "sum" or _continuous(s), "the integrand may not be continuous")
    x = fresh("R" if kind == "int" else "Z", *(t for pair in parts for t in pair))
    body = add(*(mul(c, at(s, x)) for c, s in parts))
    return bind(kind, parts[0][1].hint, lo, hi, x, body), "=", add(*(mul(c, s) for c, s in parts))


@row("renumbering", "binder sum prod max", "term Z")
def shift(_: Known, s: Term, k: Term) -> Said:
    """sum over lo..hi of a(i) = sum over lo + k..hi + k of a(i - k), k an integer; product, maximum alike."""
    x = fresh("Z", s, k)
    return s, "=", bind(s.head, s.hint, add(s.args[0], k), add(s.args[1], k), x, at(s, sub(x, k)))


@row("associativity", "binder sum prod", "term Z")
def split(known: Known, s: Term, mid: Term) -> Said:
    """sum over lo..hi = sum over lo..mid + over mid + 1..hi, integers lo - 1 <= mid <= hi; products alike."""
    lo, hi, body = s.args
    ask(known(lo, "Z") and known(hi, "Z"), "an end may not be an integer")
    ask(known(add(sub(mid, lo), ONE), ">=0"), "the cut may lie before the range")
    ask(known(sub(hi, mid), ">=0"), "the cut may lie behind the range")
    halves = (Term(s.head, (), ends, s.hint) for ends in ((lo, mid, body), (add(mid, ONE), hi, body)))
    return s, "=", (add if s.head == "sum" else mul)(*halves)


@row("one term", "binder sum prod max")
def single(known: Known, s: Term) -> Said:
    """sum over lo..lo = a(lo) for an integer lo; product, maximum of real a, alike."""
    ask(same(s.args[0], s.args[1]), "one term is expected")
    ask(known(s.args[0], "Z"), f"{s.args[0]} may not be an integer")
    ask(s.head != "max" or lies(opened(s)[1], "R"), "the values may not be real")
    return s, "=", at(s, s.args[0])


@row("no term", "binder sum prod max")
def empty(known: Known, s: Term) -> Said:
    """sum, product, maximum over hi < lo = 0, 1, 0."""
    ask(known(sub(s.args[0], s.args[1]), ">0"), "the range may not be empty")
    return s, "=", ONE if s.head == "prod" else ZERO


@row("commutativity", "binder sum")
def swap(_: Known, s: Term) -> Said:
    """sum over i of sum over j = sum over j of sum over i, where the inner range does not depend on i."""
    x = fresh("Z", s)
    inner = at(s, x)
    ask(inner.head == "sum" and x not in letters(*inner.args[:2]), "a rectangle is expected")
    y = fresh("Z", s, x)
    outer = bind("sum", s.hint, s.args[0], s.args[1], x, at(inner, y))
    return s, "=", bind("sum", inner.hint, inner.args[0], inner.args[1], y, outer)


@row("6.12", "binder int", "term R")
def join(known: Known, s: Term, mid: Term) -> Said:
    """int over lo..hi = int over lo..mid + int over mid..hi for real ends and continuous integrands."""
    lo, hi, body = s.args
    ask(known(lo, "R") and known(hi, "R"), "the ends may not be real")
    x = fresh("R+" if all(known(end, ">0") for end in (lo, mid, hi)) else "R", s)
    ask(continuous(at(s, x), x), "the integrand may not be continuous")
    halves = (Term("int", (), ends, s.hint) for ends in ((lo, mid, body), (mid, hi, body)))
    return s, "=", add(*halves)
