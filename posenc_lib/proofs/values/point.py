"""Exact points of a domain: where statements are evaluated, and where false ones fail."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

from flint import acb, arb, fmpq
from sympy import Expr, Indexed, Symbol
from sympy.core.function import AppliedUndef

from ..terms.domains import domain_of, pretty_name

Value: TypeAlias = Any  # Fraction | tuple[Fraction, Fraction] | Turn | acb: flint has no types


@dataclass(frozen=True)
class Turn:
    """A rational multiple of π, as a value of an angle: as exact as a rational number."""

    halves: Fraction


class NoValue(ArithmeticError):
    """The expression has no value at this point (a pole, an empty maximum) or no rule here."""


def _require_exact(atom: Expr, value: Any) -> None:
    parts = value if isinstance(value, tuple) and len(value) == 2 else (value,)
    if not isinstance(value, (Turn, acb)) and not all(isinstance(part, Rational) for part in parts):
        raise TypeError(
            f"the value of {atom} must be a rational number, a pair of them for a complex one, a Turn or a "
            f"ball, got {value!r}"
        )


def to_ball(value: Value) -> acb:
    """An exact rational or Gaussian rational as a ball; a ball, standing for a whole interval, as itself."""
    if isinstance(value, acb):
        return value
    if isinstance(value, tuple):
        return acb(arb(_fmpq(value[0])), arb(_fmpq(value[1])))
    if isinstance(value, Turn):
        return acb(arb.pi() * _fmpq(value.halves) / 2)
    return acb(arb(_fmpq(value)))


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


CORNERS = {"zero": 0, "one": 1, "large": 11}


class Point:
    """An assignment of exact values, drawn at random from each symbol's own domain on first use.

    Unknown functions and sequences get one random value for each distinct argument, so that
    ``f(m - n)`` and ``f(-n + m)`` agree. ``known_as`` has values of letters, entries and function values by
    their names, "m", "h[0]", "f(1)"; the others are drawn.
    """

    def __init__(
        self,
        seed: int,
        style: str = "random",
        given: Mapping[Expr, Value] | None = None,
        known_as: Mapping[str, Value] | None = None,
    ) -> None:
        self.seed = seed
        self.style = style
        self.known_as = known_as or {}
        self.values: dict[str, tuple[Expr, Value]] = {}
        self.known: dict[tuple[Expr, tuple[tuple[Symbol, Value], ...]], acb] = {}  # and bound letters
        self.arguments: list[tuple[acb, str]] = []
        self.names: dict[str, str] = {}  # of the exact ones among them
        if not isinstance(given, Mapping | None):
            raise TypeError(f"given must be a mapping from letters to values, got {given!r}")
        for atom, value in (given or {}).items():
            _require_exact(atom, value)
            self.values[str(atom)] = (atom, value)

    def value(self, atom: Expr, key: str) -> Value:
        if key not in self.values:
            self.values[key] = (atom, self.known_as[key] if key in self.known_as else self._draw(atom, key))
        return self.values[key][1]

    def argument(self, ball: acb, text: str) -> str:
        """One name for all arguments that may be equal: a ball that overlaps an earlier one takes its name.

        Raises:
            ArithmeticError: if the ball overlaps two earlier ones, or nothing is known of it.
        """
        if text in self.names:
            return self.names[text]
        if not ball.is_finite():
            raise NoValue("the argument of an unknown function has no value here")
        names = {name for known, name in self.arguments if known.overlaps(ball)}
        if len(names) > 1:
            raise NoValue("the argument of an unknown function may be one of several")
        name = names.pop() if names else text or str(ball)
        self.arguments.append((ball, name))
        if text:
            self.names[text] = name
        return name

    def _draw(self, atom: Expr, key: str) -> Value:
        constant_family = self.style == "constant" and isinstance(atom, (Indexed, AppliedUndef))
        family = key.split("[")[0].split("(")[0] if constant_family else key
        rng = random.Random(zlib.crc32(f"{self.seed} {family}".encode()))
        if self.style in CORNERS and isinstance(atom, Symbol):
            return _corner(atom, CORNERS[self.style] + (rng.randint(0, 2) if self.style == "large" else 0))
        if self.style == "small":
            return rng.choice(simplest(atom)[:5])
        if atom.is_integer:
            low = 1 if atom.is_positive else 0 if atom.is_nonnegative else -4
            value = Fraction(rng.randint(low, 5))
            return 2 * value if atom.is_even else value
        domain_of(atom)
        if not atom.is_extended_real:
            return _rational(rng), _rational(rng)
        return abs(_rational(rng)) if atom.is_nonnegative else _rational(rng)

    def described(self) -> tuple[tuple[str, str], ...]:
        return tuple(
            (pretty_name(key), gaussian_text(value)) for key, (_, value) in sorted(self.values.items())
        )


WHOLE = tuple(map(Fraction, (0, 1, 2, -1, 3, -2, 4)))
REAL = tuple(map(Fraction, ("0", "1", "2", "-1", "1/2", "3")))
COMPLEX = tuple((Fraction(a), Fraction(b)) for a, b in ((0, 0), (1, 0), (0, 1), (-1, 0), (2, 0), (1, 1)))


def simplest(atom: Expr) -> list[Value]:
    """Values of a letter, an entry or a function that a person would try first, in this order.

    Example:
        >>> from posenc_lib.proofs import evens
        >>> [int(value) for value in simplest(evens("d"))]
        [2, 4]
    """
    domain_of(atom)
    if not atom.is_extended_real:
        return list(COMPLEX)
    values = WHOLE if atom.is_integer else REAL
    least = 0 if atom.is_nonnegative else -9
    whole = [v for v in values if v >= least and not (atom.is_positive and v == 0)]
    return [v for v in whole if v % 2 == 0] if atom.is_even else whole


def _corner(atom: Symbol, value: int) -> Value:
    """A value that slips hide from: 0 or the least one, 1, a large one; next to 0 where there is no least."""
    if atom.is_even:
        return Fraction(2 * (max(value, 1) if atom.is_positive else value))
    if atom.is_positive and value == 0:
        return Fraction(1) if atom.is_integer else Fraction(1, 16)
    return Fraction(value) if atom.is_extended_real else (Fraction(value), Fraction(0))


def _rational(rng: random.Random) -> Fraction:
    return Fraction(rng.choice([-1, 1]) * rng.randint(1, 17), rng.randint(2, 9))


def gaussian_text(value: Value) -> str:
    """A rational or Gaussian rational as people write it."""
    if isinstance(value, tuple):
        return f"{value[0]} {'-' if value[1] < 0 else '+'} {abs(value[1])}i"
    if isinstance(value, Turn):
        top, bottom = (value.halves / 2).as_integer_ratio()
        return f"{'' if top == 1 else top}π" + (f"/{bottom}" if bottom > 1 else "")
    return str(value)
