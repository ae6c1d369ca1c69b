"""What every rule is: a reason for a row, that finds a proof for the kernel and says what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from sympy import Basic, Symbol

from ..attack.refute import counterexample
from ..kernel.terms import Term
from ..kernel.theorem import Theorem
from ..search.proof import NotFound, Proof
from ..terms.statement import Statement
from ..terms.verdict import Counterexample
from ..values.point import Point

Sides = tuple[Any, ...]
Rows = Sequence[tuple[Term, Term]]  # the entries of two sides, pairwise


def earlier(reference: Any) -> Any:
    """``reference`` if it names an earlier result; a TypeError otherwise."""
    if isinstance(reference, str) or (hasattr(reference, "label") and hasattr(reference, "values")):
        return reference
    raise TypeError(f"an earlier result is named by its label, or is D.at(label, …), got {reference!r}")


class Theory(Protocol):
    """What the search for a row's theorem may ask of the derivation; names are unfolded."""

    def equations(self, references: Sequence[Any]) -> list[Theorem]: ...

    def relation(self, reference: Any) -> Theorem: ...

    def term(self, e: Any) -> Term: ...


class Rule(Protocol):
    """A way to justify ``left relation right``, for the relations it can show."""

    @property
    def relations(self) -> tuple[str, ...]: ...

    def method(self) -> str: ...

    def cases(self, rows: Rows) -> Rows: ...

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]: ...

    def translate(self, statement: Statement) -> Statement: ...

    def spoken_of(self, statement: Statement) -> Sequence[Sides]: ...

    def scope(self, statement: Statement, also: Sequence[Basic] = ()) -> str: ...

    def references(self) -> Sequence[Any]: ...

    def weaker(self) -> Sequence[Rule]: ...

    def letters(self) -> Sequence[Symbol]: ...

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None: ...

    def remainder(self) -> str: ...

    def accepts(self, rest: Sequence[Term]) -> bool: ...

    def reach(self) -> str: ...


class Plain:
    """A rule that takes the statement as it is and uses no earlier result; what it shows is an equation."""

    relations: ClassVar[tuple[str, ...]] = ("=",)

    def method(self) -> str:
        """The rule, as the line under an equation names it."""
        return type(self).__name__.lower()

    def cases(self, rows: Rows) -> Rows:
        """What is to be shown of a row's entries, if not they themselves."""
        return rows

    def find(self, P: Proof, rows: Rows, relation: str, theory: Theory) -> list[Theorem]:
        """A theorem for each of the rows; NotFound where there is none."""
        raise NotFound(f"the kernel has no rule {type(self).__name__}")

    def translate(self, statement: Statement) -> Statement:
        """A statement that fails at a point only if this one does, and that has values at points."""
        return statement

    def spoken_of(self, statement: Statement) -> Sequence[Sides]:
        """What earlier results are used for: wherever all of it has values, they have to say something."""
        return ((statement.left, statement.right),)

    def scope(self, statement: Statement, also: Sequence[Basic] = ()) -> str:
        """The values for which it is shown; ``also`` are letters that cancelled in the statement."""
        return statement.scope(also)

    def references(self) -> Sequence[Any]:
        return ()

    def weaker(self) -> Sequence[Rule]:
        """The rule without one of its references each, where none of them may be left over."""
        return ()

    def letters(self) -> Sequence[Symbol]:
        """The letters that the rule lets vary."""
        return ()

    def refuting(self, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
        """A certified point at which a version of the statement fails, one of those given or another."""
        return counterexample(*statement, at)

    def remainder(self) -> str:
        return ""

    def accepts(self, rest: Sequence[Term]) -> bool:
        """Whether these terms, behind the right side of a theorem, are the remainder that is printed."""
        return not rest

    def reach(self) -> str:
        """How far it holds, if not for all values of the letters; then nothing may be concluded from it."""
        return ""
