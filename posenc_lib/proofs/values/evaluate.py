"""Evaluate an expression in ball arithmetic at an exact point: the checker's second, independent path.

Nothing here uses SymPy's simplification or the normal form: the tree is walked and every node is computed
by python-flint with a rigorous error radius.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, reduce
from math import factorial
from typing import Any, TypeAlias

from flint import acb, arb
from sympy import (
    Abs,
    Add,
    Ci,
    Derivative,
    E,
    Ei,
    EulerGamma,
    Expr,
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
    pi,
    re,
    sec,
    sin,
    sinh,
    tan,
    tanh,
)  # fmt: skip
from sympy.core.function import AppliedUndef
from sympy.core.numbers import ImaginaryUnit

from ..terms.extrema import MaxOver
from ..terms.smoothness import analytic
from ..terms.symbols import is_smooth_unknown
from .counted import COUNTED, counted
from .exact import exact
from .point import NoValue, Point, gaussian_text, to_ball

Letters: TypeAlias = Mapping[Symbol, Any]  # bound letter → its value

BITS = 128
MOST = 4000  # values of an integrand: where it jumps, the ball stays wide
LONGEST = 400  # terms of a sum or a maximum that are evaluated
FINE, ROUGH = arb(2) ** -40, arb(2) ** -10  # accuracy asked of an integral: by quadrature, by bisection
PLAIN = {f: f.__name__ for f in (sin, cos, tan, cot, sec, csc, sinh, cosh, tanh, exp, log)}
PLAIN |= {Ci: "ci", Si: "si", Ei: "ei", erf: "erf", gamma: "gamma"}  # enclosed, not rewritten
CONSTANTS = {pi: arb.pi, E: lambda: arb(1).exp(), EulerGamma: arb.const_euler}


def evaluate(e: Expr, point: Point, env: Mapping[Symbol, Any] | None = None) -> acb:
    """The value of ``e`` at ``point`` as a ball that certainly contains it.

    Raises:
        TypeError: for anything but a scalar expression.
        ArithmeticError: where it has no value, or none that is known: a pole, an order of numbers that are
            not real.

    Example:
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
    if not e.args:
        return _evaluated(e, point, env)
    here = tuple(item for item in env.items() if item[0] in _letters(e))
    if any(isinstance(value, acb) for _, value in here):  # inside an integral, where no value comes twice
        return _evaluated(e, point, env)
    known = point.known.get((e, here))  # terms of a sum, and wrong versions of a statement, share most parts
    if known is None:
        known = point.known[e, here] = _evaluated(e, point, env)
    return known


@lru_cache(maxsize=8192)
def _letters(e: Expr) -> frozenset[Symbol]:
    """The free letters: asked once, not at every point."""
    return frozenset(e.free_symbols)


def _evaluated(e: Expr, point: Point, env: Letters) -> acb:
    value = exact(e, point, env)
    if value is not None:
        return to_ball(value)
    for kind in type(e).__mro__:
        if kind in BALLS:
            return BALLS[kind](e, point, env)
    raise NoValue(f"no evaluation rule for {type(e).__name__}")


def real(value: acb) -> arb:
    """The value of something that is compared: NoValue where it is not real."""
    if value.imag != 0:
        raise NoValue("a number that is not real cannot be compared")
    return value.real


def _sum(e: Expr, point: Point, env: Letters) -> acb:
    return sum((evaluate(a, point, env) for a in e.args), acb(0))


def _product(e: Expr, point: Point, env: Letters) -> acb:
    product = acb(1)
    for a in e.args:
        product *= evaluate(a, point, env)
    return product


def _power(e: Expr, point: Point, env: Letters) -> acb:
    base = evaluate(e.base, point, env)
    whole = exact(e.exp, point, env)
    if whole is not None and whole.denominator == 1:
        if whole < 0 and base.contains(0):
            raise NoValue(f"{e.base} vanishes here")
        return base ** int(whole)
    if e.exp == Rational(1, 2) and base.imag == 0 and base.real >= 0:
        return acb(base.real.sqrt())
    return base ** evaluate(e.exp, point, env)


def _flint(e: Expr, point: Point, env: Letters) -> acb:
    """A function that python-flint knows under its own name."""
    return getattr(evaluate(e.args[0], point, env), PLAIN[e.func])()


def _modulus(e: Expr, point: Point, env: Letters) -> acb:
    return acb(abs(evaluate(e.args[0], point, env)))


def _real_part(e: Expr, point: Point, env: Letters) -> acb:
    return acb(evaluate(e.args[0], point, env).real)


def _imaginary_part(e: Expr, point: Point, env: Letters) -> acb:
    return acb(evaluate(e.args[0], point, env).imag)


def _conjugate(e: Expr, point: Point, env: Letters) -> acb:
    return evaluate(e.args[0], point, env).conjugate()


def _largest(e: Expr, point: Point, env: Letters) -> acb:
    return acb(reduce(arb.max, [real(evaluate(a, point, env)) for a in e.args]))


def _smallest(e: Expr, point: Point, env: Letters) -> acb:
    return acb(reduce(arb.min, [real(evaluate(a, point, env)) for a in e.args]))


def _largest_over(e: MaxOver, point: Point, env: Letters) -> acb:
    index, lower, upper = e.limits[0]
    low, high = exact(lower, point, env), exact(upper, point, env)
    if low is None or high is None or not 0 <= high - low <= LONGEST:
        raise NoValue("the maximum of an empty, very long or unknown range")
    whole = range(int(low), int(high) + 1)
    return acb(reduce(arb.max, [real(evaluate(e.function, point, {**env, index: k})) for k in whole]))


def _derivative(e: Derivative, point: Point, env: Letters) -> acb:
    done = e.doit(deep=False)
    if not isinstance(done, Derivative):
        return evaluate(done, point, env)
    if is_smooth_unknown(e.expr) and set(e.variables) == set(e.expr.args):
        return _smooth(e.expr, len(e.variables), point, env)
    raise NoValue(f"no value for {e}")


def _constant(e: NumberSymbol, point: Point, env: Letters) -> acb:
    if e not in CONSTANTS:
        raise NoValue(f"no ball for the constant {e}")
    return acb(CONSTANTS[e]())


def _inexact(e: Number, point: Point, env: Letters) -> acb:
    raise NoValue(f"{e} is not exact")


def _iterated(e: Expr, point: Point, env: Letters) -> acb:
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


def _integral(e: Integral, point: Point, env: Letters) -> acb:
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
    return acb.integral(integrand, start, end, rel_tol=goal, abs_tol=goal, eval_limit=MOST)  # type: ignore[arg-type]


def _letter(e: Symbol, point: Point, env: Letters) -> acb:
    return to_ball(env[e] if e in env else point.value(e, e.name))


def _unknown(e: Expr, point: Point, env: Letters) -> acb:
    """The value of an unknown function, or the entry of a sequence: one for each distinct argument."""
    if is_smooth_unknown(e):
        return _smooth(e, 0, point, env)
    name = str(e.base.label) if isinstance(e, Indexed) else e.func.__name__
    left, right = ("[", "]") if isinstance(e, Indexed) else ("(", ")")
    where = _named(e.indices if isinstance(e, Indexed) else e.args, point, env)
    return to_ball(point.value(e, f"{name}{left}{where}{right}"))


def _smooth(f: Expr, order: int, point: Point, env: Letters) -> acb:
    """A smooth unknown function, or its derivative: at each point a random cubic stands for it."""
    z, total = evaluate(f.args[0], point, env), acb(0)
    for k in range(order, 4):
        coefficient = to_ball(point.value(f, f"{f.func.__name__}, coefficient {k}"))
        total += coefficient * (factorial(k) // factorial(k - order)) * z ** (k - order)
    return total


def _named(arguments: Iterable[Expr], point: Point, env: Letters) -> str:
    keys = []
    for a in arguments:
        value = exact(a, point, env)
        if value is None and isinstance(a, Symbol):
            value = env[a] if a in env else point.value(a, a.name)
        ball = to_ball(value) if value is not None else evaluate(a, point, env)
        keys.append(point.argument(ball, "" if value is None else gaussian_text(value)))
    return ", ".join(keys)


BALLS: dict[type, Callable[[Any, Point, Letters], acb]] = {
    Add: _sum,
    Mul: _product,
    Pow: _power,
    **dict.fromkeys(PLAIN, _flint),
    **dict.fromkeys(COUNTED, counted),
    Abs: _modulus,
    re: _real_part,
    im: _imaginary_part,
    conjugate: _conjugate,
    Max: _largest,
    Min: _smallest,
    MaxOver: _largest_over,
    **dict.fromkeys((Sum, Product), _iterated),
    Integral: _integral,
    Derivative: _derivative,
    Symbol: _letter,
    **dict.fromkeys((AppliedUndef, Indexed), _unknown),
    ImaginaryUnit: lambda e, point, env: acb(0, 1),
    NumberSymbol: _constant,
    Number: _inexact,
}  # how each kind of expression gets its value; one that is not here has none
