"""A row of a chain: proved by the kernel, confirmed in ball arithmetic, and its wrong versions told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..attack.mutate import mutants
from ..attack.refute import NO_SECOND_OPINION, TRIES, first_look, points, second_opinion
from ..kernel.theorem import Theorem
from ..rules.rule import Rule
from ..show.printer import aligned
from ..show.results import Link, Mutation
from ..show.wrong import WrongVersion
from ..terms.domains import free_atoms
from ..terms.statement import Statement
from ..terms.undefined import unsaid
from ..terms.verdict import CheckerBug, Undecided, Verdict
from ..values.blockwise import same_blocks
from ..values.point import Point
from .advice import not_found
from .claims import Row, failure, label_of
from .conditions import scope_of
from .hypotheses import Hypotheses
from .in_model import why_not
from .sides import prepared
from .theorems import NOT_REBUILT, Unsaid
from .wrong_versions import wrong_versions


class Rows(Hypotheses):
    """How the rows of a derivation are checked, one by one."""

    def _found(self, row: Row) -> list[Theorem]:
        """The theorems of a row, for each entry or case, confirmed by a second opinion.

        Raises:
            Refuted, Undecided: if the search finds none that say what the row says.
            ValueError: if the row names a result from which nothing follows.
        """
        by, statement = row.claim.by, row.statement
        premises = [said for used in by.references() for said in self.premises(used)]
        if (verdict := self._refuted(statement, by, first_look())) is not None:
            raise failure(row, verdict)
        try:
            require_spoken_of(statement, by, premises)
            found = self.theorems.row(row.left, row.claim.relation, row.claim.right, by, statement.where)
        except NOT_REBUILT as problem:
            raise failure(row, self._not_proved(statement, by, problem)) from None
        for base in self._uncertain(by.references()):  # from what contradicts itself anything follows
            self._require_in_model(self.results[base])
        self._require_confirmed(row)
        return found

    def _proved(self, name: str, row: Row, theorems: list[Theorem]) -> Verdict:
        """The verdict of a row, with the certificates from which the kernel rebuilt it."""
        by = row.claim.by
        try:
            claims = self.theorems.claims(name, theorems)
        except NOT_REBUILT as problem:
            raise failure(row, self._not_proved(row.statement, by, problem)) from None
        written = self.definitions.spoken_of(row.left, row.claim.right)
        scope = scope_of(row.statement, by, [claim.result for claim in claims], written)
        return Verdict("proved", by.method(), scope, claims=claims)

    def _not_proved(self, statement: Statement, by: Rule, problem: Exception) -> Verdict:
        """Why a row is not accepted: a point at which it fails, or why no proof was found."""
        if (verdict := self._refuted(statement, by, list(points(TRIES, first=1)))) is not None:
            return verdict
        said, bases = (by.method(), by.scope(statement)), self._uncertain(by.references())
        if isinstance(problem, Unsaid):
            return Verdict("undecided", *said, reason=str(problem))
        if not bases:
            return Verdict("undecided", *said, reason=not_found(problem, statement, by))
        hypotheses = [self._concrete(self.results[base].statement()) for base in bases]
        reason = why_not(self._concrete(statement), hypotheses, [by.method()])
        return Verdict("undecided", *said, reason=f"no proof was found ({problem})\n  {reason}")

    def _refuted(self, statement: Statement, by: Rule, at: Sequence[Point]) -> Verdict | None:
        """A point at which a row fails; what rests on hypotheses may fail where they do."""
        if self._uncertain(by.references()):
            return None
        told = self._without_names(by.translate(statement))
        found = by.refuting(told, at if free_atoms(told.left, told.right) else at[:1])
        return Verdict("refuted", by.method(), by.scope(statement), counterexample=found) if found else None

    def _grounds(self, references: Sequence[Any]) -> tuple[str, ...]:
        """What references rest on in the end, other than definitions."""
        return tuple(dict.fromkeys(base for used in references for base in self._bases(label_of(used))))

    def _uncertain(self, references: Sequence[Any]) -> list[str]:
        """What references rest on in the end, and nobody has proved."""
        return [base for base in self._grounds(references) if self.results[base].kind != "recalled"]

    def _require_confirmed(self, row: Row) -> None:
        """A second opinion on what the kernel proved: ball arithmetic, in the model of the hypotheses.

        Raises:
            CheckerBug: if it fails there at a point.
            Undecided: if an equation has values at none of the points tried.
        """
        by = row.claim.by
        itself = self._concrete(by.translate(row.statement))
        if row.claim.relation == "=" and not by.reach():
            if not second_opinion(itself.left, itself.right, itself.where):
                raise Undecided(f"{row}: {NO_SECOND_OPINION}")
        elif found := by.refuting(itself, first_look()):
            raise CheckerBug(f"{row}: the kernel proved it, but ball arithmetic refutes it {found}")

    def _mutation(self, row: Row) -> Mutation:
        """How the wrong versions of a row fare.

        Raises:
            Undecided: if one of an equation is neither refuted nor proved as well.
        """
        by, relation, statement = row.claim.by, row.claim.relation, row.statement
        at, refuted, left_open = list(points()), 0, 0
        equal: list[str] = []
        alive: list[str] = []
        for wrong in mutants(statement.right, relation):
            other = statement._replace(right=wrong)
            try:
                version = self._concrete(by.translate(other))
            except ValueError:  # a slip that leaves a domain states nothing
                continue
            if by.refuting(version, at) is not None:
                refuted += 1
            elif relation == "=" and self.theorems.holds(version):
                equal.append(str(wrong))
            elif self.theorems.holds(other, by):
                equal.append(f"{wrong} holds too")
            elif relation == "=":
                alive.append(str(wrong))
            else:
                left_open += 1
        if alive or not (refuted or left_open or relation == "="):
            wrong = alive[0] if alive else equal[0]
            raise Undecided(f"{row}: the wrong version {wrong} was not refuted")
        return Mutation(refuted, tuple(equal), left_open, self._wrong_versions(row))

    def _wrong_versions(self, row: Row) -> tuple[WrongVersion, ...]:
        """Those that the page shows; where hypotheses are used, they fail in the model."""
        by = row.claim.by

        def concrete(relation: str, right: Any) -> Statement:
            a, b = prepared(*same_blocks(*map(self.meaning, (row.left, right))))
            return self._concrete(by.translate(Statement(a, relation, b, row.statement.where)))

        sides = row.left, row.claim.right
        meanings = (body for _, body in self.definitions.used(*sides))
        model = self.models.used(*sides, *meanings) if self.models.bodies else []
        known = self.models.heads.values()
        meant = tuple(aligned(name, [(":=", body, "")]) for name, body in model if name in known)
        return wrong_versions(row.claim.relation, row.left, row.claim.right, by, concrete, meant)


def require_spoken_of(statement: Statement, by: Rule, premises: Sequence[Statement]) -> None:
    """Refuse premises that say nothing somewhere where the statement does."""
    for said in by.spoken_of(statement):
        if reason := unsaid(said, *(side for premise in premises for side in (premise.left, premise.right))):
            raise Unsaid(reason)


def link(row: Row, verdict: Verdict, mutation: Mutation) -> Link:
    """A row as it is kept."""
    claim = row.claim
    by = claim.by
    return Link(claim.relation, claim.right, claim.because, verdict, mutation, by.remainder(), by.reach())
