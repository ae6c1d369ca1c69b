"""Conjugates pushed to the atoms; trigonometric functions as exponentials; max and min as moduli."""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    Derivative,
    Expr,
    I,
    Integer,
    Integral,
    Max,
    Min,
    Mul,
    Pow,
    Product,
    Sum,
    conjugate,
    cos,
    cosh,
    cot,
    csc,
    exp,
    sec,
    sin,
    sinh,
    tan,
    tanh,
)  # fmt: skip

TRIGONOMETRIC = (sin, cos, tan, cot, sec, csc, sinh, cosh, tanh)


def conj(e: Expr) -> Expr:
    """The complex conjugate, pushed down to the atoms."""
    if e == I:
        return -I
    if e.is_extended_real:
        return e
    if isinstance(e, (Add, Mul)):
        return e.func(*(conj(a) for a in e.args))
    if isinstance(e, Pow) and (e.exp.is_integer or (e.base.is_positive)):
        return Pow(conj(e.base), conj(e.exp))
    if isinstance(e, exp):
        return exp(conj(e.args[0]))
    if isinstance(e, TRIGONOMETRIC):
        return e.func(conj(e.args[0]))
    if isinstance(e, (Sum, Product, Integral)):
        return e.func(conj(e.function), *e.limits)
    if isinstance(e, Derivative):  # by real letters
        return e.func(conj(e.expr), *e.variable_count)
    if isinstance(e, conjugate):
        return e.args[0]
    return conjugate(e)


def as_exponentials(e: Expr) -> Expr:
    """A trigonometric or hyperbolic function written with exponentials."""
    (x,) = e.args
    up, down = (
        (exp(I * x), exp(-I * x)) if isinstance(e, (sin, cos, tan, cot, sec, csc)) else (exp(x), exp(-x))
    )
    i = I if isinstance(e, (sin, tan, cot, csc)) else Integer(1)
    s, c = (up - down) / (2 * i), (up + down) / 2
    table = {sin: s, sinh: s, cos: c, cosh: c, tan: s / c, tanh: s / c, cot: c / s, sec: 1 / c, csc: 1 / s}
    return table[e.func]


def by_modulus(e: Max | Min) -> Expr:
    """max(a, b) = (a + b + |a − b|)/2, min(a, b) = (a + b − |a − b|)/2, one argument after another."""
    first, *others = e.args
    rest = e.func(*others)
    gap = Abs(first - rest)
    return (first + rest + (gap if isinstance(e, Max) else -gap)) / 2
