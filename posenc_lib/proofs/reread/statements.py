"""A printed statement, its definitions and hypotheses, beside the theorems that stand behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..kernel.ring import canon
from ..kernel.terms import Term, add, letters, subterms
from ..kernel.theorem import Formula, Theorem
from .cursor import RELATIONS, apart, spelling
from .expressions import Reader
from .matrices import Matrix, Value, shape_of
from .names import Definition, Names, plain_name
from .remainders import third_order
from .scopes import Scope, reaches, require_said, said_of, scopes
from .tokens import Unread, tokens

TURNED = {">": "<", ">=": "<="}
STRONGER = {"<=": "<"}
OPENING = ("{", "(", "[", r"\begin{matrix}", "left |", "left <>", "left ||")
CLOSING = ("}", ")", "]", r"\end{matrix}", "right |", "right <>", "right ||")
Record = Mapping[str, Any]


class Row(NamedTuple):
    left: list[str]
    relation: str
    right: list[str]


def rows(latex: str) -> list[Row]:
    """A chain of relations, row by row."""
    sides: list[list[str]] = [[]]
    relations = []
    depth = 0
    for piece in tokens(latex):
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece in RELATIONS and not depth:
            relations.append(RELATIONS[piece])
            sides.append([])
        else:
            sides[-1].append(piece)
    return [Row(*row) for row in zip(sides, relations, sides[1:], strict=False)]


def definitions(printed: Iterable[str]) -> dict[str, Definition]:
    """The names that are defined, and how.

    A letter below a name is an argument if what the name stands for contains it, else a part of the name.
    """
    found: dict[str, Definition] = {}
    for latex in printed:
        ((head, relation, body),) = rows(latex)
        if relation != ":=":
            raise Unread("a definition is expected")
        name, letters = _head(head, body)
        if (
            name in found
            and not found[name].whole
            and _alike(found[name]) != _alike(Definition(letters, tuple(body)))
        ):
            raise Unread(f"{name} is defined twice")
        if not letters and r"\begin{matrix}" not in body and name in {spelling([piece]) for piece in body}:
            raise Unread(f"{name} is defined by itself")
        found[name] = Definition(letters, tuple(body))
        if "(" not in head and letters:
            found.setdefault(f"{name}_{','.join(letters)}", Definition((), tuple(body), whole=True))
    return found


def _alike(d: Definition) -> list[str]:
    """The body, whatever the letters are called."""
    places = {letter: f"{k}" for k, letter in enumerate(d.letters)}
    return [f"#{places[spelling([p])]}" if spelling([p]) in places else p for p in d.body]


def _head(head: list[str], body: list[str]) -> tuple[str, tuple[str, ...]]:
    first = Reader(head, Names([], {}), {})
    hat = first.peek() == r"\hat"
    while first.peek() in (r"\hat", r"\boldsymbol", r"\operatorname"):
        first.next()
    name = spelling(first.group()) + "hat" * hat
    if first.take("^"):
        name += f"__{spelling(first.group())}"
    letters: tuple[str, ...] = ()
    if first.take("_"):
        below = first.group()
        letters = tuple(map(spelling, apart(below)))
        arguments = all(map(str.isalpha, letters)) and set(letters) <= {spelling([piece]) for piece in body}
        if first.peek() == "(" or not arguments:
            name, letters = f"{name}_{spelling(below)}", ()
    if first.take("("):
        letters = tuple(map(spelling, apart(first.until("(", ")"))))
    if first.peek() or not name[:1].isalpha():
        raise Unread(f"the head of a definition: {' '.join(head)}")
    return name, letters


class Derived:
    """The results of one derivation, as their notebook keeps them, and the kernel's theorems by claim."""

    def __init__(self, records: Iterable[Record], theorems: Mapping[str, Theorem]) -> None:
        self.records = {record["label"]: record for record in records}
        self.theorems = theorems

    @cached_property
    def _meant(self) -> dict[str, Definition]:
        return definitions(r["latex"] for r in self.records.values() if r["kind"] == "defined")

    @cached_property
    def _every(self) -> list[Theorem]:
        claims = (claim for record in self.records.values() for claim in record["certificates"])
        return [self.theorems[claim] for claim in claims if claim in self.theorems]

    def confirm(self, label: str) -> None:
        """Compare what is printed of a result with the theorems of its certificates.

        Raises:
            Unread: saying where they differ, or what cannot be read.
        """
        record = self.records[label]
        printed = rows(record["latex"])
        if len(printed) != record["rows"]:
            raise Unread(f"{len(printed)} rows are printed, {record['rows']} are proved")
        defined = {**self._meant, **definitions(record["meant"])}
        for n, row in enumerate(printed, 1):
            name = label if len(printed) == 1 else f"{label}.{n}"
            behind = [self.theorems[claim] for claim in claims_of(record, name)]
            names = Names(behind, defined)
            shown = _compare(row, behind, names)
            hypotheses = frozenset[Formula]().union(*(th.hypotheses for th in behind))
            conditions = [h for h in hypotheses if h.relation != "="]
            said = [names.unfolded(side) for th in behind for side in (th.left, th.right)]
            scope = said_of(scopes(record["scope"]), n - 1, len(printed))
            require_said(scope, names_in(map(canon, said)), conditions, list(map(names.unfolded, shown)))
            for h in hypotheses.difference(conditions):
                if h in names.meanings.values():
                    _require_meant(h, names)
                elif not self._supposed(record, h, Names(self._every, defined)):
                    raise Unread(f"no hypothesis is printed for {h.left} {h.relation} {h.right}")

    def _supposed(self, record: Record, h: Formula, names: Names) -> bool:
        """Whether a hypothesis that is printed, or an entry of one, is the theorem's."""
        others = [self.records[label] for label in record["rests_on"]]
        return any(
            _supposes(rows(other["latex"]), scopes(other["scope"]), h, names)
            for other in others
            if other["kind"] == "assumed"
        )


def names_in(terms: Iterable[Term]) -> dict[str, Term]:
    """Letters and functions by name."""
    return {s.data[0]: s for t in terms for s in subterms(t) if s.head in ("var", "app")}


def claims_of(record: Record, name: str) -> list[str]:
    """The claims of one row, entry by entry."""
    claims = {
        claim: re.fullmatch(rf"{re.escape(name)}(?:\[(\d+)\])?", claim) for claim in record["certificates"]
    }
    return sorted((c for c, m in claims.items() if m), key=lambda c: int((claims[c] or [0, 0])[1] or 0))


def entries(value: Value) -> tuple[Term, ...]:
    return value.entries if isinstance(value, Matrix) else (value,)


def _sides(left: list[str], right: list[str], names: Names) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The entries of two sides of one shape."""
    a, b = (Reader([], names, {}).inside(side) for side in (left, right))
    if shape_of(a) != shape_of(b):
        raise Unread("two sides of two shapes")
    return entries(a), entries(b)


def _compare(row: Row, theorems: Sequence[Theorem], names: Names) -> list[Term]:
    """The row says what the theorems say, one for each entry; what it says."""
    left, relation, right = row
    if relation in TURNED:
        left, relation, right = right, TURNED[relation], left
    right, small = _without_remainder(right, names)
    a, b = _sides(left, right, names)
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


def _without_remainder(right: list[str], names: Names) -> tuple[list[str], list[Term]]:
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
    one = value.rows[row - 1][column - 1] if isinstance(value, Matrix) else value
    if not names.same(one, h.right):
        raise Unread(f"{name} is printed as {one}, the theorem takes {h.right}")


def _supposes(printed: list[Row], said: list[Scope], h: Formula, names: Names) -> bool:
    """The same equation, said for at least the values for which the theorem takes it."""
    ((left, relation, right),) = printed
    if not reaches(said, h.universal & letters(h.left, h.right)):
        return False
    pairs = zip(*_sides(left, right, names), strict=True)
    return relation == h.relation and any(names.same(a, h.left) and names.same(b, h.right) for a, b in pairs)
