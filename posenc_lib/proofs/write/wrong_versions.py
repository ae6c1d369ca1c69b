"""The wrong versions of a row that its page shows: with the row's own names, refuted at a small point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Dummy

from ..attack.refute import SMALL, has_values, points
from ..attack.smallest import smallest
from ..attack.telling import letters_of, telling
from ..rules.rule import Rule
from ..show.marked import changed_length
from ..show.printer import terms
from ..show.wrong import WrongVersion
from ..terms.statement import Statement
from ..terms.verdict import Counterexample, ProofError
from ..values.point import Point

MOST = 3  # that are offered of one row
TRIES = 2  # of each kind
Concrete = Callable[[str, Any], Statement]


def wrong_versions(
    relation: str, left: Any, right: Any, by: Rule, concrete: Concrete, model: tuple[str, ...] = ()
) -> tuple[WrongVersion, ...]:
    """A few wrong versions of ``left relation right``, one of a kind, with a small failure of each.

    Not among them is one that is true as well, that no point tried refutes, or that is printed like the row.
    None is made of a row whose unknown functions are compared by their expansions: that is not done at a
    point.

    Args:
        relation, left, right: the row as it is printed
        by: the rule that proves it
        concrete: the row with another relation and right side, as a statement that has values at points
        model: what names stand for there, as it is printed
    """
    found: list[WrongVersion] = []
    at, row, printed = list(points(2 * SMALL)), concrete(relation, right), terms(right)

    def size(wrong: Any) -> int:
        return changed_length(printed, terms(wrong))

    for kind in telling(relation, right, letters_of(left, right), size):
        for _, changed, sign, wrong in kind[:TRIES]:
            fails = (
                None if sign == relation and not size(wrong) else _failure(by, row, concrete, sign, wrong, at)
            )
            if fails is not None:
                found.append(WrongVersion(changed, sign, wrong, fails, model))
                break
        if len(found) == MOST:
            break
    return tuple(found)


def _failure(
    by: Rule, row: Statement, concrete: Concrete, sign: str, wrong: Any, at: list[Point]
) -> Counterexample | None:
    """A small point at which the row has values, and its wrong version fails."""
    try:
        statement = concrete(sign, wrong)
    except (TypeError, ValueError, ProofError):  # a slip that leaves a domain states nothing
        return None
    if statement.left.atoms(Dummy):
        return None

    def failing(point: Point) -> Counterexample | None:
        found = by.refuting(statement, [point])
        return found if found and has_values(row, point) else None

    fails = smallest(failing, statement, at)
    return fails if fails is not None and _plain(fails, sign) else None


def _plain(fails: Counterexample, sign: str) -> bool:
    """Whether a point is read at once: no entry before the first, no polynomial for an unknown function, two
    values that are printed apart, and in an inequality no number that has no order.
    """
    names = [name for name, _ in fails.point]
    ordered = sign in ("=", "!=") or "i" not in fails.left + fails.right
    return (
        ordered
        and fails.left != fails.right
        and not any("[-" in name or "coefficient" in name for name in names)
    )
