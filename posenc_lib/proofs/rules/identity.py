"""The identity rule: equal for all values of the symbols."""

from __future__ import annotations

from dataclasses import dataclass

from ..prove.check import check
from ..terms.statement import Statement
from ..terms.verdict import Verdict
from .rule import Context, Plain


@dataclass(frozen=True)
class Identity(Plain):
    """Equal for all values of the symbols, by the normal form."""

    def decide(self, statement: Statement, context: Context) -> Verdict:
        return check(statement.left, statement.right, statement.where)


identity = Identity()
