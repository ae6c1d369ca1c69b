"""How each kind of expression is rewritten in generators: a new function of mathematics is one more row."""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    Ci,
    Derivative,
    Ei,
    Expr,
    I,
    Integer,
    Integral,
    Max,
    Min,
    Mul,
    Number,
    Pow,
    Product,
    Rational,
    Si,
    Sum,
    Symbol,
    conjugate,
    erf,
    exp,
    gamma,
    im,
    log,
    re,
)  # fmt: skip
from sympy.core.numbers import ImaginaryUnit

from ..terms.depth import depth
from ..terms.extrema import MaxOver
from ..terms.symbols import CANONICAL_PREFIX
from ..terms.verdict import OutOfClass
from ..values.substitution import substitute
from .elementary import TRIGONOMETRIC, as_exponentials, by_modulus, conj
from .generators import OPAQUE, Generators, Table
from .integrals import rewrite_integral
from .powers import ROOT, exponential, logarithm, modulus, power, root
from .sums import rewrite_product, rewrite_sum

SPECIAL = (Ci, Ei, Si, erf, gamma)  # values of these are generators: no relation between them is used


def _part_by_part(gens: Generators, e: Expr) -> Expr:
    return e.func(*(gens.rewrite(a) for a in e.args))


def _inexact(gens: Generators, e: Number) -> Expr:
    raise OutOfClass(f"the floating-point number {e} is not exact")


def _larger(gens: Generators, e: Max | Min) -> Expr:
    if not all(a.is_extended_real for a in e.args):
        raise OutOfClass(f"{e} compares numbers that may not be real")
    return gens.rewrite(by_modulus(e))


def _conjugate(gens: Generators, e: conjugate) -> Expr:
    inner = conj(e.args[0])
    return gens.atom(inner) if isinstance(inner, conjugate) else gens.rewrite(inner)


def _derivative(gens: Generators, e: Derivative) -> Expr:
    done = e.doit(deep=False)
    return gens.generator(done) if isinstance(done, Derivative) else gens.rewrite(done)


def _special(gens: Generators, e: Expr) -> Expr:
    return gens.generator(e.func(*(gens.canonical(a) for a in e.args)))


def _maximum(gens: Generators, e: MaxOver) -> Expr:
    index, lower, upper = e.limits[0]
    k = Symbol(f"{CANONICAL_PREFIX}max{depth(e.function, MaxOver)}", integer=True, nonnegative=True)
    inside = gens.canonical(substitute(e.function, {index: k + lower}))
    return gens.generator(MaxOver(inside, (k, Integer(0), gens.canonical(upper - lower))))


REWRITING: Table = {
    **dict.fromkeys((Rational, ImaginaryUnit), lambda gens, e: e),
    Number: _inexact,
    **dict.fromkeys((Add, Mul), _part_by_part),
    Pow: power,
    exp: exponential,
    log: logarithm,
    **dict.fromkeys(TRIGONOMETRIC, lambda gens, e: gens.rewrite(as_exponentials(e))),
    Abs: modulus,
    ROOT: root,
    **dict.fromkeys((Max, Min), _larger),
    re: lambda gens, e: gens.rewrite((e.args[0] + conj(e.args[0])) / 2),
    im: lambda gens, e: gens.rewrite((e.args[0] - conj(e.args[0])) / (2 * I)),
    conjugate: _conjugate,
    Sum: rewrite_sum,
    Product: rewrite_product,
    Integral: rewrite_integral,
    MaxOver: _maximum,
    Derivative: _derivative,
    **dict.fromkeys(SPECIAL, _special),
    **dict.fromkeys(OPAQUE, Generators.atom),
}
