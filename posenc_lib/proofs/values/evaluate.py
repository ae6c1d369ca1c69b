"""Evaluate an expression in ball arithmetic at an exact point: the checker's second, independent path.

Nothing here uses SymPy's simplification or the normal form: the tree is walked and every node is computed
by python-flint with a rigorous error radius.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import factorial
from typing import Any

from flint import acb, arb
from sympy import (
    Abs,
    Add,
    Ci,
    Derivative,
    Ei,
    Expr,
    I,
    Indexed,
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
    cos,
    cosh,
    cot,
    csc,
    erf,
    exp,
    gamma,
    im,
    log,
    re,
    sec,
    sin,
    sinh,
    tan,
    tanh,
)  # fmt: skip
from sympy.core.function import AppliedUndef
from sympy.matrices import MatrixBase

from ..terms.smoothness import analytic
from ..terms.symbols import is_smooth_unknown
from .exact import exact
from .point import NoValue, Point, Value, gaussian_text, to_ball

BITS = 128
LONGEST = 400  # terms of a sum or a maximum that are evaluated
FINE, ROUGH = arb(2) ** -40, arb(2) ** -10  # accuracy asked of an integral: by quadrature, by bisection
PLAIN = {f: f.__name__ for f in (sin, cos, tan, cot, sec, csc, sinh, cosh, tanh, exp, log)}
PLAIN |= {
    Ci: "ci",
    Si: "si",
    Ei: "ei",
    erf: "erf",
    gamma: "gamma",
}  # special functions: enclosed, not rewritten


def evaluate(e: Expr, point: Point, env: Mapping[Symbol, Any] | None = None) -> acb:
    """The value of ``e`` at ``point`` as a ball that certainly contains it.

    >>> from fractions import Fraction
    >>> from sympy import cos
    >>> from posenc_lib.proofs import reals
    >>> x = reals("x")
    >>> round(float(evaluate(cos(x), Point(0, given={x: Fraction(1, 3)})).real), 12)
    0.944956946315
    """
    if not isinstance(e, Expr):
        raise TypeError(f"a scalar expression is expected, got {e!r}")
    env = env or {}
    value = exact(e, point, env)
    if value is not None:
        return to_ball(value)
    if e == I:
        return acb(0, 1)
    if isinstance(e, Add):
        return sum((evaluate(a, point, env) for a in e.args), acb(0))
    if isinstance(e, Mul):
        product = acb(1)
        for a in e.args:
            product *= evaluate(a, point, env)
        return product
    if isinstance(e, Pow):
        return _power(e, point, env)
    if e.func in PLAIN:
        return getattr(evaluate(e.args[0], point, env), PLAIN[e.func])()
    if isinstance(e, Abs):
        return acb(abs(evaluate(e.args[0], point, env)))
    if isinstance(e, re):
        return acb(evaluate(e.args[0], point, env).real)
    if isinstance(e, im):
        return acb(evaluate(e.args[0], point, env).imag)
    if isinstance(e, conjugate):
        return evaluate(e.args[0], point, env).conjugate()
    if isinstance(e, (Sum, Product, Integral)):
        return _iterated_once(e, point, env)
    if isinstance(e, (Max, Min)):
        values = [real(evaluate(a, point, env)) for a in e.args]
        best = values[0]
        for v in values[1:]:
            best = best.max(v) if isinstance(e, Max) else best.min(v)
        return acb(best)
    if isinstance(e, Derivative):
        done = e.doit(deep=False)
        if not isinstance(done, Derivative):
            return evaluate(done, point, env)
        if is_smooth_unknown(e.expr) and set(e.variables) == set(e.expr.args):
            return _smooth(e.expr, len(e.variables), point, env)
        raise NoValue(f"no value for {e}")
    if is_smooth_unknown(e):
        return _smooth(e, 0, point, env)
    if isinstance(e, NumberSymbol):
        return _constant(str(e))
    if isinstance(e, (AppliedUndef, Indexed, Symbol)):
        return to_ball(_unknown(e, point, env))
    if isinstance(e, Number):
        raise NoValue(f"{e} is not exact")
    return _special(e, point, env)


def real(value: acb) -> arb:
    """The value of something that is compared: NoValue where it is not real."""
    if value.imag != 0:
        raise NoValue("a number that is not real cannot be compared")
    return value.real


def _special(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> acb:
    evaluator = getattr(e, "_ball", None)
    if evaluator is None:
        raise NoValue(f"no evaluation rule for {type(e).__name__}")
    return evaluator(point, env)


def _constant(name: str) -> acb:
    if name == "pi":
        return acb(arb.pi())
    if name == "E":
        return acb(arb(1).exp())
    if name == "EulerGamma":
        return acb(arb.const_euler())
    raise NoValue(f"no ball for the constant {name}")


def _power(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> acb:
    base = evaluate(e.base, point, env)
    whole = exact(e.exp, point, env)
    if whole is not None and whole.denominator == 1:
        if whole < 0 and base.contains(0):
            raise NoValue(f"{e.base} vanishes here")
        return base ** int(whole)
    if e.exp == Rational(1, 2) and base.imag == 0 and base.real >= 0:
        return acb(base.real.sqrt())
    return base ** evaluate(e.exp, point, env)


def _iterated_once(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> acb:
    """The point remembers what took long: wrong versions of a statement share most of their sums."""
    if env:
        return (_integral if isinstance(e, Integral) else _iterated)(e, point, env)
    if e not in point.known:
        point.known[e] = (_integral if isinstance(e, Integral) else _iterated)(e, point, env)
    return point.known[e]


def _iterated(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> acb:
    index, lower, upper = e.limits[-1]
    low, high = exact(lower, point, env), exact(upper, point, env)
    if low is None or high is None or low.denominator != 1 or high.denominator != 1 or high - low > LONGEST:
        raise NoValue(f"the range of {e} is not a range of integers here")
    inner = e.function if len(e.limits) == 1 else e.func(e.function, *e.limits[:-1])
    total = acb(0) if isinstance(e, Sum) else acb(1)
    for k in range(int(low), int(high) + 1):
        term = evaluate(inner, point, {**env, index: k})
        total = total + term if isinstance(e, Sum) else total * term
    return total


def _has_unknown_inside(e: Integral) -> bool:
    letters = {limit[0] for limit in e.limits}
    unknown = [u for u in e.function.atoms(AppliedUndef, Indexed) if not is_smooth_unknown(u)]
    return len(letters) > 1 or any(u.free_symbols & letters for u in unknown)


def _integral(e: Integral, point: Point, env: Mapping[Symbol, Any]) -> acb:
    """By python-flint's rigorous quadrature; where the integrand is not analytic, by bisection alone."""
    t, low, high = e.limits[0]
    if any(_has_unknown_inside(part) for part in e.atoms(Integral)):
        raise NoValue(f"no value for {e}: several variables, or an unknown function inside")
    holomorphic = analytic(e.function, t)

    def integrand(z: acb, must_be_analytic: bool) -> acb:
        try:
            if holomorphic or not must_be_analytic:
                return evaluate(e.function, point, {**env, t: z})
        except (NoValue, ZeroDivisionError):
            pass
        return acb(arb.nan())  # "not known here": the quadrature then looks at smaller pieces

    start, end = (evaluate(bound, point, env) for bound in (low, high))
    goal = FINE if holomorphic else ROUGH
    return acb.integral(integrand, start, end, rel_tol=goal, abs_tol=goal)  # type: ignore[arg-type]


def _unknown(e: Expr, point: Point, env: Mapping[Symbol, Any]) -> Value:
    if isinstance(e, Symbol):
        return env[e] if e in env else point.value(e, e.name)
    name = str(e.base.label) if isinstance(e, Indexed) else e.func.__name__
    left, right = ("[", "]") if isinstance(e, Indexed) else ("(", ")")
    where = _named(e.indices if isinstance(e, Indexed) else e.args, point, env)
    return point.value(e, f"{name}{left}{where}{right}")


def _smooth(f: Expr, order: int, point: Point, env: Mapping[Symbol, Any]) -> acb:
    """A smooth unknown function, or its derivative: at each point a random cubic stands for it."""
    z, total = evaluate(f.args[0], point, env), acb(0)
    for k in range(order, 4):
        coefficient = to_ball(point.value(f, f"{f.func.__name__}, coefficient {k}"))
        total += coefficient * (factorial(k) // factorial(k - order)) * z ** (k - order)
    return total


def _named(arguments: Iterable[Expr], point: Point, env: Mapping[Symbol, Any]) -> str:
    keys = []
    for a in arguments:
        value = exact(a, point, env)
        if value is None and isinstance(a, Symbol):
            value = env[a] if a in env else point.value(a, a.name)
        ball = to_ball(value) if value is not None else evaluate(a, point, env)
        keys.append(point.argument(ball, "" if value is None else gaussian_text(value)))
    return ", ".join(keys)


def entries(e: Expr | MatrixBase) -> list[Expr]:
    """The entries of a matrix, or the scalar itself."""
    return list(e) if isinstance(e, MatrixBase) else [e]
