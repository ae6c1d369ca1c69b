"""Where an expression may have no value: a denominator that vanishes, log 0, the maximum of nothing."""

from __future__ import annotations

from sympy import (
    Add,
    Basic,
    Ci,
    Derivative,
    Ei,
    Expr,
    Mul,
    Pow,
    Product,
    Si,
    Sum,
    cos,
    cosh,
    cot,
    csc,
    erf,
    exp,
    gamma,
    log,
    sec,
    sin,
    sinh,
    tan,
    tanh,
)  # fmt: skip
from sympy.matrices import MatrixBase

from .binders import BINDERS, limits
from .domains import domain_of, in_domain
from .expression import entries
from .extrema import MaxOver

REAL = (sin, cos, tan, cot, sec, csc, sinh, cosh, tanh, exp, Si, erf)  # of real numbers, where defined


def divisors(*sides: Expr | MatrixBase) -> set[Basic]:
    """What the sides divide by and may vanish; a tangent stands for its denominator."""
    powers = {p for side in sides for p in side.atoms(Pow) if not p.exp.is_extended_nonnegative}
    turns = {f for side in sides for f in side.atoms(tan, cot, sec, csc)}
    return {p.base for p in powers if not nonzero(p.base)} | turns


def nonzero(e: Expr) -> bool:
    """Whether e is known not to vanish.

    SymPy 1.14 takes Σ i for a number that is not real, even if empty, and 2m/(2n + 1) for one that is no
    integer, even if m = 0: neither is believed.
    """
    if isinstance(e, Mul):
        return all(map(nonzero, e.args))
    if isinstance(e, (Pow, exp)):
        return isinstance(e, exp) or nonzero(e.base)
    if any(total.is_extended_real is False for total in e.atoms(Sum, Product)):
        return False
    if e.is_positive or e.is_negative:
        return True
    fraction = e.is_integer is False and any(p.exp.is_negative for p in e.atoms(Pow))
    return bool(e.is_nonzero) and not fraction


def gaps(*sides: Expr | MatrixBase) -> set[Basic]:
    """What leaves the sides without a value where it vanishes, or has none itself.

    Where that depends on a bound letter, the sum (or its like) stands for it: its range decides.
    """
    return set().union(*(_gaps(entry) for side in sides for entry in entries(side)))


def _gaps(e: Basic) -> set[Basic]:
    inside: set[Basic] = set().union(*(_gaps(part) for part in e.args))
    if isinstance(e, BINDERS):
        bound = {limit[0] for limit in limits(e)}
        inside = {e if gap.free_symbols & bound else gap for gap in inside}
    return inside | _own_gap(e)


def _own_gap(e: Basic) -> set[Basic]:
    if isinstance(e, Pow):
        return set() if e.exp.is_extended_nonnegative else _zeros(e.base)
    if isinstance(e, (log, Ci, Ei)):
        return _zeros(e.args[0])
    if isinstance(e, gamma):
        return set() if e.args[0].is_positive else {e}
    if isinstance(e, MaxOver):
        _, low, high = e.limits[0]
        return set() if (high - low).is_nonnegative else {e}
    return {e} if isinstance(e, (tan, cot, sec, csc)) else set()


def _zeros(e: Expr) -> set[Basic]:
    """The factors that may vanish, numbers and signs left out: 2 − 2x vanishes where x − 1 does."""
    factors = (factor.primitive()[1] for factor in Mul.make_args(e.primitive()[1]))
    return {-f if f.could_extract_minus_sign() else f for f in factors if not nonzero(f)}


def real_where_defined(e: Expr) -> bool:
    """Whether e is known to be real wherever it has a value: 1/x, which SymPy leaves open, is."""
    if e.is_extended_real:
        return True
    if isinstance(e, (log, Ci, Ei)):
        return bool(e.args[0].is_positive)
    if isinstance(e, Pow) and not e.exp.is_integer:
        return bool(e.base.is_nonnegative) and real_where_defined(e.exp)
    if isinstance(e, Derivative):
        return real_where_defined(e.expr)
    if isinstance(e, BINDERS):
        return real_where_defined(e.args[0])
    return isinstance(e, (Add, Mul, Pow, *REAL)) and all(map(real_where_defined, e.args))


def require_domain(symbol: Basic, value: Basic) -> None:
    """Refuse to put a value outside its domain for a symbol, or one that is missing somewhere."""
    if not in_domain(symbol, value) or gaps(value):
        raise ValueError(f"{value} is not known to lie in the domain of {symbol} ({domain_of(symbol)})")


def unsaid(said: tuple[Expr | MatrixBase, ...], *premise: Expr | MatrixBase) -> str:
    """Where a premise says nothing although the statement does: "" if nowhere."""
    missing = sorted(map(str, gaps(*premise) - gaps(*said)))
    return f"a premise says nothing where {', '.join(missing)} vanishes or has no value" if missing else ""
