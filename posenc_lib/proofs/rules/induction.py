"""Induction over an integer letter: a first case, and a step from each to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Integer, Symbol

from ..kernel.terms import num
from ..kernel.theorem import Theorem
from ..search import read
from ..search.induction import inductions
from ..search.proof import Proof
from ..terms.expression import letter, several
from ..terms.statement import Statement
from ..values.substitution import put_into
from .rule import Plain, Rows, Sides, Theory, earlier


@dataclass(frozen=True)
class Induction(Plain):
    """True at ``start`` and inherited from k to k + 1 (over all of ℤ: from k to k − 1 as well)."""

    over: Symbol
    start: int = 0
    premises: tuple[Any, ...] = ()
    elsewhere: tuple[tuple[Symbol, Any], ...] = ()

    def __post_init__(self) -> None:
        k = self.over
        if not k.is_integer or k.is_even:
            raise ValueError(f"induction runs over an integer symbol, got {k}")
        first = 1 if k.is_positive else 0 if k.is_nonnegative else self.start
        if self.start != first:
            raise ValueError(f"induction over {k} must start at {first}, the first value of its domain")

    def method(self) -> str:
        direction = "upwards" if self.over.is_nonnegative else "in both directions"
        return f"induction on {self.over}, base {self.over} = {self.start}, {direction}"

    def spoken_of(self, statement: Statement) -> Sequence[Sides]:
        """The statement, its first case, and what each step reaches."""
        k = self.over
        reached = [k, Integer(self.start), k + 1, *([] if k.is_nonnegative else [k - 1])]
        cases = [put_into(statement, {k: value}) for value in reached]
        cases += [put_into(statement, dict(self.elsewhere))] if self.elsewhere else []
        return [(case.left, case.right) for case in cases]

    def letters(self) -> Sequence[Symbol]:
        return (self.over,)

    def references(self) -> Sequence[Any]:
        return self.premises

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        n, premises = read.term(self.over), theory.equations(self.premises)
        moved = [(read.term(x), theory.term(value)) for x, value in self.elsewhere]
        return inductions(P, list(rows), n, num(self.start), premises, moved)


def induction(
    over: Symbol, start: int = 0, using: Sequence[Any] = (), at: Mapping[Symbol, Any] | None = None
) -> Induction:
    """By induction on ``over``, from ``start``; ``using`` names results the step relies on.

    The step supposes the row for the same values of all other letters, and with ``at={m: m + 1}`` for all
    values of m: it then may use the row at m + 1 as well.

    Raises:
        ValueError: if ``over`` is no integer letter, ``start`` is not the first value of its domain, or
            ``at`` moves ``over`` itself.

    Example:
        >>> from posenc_lib.proofs import Derivation, eq, naturals
        >>> from sympy import Sum
        >>> N, i = naturals("N i")
        >>> gauss = eq(N * (N + 1) / 2, "Gauss", by=induction(N))
        >>> Derivation("induction").prove("eq-gauss", Sum(i, (i, 0, N)), gauss).verdict.status
        'proved'
    """
    if at is not None and not isinstance(at, Mapping):
        raise TypeError(f"at must be a mapping from letters to values, such as {{m: m + 1}}, got {at!r}")
    moved = {letter(x, "at"): value for x, value in (at or {}).items()}
    if over in moved:
        raise ValueError(f"at must move other letters than {over}, over which the induction runs, got {at}")
    used = tuple(map(earlier, several(using, "using")))
    return Induction(letter(over, "over"), start, used, tuple(moved.items()))
