"""What a derivation takes from elsewhere: results of other pages, and of the literature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Basic, Indexed
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from ..attack.refute import counterexample
from ..rules.identity import identity
from ..show.results import Link, Result
from ..terms.expression import expression
from ..terms.matrices import NamedMatrix
from ..terms.statement import Statement
from ..terms.verdict import Refuted, Verdict
from .conditions import require_conditions, scope_of
from .rows import Rows
from .theorems import NOT_REBUILT


class Elsewhere(Rows):
    """Results that are recalled or cited; a point that refutes one is looked for whenever names change."""

    def recall(self, label: str, left: Any, relation: str, right: Any, where: Sequence[Basic] = ()) -> Result:
        """``left relation right``, proved under this label on another page; later rows may use it.

        It is written with the letters of that page, and a chain is recalled by its two ends. This page does
        not know whether the other one proves it; ``python -m posenc_lib.proofs.reread book`` looks there. It
        refuses this row, and what rests on it, if the result of that label says something else, holds under
        a condition that ``where`` does not name, or if a name in it stands for something else.

        Args:
            label: of the other page's result
            relation: "=", "<=", "<", ">=" or ">"; the other page's, or one that it implies
            where: the conditions under which it holds

        Raises:
            Refuted: if a point refutes it.
            ValueError: for another relation, a label that is taken, or what the kernel has no terms for.

        Example:
            >>> from sympy import cos, sin
            >>> from posenc_lib.proofs import Derivation, adding, le, reals
            >>> x, y = reals("x y")
            >>> D = Derivation("recalling")
            >>> D.recall("eq-circle", cos(x)**2 + sin(x)**2, "=", 1).badge()
            '↩ proved elsewhere: eq-circle · for all x ∈ ℝ'
            >>> row = le(1 + y**2, "a square", by=adding({"eq-circle": 1}, rest=y**2))
            >>> D.prove("eq-more", cos(x)**2 + sin(x)**2, row).rests_on
            ('eq-circle',)
        """
        if relation not in ("=", "<=", "<", ">=", ">"):
            raise ValueError(f"{label}: relation must be =, <=, <, >= or >, got {relation!r}")
        self._require_free(label)
        left, right = expression(left), expression(right)
        require_conditions(label, where)
        said = Statement(left, relation, right, tuple(where))
        self._require_not_refuted(label, said)
        meant = self._unfolded(*said)
        try:
            claims = self.theorems.recall(label, f"{label}@{self.name}", said)
        except NOT_REBUILT as problem:
            raise ValueError(f"{label} cannot be recalled: {problem}") from None
        written = self.definitions.spoken_of(left, right)
        scope = scope_of(meant, identity, [claim.result for claim in claims], written)
        verdict = Verdict("recalled", f"proved elsewhere as {label}", scope, claims=claims)
        link = Link(relation, right, "", verdict)
        self.said[label] = tuple(c for c in where if isinstance(c, Relational))
        return self._keep(Result(label, self.name, left, (link,), "recalled", ""))

    def cite(self, label: str, left: Any, relation: str, right: Any, reference: str) -> Result:
        """A statement from the literature, drawn as such wherever it is used; a false one is refused."""
        left, right = expression(left), expression(right)
        said = Statement(left, relation, right)
        self._require_not_refuted(label, said)
        self.theorems.assume(label, said)
        verdict = Verdict("cited", f"cited: {reference}", said.scope())
        return self._keep(
            Result(label, self.name, left, (Link(relation, right, "", verdict),), "cited", reference)
        )

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

    def _require_not_refuted(self, label: str, said: Statement) -> None:
        """Refuse what is taken from elsewhere and fails; nothing is known of unknown functions."""
        statement = self._unfolded(*said)
        unknown = set().union(*(side.atoms(AppliedUndef, Indexed, NamedMatrix) for side in statement[::2]))
        unknown = {a for a in unknown if not isinstance(a, NamedMatrix) or a.parameters}
        if said.relation == "!=" or unknown:
            return
        found = counterexample(*statement)
        if found is not None:
            raise Refuted(f"{label}: what is cited fails {found}")
