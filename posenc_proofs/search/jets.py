"""Equal to second order, for every smooth function; the remainder is an integral of third derivatives."""

from __future__ import annotations

from fractions import Fraction

from ..kernel.calculus import derivative
from ..kernel.ring import canon
from ..kernel.terms import ONE, ZERO, Term, add, at, mul, neg, num, power, sub, substitute
from ..kernel.theorem import Theorem
from ..latex.normal import third_order
from .proof import NotFound, Proof
from .ranges import unused


def to_second_order(P: Proof, left: Term, right: Term, small: list[Term]) -> Theorem:
    """left = right + remainder, which is of third order in the letters ``small``: Taylor, integral form.

    With g(s) the difference of the sides at s times the small letters, g, g' and g'' vanish at 0, and the
    remainder is the integral of (1 - s)^2 g'''(s) / 2 from 0 to 1.
    """
    s = unused("s", "R", left, right)
    g = substitute(sub(left, right), {x: mul(s, x) for x in small})
    first = canon(derivative(g, s))
    second = canon(derivative(first, s))
    back = sub(ONE, s)
    taylor = add(g, mul(back, first), mul(num(Fraction(1, 2)), power(back, 2), second))
    whole = P.step("fundamental", taylor, s, s.data[0], ZERO, ONE, [])
    body = at(whole.left, s)
    short = P.over(whole.left, P.ring(body, canon(body)), s)
    if not third_order(short.right, small):
        raise NotFound("a remainder of third order is expected")
    return P.combine(left, add(right, short.right), [(neg(ONE), whole), (ONE, short)])
