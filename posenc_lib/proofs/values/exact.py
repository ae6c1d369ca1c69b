"""Rational values of expressions, without a ball: whole numbers stay whole in ranges and exponents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from sympy import Add, Expr, Mul, Pow, Symbol

from .point import Point


@lru_cache(maxsize=8192)
def _may_be_exact(e: Expr) -> bool:
    """Whether only rational operations on letters occur: asked once, not at every point."""
    if isinstance(e, (Add, Mul)) or (isinstance(e, Pow) and e.exp.is_Integer):
        return all(_may_be_exact(a) for a in e.args)
    return bool(e.is_Rational) or isinstance(e, Symbol)


def exact(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> Fraction | int | None:
    """The value of an argument or limit when it is rational; None otherwise."""
    return _rational(e, point, env) if _may_be_exact(e) else None


def _rational(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> Fraction | int | None:
    """Whole numbers as integers where they are known to be whole: with them Python computes faster."""
    if isinstance(e, Symbol):
        value = env[e] if e in env else point.value(e, e.name)
        return value if isinstance(value, (int, Fraction)) else None
    if isinstance(e, (Add, Mul)):
        total: Fraction | int = 0 if isinstance(e, Add) else 1
        for a in e.args:
            part = _rational(a, point, env)
            if part is None:
                return None
            total = total + part if isinstance(e, Add) else total * part
        return total
    if isinstance(e, Pow):
        base = _rational(e.base, point, env)
        return None if base is None or (base == 0 and e.exp < 0) else Fraction(base) ** int(e.exp)
    return int(e.p) if e.q == 1 else Fraction(int(e.p), int(e.q))
