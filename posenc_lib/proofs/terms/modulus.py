"""|z| that stays |z|: SymPy writes the ``Abs`` of exponentials out as a root as soon as it is built."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr

from .expression import expression


class Modulus(Abs):
    """The modulus of a finite complex number, kept as it is written; checked like ``Abs``.

    Example:
        >>> from sympy import I, Integral, exp
        >>> from posenc_lib.proofs import positives, reals
        >>> x, t = positives("x"), reals("t")
        >>> Modulus(Integral(exp(I * x * t), (t, 0, 1)))
        |Integral(exp(I*t*x), (t, 0, 1))|
    """

    is_nonnegative = True

    def __new__(cls, z: Any) -> Expr:
        return super().__new__(cls, expression(z, "the modulus"))

    @classmethod
    def eval(cls, z: Expr) -> Expr | None:
        """Only numbers are evaluated."""
        return abs(z) if z.is_Rational else None

    def _sympystr(self, printer: Any) -> str:
        return f"|{printer.doprint(self.args[0])}|"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        shown = rf"\left\lvert {printer.doprint(self.args[0])} \right\rvert"
        return shown if exp is None else f"{shown}^{{{exp}}}"
