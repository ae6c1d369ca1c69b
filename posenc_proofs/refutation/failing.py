"""Points at which a row fails, certified by balls: names by what they stand for, and by the model."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from flint import acb, arb, ctx

from ..kernel.domains import lies
from ..kernel.ring import canon, same
from ..kernel.terms import ONE, ZERO, I, Term, fun, has_words, mul, subterms
from ..latex.names import plain_name, put_in, within
from ..latex.statements import Said
from ..search.proof import NotFound
from ..text import scope
from ..text.reading import Known
from .evaluated import SMALL_TRIES, TRIES, Given, NoValue, Place, Point, matrix, place, value

CONFIRMED = 6
JET_BITS, JET_SCALE = 2000, 200
NONE_HERE = (NoValue, ZeroDivisionError, IndexError, ValueError)  # at this point; another may do
Condition = tuple[Term, str, Term]
Valued = Callable[[Term, Point], acb]


class Sides:
    """Sides of rows, with what is defined and the models put in, and their values, for all who ask again."""

    def __init__(self, D: Known) -> None:
        self.D = D
        self.term = cache(lambda side: _concrete(D, without_moduli(side)))
        self._alone = cache(self._at_seed)

    def value(self, t: Term, point: Point) -> acb:
        """The value of a term at a point that is drawn by its seed alone."""
        found, drawn = self._alone(t, point.seed)
        if found is None:
            raise NoValue(t.head)
        point.values |= drawn
        return found

    def _at_seed(self, t: Term, seed: int) -> tuple[acb | None, dict[Place, acb]]:
        """The value, where there is one, and what was drawn for it."""
        point, found = Point(self.D, seed), None
        with suppress(*NONE_HERE):
            found = value(t, point)
        return found, point.values


class Failure(NamedTuple):
    """A point, the entry of a matrix, and what stands on both sides there."""

    point: list[list[str]]
    entry: list[int]
    left: str
    right: str

    def __str__(self) -> str:
        at = ", ".join(" = ".join(pair) for pair in self.point)
        where = f"at {at}" if at else "for these numbers"
        return f"{where}: left side {self.left}, right side {self.right}"


def _lies(point: Point, conditions: Iterable[Condition]) -> bool:
    """Whether conditions hold."""
    gaps = [(value(b, point) - value(a, point), sign) for a, sign, b in conditions]
    return all(g != 0 if sign == "!=" else g.real > 0 if sign == "<" else g.real >= 0 for g, sign in gaps)


def failure(sides: Sides, said: Said, at: Given = None) -> Failure | None:
    """A point at which a row is false: none where both sides have one normal form."""
    return next((f for f in _looked_at(sides, said, TRIES, at, equal=False) if f is not None), None)


def _looked_at(
    sides: Sides, said: Said, tries: int, at: Given, asked: Iterable[Condition] = (), equal: bool = True
) -> Iterator[Failure | None]:
    """For each point at which both sides have values: how the row fails there, if it does.

    Entries that are ``equal`` by algebra are looked at, too, or left out.
    """
    D = sides.D
    conditions = [*D.reading.conditions(), *((_concrete(D, a), r, _concrete(D, b)) for a, r, b in asked)]
    for k, (a, b) in enumerate(zip(said.left, said.right, strict=True)):
        left, right = sides.term(a), sides.term(b)
        if not equal and said.relation not in ("<", "!=") and same(left, right):
            continue
        for seed in range(tries):
            point = Point(D, seed, at)
            try:
                pairs = list(_values(left, right, point, value if at else sides.value))
                within = _lies(point, conditions)
            except NONE_HERE:
                continue
            for inside, x, y in pairs if within else ():
                if _fails(x - y, said.relation):
                    where = sorted([_place(D, *key), _number(v)] for key, v in point.values.items())
                    entry = inside or _of(k, len(said.left), said.columns)
                    yield Failure(where, entry, _number(x), _number(y))
            if within:
                yield None


def _values(left: Term, right: Term, point: Point, value: Valued) -> Iterator[tuple[list[int], acb, acb]]:
    """Both sides; of matrices of any size entry by entry, with its place."""
    if not has_words(left, right):
        yield [], value(left, point), value(right, point)
        return
    whole = {side: matrix(side, point) for side in (left, right) if side != ZERO}
    one = next(iter(whole.values()))
    a, b = (whole.get(side, one * 0).entries() for side in (left, right))
    for n, (x, y) in enumerate(zip(a, b, strict=True)):
        yield _of(n, len(a), one.ncols()), x, y


def _of(n: int, entries: int, columns: int) -> list[int]:
    """The row and the column of an entry, where there is more than one."""
    return [n // columns + 1, n % columns + 1] if entries > 1 else []


def _fails(gap: acb, relation: str) -> bool:
    if relation == "=":
        return not gap.contains(0)
    if relation == "!=":
        return bool(gap == 0)
    above = gap.real > 0 or (relation == "<" and gap.real >= 0)
    return bool(above) and gap.imag.contains(0)


def is_not_of_third_order(D: Known, said: Said) -> bool:
    """Whether two sides differ by more than third order in the small letters, a cubic for each function."""
    small = [t.data[0] for t in said.small]
    with ctx.workprec(JET_BITS):
        for k, (a, b) in enumerate(zip(said.left, said.right, strict=True)):
            near = Point(D, k)
            scale = arb(2) ** -JET_SCALE
            at: dict[Place, acb] = {(name,): near.drawn(name, "R+", "near") * scale for name in small}
            point = Point(D, SMALL_TRIES + k, at)
            gap = abs(value(_concrete(D, a), point) - value(_concrete(D, b), point))
            if gap > arb(2) ** (-5 * JET_SCALE // 2):
                return True
    return False


def counterexample(D: Known, said: Said, at: Mapping[Term, Term]) -> str:
    """Where a row fails, at values that may be given; "" if it is not known to."""
    here = Point(D, 0)
    try:
        given = {(t.data[0], *(place(value(a, here)) for a in t.args)): value(v, here) for t, v in at.items()}
    except NONE_HERE:
        raise NotFound("what is given has no value") from None
    found = failure(Sides(D), said, given)
    return "" if found is None else str(found)


def confirm(sides: Sides, said: Said, asked: Sequence[Condition] = ()) -> None:
    """A second opinion on what was proved, in balls and in the model of the hypotheses.

    Raises:
        AssertionError: for a row that fails at a point; reader or kernel are wrong.
        NotFound: for an equation that has values at no point: nothing was looked at.
    """
    if said.small:
        return
    few, more = (_looked_at(sides, said, tries, None, asked) for tries in (CONFIRMED, TRIES))
    looked = list(few) or list(more)  # a letter that it divides by may be 0 at each of the few
    if found := next(filter(None, looked), None):
        cause = "what it recalls, the reader or the kernel is wrong"
        raise AssertionError(f"a row is proved, and fails: {cause}: {found}")
    if not looked and said.relation == "=" and not any(map(has_limit, (*said.left, *said.right))):
        raise NotFound("the equation has values at none of the points tried: what does it say?")


def divisors(sides: Iterable[Term]) -> set[Term]:
    """What may vanish, and then leaves a side without a value: a denominator, or what a logarithm is of."""
    parts = [s for side in sides for s in subterms(side)]
    below = [s.args[0] for s in parts if s.head in ("inv", "log", "Ci")]
    below += [fun("cos", s.args[0]) for s in parts if s.head == "tan"]
    return {canon(t) for t in below if not t.loose and not _nonzero(t)}


def _nonzero(t: Term) -> bool:
    if t.head in ("*", "^", "conj"):
        return all(map(_nonzero, t.args))
    return t.head == "exp" or (t.head == "num" and t != ZERO) or lies(t, "R+")


def has_limit(t: Term) -> bool:
    """Limits and infinite sums have no value that balls compute."""
    return any(s.head in ("lim", "oo") for s in subterms(t))


def _concrete(D: Known, t: Term) -> Term:
    """A term with what is defined, and with the model of the hypotheses."""
    return put_in({**D.meanings, **D.models}, t)


def _place(D: Known, name: str, *at: str) -> str:
    drawn = scope.shown(plain_name(name), D.reading.hand)
    inside = ", ".join(f"{float(a.split(',')[0]):g}" for a in at)
    return drawn + (f"[{inside}]" if name.endswith("[]") else f"({inside})" if at else "")


def _number(x: acb) -> str:
    real, imaginary = map(_real, (x.real, x.imag))
    if x.imag == 0 or (x.imag.contains(0) and x.imag.rad() < 1e-9):
        return real
    return f"{real} {'-' if imaginary.startswith('-') else '+'} {imaginary.lstrip('-')}i"


def _real(x: arb) -> str:
    if x.contains_integer() and x.rad() < 1e-9:
        return str(round(float(x.mid())))
    return f"{float(x.mid()):.6g}"


def without_moduli(t: Term) -> Term:
    """t with |a b| = |a| |b|, |a| = a for what is not negative, |e^(i y)| = 1 for real y."""
    if "(abs " not in t.text:
        return t
    new = within(t, without_moduli)
    if t.head != "abs":
        return new
    inside = new.args[0]
    return mul(*map(_modulus, inside.args if inside.head == "*" else new.args))


def _modulus(a: Term) -> Term:
    if lies(a, ">=0"):
        return a
    return ONE if a.head == "exp" and lies(mul(I, *a.args), "R") else fun("abs", a)
