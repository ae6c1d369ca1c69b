"""Factorials, binomials and Kronecker's delta: computed where their arguments are exact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import acb
from sympy import Expr, KroneckerDelta, Symbol, binomial, factorial

from .exact import exact
from .point import NoValue, Point, to_ball

COUNTED = (factorial, binomial, KroneckerDelta)
LARGEST = 1000  # of which a factorial is computed


def counted(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> acb:
    """The value of n!, binomial(n, k) or delta(i, j).

    Raises:
        NoValue: for arguments that are not known exactly, n! and binomial(n, k) outside their integers.

    Example:
        >>> from posenc_lib.proofs import Point
        >>> print(counted(binomial(-2, 3, evaluate=False), Point(0), {}))
        -4.00000000000000
    """
    values = [value for a in e.args if (value := exact(a, point, env)) is not None]
    if len(values) < len(e.args):
        raise NoValue(f"the arguments of {e} are not known exactly")
    if isinstance(e, KroneckerDelta):
        return acb(values[0] == values[1])
    n, k = Fraction(values[0]), Fraction(values[-1])
    if any(value.denominator != 1 or abs(value) > LARGEST for value in (n, k)) or k < 0:
        raise NoValue(f"{e} is computed for integers up to {LARGEST}")
    if isinstance(e, factorial):
        return acb(math.factorial(int(n)))
    product = Fraction(1)
    for j in range(1, int(k) + 1):
        product *= Fraction(n - k + j) / j
    return to_ball(product)
