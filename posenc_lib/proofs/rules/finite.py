"""Listed values: each is checked, and nothing is claimed beyond the list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sympy import Basic, Integer, Symbol

from ..attack.refute import counterexample
from ..kernel.terms import num, substitute
from ..kernel.theorem import Theorem
from ..search import equations, read
from ..search.proof import Proof
from ..terms.domains import in_domain, pretty_name
from ..terms.expression import letter, several
from ..terms.statement import Statement
from ..terms.verdict import Counterexample
from ..values.point import Point
from ..values.substitution import put_into
from .rule import Plain, Rows, Theory


@dataclass(frozen=True)
class Finite(Plain):
    """Checked separately for each listed value; nothing is claimed beyond the list."""

    over: Symbol
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.values or not all(in_domain(self.over, Integer(value)) for value in self.values):
            raise ValueError(f"values must list numbers in the domain of {self.over}, got {self.values}")

    def method(self) -> str:
        return f"finite: {self._is_listed(' = ')} only"

    def scope(self, statement: Statement, also: Sequence[Basic] = ()) -> str:
        others = [letter for letter in also if letter != self.over]
        scopes = dict.fromkeys(case.scope(others) for case in self._cases(statement))
        each = "; ".join(scopes).removeprefix("for these numbers")
        return f"for {self._is_listed(' one of ')}" + (f" and {each}" if each else "")

    def _is_listed(self, verb: str) -> str:
        return pretty_name(str(self.over)) + verb + ", ".join(map(str, self.values))

    def letters(self) -> Sequence[Symbol]:
        return (self.over,)

    def reach(self) -> str:
        return "holds for listed values only"

    def cases(self, rows: Rows) -> Rows:
        """The rows for each listed value."""
        x, put = read.term(self.over), [num(value) for value in self.values]
        return [(substitute(a, {x: n}), substitute(b, {x: n})) for a, b in rows for n in put]

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        return [equations.identity(P, left, right) for left, right in rows]

    def _cases(self, statement: Statement) -> list[Statement]:
        return [put_into(statement, {self.over: Integer(value)}) for value in self.values]

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        """A point at which a version fails for one of the listed values."""
        points = list(at)
        for value, case in zip(self.values, self._cases(statement), strict=True):
            if found := counterexample(*case, points):
                return replace(found, point=((pretty_name(str(self.over)), str(value)), *found.point))
        return None


def finite(over: Symbol, values: Sequence[int]) -> Finite:
    """Checked for each listed value of ``over`` only.

    Raises:
        TypeError, ValueError: if there are no values, or one is no whole number in the domain of ``over``.

    Example:
        >>> from posenc_lib.proofs import Derivation, eq, counts
        >>> from sympy import cos, pi
        >>> d = counts("d")
        >>> row = eq(1, "at these two", by=finite(d, [2, 4]))
        >>> Derivation("finite").prove("eq-even", cos(2 * pi * d), row).verdict.method
        'finite: d = 2, 4 only'
    """
    if not all(isinstance(value, int) for value in several(values, "values")):
        raise TypeError(f"values must be whole numbers, got {values}")
    return Finite(letter(over, "over"), tuple(values))
