"""Matrices of terms, written out; and of any size, as sums of products that do not commute."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ..kernel.domains import lies
from ..kernel.terms import ONE, ZERO, Term, add, bind, letters, mul, neg
from ..kernel.theorem import Formula
from ..kernel.words import Letters, turned
from .tokens import Unread, refuse

INVERSE = "___inverse"  # what the search calls the inverse of C


class Product(NamedTuple):
    """A sum of products of letters, each with a number before it.

    ``shape`` says of rows and of columns whether there are any number of them, or one.
    """

    rows: tuple[tuple[Term, Letters], ...]
    shape: tuple[bool, bool] = (True, True)

    @property
    def entries(self) -> tuple[Term, ...]:
        """The one term that it is for the kernel; a number is its own transpose."""
        rows = self.rows
        if self.shape == (False, False):
            rows = tuple((c, min(w, turned(w), key=str)) for c, w in rows)
        parts = [mul(c, Term("word", (), letters)) for c, letters in rows]
        return (add(*parts) if parts else ZERO,)


IDENTITY = Product(((ONE, ()),))


def _times(c: Term, d: Term) -> Term:
    return d if c == ONE else c if d == ONE else mul(c, d)


def inverted(a: Product) -> Product:
    """The inverse of one product of square matrices."""
    refuse(len(a.rows) != 1 or a.rows[0][0] != ONE, "the inverse of a sum")
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


class Matrix(NamedTuple):
    """Rows of terms; of many blocks alike, one for each value of a letter, the rows of one block.

    ``many`` is then ("diagonal", "column" or "row", letter, first, last): how the blocks lie.
    """

    rows: tuple[tuple[Term, ...], ...]
    many: tuple[str, Term, Term, Term] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def entries(self) -> tuple[Term, ...]:
        return tuple(entry for row in self.rows for entry in row)


Value = Term | Matrix | Product
TOGETHER = {("diagonal", kind): kind for kind in ("diagonal", "column")} | {("row", "diagonal"): "row"}


def entrywise(f: Callable[..., Term], *of: Matrix) -> Matrix:
    """``f`` of the entries of matrices of one shape, place by place."""
    rows = zip(*(a.rows for a in of), strict=True)
    return of[0]._replace(rows=tuple(tuple(map(f, *beside)) for beside in rows))


def shape_of(value: Value) -> object:
    """What two sides of an equation have in common."""
    if isinstance(value, Product):
        return value.shape
    return (value.shape, value.many) if isinstance(value, Matrix) else ()


def joined(parts: Sequence[Value]) -> Value:
    """The sum."""
    if len(parts) == 1:
        return parts[0]
    of_any_size = [part for part in parts if isinstance(part, Product)]
    if len(set(map(shape_of, parts))) > 1:
        two = "a matrix and a column" if len(of_any_size) == len(parts) else "matrices of two shapes"
        raise Unread(f"a sum of {two}")
    if of_any_size:
        return Product(tuple(row for part in of_any_size for row in part.rows), of_any_size[0].shape)
    matrices = [part for part in parts if isinstance(part, Matrix)]
    return entrywise(add, *matrices) if matrices else add(*(p for p in parts if isinstance(p, Term)))


def times(a: Value, b: Value) -> Value:
    if isinstance(a, Term) and isinstance(b, Term):
        return mul(*(a.args if a.head == "*" else (a,)), b)
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        return _product(a, b)
    if isinstance(a, Product) and isinstance(b, Product):
        refuse(a.shape[1] != b.shape[0], "a product of matrices that do not fit")
        rows = tuple((_times(c, d), (*v, *w)) for c, v in a.rows for d, w in b.rows)
        return Product(rows, (a.shape[0], b.shape[1]))
    factor, matrix = (a, b) if isinstance(a, Term) else (b, a)
    if not isinstance(factor, Term) or isinstance(matrix, Term):
        raise Unread("a matrix that is written out beside one of any size")
    if isinstance(matrix, Product):
        return matrix._replace(rows=tuple((_times(factor, d), row) for d, row in matrix.rows))
    if matrix.many and matrix.many[1] in letters(factor):
        raise Unread(f"{matrix.many[1].data[0]} runs over blocks, and stands beside them, too: rename it")
    return entrywise(partial(mul, factor), matrix)


def _product(a: Matrix, b: Matrix) -> Value:
    refuse(a.shape[1] != b.shape[0], f"a product of the shapes {a.shape} and {b.shape}")
    columns = list(zip(*b.rows, strict=True))
    rows = tuple(tuple(add(*map(mul, row, column)) for column in columns) for row in a.rows)
    if a.many is None and b.many is None:
        return Matrix(rows)
    if a.many is None or b.many is None or a.many[1:] != b.many[1:]:
        raise Unread("a product of a matrix of blocks with another")
    kind, letter, lo, hi = a.many
    if (kind, b.many[0]) == ("row", "column") and (len(rows), len(columns)) == (1, 1):
        return bind("sum", letter.data[0], lo, hi, letter, rows[0][0])
    refuse((kind, b.many[0]) not in TOGETHER, f"a {kind} of blocks times a {b.many[0]}")
    return Matrix(rows, (TOGETHER[kind, b.many[0]], letter, lo, hi))


def determinant(a: Value) -> Term:
    """Along the first row."""
    if not isinstance(a, Matrix) or a.many or a.shape[0] != a.shape[1]:
        raise Unread("the determinant of what is no square of numbers")
    first, *others = a.rows
    if not others:
        return first[0]
    minors = [Matrix(tuple(row[:k] + row[k + 1 :] for row in others)) for k in range(len(first))]
    parts = [mul(t, determinant(minor)) for t, minor in zip(first, minors, strict=True)]
    return add(*(neg(part) if k % 2 else part for k, part in enumerate(parts)))


def elementwise(a: Value, b: Value) -> Matrix:
    """The products of the entries, place by place."""
    if not (isinstance(a, Matrix) and isinstance(b, Matrix) and shape_of(a) == shape_of(b)):
        raise Unread("a product entry by entry of two shapes")
    return entrywise(mul, a, b)


def transposed(a: Value) -> Value:
    if isinstance(a, Term):
        raise Unread("the transpose of a number")
    if isinstance(a, Product):
        return Product(tuple((c, turned(w)) for c, w in a.rows), a.shape[::-1])
    lying = {"diagonal": "diagonal", "column": "row", "row": "column"}
    many = (lying[a.many[0]], *a.many[1:]) if a.many else None
    return Matrix(tuple(zip(*a.rows, strict=True)), many)


def inner_product(a: Value, b: Value) -> Term:
    """The sum of the products of the entries, which are real."""
    if not (isinstance(a, Matrix) and isinstance(b, Matrix)) or a.many or shape_of(a) != shape_of(b):
        raise Unread("an inner product of two shapes")
    refuse(not all(lies(entry, "R") for entry in a.entries), "an inner product of what may not be real")
    return add(*(mul(x, y) for x, y in zip(a.entries, b.entries, strict=True)))
