"""Ideal membership with its cofactors: division first, then Buchberger's algorithm with a history.

Normal forms become polynomials over Q(i), with a generator for each atom and each monomial of an exponent. An
exponential has a second generator, its inverse; that their product is 1 is known to the kernel's ``ring``.
"""

from __future__ import annotations

import time
from fractions import Fraction
from math import lcm
from typing import Any

from sympy.polys.domains import QQ, QQ_I
from sympy.polys.orderings import grevlex
from sympy.polys.rings import ring

from ..kernel.ring import UNITY, Poly, term
from ..kernel.terms import Term, add, fun, mul, num, power


class Space:
    """Polynomials in the atoms and exponentials of the given normal forms."""

    def __init__(self, polys: list[Poly]) -> None:
        atoms = {a for p in polys for powers, _ in p for a, _ in powers}
        self.scale: dict[Any, int] = {}
        for p in polys:
            for _, exponent in p:
                for m, c in exponent:
                    for part in (0, 1):
                        if c[part]:
                            self.scale[m, part] = lcm(self.scale.get((m, part), 1), c[part].denominator)
        plain = [*sorted(atoms, key=lambda a: (-len(a.text), a.text)), *self.scale]
        self.keys = [(key, 1) for key in plain] + [(key, -1) for key in self.scale]
        space, *gens = ring([f"x{n}" for n in range(len(self.keys) or 1)], QQ_I, grevlex)
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


def cofactors(target: Any, premises: list[Any], until: float) -> list[Any] | None:
    """q with target = sum of q_k premises_k; None where there is none, or not by the time ``until``."""
    space = target.ring
    basis = []
    for n, p in enumerate(premises):
        if p:
            basis.append((p, [space.one if k == n else space.zero for k in range(len(premises))]))
    pairs = [(a, b) for a in range(len(basis)) for b in range(a)]
    while basis:
        quotients, remainder = target.div([p for p, _ in basis])
        if not remainder:
            return _weighted(zip(quotients, basis, strict=True), [space.zero] * len(premises))
        grown = False
        while pairs and not grown:
            if time.monotonic() > until:
                return None
            a, b = min(pairs, key=lambda ab: sum(_join(basis[ab[0]][0], basis[ab[1]][0])))
            pairs.remove((a, b))
            (f, u), (g, v) = basis[a], basis[b]
            top = _join(f, g)
            if sum(top) == sum(f.LM) + sum(g.LM):
                continue
            ef, eg = (
                space.term_new(tuple(x - y for x, y in zip(top, h.LM, strict=True)), space.domain.one / h.LC)
                for h in (f, g)
            )
            quotients, remainder = (ef * f - eg * g).div([p for p, _ in basis])
            if remainder:
                history = [ef * x - eg * y for x, y in zip(u, v, strict=True)]
                history = _weighted(((-q, row) for q, row in zip(quotients, basis, strict=True)), history)
                pairs += [(len(basis), n) for n in range(len(basis))]
                basis.append((remainder, history))
                grown = True
        if not grown:
            return None
    return None


def _join(f: Any, g: Any) -> tuple[int, ...]:
    return tuple(map(max, zip(f.LM, g.LM, strict=True)))


def _weighted(rows: Any, start: list[Any]) -> list[Any]:
    out = start
    for q, (_, history) in rows:
        if q:
            out = [o + q * h for o, h in zip(out, history, strict=True)]
    return out
