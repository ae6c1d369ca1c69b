"""Where an expression may have no value: a denominator that vanishes, log 0, the maximum of nothing."""

from __future__ import annotations

from sympy import Basic, Ci, Ei, Expr, Mul, Pow, Product, Sum, cot, csc, gamma, log, sec, tan
from sympy.matrices import MatrixBase

from .evaluate import entries
from .extrema import MaxOver
from .letters import BINDERS, limits


def divisors(*sides: Expr | MatrixBase) -> set[Basic]:
    """What the sides divide by and may vanish; a tangent stands for its denominator."""
    powers = {p for side in sides for p in side.atoms(Pow) if not p.exp.is_extended_nonnegative}
    turns = {f for side in sides for f in side.atoms(tan, cot, sec, csc)}
    return {p.base for p in powers if not nonzero(p.base)} | turns


def nonzero(e: Expr) -> bool:
    """Whether e is known not to vanish; SymPy 1.14 takes Σ i for a number that is not real, even if empty."""
    doubtful = any(total.is_extended_real is False for total in e.atoms(Sum, Product))
    return bool(e.is_nonzero) and not doubtful


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


def unsaid(said: tuple[Expr | MatrixBase, ...], *premise: Expr | MatrixBase) -> str:
    """Where a premise says nothing although the statement does: "" if nowhere."""
    missing = sorted(map(str, gaps(*premise) - gaps(*said)))
    return f"a premise says nothing where {', '.join(missing)} vanishes or has no value" if missing else ""
