"""What dots stand for: the first two show a rule, affine in the place; the last has to obey it."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.ring import canon, same
from ..kernel.terms import ZERO, Term, add, bind, fun, mul, num, sub, substitute, var
from .matrices import Matrix
from .tokens import Unread


def total(first: Term, second: Term, last: Term) -> Term:
    """first + second + ... + last."""
    k = var("place__", "N")
    body = rule(first, second, k)
    return bind("sum", "k", ZERO, end([body], [last], k), k, body)


def blocks(rows: Sequence[Sequence[Term | str]], place: Term) -> Matrix:
    """A column with one row of dots: blocks one below the other; or a square with a row and a column of them:
    blocks on the diagonal, and zeros beside them. Before the dots stand two blocks, and one behind them."""
    dots = [r for r, row in enumerate(rows) if all(isinstance(cell, str) for cell in row)]
    if len(dots) != 1 or len({len(row) for row in rows}) != 1:
        raise Unread("one row of dots is expected")
    r, size = dots[0], len(rows) - dots[0] - 1
    if r != 2 * size or not size:
        raise Unread("before the dots two blocks are expected, and one behind them")
    places = [range(size), range(size, r), range(r + 1, len(rows))]
    square = len(rows[0]) > 1
    if square:
        _require_diagonal(rows, r, places)
    first, second, last = (
        [_terms(rows[a], block if square else range(1)) for a in block] for block in places
    )
    made = [list(map(rule, *pair, [place] * len(pair[0]))) for pair in zip(first, second, strict=True)]
    hi = end([t for row in made for t in row], [t for row in last for t in row], place)
    return Matrix(tuple(map(tuple, made)), ("diagonal" if square else "column", place, ZERO, canon(hi)))


def _require_diagonal(rows: Sequence[Sequence[Term | str]], dots: int, places: Sequence[range]) -> None:
    """Zeros beside the blocks, and dots in one row and one column."""
    if len(rows[0]) != len(rows):
        raise Unread("dots in a matrix that is not square")
    inside = {(a, b) for block in places for a in block for b in block}
    for a, row in enumerate(rows):
        for b, cell in enumerate(row):
            if isinstance(cell, str) != (dots in (a, b)) or not (
                (a, b) in inside or dots in (a, b) or cell == ZERO
            ):
                raise Unread("off the diagonal zeros are expected, and dots in one row and one column")


def _terms(row: Sequence[Term | str], places: range) -> list[Term]:
    cells = [row[b] for b in places]
    found = [cell for cell in cells if not isinstance(cell, str)]
    if len(found) < len(cells):
        raise Unread("dots in one row are expected")
    return found


def rule(a: Term, b: Term, k: Term) -> Term:
    """What is a at k = 0 and b at k = 1, where they differ only in numbers."""
    if a == b:
        return a
    if a.head == b.head == "num" and not (a.data[1] or b.data[1]):
        step = num(b.data[0] - a.data[0])
        return mul(step, k) if a == ZERO else add(a, mul(step, k))
    if (a.head, a.data, len(a.args)) != (b.head, b.data, len(b.args)):
        raise Unread(f"before the dots no rule is seen: {a}, {b}")
    return Term(a.head, a.data, tuple(rule(x, y, k) for x, y in zip(a.args, b.args, strict=True)), a.hint)


def end(bodies: Sequence[Term], last: Sequence[Term], k: Term) -> Term:
    """The place of the last: one for all, at which the rule gives it."""
    found: dict[Term, None] = {}
    for body, t in zip(bodies, last, strict=True):
        for hi in _places(body, t, k):
            found[canon(hi)] = None
    for hi in found:
        if all(same(substitute(body, {k: hi}), t) for body, t in zip(bodies, last, strict=True)):
            return hi
    raise Unread("what stands behind the dots does not follow the rule of what stands before them")


def _places(body: Term, t: Term, k: Term) -> list[Term]:
    """The values of k that make some affine part of the body the part of t that stands in its place."""
    zero, one = substitute(body, {k: ZERO}), substitute(body, {k: num(1)})
    step = canon(sub(one, zero))
    if step.head == "num" and step != ZERO:
        return [mul(fun("inv", step), sub(t, zero))]
    if (body.head, len(body.args)) != (t.head, len(t.args)):
        return []
    return [hi for x, y in zip(body.args, t.args, strict=True) for hi in _places(x, y, k)]
