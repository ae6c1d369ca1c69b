"""Powers, roots, moduli, logarithms and exponentials as rational powers of generators."""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    Expr,
    Function,
    I,
    Integer,
    Mul,
    Pow,
    Rational,
    Symbol,
    exp,
    expand,
    factorint,
    log,
    pi,
    re,
    sqrt,
)  # fmt: skip

from ..terms.verdict import OutOfClass
from .elementary import conj
from .exponents import divided_out
from .generators import OPAQUE, Generators

ROOT = Function("sqrt_")  # the non-negative root, as it appears in restored expressions


def power(gens: Generators, e: Pow) -> Expr:
    """A rational power of generators; one with a symbolic exponent as an exponential."""
    base, exponent = e.args
    if exponent.is_Integer:
        return Pow(gens.rewrite(base), exponent)
    if base.is_Integer and base > 0:
        return _exponential(gens, exponent * log(base))
    if base.is_Rational and base > 0:
        return _exponential(gens, exponent * (log(base.p) - log(base.q)))
    if base == -1 and exponent.is_integer:
        return _exponential(gens, I * pi * exponent)
    if exponent == Rational(1, 2) and base.is_nonnegative and not base.is_Symbol:
        return _root(gens, gens.rewrite(base))
    if base.is_positive:
        return _exponential(gens, exponent * log(base))
    raise OutOfClass(f"the power {e} has several branches: its base is not known to be positive")


def root(gens: Generators, e: Expr) -> Expr:
    """A root that stands in a restored expression."""
    return _root(gens, gens.rewrite(e.args[0]))


def _root(gens: Generators, radicand: Expr) -> Expr:
    """√radicand for a non-negative radicand: a generator whose square is known."""
    radicand = expand(radicand)
    if radicand.is_Rational:
        irrational = sqrt(radicand).is_Pow
        return _primes(gens, radicand, Rational(1, 2)) if irrational else gens.rewrite(sqrt(radicand))
    root = gens.generator(ROOT(radicand))
    gens.squares.setdefault(root, radicand)
    return root


def modulus(gens: Generators, e: Abs) -> Expr:
    """|z| factor by factor; where z is not known to be real, as the root of z z*."""
    return _modulus(gens, e.args[0])


def _modulus(gens: Generators, z: Expr) -> Expr:
    if isinstance(z, Mul):
        return Mul(*(_modulus(gens, a) for a in z.args))
    if isinstance(z, Pow) and z.exp.is_integer:
        return Pow(_modulus(gens, z.base), z.exp)
    if z.is_nonnegative:
        return gens.rewrite(z)
    if z.is_Rational:
        return abs(z)
    if z == I:
        return Integer(1)
    if isinstance(z, exp):
        return gens.rewrite(exp(re(expand(z.args[0]))))
    return _root(gens, gens.rewrite(z) * gens.rewrite(conj(z)))


def logarithm(gens: Generators, e: log) -> Expr:
    """The logarithm of a product of positive numbers as a sum of logarithms."""
    return _logarithm(gens, e.args[0])


def _logarithm(gens: Generators, x: Expr) -> Expr:
    if x.is_Rational and x > 0:
        primes = {**factorint(x.p), **{p: -k for p, k in factorint(x.q).items()}}
        return Add(*(k * gens.generator(log(p)) for p, k in primes.items() if p != 1))
    if isinstance(x, Mul) and all(a.is_positive for a in x.args):
        return Add(*(_logarithm(gens, a) for a in x.args))
    if isinstance(x, Pow) and x.base.is_positive and x.exp.is_extended_real:
        return gens.rewrite(x.exp) * _logarithm(gens, x.base)
    if isinstance(x, exp) and x.args[0].is_extended_real:
        return gens.rewrite(x.args[0])
    return gens.generator(log(gens.canonical(x)))


def _primes(gens: Generators, value: Integer, exponent: Rational) -> Expr:
    primes = factorint(value).items()
    return Mul(*(Pow(gens.generator(Function("prime_")(p)), k * exponent) for p, k in primes))


def exponential(gens: Generators, e: exp) -> Expr:
    """An exponential as a product of powers of generators."""
    return _exponential(gens, e.args[0])


def _exponential(gens: Generators, argument: Expr) -> Expr:
    """e^argument as a product of powers of generators, one for each monomial of the argument."""
    product: Expr = Integer(1)
    for term in Add.make_args(expand(divided_out(gens.rewrite(argument)))):
        coefficient, rest = term.as_coeff_Mul()
        if not coefficient.is_Rational:
            raise OutOfClass(f"the exponent {term} is not exact")
        product *= _exponential_of_monomial(gens, coefficient, gens.restore(rest))
    return product


def _exponential_of_monomial(gens: Generators, c: Rational, monomial: Expr) -> Expr:
    if monomial == 1:
        return Pow(gens.generator(exp(Integer(1))), c)
    if isinstance(monomial, log):
        (x,) = monomial.args
        if x.is_Integer:
            whole = c.floor()
            return Pow(x, whole) * (_primes(gens, x, c - whole) if c != whole else 1)
        return Pow(gens.atom(x) if isinstance(x, OPAQUE) else _exponential_generator(gens, monomial), c)
    turn, integer = monomial / (I * pi), monomial / (I * pi)
    if turn == 1 or (integer.is_integer and not integer.has(I)):
        c = c % 2
        if turn == 1 and (2 * c).is_Integer:
            return Pow(I, int(2 * c))
        generator = _exponential_generator(gens, monomial)
        gens.unity[generator] = 2
        return Pow(generator, c)
    return Pow(_exponential_generator(gens, monomial), c)


def _exponential_generator(gens: Generators, monomial: Expr) -> Symbol:
    """The generator of e^monomial, under a key that SymPy leaves alone: e^{iπd} is 1 for every even d."""
    generator = gens.generator(exp(monomial, evaluate=False))
    gens.exponent_of[generator] = monomial
    return generator
