"""The one gate through which expressions enter; a string is refused, never evaluated."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sympy import Basic, Expr, Symbol, SympifyError, Tuple, sympify
from sympy.matrices import MatrixBase


def expression(value: Any, what: str = "an expression") -> Any:
    """``value`` as a SymPy expression or matrix.

    Raises:
        TypeError: for a string, a list, and anything else that is neither a number, nor an expression, nor a
            matrix.

    Example:
        >>> expression(2) / 3
        2/3
        >>> expression("2/3")
        Traceback (most recent call last):
            ...
        TypeError: an expression must be a number, a SymPy expression or a matrix, got '2/3' (str)
    """
    if not isinstance(value, (Basic, MatrixBase, str, bool)):
        with suppress(SympifyError):
            value = sympify(value, strict=True)
    if isinstance(value, MatrixBase):
        return value.as_immutable()
    if isinstance(value, Expr):
        return value
    kind = type(value).__name__
    raise TypeError(f"{what} must be a number, a SymPy expression or a matrix, got {value!r} ({kind})")


def letter(value: Any, what: str) -> Symbol:
    """``value`` if it is a letter; a TypeError otherwise."""
    if isinstance(value, Symbol):
        return value
    raise TypeError(f"{what} must be a letter, got {value!r} ({type(value).__name__})")


def several(values: Any, what: str) -> tuple[Any, ...]:
    """``values`` if they are a list or a tuple; a TypeError otherwise."""
    if isinstance(values, (tuple, list)):
        return tuple(values)
    raise TypeError(f"{what} must be a list or a tuple, got {values!r} ({type(values).__name__})")


def span(limits: Any, what: str) -> tuple[Symbol, Any, Any]:
    """A range (letter, first, last); a TypeError for anything else."""
    if not isinstance(limits, (tuple, list, Tuple)) or len(limits) != 3:
        raise TypeError(f"{what} runs over (letter, first, last), got {limits!r}")
    index, first, last = limits
    return letter(index, what), expression(first, what), expression(last, what)


def entries(e: Expr | MatrixBase) -> list[Expr]:
    """The entries of a matrix, or the scalar itself."""
    return list(e) if isinstance(e, MatrixBase) else [e]
