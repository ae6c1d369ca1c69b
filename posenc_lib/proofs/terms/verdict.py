"""What a check can say, and the errors that stop a derivation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STATUSES = ("proved", "refuted", "undecided", "assumed", "cited", "sampled", "defined", "recalled")


class ProofError(Exception):
    """A step did not hold up: refuted, undecided, or put to the checker in a form it does not accept."""


class Refuted(ProofError):
    """The step is false; the message carries a certified counterexample."""


class Undecided(ProofError):
    """No proof was found that the kernel rebuilds, nor a point that refutes the step; it is not accepted."""


class CheckerBug(ProofError):
    """Two independent paths disagree: the checker itself is wrong, and nothing may be trusted."""


@dataclass(frozen=True)
class Counterexample:
    """A point of the stated domain at which both sides were enclosed in disjoint balls.

    ``entry`` is the row and the column in which two matrices differ, counted from 1.
    """

    point: tuple[tuple[str, str], ...]
    left: str
    right: str
    entry: tuple[int, ...] = ()

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {value}" for name, value in self.point) or "(no free symbols)"
        return f"at {where}: left side {self.left}, right side {self.right}"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check: what was shown, by which method, and for which values.

    Args:
        status: one of ``STATUSES``
        method: the rule that was asked, in words
        scope: the values for which it holds, read off the symbols' own domains
        reason: why it is undecided
        counterexample: where a refuted statement fails
        claims: what the kernel rebuilt, each with its certificate; what is proved, here or on another
            page, has one or more, and no other verdict has any
    """

    status: str
    method: str
    scope: str = ""
    reason: str = ""
    counterexample: Counterexample | None = None
    claims: tuple[Any, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if (self.status in ("proved", "recalled")) != bool(self.claims):
            raise ValueError(
                f"proved is what the kernel rebuilt; {self.status} with {len(self.claims)} claims"
            )
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {STATUSES}, got {self.status!r}")

    def __bool__(self) -> bool:
        return self.status == "proved"
