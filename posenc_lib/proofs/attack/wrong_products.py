"""Plausible slips in a product of matrices of any size: another order, a transpose or a factor forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from sympy import Identity, MatAdd, MatMul, MatPow, Transpose
from sympy.matrices.expressions.matexpr import MatrixExpr

from ..terms.matrices import NamedMatrix


def wrong_products(e: MatrixExpr) -> Iterator[MatrixExpr]:
    """Wrong versions of a sum of products: the whole with another sign or transposed, and one part changed.

    Example:
        >>> from posenc_lib.proofs import counts, square_matrices
        >>> A, B = square_matrices("A B", counts("d"))
        >>> found = list(wrong_products(A * B.T))
        >>> [wrong in found for wrong in (-A * B.T, B * A.T, B.T * A, A * B, A * B.T)]
        [True, True, True, True, False]
    """
    yield from (-e, 2 * e)
    if e.shape[0] == e.shape[1] != 1:
        yield from (e + Identity(e.shape[0]), e.T)
    yield from _changed(e)


def _changed(e: MatrixExpr) -> Iterator[MatrixExpr]:
    """One part changed, of the same shape."""
    yield from (wrong for wrong in _slips(e) if wrong.shape == e.shape)
    if isinstance(e, (MatAdd, MatMul, MatPow, Transpose)):
        for k, part in enumerate(e.args):
            if isinstance(part, MatrixExpr):
                yield from (e.func(*e.args[:k], wrong, *e.args[k + 1 :]).doit() for wrong in _changed(part))


def _slips(e: Any) -> Iterator[Any]:
    if isinstance(e, NamedMatrix):
        for k, value in enumerate(e.parameters):
            for wrong in (value + 1, -value):
                parameters = (*e.parameters[:k], wrong, *e.parameters[k + 1 :])
                yield e.func(*e.args[:3], type(e.args[3])(*parameters))
    elif isinstance(e, MatAdd):
        for k, term in enumerate(e.args):
            yield MatAdd(*e.args[:k], -term, *e.args[k + 1 :]).doit()
    elif isinstance(e, MatMul):
        factors = [a for a in e.args if isinstance(a, MatrixExpr)]
        for k, (a, b) in enumerate(pairwise(factors)):
            if a.shape == b.shape and a.shape[0] == a.shape[1]:
                yield MatMul(*factors[:k], b, a, *factors[k + 2 :]).doit()
        for k, factor in enumerate(factors):
            if factor.shape[0] == factor.shape[1] and len(factors) > 1:
                yield MatMul(*factors[:k], *factors[k + 1 :]).doit()
    elif isinstance(e, Transpose):
        yield e.arg
    elif isinstance(e, MatPow):
        yield e.base if e.exp < 0 else MatPow(e.base, e.exp + 1)
