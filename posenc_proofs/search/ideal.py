"""Ideal membership with its cofactors: division first, then Buchberger's algorithm with a history.

Normal forms become polynomials over Q(i), with a generator for each atom and each monomial of an exponent. An
exponential has a second generator, its inverse; that their product is 1 is known to the kernel's ``ring``.
"""

from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import product
from math import lcm
from typing import Any

from sympy.polys.domains import QQ, QQ_I
from sympy.polys.orderings import grevlex
from sympy.polys.rings import ring

from ..kernel.ring import UNITY, Poly, term
from ..kernel.terms import Term, add, fun, mul, num, power
from .normal import monomials

Row = tuple[Any, list[Any]]  # a polynomial, its cofactors
MOST_PRODUCTS = 400_000  # of terms, in divisions: the same on every machine


class Space:
    """Polynomials in the atoms and exponentials of the given normal forms."""

    def __init__(self, polys: list[Poly]) -> None:
        atoms = {a for p in polys for powers, _ in p for a, _ in powers}
        exponents = [item for p in polys for _, exponent in p for item in exponent]
        self.scale: dict[Any, int] = {}
        for m, part in product(monomials({m for m, _ in exponents}), (0, 1)):
            if below := [c[part].denominator for inner, c in exponents if inner == m and c[part]]:
                self.scale[m, part] = lcm(*below)
        plain = [*sorted(atoms, key=lambda a: (-len(a.text), a.text)), *self.scale]
        self.keys = [(key, 1) for key in plain] + [(key, -1) for key in self.scale]
        space, *gens = ring([f"x{n}" for n in range(len(self.keys) or 1)], QQ_I, cache(grevlex))
        self.zero, self.one = space.zero, space.one
        self.gen = dict(zip(self.keys, gens, strict=False))
        self.free = [self.gen[key, 1] * self.gen[key, -1] - 1 for key in self.scale]

    def place(self, p: Poly) -> Any:
        out = self.zero
        for (powers, exponent), (re, im) in p.items():
            product = self.one * QQ_I(QQ(re.numerator, re.denominator), QQ(im.numerator, im.denominator))
            for a, k in powers:
                product *= self.gen[a, 1] ** k
            for m, c in exponent:
                for part in (0, 1):
                    n = int(c[part] * self.scale.get((m, part), 1))
                    if n:
                        product *= self.gen[(m, part), 1 if n > 0 else -1] ** abs(n)
            out += product
        return out

    def _factor(self, key: Any, sign: int, n: int) -> Term:
        if isinstance(key, Term):
            return power(key, n)
        m, part = key
        c = Fraction(sign * n, self.scale[key])
        return fun("exp", mul(num(0, c) if part else num(c), term({m: UNITY})))

    def back(self, element: Any) -> Term:
        parts = []
        for exponents, c in element.terms():
            re, im = (Fraction(int(q.numerator), int(q.denominator)) for q in (c.x, c.y))
            pairs = zip(self.keys, exponents, strict=False)
            parts.append(mul(num(re, im), *(self._factor(key, sign, n) for (key, sign), n in pairs if n)))
        return add(*parts)


def cofactors(target: Any, premises: list[Any]) -> list[Any] | None:
    """q with target = sum of q_k premises_k; None where none is found in so many products of terms."""
    space, spent = target.ring, 0
    nothing = [space.zero] * len(premises)
    basis: list[Row] = []
    pairs: list[tuple[int, int, int]] = []  # degree of the joined leads, both, the later one first

    def enter(p: Any, history: list[Any]) -> None:
        for n, (other, _) in enumerate(basis):
            heappush(pairs, (sum(space.monomial_lcm(p.LM, other.LM)), len(basis), n))
        basis.append((p, history))

    for n, p in enumerate(premises):
        if p:
            enter(p, [*nothing[:n], space.one, *nothing[n + 1 :]])
    while basis:
        remainder, history, products = _divided(target, nothing, basis)
        spent += products
        if not remainder:
            return [-q for q in history]
        while pairs:
            if spent > MOST_PRODUCTS:
                return None
            degree, a, b = heappop(pairs)
            (f, u), (g, v) = basis[a], basis[b]
            if degree == sum(f.LM) + sum(g.LM):
                continue
            top = space.monomial_lcm(f.LM, g.LM)
            ef, eg = (space.term_new(space.monomial_div(top, h.LM), space.domain.one / h.LC) for h in (f, g))
            both = [ef * x - eg * y for x, y in zip(u, v, strict=True)]
            remainder, history, products = _divided(ef * f - eg * g, both, basis)
            spent += products + len(f) + len(g)
            if remainder:
                enter(remainder, history)
                break
        else:
            return None
    return None


def _divided(p: Any, history: list[Any], basis: list[Row]) -> tuple[Any, list[Any], int]:
    """What is left of p, its cofactors, and how many products of two terms this took."""
    products = 0
    quotients, rest = p.div([f for f, _ in basis])
    for q, (f, behind) in zip(quotients, basis, strict=False):  # of 0 SymPy gives none
        if q:
            products += len(q) * (len(f) + sum(map(len, behind)))
            history = [h - q * b for h, b in zip(history, behind, strict=True)]
    return rest, history, products
