"""Rewrite an expression as a rational one in independent generators.

Sines, cosines, exponentials, roots and powers with symbolic exponents all become rational powers of a few
generators: one for each symbol, one for e^μ and one for e^{iμ} for each monomial μ that occurs in an
exponent, one for each unknown function value. By Ax's theorem the exponentials of Q-linearly independent
monomials are algebraically independent, so two expressions of the class agree exactly when they agree as
rational functions of the generators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sympy import Basic, Dummy, Expr, Indexed, NumberSymbol, Pow, Symbol, conjugate, exp, expand
from sympy.core.function import AppliedUndef

from ..terms.domains import domain_of
from ..terms.verdict import OutOfClass
from ..values.substitution import replaced

OPAQUE = (Symbol, AppliedUndef, Indexed, NumberSymbol)


Table: TypeAlias = Mapping[type, Callable[["Generators", Any], Expr]]


class Generators:
    """A growing list of generators; ``rewrite`` maps expressions into rational expressions in them.

    ``table`` says for each kind of expression how it is rewritten.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.by_key: dict[Basic, Symbol] = {}
        self.key_of: dict[Symbol, Basic] = {}
        self.squares: dict[Symbol, Expr] = {}  # generator → what its square is (roots), in order of creation
        self.exponent_of: dict[Symbol, Expr] = {}  # generator of e^μ → μ
        self.unity: dict[Symbol, int] = {}  # generator → N with generator**N = 1

    def generator(self, key: Basic) -> Symbol:
        """The generator that stands for ``key``."""
        if key not in self.by_key:
            symbol = Dummy(f"g{len(self.by_key)}")
            self.by_key[key], self.key_of[symbol] = symbol, key
        return self.by_key[key]

    def rewrite(self, e: Expr) -> Expr:
        """The same value as a rational expression in the generators (rational exponents allowed)."""
        for kind in type(e).__mro__:
            if kind in self.table:
                return self.table[kind](self, e)
        raise OutOfClass(f"no rule for {type(e).__name__} in {e}")

    def atom(self, e: Expr) -> Expr:
        """The generator of a letter, an unknown value, a constant, or the conjugate of one."""
        if not isinstance(e, (NumberSymbol, conjugate)):
            domain_of(e)
        inner = e.args[0] if isinstance(e, conjugate) else e
        if isinstance(inner, AppliedUndef):
            canonical: Expr = inner.func(*(self.canonical(a) for a in inner.args))
        elif isinstance(inner, Indexed):
            canonical = inner.base[tuple(self.canonical(a) for a in inner.indices)]
        else:
            canonical = inner
        return self.generator(conjugate(canonical) if isinstance(e, conjugate) else canonical)

    def canonical(self, e: Expr) -> Expr:
        """One representative for each argument, in the original symbols: ``n - m`` and ``-m + n`` agree."""
        return expand(self.restore(expand(self.rewrite(e))))

    def restore(self, e: Expr) -> Expr:
        """Replace the generators by what they stand for, also inside radicands; (e^μ)^c by e^{cμ}."""
        while e.free_symbols & self.key_of.keys():
            plain = {g: exp(exponent) for g, exponent in self.exponent_of.items()}
            powers = {p: exp(p.exp * self.exponent_of[p.base]) for p in e.atoms(Pow) if p.base in plain}
            e = replaced(e, {**self.key_of, **plain, **powers})
        return e
