"""When a page may print a remainder as O(|(a, b)|^3)."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.calculus import continuous
from ..kernel.domains import opened
from ..kernel.ring import poly
from ..kernel.terms import Term, letters

ORDER = 3


def third_order(rest: Term, small: Sequence[Term]) -> bool:
    """Whether an integral is of third order: each term has three of the letters before what stays finite.

    Its range does not depend on the letters, which go through 0, and its body is continuous in all: so what
    stands behind the three is bounded near 0. A page that prints a remainder asks this of the theorem's own,
    whoever found the theorem.
    """
    if rest.head != "int" or any(x.data[1:] != ("R",) for x in small):
        return False
    u, body = opened(rest)
    three = all(sum(k for a, k in powers if a in small) >= ORDER for powers, _ in poly(body))
    still = letters(*rest.args[:2]).isdisjoint(small)
    return three and still and all(continuous(body, x) for x in (u, *small))
