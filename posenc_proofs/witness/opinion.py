"""SymPy's own opinion of what is proved: a witness that shares no code with reader, search or kernel.

What it is asked is bounded by the size of the expression, not by a clock: a page says the same whenever it
runs.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from ..kernel.domains import opened
from ..kernel.terms import FUNCTIONS, Term
from ..kernel.theorem import Theorem
from ..latex.names import is_definition, put_in

ASSUMED = {"Z": "integer", "N": "integer nonnegative", "N+": "integer positive", "C": "complex"}
ASSUMED |= {"R": "real", "R+": "positive", "S": "real"}
KINDS = {domain: dict.fromkeys(said.split(), True) for domain, said in ASSUMED.items()}
HEADS = {head: getattr(sp, head) for head in FUNCTIONS if hasattr(sp, head)}  # of one name
HEADS |= {"+": sp.Add, "*": sp.Mul, "inv": lambda a: 1 / a, "pow": sp.Pow}
HEADS |= {"abs": sp.Abs, "conj": sp.conjugate, "delta": sp.KroneckerDelta}
CONSTANTS = {"pi": sp.pi, "euler": sp.EulerGamma, "oo": sp.oo}
RANGED = {"sum": sp.Sum, "prod": sp.Product, "int": sp.Integral}


LARGEST = 120  # operations in an expression that is expanded, or evaluated
MOST_TERMS = 3000  # that it may have then
LONGEST = 64  # a range whose terms are added at a point
POINTS, DIGITS = 3, 30
LONG = (sp.Integral, sp.Limit)  # whose transformations take a time that their size does not tell
RANGES = (sp.Sum, sp.Product, *LONG)
Values = dict[sp.Expr, sp.Expr]
FAILURES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
Conditions = Sequence[tuple[sp.Expr, str, sp.Expr]]


class Outside(ValueError):
    """What SymPy has no expression for here: matrices of any size, derivatives of unknown functions."""


def expression(t: Term) -> sp.Expr:
    """The same number."""
    if t.head == "num":
        return sp.Rational(str(t.data[0])) + sp.I * sp.Rational(str(t.data[1]))
    if t.head == "var":
        return sp.Symbol(t.data[0], **KINDS[t.data[1]])
    if t.head in CONSTANTS:
        return CONSTANTS[t.head]
    if t.head in RANGED:
        return _ranged(t)
    if t.head not in HEADS.keys() | {"app", "^"}:
        raise Outside(t.head)
    args = [expression(a) for a in t.args]
    if t.head == "app":
        return _unknown(t, args)
    return args[0] ** t.data[0] if t.head == "^" else HEADS[t.head](*args)


def _ranged(t: Term) -> sp.Expr:
    x, body = opened(t)
    i = sp.Symbol(f"{t.hint}_{len(t.text)}_", **KINDS["R" if t.head == "int" else "Z"])
    lo, hi = map(expression, t.args[:2])
    return RANGED[t.head](expression(body).subs(expression(x), i), (i, lo, hi))


def _unknown(t: Term, args: list[sp.Expr]) -> sp.Expr:
    name, domain = t.data
    if domain == "M" or "'" in name:
        raise Outside("a matrix of any size" if domain == "M" else "a derivative of an unknown function")
    name = name.removesuffix("[]")
    return sp.Function(name, **KINDS[domain])(*args) if args else sp.Symbol(name, **KINDS[domain])


def sides(th: Theorem) -> tuple[sp.Expr, sp.Expr]:
    """Both sides of a theorem, what is defined put in.

    Raises:
        Outside: for what SymPy has no expression for here.
    """
    meanings = {h.left.data[0]: h for h in th.hypotheses if is_definition(h)}
    return expression(put_in(meanings, th.left)), expression(put_in(meanings, th.right))


class Contradicted(AssertionError):
    """SymPy finds another value: reader, kernel or SymPy are wrong."""


def opinion(th: Theorem) -> str:
    """What SymPy says of a theorem by itself: "0 after expand", "agrees at 3 points", or "" .

    Hypotheses other than definitions are not handed to it.

    Raises:
        Contradicted: where both sides differ at a point.
    """
    if any(h.relation == "=" and not is_definition(h) for h in th.hypotheses):
        return ""
    try:
        left, right = sides(th)
    except (Outside, KeyError, TypeError):
        return ""
    gap = left - right
    if gap == 0:
        return "0 as it stands" if th.relation == "=" else ""
    if sp.count_ops(gap) > LARGEST or gap.has(*LONG):
        return ""
    if th.relation == "=" and terms(gap) <= MOST_TERMS:
        for name, way in WAYS.items():
            if _tried(way, gap) == 0:
                return f"0 after {name}"
    if gap.has(*RANGES):
        return ""
    conditions = (h for h in th.hypotheses if h.relation != "=")
    where = [(expression(h.left), h.relation, expression(h.right)) for h in conditions]
    agreed = _tried(lambda e: _agreed(left, th.relation, right, where), gap) or 0
    return f"agrees at {agreed} point{'s' * (agreed != 1)}" if agreed else ""


def of_rows(rows: Sequence[Sequence[Theorem]]) -> str:
    """What it says of the rows of a result, the weakest of a row's entries, and of how many rows."""
    found = [min(map(opinion, row), key=_strength) for row in rows]
    said = list(dict.fromkeys(filter(None, found)))
    some = f" ({sum(map(bool, found))} of {len(rows)} rows)" if said and not all(found) else ""
    return "; ".join(said) + some


def _strength(said: str) -> int:
    return said.startswith("agrees") + 2 * said.startswith("0")


def terms(e: sp.Expr) -> int:
    """How many terms an expression may have when it is expanded, sums of angles and multiples, too.

    Example:
        >>> x, y = sp.symbols("x y")
        >>> terms((x + y) ** 3), terms(sp.cos(x + 2 * y))
        (4, 12)
    """
    inside = [terms(a) for a in e.args]
    if isinstance(e, sp.Add):
        return sum(inside)
    if isinstance(e, sp.Mul):
        return math.prod(inside)
    if isinstance(e, sp.Pow) and e.exp.is_Integer:
        n = abs(int(e.exp))
        return max(n, math.comb(inside[0] + n - 1, n))
    if isinstance(e, (TrigonometricFunction, HyperbolicFunction)):
        times = [a.as_coeff_Mul()[0] for a in sp.Add.make_args(e.args[0])]
        return math.prod(1 + abs(int(c)) if c.is_Integer else 2 for c in times) * inside[0]
    return (2 if isinstance(e, (sp.re, sp.im)) else 1) * max(inside, default=1)


def _tried(way: Callable[[sp.Expr], Any], e: sp.Expr) -> Any:
    """What a way makes of an expression; None if it fails."""
    with suppress(*FAILURES):
        return way(e)
    return None


def _real_parts(e: sp.Expr) -> sp.Expr:
    """Real parts, and squares of moduli, by conjugates."""
    e = e.replace(sp.re, lambda z: (z + sp.conjugate(z)) / 2)
    e = e.replace(sp.im, lambda z: (z - sp.conjugate(z)) / (2 * sp.I))
    square = lambda z: isinstance(z, sp.Pow) and isinstance(z.base, sp.Abs) and z.exp == 2  # noqa: E731
    return e.replace(square, lambda z: z.base.args[0] * sp.conjugate(z.base.args[0]))


def _exponentials(e: sp.Expr) -> sp.Expr:
    return sp.expand(sp.powsimp(sp.expand(_real_parts(e).rewrite(sp.exp)), deep=True))


def _joined(e: sp.Expr) -> sp.Expr:
    """Sums over ranges of one length as one sum from 0."""
    e = sp.expand(_real_parts(e))
    k = sp.Symbol("k__", integer=True)
    bodies: dict[sp.Expr, sp.Expr] = {}
    rest = sp.S.Zero
    for term in sp.Add.make_args(e):
        factors = list(sp.Mul.make_args(term))
        found = [f for f in factors if isinstance(f, sp.Sum) and len(f.limits) == 1]
        if len(found) != 1:
            rest += term
            continue
        factors.remove(found[0])
        i, lo, hi = found[0].limits[0]
        length = sp.expand(hi - lo)
        bodies[length] = bodies.get(length, sp.S.Zero) + sp.Mul(*factors) * found[0].function.subs(i, k + lo)
    return rest + sum(sp.expand(body.rewrite(sp.exp)) for body in bodies.values())


WAYS: dict[str, Callable[[sp.Expr], sp.Expr]] = {"expand": sp.expand}
WAYS |= {"expand(func=True, trig=True)": lambda e: sp.expand(sp.expand_trig(sp.expand_func(e)))}
WAYS |= {"rewrite(exp)": _exponentials, "joining sums": _joined}


def _agreed(left: sp.Expr, relation: str, right: sp.Expr, where: Conditions) -> int:
    """At how many exact points both sides are as they should, evaluated with error bounds."""
    drawn, agreed = random.Random(1), 0
    for _ in range(POINTS * (8 if where else 1)):
        values = dict(_between(where, drawn))
        if not all(_holds(condition, values, drawn) for condition in where):
            continue
        a, b = (_at(side, values, drawn) for side in (left, right))
        gap = sp.N(a - b, DIGITS, maxn=400)
        if not gap.is_number or not gap.is_finite or gap.has(sp.Sum, sp.Integral, sp.Function):
            return agreed
        real, imaginary = gap.as_real_imag()
        small = sp.Rational(1, 10**20) * (1 + abs(sp.N(a, 15)))
        wrong = sp.Abs(gap) > small if relation == "=" else real > small or abs(imaginary) > small
        if wrong == sp.true or wrong is True:
            raise Contradicted(f"SymPy has {sp.N(a, 15)} and {sp.N(b, 15)} at {values}")
        agreed += 1
        if agreed == POINTS:
            break
    return agreed


def _between(where: Conditions, drawn: random.Random) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """A value for each letter that has two ends."""
    low = {b: a for a, sign, b in where if sign in ("<", "<=") and a.is_number and b.is_symbol}
    high = {a: b for a, sign, b in where if sign in ("<", "<=") and b.is_number and a.is_symbol}
    for x in sorted(low.keys() & high.keys(), key=str):
        yield x, low[x] + (high[x] - low[x]) * sp.Rational(drawn.randint(0, 16), 16)


def _holds(condition: tuple[sp.Expr, str, sp.Expr], values: Values, drawn: random.Random) -> bool:
    left, relation, right = condition
    gap = sp.N(_at(right, values, drawn) - _at(left, values, drawn), 20)
    return bool(gap != 0 if relation == "!=" else gap > 0 if relation == "<" else gap >= 0)


def _at(e: sp.Expr, values: Values, drawn: random.Random) -> sp.Expr:
    """An expression at values for its letters, and for the unknown functions in it."""

    def put(e: sp.Expr, unknown: set[sp.Expr]) -> sp.Expr:
        for x in sorted(unknown, key=str):
            values.setdefault(x, _value(x, drawn))
        return e.subs({x: values[x] for x in unknown})

    e = put(e, e.free_symbols)
    if any(hi - lo > LONGEST for s in e.atoms(sp.Sum, sp.Product) for _, lo, hi in s.limits):
        raise ValueError("a range")
    e = e.doit()
    for _ in range(3):
        e = put(e, e.atoms(AppliedUndef)).doit()
    return e


def _value(x: sp.Expr, drawn: random.Random) -> sp.Expr:
    """A number of its domain."""
    if x.is_integer:
        return sp.Integer(drawn.randint(1 if x.is_positive else 0 if x.is_nonnegative else -3, 4))
    q = sp.Rational(drawn.randint(1, 20), 7)
    if x.is_positive:
        return q
    q *= drawn.choice((1, -1))
    return q if x.is_real else q + sp.I * sp.Rational(drawn.randint(-9, 9), 5)
