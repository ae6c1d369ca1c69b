"""Look for a point of the domain at which a statement certainly fails."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from itertools import chain

from flint import acb, ctx
from sympy import Basic, Expr, false, true
from sympy.matrices import MatrixBase

from ..terms.expression import entries
from ..terms.statement import Statement
from ..terms.verdict import CheckerBug, Counterexample, Refuted
from ..values.evaluate import BITS, evaluate
from ..values.point import CORNERS, NoValue, Point
from ..values.sizes import at_sizes, values

RELATIONS = ("=", "<=", ">=", "<", ">", "!=")
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
CERTAINLY = {"==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
SMALL = 6  # points with values that a person would try first: 0, 1, 2, -1
TRIES = SMALL + 24


def points(tries: int = TRIES, first: int = 0) -> Iterator[Point]:
    """Reproducible random points: some of small whole numbers, then any; these give sequences, every third
    time, one common value.
    """
    for k in range(first - SMALL, first - SMALL + tries):
        yield Point(k, "small" if k < 0 else "constant" if k % 3 == 2 else "random")


def corners() -> list[Point]:
    """All letters 0 (or least), all 1, all large: where slips hide that no random point meets."""
    return [Point(0, style) for style in CORNERS]


def first_look() -> list[Point]:
    """Where most false statements fail: asked before a proof is looked for, which takes longer."""
    return [*corners(), *points(1, first=SMALL)]


def certainly_fails(left: acb, relation: str, right: acb) -> bool:
    """Whether the balls prove that ``left relation right`` is false."""
    with ctx.workprec(BITS):
        gap = left - right
    if relation == "=":
        return not gap.contains(0)
    if not (left.imag.contains(0) and right.imag.contains(0)):
        return True  # numbers that are not real have no order
    if relation in OPPOSITE:
        return bool(CERTAINLY[OPPOSITE[relation]](gap.real, 0))
    raise ValueError(f"relation must be one of {RELATIONS}, got {relation!r}")


def counterexample(
    lhs: Expr | MatrixBase,
    relation: str,
    rhs: Expr | MatrixBase,
    where: tuple[Basic, ...] = (),
    at: Iterable[Point] | None = None,
) -> Counterexample | None:
    """A certified point at which the statement is false, or None if the search found none."""
    tried = list(chain(points(), corners()) if at is None else at)
    for a, b, conditions, size in at_sizes(lhs, rhs, where):
        columns = a.cols if isinstance(a, MatrixBase) else 0
        for point, k, left, right in _values(a, b, conditions, tried):
            if certainly_fails(left, relation, right):
                entry = (k // columns + 1, k % columns + 1) if columns else ()
                return Counterexample((*size, *point.described()), short(left), short(right), entry)
    return None


def has_values(statement: Statement, point: Point) -> bool:
    """Whether a point satisfies the conditions, and both sides have values there."""
    left, _, right, where = statement
    sized = at_sizes(left, right, where)
    return any(True for a, b, conditions, _ in sized for _ in _values(a, b, conditions, [point]))


def _values(
    lhs: Expr | MatrixBase, rhs: Expr | MatrixBase, where: tuple[Basic, ...], at: Iterable[Point]
) -> Iterator[tuple[Point, int, acb, acb]]:
    """Both sides at the points that satisfy the conditions: each entry's number, where both have values."""
    for point in at:
        with ctx.workprec(BITS):
            if all(_holds(condition, point) for condition in where):
                pairs = [_pairs(a, b, point) for a, b in zip(entries(lhs), entries(rhs), strict=True)]
            else:
                pairs = []
        yield from ((point, k, *pair) for k, some in enumerate(pairs) for pair in some)


def _pairs(a: Expr, b: Expr, point: Point) -> list[tuple[acb, acb]]:
    """The values of both sides, or none: of scalars one pair, of products of matrices one for each entry."""
    try:
        pairs = zip(values(a, point), values(b, point), strict=True)
    except (NoValue, ZeroDivisionError):
        return []
    return [(left, right) for left, right in pairs if left.is_finite() and right.is_finite()]


def _holds(condition: Basic, point: Point) -> bool:
    if condition in (true, false):  # what remains of a condition on a letter that has its value
        return condition == true
    try:
        left, right = (evaluate(side, point) for side in condition.args)
    except (NoValue, ZeroDivisionError):
        return False
    gap = left - right
    if condition.rel_op == "!=":
        return not gap.contains(0)
    return gap.imag == 0 and bool(CERTAINLY[condition.rel_op](gap.real, 0))


def short(ball: acb) -> str:
    """The middle of a ball in six digits; less than 1e-30 counts as 0."""
    parts = (float(part.mid()) for part in (ball.real, ball.imag))
    real, imag = (0.0 if abs(part) < 1e-30 else part for part in parts)
    if imag == 0:
        return f"{real:.6g}"
    return f"{real:.6g} {'-' if imag < 0 else '+'} {abs(imag):.6g}i"


NO_SECOND_OPINION = "proved, but at no point tried do both sides have values to confirm it"


def second_opinion(lhs: Expr | MatrixBase, rhs: Expr | MatrixBase, where: tuple[Basic, ...] = ()) -> bool:
    """Evaluate a proved equation by an independent path, at corners and random points of its domain.

    Returns whether it could: False if some entry has values on both sides at none of the points tried.

    Raises:
        CheckerBug: if the two sides certainly differ at one of them.
    """
    at = [*corners(), *points(4, first=SMALL)], list(points(TRIES - SMALL - 4, first=SMALL + 4))
    return all(
        _confirmed(a, b, one.where, at)
        for one in at_sizes(lhs, rhs, where)
        for a, b in zip(entries(one.left), entries(one.right), strict=True)
    )


def _confirmed(a: Expr, b: Expr, where: tuple[Basic, ...], at: Iterable[list[Point]]) -> bool:
    for some in at:
        found = list(_values(a, b, where, some))
        for point, _, left, right in found:
            if certainly_fails(left, "=", right):
                at_point = Counterexample(point.described(), short(left), short(right))
                raise CheckerBug(f"the kernel proved {a} = {b}, but ball arithmetic refutes it: {at_point}")
        if found:
            return True
    return False


def sampled(
    lhs: Expr | MatrixBase, relation: str, rhs: Expr | MatrixBase, where: tuple[Basic, ...] = ()
) -> int:
    """At how many random points the relation certainly holds (for = : is not excluded).

    Raises:
        Refuted: if it certainly fails at one of them.
    """
    found = counterexample(lhs, relation, rhs, where)
    if found is not None:
        raise Refuted(f"{lhs} {relation} {rhs} fails {found}")
    confirmed = 0
    sized = list(at_sizes(lhs, rhs, where))
    for point in points(TRIES):
        try:
            pairs = [
                pair
                for one in sized
                for a, b in zip(entries(one.left), entries(one.right), strict=True)
                for pair in zip(values(a, point), values(b, point), strict=True)
            ]
        except (NoValue, ZeroDivisionError):
            continue
        if relation == "=":
            confirmed += all((a - b).contains(0) for a, b in pairs)
        else:
            confirmed += all(certainly_fails(a, OPPOSITE[relation], b) for a, b in pairs)
    return confirmed
