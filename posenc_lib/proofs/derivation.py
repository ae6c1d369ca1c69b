"""A derivation: definitions, hypotheses and results, each checked when it is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Basic, Indexed, Symbol, conjugate
from sympy.core.function import AppliedUndef

from .chosen import failure_at
from .claims import Claim, failure, label_of, require_shown
from .definitions import Definitions, parameters_of
from .domains import domain_of, in_domain, pretty_name
from .expression import expression
from .identity import Statement, check, prepared
from .mutate import mutants
from .named import NamedMatrix
from .partial import real_where_defined, require_domain
from .premises import Premises
from .refute import corners, counterexample, points, sampled
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

    def constant(self, *letters: Symbol) -> None:
        """Declare letters that stand for one unknown value each, in all results: hypotheses may fix them.

        A letter is otherwise quantified, ``for all x``. A constant may have a model; nothing may be put for
        it, and nothing runs over it.

        Raises
        ------
        TypeError, ValueError
            for something that is no letter, or a letter that an earlier result contains.

        Examples
        --------
        >>> from posenc_lib.proofs import Derivation, eq, follows, reals
        >>> x, y = reals("x y")
        >>> D = Derivation("constants")
        >>> D.constant(x, y)
        >>> hypothesis = D.assume("eq-h", x + y, 3, "their sum")
        >>> D.model(x, 1)
        >>> D.model(y, 2)
        >>> result = D.prove("eq-x", x, eq(3 - y, "solved", by=follows("eq-h")))
        >>> result.scope
        'for all x, y ∈ ℝ, x and y being constants'
        """
        for letter in letters:
            if not isinstance(letter, Symbol):
                raise TypeError(f"a constant must be a letter, got {letter!r}")
            for result in self.results.values():
                if letter in result.free_symbols():
                    raise ValueError(f"{letter} is quantified in {result.label}: declare constants first")
            domain_of(letter)
        self.constants.update(letters)

    def _require_body(self, head: Any, body: Any) -> None:
        """Refuse a body outside the domain that its name declares, and a constant as parameter."""
        self._require_shapes(head, body)
        self.require_variable(*parameters_of(head))
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
        verdict = Verdict("defined", "definition")
        return self._keep(
            Result(label or "", self.name, head, (Link(":=", body, because, verdict),), "defined", "")
        )

    def assume(self, label: str, left: Any, right: Any, because: str, source: str = "") -> Result:
        """A hypothesis: what follows from it holds wherever it does."""
        left, right = expression(left), expression(right)
        self._unfolded(left, "=", right)
        a, b = prepared(left, right)
        verdict = Verdict("assumed", "hypothesis", self._scope(Statement(a, "=", b)))
        return self._keep(
            Result(label, self.name, left, (Link("=", right, because, verdict),), "assumed", source)
        )

    def recall(self, label: str, left: Any, right: Any) -> Result:
        """A result proved on another page; the ledger fails if that page proves something else.

        Raises
        ------
        Refuted
            if a point refutes it.
        """
        left, right = expression(left), expression(right)
        self._require_not_refuted(label, Statement(left, "=", right))
        scope = self._scope(Statement(left, "=", right))
        verdict = Verdict("cited", f"proved on another page as {label}", scope)
        link = Link("=", right, "recalled", verdict)
        return self._keep(Result(label, self.name, left, (link,), "recalled", ""))

    def model(self, head: Any, body: Any) -> None:
        """A concrete solution of the hypotheses, on which wrong versions of a step are refuted.

        Raises
        ------
        ValueError
            for a quantified letter: only constants have a model. Or if the body leaves the domain.
        """
        body = expression(body)
        if isinstance(head, Symbol) and head not in self.constants:
            raise ValueError(f"{head} is quantified, 'for all {head}': declare it with D.constant({head})")
        self.require_variable(*parameters_of(head))
        if not isinstance(head, NamedMatrix):
            require_domain(head, self.meaning(body))
        self.models.add(head, body)
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
        links, left = [], expression(left)
        current = left
        for row, claim in enumerate(claims, 1):
            require_shown(label, row, claim)
            self.require_variable(*claim.by.letters())
            statement = self._unfolded(current, claim.relation, claim.right, tuple(where))
            verdict = claim.by.decide(statement, self)
            if not verdict:
                raise failure(label, row, current, claim, statement, verdict)
            verdict = replace(verdict, scope=verdict.scope + self._constants_in(current, claim.right))
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
            Result(label, self.name, left, tuple(links), "proved", source, uses, library, rests_on)
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
        left, right = expression(left), expression(right)
        count = sampled(*self._concrete(self._unfolded(left, relation, right)))
        if not count:
            raise ProofError(f"{label}: no point was found where both sides have values")
        scope = self._scope(Statement(left, relation, right))
        verdict = Verdict("sampled", f"sampled at {count} random points", scope)
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, because, verdict),), "sampled", source)
        )

    def cite(self, label: str, left: Any, relation: str, right: Any, reference: str) -> Result:
        """A statement from the literature, drawn as such wherever it is used; a false one is refused."""
        left, right = expression(left), expression(right)
        self._require_not_refuted(label, Statement(left, relation, right))
        verdict = Verdict("cited", f"cited: {reference}", self._scope(Statement(left, relation, right)))
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, "", verdict),), "cited", reference)
        )

    def _require_not_refuted(self, label: str, said: Statement) -> None:
        """Refuse what is taken from elsewhere and fails; nothing is known of unknown functions."""
        statement = self._unfolded(said.left, said.relation, said.right)
        unknown = set().union(*(side.atoms(AppliedUndef, Indexed) for side in statement[::2]))
        if said.relation == "!=" or unknown or self._constants_in(statement.left, statement.right):
            return
        found = counterexample(*statement)
        if found is not None:
            raise Refuted(f"{label}: what is cited fails {found}")

    def _scope(self, statement: Statement) -> str:
        return statement.scope() + self._constants_in(statement.left, statement.right)

    def _constants_in(self, *sides: Any) -> str:
        """The constants of a statement, for its scope."""
        found = sorted(self.constants & set().union(*(side.free_symbols for side in sides)), key=str)
        being = "being a constant" if len(found) == 1 else "being constants"
        return f", {' and '.join(map(pretty_name, map(str, found)))} {being}" if found else ""

    def _mutate(self, label: str, row: int, statement: Statement, claim: Claim) -> Mutation:
        itself, at = self._concrete(claim.by.translate(statement)), list(points())
        if claim.by.refuting(itself, [*corners(), *at[:2]]) is not None:
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
