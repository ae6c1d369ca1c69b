"""Hypotheses: which letters they fix, and a model in which they hold together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sympy import Indexed, Symbol
from sympy.core.function import AppliedUndef
from sympy.matrices import MatrixBase

from ..attack.refute import counterexample
from ..rules.adding import adding
from ..rules.identity import identity
from ..show.readable import names_of
from ..show.results import Link, Result
from ..terms.any_size import unknown
from ..terms.domains import as_assumed, assumed_of, domain_of, pretty_name, scope_of
from ..terms.expression import expression, letter
from ..terms.matrices import NamedMatrix
from ..terms.statement import Statement
from ..terms.undefined import require_domain
from ..terms.verdict import Undecided, Verdict
from ..values.sizes import at_size
from .definitions import Definitions
from .premises import Premises
from .sides import prepared
from .theorems import Theorems


class Hypotheses(Premises):
    """What a derivation assumes, and the model that shows that it may."""

    def __init__(self, name: str, source: str = "") -> None:
        super().__init__(name, source)
        self.models = Definitions()
        self.theorems = Theorems()
        self.sizes: dict[Symbol, int] = {}  # of matrices of any size, in the model
        self.satisfied: set[str] = set()  # hypotheses known to hold in the model

    def constant(self, *letters: Symbol) -> None:
        """Declare letters that stand for one unknown value each, in all results: hypotheses may fix them.

        A letter is otherwise quantified, ``for all x``. A constant may have a model; in what rests on a
        hypothesis nothing may be put for it, and nothing runs over it.

        Raises:
            TypeError, ValueError: for something that is no letter, or a letter that an earlier hypothesis
                quantifies.

        Example:
            >>> from posenc_lib.proofs import Derivation, eq, follows, reals
            >>> x, y = reals("x y")
            >>> D = Derivation("constants")
            >>> D.constant(x, y)
            >>> hypothesis = D.assume("eq-h", x + y, 3, "their sum")
            >>> D.model(x, 1)
            >>> D.model(y, 2)
            >>> result = D.prove("eq-x", x, eq(3 - y, "solved", by=follows("eq-h")))
            >>> result.scope
            'for all x, y ∈ ℝ, with x, y constant'
        """
        for constant in letters:
            domain_of(letter(constant, "a constant"))
            for result in self.results.values():
                if result.kind == "assumed" and constant in result.free_symbols():
                    raise ValueError(f"{constant} is quantified in {result.label}: declare constants first")
        self.constants.update(letters)

    def assume(self, label: str, left: Any, right: Any, because: str, source: str = "") -> Result:
        """A hypothesis: what follows from it holds wherever it does."""
        left, right = expression(left), expression(right)
        self._unfolded(left, "=", right)
        self.theorems.assume(label, Statement(left, "=", right), self.constants)
        a, b = prepared(left, right)
        fixed = {str(c) for c in self.constants} | {str(matrix.size) for matrix in unknown(a, b)}
        more = Statement(a, "=", b).scope().removeprefix(scope_of(a, b))
        verdict = Verdict("assumed", "hypothesis", assumed_of(fixed, a, b) + more)
        return self._keep(
            Result(label, self.name, left, (Link("=", right, because, verdict),), "assumed", source)
        )

    def model(self, head: Any, body: Any) -> None:
        """A concrete solution of the hypotheses, on which wrong versions of a step are refuted.

        Raises:
            ValueError: for a quantified letter: only constants have a model. Or if the body leaves the
                domain.
        """
        body = expression(body)
        if isinstance(head, NamedMatrix) and head.size is not None:
            self._choose_size(head, body)
            self.models.add(at_size(head, head.size, body.rows), body)
            self.satisfied.clear()
            return
        if isinstance(head, Symbol) and head not in self.constants:
            raise ValueError(f"{head} is quantified, 'for all {head}': declare it with D.constant({head})")
        if not isinstance(head, NamedMatrix):
            require_domain(head, self.meaning(body))
        self.models.add(head, body)
        self.theorems.model(head, body)
        self.satisfied.clear()

    def _choose_size(self, head: NamedMatrix, body: Any) -> None:
        """The size at which matrices of any size have a model: that of the first one."""
        if not isinstance(body, MatrixBase) or body.shape != at_size(head, head.size, body.rows).shape:
            rows, columns = head.shape
            raise ValueError(f"a model of {head}, {rows} × {columns}, is a matrix with a number for {rows}")
        known = self.sizes.setdefault(head.size, body.rows)
        if known != body.rows:
            raise ValueError(f"the model has {head.size} = {known}, and {head} with {body.rows} rows")

    def check_model(self) -> int:
        """Check every hypothesis in the model; return how many hold."""
        assumed = [r for r in self.results.values() if r.kind == "assumed"]
        for result in assumed:
            self._require_in_model(result)
        return len(assumed)

    def _require_in_model(self, hypothesis: Result) -> None:
        if hypothesis.label in self.satisfied:
            return
        said = hypothesis.statement()
        quantified = set().union(*(self.meaning(side).free_symbols for side in said[::2])) - self.constants
        for free in sorted(quantified & self.models.letters(), key=str):
            raise ValueError(
                f"{hypothesis.label} holds 'for all {free}', and the model depends on {free}: "
                f"declare it with D.constant({free})"
            )
        statement = self._concrete(said)
        by = identity if said.relation == "=" else adding({}, rest=statement.right - statement.left)
        if not self.theorems.holds(statement, by):
            reason = counterexample(*statement) or "no proof was found, nor a point at which it fails"
            unknown = [side.atoms(AppliedUndef, Indexed) for side in (statement.left, statement.right)]
            tip = "; give the hypotheses one (D.model)" if any(unknown) else ""
            raise Undecided(f"the model does not satisfy {hypothesis.label}: {reason}{tip}")
        self.satisfied.add(hypothesis.label)

    def _without_names(self, statement: Statement) -> Statement:
        left, right, *where = map(
            self.definitions.unfold, (statement.left, statement.right, *statement.where)
        )
        return statement._replace(left=left, right=right, where=tuple(where))

    def _concrete(self, statement: Statement) -> Statement:
        left, right, *where = (
            self.definitions.unfold(self.models.unfold(self._at_size(self.definitions.unfold(part))))
            for part in (statement.left, statement.right, *statement.where)
        )
        return statement._replace(left=left, right=right, where=tuple(where))

    def _at_size(self, e: Any) -> Any:
        """An expression at the size that the model has, if it has one."""
        for size, value in self.sizes.items():
            e = at_size(e, size, value)
        return e

    def _resting(self, scope: str, hypotheses: Iterable[Result], *sides: Any) -> str:
        """The scope of what rests on hypotheses: what they are assumed of is not any, constants are named."""
        said = [self.meaning(side) for h in hypotheses for side in h.statement()[::2]]
        scope = as_assumed(scope, names_of(*said))
        found = sorted(map(str, self.constants & set().union(*(side.free_symbols for side in sides))))
        return scope + (f", with {', '.join(map(pretty_name, found))} constant" if found else "")
