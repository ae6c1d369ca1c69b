"""Sums with symbolic length, as linear combinations of irreducible sums.

Every range is shifted to start at 0, a constant number of terms is split off so that ranges of length n and
n + 1 can be compared, and factors that do not depend on the index leave the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Add, Expr, Function, Integer, Mul, Sum, Symbol, expand, preorder_traversal

from .symbols import CANONICAL_PREFIX

if TYPE_CHECKING:
    from .generators import Generators

LONGEST = 64  # numeric ranges up to this length are written out


def _depth(e: Expr) -> int:
    return max((1 + _depth(s.function) for s in preorder_traversal(e) if isinstance(s, Sum)), default=0)


def rewrite_sum(gens: Generators, e: Sum) -> Expr:
    """A sum as a combination of irreducible sums, each a generator."""
    from .generators import OutOfClass

    (index, lower, upper), *outer = (tuple(limit) for limit in e.limits)
    if outer:
        inner = Sum(e.function, e.limits[0])
        return rewrite_sum(gens, Sum(inner, *e.limits[1:]))
    if not index.is_integer:
        raise OutOfClass(f"the index {index} of a sum must be an integer symbol")
    k = Symbol(f"{CANONICAL_PREFIX}{_depth(e.function)}", integer=True, nonnegative=True)
    summand = e.function.subs(index, k + lower)
    length = expand(upper - lower + 1)
    constant, symbolic = length.as_coeff_Add()
    if symbolic == 0:
        if not (constant.is_Integer and 0 <= constant <= LONGEST):
            raise OutOfClass(f"the range of {e} is not a range of at most {LONGEST} integers")
        return Add(*(gens.rewrite(summand.subs(k, Integer(t))) for t in range(int(constant))))
    if not (constant.is_Integer and abs(constant) <= LONGEST and symbolic.is_integer):
        raise OutOfClass(f"the length {length} of a sum must be an integer")
    if not (length.is_nonnegative and symbolic.is_nonnegative):
        raise OutOfClass(f"the length {length} of a sum is not known to be non-negative")
    split = [summand.subs(k, symbolic + t) for t in range(int(constant))]
    missing = [summand.subs(k, symbolic - t) for t in range(1, 1 - int(constant))]
    ends = Add(*(gens.rewrite(t) for t in split)) - Add(*(gens.rewrite(t) for t in missing))
    return ends + Add(
        *(_irreducible(gens, t, k, symbolic) for t in Add.make_args(expand(gens.rewrite(summand))))
    )


def _irreducible(gens: Generators, term: Expr, k: Symbol, length: Expr) -> Expr:
    """Σ over k < length of one term: what does not depend on k goes out, the rest becomes a generator."""
    inside: list[Expr] = []
    outside: list[Expr] = []
    for factor in Mul.make_args(term):
        (inside if k in gens.restore(factor).free_symbols else outside).append(factor)
    if not inside:
        return Mul(*outside) * gens.rewrite(length)
    kernel = gens.restore(Mul(*inside))
    return Mul(*outside) * gens.generator(Function("sum_")(kernel, gens.canonical(length)))
