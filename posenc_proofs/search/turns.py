"""Parts of a turn: e^(i pi / b) is a root of a cyclotomic polynomial, so cos(2 pi / 3) = -1/2."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from sympy import Poly, Symbol, cyclotomic_poly, div

from ..kernel.ring import NONE, poly
from ..kernel.terms import ONE, PI, ZERO, Term, add, fun, mul, num, power, subterms
from ..kernel.theorem import Theorem
from .lemmas import turn
from .proof import Proof

MOST = 60  # the finest part of a half turn that is looked at
_PI = (frozenset([(PI, 1)]), NONE)


def parts_of_a_turn(P: Proof, *terms: Term) -> list[Theorem]:
    """Phi_2b(e^(i pi / b)) = 0 for the finest part of a half turn in the exponents, and e^(i pi / 2) = i."""
    b = 2
    for s in (s for t in terms for s in subterms(t) if s.head == "exp" and not s.loose):
        b = lcm(b, poly(s.args[0]).get(_PI, (Fraction(0), Fraction(0)))[1].denominator)
    return [_cyclotomic(P, b), P.axiom("quarter_turn")] if 2 < b <= MOST else []


def _cyclotomic(P: Proof, b: int) -> Theorem:
    x = Symbol("x")
    phi = cyclotomic_poly(2 * b, x)
    z = fun("exp", mul(num(0, Fraction(1, b)), PI))
    at_phi, rest = (_at(e, x, z) for e in (phi, div(x ** (2 * b) - 1, phi, x)[0]))
    return P.combine(at_phi, ZERO, [(ONE, turn(P))], [rest], [P.step("apart", rest, ZERO)])


def _at(e: object, x: Symbol, z: Term) -> Term:
    coefficients = Poly(e, x).all_coeffs()[::-1]
    return add(*(mul(num(int(c)), power(z, k)) for k, c in enumerate(coefficients) if c))
