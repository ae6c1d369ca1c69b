"""What every rule is: a way to turn a statement into a verdict, that says what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from sympy import Expr, Symbol

from ..attack.refute import counterexample
from ..terms.statement import Statement
from ..terms.verdict import Counterexample, Verdict
from ..values.point import Point


class Context(Protocol):
    """What a rule may ask of the derivation it is used in."""

    def premises(self, references: Sequence[Any]) -> list[Statement]: ...

    def relation(self, reference: Any) -> Statement: ...

    def meaning(self, e: Expr) -> Expr: ...


class Rule(Protocol):
    """A way to justify ``left relation right``, for the relations it can show."""

    @property
    def relations(self) -> tuple[str, ...]: ...

    def decide(self, statement: Statement, context: Context) -> Verdict: ...

    def translate(self, statement: Statement) -> Statement: ...

    def references(self) -> Sequence[Any]: ...

    def letters(self) -> Sequence[Symbol]: ...

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None: ...

    def remainder(self) -> str: ...

    def reach(self) -> str: ...


class Plain:
    """A rule that takes the statement as it is and uses no earlier result; what it shows is an equation."""

    relations: ClassVar[tuple[str, ...]] = ("=",)

    def translate(self, statement: Statement) -> Statement:
        return statement

    def references(self) -> Sequence[Any]:
        return ()

    def letters(self) -> Sequence[Symbol]:
        """The letters that the rule lets vary."""
        return ()

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        """A certified point at which a version of the statement fails, one of those given or another."""
        return counterexample(*statement, at)

    def remainder(self) -> str:
        return ""

    def reach(self) -> str:
        """How far it holds, if not for all values of the letters; then nothing may be concluded from it."""
        return ""
