"""LaTeX and plain text of checked expressions, in the book's notation. Nothing is typed by hand."""

from __future__ import annotations

import re
from typing import Any

from sympy import Add, Derivative, Expr, Limit, Mul, Product, Sum, Symbol, conjugate, fraction
from sympy.matrices import MatrixBase
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from ..terms.blocks import Stacked
from ..terms.expression import expression
from ..terms.extrema import MaxOver
from ..terms.matrices import NamedMatrix

RELATION_LATEX = {"=": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", ":=": ":=", "!=": r"\ne"}


OPEN = (Sum, Product, MaxOver, Derivative, Limit)  # what follows without brackets would belong to them


class BookPrinter(LatexPrinter):
    """SymPy's printer with i upright, Re[…], a star for the conjugate, and n − m rather than −m + n."""

    def __init__(self) -> None:
        super().__init__(
            {"imaginary_unit": "ri", "mat_delim": "(", "fold_short_frac": False, "long_frac_ratio": 2}
        )

    def _print_Add(self, expr: Add, order: str | None = None) -> str:
        return " ".join(self.terms(expr, order))

    def terms(self, expr: Expr, order: str | None = None) -> list[str]:
        """The terms of a sum, each with its sign; anything else is one term."""
        if not expr.is_Add:
            return [self._print(expr)]
        terms = list(self._as_ordered_terms(expr, order=order))
        if terms[0].could_extract_minus_sign():
            positive = next((k for k, t in enumerate(terms) if not t.could_extract_minus_sign()), 0)
            terms.insert(0, terms.pop(positive))
        texts = [self._print(terms[0])]
        for term in terms[1:]:
            minus = term.could_extract_minus_sign()
            shown = self._print(-term if minus else term)
            bracket = minus and (-term).is_Add
            texts.append(("- " if minus else "+ ") + (rf"\left({shown}\right)" if bracket else shown))
        return texts

    def _print_Symbol(self, expr: Symbol, style: str = "plain") -> str:
        r"""A letter; x^star has \star above it, which is not the star of a conjugate."""
        return super()._print_Symbol(expr, style).replace("^{star}", r"^{\star}")

    def _print_conjugate(self, expr: Expr, exp: str | None = None) -> str:
        inner = expr.args[0]
        shown = self._print(inner)
        starred = rf"{shown}^{{*}}" if inner.is_Atom or inner.is_Function else rf"\left({shown}\right)^{{*}}"
        if getattr(inner, "is_Indexed", False):
            starred = self._print_Indexed(inner, star=True)
        return rf"{{{starred}}}^{{{exp}}}" if exp else starred

    def _print_re(self, expr: Expr, exp: str | None = None) -> str:
        text = rf"\operatorname{{Re}}\left[{self._print(expr.args[0])}\right]"
        return rf"{text}^{{{exp}}}" if exp else text

    def _print_im(self, expr: Expr, exp: str | None = None) -> str:
        text = rf"\operatorname{{Im}}\left[{self._print(expr.args[0])}\right]"
        return rf"{text}^{{{exp}}}" if exp else text

    def _print_Indexed(self, expr: Any, exp: str | None = None, star: bool = False) -> str:
        name = self._print(expr.base.label)
        name = f"{{{name}}}" if "_" in name else name
        text = f"{name}_{{{', '.join(map(self._print, expr.indices))}}}"
        power = ("*" if star else "") + (exp or "")
        return f"{text}^{{{power}}}" if power else text

    def _print_NamedMatrix(self, expr: NamedMatrix) -> str:
        name = self._print(Symbol(expr.name))
        bold = rf"\boldsymbol{{{name}}}" if expr.shape[1] == 1 else name
        if not expr.parameters:
            return bold
        return f"{bold}_{{{', '.join(map(self._print, expr.parameters))}}}"

    def _print_Identity(self, expr: Any) -> str:
        return "I"

    def _print_MatPow(self, expr: Any) -> str:
        base = self._print(expr.base)
        bare = isinstance(expr.base, NamedMatrix) and not _labelled(expr.base)
        shown = base if bare else rf"\left({base}\right)"
        return rf"{shown}^{{{self._print(expr.exp)}}}"

    def _print_MaxOver(self, expr: Any, exp: str | None = None) -> str:
        index, lower, upper = (self._print(part) for part in expr.limits[0])
        return (
            rf"\max_{{{lower}\le {index}\le {upper}}} {self.parenthesize(expr.function, PRECEDENCE['Mul'])}"
        )

    def _print_Transpose(self, expr: Any) -> str:
        inner = expr.arg
        shown = self._print(inner)
        bare = isinstance(inner, (NamedMatrix, MatrixBase, Stacked)) and not _labelled(inner)
        return rf"{shown}^{{\top}}" if bare else rf"\left({shown}\right)^{{\top}}"

    def _needs_mul_brackets(self, expr: Expr, first: bool = False, last: bool = False) -> bool:
        return (isinstance(expr, OPEN) and not last) or super()._needs_mul_brackets(expr, first, last)

    def _print_Function(self, expr: Expr, exp: str | None = None) -> str:
        text = super()._print_Function(expr, exp)
        text = text.replace(r"{\left(", r"\left(").replace(r"\right)}", r"\right)")
        tall = any(word in text for word in (r"\frac", r"\sum", r"\begin"))
        return (
            text if tall else text.replace(r"\left(", "(").replace(r" \right)", ")").replace(r"\right)", ")")
        )

    def _print_Mul(self, expr: Mul) -> str:
        numerator, denominator = fraction(expr, exact=True)
        if denominator != 1 or not isinstance(numerator, Mul):
            return super()._print_Mul(expr)
        factors = sorted(numerator.as_ordered_factors(), key=_place)
        sign = "- " if factors[0].is_Rational and factors[0] < 0 else ""
        if factors[0].is_Rational:
            factors[:1] = [] if abs(factors[0]) == 1 else [abs(factors[0])]
        last = len(factors) - 1
        return sign + " ".join(self._factor(f, k == last) for k, f in enumerate(factors))

    def _factor(self, factor: Expr, last: bool) -> str:
        text = self._print(factor)
        return rf"\left({text}\right)" if factor.is_Add or (isinstance(factor, OPEN) and not last) else text

    def _print_BlockDiagonal(self, expr: Any) -> str:
        index, low, high = (self._print(part) for part in expr.limits)
        return rf"\bigoplus_{{{index}={low}}}^{{{high}}} {self._print(expr.block)}"

    def _print_Stacked(self, expr: Any) -> str:
        index, low, high = (self._print(part) for part in expr.limits)
        return rf"\left({self._print(expr.block)}\right)_{{{low}\le {index}\le {high}}}"

    def _print_Inner(self, expr: Any) -> str:
        left, right = (self._print(side) for side in expr.args)
        return rf"\left\langle {left},\, {right}\right\rangle"


def _labelled(e: Any) -> bool:
    """Whether something stands above the name already, as in W^Q."""
    return isinstance(e, NamedMatrix) and "^" in e.name


def _place(factor: Expr) -> int:
    """Numbers, positions, letters, powers, functions, brackets, sums: the order people write a product in."""
    letter = factor.args[0] if isinstance(factor, conjugate) else factor
    tests = (
        factor.is_Rational,
        factor.is_number,
        factor.is_integer and (factor.is_Symbol or factor.is_Add),
        letter.is_Symbol or letter.is_Indexed,
        not (factor.is_Function or factor.is_Add or isinstance(factor, (Sum, MaxOver))),
        factor.is_Function and not factor.is_Add,
        factor.is_Add,
        isinstance(factor, MaxOver),
    )
    return next((place for place, holds in enumerate(tests) if holds), len(tests))


def latex(e: Expr | MatrixBase) -> str:
    r"""The book's LaTeX of an expression.

    Example:
        >>> from posenc_lib.proofs import reals
        >>> print(latex(reals("theta") / 2))
        \frac{\theta}{2}
    """
    return BookPrinter().doprint(expression(e))


def terms(e: Expr | MatrixBase) -> tuple[str, ...]:
    """The terms of a sum in LaTeX, each with its sign; anything else is one term."""
    return tuple(BookPrinter().terms(e))


WIDEST = 52  # letters that fit one row of the text column


def _width(text: str) -> int:
    """Roughly how many letters a piece of LaTeX occupies: a matrix counts its widest row."""
    rows = text.split(r"\\") if r"\begin" in text else [text]
    plain = (
        re.sub(r"\\(left|right|mathrm|operatorname|boldsymbol|frac|begin|end)\b", "", row) for row in rows
    )
    return max(len(re.sub(r"\\[A-Za-z]+", "x", row).translate(_INVISIBLE)) for row in plain)


_INVISIBLE = {ord(c): None for c in "{}^_ &\\"}


Side = Any  # an expression, a matrix, or the terms of a sum as LaTeX


def _broken(e: Side) -> list[str]:
    """A long sum in pieces that fit a row; anything else in one piece."""
    lines: list[str] = []
    for term in e if isinstance(e, tuple) else BookPrinter().terms(e):
        if lines and _width(lines[-1]) + _width(term) <= WIDEST:
            lines[-1] += f" {term}"
        else:
            lines.append(term)
    return lines


def aligned(left: Side, rows: list[tuple[str, Side, str]]) -> str:
    """``left`` and its rows (relation, right side, remainder), one relation a row, long sums broken."""
    head, *more = _broken(left)
    if len(rows) == 1 and not more:
        relation, right, remainder = rows[0]
        pieces = _broken(right)
        if len(pieces) == 1 and _width(head) + _width(pieces[0]) <= WIDEST:
            return f"{head} {relation} {pieces[0]}{remainder}"
    own_row = bool(more) or _width(head) + _width(_broken(rows[0][1])[0]) > WIDEST
    lines = [f"&{head}", *(rf"&\quad {line}" for line in more)] if own_row else []
    for number, (relation, right, remainder) in enumerate(rows):
        start, *rest = _broken(right)
        lead = head if number == 0 and not own_row else ""
        gap = r"\quad " if own_row else ""
        lines.append(f"{lead} &{gap}{relation} {start}".strip())
        lines += [rf"&{gap}\quad {line}" for line in rest]
        lines[-1] += remainder
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
