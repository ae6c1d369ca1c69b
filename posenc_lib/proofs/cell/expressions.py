"""One expression, read by Python's parser: as SymPy takes it, and as its author wrote it.

Names are looked up, functions are those of ``FUNCTIONS`` and ``RANGES``; nothing is evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import sympy
from sympy.core.function import UndefinedFunction
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.extrema import MaxOver
from .rewriting import plain
from .source import Misread, Piece
from .written import CONSTANTS, Written, is_matrix, written

FUNCTIONS: dict[str, Any] = {
    **{name: getattr(sympy, name) for name in ("exp", "log", "sqrt", "cos", "sin", "tan", "cosh", "sinh")},
    **{name: getattr(sympy, name) for name in ("tanh", "erf", "Si", "Ci", "re", "im", "factorial")},
    **{"abs": sympy.Abs, "conj": sympy.conjugate, "binomial": sympy.binomial, "max": sympy.Max},
    **{"min": sympy.Min, "delta": sympy.KroneckerDelta, "diff": sympy.Derivative, "gamma": sympy.gamma},
}
RANGES: dict[str, Any] = {
    "sum": sympy.Sum,
    "prod": sympy.Product,
    "int": sympy.Integral,
    "max": MaxOver,
}
TWO = {"binomial", "max", "min", "delta", "diff"}
SIDE_BY_SIDE = re.compile(r"(\b\w+|\))(?:\s+|(?<=\))|(?<=\d)(?=[^\W\d]))(\w+|\()")
LARGEST = 1000  # of an exponent of a number: 9^9^9 would fill the memory
LONGEST = 10_000  # characters


class Read(NamedTuple):
    """An expression, and how its author wrote it."""

    expression: Any
    written: Written


def parsed(text: str | Piece, names: Mapping[str, Any]) -> Read:
    """``text`` as SymPy has it, which sorts sums, and as LaTeX, which keeps the author's order.

    Args:
        text: an expression: ``a(i)`` or ``a[i]``, ``sum(expr, i, lo, hi)``, ``|x|``, ``^`` or ``**``
        names: what the names stand for: letters, sequences, functions, expressions

    Raises:
        Misread: naming the line and the column, what was expected, and what to write instead.

    Example:
        >>> from posenc_lib.proofs import reals
        >>> a, b = reals("a b")
        >>> expression, shown = parsed("b^2 + a/2", {"a": a, "b": b})
        >>> print(expression, "is printed", shown.text)
        a/2 + b**2 is printed b^{2} + \\frac{a}{2}
    """
    piece = text if isinstance(text, Piece) else Piece(text, 0, len(text))
    reader = _Reader(piece, names)
    tree = reader.tree()
    return Read(reader.expression(tree), written(tree, names))


class _Reader:
    def __init__(self, piece: Piece, names: Mapping[str, Any]) -> None:
        self.piece, self.names = piece, names

    def tree(self) -> ast.expr:
        if not self.piece.text:
            raise self.piece.misread("an expression is expected")
        if len(self.piece.text) > LONGEST:
            raise self.piece.misread(f"an expression of at most {LONGEST} characters is expected")
        if "?" in self.piece.text:
            raise self.piece.misread("write your formula in the place of the ?", self.piece.text.index("?"))
        self.python, self.origin = plain(self.piece)
        try:
            tree = ast.parse(self.python, mode="eval")
        except SyntaxError as error:
            at = self._place(max((error.offset or 1) - 1, 0))
            if product := SIDE_BY_SIDE.search(self.piece.text):
                first, second = product.groups()
                hint = f"a product is written with *: {first}*{second}, not {product[0]}"
                raise self.piece.misread(hint, product.start()) from None
            raise self.piece.misread(f"this is no expression ({error.msg})", at) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self.piece.misread(f"this cannot be read: {error}") from None
        return tree.body

    def expression(self, node: ast.expr) -> Any:
        """As SymPy takes it."""
        return self._go(node)

    def _place(self, column: int) -> int:
        return self.origin[min(column, len(self.origin) - 1)]

    def _misread(self, node: ast.AST, message: str) -> Misread:
        """The error at a node; Python counts columns in bytes."""
        start = self.python.encode()[: getattr(node, "col_offset", 0)].decode()
        return self.piece.misread(message, self._place(len(start)))

    def _go(self, node: ast.expr) -> Any:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            said = ast.unparse(node) if not isinstance(node, ast.JoinedStr) else "a string"
            raise self._misread(node, f"numbers, names, + - * / ^, f(x), a[i] are expected, not {said}")
        try:
            return method(node)
        except Misread:
            raise
        except RecursionError:
            raise self.piece.misread("an expression with fewer brackets in each other is expected") from None
        except (TypeError, ValueError) as error:
            raise self._misread(node, str(error)) from None

    def _constant(self, node: ast.Constant) -> Any:
        if type(node.value) is int:
            return sympy.Integer(node.value)
        if isinstance(node.value, float):  # its digits are what it stands for: 0.1 is 1/10
            return sympy.Rational(ast.get_source_segment(self.python, node))
        if isinstance(node.value, complex):
            raise self._misread(node, "the imaginary unit is written I")
        raise self._misread(node, f"a number is expected, not {node.value!r}")

    def _name(self, node: ast.Name) -> Any:
        found = self.names.get(node.id, CONSTANTS.get(node.id))
        if isinstance(found, int) and not isinstance(found, bool):
            found = sympy.Integer(found)
        if isinstance(found, (sympy.IndexedBase, UndefinedFunction)):
            raise self._misread(node, f"{node.id} needs an argument: write {node.id}(i)")
        if isinstance(found, (sympy.Expr, MatrixBase, MatrixExpr)):
            return found
        if found is None:
            close = node.id in FUNCTIONS or node.id in RANGES
            hint = f"{node.id}(…)" if close else f'{node.id} = reals("{node.id}") above'
            raise self._misread(node, f"{node.id} is not known here: write {hint}")
        kind = type(found).__name__
        raise self._misread(node, f"{node.id} is a {kind}; a letter or an expression is expected")

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        inner = self._go(node.operand)
        if isinstance(node.op, (ast.USub, ast.UAdd)):
            return -inner if isinstance(node.op, ast.USub) else inner
        raise self._misread(node, f"+ or - is expected, not {ast.unparse(node)}")

    def _binop(self, node: ast.BinOp) -> Any:
        a, b = self._go(node.left), self._go(node.right)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, ast.Div):
            if b == 0:
                raise self._misread(node.right, "a divisor other than 0 is expected")
            return a / b
        if isinstance(node.op, ast.Pow):
            if a.is_number and b.is_number and (abs(b) <= LARGEST) is not sympy.true:
                raise self._misread(node.right, f"an exponent of at most {LARGEST} is expected")
            return a**b
        raise self._misread(node, f"+ - * / ^ are expected, not {ast.unparse(node)}")

    def _attribute(self, node: ast.Attribute) -> Any:
        inner = self._go(node.value)
        if node.attr == "T" and isinstance(inner, (MatrixBase, MatrixExpr)):
            return inner.T
        raise self._misread(node, f"only A.T, the transpose, has a dot, not {ast.unparse(node)}")

    def _subscript(self, node: ast.Subscript) -> Any:
        args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return self._applied(node, node.value, args)

    def _call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise self._misread(node, "arguments without names are expected")
        return self._applied(node, node.func, node.args)

    def _applied(self, node: ast.expr, head: ast.expr, args: list[ast.expr]) -> Any:
        """``a[i]`` and ``f(x)``, whichever brackets are written."""
        if not isinstance(head, ast.Name):
            raise self._misread(node, "a name is expected before the bracket; a product is written with *")
        found = self.names.get(head.id)
        if isinstance(found, (sympy.IndexedBase, UndefinedFunction)):
            values = [self._go(a) for a in args]
            return found[tuple(values)] if isinstance(found, sympy.IndexedBase) else found(*values)
        if is_matrix(found):
            return found(*map(self._go, args))  # type: ignore[misc]
        if isinstance(found, sympy.Expr):
            raise self._misread(node, f"{head.id} is a letter: write {head.id}*(…) for a product")
        if isinstance(node, ast.Subscript) or head.id not in {**FUNCTIONS, **RANGES}:
            known = ", ".join(sorted({*FUNCTIONS, *RANGES}))
            raise self._misread(
                node, f"{head.id} is no sequence or function: make it one above, or use {known}"
            )
        if head.id in RANGES and len(args) == 4:
            return self._range(node, head.id, args)
        if head.id in RANGES and head.id not in FUNCTIONS:
            raise self._misread(node, f"{head.id}(expression, letter, first, last) is expected")
        return self._function(node, head.id, [self._go(a) for a in args])

    def _function(self, node: ast.expr, name: str, inner: list[Any]) -> Any:
        if len(inner) != 1 + (name in TWO):
            count = "two arguments are" if name in TWO else "one argument is"
            raise self._misread(node, f"{name}: {count} expected, got {len(inner)}")
        return FUNCTIONS[name](*inner)

    def _range(self, node: ast.expr, name: str, args: list[ast.expr]) -> Any:
        letter = self._go(args[1])
        if not isinstance(letter, sympy.Symbol):
            raise self._misread(args[1], f"a letter to run over is expected, not {letter}")
        body, lo, hi = (self._go(args[k]) for k in (0, 2, 3))
        return RANGES[name](body, (letter, lo, hi))
