"""One expression, read by Python's parser: as SymPy takes it, and as a term in the author's own order.

Names are looked up, functions are those of ``FUNCTIONS`` and ``RANGES``; nothing is evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.function import UndefinedFunction
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..kernel.terms import Term, add, bind, fun, mul, neg, num
from ..search.notation import binomial, factorial
from ..search.read import BINDERS, term
from ..terms.extrema import MaxOver
from ..terms.matrices import matrix_function
from .ordered import Read, before, built, divided, head_of, raised, whole
from .rewriting import plain
from .source import Misread, Piece

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
CONSTANTS = {"pi": sympy.pi, "π": sympy.pi, "I": sympy.I, "e": sympy.E}
TWO = {"binomial", "max", "min", "delta", "diff"}
MATRIX = matrix_function("A", 1, 1).__code__  # what R = matrix_function("R", 2, 2) runs
LARGEST = 1000  # of an exponent of a number: 9^9^9 would fill the memory
LONGEST = 10_000  # characters


def parsed(text: str | Piece, names: Mapping[str, Any]) -> Read:
    """``text`` as SymPy has it, which sorts sums, and as a kernel term, which keeps the author's order.

    Args:
        text: an expression: ``a(i)`` or ``a[i]``, ``sum(expr, i, lo, hi)``, ``|x|``, ``^`` or ``**``
        names: what the names stand for: letters, sequences, functions, expressions

    Raises:
        Misread: naming the line and the column, what was expected, and what to write instead.

    Example:
        >>> from posenc_lib.proofs import reals
        >>> a, b = reals("a b")
        >>> expression, term = parsed("b^2 + a", {"a": a, "b": b})
        >>> print(expression, term)
        a + b**2 (+ (^ 2 (var b R)) (var a R))
    """
    piece = text if isinstance(text, Piece) else Piece(text, 0, len(text))
    return _Reader(piece, names).read()


class _Reader:
    def __init__(self, piece: Piece, names: Mapping[str, Any]) -> None:
        self.piece, self.names = piece, names

    def read(self) -> Read:
        if not self.piece.text:
            raise self.piece.misread("an expression is expected")
        if len(self.piece.text) > LONGEST:
            raise self.piece.misread(f"an expression of at most {LONGEST} characters is expected")
        self.python, self.origin = plain(self.piece)
        try:
            tree = ast.parse(self.python, mode="eval")
        except SyntaxError as error:
            at = self._place(max((error.offset or 1) - 1, 0))
            raise self.piece.misread(f"this is no expression ({error.msg})", at) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self.piece.misread(f"this cannot be read: {error}") from None
        return self._go(tree.body)

    def _place(self, column: int) -> int:
        return self.origin[min(column, len(self.origin) - 1)]

    def _misread(self, node: ast.AST, message: str) -> Misread:
        """The error at a node; Python counts columns in bytes."""
        start = self.python.encode()[: getattr(node, "col_offset", 0)].decode()
        return self.piece.misread(message, self._place(len(start)))

    def _go(self, node: ast.expr) -> Read:
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

    def _constant(self, node: ast.Constant) -> Read:
        if type(node.value) is int:
            return Read(sympy.Integer(node.value), num(node.value))
        if isinstance(node.value, float):
            exact = Fraction(str(node.value))
            raise self._misread(node, f"an exact number is expected: write {exact}, not {node.value}")
        if isinstance(node.value, complex):
            raise self._misread(node, "the imaginary unit is written I")
        raise self._misread(node, f"a number is expected, not {node.value!r}")

    def _name(self, node: ast.Name) -> Read:
        found = self.names.get(node.id, CONSTANTS.get(node.id))
        if isinstance(found, int) and not isinstance(found, bool):
            found = sympy.Integer(found)
        if isinstance(found, (sympy.IndexedBase, UndefinedFunction)):
            raise self._misread(node, f"{node.id} needs an argument: write {node.id}(i)")
        if isinstance(found, (sympy.Expr, MatrixBase, MatrixExpr)):
            return whole(found)
        if found is None:
            close = node.id in FUNCTIONS or node.id in RANGES
            hint = f"{node.id}(…)" if close else f'{node.id} = reals("{node.id}") in a cell above'
            raise self._misread(node, f"{node.id} is not known here: write {hint}")
        kind = type(found).__name__
        raise self._misread(node, f"{node.id} is a {kind}; a letter or an expression is expected")

    def _unaryop(self, node: ast.UnaryOp) -> Read:
        inner = self._go(node.operand)
        if isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant):
                return Read(-inner.expression, num(-node.operand.value))  # type: ignore[operator,arg-type]
            return Read(-inner.expression, built(neg, inner))
        if isinstance(node.op, ast.UAdd):
            return inner
        raise self._misread(node, f"+ or - is expected, not {ast.unparse(node)}")

    def _binop(self, node: ast.BinOp) -> Read:
        a, b = self._go(node.left), self._go(node.right)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            minus = isinstance(node.op, ast.Sub)
            value = a.expression - b.expression if minus else a.expression + b.expression
            front = before(node.left, (ast.Add, ast.Sub), a, "+")
            return Read(value, built(lambda *t: add(*front, neg(t[1]) if minus else t[1]), a, b))
        if isinstance(node.op, ast.Mult):
            front = before(node.left, (ast.Mult, ast.Div), a, "*")
            return Read(a.expression * b.expression, built(lambda *t: mul(*front, t[1]), a, b))
        if isinstance(node.op, ast.Div):
            if b.expression == 0:
                raise self._misread(node.right, "a divisor other than 0 is expected")
            front = before(node.left, (ast.Mult, ast.Div), a, "*")
            return Read(a.expression / b.expression, built(lambda *t: divided(front, t[1]), a, b))
        if isinstance(node.op, ast.Pow):
            return self._power(node, a, b)
        raise self._misread(node, f"+ - * / ^ are expected, not {ast.unparse(node)}")

    def _power(self, node: ast.BinOp, a: Read, b: Read) -> Read:
        large = not b.expression.is_number or abs(b.expression) > LARGEST
        if a.expression.is_number and b.expression.is_number and large:
            raise self._misread(node.right, f"an exponent of at most {LARGEST} is expected")
        if isinstance(a.expression, (MatrixBase, MatrixExpr)):
            return Read(a.expression**b.expression, None)
        return Read(a.expression**b.expression, built(lambda *t: raised(a, b, *t), a, b))

    def _attribute(self, node: ast.Attribute) -> Read:
        inner = self._go(node.value)
        if node.attr == "T" and isinstance(inner.expression, (MatrixBase, MatrixExpr)):
            return Read(inner.expression.T, None)
        raise self._misread(node, f"only A.T, the transpose, has a dot, not {ast.unparse(node)}")

    def _subscript(self, node: ast.Subscript) -> Read:
        args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return self._applied(node, node.value, args)

    def _call(self, node: ast.Call) -> Read:
        if node.keywords:
            raise self._misread(node, "arguments without names are expected")
        return self._applied(node, node.func, node.args)

    def _applied(self, node: ast.expr, head: ast.expr, args: list[ast.expr]) -> Read:
        """``a[i]`` and ``f(x)``, whichever brackets are written."""
        if not isinstance(head, ast.Name):
            raise self._misread(node, "a name is expected before the bracket; a product is written with *")
        found = self.names.get(head.id)
        if isinstance(found, (sympy.IndexedBase, UndefinedFunction)):
            inner = [self._go(a) for a in args]
            values = [a.expression for a in inner]
            made = found[tuple(values)] if isinstance(found, sympy.IndexedBase) else found(*values)
            return Read(made, built(lambda *t: Term("app", head_of(made), t), *inner))
        if getattr(found, "__code__", None) is MATRIX:
            return Read(found(*(self._go(a).expression for a in args)), None)  # type: ignore[misc]
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

    def _function(self, node: ast.expr, name: str, inner: list[Read]) -> Read:
        if len(inner) != 1 + (name in TWO):
            count = "two arguments are" if name in TWO else "one argument is"
            raise self._misread(node, f"{name}: {count} expected, got {len(inner)}")
        made = FUNCTIONS[name](*(a.expression for a in inner))
        special: dict[str, Callable[..., Term]] = {
            **{"factorial": factorial, "binomial": binomial, "delta": lambda *t: fun("delta", *t)},
            **{
                "gamma": lambda t: fun("Gamma", t),
                "max": lambda *t: term(made),
                "min": lambda *t: term(made),
            },
            "diff": lambda *t: term(made),
        }
        return Read(made, built(special.get(name, lambda t: fun(name, t)), *inner))

    def _range(self, node: ast.expr, name: str, args: list[ast.expr]) -> Read:
        letter = self._go(args[1]).expression
        if not isinstance(letter, sympy.Symbol):
            raise self._misread(args[1], f"a letter to run over is expected, not {letter}")
        body, lo, hi = (self._go(args[k]) for k in (0, 2, 3))
        made = RANGES[name](body.expression, (letter, lo.expression, hi.expression))
        kind = BINDERS.get(type(made).__name__, name)
        return Read(
            made, built(lambda *t: bind(kind, letter.name, t[1], t[2], term(letter), t[0]), body, lo, hi)
        )
