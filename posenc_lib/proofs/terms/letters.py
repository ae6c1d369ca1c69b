"""Letters: one domain for each name, ranges inside it, and none both bound and free in one statement."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Derivative, Indexed, Integral, Mul, Product, Symbol, oo
from sympy.core.function import AppliedUndef

from .binders import BINDERS, bound_letters, limits
from .domains import domain_of, free_atoms


def require_one_role(*sides: Basic) -> None:
    """Refuse a letter that is both bound and free: nobody could tell which one is meant.

    Raises:
        ValueError: naming the letter.
    """
    free: set[Basic] = set().union(*(side.free_symbols for side in sides))
    for letter in sorted(bound_letters(*sides) & free, key=str):
        raise ValueError(f"{letter} is both bound and free here: rename one of the two")


def require_ranges(*sides: Basic) -> None:
    """Refuse a range that leaves the domain of its letter.

    Raises:
        ValueError: naming the letter and the bound.
    """
    for side in sides:
        for binder in sorted(side.atoms(*BINDERS), key=str):
            letters = [limit[0] for limit in limits(binder)]
            if len(set(letters)) != len(letters):
                raise ValueError(f"{binder} runs over one letter twice: rename one of the two")
            if {entry.base.label for entry in binder.atoms(Indexed)} & set(letters):
                raise ValueError(
                    f"{binder} runs over a letter that is also a sequence: rename one of the two"
                )
            if isinstance(binder, Product) and binder.function.is_zero:  # SymPy 1.14 calls every such zero
                raise ValueError(f"{binder} is 0 or, where it is empty, 1: write the case that is meant")
            for limit in limits(binder):
                if len(limit) != 3:
                    raise ValueError(f"{binder} needs a first and a last value for {limit[0]}")
                _require_range(*limit, ends=2 if isinstance(binder, Integral) else 1)


def _require_range(letter: Symbol, low: Basic, high: Basic, ends: int) -> None:
    if letter.is_even:
        raise ValueError(f"a range runs through all integers, but {letter} is even: use another letter")
    if low.has(oo, -oo) or high.has(oo, -oo):
        raise ValueError(f"the range from {low} to {high} has no end: a limit is a statement of its own")
    for bound in (low, high)[:ends]:
        for question in ("is_nonnegative", "is_positive"):
            if getattr(letter, question) and not getattr(bound, question):
                raise ValueError(f"the range from {low} to {high} leaves the domain of {letter}")


def require_derivatives(*sides: Basic) -> None:
    """Refuse a derivative by a letter that is not real: what holds for integers says nothing between them.

    Raises:
        ValueError: naming the derivative.
    """
    for derivative in sorted(set().union(*(side.atoms(Derivative) for side in sides)), key=str):
        for letter in derivative.variables:
            if letter.is_integer or not letter.is_real:
                raise ValueError(f"{derivative} is a derivative by {letter}, which is not a real letter")


def require_names(*sides: Basic) -> None:
    """Refuse one name for two letters.

    Raises:
        ValueError: naming the letter.
    """
    seen: dict[tuple[bool, str], str] = {}
    for atom in free_atoms(*sides, distinct=True):
        key = (isinstance(atom, Symbol), str(atom) if isinstance(atom, Symbol) else _head(atom))
        domain = domain_of(atom)
        if seen.setdefault(key, domain) != domain:
            raise ValueError(f"{key[1]} stands for two letters, with domains {seen[key]} and {domain}")


def _head(atom: Any) -> str:
    return atom.func.__name__ if isinstance(atom, AppliedUndef) else str(atom.base.label)


def require_whole_parts(*sides: Basic) -> None:
    """Refuse something even over a number with an odd factor: SymPy 1.14 takes d/6 and 2**d/6 for integers.

    Raises:
        ValueError: naming the fraction.
    """
    for product in even_over_odd(*sides):
        raise ValueError(f"{product} divides an even letter by more than twos: make it a letter of its own")


def even_over_odd(*sides: Basic) -> list[Mul]:
    """The products that SymPy may call integers, though they are even numbers over odd ones."""
    thirds = [p for p in set().union(*(side.atoms(Mul) for side in sides)) if _odd(p.as_coeff_Mul()[0])]
    found = []
    for product in sorted(thirds, key=str):  # SymPy is asked in one order: what it answers may depend on it
        rest = product.as_coeff_Mul()[1]
        if rest.is_even or any(letter.is_even for letter in rest.free_symbols):
            found.append(product)
    return found


def _odd(coefficient: Any) -> bool:
    """Whether the denominator has an odd factor."""
    return bool(coefficient.is_Rational and coefficient.q & (coefficient.q - 1))
