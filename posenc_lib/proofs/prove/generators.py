"""Rewrite an expression as a rational one in independent generators.

Sines, cosines, exponentials, roots and powers with symbolic exponents all become rational powers of a few
generators: one for each symbol, one for e^μ and one for e^{iμ} for each monomial μ that occurs in an
exponent, one for each unknown function value. By Ax's theorem the exponentials of Q-linearly independent
monomials are algebraically independent, so two expressions of the class agree exactly when they agree as
rational functions of the generators.
"""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    Basic,
    Ci,
    Derivative,
    Dummy,
    Ei,
    Expr,
    Function,
    I,
    Indexed,
    Integer,
    Integral,
    Max,
    Min,
    Mul,
    Number,
    NumberSymbol,
    Pow,
    Product,
    Rational,
    Si,
    Sum,
    Symbol,
    conjugate,
    erf,
    exp,
    expand,
    factorint,
    gamma,
    im,
    log,
    pi,
    re,
    sqrt,
)  # fmt: skip
from sympy.core.function import AppliedUndef

from ..terms.depth import depth
from ..terms.domains import domain_of
from ..terms.extrema import MaxOver
from ..terms.symbols import CANONICAL_PREFIX
from ..terms.verdict import OutOfClass
from ..values.substitution import replaced, substitute
from .elementary import TRIGONOMETRIC, as_exponentials, by_modulus, conj
from .exponents import divided_out

SPECIAL = (Ci, Ei, Si, erf, gamma)  # values of these are generators: no relation between them is used
ROOT = Function("sqrt_")  # the non-negative root, as it appears in restored expressions
OPAQUE = (Symbol, AppliedUndef, Indexed, NumberSymbol)


class Generators:
    """A growing list of generators; ``rewrite`` maps expressions into rational expressions in them."""

    def __init__(self) -> None:
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
        if e.is_Rational or e == I:
            return e
        if isinstance(e, Number):
            raise OutOfClass(f"the floating-point number {e} is not exact")
        if isinstance(e, (Add, Mul)):
            return e.func(*(self.rewrite(a) for a in e.args))
        if isinstance(e, Pow):
            return self._power(e)
        if isinstance(e, exp):
            return self._exponential(e.args[0])
        if isinstance(e, TRIGONOMETRIC):
            return self.rewrite(as_exponentials(e))
        if isinstance(e, Abs):
            return self._modulus(e.args[0])
        if isinstance(e, (Max, Min)):
            if not all(a.is_extended_real for a in e.args):
                raise OutOfClass(f"{e} compares numbers that may not be real")
            return self.rewrite(by_modulus(e))
        if isinstance(e, re):
            return self.rewrite((e.args[0] + conj(e.args[0])) / 2)
        if isinstance(e, im):
            return self.rewrite((e.args[0] - conj(e.args[0])) / (2 * I))
        if isinstance(e, log):
            return self._logarithm(e.args[0])
        if isinstance(e, Sum):
            from .sums import rewrite_sum  # sums need rewrite themselves

            return rewrite_sum(self, e)
        if isinstance(e, Product):
            from .sums import rewrite_product

            return rewrite_product(self, e)
        if isinstance(e, Integral):
            from .integrals import rewrite_integral

            return rewrite_integral(self, e)
        if isinstance(e, conjugate):
            inner = conj(e.args[0])
            return self._atom(inner) if isinstance(inner, conjugate) else self.rewrite(inner)
        if isinstance(e, ROOT):
            return self._root(self.rewrite(e.args[0]))
        if isinstance(e, OPAQUE):
            return self._atom(e)
        if isinstance(e, Derivative):
            done = e.doit(deep=False)
            return self.generator(done) if isinstance(done, Derivative) else self.rewrite(done)
        if isinstance(e, SPECIAL):
            return self.generator(e.func(*(self.canonical(a) for a in e.args)))
        if isinstance(e, MaxOver):
            return self._maximum(e)
        raise OutOfClass(f"no rule for {type(e).__name__} in {e}")

    def _atom(self, e: Expr) -> Expr:
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

    def _maximum(self, e: MaxOver) -> Expr:
        index, lower, upper = e.limits[0]
        k = Symbol(f"{CANONICAL_PREFIX}max{depth(e.function, MaxOver)}", integer=True, nonnegative=True)
        inside = self.canonical(substitute(e.function, {index: k + lower}))
        return self.generator(MaxOver(inside, (k, Integer(0), self.canonical(upper - lower))))

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

    def _power(self, e: Expr) -> Expr:
        base, exponent = e.args
        if exponent.is_Integer:
            return Pow(self.rewrite(base), exponent)
        if base.is_Integer and base > 0:
            return self._exponential(exponent * log(base))
        if base.is_Rational and base > 0:
            return self._exponential(exponent * (log(base.p) - log(base.q)))
        if base == -1 and exponent.is_integer:
            return self._exponential(I * pi * exponent)
        if exponent == Rational(1, 2) and base.is_nonnegative and not base.is_Symbol:
            return self._root(self.rewrite(base))
        if base.is_positive:
            return self._exponential(exponent * log(base))
        raise OutOfClass(f"the power {e} has several branches: its base is not known to be positive")

    def _root(self, radicand: Expr) -> Expr:
        """√radicand for a non-negative radicand: a generator whose square is known."""
        radicand = expand(radicand)
        if radicand.is_Rational:
            return (
                self.rewrite(sqrt(radicand))
                if not sqrt(radicand).is_Pow
                else self._primes(radicand, Rational(1, 2))
            )
        root = self.generator(ROOT(radicand))
        self.squares.setdefault(root, radicand)
        return root

    def _modulus(self, z: Expr) -> Expr:
        if isinstance(z, Mul):
            return Mul(*(self._modulus(a) for a in z.args))
        if isinstance(z, Pow) and z.exp.is_integer:
            return Pow(self._modulus(z.base), z.exp)
        if z.is_nonnegative:
            return self.rewrite(z)
        if z.is_Rational:
            return abs(z)
        if z == I:
            return Integer(1)
        if isinstance(z, exp):
            return self.rewrite(exp(re(expand(z.args[0]))))
        return self._root(self.rewrite(z) * self.rewrite(conj(z)))

    def _logarithm(self, x: Expr) -> Expr:
        if x.is_Rational and x > 0:
            primes = {**factorint(x.p), **{p: -k for p, k in factorint(x.q).items()}}
            return Add(*(k * self.generator(log(p)) for p, k in primes.items() if p != 1))
        if isinstance(x, Mul) and all(a.is_positive for a in x.args):
            return Add(*(self._logarithm(a) for a in x.args))
        if isinstance(x, Pow) and x.base.is_positive and x.exp.is_extended_real:
            return self.rewrite(x.exp) * self._logarithm(x.base)
        if isinstance(x, exp) and x.args[0].is_extended_real:
            return self.rewrite(x.args[0])
        return self.generator(log(self.canonical(x)))

    def _primes(self, value: Integer, exponent: Rational) -> Expr:
        primes = factorint(value).items()
        return Mul(*(Pow(self.generator(Function("prime_")(p)), k * exponent) for p, k in primes))

    def _exponential(self, argument: Expr) -> Expr:
        """e^argument as a product of powers of generators, one for each monomial of the argument."""
        product: Expr = Integer(1)
        for term in Add.make_args(expand(divided_out(self.rewrite(argument)))):
            coefficient, rest = term.as_coeff_Mul()
            if not coefficient.is_Rational:
                raise OutOfClass(f"the exponent {term} is not exact")
            product *= self._exponential_of_monomial(coefficient, self.restore(rest))
        return product

    def _exponential_of_monomial(self, c: Rational, monomial: Expr) -> Expr:
        if monomial == 1:
            return Pow(self.generator(exp(Integer(1))), c)
        if isinstance(monomial, log):
            (x,) = monomial.args
            if x.is_Integer:
                whole = c.floor()
                return Pow(x, whole) * (self._primes(x, c - whole) if c != whole else 1)
            return (
                Pow(self._atom(x), c)
                if isinstance(x, OPAQUE)
                else Pow(self._exponential_generator(monomial), c)
            )
        turn, integer = monomial / (I * pi), monomial / (I * pi)
        if turn == 1 or (integer.is_integer and not integer.has(I)):
            c = c % 2
            if turn == 1 and (2 * c).is_Integer:
                return Pow(I, int(2 * c))
            generator = self._exponential_generator(monomial)
            self.unity[generator] = 2
            return Pow(generator, c)
        return Pow(self._exponential_generator(monomial), c)

    def _exponential_generator(self, monomial: Expr) -> Symbol:
        """The generator of e^monomial, under a key that SymPy leaves alone: e^{iπd} is 1 for every even d."""
        generator = self.generator(exp(monomial, evaluate=False))
        self.exponent_of[generator] = monomial
        return generator
