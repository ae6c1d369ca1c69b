"""Numbers: what enclosures by Arb, through python-flint, show."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import prod

from flint import acb, arb, fmpq

from .calculus import derivative
from .domains import lies
from .ring import canon
from .terms import BINDERS, Refused, Term, ask, at, num, sub, work
from .theorem import Formula, Theorem, concluded, rule

Box = list[tuple[Term, Fraction, Fraction, list[Fraction]]]  # a letter, its two ends, the cuts between them


def rational(q: Fraction) -> arb:
    return arb(fmpq(q.numerator, q.denominator))


def interval(p: Fraction, q: Fraction) -> acb:
    """An enclosure of all numbers from p to q."""
    return acb(rational(p).union(rational(q)))


def value(t: Term, points: Mapping[Term, acb]) -> acb:
    """An enclosure of the value of t, or Refused where a pole may lie in an argument's enclosure."""
    work(1)
    if t.head == "num":
        return acb(*map(rational, t.data))
    if t.head == "var":
        return points[t]
    parts: Iterable[Term] = t.args
    if t.head in ("sum", "prod"):
        lo, hi = map(canon, t.args[:2])
        if any(end.head != "num" or not lies(end, "Z") for end in (lo, hi)):
            raise Refused("a range of numbers is expected")
        parts = (at(t, num(n)) for n in range(int(lo.data[0]), int(hi.data[0]) + 1))
    elif t.head in ("app", "delta", *BINDERS):
        raise Refused(f"no value of {t.head}")
    args = [value(part, points) for part in parts]
    out = args[0] ** t.data[0] if t.head == "^" else applied(t.head, *args)
    if not out.is_finite():
        raise Refused(f"no enclosure of {t}")
    return out


BALLS: dict[str, Callable[..., acb]] = {
    **dict.fromkeys(("+", "sum"), lambda *terms: sum(terms, acb(0))),
    **dict.fromkeys(("*", "prod"), lambda *factors: prod(factors, start=acb(1))),
    "pi": acb.pi,
    "euler": lambda: acb(arb.const_euler()),
    "pow": lambda b, x: (x * b.log()).exp(),
    "abs": lambda z: acb(abs(z)),
    "re": lambda z: acb(z.real),
    "im": lambda z: acb(z.imag),
    "conj": lambda z: acb(z.real, -z.imag),
    "inv": lambda z: 1 / z,
}  # any other function goes by its own name in Arb


def applied(head: str, *args: acb) -> acb:
    """A function of the language at enclosures."""
    return BALLS[head](*args) if head in BALLS else getattr(args[0], head.lower())()


slope = lru_cache(maxsize=100)(derivative)


def positive_on(gap: Term, cell: Sequence[tuple[Term, acb]]) -> bool:
    """Whether g > 0 on the cell: as it stands, or g(middle) + sum of slopes (x - middle). Rudin 5.19."""
    if value(gap, dict(cell)).real > 0:
        return True
    if not all(x.data[1] == "R" or (x.data[1] == "R+" and whole.real > 0) for x, whole in cell):
        return False  # there the slopes may not be
    least = value(gap, {x: acb(whole.mid()) for x, whole in cell})
    for x, whole in cell:
        least += value(slope(gap, x), dict(cell)) * (whole - whole.mid())
    return bool(least.real > 0)


@rule("term", "relation", "term", [("letter", "rational", "rational", ["rational"])])
def certified(left: Term, relation: str, right: Term, box: Box) -> Theorem:
    """lo <= x, x <= hi |- left < right (also <=): shown on each cell that the cuts make of the box."""
    ask(relation in ("<", "<="), "< or <= is expected")
    ask(lies(left, "R") and lies(right, "R"), "an order is between real numbers")
    ask(all(x.data[1] != "C" for x, *_ in box), "a real letter is expected")
    cells = []
    for x, lo, hi, cuts in box:
        ends = [lo, *cuts, hi]
        ask(all(p < q for p, q in pairwise(ends)), "the cuts are not in order")
        cells.append([(x, interval(p, q)) for p, q in pairwise(ends)])
    for cell in product(*cells):
        ask(positive_on(sub(right, left), cell), f"not shown on the cell {cell}")
    bounds = ((num(lo), "<=", x) for x, lo, _, _ in box), ((x, "<=", num(hi)) for x, _, hi, _ in box)
    return concluded((left, relation, right), (), [Formula(frozenset(), *b) for side in bounds for b in side])


@rule("term", "term")
def apart(left: Term, right: Term) -> Theorem:
    """|- left != right, for two terms without letters whose enclosures are disjoint."""
    a, b = value(left, {}), value(right, {})
    ask(not a.overlaps(b), "the enclosures are not disjoint")
    return concluded((left, "!=", right))
