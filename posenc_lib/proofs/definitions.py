"""Named objects and what they stand for: ``R(m)`` is printed as R(m) and checked as its matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sympy import Basic, Dummy, Expr, ImmutableDenseMatrix, Indexed, Integer, Matrix, Sum, Symbol, Tuple
from sympy.core.function import AppliedUndef
from sympy.core.symbol import Str
from sympy.matrices import MatrixBase
from sympy.matrices.expressions.matexpr import MatrixExpr

from .blocks import BlockDiagonal, Stacked, generic_block, over_blocks
from .extrema import MaxOver


class NamedMatrix(MatrixExpr):
    """A matrix or vector known by name and parameters, such as R(m) or p(n)."""

    def __new__(cls, name: Str, rows: Integer, columns: Integer, parameters: Tuple) -> NamedMatrix:
        return Basic.__new__(cls, name, rows, columns, parameters)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[1], self.args[2]

    @property
    def name(self) -> str:
        return str(self.args[0])

    @property
    def parameters(self) -> tuple[Expr, ...]:
        return tuple(self.args[3])


class Inner(Expr):
    """The real inner product ⟨u, v⟩ = uᵀv of two vectors, as a scalar."""

    is_commutative = True
    is_extended_real = True

    def __new__(cls, u: MatrixExpr | MatrixBase, v: MatrixExpr | MatrixBase) -> Inner:
        if u.shape != v.shape or u.shape[1] != 1:
            raise ValueError(
                f"inner product of two columns of equal length expected, got {u.shape} and {v.shape}"
            )
        wrap = lambda w: ImmutableDenseMatrix(w) if isinstance(w, MatrixBase) else w  # noqa: E731
        return Basic.__new__(cls, wrap(u), wrap(v))

    def written_out(self) -> Expr:
        """The sum of products of entries."""
        (u, limits), (v, others) = (generic_block(side) for side in self.args)
        if limits is not None and others is not None and limits[1:] == others[1:]:
            return Sum(Inner(u, v.subs(others[0], limits[0])).written_out(), limits)
        u, v = _explicit(u), _explicit(v)
        return sum((a * b for a, b in zip(u, v, strict=True)), Integer(0))


def _explicit(e: Any) -> Any:
    if isinstance(e, MatrixBase):
        return e
    done = over_blocks(e)
    if isinstance(done, Sum):
        return Sum(_explicit(done.function)[0, 0], *done.limits)
    if isinstance(done, (BlockDiagonal, Stacked)):
        return done.func(_explicit(done.block), done.limits)
    done = e.doit()
    return done if isinstance(done, MatrixBase) else done.as_explicit()


def matrix_function(name: str, rows: int, columns: int) -> Callable[..., NamedMatrix]:
    """A matrix that depends on parameters: ``R = matrix_function("R", 2, 2)``, used as ``R(m)``.

    >>> from posenc_lib.proofs import integers
    >>> R = matrix_function("R", 2, 2)
    >>> R(integers("m")).shape
    (2, 2)
    """

    def applied(*parameters: Expr) -> NamedMatrix:
        return NamedMatrix(Str(name), Integer(rows), Integer(columns), Tuple(*parameters))

    return applied


def vector_function(name: str, length: int) -> Callable[..., NamedMatrix]:
    """A column vector that depends on parameters.

    >>> from posenc_lib.proofs import integers
    >>> vector_function("p", 3)(integers("m")).shape
    (3, 1)
    """
    return matrix_function(name, length, 1)


def real_entries(name: str, rows: int, columns: int = 1) -> Matrix:
    """A matrix of independent real symbols, to define a named matrix with.

    >>> real_entries("x", 2)
    Matrix([
    [x_1],
    [x_2]])
    """
    digits = range(1, columns + 1)
    label = (lambda r, c: f"{name}_{r}") if columns == 1 else (lambda r, c: f"{name}_{r}{c}")
    return Matrix([[Symbol(label(r, c), real=True) for c in digits] for r in range(1, rows + 1)])


Head: TypeAlias = Any  # Symbol | Indexed | AppliedUndef | NamedMatrix: sympy has no types


def _key(e: Basic) -> tuple[str, str] | None:
    if isinstance(e, NamedMatrix):
        return "matrix", e.name
    if isinstance(e, Indexed):
        return "sequence", str(e.base.label)
    if isinstance(e, AppliedUndef):
        return "function", e.func.__name__
    if isinstance(e, Symbol):
        return "symbol", e.name
    return None


def _parameters(head: Head) -> tuple[Expr, ...]:
    if isinstance(head, NamedMatrix):
        return head.parameters
    if isinstance(head, Indexed):
        return tuple(head.indices)
    return () if isinstance(head, Symbol) else tuple(head.args)


class Definitions:
    """What each name stands for; ``unfold`` replaces every name by its meaning."""

    def __init__(self) -> None:
        self.bodies: dict[tuple[str, str], tuple[tuple[Expr, ...], Expr | MatrixBase]] = {}
        self._unfolded: dict[Any, Any] = {}  # one side is compared with many wrong versions of the other

    def add(self, head: Head, body: Expr | MatrixBase) -> None:
        """Record ``head := body``.

        Raises
        ------
        ValueError
            if the name is taken, a parameter is not a plain symbol, or the shapes differ.
        """
        key = _key(head)
        if key is None:
            raise ValueError(
                f"cannot define {head}: a name, a sequence entry, f(x) or a named matrix is expected"
            )
        if key in self.bodies:
            raise ValueError(f"{head} is already defined")
        parameters = _parameters(head)
        if not all(isinstance(p, Symbol) for p in parameters):
            raise ValueError(
                f"the parameters of {head} must be plain symbols, so that it is defined for all of them"
            )
        if isinstance(head, NamedMatrix) and tuple(body.shape) != tuple(head.shape):
            raise ValueError(f"{head.name} has shape {head.shape}, its definition has shape {body.shape}")
        self._unfolded.clear()
        self.bodies[key] = parameters, ImmutableDenseMatrix(body) if isinstance(body, MatrixBase) else body

    def unfold(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        """``e`` with every name replaced by its meaning, matrices written out entry by entry."""
        key = e.as_immutable() if isinstance(e, MatrixBase) else e
        if key not in self._unfolded:
            self._unfolded[key] = self._unfold(key)
        return self._unfolded[key]

    def _unfold(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        for _ in range(32):
            replaced = self._once(e)
            if replaced == e:
                break
            e = replaced
        inner = {product: product.written_out() for product in e.atoms(Inner)}
        e = e.xreplace(inner) if inner else e
        return _explicit(e) if isinstance(e, MatrixExpr) else e

    def _once(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        if isinstance(e, MatrixBase):
            return e.applyfunc(self._once)
        names = {a for a in e.atoms(Symbol, Indexed, AppliedUndef, NamedMatrix) if _key(a) in self.bodies}
        return e.xreplace({name: self._meaning(name) for name in names}) if names else e

    def _meaning(self, name: Head) -> Expr | MatrixBase:
        parameters, body = self.bodies[_key(name)]  # type: ignore[index]
        values = _parameters(name)
        body = _without_capture(body, {s for value in values for s in value.free_symbols})
        return body.subs(list(zip(parameters, values, strict=True)), simultaneous=True)


def _without_capture(e: Any, taken: set[Basic]) -> Any:
    """Rename bound indices that a parameter is about to bring in from outside."""
    bound = [s for s in e.atoms(Sum, MaxOver) if s.limits[0][0] in taken]
    for old in sorted(bound, key=lambda s: len(s.atoms(Sum, MaxOver))):
        index, *rest = old.limits[0]
        fresh = Dummy(index.name, **index.assumptions0)
        renamed = old.func(old.function.xreplace({index: fresh}), (fresh, *rest), *old.limits[1:])
        e = e.xreplace({old: renamed})
    return e
