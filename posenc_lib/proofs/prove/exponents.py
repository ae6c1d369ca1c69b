"""One form for the terms of an exponent, so that b^(d/(d+2)) · b^(2/(d+2)) is recognised as b."""

from __future__ import annotations

from sympy import Add, Expr, Poly, Pow, Symbol, cancel, expand, fraction, reduced


def serial(symbol: Symbol) -> tuple[int, str]:
    """Generators in the order of their creation, which later ones do not change."""
    return (getattr(symbol, "dummy_index", 0), symbol.name)


def divided_out(e: Expr) -> Expr:
    """A fraction as quotient plus remainder over a monic denominator: d/(d + 2) = 1 − 2/(d + 2)."""
    if not any(p.exp.is_negative and p.base.is_Add for p in e.atoms(Pow)):
        return e
    numerator, denominator = fraction(cancel(e))
    letters = sorted(denominator.free_symbols, key=serial)
    if not letters:
        return numerator / denominator
    if not (numerator.is_polynomial(*letters) and denominator.is_polynomial(*letters)):
        return e
    polynomial = Poly(denominator, *letters)
    monic = polynomial.monic().as_expr()
    (quotient,), rest = reduced(expand(numerator / polynomial.LC()), [monic], *letters)
    return quotient + Add(*(term / monic for term in Add.make_args(expand(rest))))
