"""The consequence rule: an equation follows from earlier ones by exact algebra.

The claim's numerator is reduced modulo the ideal that the premises generate (a Gröbner basis over Q(i)); a
zero remainder is a certificate that the claim is a polynomial combination of the premises.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Integer
from sympy.polys.groebnertools import groebner
from sympy.polys.rings import PolyElement

from .evaluate import entries
from .generators import Generators, OutOfClass
from .identity import Statement
from .normal import numerators
from .refute import counterexample
from .verdict import Verdict, undecided

ONE = Integer(1)
METHOD = "combination of earlier results (ideal membership)"


def in_ideal(claim: Expr, premises: Sequence[Expr]) -> bool:
    """Whether ``claim = 0`` is an exact consequence of ``premises = 0``.

    Exponentials are units, so the claim may be multiplied by one power of all of them first.
    """
    gens = Generators()
    space, (target, *relations) = numerators([claim, *premises], gens)
    relations = [r for r in relations if r]
    if not target:
        return True
    if not relations:
        return False
    basis = groebner(relations, space.ring)
    if not target.rem(basis):
        return True
    return not (target * _units(space.ring.gens, gens)).rem(basis)


def _units(symbols: Sequence[PolyElement], gens: Generators) -> PolyElement:
    product = symbols[0].ring.one
    for element, symbol in zip(symbols, symbols[0].ring.symbols, strict=True):
        if gens.key_of.get(symbol, Integer(0)).func.__name__ == "exp":
            product *= element
    return product


def decide(claim: Statement, premises: Sequence[Statement], times: Expr = ONE) -> Verdict:
    """Decide a claim from premises; ``times`` is a factor known to be non-zero that may be cancelled.

    Raises
    ------
    ValueError
        if ``times`` is not known to be non-zero from the domains of its symbols.
    """
    if times != 1 and not times.is_nonzero:
        raise ValueError(f"times must be non-zero on the stated domain, got {times}, which may vanish")
    equations = [x - y for p in premises for x, y in zip(entries(p.left), entries(p.right), strict=True)]
    targets = [(x - y) * times for x, y in zip(entries(claim.left), entries(claim.right), strict=True)]
    try:
        if all(in_ideal(target, equations) for target in targets):
            return Verdict("proved", METHOD, claim.scope())
        reason = "the claim is not a combination of the premises"
    except OutOfClass as problem:
        reason = str(problem)
    if not equations:
        found = counterexample(claim.left, "=", claim.right, claim.where)
        if found is not None:
            return Verdict("refuted", METHOD, claim.scope(), counterexample=found)
    return undecided(METHOD, reason, claim.scope())
