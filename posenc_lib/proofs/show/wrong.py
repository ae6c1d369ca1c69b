"""A wrong version of a row as the page shows it: printed like the row, the changed place marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..terms.verdict import Counterexample
from .marked import in_order_of, marked_terms
from .printer import RELATION_LATEX, Side, aligned, terms


@dataclass(frozen=True)
class WrongVersion:
    """A right side, or a relation, that is not the row's, and a small point at which it certainly fails.

    ``changed`` says in words what is other than in the row; ``model`` is what names stand for at the point
    because hypotheses speak of them.
    """

    changed: str
    relation: str
    right: Any
    fails: Counterexample
    model: tuple[str, ...] = ()

    def record(self, left: Side, relation: str, right: Any, author: Sequence[str] | None) -> dict[str, Any]:
        """What a notebook keeps: LaTeX in which the changed place is inside ``\\wrong{…}``, and the point.

        Args:
            left: of the row
            relation: of the row
            right: of the row
            author: its terms as they were written, if they were
        """
        sign = RELATION_LATEX[self.relation]
        row = (sign if self.relation == relation else rf"\wrong{{{sign}}}", self._terms(right, author), "")
        return {
            "changed": self.changed,
            "latex": aligned(left, [row]),
            "point": [list(pair) for pair in self.fails.point],
            "entry": list(self.fails.entry),
            "left": self.fails.left,
            "right": self.fails.right,
            "model": list(self.model),
        }

    def _terms(self, right: Any, author: Sequence[str] | None) -> tuple[str, ...]:
        before, after = (terms(side) for side in (right, self.right))
        moved = in_order_of(author, before, after) if author else None
        return marked_terms(author, moved) if author and moved else marked_terms(before, after)
