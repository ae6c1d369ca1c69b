"""Strict inequalities over a box, certified by ball arithmetic with bisection; never by sampling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Rational, Symbol

from ..attack.box import failure_on, fraction
from ..kernel.terms import letters, subterms
from ..kernel.theorem import Theorem
from ..search import boxes, read
from ..search.proof import NotFound, Proof
from ..terms.expression import expression, span
from ..terms.statement import Statement
from ..terms.verdict import Counterexample
from ..values.point import Point
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Certified(Plain):
    """A strict inequality at every point of a box, by ball arithmetic with bisection."""

    relations = ("<", "<=", ">", ">=")
    box: tuple[tuple[Symbol, Any, Any], ...]

    def __post_init__(self) -> None:
        if len({str(letter) for letter, *_ in self.box}) < len(self.box):
            raise ValueError(f"two letters of one name in the box: {', '.join(str(x) for x, *_ in self.box)}")
        for letter, low, high in self.box:
            if not isinstance(letter, Symbol) or not letter.is_real or letter.is_integer:
                raise ValueError(f"a box gives ranges of real letters, got {letter}")
            if not (expression(low).is_Rational and expression(high).is_Rational):
                raise ValueError(f"the ends of a box are rational numbers, got [{low}, {high}] for {letter}")
            if Rational(low) > Rational(high) or (letter.is_positive and Rational(low) < 0):
                raise ValueError(f"[{low}, {high}] is not a range in the domain of {letter}")

    def method(self) -> str:
        return "certified (ball arithmetic, bisection)"

    def scope(self, statement: Statement, also: Sequence[Basic] = ()) -> str:
        ranges = ", ".join(f"{s} ∈ [{low}, {high}]" for s, low, high in self.box)
        return f"for all {ranges}" if ranges else "for these numbers"

    def letters(self) -> Sequence[Symbol]:
        return tuple(symbol for symbol, _, _ in self.box)

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        box = [(read.term(x), fraction(low), fraction(high)) for x, low, high in self.box]
        given = {x for x, *_ in box}
        unknown = {s for row in rows for t in row for s in subterms(t) if s.head == "app"}
        if outside := sorted(map(str, letters(*(t for row in rows for t in row)) - given | unknown)):
            raise NotFound(
                f"the box must give a range for every letter; it has none for {', '.join(outside)}"
            )
        return [boxes.certified(P, left, relation, right, box) for left, right in rows]

    def reach(self) -> str:
        return "holds on a box only" if self.box else ""

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        """A point of the box at which a version fails, found by halving."""
        return failure_on({symbol: (low, high) for symbol, low, high in self.box}, statement)


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
