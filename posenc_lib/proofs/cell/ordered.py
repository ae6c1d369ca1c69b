"""An expression beside its term, which keeps the order that the author wrote."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

import sympy
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..kernel.terms import Refused, Term, fun, mul, num, power
from ..search.notation import Outside
from ..search.read import term


class Read(NamedTuple):
    """An expression and its term; None where the kernel has none."""

    expression: Any
    term: Term | None


def whole(e: Any) -> Read:
    try:
        return Read(e, None if isinstance(e, (MatrixBase, MatrixExpr)) else term(e))
    except Outside:
        return Read(e, None)


def built(make: Callable[..., Term], *parts: Read) -> Term | None:
    """The term made of the parts', if all have one and the kernel takes it."""
    if any(part.term is None for part in parts):
        return None
    try:
        return make(*(part.term for part in parts))
    except (Outside, Refused):
        return None


def before(node: ast.expr, operators: tuple[type, ...], read: Read, head: str) -> tuple[Term, ...]:
    """What stands before the sign: a sum or product goes on, anything else is its first part."""
    if read.term is None:
        return ()
    goes_on = isinstance(node, ast.BinOp) and isinstance(node.op, operators) and read.term.head == head
    return read.term.args if goes_on else (read.term,)


def divided(front: tuple[Term, ...], divisor: Term) -> Term:
    numbers = [t.data[0] for t in (*front, divisor) if t.head == "num" and not t.data[1]]
    if len(front) == 1 and len(numbers) == 2:
        return num(numbers[0] / numbers[1])
    return mul(*front, fun("inv", divisor))


def raised(a: Read, b: Read, base: Term, exponent: Term) -> Term:
    """As ``search.read`` takes a power: whole ones, roots, exponentials, e^(i pi n), any other."""
    e = b.expression
    if e.is_Integer:
        whole = base if abs(e) == 1 else power(base, int(abs(e)))
        return whole if e >= 0 else fun("inv", whole)
    if a.expression == sympy.E:
        return fun("exp", exponent)
    if abs(e) == sympy.Rational(1, 2):
        return fun("sqrt", base) if e > 0 else fun("inv", fun("sqrt", base))
    if a.expression == -1 and e.is_integer:
        return term(a.expression**e) if not e.is_number else fun("exp", mul(num(0, 1), fun("pi"), exponent))
    return fun("pow", base, exponent)


def head_of(made: Any) -> tuple[str, str]:
    """The name and the domain of a value of a function, as ``search.read`` takes it."""
    t = term(made)
    return t.data[0], t.data[1]
