"""Matrices of any size: SymPy into words, products of letters that do not commute."""

from __future__ import annotations

from typing import Any

import sympy

from ..kernel.terms import ONE, ZERO, Term, add, mul
from ..terms.expression import expression
from ..terms.matrices import NamedMatrix
from .read import Outside, name_of
from .read import term as scalar

INVERSE = "___inverse"  # of C; no author's name ends so
Word = tuple[Term, ...]


def matrix(e: Any) -> Term:
    """A SymPy expression in matrices of any size as a sum of words; a number is its own transpose."""
    rows = _words(expression(e))
    if e.shape == (1, 1):
        rows = [(c, min(w, _transposed(w), key=str)) for c, w in rows]
    parts = [mul(c, word(*w)) if c != ONE else word(*w) for c, w in rows]
    return parts[0] if len(parts) == 1 else add(*parts) if parts else ZERO


def word(*matrices: Term) -> Term:
    return Term("word", (), matrices)


def _words(e: Any) -> list[tuple[Term, Word]]:
    if isinstance(e, NamedMatrix):
        return [(ONE, (Term("app", (name_of(e.name), "M"), tuple(map(scalar, e.parameters))),))]
    if isinstance(e, sympy.Identity):
        return [(ONE, ())]
    if isinstance(e, sympy.ZeroMatrix):
        return []
    if isinstance(e, sympy.MatAdd):
        return [row for a in e.args for row in _words(a)]
    if isinstance(e, sympy.MatMul):
        out: list[tuple[Term, Word]] = [(ONE, ())]
        for a in e.args:
            rows = _words(a) if getattr(a, "is_Matrix", False) else [(scalar(a), ())]
            out = [(_times(c, d), (*v, *w)) for c, v in out for d, w in rows]
        return out
    if isinstance(e, sympy.Transpose):
        return [(c, _transposed(w)) for c, w in _words(e.arg)]
    if isinstance(e, sympy.MatPow) and e.exp.is_Integer and e.exp > 0:
        return _words(sympy.MatMul(*[e.base] * int(e.exp)))
    if isinstance(e, sympy.MatPow) and e.exp.is_Integer and e.exp < 0:
        rows = _words(e.base)
        if len(rows) == 1 and rows[0][0] == ONE:
            return [(ONE, tuple(map(_inverse, reversed(rows[0][1]))) * -int(e.exp))]
    raise Outside(f"the matrix {e}")


def _times(c: Term, d: Term) -> Term:
    return d if c == ONE else c if d == ONE else mul(c, d)


def _transposed(w: Word) -> Word:
    return tuple(a.args[0] if a.head == "T" else Term("T", (), (a,)) for a in reversed(w))


def _inverse(a: Term) -> Term:
    """A letter of its own; ``rewriting.inverses`` says what is known of it."""
    if a.head == "T":
        return Term("T", (), (_inverse(a.args[0]),))
    name = a.data[0]
    other = name.removesuffix(INVERSE) if name.endswith(INVERSE) else f"{name}{INVERSE}"
    return Term("app", (other, "M"), a.args)
