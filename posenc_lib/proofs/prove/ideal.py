"""Consequences: an equation follows from earlier ones by exact algebra.

The claim's numerator is reduced modulo the ideal that the premises generate (a Gröbner basis over Q(i)); a
zero remainder is a certificate that the claim is a polynomial combination of the premises.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Integer, Symbol, exp
from sympy.matrices import MatrixBase
from sympy.polys.groebnertools import groebner
from sympy.polys.rings import PolyElement

from ..attack.refute import counterexample
from ..terms.expression import entries
from ..terms.statement import Statement
from ..terms.undefined import nonzero, unsaid
from ..terms.verdict import OutOfClass, Verdict, undecided
from ..values.substitution import replaced
from .check import check
from .elementary import conj
from .generators import Generators
from .normal import reduced_fractions
from .rewriting import REWRITING

ONE = Integer(1)
METHOD = "combination of earlier results (ideal membership)"


MOST_FOR_BASIS = 200  # relations × generators: a larger Gröbner basis may not finish


def in_ideal(claim: Expr, premises: Sequence[Expr], thorough: bool = True) -> bool:
    """Whether ``claim = 0`` is an exact consequence of ``premises = 0``.

    An equation carries its conjugate. Exponentials and the premises' denominators are not zero, so the claim
    may be multiplied by them. Plain division is tried before a Gröbner basis, which can be slow.
    """
    gens = Generators(REWRITING)
    both = [*premises, *(conj(p) for p in premises if not p.is_extended_real)]
    space, fractions = reduced_fractions([claim, *both], gens)
    (target, _), *relations = fractions
    ideal = [numerator for numerator, _ in relations if numerator]
    if not target:
        return True
    if not ideal:
        return False
    if not target.rem(ideal):
        return True
    if not thorough or len(ideal) * space.ring.ngens > MOST_FOR_BASIS:
        return False
    basis = groebner(ideal, space.ring)
    if not target.rem(basis):
        return True
    for _, denominator in relations:
        target *= denominator
    return not (target * _units(space.ring.gens, gens)).rem(basis)


def _units(symbols: Sequence[PolyElement], gens: Generators) -> PolyElement:
    product = symbols[0].ring.one
    for element, symbol in zip(symbols, symbols[0].ring.symbols, strict=True):
        if isinstance(gens.key_of.get(symbol), exp):
            product *= element
    return product


def put_in(side: Expr, premises: Sequence[Statement]) -> Expr:
    """Equals put for equals: every left side of a premise replaced by its right side."""
    for premise in premises:
        if isinstance(premise.left, Symbol) and premise.left not in side.free_symbols:
            continue
        side = replaced(side, {premise.left: premise.right})
    return side


def consequence(
    claim: Statement, premises: Sequence[Statement], times: Expr = ONE, thorough: bool = True
) -> Verdict:
    """Decide a claim from premises; ``times`` is a factor known to be non-zero that may be cancelled.

    Raises:
        ValueError: if ``times`` is not known to be non-zero from the domains of its symbols.
    """
    if times != 1 and not nonzero(times):
        raise ValueError(f"times must be non-zero on the stated domain, got {times}, which may vanish")
    sides = [side for premise in premises for side in (premise.left, premise.right)]
    if reason := unsaid((claim.left, claim.right), *sides):
        return undecided(METHOD, reason, claim.scope(), final=True)
    if _scalar(claim) and all(_scalar(p) for p in premises):
        replaced = check(put_in(claim.left, premises), put_in(claim.right, premises), claim.where)
        if replaced:
            return Verdict("checked", "earlier results put in, then " + replaced.method, claim.scope())
    equations = [x - y for p in premises for x, y in zip(entries(p.left), entries(p.right), strict=True)]
    targets = [(x - y) * times for x, y in zip(entries(claim.left), entries(claim.right), strict=True)]
    try:
        if all(in_ideal(target, equations, thorough) for target in targets):
            return Verdict("checked", METHOD, claim.scope())
        reason = "the claim is not a combination of the premises"
    except OutOfClass as problem:
        reason = str(problem)
    if not equations:
        found = counterexample(claim.left, "=", claim.right, claim.where)
        if found is not None:
            return Verdict("refuted", METHOD, claim.scope(), counterexample=found)
    return undecided(METHOD, reason, claim.scope())


def _scalar(statement: Statement) -> bool:
    return not isinstance(statement.left, MatrixBase)
