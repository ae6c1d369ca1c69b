"""Named objects and what they stand for: ``R(m)`` is printed as R(m) and checked as its matrix."""

from __future__ import annotations

from typing import Any, TypeAlias

from sympy import (
    Basic,
    Expr,
    ImmutableDenseMatrix,
    Indexed,
    Integer,
    Symbol,
    Tuple,
)
from sympy.core.function import AppliedUndef
from sympy.matrices import MatrixBase

from ..terms.any_size import unknown
from ..terms.binders import bound_letters
from ..terms.domains import free_atoms
from ..terms.matrices import NamedMatrix
from ..terms.undefined import require_domain
from ..values.substitution import replaced, substitute
from ..values.written_out import written_out

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


def parameters_of(head: Head) -> tuple[Expr, ...]:
    if isinstance(head, NamedMatrix):
        return head.parameters
    if isinstance(head, Indexed):
        return tuple(head.indices)
    return () if isinstance(head, Symbol) else tuple(head.args)


def _at_nothing(e: Basic) -> Basic:
    """A letter; of a sequence or a function one value, without the letters of its argument."""
    if isinstance(e, Indexed):
        return e.base[(Integer(0),) * len(e.indices)]
    if isinstance(e, NamedMatrix):
        return e.func(*e.args[:3], Tuple(*(Integer(0),) * len(e.parameters)))
    return e.func(*(Integer(0),) * len(e.args)) if isinstance(e, AppliedUndef) else e


class Definitions:
    """What each name stands for; ``unfold`` replaces every name by its meaning."""

    def __init__(self) -> None:
        self.bodies: dict[tuple[str, str], tuple[tuple[Expr, ...], Expr | MatrixBase]] = {}
        self.heads: dict[tuple[str, str], Head] = {}
        self._unfolded: dict[Any, Any] = {}  # one side is compared with many wrong versions of the other

    def add(self, head: Head, body: Expr | MatrixBase) -> None:
        """Record ``head := body``.

        Raises:
            ValueError: if the name is taken, a parameter is not a plain symbol, or the shapes differ.
        """
        key = _key(head)
        if key is None:
            raise ValueError(
                f"cannot define {head}: a name, a sequence entry, f(x) or a named matrix is expected"
            )
        if key in self.bodies:
            raise ValueError(f"{head} is already defined")
        parameters = parameters_of(head)
        if not all(isinstance(p, Symbol) for p in parameters):
            raise ValueError(
                f"the parameters of {head} must be plain symbols, so that it is defined for all of them"
            )
        if len(set(parameters)) != len(parameters):
            raise ValueError(f"the parameters of {head} must differ")
        if key in {_key(a) for a in self.unfold(body).atoms(Symbol, Indexed, AppliedUndef, NamedMatrix)}:
            raise ValueError(f"{head} may not stand for something that contains it")
        if isinstance(head, NamedMatrix) and tuple(body.shape) != tuple(head.shape):
            raise ValueError(f"{head.name} has shape {head.shape}, its definition has shape {body.shape}")
        self._unfolded.clear()
        self.bodies[key] = parameters, ImmutableDenseMatrix(body) if isinstance(body, MatrixBase) else body
        self.heads[key] = head

    def used(self, *sides: Expr | MatrixBase) -> list[tuple[Head, Expr | MatrixBase]]:
        """Each name in the sides, or in what such a name stands for, and what it stands for.

        A matrix without a definition stands for its entries.
        """
        found: dict[tuple[str, str], tuple[Head, Expr | MatrixBase]] = {}
        waiting = list(sides)
        while waiting:
            for atom in waiting.pop().atoms(Symbol, Indexed, AppliedUndef, NamedMatrix):
                key = _key(atom)
                if key is None or key in found:
                    continue
                if key in self.bodies:
                    found[key] = self.heads[key], self.bodies[key][1]
                    waiting.append(found[key][1])
                elif isinstance(atom, NamedMatrix) and atom.size is None:
                    head = atom.at_letters()
                    found[key] = head, head.generic()
        return [found[key] for key in sorted(found)]

    def spoken_of(self, *sides: Expr | MatrixBase) -> list[Basic]:
        """The letters, sequences and functions that the sides are written with, also where they cancel."""
        meanings = self.used(*sides)
        own = {_key(head) for head, _ in meanings}
        found = list(free_atoms(*sides))
        found += unknown(*sides)
        for head, body in meanings:
            found += [a for a in (*free_atoms(body), *unknown(body)) if a not in parameters_of(head)]
        return [_at_nothing(a) for a in found if _key(a) not in own]

    def letters(self) -> set[Basic]:
        """The letters that the meanings depend on, other than their own parameters."""
        return set().union(*(body.free_symbols - set(own) for own, body in self.bodies.values()))

    def remove(self, head: Head) -> None:
        """Forget a definition that turned out to contradict something."""
        self._unfolded.clear()
        for known in (self.bodies, self.heads):
            known.pop(_key(head))  # type: ignore[arg-type]

    def unfold(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        """``e`` with every name replaced by its meaning, matrices written out entry by entry."""
        key = e.as_immutable() if isinstance(e, MatrixBase) else e
        if key not in self._unfolded:
            self._unfolded[key] = self._unfold(key)
        return self._unfolded[key]

    def _unfold(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        while (replaced := self._once(e)) != e:
            e = replaced
        return written_out(e)

    def _once(self, e: Expr | MatrixBase) -> Expr | MatrixBase:
        if isinstance(e, MatrixBase):
            return e.applyfunc(self._once)
        names = {a for a in e.atoms(Symbol, Indexed, AppliedUndef, NamedMatrix) if _key(a) in self.bodies}
        self._require_apart(e, names)
        return replaced(e, {name: self._meaning(name) for name in names}) if names else e

    def _require_apart(self, e: Expr, names: set[Any]) -> None:
        """Refuse a letter that is bound around a name and free, or a name itself, in what it stands for."""
        bound = bound_letters(e)
        for name in names:
            parameters, body = self.bodies[_key(name)]  # type: ignore[index]
            if any(entry.base.label == name for entry in e.atoms(Indexed)):
                raise ValueError(
                    f"{name} is defined as a letter and is also a sequence: rename one of the two"
                )
            for letter in sorted(bound & ((body.free_symbols - set(parameters)) | {name}), key=str):
                raise ValueError(f"{letter} is bound here and means something else in {name}: rename it")

    def _meaning(self, name: Head) -> Expr | MatrixBase:
        parameters, body = self.bodies[_key(name)]  # type: ignore[index]
        values = [
            self.unfold(v) for v in parameters_of(name)
        ]  # or what a name declares would be used of them
        for parameter, value in zip(parameters, values, strict=True):
            require_domain(parameter, value)
        return substitute(body, dict(zip(parameters, values, strict=True)))
