"""When a page may print a remainder as O(|(a, b)|^3)."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.calculus import continuous
from ..kernel.ring import poly
from ..kernel.terms import Term, at, var

ORDER = 3


def third_order(rest: Term, small: Sequence[Term]) -> bool:
    """Whether an integral is of third order: each term has three of the letters before what stays finite.

    A page that prints a remainder asks this of the theorem's own, whoever found the theorem.
    """
    if rest.head != "int":
        return False
    body = at(rest, var("remainder", "R"))
    three = all(sum(k for a, k in powers if a in small) >= ORDER for powers, _ in poly(body))
    return three and all(continuous(body, x) for x in small)
