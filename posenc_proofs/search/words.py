"""Words: products of matrices of any size, which do not commute."""

from __future__ import annotations

from ..kernel.terms import Term

INVERSE = "___inverse"  # of C; no author's name ends so
Word = tuple[Term, ...]


def word(*matrices: Term) -> Term:
    return Term("word", (), matrices)
