"""What to try where no proof of an identity was found."""

from __future__ import annotations

from sympy import Basic, Pow, Product, Sum, Symbol

from ..rules.identity import Identity
from ..rules.rule import Rule
from ..terms.binders import bound_letters
from ..terms.statement import Statement


def advice(*sides: Basic) -> str:
    """The rule that may show what a sum up to N is, or an equation of powers of N; "" if none comes to mind.

    Example:
        >>> from sympy import Sum
        >>> from posenc_lib.proofs import counts, naturals
        >>> i, N, d = *naturals("i N"), counts("d")
        >>> advice(Sum(i**2, (i, 1, N)), N * (N + 1) * (2 * N + 1) / 6)
        'try by=induction(N)'
        >>> advice(Sum(i**2, (i, 0, d - 1)), d)
        'try by=induction(d, 1)'
    """
    totals = [side.atoms(Sum, Product) for side in sides]
    if all(totals):  # what both have is not computed by either
        return ""
    ends = [limit[2] for found in totals for total in found for limit in total.limits]
    exponents = [power.exp for side in sides for power in side.atoms(Pow)] if not any(totals) else []
    bound = bound_letters(*sides)
    for e in (*ends, *exponents):
        for n in sorted(e.free_symbols - bound, key=str):
            if isinstance(n, Symbol) and n.is_integer and n.is_nonnegative and not n.is_even:
                return f"try by=induction({n}{', 1' if n.is_positive else ''})"
    return ""


def not_found(problem: Exception, statement: Statement, by: Rule) -> str:
    """What to say of a row that the kernel does not rebuild and no point refutes.

    Example:
        >>> from posenc_lib.proofs import Statement, identity, naturals
        >>> N = naturals("N")
        >>> not_found(ValueError("too long"), Statement(2**N, "=", N), identity)
        'no proof was found (too long), nor a point at which it fails; try by=induction(N)'
    """
    said = f"no proof was found ({problem or type(problem).__name__}), nor a point at which it fails"
    tip = advice(statement.left, statement.right) if isinstance(by, Identity) else ""
    return f"{said}; {tip}" if tip else said
