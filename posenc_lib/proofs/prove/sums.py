"""Sums with symbolic length, as linear combinations of irreducible sums.

Every range is shifted to start at 0, a constant number of terms is split off so that ranges of length n and
n + 1 can be compared, and factors that do not depend on the index leave the sum.
"""

from __future__ import annotations

from sympy import Add, Expr, Function, Indexed, Integer, Mul, Product, Sum, Symbol, expand, preorder_traversal
from sympy.core.function import AppliedUndef

from ..terms.depth import depth
from ..terms.symbols import CANONICAL_PREFIX, FINISHED
from ..terms.verdict import OutOfClass
from ..values.substitution import substitute
from .generators import Generators

LONGEST = 64  # numeric ranges up to this length are written out


def _nesting(e: Expr) -> int:
    sums = (f for f in preorder_traversal(e) if getattr(f.func, "__name__", "") == "sum_")
    return max((1 + _nesting(f.args[0]) for f in sums), default=0)


def rewrite_sum(gens: Generators, e: Sum) -> Expr:
    """A sum, possibly over several indices, as a combination of irreducible sums, each a generator."""
    return _rewrite(gens, e.function, [tuple(limit) for limit in e.limits])


def _rewrite(gens: Generators, function: Expr, limits: list[tuple[Symbol, Expr, Expr]]) -> Expr:

    if not limits:
        return gens.rewrite(function)
    *inner, (index, lower, upper) = limits
    if not index.is_integer:
        raise OutOfClass(f"the index {index} of a sum must be an integer symbol")
    k = Symbol(f"{CANONICAL_PREFIX}{depth(function, Sum) + len(inner)}", integer=True, nonnegative=True)

    def at(value: Expr) -> Expr:
        moved = [(i, substitute(a, {index: value}), substitute(b, {index: value})) for i, a, b in inner]
        return _rewrite(gens, substitute(function, {index: value}), moved)

    constant, symbolic = expand(upper - lower + 1).as_coeff_Add()
    if symbolic == 0:
        if not (constant.is_Integer and 0 <= constant <= LONGEST):
            raise OutOfClass(f"a sum of {constant} terms: at most {LONGEST} are written out")
        return Add(*(at(lower + t) for t in range(int(constant))))
    length = symbolic + constant
    if not (constant.is_Integer and abs(constant) <= LONGEST and symbolic.is_integer):
        raise OutOfClass(f"the length {length} of a sum must be an integer")
    if not (length.is_nonnegative and symbolic.is_nonnegative):
        raise OutOfClass(f"the length {length} of a sum is not known to be non-negative")
    extra = [at(lower + symbolic + t) for t in range(int(constant))]
    missing = [at(lower + symbolic - t) for t in range(1, 1 - int(constant))]
    terms = Add.make_args(expand(at(lower + k)))
    return Add(*extra) - Add(*missing) + Add(*(_irreducible(gens, t, k, symbolic) for t in terms))


def rewrite_product(gens: Generators, e: Product) -> Expr:
    """A product of symbolic length: a constant number of factors is split off, the rest is a generator."""

    (index, lower, upper), *outer = (tuple(limit) for limit in e.limits)
    if outer or not index.is_integer:
        raise OutOfClass(f"a product over one integer index is expected, got {e}")
    constant, symbolic = expand(upper - lower + 1).as_coeff_Add()
    at = lambda value: gens.rewrite(substitute(e.function, {index: value}))  # noqa: E731
    if (
        not (constant.is_Integer and symbolic.is_integer)
        or abs(constant) > LONGEST
        or not symbolic.is_nonnegative
        or constant < 0
    ):
        raise OutOfClass(f"the length {symbolic + constant} of a product is not known to be non-negative")
    ends = Mul(*(at(lower + symbolic + t) for t in range(int(constant))))
    if symbolic == 0:
        return ends
    k = Symbol(f"{CANONICAL_PREFIX}product{depth(e.function, Product)}", integer=True, nonnegative=True)
    kernel = gens.canonical(substitute(e.function, {index: k + lower}))
    return ends * gens.generator(Function("product_")(kernel, gens.canonical(symbolic)))


def _irreducible(gens: Generators, term: Expr, k: Symbol, length: Expr) -> Expr:
    """Σ over k < length of one term: what does not depend on k goes out, the rest becomes a generator."""
    inside: list[Expr] = []
    outside: list[Expr] = []
    for factor in Mul.make_args(term):
        (inside if k in gens.restore(factor).free_symbols else outside).append(factor)
    if not inside:
        return Mul(*outside) * gens.rewrite(length)
    kernel = gens.restore(Mul(*inside))
    factor, ends = Mul(*outside), Integer(0)
    offset = _offset(kernel, k)
    if offset:  # Σ g(k + o) = Σ g(k) + the o terms gained above − the o terms lost below
        kernel = substitute(kernel, {k: k - offset})
        sign, steps = (1, range(offset)) if offset > 0 else (-1, range(offset, 0))
        gained = Add(*(gens.rewrite(substitute(kernel, {k: length + t})) for t in steps))
        ends = sign * (gained - Add(*(gens.rewrite(substitute(kernel, {k: Integer(t)})) for t in steps)))
    canonical = Symbol(f"{CANONICAL_PREFIX}{_nesting(kernel)}", **k.assumptions0)
    kernel = substitute(kernel, {k: canonical})
    return factor * (ends + gens.generator(Function("sum_")(kernel, gens.canonical(length))))


def _offset(kernel: Expr, k: Symbol) -> int:
    """The smallest constant c among the arguments k + c of sequences and functions: sums start there."""
    heads = kernel.atoms(Indexed, AppliedUndef)
    if any(h.func.__name__ in FINISHED for h in heads if isinstance(h, AppliedUndef)):
        return 0
    shifts = []
    for head in heads:
        for argument in head.indices if isinstance(head, Indexed) else head.args:
            constant = argument - k
            if constant.is_Integer and abs(constant) <= LONGEST:
                shifts.append(int(constant))
    return min(shifts, default=0)
