"""Which errors tend to zero: decided by the growth of each factor, without SymPy's limits."""

from __future__ import annotations

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, Symbol, cos, exp, log, oo, sin


def tends_to_zero(e: Expr, x: Symbol, target: Basic) -> bool:
    """Whether every term of ``e`` certainly tends to 0 as x → ∞, or as x → 0 from above.

    A term is a product of factors x^a, log(x)^k, e^{−cx} (at infinity), bounded sines and cosines, and
    factors without x. Of these, e^{−cx} beats powers and powers beat logarithms. False means "not shown".

    >>> from sympy import cos, log, oo
    >>> from posenc_lib.proofs import positives
    >>> x, b = positives("x b")
    >>> tends_to_zero(log(x) / x + cos(x) / (b * x**2), x, oo), tends_to_zero(cos(x), x, oo)
    (True, False)
    """
    if not x.is_positive or target not in (Integer(0), oo) or (target == 0 and x.is_integer):
        return False  # whole numbers come to no limit but infinity
    orders = [_order(term, x, at_infinity=target == oo) for term in Add.make_args(e.expand())]
    return all(order is not None and order < (0, 0) for order in orders)


Order = tuple[Rational, Rational]


def _order(term: Expr, x: Symbol, at_infinity: bool) -> Order | None:
    """(decay rate, power) of a term, smaller is faster; a logarithm costs less than any power."""
    if term == 0:
        return Integer(-1), Integer(0)
    rate = power = Integer(0)
    for factor in Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if not factor.has(x):
            continue
        if isinstance(factor, exp) and at_infinity:
            slope = (factor.args[0] / x).expand()
            if slope.has(x) or not slope.is_negative:
                return None
            rate = Integer(-1)
        elif base == x and exponent.is_Rational:
            power += exponent if at_infinity else -exponent
        elif base == log(x) and exponent.is_Integer and exponent > 0:
            pass  # neither makes a vanishing term survive nor another one vanish
        elif isinstance(factor, Pow) and isinstance(base, (sin, cos)):
            if not (exponent.is_Integer and exponent > 0 and base.args[0].is_extended_real):
                return None
        elif not (isinstance(factor, (sin, cos)) and factor.args[0].is_extended_real):
            return None
    return rate, power
