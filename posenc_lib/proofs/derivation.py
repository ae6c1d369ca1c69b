"""A derivation: definitions, hypotheses and results, each checked when it is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Basic, Indexed, sympify
from sympy.core.function import AppliedUndef

from .chosen import failure_at
from .claims import Claim, failure, label_of, require_domain, require_shown
from .definitions import Definitions
from .expression import expression
from .identity import Statement, check, prepared
from .mutate import mutants
from .named import NamedMatrix
from .premises import Premises
from .refute import counterexample, points, sampled
from .results import Link, Mutation, Result
from .verdict import ProofError, Refuted, Undecided, Verdict


class Derivation(Premises):
    """A chain of checked results on one page.

    Parameters
    ----------
    name : short identifier, used in the ledger
    source : where the argument comes from, e.g. "source 004"

    Examples
    --------
    >>> from sympy import cos, sin
    >>> from posenc_lib.proofs import Derivation, eq, reals
    >>> a, b = reals("a b")
    >>> D = Derivation("angle-addition")
    >>> result = D.prove("eq-cos-sum", cos(a + b), eq(cos(a) * cos(b) - sin(a) * sin(b), "addition formula"))
    >>> result.verdict.status
    'proved'
    """

    def __init__(self, name: str, source: str = "") -> None:
        self.name, self.source = name, source
        super().__init__()
        self.models = Definitions()
        self.satisfied: set[str] = set()  # hypotheses known to hold in the model

    def define(self, head: Any, body: Any, because: str = "", label: str = "") -> Result:
        """``head := body``; every later step sees through the name."""
        body = sympify(body)
        self.definitions.add(head, body)
        verdict = Verdict("defined", "definition")
        return self._keep(
            Result(label or "", self.name, head, (Link(":=", body, because, verdict),), "defined", "")
        )

    def assume(self, label: str, left: Any, right: Any, because: str, source: str = "") -> Result:
        """A hypothesis: what follows from it holds wherever it does."""
        left, right = sympify(left), sympify(right)
        a, b = prepared(left, right)
        verdict = Verdict("assumed", "hypothesis", Statement(a, "=", b).scope())
        return self._keep(
            Result(label, self.name, left, (Link("=", right, because, verdict),), "assumed", source)
        )

    def recall(self, label: str, left: Any, right: Any) -> Result:
        """A result proved on another page; the ledger fails if that page proves something else."""
        left, right = sympify(left), sympify(right)
        verdict = Verdict("cited", f"proved on another page as {label}", Statement(left, "=", right).scope())
        link = Link("=", right, "recalled", verdict)
        return self._keep(Result(label, self.name, left, (link,), "recalled", ""))

    def model(self, head: Any, body: Any) -> None:
        """A concrete solution of the hypotheses, on which wrong versions of a step are refuted.

        Raises
        ------
        ProofError
            if, once every function has a model, some hypothesis fails in it.
        """
        if not isinstance(head, NamedMatrix):
            require_domain(head, self.meaning(body))
        self.models.add(head, sympify(body))
        self.satisfied.clear()

    def check_model(self) -> int:
        """Check every hypothesis in the model; return how many hold."""
        assumed = [r for r in self.results.values() if r.kind == "assumed"]
        for result in assumed:
            self._require_in_model(result)
        return len(assumed)

    def _require_in_model(self, hypothesis: Result) -> None:
        if hypothesis.label in self.satisfied:
            return
        statement = self._concrete(hypothesis.statement())
        verdict = check(statement.left, statement.right, statement.where)
        if not verdict:
            reason = verdict.counterexample or verdict.reason
            raise ProofError(f"the model does not satisfy {hypothesis.label}: {reason}")
        self.satisfied.add(hypothesis.label)

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

        Raises
        ------
        Refuted, Undecided
            naming the row, both sides, their difference and the counterexample.
        ValueError
            if the label is taken, no claim is given, or the shapes or domains do not fit.
        """
        if not claims:
            raise ValueError(f"{label}: a result needs at least one claim, eq(…), le(…) or lt(…)")
        links, current = [], sympify(left)
        for row, claim in enumerate(claims, 1):
            require_shown(label, row, claim)
            statement = self._unfolded(current, claim.relation, claim.right, tuple(where))
            verdict = claim.by.decide(statement, self)
            if not verdict:
                raise failure(label, row, current, claim, statement, verdict)
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
        uses = tuple(dict.fromkeys(label_of(r) for claim in claims for r in claim.by.references()))
        rests_on = tuple(dict.fromkeys(base for used in uses for base in self._bases(used)))
        for base in rests_on:  # from hypotheses that contradict each other anything follows
            if self.results[base].kind == "assumed":
                self._require_in_model(self.results[base])
        return self._keep(
            Result(label, self.name, sympify(left), tuple(links), "proved", source, uses, library, rests_on)
        )

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

        Raises
        ------
        ProofError
            if no point is given and none is found.
        ValueError, TypeError
            if the point gives a value to something else, leaves something open, leaves a domain, or is one at
            which the statement does not fail.

        Examples
        --------
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
        left, right = sympify(left), sympify(right)
        count = sampled(*self._concrete(self._unfolded(left, relation, right)))
        if not count:
            raise ProofError(f"{label}: no point was found where both sides have values")
        verdict = Verdict(
            "sampled", f"sampled at {count} random points", Statement(left, relation, right).scope()
        )
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, because, verdict),), "sampled", source)
        )

    def cite(self, label: str, left: Any, relation: str, right: Any, reference: str) -> Result:
        """A statement from the literature, drawn as such wherever it is used; a false one is refused."""
        left, right = sympify(left), sympify(right)
        statement = self._unfolded(left, relation, right)
        unknown = statement.left.atoms(AppliedUndef, Indexed) | statement.right.atoms(AppliedUndef, Indexed)
        if relation != "!=" and not unknown:
            found = counterexample(*statement)
            if found is not None:
                raise Refuted(f"{label}: what is cited fails {found}")
        verdict = Verdict("cited", f"cited: {reference}", Statement(left, relation, right).scope())
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, "", verdict),), "cited", reference)
        )

    def _mutate(self, label: str, row: int, statement: Statement, claim: Claim) -> Mutation:
        itself, at = self._concrete(claim.by.translate(statement)), list(points())
        if claim.by.refuting(itself, at[:2]) is not None:
            raise Undecided(
                f"{label}, row {row}: the step fails in the model; give the hypotheses one (D.model)"
            )
        refuted, left_open = 0, 0
        equal: list[str] = []
        alive: list[str] = []
        for wrong in mutants(statement.right, claim.relation):
            version = self._concrete(claim.by.translate(statement._replace(right=wrong)))
            if claim.by.refuting(version, at) is not None:
                refuted += 1
            elif claim.relation == "=" and check(version.left, version.right, version.where):
                equal.append(str(wrong))
            elif claim.by.decide(statement._replace(right=wrong), self):
                equal.append(f"{wrong} holds too")
            elif claim.relation == "=":
                alive.append(str(wrong))
            else:
                left_open += 1
        if alive or not (refuted or left_open or claim.relation == "="):
            wrong = alive[0] if alive else equal[0]
            raise Undecided(f"{label}, row {row}: the wrong version {wrong} was not refuted")
        return Mutation(refuted, tuple(equal), left_open)

    def _concrete(self, statement: Statement) -> Statement:
        left, right, *where = (
            self.definitions.unfold(self.models.unfold(self.definitions.unfold(part)))
            for part in (statement.left, statement.right, *statement.where)
        )
        return statement._replace(left=left, right=right, where=tuple(where))

    def _keep(self, result: Result) -> Result:
        label = (
            result.label or f"def-{self.name}-{sum(r.kind == 'defined' for r in self.results.values()) + 1}"
        )
        if label in self.results:
            raise ValueError(f"the label {label} is taken; every result has its own")
        self.results[label] = result.labelled(label)
        return self.results[label]
