"""Dots: what goes on as it begins, in a sum, down a column, or along a diagonal."""

from collections.abc import Sequence

from ..kernel.domains import lies
from ..kernel.ring import canon, poly, same
from ..kernel.terms import ZERO, Term, add, bind, fun, letters, mul, neg, num, sub, substitute, var
from .matrices import Matrix
from .tokens import Unread, refuse

DOTS = 3  # no block


def total(first: Term, second: Term, last: Term) -> Term:
    """first + second + ... + last."""
    k = var("place__", "N")
    body = rule(first, second, k)
    return bind("sum", "k", ZERO, end([body], [last], k), k, body)


def blocks(rows: Sequence[Sequence[Term | str]], place: Term) -> Matrix:
    """A column with one row of dots: blocks one below the other; or a square with a row and a column of them:
    blocks on the diagonal, and zeros beside them. Before the dots stand two blocks, and one behind them."""
    if place in letters(*(cell for row in rows for cell in row if isinstance(cell, Term))):
        raise Unread(f"{place.data[0]} counts the places of the dots, and stands beside them: rename it")
    size, more = divmod(len(rows) - 1, 3)
    if more or not size or {len(row) for row in rows} not in ({1}, {len(rows)}):
        raise Unread("a column or a square is expected: before the dots two blocks, and one behind them")
    square = len(rows[0]) > 1
    of = [0] * size + [1] * size + [DOTS] + [2] * size  # the block of each row, and of each column
    cells: list[list[Term]] = [[], [], []]
    for k, row in zip(of, rows, strict=True):
        for n, cell in zip(of if square else [k], row, strict=True):
            if isinstance(cell, str) != (DOTS in (k, n)) or not (DOTS in (k, n) or k == n or cell == ZERO):
                raise Unread("off the diagonal zeros are expected, and dots in one row and one column")
            if k == n and isinstance(cell, Term):
                cells[k].append(cell)
    first, second, last = cells
    made = [rule(a, b, place) for a, b in zip(first, second, strict=True)]
    hi = canon(end(made, last, place))
    width = len(made) // size
    block = tuple(tuple(made[k : k + width]) for k in range(0, len(made), width))
    return Matrix(block, ("diagonal" if square else "column", place, ZERO, hi))


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
    pairs = list(zip(bodies, last, strict=True))
    for hi in dict.fromkeys(canon(hi) for body, t in pairs for hi in _places(body, t, k)):
        if all(same(substitute(body, {k: hi}), t) for body, t in pairs):
            refuse(lies(neg(hi), ">=0"), "what stands behind the dots comes before what stands before them")
            counted = hi.head != "num" or any("(app" in body.text or letters(body) - {k} for body in bodies)
            products = ([x.head for x, n in powers for _ in range(n)] for powers, _ in poly(hi))
            one_by_one = all(product in ([], ["var"]) for product in products)
            if not (counted and one_by_one and lies(hi, "Z")):
                raise Unread("dots between numbers may follow several rules: write the sum, or the entry")
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
