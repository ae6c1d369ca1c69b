"""A derivation: definitions, hypotheses and results, each checked when it is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Basic, conjugate
from sympy.core.relational import Relational

from ..attack.chosen import failure_at
from ..attack.refute import counterexample, sampled
from ..reread.statements import Derived
from ..reread.tokens import Unread
from ..show.results import Link, Result
from ..terms.binders import running_letters
from ..terms.domains import in_domain
from ..terms.expression import expression
from ..terms.matrices import NamedMatrix
from ..terms.statement import Statement
from ..terms.undefined import real_where_defined, require_domain
from ..terms.verdict import ProofError, Verdict
from ..values.substitution import substitute
from .claims import Claim, Instance, Row, label_of, require_shown
from .conditions import require_conditions
from .elsewhere import Elsewhere
from .rows import link


class Derivation(Elsewhere):
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
        self._require_readable(head, body)
        if isinstance(head, NamedMatrix) or in_domain(head, meaning := self.meaning(body)):
            return
        only_real = head.is_extended_real and not head.is_integer and head.is_nonnegative is None
        if not (only_real and (real_where_defined(meaning) or self._is_real(meaning))):
            require_domain(head, meaning)

    def _is_real(self, meaning: Any) -> bool:
        return self.theorems.holds(Statement(conjugate(meaning), "=", meaning))

    def define(self, head: Any, body: Any, because: str = "", label: str = "") -> Result:
        """``head := body``; every later step sees through the name."""
        head, body = expression(head, "what is defined"), expression(body)
        for result in self.results.values():
            if head in result.free_symbols() - self.constants and result.kind not in ("defined", "refuted"):
                raise ValueError(
                    f"{head} is quantified in {result.label}: define it before that, or rename it"
                )
        self._require_body(head, body)
        self.definitions.add(head, body)
        self._look_again(head)
        verdict = Verdict("defined", "definition")
        kept = self._keep(
            Result(label or "", self.name, head, (Link(":=", body, because, verdict),), "defined", "")
        )
        self.theorems.define(kept.label, head, body)
        return kept

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
        for number, claim in enumerate(claims, 1):
            if not isinstance(claim, Claim):
                raise TypeError(f"{label}, row {number}: eq(…), le(…) or lt(…) is expected, got {claim!r}")
        left = expression(left)
        require_conditions(label, where)
        current, references = left, [r for claim in claims for r in claim.by.references()]
        self._require_said(references, where)
        rows = []
        for number, claim in enumerate(claims, 1):
            require_shown(label, number, claim)
            statement = self._unfolded(current, claim.relation, claim.right, tuple(where))
            if any(map(self.is_conditional, claim.by.references())):
                self.require_fixed(*claim.by.letters(), *running_letters(statement.left, statement.right))
            rows.append(Row(label, number, current, claim, statement))
            current = claim.right
        found = [self._found(row) for row in rows]
        mutations = [self._mutation(row) for row in rows]
        names = [f"{label}.{row.number}" for row in rows] if len(rows) > 1 else [label]
        verdicts = list(map(self._proved, names, rows, found))
        rests_on = self._grounds(references)
        if given := [self.results[base] for base in rests_on if self.results[base].kind == "assumed"]:
            verdicts = [
                replace(verdict, scope=self._resting(verdict.scope, given, row.left, row.claim.right))
                for row, verdict in zip(rows, verdicts, strict=True)
            ]
        links = tuple(map(link, rows, verdicts, mutations))
        uses = tuple(dict.fromkeys(map(label_of, references)))
        result = Result(label, self.name, left, links, "proved", source, uses, library, rests_on)
        self.said[label] = tuple(c for c in where if isinstance(c, Relational))
        self.theorems.rows[label] = found
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
            ValueError, TypeError: if the point gives a value to something else, or one that is not exact,
                leaves something open, leaves a domain, or is one at which the statement does not fail.

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
