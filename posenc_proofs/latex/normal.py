"""One way of writing for what is equal whatever the letters are: by algebra, and a rule for powers.

And when a page may print a remainder as O(|(a, b)|^3).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.calculus import continuous
from ..kernel.domains import lies, opened
from ..kernel.ring import canon, poly
from ..kernel.terms import Term, fun, letters, mul, replaced


def normal(t: Term) -> Term:
    """The kernel's normal form, where powers of what is positive are exponentials."""
    return canon(replaced(t, _exponential))


def _exponential(t: Term, depth: int) -> Term | None:
    """b^e = exp(e log b) for a positive b."""
    if t.head != "pow" or depth or not lies(t.args[0], "R+"):
        return None
    return fun("exp", mul(replaced(t.args[1], _exponential), fun("log", t.args[0])))


def third_order(rest: Term, small: Sequence[Term]) -> bool:
    """Whether an integral is of third order: each term has three of the letters before what stays finite.

    Its range does not depend on the letters, which go through 0, and its body is continuous in all: so what
    stands behind the three is bounded near 0. A page that prints a remainder asks this of the theorem's own,
    whoever found the theorem.
    """
    if rest.head != "int" or any(x.data[1:] != ("R",) for x in small):
        return False
    u, body = opened(rest)
    three = all(sum(k for a, k in powers if a in small) >= 3 for powers, _ in poly(body))
    still = letters(*rest.args[:2]).isdisjoint(small)
    return three and still and all(continuous(body, x) for x in (u, *small))
