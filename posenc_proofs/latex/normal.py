"""One way of writing for what is equal whatever the letters are: by algebra, and by two rules for powers."""

from __future__ import annotations

from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, Term, fun, mul, power, replaced


def normal(t: Term) -> Term:
    """The kernel's normal form, where powers of what is positive are exponentials, and roots are squared."""
    return canon(replaced(canon(replaced(t, _exponential)), _root))


def _exponential(t: Term, depth: int) -> Term | None:
    """b^e = exp(e log b) for a positive b."""
    if t.head != "pow" or depth or not lies(t.args[0], "R+"):
        return None
    return fun("exp", mul(replaced(t.args[1], _exponential), fun("log", t.args[0])))


def _root(t: Term, _: int) -> Term | None:
    """sqrt(n)^2 = n for a number n that is not negative."""
    if t.head != "^" or t.args[0].head != "sqrt" or t.args[0].args[0].head != "num":
        return None
    number = t.args[0].args[0]
    if number.data[1] or number.data[0] < 0:
        return None
    left = ONE if t.data[0] % 2 == 0 else t.args[0]
    return mul(power(number, t.data[0] // 2), left)
