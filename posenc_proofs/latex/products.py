"""Matrices of any size, as they are printed: sums of products that do not commute."""

from __future__ import annotations

from typing import NamedTuple

from ..kernel.terms import ONE, ZERO, Term, add, mul
from ..kernel.theorem import Formula
from ..kernel.words import Letters, turned
from .tokens import Unread

INVERSE = "___inverse"  # what the search calls the inverse of C


class Product(NamedTuple):
    """A sum of products of letters, each with a number before it.

    ``shape`` says of rows and of columns whether there are any number of them, or one.
    """

    rows: tuple[tuple[Term, Letters], ...]
    shape: tuple[bool, bool] = (True, True)

    @property
    def term(self) -> Term:
        """As the kernel has it; a number is its own transpose."""
        rows = self.rows
        if self.shape == (False, False):
            rows = tuple((c, min(w, turned(w), key=str)) for c, w in rows)
        parts = [mul(c, Term("word", (), letters)) for c, letters in rows]
        return add(*parts) if parts else ZERO


IDENTITY = Product(((ONE, ()),))


def letter(t: Term, column: bool) -> Product:
    """A matrix, or a column, by its name and arguments."""
    return Product(((ONE, (t,)),), (True, not column))


def product(a: Product, b: Product) -> Product:
    if a.shape[1] != b.shape[0]:
        raise Unread("a product of matrices that do not fit")
    rows = tuple((_times(c, d), (*v, *w)) for c, v in a.rows for d, w in b.rows)
    return Product(rows, (a.shape[0], b.shape[1]))


def scaled(c: Term, a: Product) -> Product:
    return a._replace(rows=tuple((_times(c, d), letters) for d, letters in a.rows))


def _times(c: Term, d: Term) -> Term:
    return d if c == ONE else c if d == ONE else mul(c, d)


def total(parts: list[Product]) -> Product:
    if len({part.shape for part in parts}) > 1:
        raise Unread("a sum of a matrix and a column")
    return Product(tuple(row for part in parts for row in part.rows), parts[0].shape)


def transpose(a: Product) -> Product:
    return Product(tuple((c, turned(w)) for c, w in a.rows), a.shape[::-1])


def to_the(a: Product, k: Term) -> Product:
    """A whole power; a negative one only of a product of letters."""
    if k.head != "num" or k.data[1] or k.data[0].denominator != 1 or k.data[0] == 0:
        raise Unread("the power of a matrix is a whole number, not 0")
    if a.shape != (True, True):
        raise Unread("the power of a column")
    base = a if k.data[0] > 0 else _inverse(a)
    out = base
    for _ in range(abs(int(k.data[0])) - 1):
        out = product(out, base)
    return out


def _inverse(a: Product) -> Product:
    if len(a.rows) != 1 or a.rows[0][0] != ONE:
        raise Unread("the inverse of a sum")
    return Product(((ONE, tuple(map(_inverse_letter, reversed(a.rows[0][1])))),))


def _inverse_letter(t: Term) -> Term:
    if t.head == "T":
        return Term("T", (), (_inverse_letter(t.args[0]),))
    name, domain = t.data
    other = name.removesuffix(INVERSE) if name.endswith(INVERSE) else f"{name}{INVERSE}"
    return Term("app", (other, domain), t.args)


def inverse_of(h: Formula) -> str:
    """The matrix that a hypothesis C C^-1 = 1, or C^-1 C = 1, gives an inverse; "" if it is another."""
    if h.relation != "=" or h.right != Term("word") or h.left.head != "word" or len(h.left.args) != 2:
        return ""
    names = [t.data[0] if t.head == "app" and not t.args else "" for t in h.left.args]
    one = min(names, key=len)
    return one if one and sorted(names) == sorted((one, f"{one}{INVERSE}")) else ""
