"""What a step gives as its reason: the rules under the names that a derivation writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, Function, Symbol

from ..prove.ideal import ONE
from ..terms.expression import expression, letter, span
from .calculus import Antiderivative, LimitBy, TwoJet
from .equalities import Finite, Follows, Identity, Induction
from .inequalities import Adding, Bound, Certified, Termwise

identity = Identity()
triangle = Bound("triangle inequality")
maximum = Bound("maximum taken out")
cauchy_schwarz = Bound("Cauchy–Schwarz")
exponential_tangent = Bound("exponential above its tangent")
sine_chord = Bound("sine below its argument")


def follows(*premises: Any, times: Expr = ONE) -> Follows:
    """Follows from earlier results: labels, or instances of them such as ``D.at("eq-a", n=m)``.

    >>> from posenc_lib.proofs import Derivation, eq, reals
    >>> x, y = reals("x y")
    >>> D = Derivation("follows")
    >>> D.constant(x, y)
    >>> hypothesis = D.assume("eq-h", x, y, "x equals y")
    >>> D.model(x, y)
    >>> D.prove("eq-s", x**2, eq(y**2, "squared", by=follows("eq-h"))).verdict.status
    'proved'
    """
    return Follows(premises, expression(times, "times"))


def termwise(premise: Any) -> Termwise:
    """An inequality proved for each index, added up: ``termwise(D.at("eq-each", j=2 * i))``.

    >>> from sympy import Abs, Sum
    >>> from posenc_lib.proofs import Derivation, complex_sequence, counts, le, naturals, triangle
    >>> a, b, i, N = complex_sequence("a"), complex_sequence("b"), naturals("i"), counts("N")
    >>> D = Derivation("termwise")
    >>> each = le(Abs(a[i]) + Abs(b[i]), "triangle inequality", by=triangle)
    >>> result = D.prove("eq-each", Abs(a[i] + b[i]), each)
    >>> row = le(Sum(each.right, (i, 1, N)), "added up", by=termwise("eq-each"))
    >>> D.prove("eq-all", Sum(Abs(a[i] + b[i]), (i, 1, N)), row).verdict.status
    'proved'
    """
    return Termwise(premise)


def antiderivative(function: Any) -> Antiderivative:
    """An integral by a function whose derivative is the integrand, smooth on the whole interval.

    >>> from sympy import Ci, Integral, cos, log
    >>> from posenc_lib.proofs import Derivation, eq, positives
    >>> x, b, t = positives("x b t")
    >>> closed = Ci(b * x) - Ci(x)
    >>> row = eq(closed, "Ci is an antiderivative of cos(t)/t", by=antiderivative(Ci(t)))
    >>> Derivation("integral").prove("eq-ci", Integral(cos(t) / t, (t, x, b * x)), row).verdict.method
    'antiderivative (fundamental theorem)'
    """
    return Antiderivative(expression(function))


def adding(weights: Mapping[Any, Any], rest: Any = 0) -> Adding:
    """Earlier inequalities times non-negative weights, added up, plus a non-negative rest.

    >>> from sympy import Abs, sin
    >>> from posenc_lib.proofs import Derivation, le, positives, sine_chord
    >>> x, r = positives("x r")
    >>> D = Derivation("adding")
    >>> chord = D.prove("eq-chord", Abs(sin(x)), le(x, "a chord is shorter than its arc", by=sine_chord))
    >>> row = le(r * x + r, "times r, and more", by=adding({"eq-chord": r}, rest=r))
    >>> D.prove("eq-more", r * Abs(sin(x)), row).verdict.status
    'proved'
    """
    factors = tuple((reference, expression(weight, "a weight")) for reference, weight in weights.items())
    return Adding(factors, expression(rest, "the rest"))


def limit_by(bound: Any, value: Any) -> LimitBy:
    """A limit, from an earlier result ``|f − value| ≤ error`` whose error tends to zero.

    >>> from sympy import Abs, Limit, oo
    >>> from posenc_lib.proofs import Derivation, eq, positives
    >>> x = positives("x")
    >>> D = Derivation("limit")
    >>> result = D.prove("eq-error", Abs(2 / x), eq(2 / x, "x is positive"))
    >>> row = eq(0, "the error vanishes", by=limit_by("eq-error", 0))
    >>> D.prove("eq-limit", Limit(2 / x, x, oo), row).verdict.status
    'proved'
    """
    return LimitBy(bound, expression(value, "the limit"))


def induction(over: Symbol, start: int = 0, using: Sequence[Any] = ()) -> Induction:
    """By induction on ``over``, from ``start``; ``using`` names results the step relies on.

    >>> from posenc_lib.proofs import Derivation, eq, naturals
    >>> from sympy import Sum
    >>> N, i = naturals("N i")
    >>> gauss = eq(N * (N + 1) / 2, "Gauss", by=induction(N))
    >>> Derivation("induction").prove("eq-gauss", Sum(i, (i, 0, N)), gauss).verdict.status
    'proved'
    """
    return Induction(letter(over, "over"), start, tuple(using))


def certified(*box: tuple[Symbol, Any, Any]) -> Certified:
    """At every point of a box: ``certified((x, 1, 100))``. Only strict inequalities can be certified.

    >>> from sympy import cos
    >>> from posenc_lib.proofs import Derivation, le, reals
    >>> x = reals("x")
    >>> row = le(1, "cosines", by=certified((x, 1, 2)))
    >>> Derivation("box").prove("eq-box", cos(x), row).verdict.status
    'proved'
    """
    ranges = (span(limits, "the box") for limits in box)
    return Certified(tuple(ranges))


def finite(over: Symbol, values: Sequence[int]) -> Finite:
    """Checked for each listed value of ``over`` only.

    >>> from posenc_lib.proofs import Derivation, eq, counts
    >>> from sympy import cos, pi
    >>> d = counts("d")
    >>> row = eq(1, "at these two", by=finite(d, [2, 4]))
    >>> Derivation("finite").prove("eq-even", cos(2 * pi * d), row).verdict.method
    'finite: d = 2, 4 only'
    """
    if not all(isinstance(value, int) for value in values):
        raise TypeError(f"values must be whole numbers, got {values}")
    return Finite(letter(over, "over"), tuple(values))


def two_jet(function: Function, small: Sequence[Symbol]) -> TwoJet:
    """To second order in ``small``, for a smooth unknown function.

    >>> from sympy import Derivative
    >>> from posenc_lib.proofs import Derivation, eq, real_function, reals
    >>> f, x, h = real_function("f"), *reals("x h")
    >>> taylor = f(x) + h * Derivative(f(x), x) + h**2 * Derivative(f(x), x, x) / 2
    >>> row = eq(taylor, "Taylor", by=two_jet(f, [h]))
    >>> Derivation("jet").prove("eq-jet", f(x + h), row).verdict.method
    'two-jet (general cubic germ)'
    """
    return TwoJet(function, tuple(letter(s, "a small quantity") for s in small))
