"""Inequalities over a box, certified by ball arithmetic with bisection. Rigorous; never by sampling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import acb, arb, ctx
from sympy import Rational, Symbol

from .evaluate import BITS, NoValue, Point, evaluate
from .identity import Statement
from .refute import certainly_fails
from .verdict import Counterexample, Verdict, undecided

MOST_CELLS = 20_000
Cell = tuple[tuple[Fraction, Fraction], ...]


def _holds(statement: Statement, symbols: Sequence[Symbol], cell: Cell) -> bool:
    """Whether the balls over the whole cell prove the relation."""
    point = Point(0)
    for symbol, (low, high) in zip(symbols, cell, strict=True):
        point.values[symbol.name] = (symbol, _interval(low, high))
    try:
        gap = evaluate(statement.right, point) - evaluate(statement.left, point)
    except (NoValue, ZeroDivisionError):
        return False
    if not gap.is_finite():
        return False
    return bool(gap.real > 0) if statement.relation in ("<", "<=") else bool(gap.real < 0)


def _interval(low: Fraction, high: Fraction) -> acb:
    middle, radius = (low + high) / 2, (high - low) / 2
    return acb(arb(_ball(middle), _upper(radius)))


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def _upper(radius: Fraction) -> arb:
    return _ball(radius) if radius else arb(0)


def decide_on_box(statement: Statement, box: Mapping[Symbol, tuple[Rational, Rational]]) -> Verdict:
    """Decide a strict inequality for all points of a box of real symbols.

    Cells on which the balls are too wide to tell are halved along their longest side. A cell whose midpoint
    certainly fails refutes the statement; running out of cells, as for bounds that touch, is undecided.
    """
    symbols = list(box)
    scope = "for all " + ", ".join(f"{s} ∈ [{low}, {high}]" for s, (low, high) in box.items())
    method = "certified (ball arithmetic, bisection)"
    start: Cell = tuple((_exact(low), _exact(high)) for low, high in box.values())
    before, ctx.prec = ctx.prec, BITS
    try:
        stack, done = [start], 0
        while stack:
            cell = stack.pop()
            done += 1
            if done > MOST_CELLS:
                return undecided(
                    method, f"no decision within {MOST_CELLS} cells: the bound may be attained", scope
                )
            if _holds(statement, symbols, cell):
                continue
            failure = _failure_at(statement, symbols, tuple((low + high) / 2 for low, high in cell))
            if failure is not None:
                return Verdict("refuted", method, scope, counterexample=failure)
            stack += _halves(cell)
        return Verdict("proved", f"{method}, {done} cells", scope)
    finally:
        ctx.prec = before


def _exact(value: Rational) -> Fraction:
    rational = Rational(value)
    return Fraction(int(rational.p), int(rational.q))


def _halves(cell: Cell) -> list[Cell]:
    longest = max(range(len(cell)), key=lambda k: cell[k][1] - cell[k][0])
    low, high = cell[longest]
    middle = (low + high) / 2
    return [(*cell[:longest], side, *cell[longest + 1 :]) for side in ((low, middle), (middle, high))]


def _failure_at(
    statement: Statement, symbols: Sequence[Symbol], at: tuple[Fraction, ...]
) -> Counterexample | None:
    point = Point(0, given=dict(zip(symbols, at, strict=True)))
    try:
        left, right = evaluate(statement.left, point), evaluate(statement.right, point)
    except (NoValue, ZeroDivisionError):
        return None
    relation = {"<": "<=", ">": ">="}.get(statement.relation, statement.relation)
    if certainly_fails(left, relation, right):
        return Counterexample(point.described(), str(left.real.mid()), str(right.real.mid()))
    return None
