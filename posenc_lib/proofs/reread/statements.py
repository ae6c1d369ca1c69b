"""A printed statement, its definitions and hypotheses, beside the theorems that stand behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from ..kernel.recall import name_here
from ..kernel.ring import canon
from ..kernel.terms import ZERO, Refused, Term, add, letters, subterms, var
from ..kernel.theorem import Formula, Theorem
from .cursor import apart, scalar
from .definitions import Row, definitions, one_row, rows
from .dots import DOTS
from .expressions import Reader
from .matrices import Matrix, Value, shape_of
from .names import Definition, Names, plain_name
from .products import Product, inverse_of
from .remainders import third_order
from .scopes import (
    Scope,
    about,
    columns,
    invertible,
    matrices,
    reaches,
    require_given,
    require_said,
    said_of,
    scopes,
    whole,
)
from .tokens import Unread

TURNED = {">": "<", ">=": "<="}
STRONGER = {"<=": "<"}
Record = Mapping[str, Any]


class Derived:
    """The results of one derivation, as their notebook keeps them, and the kernel's theorems by claim.

    What other pages prove, ``elsewhere``, is a hypothesis of theorems as long as a page is looked at alone.
    """

    def __init__(
        self,
        records: Iterable[Record],
        theorems: Mapping[str, Theorem],
        elsewhere: Set[Formula] = frozenset(),
    ) -> None:
        self.records = {record["label"]: record for record in records}
        self.theorems, self.elsewhere = theorems, elsewhere

    @cached_property
    def _shown(self) -> list[str]:
        return [r["latex"] for r in self.records.values() if r["kind"] == "defined"]

    @cached_property
    def _every(self) -> list[Theorem]:
        claims = (claim for record in self.records.values() for claim in record["certificates"])
        return [self.theorems[claim] for claim in claims if claim in self.theorems]

    def confirm(self, label: str) -> None:
        """Compare what is printed of a result with the theorems of its certificates.

        Raises:
            Unread: saying where they differ, or what cannot be read.
        """
        try:
            self._confirm(label)
        except Refused as reason:  # by the kernel: what is printed is no term
            raise Unread(str(reason)) from reason
        except RecursionError:
            raise Unread("brackets in brackets, too many of them") from None

    def _confirm(self, label: str) -> None:
        record = self.records[label]
        printed = rows(record["latex"])
        if len(printed) != record["rows"]:
            raise Unread(f"{len(printed)} rows are printed, {record['rows']} are proved")
        defined = definitions([*self._shown, *record["meant"]])
        of_rows = []
        for n, row in enumerate(printed, 1):
            name = name_here(record) if len(printed) == 1 else f"{label}.{n}"
            of_rows += claims_of(record, name)
            behind = [self._theorem(claim) for claim in claims_of(record, name)]
            scope = said_of(scopes(record["scope"]), n - 1, len(printed))
            names = self._names(behind, defined, scope)
            if DOTS.intersection(row.left + row.right):  # which a theorem does not count to the end
                _declare(names, scope)
            shown = _compare(row, behind, names)
            hypotheses = frozenset[Formula]().union(*(th.hypotheses for th in behind))
            conditions = [h for h in hypotheses - self.elsewhere if h.relation != "="]
            said = [names.unfolded(side) for th in behind for side in (th.left, th.right)]
            require_said(scope, names_in(map(canon, said)), conditions, list(map(names.unfolded, shown)))
            for h in hypotheses.difference(conditions, self.elsewhere):
                if h in names.meanings.values():
                    _require_meant(h, names)
                elif (inverted := inverse_of(h)) and invertible(scope, inverted):
                    continue
                elif not self._supposed(record, h, defined, scope):
                    raise Unread(f"no hypothesis is printed for {h.left} {h.relation} {h.right}")
                else:
                    require_given(
                        scope, h._replace(left=names.unfolded(h.left), right=names.unfolded(h.right))
                    )
        if surplus := record["certificates"].keys() - set(of_rows):
            raise Unread(f"what is printed has no row or entry {', '.join(sorted(surplus))}")

    def _theorem(self, claim: str) -> Theorem:
        if claim not in self.theorems:
            raise Unread(f"{claim} is not rebuilt from these pages")
        return self.theorems[claim]

    def _supposed(
        self, record: Record, h: Formula, defined: Mapping[str, Definition], around: list[Scope]
    ) -> bool:
        """Whether a hypothesis that is printed, or an entry of one, is the theorem's.

        What is a column where it is used is one in the hypothesis.
        """
        others = [self.records[label] for label in record["rests_on"] if label in self.records]
        said = [(other, scopes(other["scope"])) for other in others if other["kind"] == "assumed"]
        return any(
            matrices(scope).items() <= {**matrices(scope), **matrices(around)}.items()
            and _supposes(one_row(other["latex"]), scope, h, self._names(self._every, defined, scope))
            for other, scope in said
        )

    def _names(
        self, theorems: Iterable[Theorem], defined: Mapping[str, Definition], said: list[Scope]
    ) -> Names:
        return Names(theorems, defined, columns(said), self.elsewhere, whole(said))


def _declare(names: Names, said: Iterable[Scope]) -> None:
    """Let the letters of a scope be known that stand in no theorem."""
    for name, domain in ((n, d) for scope in said for n, d in scope.domains.items()):
        if name.isidentifier() and names.find(name) is None:
            names.known[name] = var(name, "Z" if domain == "2Z" else domain)


def names_in(terms: Iterable[Term]) -> dict[str, Term]:
    """Letters and functions by name."""
    return {s.data[0]: s for t in terms for s in subterms(t) if s.head in ("var", "app")}


def claims_of(record: Record, name: str) -> list[str]:
    """The claims of one row, entry by entry."""
    entry = re.compile(rf"{re.escape(name)}(?:\[(\d+)\])?")
    found = [(int(m[1] or 0), claim) for claim in record["certificates"] if (m := entry.fullmatch(claim))]
    return [claim for _, claim in sorted(found)]


def entries(value: Value) -> tuple[Term, ...]:
    if isinstance(value, Product):
        return (value.term,)
    return value.entries if isinstance(value, Matrix) else (value,)


def sides(left: list[str], right: list[str], names: Names) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The entries of two sides of one shape."""
    a, b = (Reader([], names, {}).inside(side) for side in (left, right))
    a, b = _or_zero(a, b), _or_zero(b, a)
    if shape_of(a) != shape_of(b):
        raise Unread("two sides of two shapes")
    return entries(a), entries(b)


def _or_zero(a: Value, b: Value) -> Value:
    """A 0 beside a matrix of any size is one."""
    return Product((), b.shape) if isinstance(b, Product) and a == ZERO else a


def _compare(row: Row, theorems: Sequence[Theorem], names: Names) -> list[Term]:
    """The row says what the theorems say, one for each entry; what it says."""
    left, relation, right = row
    if relation in TURNED:
        left, relation, right = right, TURNED[relation], left
    right, small = without_remainder(right, names)
    a, b = sides(left, right, names)
    if not len(a) == len(b) == len(theorems):
        raise Unread(f"{len(a)} and {len(b)} entries, {len(theorems)} theorems")
    for x, y, th in zip(a, b, theorems, strict=True):
        if th.relation not in (relation, STRONGER.get(relation)):
            raise Unread(f"{relation} is printed, {th.relation} is proved")
        proved_right = th.right
        if small:
            *parts, rest = th.right.args
            proved_right = add(*parts)
            if th.right.head != "+" or not third_order(rest, small):
                raise Unread("the remainder is not of third order")
        for printed, proved in ((x, th.left), (y, proved_right)):
            if not names.same(printed, proved):
                raise Unread(f"printed {str(printed)[:80]}, proved {str(proved)[:80]}")
    return [*a, *b]


def without_remainder(right: list[str], names: Names) -> tuple[list[str], list[Term]]:
    """The pieces before + O(|(a, b)|^3), and the letters a, b."""
    if "O" not in right:
        return right, []
    k = right.index("O")
    other = Reader(right[k + 1 :], names, {})
    for piece in ("(", r"\lVert", "("):
        other.expect(piece)
    small = [other.scalar(part) for part in apart(other.until("(", ")"))]
    for piece in (r"\rVert", "^", "3", ")"):
        other.expect(piece)
    if other.peek() or right[k - 1] != "+":
        raise Unread("a remainder stands last")
    return right[: k - 1], small


def _require_meant(h: Formula, names: Names) -> None:
    """What a name stands for in a theorem is what is printed of it."""
    place = names.printed(h.left.data[0])
    assert place is not None
    name, row, column = place
    letters = names.defined[name].letters
    own = tuple(x.data[0] for x in h.left.args)
    if name == plain_name(h.left.data[0]) and own[: len(letters)] != letters:
        raise Unread(f"{name} is printed with the letters {letters}, the theorem has {own}")
    bound = {x.data[0]: x for x in h.universal}
    value = Reader([], names, {}).inside(names.defined[name].body, bound)
    if isinstance(value, Matrix) and not (0 < row <= value.shape[0] and 0 < column <= value.shape[1]):
        raise Unread(f"{name} is printed with {value.shape} entries, the theorem takes {row}, {column}")
    one = value.rows[row - 1][column - 1] if isinstance(value, Matrix) else scalar(value)
    if not names.same(one, h.right):
        raise Unread(f"{name} is printed as {one}, the theorem takes {h.right}")


def _supposes(printed: Row, said: list[Scope], h: Formula, names: Names) -> bool:
    """The same equation, said for at least the values for which the theorem takes it."""
    left, relation, right = printed
    unfolded = h._replace(left=names.unfolded(h.left), right=names.unfolded(h.right))
    if not all(about(h) <= scope.given or about(unfolded) <= scope.given for scope in said):
        return False
    if not reaches(said, h.universal & letters(h.left, h.right)):
        return False
    pairs = zip(*sides(left, right, names), strict=True)
    return relation == h.relation and any(names.same(a, h.left) and names.same(b, h.right) for a, b in pairs)
