"""Strict inequalities over a box, certified by ball arithmetic with bisection; never by sampling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, ctx
from sympy import Ci, Dummy, Ei, Expr, Pow, Rational, Symbol, log

from ..attack.refute import certainly_fails, short
from ..kernel.theorem import Theorem
from ..search import inequalities, read
from ..search.proof import Proof
from ..terms.domains import free_atoms
from ..terms.expression import expression, span
from ..terms.letters import require_names
from ..terms.statement import Statement
from ..terms.verdict import Counterexample, Verdict, undecided
from ..values.evaluate import BITS, evaluate
from ..values.point import NoValue, Point
from .rule import Context, Plain, Rows, Theory

MOST_CELLS = 4_000
Cell = tuple[tuple[Fraction, Fraction], ...]


class _Gap:
    """right − left over a cell, by the mean-value form: g(middle) + Σ ∂g/∂xₖ(cell) · (cell − middle)."""

    def __init__(self, statement: Statement, symbols: Sequence[Symbol]) -> None:
        self.symbols = symbols
        self.gap = statement.right - statement.left
        self.slopes = [self.gap.diff(symbol) for symbol in symbols]
        self.sign = 1 if statement.relation in ("<", "<=") else -1

    def _at(self, values: Sequence[acb]) -> Point:
        point = Point(0)
        for symbol, value in zip(self.symbols, values, strict=True):
            point.values[symbol.name] = (symbol, value)
        return point

    def positive_on(self, cell: Cell) -> bool:
        """Whether the balls prove the strict inequality on the whole cell."""
        whole = self._at([_interval(low, high) for low, high in cell])
        middle = self._at([_interval((low + high) / 2, (low + high) / 2) for low, high in cell])
        try:
            total = evaluate(self.gap, middle)
            for slope, (low, high) in zip(self.slopes, cell, strict=True):
                total += evaluate(slope, whole) * _interval((low - high) / 2, (high - low) / 2)
        except (NoValue, ZeroDivisionError):
            return False
        return bool(total.is_finite() and total.imag == 0 and total.real * self.sign > 0)


def _interval(low: Fraction, high: Fraction) -> acb:
    middle, radius = (low + high) / 2, (high - low) / 2
    return acb(arb(_ball(middle), _ball(radius)))


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def decide_on_box(statement: Statement, box: Mapping[Symbol, tuple[Rational, Rational]]) -> Verdict:
    """Decide a strict inequality for all points of a box of real symbols.

    Cells on which the balls are too wide to tell are halved along their longest side. A cell whose midpoint
    certainly fails refutes the statement; running out of cells, as for bounds that touch, is undecided.
    """
    if statement.relation not in ("<", "<=", ">", ">="):
        raise ValueError(f"balls certify <, <=, > or >=, got {statement.relation}")
    symbols = list(box)
    _require_box(box)
    require_names(statement.left, statement.right)
    sides = (statement.left, statement.right)
    free = [*free_atoms(*sides), *(s for side in sides for s in side.free_symbols if isinstance(s, Dummy))]
    outside = [str(atom) for atom in free if atom not in symbols]
    if outside:
        raise ValueError(f"the box must give a range for every letter; it has none for {', '.join(outside)}")
    ranges = ", ".join(f"{s} ∈ [{low}, {high}]" for s, (low, high) in box.items())
    scope = f"for all {ranges}" if ranges else "for these numbers"
    method = "certified (ball arithmetic, bisection)"
    start: Cell = tuple((_exact(low), _exact(high)) for low, high in box.values())
    before, ctx.prec = ctx.prec, BITS
    try:
        if _may_jump(statement.left - statement.right):
            return undecided(method, "a logarithm or root of a number that is not real may jump", scope)
        gap, stack, done = _Gap(statement, symbols), [start], 0
        while stack:
            cell = stack.pop()
            done += 1
            if done > MOST_CELLS:
                return undecided(
                    method, f"no decision within {MOST_CELLS} cells: the bound may be attained", scope
                )
            failure = _failure_at(statement, symbols, tuple((low + high) / 2 for low, high in cell))
            if failure is not None:
                return Verdict("refuted", method, scope, counterexample=failure)
            if gap.positive_on(cell):
                continue
            if not cell:
                return undecided(method, "the balls overlap: the two numbers may be equal", scope)
            stack += _halves(cell)
        return Verdict("checked", f"{method}, {done} cells", scope)
    finally:
        ctx.prec = before


def _require_box(box: Mapping[Symbol, tuple[Rational, Rational]]) -> None:
    if len({str(letter) for letter in box}) < len(box):
        raise ValueError(f"two letters of one name in the box: {', '.join(map(str, box))}")
    for letter, (low, high) in box.items():
        if not isinstance(letter, Symbol) or not letter.is_real or letter.is_integer:
            raise ValueError(f"a box gives ranges of real letters, got {letter}")
        if not (expression(low).is_Rational and expression(high).is_Rational):
            raise ValueError(f"the ends of a box are rational numbers, got [{low}, {high}] for {letter}")
        low, high = Rational(low), Rational(high)
        if low > high or (letter.is_positive and low < 0):
            raise ValueError(f"[{low}, {high}] is not a range in the domain of {letter}")


def _may_jump(e: Expr) -> bool:
    """Whether a logarithm or a root of something not real may cross its branch cut."""
    powers = [p.base for p in e.atoms(Pow) if not p.exp.is_integer]
    return any(not a.is_extended_real for a in [*powers, *(f.args[0] for f in e.atoms(log, Ci, Ei))])


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
    if certainly_fails(left, statement.relation, right):
        return Counterexample(point.described(), short(left), short(right))
    return None


@dataclass(frozen=True)
class Certified(Plain):
    """A strict inequality at every point of a box, by ball arithmetic with bisection."""

    relations = ("<", "<=", ">", ">=")
    box: tuple[tuple[Symbol, Any, Any], ...]

    def letters(self) -> Sequence[Symbol]:
        return tuple(symbol for symbol, _, _ in self.box)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        box = [(read.term(x), _exact(low), _exact(high)) for x, low, high in self.box]
        return [inequalities.certified(P, left, relation, right, box) for left, right in rows]

    def decide(self, statement: Statement, context: Context | None) -> Verdict:
        return decide_on_box(statement, {symbol: (low, high) for symbol, low, high in self.box})

    def reach(self) -> str:
        return "holds on a box only" if self.box else ""

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        return self.decide(statement, None).counterexample


def certified(*box: tuple[Symbol, Any, Any]) -> Certified:
    """At every point of a box: ``certified((x, 1, 100))``. Only strict inequalities can be certified.

    Example:
        >>> from sympy import cos
        >>> from posenc_lib.proofs import Derivation, le, reals
        >>> x = reals("x")
        >>> row = le(1, "cosines", by=certified((x, 1, 2)))
        >>> Derivation("box").prove("eq-box", cos(x), row).verdict.status
        'proved'
    """
    ranges = (span(limits, "the box") for limits in box)
    return Certified(tuple(ranges))
