"""The one place where something is put for a letter or for a part of an expression.

No bound letter captures what is put in, and the value is the same: SymPy evaluates what it builds (1.14 takes
e/6 for an integer if e is even, and sin(πe/6) for 0), so the result is compared with the original in ball
arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flint import acb, ctx
from sympy import Add, Basic, Derivative, Dummy, Indexed, Limit, Mul, Pow, Subs, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.matrices import MatrixBase

from ..terms.binders import BINDERS, limits
from ..terms.statement import Statement
from ..terms.verdict import ProofError
from .evaluate import BITS, evaluate
from .exact import exact
from .point import NoValue, Point

SCOPED = (*BINDERS, Limit, Derivative)
PLAIN = (Add, Mul, Indexed, AppliedUndef)  # of these SymPy evaluates only arithmetic


def replaced(e: Any, parts: Mapping[Any, Any]) -> Any:
    """``e`` with whole parts replaced where they stand: names by meanings, equals by equals, stand-ins."""
    return e.xreplace(dict(parts))


def substitute(e: Any, values: Mapping[Any, Any]) -> Any:
    """``e`` with values for some free letters, all at once.

    Raises:
        ProofError: if SymPy evaluates the result to something with another value.

    Example:
        >>> from sympy import Sum
        >>> from posenc_lib.proofs import naturals, reals
        >>> i, j, x = *naturals("i j"), reals("x")
        >>> substitute(Sum(x * i, (i, 0, 3)), {x: i}).doit()
        6*i
    """
    if isinstance(e, MatrixBase):
        return e.applyfunc(lambda entry: substitute(entry, values)).as_immutable()
    if isinstance(e, Relational):  # a condition: each of its sides
        return e.func(*(substitute(side, values) for side in e.args))
    values = {letter: value for letter, value in values.items() if letter != value}
    if not values.keys() & e.free_symbols:
        return e
    result = _put(e, values)
    if not _keeps_value(e, values):
        _confirm(e, values, result)
    return result


def put_into(statement: Statement, values: Mapping[Any, Any]) -> Statement:
    """A statement with values for some letters, in both sides and in its conditions."""
    left, right, *where = (
        substitute(part, values) for part in (statement.left, statement.right, *statement.where)
    )
    return Statement(left, statement.relation, right, tuple(where))


def _put(e: Any, values: Mapping[Any, Any]) -> Any:
    if isinstance(e, MatrixBase):
        return e.applyfunc(lambda entry: _put(entry, values)).as_immutable()
    if e in values:
        return values[e]
    free = e.free_symbols
    values = {letter: value for letter, value in values.items() if letter in free}
    if not values:
        return e
    if isinstance(e, Indexed):  # the name of a sequence is no letter
        return e.base[tuple(_put(index, values) for index in e.indices)]
    if isinstance(e, Limit):
        return _into_limit(e, values)
    if isinstance(e, Derivative):
        return _into_derivative(e, values)
    if isinstance(e, BINDERS):
        return _into_binder(e, values)
    return e.func(*(_put(part, values) for part in e.args))


def _taken(values: Mapping[Any, Any]) -> set[Basic]:
    return set(values).union(*(value.free_symbols for value in values.values()))


def _fresh(letter: Symbol) -> Dummy:
    return Dummy(letter.name, **letter.assumptions0)


def _into_binder(e: Any, values: Mapping[Any, Any]) -> Any:
    """Letters that would capture, or that are bound here, get a name of their own first."""
    function, ranges, taken = e.args[0], limits(e), _taken(values)
    for place, (letter, *ends) in enumerate(ranges):
        if letter in taken:
            own = {letter: _fresh(letter)}
            function = _put(function, own)
            ranges[:place] = [(other, *(_put(end, own) for end in two)) for other, *two in ranges[:place]]
            ranges[place] = (own[letter], *ends)
    ranges = [(letter, *(_put(end, values) for end in ends)) for letter, *ends in ranges]
    return e.func(_put(function, values), *ranges)


def _into_limit(e: Limit, values: Mapping[Any, Any]) -> Limit:
    function, letter, target, direction = e.args
    if letter in _taken(values):
        own = _fresh(letter)
        function, letter = _put(function, {letter: own}), own
    return Limit(_put(function, values), letter, _put(target, values), direction)


def _into_derivative(e: Derivative, values: Mapping[Any, Any]) -> Any:
    """The letters of the derivative stand for themselves inside, and for their values outside."""
    letters = list(dict.fromkeys(e.variables))
    if not set(letters) & _taken(values):
        return e.func(_put(e.expr, values), *e.variable_count)
    done = e.doit(deep=False)
    if not isinstance(done, Derivative):
        return _put(done, values)
    own = {letter: _fresh(letter) for letter in letters}
    inside = _put(_put(e.expr, own), values)
    outside = {own[letter]: values.get(letter, letter) for letter in letters}
    plain = all(value.is_Symbol and value not in inside.free_symbols for value in outside.values())
    if plain and len(set(outside.values())) == len(outside):
        inside, own = _put(inside, outside), {letter: outside[own[letter]] for letter in letters}
        return Derivative(inside, *((own[letter], count) for letter, count in e.variable_count))
    derivative = Derivative(inside, *((own[letter], count) for letter, count in e.variable_count))
    return Subs(derivative, tuple(outside), tuple(outside.values()))


def _keeps_value(e: Any, values: Mapping[Any, Any]) -> bool:
    """Whether SymPy has nothing to evaluate: new names of the same kind, or sums, products, whole powers."""
    if all(value.is_Symbol and value.assumptions0 == letter.assumptions0 for letter, value in values.items()):
        return True
    return _arithmetic(e)


@lru_cache(maxsize=8192)
def _arithmetic(e: Any) -> bool:
    if isinstance(e, Pow):
        return e.exp.is_Integer and _arithmetic(e.base)
    return e.is_Atom or (isinstance(e, PLAIN) and all(map(_arithmetic, e.args)))


def _confirm(e: Any, values: Mapping[Any, Any], result: Any) -> None:
    """Value of the result = value of the original with each letter set to its value, at some points."""
    for style in ("random", "zero", "large"):
        pair = _pair(e, values, result, Point(0, style))
        if pair is not None and not (pair[0] - pair[1]).contains(0):
            put = ", ".join(f"{letter} := {value}" for letter, value in values.items())
            raise ProofError(f"{e} with {put} is not {result}, to which SymPy evaluates it")


def _pair(e: Any, values: Mapping[Any, Any], result: Any, point: Point) -> tuple[acb, acb] | None:
    with ctx.workprec(BITS):
        try:
            env = {letter: _value(value, point) for letter, value in values.items()}
            pair = evaluate(e, point, env), evaluate(result, point)
        except (NoValue, ZeroDivisionError, ValueError):
            return None
    return pair if all(value.is_finite() for value in pair) else None


def _value(value: Any, point: Point) -> Any:
    """An exact value stays exact: a range or an exponent may need it."""
    known = exact(value, point, {})
    return evaluate(value, point) if known is None else known
