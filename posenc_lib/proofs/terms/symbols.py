"""Symbols, sequences and functions with a domain: the letters that a derivation is written in."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Function, IndexedBase, Symbol
from sympy.core.function import UndefinedFunction as FunctionClass


def listed(names: Any) -> list[str]:
    """The names in a string such as "a b" or "a, b"; none begins with a digit.

    Raises:
        TypeError, ValueError: for what is no string, holds no name, or a name that begins otherwise.
    """
    if not isinstance(names, str):
        raise TypeError(f"names must be a string such as 'a b', got {names!r} ({type(names).__name__})")
    found = names.replace(",", " ").split()
    if not found:
        raise ValueError(f"names must hold one name or more, such as 'a b', got {names!r}")
    for name in found:
        if name[0].isdigit():
            raise ValueError(f"a name must not begin with a digit, got {name!r} in {names!r}")
    return found


def _make(names: str, **assumptions: bool) -> Any:
    made = tuple(Symbol(name, **assumptions) for name in listed(names))
    return made[0] if len(made) == 1 else made


def _one(name: Any) -> str:
    found = listed(name)
    if len(found) > 1:
        raise ValueError(f"name must be one name, got {name!r}")
    return found[0]


def integers(names: str) -> Any:
    """Integer symbols, such as positions: ``m, n = integers("m n")``.

    Example:
        >>> m, n = integers("m n")
        >>> (m - n).is_integer
        True
    """
    return _make(names, integer=True)


def evens(names: str) -> Any:
    """Even positive integers, such as the width of a head; they may be halved, but not divided by 3.

    Example:
        >>> (evens("d") / 2).is_integer
        True
    """
    return _make(names, even=True, positive=True)


def naturals(names: str) -> Any:
    """Symbols in {0, 1, 2, …}, such as the length of a sum.

    Example:
        >>> naturals("N").is_nonnegative
        True
    """
    return _make(names, integer=True, nonnegative=True)


def counts(names: str) -> Any:
    """Symbols in {1, 2, 3, …}, such as the number of planes.

    Example:
        >>> counts("d").is_positive
        True
    """
    return _make(names, integer=True, positive=True)


def reals(names: str) -> Any:
    """Real symbols, such as angles.

    Example:
        >>> reals("theta").is_real
        True
    """
    return _make(names, real=True)


def positives(names: str) -> Any:
    """Positive real symbols, such as a base or a modulus.

    Example:
        >>> positives("b").is_positive
        True
    """
    return _make(names, positive=True)


def complexes(names: str) -> Any:
    """Complex symbols, such as a plane of a query read as one number.

    Example:
        >>> q, k = complexes("q k")
        >>> print(q.is_complex, q.is_real)
        True None
    """
    return _make(names, complex=True)


def real_sequence(name: str) -> IndexedBase:
    """A real sequence: ``theta = real_sequence("theta")``, used as ``theta[i]``.

    Example:
        >>> real_sequence("theta")[integers("i")].is_real
        True
    """
    return IndexedBase(_one(name), real=True)


def complex_sequence(name: str) -> IndexedBase:
    """A complex sequence.

    Example:
        >>> complex_sequence("h")[0].is_complex
        True
    """
    return IndexedBase(_one(name), complex=True)


def real_function(name: str) -> FunctionClass:
    """An arbitrary real-valued function (no smoothness is assumed).

    Example:
        >>> real_function("g")(integers("m")).is_real
        True
    """
    return Function(_one(name), real=True)


def positive_function(name: str) -> FunctionClass:
    """An arbitrary positive function.

    Example:
        >>> positive_function("r")(integers("m")).is_positive
        True
    """
    return Function(_one(name), positive=True)


class SmoothFunction(FunctionClass):
    """The class of unknown functions that are declared infinitely differentiable."""


def smooth_function(name: str) -> FunctionClass:
    """An arbitrary infinitely differentiable real function; its derivatives are further unknowns.

    Example:
        >>> h, t = smooth_function("h"), reals("t")
        >>> h(t).diff(t)
        Derivative(h(t), t)
    """
    return SmoothFunction(_one(name), real=True)


def is_smooth_unknown(e: Basic) -> bool:
    """Whether ``e`` is a smooth unknown function of one argument."""
    return isinstance(e.func, SmoothFunction) and len(e.args) == 1


def complex_function(name: str) -> FunctionClass:
    """An arbitrary complex-valued function.

    Example:
        >>> complex_function("f")(integers("m")).is_complex
        True
    """
    return Function(_one(name), complex=True)
