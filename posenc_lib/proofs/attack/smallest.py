"""The smallest point at which a statement fails: found at random, then made simpler value by value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from sympy import Add, Basic, Expr, I, Indexed, Mul, Symbol, cos, exp, expand_mul, sin
from sympy.core.function import AppliedUndef

from ..terms.statement import Statement
from ..terms.verdict import Counterexample
from ..values.point import Point, Turn, Value, simplest

Failing = Callable[[Point], Counterexample | None]

ANGLES = (Turn(Fraction(1)), Turn(Fraction(2)))  # π/2 and π, where cosines and sines are whole numbers
PASSES = 2


def smallest(fails: Failing, statement: Statement, at: Iterable[Point]) -> Counterexample | None:
    """A certified point at which a statement fails, with values as simple as can be; None if none is found.

    Args:
        fails: the failure at a point, certified there, or None
        statement: what is asked; its angles are also tried at π/2 and π
        at: where the search starts

    Example:
        >>> from sympy import cos
        >>> from posenc_lib.proofs import Statement, integers, reals
        >>> from posenc_lib.proofs.attack.refute import counterexample, points
        >>> m, n, theta = *integers("m n"), reals("theta")
        >>> wrong = Statement(cos((m - n) * theta), "=", cos(m * theta))
        >>> print(smallest(lambda point: counterexample(*wrong, [point]), wrong, points()))
        at m = 0, n = 1, θ = π/2: left side 0, right side 1
    """
    for point in at:
        if found := fails(point):
            turning = angles(statement.left) | angles(statement.right)
            for _ in range(PASSES):
                simpler = _simpler(fails, point, found, turning)
                if simpler[0] is point:
                    break
                point, found = simpler
            return found
    return None


def _simpler(
    fails: Failing, point: Point, found: Counterexample, turning: frozenset[str]
) -> tuple[Point, Counterexample]:
    """One letter after the other is given the first value with which the statement still fails."""
    for key in sorted(point.values, key=_order):
        if key not in point.values:  # a shorter sum needs fewer entries
            continue
        atom, present = point.values[key]
        for value in _tried(atom, turning):
            if value == present:
                break
            known = {name: value for name, (_, value) in point.values.items()} | {key: value}
            other = Point(point.seed, point.style, known_as=known)
            if failure := fails(other):
                point, found = other, failure
                break
    return point, found


def _order(key: str) -> tuple[bool, str]:
    """Letters first: lengths of sums are among them."""
    return "[" in key or "(" in key, key


def _tried(atom: Expr, turning: frozenset[str]) -> list[Value]:
    values = simplest(atom)
    if head(atom) not in turning:
        return values
    zero = [value for value in values[:1] if value == 0]
    return [*zero, *ANGLES, *values[len(zero) :]]


def head(atom: Expr) -> str:
    """The name of a letter, of an entry's sequence, of a function's value."""
    if isinstance(atom, Indexed):
        return str(atom.base.label)
    return atom.func.__name__ if isinstance(atom, AppliedUndef) else str(atom)


def angles(e: Basic) -> frozenset[str]:
    """The names of what is an angle, or a factor of one: real, and no whole number.

    Example:
        >>> from sympy import sin
        >>> from posenc_lib.proofs import integers, reals
        >>> m, theta, b = integers("m"), *reals("theta b")
        >>> sorted(angles(b * sin(m * theta)))
        ['theta']
    """
    inside = {node.args[0] for node in e.atoms(sin, cos)}
    turns = [term for node in e.atoms(exp) for term in Add.make_args(expand_mul(node.args[0])) if term.has(I)]
    inside |= {term / I for term in turns}
    return frozenset(head(factor) for angle in inside for factor in _factors(angle))


def _factors(angle: Expr) -> Iterable[Expr]:
    if isinstance(angle, (Add, Mul)):
        for part in angle.args:
            yield from _factors(part)
    elif isinstance(angle, (Symbol, Indexed, AppliedUndef)) and angle.is_real and not angle.is_integer:
        yield angle
