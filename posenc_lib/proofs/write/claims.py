"""The rows of a chain and the instances of earlier results, as a derivation is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sympy import Basic, Expr
from sympy.matrices import MatrixBase

from ..rules.identity import identity
from ..rules.rule import Plain, Rule
from ..terms.expression import expression
from ..terms.statement import Statement
from ..terms.verdict import ProofError, Refuted, Undecided, Verdict


@dataclass(frozen=True)
class Claim:
    """One row of a chain: a relation, its right side, the reason, and the rule that checks it."""

    relation: str
    right: Expr | MatrixBase
    because: str
    by: Rule


def eq(right: Any, because: str, by: Rule = identity) -> Claim:
    """``… = right``, because …

    Example:
        >>> from posenc_lib.proofs import reals
        >>> a = reals("a")
        >>> eq(2 * a, "twice a").right
        2*a
    """
    return _claim("=", right, because, by)


def le(right: Any, because: str, by: Rule) -> Claim:
    """``… ≤ right``, because …; ``lt`` where the rule shows that the two sides never touch.

    Example:
        >>> from sympy import Abs
        >>> from posenc_lib.proofs import complexes, triangle
        >>> a, b = complexes("a b")
        >>> le(Abs(a) + Abs(b), "triangle inequality", by=triangle).relation
        '<='
    """
    return _claim("<=", right, because, by)


def lt(right: Any, because: str, by: Rule) -> Claim:
    r"""``… < right``, because …; refused by a rule that shows only ≤.

    Example:
        >>> from sympy import cos
        >>> from posenc_lib.proofs import Derivation, certified, reals
        >>> x = reals("x")
        >>> row = lt(1, "cosines", by=certified((x, 1, 2)))
        >>> print(Derivation("strict").prove("eq-strict", cos(x), row).latex())
        \cos(x) < 1
    """
    return _claim("<", right, because, by)


def _claim(relation: str, right: Any, because: Any, by: Any) -> Claim:
    if not isinstance(because, str):
        raise TypeError(f"because must be the reason in words, got {because!r}")
    if not isinstance(by, Plain):
        raise TypeError(f"by must be a rule, such as identity or follows('eq-a'), got {by!r}")
    return Claim(relation, expression(right), because, by)


def require_shown(label: str, row: int, claim: Claim) -> None:
    """Refuse a relation that the rule does not show.

    Raises:
        ValueError: naming the row, the rule and the relations that it shows.
    """
    if claim.relation not in claim.by.relations:
        name, shown = type(claim.by).__name__, " and ".join(claim.by.relations)
        raise ValueError(f"{label}, row {row}: {name} shows {shown}, not {claim.relation}")


@dataclass(frozen=True)
class Instance:
    """An earlier result with some of its symbols replaced."""

    label: str
    values: tuple[tuple[Basic, Basic], ...]

    def __str__(self) -> str:
        return f"{self.label} at " + ", ".join(f"{a} := {b}" for a, b in self.values)


def label_of(reference: Any) -> str:
    """The label behind a reference: a plain label, or an instance of one."""
    return reference.label if isinstance(reference, Instance) else str(reference)


class Row(NamedTuple):
    """One row of a chain as it is checked: what stands before it, and the statement without defined names."""

    label: str
    number: int
    left: Any
    claim: Claim
    statement: Statement

    def __str__(self) -> str:
        return f"{self.label}, row {self.number}"


def failure(row: Row, verdict: Verdict) -> ProofError:
    """The error for a row that did not hold: both sides, the reason given, and what the check said."""
    claim, statement = row.claim, row.statement
    sides = f"{row.left} {claim.relation} {claim.right}"
    text = f"{row}: {sides}\n  reason given: {claim.because}\n  method: {verdict.method}"
    if verdict.status == "refuted":
        difference = statement.left - statement.right
        return Refuted(f"{text}\n  difference: {difference}\n  refuted {verdict.counterexample}")
    return Undecided(f"{text}\n  undecided: {verdict.reason}")
