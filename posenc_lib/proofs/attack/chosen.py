"""A point that the author chooses: where a false statement fails, certified at exactly that point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from flint import ctx
from sympy import Basic, Expr, Float, Indexed, Symbol
from sympy.core.function import AppliedUndef

from ..terms.any_size import size_of
from ..terms.domains import free_atoms, pretty_name
from ..terms.expression import entries, expression
from ..terms.statement import Statement
from ..terms.undefined import require_domain
from ..terms.verdict import Counterexample
from ..values.evaluate import BITS, evaluate
from ..values.point import NoValue, Point, Value
from .refute import certainly_fails, short


def failure_at(label: str, statement: Statement, at: Mapping[Any, Any]) -> Counterexample:
    """The failure of a statement at a chosen point: a value for every letter that it needs there.

    Raises:
        TypeError: if the point is no mapping, or a value is not a number.
        ValueError: if the point gives a value to what does not occur or leaves something open, a value is not
            exact or lies outside its domain, a side has no value there, or the statement does not certainly
            fail there.
    """
    if size_of(statement.left, statement.right) is not None:
        raise ValueError(f"{label}: of matrices of any size a point is searched for, it cannot be given")
    if not isinstance(at, Mapping):
        raise TypeError(f"{label}: at must be a mapping from letters to values, such as {{m: 2}}, got {at!r}")
    atoms = free_atoms(statement.left, statement.right)
    heads = {_head(atom): str(atom) for atom in atoms}
    given = {}
    for letter, number in at.items():
        if not isinstance(letter, Expr) or _head(letter) not in heads:
            there = ", ".join(sorted(heads.values())) or "no letters"
            raise ValueError(f"{label}: {letter} does not occur here; there are {there}")
        given[letter] = _exact(label, letter, number)
    _require_nothing_open(label, [atom for atom in atoms if isinstance(atom, Symbol)], given)
    shown = tuple((pretty_name(str(letter)), _text(expression(at[letter]))) for letter in at)
    where = "at " + (", ".join(f"{name} = {value}" for name, value in shown) or "(no free symbols)")
    point, failure = Point(0, given=given), None
    with ctx.workprec(BITS):
        for left, right in zip(entries(statement.left), entries(statement.right), strict=True):
            try:
                a, b = evaluate(left, point), evaluate(right, point)
            except (NoValue, ZeroDivisionError) as problem:
                raise ValueError(f"{label}: a side has no value {where}: {problem}") from None
            if failure is None and certainly_fails(a, statement.relation, b):
                failure = Counterexample(shown, short(a), short(b))
    _require_nothing_open(label, point.values, given)
    if failure is None:
        sides = f"{statement.left} {statement.relation} {statement.right}"
        raise ValueError(f"{label}: {sides} does not certainly fail {where}")
    return failure


def _head(atom: Expr) -> Basic:
    """What a letter, an entry or a value of a function belongs to."""
    if isinstance(atom, Indexed):
        return atom.base
    return atom.func if isinstance(atom, AppliedUndef) else atom


def _require_nothing_open(label: str, needed: Iterable[Any], given: Mapping[Expr, Value]) -> None:
    if missing := sorted(set(map(str, needed)) - set(map(str, given))):
        raise ValueError(f"{label}: the point leaves {', '.join(missing)} open: give a value to each")


def _exact(label: str, letter: Expr, number: Any) -> Value:
    """The value of a letter: a fraction or a pair of them where it is one, a ball around it otherwise."""
    value = expression(number, f"{label}: the value of {letter}")
    if not isinstance(value, Expr) or value.free_symbols or not value.is_number:
        raise TypeError(f"{label}: the value of {letter} must be a number, got {value}")
    for inexact in value.atoms(Float):
        raise ValueError(f"{label}: the floating-point number {inexact} is not exact: write a Rational")
    require_domain(letter, value)
    real, imag = value.as_real_imag()
    if real.is_Rational and imag.is_Rational:
        parts = tuple(Fraction(int(part.p), int(part.q)) for part in (real, imag))
        return parts[0] if letter.is_extended_real else parts
    try:
        return evaluate(value, Point(0))
    except (NoValue, ZeroDivisionError) as problem:
        raise ValueError(f"{label}: {number} for {letter} has no value here: {problem}") from None


def _text(value: Expr) -> str:
    """A number as people write it: π/2 and 1 + 2i."""
    return str(value).replace("pi", "π").replace("*I", "i").replace("I", "i").replace("*", " ")
