"""A derivation: definitions, hypotheses and results, each checked when it is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Basic, Indexed, conjugate
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from ..attack.chosen import failure_at
from ..attack.mutate import mutants
from ..attack.refute import corners, counterexample, points, sampled
from ..prove.check import check
from ..reread.statements import Derived
from ..reread.tokens import Unread
from ..rules.rule import Rule
from ..show.readable import looks, require_apart
from ..show.results import Link, Mutation, Result
from ..terms.binders import running_letters
from ..terms.domains import in_domain
from ..terms.expression import expression
from ..terms.matrices import NamedMatrix
from ..terms.statement import Statement
from ..terms.undefined import real_where_defined, require_domain
from ..terms.verdict import ProofError, Refuted, Undecided, Verdict
from ..values.substitution import substitute
from .claims import Claim, Instance, failure, label_of, require_shown
from .hypotheses import Hypotheses
from .in_model import why_not
from .theorems import NOT_REBUILT, Unsaid, rebuilt_as

CERTIFICATE = "certificate, rebuilt by the kernel"


class Derivation(Hypotheses):
    """A chain of checked results on one page.

    Args:
        name: short identifier, used in the ledger
        source: where the argument comes from, e.g. "source 004"

    Example:
        >>> from sympy import cos, sin
        >>> from posenc_lib.proofs import Derivation, eq, reals
        >>> a, b = reals("a b")
        >>> D = Derivation("angle-addition")
        >>> row = eq(cos(a) * cos(b) - sin(a) * sin(b), "addition formula")
        >>> result = D.prove("eq-cos-sum", cos(a + b), row)
        >>> result.verdict.status
        'proved'
    """

    def _require_body(self, head: Any, body: Any) -> None:
        """Refuse a body outside the domain that its name declares, and a constant as parameter."""
        self._require_shapes(head, body)
        require_apart(self.printed, looks(head, body))
        if isinstance(head, NamedMatrix) or in_domain(head, meaning := self.meaning(body)):
            return
        only_real = head.is_extended_real and not head.is_integer and head.is_nonnegative is None
        if not (only_real and (real_where_defined(meaning) or check(conjugate(meaning), meaning))):
            require_domain(head, meaning)

    def _look_again(self, head: Any) -> None:
        """What was found satisfied, or could not be refuted, while a name had no meaning yet."""
        self.satisfied.clear()
        for result in self.results.values():
            if result.kind in ("cited", "recalled"):
                try:
                    self._require_not_refuted(result.label, result.statement())
                except Refuted:
                    self.definitions.remove(head)
                    raise

    def define(self, head: Any, body: Any, because: str = "", label: str = "") -> Result:
        """``head := body``; every later step sees through the name."""
        body = expression(body)
        self._require_body(head, body)
        self.definitions.add(head, body)
        self._look_again(head)
        self.theorems.define(head, body)
        verdict = Verdict("defined", "definition")
        return self._keep(
            Result(label or "", self.name, head, (Link(":=", body, because, verdict),), "defined", "")
        )

    def recall(self, label: str, left: Any, right: Any) -> Result:
        """A result proved on another page; the ledger fails if that page proves something else.

        Raises:
            Refuted: if a point refutes it.
        """
        left, right = expression(left), expression(right)
        self._require_not_refuted(label, Statement(left, "=", right))
        scope = Statement(left, "=", right).scope()
        verdict = Verdict("cited", f"proved on another page as {label}", scope)
        link = Link("=", right, "recalled", verdict)
        return self._keep(Result(label, self.name, left, (link,), "recalled", ""))

    def prove(
        self,
        label: str,
        left: Any,
        *claims: Claim,
        source: str = "",
        library: str = "",
        where: Sequence[Basic] = (),
    ) -> Result:
        """Check a chain ``left = … = …``, one claim a row, and every wrong version of each row.

        Raises:
            Refuted, Undecided: naming the row, both sides, their difference and the counterexample.
            ValueError: if the label is taken, no claim is given, or the shapes or domains do not fit.
        """
        if not claims:
            raise ValueError(f"{label}: a result needs at least one claim, eq(…), le(…) or lt(…)")
        links, left = list[Link](), expression(left)
        for condition in where:
            if not isinstance(condition, (Relational, BooleanAtom)):
                raise TypeError(f"{label}: a condition must be a relation such as x > 0, got {condition!r}")
        current, references = left, [r for claim in claims for r in claim.by.references()]
        self._require_said(references, where)
        for row, claim in enumerate(claims, 1):
            require_shown(label, row, claim)
            statement = self._unfolded(current, claim.relation, claim.right, tuple(where))
            if any(map(self.is_conditional, claim.by.references())):
                self.require_fixed(*claim.by.letters(), *running_letters(statement.left, statement.right))
            verdict = self._decided(statement, claim.by)
            if not verdict:
                verdict = self._explained(verdict, statement, claim.by)
                raise failure(label, row, current, claim, statement, verdict)
            if any(map(self.is_conditional, references)):
                verdict = replace(verdict, scope=self._with_constants(verdict.scope, current, claim.right))
            mutation = self._mutate(label, row, statement, claim)
            links.append(
                Link(
                    claim.relation,
                    claim.right,
                    claim.because,
                    verdict,
                    mutation,
                    claim.by.remainder(),
                    claim.by.reach(),
                )
            )
            current = claim.right
        links = self._rebuilt(label, left, claims, links, tuple(map(self.definitions.unfold, where)))
        uses = tuple(dict.fromkeys(map(label_of, references)))
        rests_on = tuple(dict.fromkeys(base for used in uses for base in self._bases(used)))
        for base in rests_on:  # from hypotheses that contradict each other anything follows
            if self.results[base].kind == "assumed":
                self._require_in_model(self.results[base])
        kind = "proved" if all(link.verdict.status == "proved" for link in links) else "checked"
        result = Result(label, self.name, left, tuple(links), kind, source, uses, library, rests_on)
        self.said[label] = tuple(c for c in where if isinstance(c, Relational))
        return self._keep(result)

    def print_as(self, result: Result, sides: tuple[tuple[str, ...], ...]) -> Result:
        """Let a result be printed as it was written, if that, read again, is what the kernel proved.

        Args:
            result: of this derivation
            sides: the terms of each side, in LaTeX
        """
        written = replace(result, written=sides)
        records = {**self.results, result.label: written}
        try:
            said = (each.record() for each in records.values())
            Derived(said, self.theorems.claimed).confirm(result.label)
        except Unread:
            return result
        self.results[result.label] = written
        return written

    def _require_said(self, references: Sequence[Any], where: Sequence[Basic]) -> None:
        """Refuse an earlier result that holds under a condition which is not said again."""
        for reference in references:
            values = dict(reference.values) if isinstance(reference, Instance) else {}
            for condition in self.said.get(label_of(reference), ()):
                at = substitute(self.definitions.unfold(condition), values)
                if at not in (self.definitions.unfold(c) for c in where):
                    raise ValueError(f"{reference} holds where {at}: say so, with where=[{at}]")

    def _rebuilt(
        self, label: str, left: Any, claims: Sequence[Claim], links: list[Link], where: Sequence[Basic]
    ) -> list[Link]:
        """The rows with the verdict that the kernel gives: proved, or checked and why not proved."""
        rows = [(claim.relation, claim.right, claim.by) for claim in claims]
        shown = self.theorems.prove(label, left, rows, where)
        verdicts = [rebuilt_as(link.verdict, one) for link, one in zip(links, shown, strict=True)]
        rebuilt = [replace(link, verdict=verdict) for link, verdict in zip(links, verdicts, strict=True)]
        for row, link in enumerate(rebuilt, 1):
            if link.verdict.method == CERTIFICATE and not link.verdict.claims:
                raise Undecided(f"{label}, row {row}: {link.verdict.reason}")
        return rebuilt

    def _decided(self, statement: Statement, by: Rule) -> Verdict:
        """The rule's verdict; where it cannot tell, the search's, whose proof the kernel has to rebuild."""
        verdict = by.decide(statement, self)
        if verdict.status != "undecided" or verdict.final:
            return verdict
        try:
            self.theorems.require(statement, by)
        except Unsaid as missing:
            return replace(verdict, reason=f"{verdict.reason}; {missing}")
        except NOT_REBUILT:
            return verdict
        return Verdict("checked", CERTIFICATE, verdict.scope or statement.scope())

    def _explained(self, verdict: Verdict, statement: Statement, by: Rule) -> Verdict:
        """An undecided consequence of hypotheses, with what the author's model says of it."""
        bases = dict.fromkeys(base for used in by.references() for base in self._bases(label_of(used)))
        assumed = [self.results[base] for base in bases if self.results[base].kind == "assumed"]
        if verdict.status != "undecided" or verdict.final or not assumed:
            return verdict
        hypotheses = [self._concrete(result.statement()) for result in assumed]
        said = why_not(self._concrete(statement), hypotheses, [verdict.method, "a certificate"])
        return replace(verdict, reason=f"{verdict.reason}\n  {said}")

    def refute(
        self,
        label: str,
        left: Any,
        right: Any,
        because: str,
        source: str = "",
        relation: str = "=",
        at: Mapping[Any, Any] | None = None,
    ) -> Result:
        """A statement that is false as printed somewhere; fails unless a counterexample is certified.

        ``at`` gives a value to every letter (and entry ``h[2]``, and value ``f(1)``) that the statement
        needs; the failure is then certified at exactly this point, and this point is shown. Without it one is
        searched for in the domain.

        Raises:
            ProofError: if no point is given and none is found.
            ValueError, TypeError: if the point gives a value to something else, leaves something open, leaves
                a domain, or is one at which the statement does not fail.

        Example:
            >>> from sympy import cos, pi
            >>> from posenc_lib.proofs import Derivation, integers, reals
            >>> m, theta = integers("m"), reals("theta")
            >>> D = Derivation("refute")
            >>> D.refute("eq-even", cos(m * theta), -1, "not for even m", at={m: 2, theta: pi}).badge()
            '✘ refuted · fails at m = 2, θ = π: left side 1, right side -1'
        """
        left, right = expression(left), expression(right)
        if relation == "!=":
            raise ValueError("a counterexample to != cannot be certified by balls")
        if any(r.kind == "assumed" for r in self.results.values()):
            self.check_model()
        statement = self._concrete(self._unfolded(left, relation, right))
        found = counterexample(*statement) if at is None else failure_at(label, statement, at)
        if found is None:
            raise ProofError(f"{label}: no counterexample was found to {left} {relation} {right}")
        verdict = Verdict("refuted", "certified counterexample", statement.scope(), counterexample=found)
        link = Link(relation, right, because, verdict)
        return self._keep(Result(label, self.name, left, (link,), "refuted", source))

    def sample(
        self, label: str, left: Any, relation: str, right: Any, because: str, source: str = ""
    ) -> Result:
        """Evidence, never proof: the relation holds at random points of the domain, in ball arithmetic."""
        left, right = expression(left), expression(right)
        count = sampled(*self._concrete(self._unfolded(left, relation, right)))
        if not count:
            raise ProofError(f"{label}: no point was found where both sides have values")
        scope = Statement(left, relation, right).scope()
        verdict = Verdict("sampled", f"sampled at {count} random points", scope)
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, because, verdict),), "sampled", source)
        )

    def cite(self, label: str, left: Any, relation: str, right: Any, reference: str) -> Result:
        """A statement from the literature, drawn as such wherever it is used; a false one is refused."""
        left, right = expression(left), expression(right)
        self._require_not_refuted(label, Statement(left, relation, right))
        verdict = Verdict("cited", f"cited: {reference}", Statement(left, relation, right).scope())
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, "", verdict),), "cited", reference)
        )

    def _require_not_refuted(self, label: str, said: Statement) -> None:
        """Refuse what is taken from elsewhere and fails; nothing is known of unknown functions."""
        statement = self._unfolded(said.left, said.relation, said.right)
        unknown = set().union(*(side.atoms(AppliedUndef, Indexed) for side in statement[::2]))
        if said.relation == "!=" or unknown:
            return
        found = counterexample(*statement)
        if found is not None:
            raise Refuted(f"{label}: what is cited fails {found}")

    def _mutate(self, label: str, row: int, statement: Statement, claim: Claim) -> Mutation:
        itself, at = self._concrete(claim.by.translate(statement)), list(points())
        if claim.by.refuting(itself, [*corners(), *at[:1]]) is not None:
            raise Undecided(
                f"{label}, row {row}: the step fails in the model; give the hypotheses one (D.model)"
            )
        refuted, left_open = 0, 0
        equal: list[str] = []
        alive: list[str] = []
        for wrong in mutants(statement.right, claim.relation):
            try:
                version = self._concrete(claim.by.translate(statement._replace(right=wrong)))
            except ValueError:  # a slip that leaves a domain states nothing
                continue
            if claim.by.refuting(version, at) is not None:
                refuted += 1
            elif claim.relation == "=" and check(version.left, version.right, version.where):
                equal.append(str(wrong))
            elif self._decided(statement._replace(right=wrong), claim.by):
                equal.append(f"{wrong} holds too")
            elif claim.relation == "=":
                alive.append(str(wrong))
            else:
                left_open += 1
        if alive or not (refuted or left_open or claim.relation == "="):
            wrong = alive[0] if alive else equal[0]
            raise Undecided(f"{label}, row {row}: the wrong version {wrong} was not refuted")
        return Mutation(refuted, tuple(equal), left_open)
