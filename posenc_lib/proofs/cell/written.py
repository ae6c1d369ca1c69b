"""An expression as its author wrote it, in LaTeX: the order, the fractions, brackets where needed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, NamedTuple

import sympy
from sympy.core.function import UndefinedFunction
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..show.printer import BookPrinter, latex
from ..terms.matrices import NamedMatrix, matrix_function

CONSTANTS = {"pi": sympy.pi, "π": sympy.pi, "I": sympy.I, "e": sympy.E}
MATRIX = matrix_function("A", 1, 1).__code__  # what R = matrix_function("R", 2, 2) runs
SUM, PRODUCT, POWER, ATOM = range(4)  # what binds more tightly needs fewer brackets
SIGNS = {ast.Add: "+", ast.Sub: "-"}
PLAIN = {"cos", "sin", "tan", "cosh", "sinh", "tanh", "log"}
TEMPLATES = {  # how a function is written around its arguments, and how tightly that binds
    **{"sqrt": (r"\sqrt{%s}", ATOM), "abs": (r"\left|{%s}\right|", ATOM), "delta": (r"\delta_{%s %s}", ATOM)},
    **{"re": (r"\operatorname{Re}\left[%s\right]", ATOM), "im": (r"\operatorname{Im}\left[%s\right]", ATOM)},
    **{"max": (r"\max\left(%s, %s\right)", ATOM), "min": (r"\min\left(%s, %s\right)", ATOM)},
    **{"binomial": (r"{\binom{%s}{%s}}", ATOM), "gamma": (r"\Gamma\left(%s\right)", ATOM)},
    **{"conj": ("%s^{*}", POWER), "factorial": ("%s!", POWER)},
}
TALL = (r"\frac", r"\sum", r"\prod", r"\int", r"\begin", r"\max")


class Written(NamedTuple):
    """LaTeX, how tightly it binds, the terms of a sum, and whether what follows would belong to it."""

    text: str
    level: int = ATOM
    terms: tuple[str, ...] = ()
    open: bool = False
    opposite: Written | None = None  # of what begins with a minus sign

    def at(self, level: int, last: bool = True) -> Written:
        """In brackets where it would not be read as one thing."""
        loose = self.level < level or (self.open and not last)
        return Written(rf"\left({self.text}\right)") if loose else self

    def parts(self) -> tuple[str, ...]:
        return self.terms or (self.text,)


def is_matrix(found: Any) -> bool:
    """Whether a name stands for a matrix that has arguments."""
    return getattr(found, "__code__", None) is MATRIX


def written(node: ast.expr, names: Mapping[str, Any]) -> Written:
    """The LaTeX of a tree that ``parsed`` has accepted."""
    if isinstance(node, ast.Constant):
        return Written(str(node.value))
    if isinstance(node, ast.Name):
        return _named(node.id, names)
    if isinstance(node, ast.UnaryOp):
        inner = written(node.operand, names)
        return _minus(inner) if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return _joined(node, names)
    if isinstance(node, ast.Attribute):
        return Written(rf"{written(node.value, names).at(ATOM).text}^{{\top}}")
    assert isinstance(node, (ast.Call, ast.Subscript))
    return _applied(node, names)


def _named(name: str, names: Mapping[str, Any]) -> Written:
    found: Any = names.get(name, CONSTANTS.get(name))
    if isinstance(found, int):
        return Written(str(found), ATOM if found >= 0 else SUM)
    if isinstance(found, (MatrixBase, MatrixExpr)):
        plain = isinstance(found, (MatrixBase, NamedMatrix))
        return Written(latex(found), ATOM if plain else SUM)
    if found.is_Add:
        terms = tuple(BookPrinter().terms(found))
        return Written(" ".join(terms), SUM, terms)
    text = latex(found)
    if text.startswith("-"):
        return Written(text, SUM)
    last = found.args[-1] if found.is_Mul else found
    running = isinstance(last, (sympy.Sum, sympy.Product, sympy.Derivative))
    return Written(
        text, PRODUCT if found.is_Mul or running else POWER if found.is_Pow else ATOM, open=running
    )


def _minus(inner: Written) -> Written:
    shown = inner.at(PRODUCT)
    return Written(f"- {shown.text}", SUM, open=shown.open, opposite=inner)


def _joined(node: ast.BinOp, names: Mapping[str, Any]) -> Written:
    a, b = written(node.left, names), written(node.right, names)
    if type(node.op) in SIGNS:
        return _sum(a, SIGNS[type(node.op)], b)
    if isinstance(node.op, ast.Mult):
        return _product(a, b)
    if isinstance(node.op, ast.Div):
        return _quotient(a, b)
    function = node.left.func if isinstance(node.left, ast.Call) else None
    if isinstance(function, ast.Name) and function.id in PLAIN and not _own(names, function.id):
        head = rf"\{function.id}"
        return Written(f"{head}^{{{b.text}}}{a.text.removeprefix(head)}", POWER)
    return Written(f"{a.at(ATOM).text}^{{{b.text}}}", POWER)


def _sum(a: Written, sign: str, b: Written) -> Written:
    """Brackets around what is added fall away; around what is subtracted they stay."""
    plus = sign == "+" and b.terms and not b.terms[0].startswith("-")
    shown = b.at(PRODUCT)
    more = (f"+ {b.terms[0]}", *b.terms[1:]) if plus else (f"{sign} {shown.text}",)
    terms = (*a.parts(), *more)
    return Written(" ".join(terms), SUM, terms, shown.open)


def _product(a: Written, b: Written) -> Written:
    if a.opposite:
        return _minus(_product(a.opposite, b))
    first, second = a.at(PRODUCT, last=False), b.at(PRODUCT)
    between = r" \cdot " if second.text[:1].isdigit() else " "
    return Written(f"{first.text}{between}{second.text}", PRODUCT, open=second.open)


def _quotient(a: Written, b: Written) -> Written:
    if a.opposite:
        return _minus(_quotient(a.opposite, b))
    return Written(rf"\frac{{{a.text}}}{{{b.text}}}", POWER)


def _own(names: Mapping[str, Any], name: str) -> bool:
    """Whether the author has given the name to a sequence, a function, a matrix."""
    found = names.get(name)
    return isinstance(found, (sympy.IndexedBase, UndefinedFunction)) or is_matrix(found)


def _bracketed(head: str, inner: str) -> str:
    return rf"{head}\left({inner}\right)" if any(t in inner for t in TALL) else f"{head}({inner})"


def _applied(node: ast.Call | ast.Subscript, names: Mapping[str, Any]) -> Written:
    if isinstance(node, ast.Subscript):
        args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        head = node.value
    else:
        args, head = node.args, node.func
    assert isinstance(head, ast.Name)
    inner = [written(arg, names) for arg in args]
    listed = ", ".join(w.text for w in inner)
    found = names.get(head.id)
    if isinstance(found, sympy.IndexedBase):
        return Written(f"{latex(sympy.Symbol(str(found.label)))}_{{{listed}}}")
    if isinstance(found, UndefinedFunction):
        name = BookPrinter()._hprint_Function(found.__name__)
        return Written(_bracketed(name, ",".join(w.text for w in inner)))
    if is_matrix(found):
        generic = latex(found(*(sympy.Symbol("x") for _ in args)))  # type: ignore[misc]
        return Written(f"{generic.partition('_{x')[0]}_{{{listed}}}")
    if len(args) == 4:
        return _range(head.id, inner)
    return _function(head.id, inner)


def _range(name: str, inner: list[Written]) -> Written:
    body, letter, lo, hi = inner
    if name == "int":
        return Written(
            rf"\int\limits_{{{lo.text}}}^{{{hi.text}}} {body.at(PRODUCT).text}\, d{letter.text}", PRODUCT
        )
    if name == "max":
        below = rf"\max_{{{lo.text}\le {letter.text}\le {hi.text}}}"
    else:
        sign = {"sum": r"\sum", "prod": r"\prod"}[name]
        below = f"{sign}_{{{letter.text}={lo.text}}}^{{{hi.text}}}"
    return Written(f"{below} {body.at(PRODUCT).text}", PRODUCT, open=True)


def _function(name: str, inner: list[Written]) -> Written:
    if name == "exp":
        return Written(f"e^{{{inner[0].text}}}", POWER)
    if name in TEMPLATES:
        template, bound = TEMPLATES[name]
        texts = [w.at(ATOM if bound == POWER else SUM).text for w in inner]
        return Written(template % tuple(texts), bound)
    if name == "diff":
        slope = rf"\frac{{\partial}}{{\partial {inner[1].text}}}"
        return Written(f"{slope} {inner[0].at(PRODUCT).text}", PRODUCT, open=True)
    head = rf"\{name}" if name in PLAIN else rf"\operatorname{{{name}}}"
    return Written(_bracketed(head, inner[0].text))
