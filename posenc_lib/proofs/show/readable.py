"""What is printed can be read in one way only: names of a plain form, and no two atoms that look alike."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from sympy import Basic, Dummy, E, Identity, Indexed, NumberSymbol, Pow, Symbol, exp
from sympy.core.function import AppliedUndef

from ..terms.any_size import InvertibleMatrix
from ..terms.binders import bound_letters
from ..terms.domains import pretty_name
from ..terms.matrices import NamedMatrix
from .printer import latex

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+(,[0-9]+)?)*(\^[A-Za-z]+)?")


KINDS = {Symbol: "the letter", Indexed: "the entry", Identity: "the identity", Pow: "the power"}
KINDS |= {NamedMatrix: "the matrix", InvertibleMatrix: "the matrix"}


def looks(*sides: Any) -> dict[str, str]:
    """How each atom of some expressions is printed → which atom it is.

    Raises:
        ValueError: for a name with other signs than letters, digits and _ (and one label, W^Q), and for two
            atoms that are printed alike: x1 and x_1, a letter pi and the number.
    """
    found: dict[str, str] = {}
    for atom in sorted(_atoms(*sides), key=str):
        name = _name(atom)
        if not PLAIN.fullmatch(name):
            raise ValueError(f"the name {name!r} may have letters, digits and _ only")
        kind = (
            "the number e"
            if isinstance(atom, exp) or atom is E
            else f"{KINDS.get(type(atom), 'the value')} {atom}"
        )
        require_apart(found, {_shown(atom): kind})
        if (word := pretty_name(name)) != name:  # as a scope has it: phi and varphi are both φ
            require_apart(found, {word: f"the name {name}"})
    return found


def names_of(*sides: Any) -> set[str]:
    """The names of letters, sequences, functions and matrices."""
    return {_name(atom) for atom in _atoms(*sides)} - {"number"}


def require_apart(found: dict[str, str], more: dict[str, str]) -> None:
    """Add what is printed to what was printed before.

    Raises:
        ValueError: if two different atoms are printed alike.
    """
    for text, atom in more.items():
        if found.setdefault(text, atom) != atom:
            raise ValueError(f"{found[text]} and {atom} are both printed {text}: rename one of them")


def _atoms(*sides: Any) -> set[Any]:
    """Letters, entries of sequences, values of functions, matrices, constants, and powers of letters."""
    found: set[Any] = set()
    for side in sides:
        entries = side.atoms(Indexed)
        found |= entries | side.atoms(AppliedUndef, NamedMatrix, Identity, NumberSymbol, exp)
        labels = {entry.base.label for entry in entries}
        found |= {s for s in (side.free_symbols | bound_letters(side)) - labels if isinstance(s, Symbol)}
        found |= {p for p in side.atoms(Pow) if p.base.is_Symbol and p.exp.is_Symbol}
    return {atom for atom in found if not isinstance(atom, Dummy)}


def _name(atom: Basic) -> str:
    if isinstance(atom, Indexed):
        return str(atom.base.label)
    if isinstance(atom, AppliedUndef):
        return atom.func.__name__
    if isinstance(atom, NamedMatrix):
        return atom.name
    return atom.name if isinstance(atom, Symbol) else "number"


@lru_cache(maxsize=8192)
def _shown(atom: Basic) -> str:
    return "e" if isinstance(atom, exp) else latex(atom)
