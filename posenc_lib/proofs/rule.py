"""What every rule is: a way to turn a statement into a verdict, that says what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from .identity import Statement
from .verdict import Verdict


class Context(Protocol):
    """What a rule may ask of the derivation it is used in."""

    def premises(self, references: Sequence[Any]) -> list[Statement]: ...

    def relation(self, reference: Any) -> Statement: ...


class Rule(Protocol):
    """A way to justify ``left relation right``, for the relations it can show."""

    @property
    def relations(self) -> tuple[str, ...]: ...

    def decide(self, statement: Statement, context: Context) -> Verdict: ...

    def translate(self, statement: Statement) -> Statement: ...

    def references(self) -> Sequence[Any]: ...

    def remainder(self) -> str: ...


class Plain:
    """A rule that takes the statement as it is and uses no earlier result; equality gives ≤ as well."""

    relations: ClassVar[tuple[str, ...]] = ("=", "<=")

    def translate(self, statement: Statement) -> Statement:
        return statement

    def references(self) -> Sequence[Any]:
        return ()

    def remainder(self) -> str:
        return ""
