"""A derivation's expressions as the kernel's terms: matrices entry by entry, names with all their letters.

A definition's letters that are no parameters become arguments of the name: with F(k) := cos(k a), F(k) is
read as F(k, a). So a definition holds for all values of all letters, and nothing has to be taken back later.
"""

from __future__ import annotations

from typing import Any

from sympy import Basic, Derivative, Dummy, Function, ImmutableDenseMatrix, IndexedBase, Symbol
from sympy.core.function import AppliedUndef
from sympy.matrices import MatrixBase
from sympy.tensor.indexed import Indexed

from ..kernel.domains import lies
from ..kernel.terms import Term
from ..search import read, words
from ..terms.any_size import size_of, unknown
from ..terms.expression import entries
from ..terms.matrices import NamedMatrix
from ..values.blockwise import same_blocks
from ..values.substitution import replaced, substitute
from ..values.written_out import written_out
from .definitions import Head, parameters_of

NAMES = (Symbol, Indexed, AppliedUndef)
Key = tuple[str, str]
Pairs = list[tuple[Term, Term]]


class Reading:
    """What the names of a derivation stand for, and expressions read with it. Raises ``read.Outside``."""

    def __init__(self) -> None:
        self.extra: dict[Key, tuple[Symbol, ...]] = {}  # letters of the meaning that are no parameters
        self.matrices: dict[str, tuple[tuple[Symbol, ...], Any]] = {}
        self.columns: set[str] = set()  # the columns of any length, which are matrices to the kernel
        self.numbers: dict[Key, Any] = {}  # what stands for a number, without a letter
        self.bodies: dict[Key, tuple[tuple[Symbol, ...], Any]] = {}
        self.flags: dict[Key, dict[str, bool]] = {}
        self.used: set[Key] = set()
        self.unread: set[Key] = set()  # defined by what the kernel has no term for

    def terms(self, e: Any) -> list[Term]:
        """The entries of an expression."""
        return [read.term(entry) for entry in entries(self.lifted(e))]

    def sides(self, left: Any, right: Any) -> Pairs:
        """The entries of two sides, pairwise."""
        pair = [self.lifted(side) for side in (left, right)]
        require_names(*pair)
        self.used |= {key_of(a) for side in pair for a in side.atoms(Indexed, AppliedUndef)}
        if size_of(*pair) is not None:
            self.columns |= {read.name_of(a.name) for a in unknown(*pair) if a.shape[1] == 1}
            return [(words.matrix(pair[0]), words.matrix(pair[1]))]
        a, b = ([read.term(entry) for entry in entries(side)] for side in same_blocks(*pair))
        return list(zip(a, b, strict=True))

    def define(self, head: Head, body: Any) -> Pairs:
        """``head := body``: each name that it defines, applied to its letters, and what it stands for."""
        self.unread.add(key := key_of(head))
        parameters, found = tuple(parameters_of(head)), list[tuple[Term, Term]]()
        if isinstance(head, NamedMatrix):
            meant = self.lifted(body)
            if size_of(head) is not None:  # what it stands for is put in its place
                self.matrices[head.name] = parameters, meant
            else:
                self.matrices[head.name], found = self._entries(head, parameters, meant)
        else:
            self.bodies[key] = parameters, body
            found = self._scalar_named(head, parameters, self.lifted(body))
        self.unread.discard(key)
        return found

    def lifted(self, e: Any) -> Any:
        """An expression with matrices written out and each defined name with all letters it depends on."""
        for a in e.atoms(Symbol, Indexed, AppliedUndef, NamedMatrix):
            if key_of(a) in self.unread:
                raise read.Outside(f"what {key_of(a)[1]} stands for")
        named = {a: self._matrix(a) for a in e.atoms(NamedMatrix) if a.name in self.matrices}
        e = written_out(replaced(e, named) if named else e)
        return e.applyfunc(self._scalar) if isinstance(e, MatrixBase) else self._scalar(e)

    def _matrix(self, a: NamedMatrix) -> Any:
        parameters, body = self.matrices[a.name]
        return substitute(body, dict(zip(parameters, map(self._scalar, a.parameters), strict=True)))

    def _scalar(self, e: Any) -> Any:
        slopes = {d: d.func(self._opened(d.expr), *d.variables) for d in e.atoms(Derivative)}
        e = replaced(e, slopes) if slopes else e  # what a name stands for has a derivative, not the name
        atoms = {a: key_of(a) for a in e.atoms(*NAMES)}
        return replaced(e, {a: self._name(a, key) for a, key in atoms.items() if self._known(key)})

    def _opened(self, e: Any) -> Any:
        """An expression without the defined names of scalars."""
        while named := {a: self.bodies[key_of(a)] for a in e.atoms(*NAMES) if key_of(a) in self.bodies}:
            opened = ((a, body, zip(own, parameters_of(a), strict=True)) for a, (own, body) in named.items())
            e = replaced(e, {a: substitute(body, dict(values)) for a, body, values in opened})
        return e

    def _known(self, key: Key) -> bool:
        return key in self.extra or key in self.numbers

    def _name(self, a: Any, key: Key) -> Any:
        if key in self.numbers:
            return self.numbers[key]
        values = map(self._scalar, (*parameters_of(a), *self.extra[key]))
        if isinstance(a, Indexed):
            return IndexedBase(key[1], **self.flags[key])[tuple(values)]
        name = f"{key[1]}__0" if isinstance(a, Symbol) else key[1]  # an author's function may be called so
        return Function(name, **self.flags[key])(*values)

    def _scalar_named(self, head: Any, parameters: tuple[Any, ...], body: Any) -> Pairs:
        key, own = key_of(head), sorted(set(free_letters(body)) - set(parameters), key=str)
        if key in self.used:  # an earlier result is about it as it is: its other letters stay constants
            own = []
        if not (own or parameters):
            self.numbers[key] = body
            return []
        self.flags[key] = flags(head, body)
        self.extra[key] = tuple(own)
        return [(read.term(self._name(head, key)), read.term(body))]

    def _entries(self, head: NamedMatrix, parameters: tuple[Any, ...], body: MatrixBase) -> tuple[Any, Pairs]:
        """The matrix of a name's entries, each a function of its own, and what these stand for."""
        made, found = [], []
        for entry, generic in zip(body, head.generic(), strict=True):
            if entry.is_Symbol or not (own := free_letters(entry)):
                made.append(entry)
                continue
            name = getattr(generic, "name", None) or generic.func.__name__
            made.append(Function(f"{name}__0", **flags(Dummy(real=True), entry))(*own))
            found.append((read.term(made[-1]), read.term(entry)))
        return (parameters, ImmutableDenseMatrix(*body.shape, made)), found


def require_names(*sides: Any) -> None:
    """Refuse two letters of one name, which would be one letter of the kernel."""
    free = {s for side in sides for s in side.free_symbols if isinstance(s, Symbol)}
    names = [read.name_of(s.name) for s in free]
    for name in sorted(names):
        if names.count(name) > 1:
            raise read.Outside(f"two letters are called {name}")


def key_of(e: Basic) -> Key:
    """The kind and the name of a letter, a sequence's entry, or a function's value."""
    if isinstance(e, Indexed):
        return "sequence", str(e.base.label)
    if isinstance(e, AppliedUndef):
        return "function", e.func.__name__
    return ("matrix", e.name) if isinstance(e, NamedMatrix) else ("letter", str(e))


def free_letters(e: Any) -> list[Symbol]:
    """The free letters of an expression, in order; the name of a sequence is none."""
    names = {entry.base.label for entry in e.atoms(Indexed)}
    return sorted((s for s in e.free_symbols - names if isinstance(s, Symbol)), key=str)


def flags(e: Any, body: Any) -> dict[str, bool]:
    """The domain of a name as assumptions: its own, where the kernel sees that the body lies there."""
    if not lies(read.term(body), read.domain(e)):
        return {"complex": True}
    asked = ("integer", "positive", "nonnegative", "even", "real")
    return {name: True for name in asked if getattr(e, f"is_{name}")} or {"complex": True}
