"""The normal form: is an expression identically zero? Exact, complete on its class, no floating point."""

from __future__ import annotations

from math import lcm

from sympy import QQ, Add, Expr, I, Integer, Mul, Pow, Rational, Symbol
from sympy.polys.domains import QQ_I
from sympy.polys.rings import PolyElement, PolyRing, ring

from ..terms.verdict import OutOfClass
from .exponents import serial
from .generators import Generators
from .rewriting import REWRITING

Fraction = tuple[PolyElement, PolyElement]


class Space:
    """A polynomial ring over Q(i) that holds several rewritten expressions at once."""

    def __init__(self, gens: Generators, expressions: list[Expr]) -> None:
        everything = [*expressions, *gens.squares.values()]
        self.gens = gens
        symbols = sorted({s for e in everything for s in e.free_symbols} | set(gens.squares), key=serial)
        self.scale = {s: 1 for s in symbols}
        for e in everything:
            for power in e.atoms(Pow):
                if power.base in self.scale and power.exp.is_Rational:
                    self.scale[power.base] = lcm(self.scale[power.base], int(power.exp.q))
        made = ring(symbols, QQ_I) if symbols else ring([Symbol("unused")], QQ_I)
        self.ring: PolyRing = made[0]
        self.of = dict(zip(symbols, made[1:], strict=False))

    def fraction(self, e: Expr) -> Fraction:
        """Numerator and denominator; nothing is cancelled, so no factor can be lost."""
        one = self.ring.one
        if e.is_Rational:
            return one * QQ_I(QQ(int(e.p), int(e.q)), 0), one
        if e == I:
            return one * QQ_I(0, 1), one
        if isinstance(e, Symbol):
            return self.of[e] ** self.scale[e], one
        if isinstance(e, Add):
            return self._sum([self.fraction(a) for a in e.args])
        if isinstance(e, Mul):
            num, den = one, one
            for p, q in (self.fraction(a) for a in e.args):
                num, den = num * p, den * q
            return num, den
        if isinstance(e, Pow) and e.exp.is_Rational:
            return self._power(e.base, e.exp)
        raise OutOfClass(f"{e} is not rational in the generators")

    def _sum(self, parts: list[Fraction]) -> Fraction:
        by_den: dict[PolyElement, PolyElement] = {}
        for p, q in parts:
            by_den[q] = by_den.get(q, self.ring.zero) + p
        num, den = self.ring.zero, self.ring.one
        for q, p in by_den.items():
            num, den = (num * q + p * den, den * q) if q != den else (num + p, den)
        return num, den

    def _power(self, base: Expr, exponent: Rational) -> Fraction:
        if base in self.of:
            k = int(exponent * self.scale[base])
            power = self.of[base] ** abs(k)
            return (power, self.ring.one) if k >= 0 else (self.ring.one, power)
        if not exponent.is_Integer:
            raise OutOfClass(f"{base}**{exponent} is not rational in the generators")
        num, den = self.fraction(base)
        k = int(exponent)
        if k < 0:
            if not num:
                raise OutOfClass(f"division by {self.gens.restore(base)}, which is identically zero")
            num, den, k = den, num, -k
        return num**k, den**k

    def reduce(self, numerator: PolyElement) -> PolyElement:
        """Use the relations of roots: R² = radicand, P^N = prime, and e^{iπk} for integer k."""
        for symbol in reversed(list(self.gens.squares)):
            num, den = self.fraction(self.gens.squares[symbol])
            numerator = _substitute_power(numerator, self.of[symbol], 2 * self.scale[symbol], num, den)
        for symbol, element in self.of.items():
            key = self.gens.key_of.get(symbol)
            if key is not None and getattr(key.func, "__name__", "") == "prime_" and self.scale[symbol] > 1:
                prime = self.ring.one * QQ_I(int(key.args[0]), 0)
                numerator = _substitute_power(numerator, element, self.scale[symbol], prime, self.ring.one)
            if symbol in self.gens.unity:
                period = self.gens.unity[symbol] * self.scale[symbol]
                numerator = _substitute_power(numerator, element, period, self.ring.one, self.ring.one)
        return numerator


def _substitute_power(
    p: PolyElement, x: PolyElement, k: int, num: PolyElement, den: PolyElement
) -> PolyElement:
    """p with x**k replaced by num/den, cleared of denominators (they are non-zero)."""
    place = p.ring.gens.index(x)
    top = max((monomial[place] // k for monomial in p), default=0)
    if top == 0:
        return p
    result = p.ring.zero
    for monomial, coefficient in p.terms():
        times, left = divmod(monomial[place], k)
        rest = list(monomial)
        rest[place] = left
        result += p.ring.term_new(tuple(rest), coefficient) * num**times * den ** (top - times)
    return result


def reduced_fractions(expressions: list[Expr], gens: Generators) -> tuple[Space, list[Fraction]]:
    """Some expressions as fractions over one ring, their numerators reduced by the roots' relations."""
    rewritten = [gens.rewrite(e) for e in expressions]
    space = Space(gens, rewritten)
    fractions = [space.fraction(e) for e in rewritten]
    return space, [(space.reduce(numerator), denominator) for numerator, denominator in fractions]


def is_zero(e: Expr) -> bool:
    """Whether e vanishes identically where its denominators do not.

    True is a proof. False is a proof that e is not identically zero as a function of independent real
    arguments; over integers it may still vanish, which is why refutation always asks for a point.
    """
    if e == Integer(0):
        return True
    _, ((numerator, _),) = reduced_fractions([e], Generators(REWRITING))
    return not numerator
