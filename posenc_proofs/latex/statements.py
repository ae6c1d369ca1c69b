"""A printed statement, its definitions and hypotheses, beside the theorems that stand behind it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..kernel.calculus import continuous
from ..kernel.domains import opened
from ..kernel.pages import name_here
from ..kernel.ring import canon, poly
from ..kernel.terms import ZERO, Term, add, letters, subterms, var
from ..kernel.theorem import Formula, Supposed, Theorem
from .cursor import scalar
from .definitions import Row, definitions, one_row, rows
from .expressions import read
from .matrices import Matrix, Product, Value, inverse_of, shape_of
from .names import Definition, Names, plain_name
from .scopes import Scope, about, reaches, require_given, require_new, require_said, scope
from .tokens import Hand, Token, Unread, refuse, split

TURNED = {">": "<", ">=": "<="}
STRONGER = {"<=": "<"}
Record = Mapping[str, Any]


class Said(NamedTuple):
    """A row, entry by entry, of so many ``columns``; ``small``: it holds up to third order in these.

    Of many ``blocks`` alike these are the entries of one.
    """

    left: tuple[Term, ...]
    relation: str
    right: tuple[Term, ...]
    small: tuple[Term, ...] = ()
    columns: int = 1
    blocks: bool = False


class Derived:
    """The results of one derivation, as their notebook keeps them, and the kernel's theorems by claim.

    What other pages prove, ``elsewhere``, is a hypothesis of theorems as long as a page is looked at alone.
    """

    def __init__(
        self, records: Iterable[Record], theorems: Mapping[str, Theorem], elsewhere: Supposed = ()
    ) -> None:
        self.records = {r["label"]: r for r in records if r["kind"] not in ("refuted", "words")}
        self.theorems, self.elsewhere, self.hand = theorems, frozenset(elsewhere), Hand()

    @cached_property
    def _shown(self) -> list[Row]:
        return [one_row(r["latex"], self.hand) for r in self.records.values() if r["kind"] == "defined"]

    @cached_property
    def _every(self) -> list[Theorem]:
        claims = (claim for record in self.records.values() for claim in record["certificates"])
        return [self.theorems[claim] for claim in claims if claim in self.theorems]

    def confirm(self, label: str) -> None:
        """Compare what is printed of a result with the theorems of its certificates.

        Raises:
            Unread, Refused: saying where they differ, or what cannot be read.
        """
        record = self.records[label]
        said = scope(record["scope"], self.hand)
        printed = rows(record["latex"], self.hand)
        if len(printed) != record["rows"]:
            raise Unread(f"{len(printed)} rows are printed, {record['rows']} are proved")
        defined = definitions([*self._shown, *(one_row(latex, self.hand) for latex in record["meant"])])
        require_new(said, defined)
        of_rows = []
        for n, row in enumerate(printed, 1):
            name = name_here(record) if len(printed) == 1 else f"{label}.{n}"
            claims = claims_of(record, name)
            of_rows += claims
            behind = [self.theorems[claim] for claim in claims]
            names = Names(behind, defined, said.columns, said.whole)
            names.limited = said.limited
            if r"\dots" in (*row.left, *row.right):  # which a theorem does not count to the end
                for name, domain in said.domains.items():
                    if name.isidentifier() and names.find(name) is None:
                        names.known[name] = var(name, domain)
            shown = _compare(row, behind, names)
            hypotheses = frozenset[Formula]().union(*(th.hypotheses for th in behind)) - self.elsewhere
            conditions = [h for h in hypotheses if h.relation != "="]
            sides = [names.unfolded(side) for th in behind for side in (th.left, th.right)]
            require_said(said, names_in(map(canon, sides)), conditions, list(map(names.unfolded, shown)))
            for h in hypotheses.difference(conditions):
                if h in names.meanings.values():
                    _require_meant(h, names)
                elif not said.invertible(inverse_of(h)):
                    if not self._supposed(record, h, defined, said):
                        raise Unread(f"no hypothesis is printed for {h.left} {h.relation} {h.right}")
                    require_given(said, _unfolded(h, names))
        if surplus := record["certificates"].keys() - set(of_rows):
            raise Unread(f"what is printed has no row or entry {', '.join(sorted(surplus))}")

    def _supposed(self, record: Record, h: Formula, defined: Mapping[str, Definition], around: Scope) -> bool:
        """Whether a hypothesis that is printed, or an entry of one, is the theorem's.

        What is a column where it is used is one in the hypothesis.
        """
        others = (self.records[label] for label in record["rests_on"] if label in self.records)
        said = [(other, scope(other["scope"], self.hand)) for other in others if other["kind"] == "assumed"]
        for other, own in said:
            names = Names(self._every, defined, own.columns, own.whole)
            alike = own.matrices.items() <= {**own.matrices, **around.matrices}.items()
            if alike and _supposes(one_row(other["latex"], self.hand), own, h, names):
                return True
        return False


def _unfolded(h: Formula, names: Names) -> Formula:
    return h._replace(left=names.unfolded(h.left), right=names.unfolded(h.right))


def names_in(terms: Iterable[Term]) -> dict[str, Term]:
    """Letters and functions by name."""
    return {s.data[0]: s for t in terms for s in subterms(t) if s.head in ("var", "app")}


def claims_of(record: Record, name: str) -> list[str]:
    """The claims of one row, entry by entry."""
    entry = re.compile(rf"{re.escape(name)}(?:\[(\d+)\])?")
    found = [(int(m[1] or 0), claim) for claim in record["certificates"] if (m := entry.fullmatch(claim))]
    return [claim for _, claim in sorted(found)]


def entries(value: Value) -> tuple[Term, ...]:
    return (value,) if isinstance(value, Term) else value.entries


def said_by(row: Row, names: Names) -> Said:
    """What a row says: two sides of one shape; a 0 beside a matrix of any size is one."""
    left, relation, right = row
    if relation in TURNED:
        left, relation, right = right, TURNED[relation], left
    last, small = without_remainder(right, names)
    a, b = read(left, names), read(last, names)
    if runs := {side.many[1].data[0] for side in (a, b) if isinstance(side, Matrix) and side.many}:
        for side in (left, last):  # in the meaning of a name that stands beside blocks their letter is none
            read(side, names, derived=runs)
    a, b = _or_zero(a, b), _or_zero(b, a)
    refuse(shape_of(a) != shape_of(b), "two sides of two shapes")
    columns = a.shape[1] if isinstance(a, Matrix) else 1
    if any(s.head == "lim" for t in (*entries(a), *entries(b)) for part in t.args for s in subterms(part)):
        raise Unread("a limit stands alone on its side: elsewhere it may not exist")
    blocks = isinstance(a, Matrix) and a.many is not None
    return Said(entries(a), relation, entries(b), tuple(small), columns, blocks)


def _or_zero(a: Value, b: Value) -> Value:
    return Product((), b.shape) if isinstance(b, Product) and a == ZERO else a


def _compare(row: Row, theorems: Sequence[Theorem], names: Names) -> list[Term]:
    """The row says what the theorems say, one for each entry; what it says."""
    a, relation, b, small, *_ = said_by(row, names)
    refuse(not len(a) == len(b) == len(theorems), f"{len(a)} and {len(b)} entries, {len(theorems)} theorems")
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
            refuse(not names.same(printed, proved), f"printed {str(printed)[:80]}, proved {str(proved)[:80]}")
    return [*a, *b]


def without_remainder(right: list[Token], names: Names) -> tuple[list[Token], list[Term]]:
    """The tokens before + O(‖(a, b)‖^3), and the letters a, b."""
    if Token("O") not in right:
        return right, []
    k = right.index(Token("O"))
    found = re.fullmatch(r"\+ O \( \\lVert \( (.*) \) \\rVert \^ (?:3|{ 3 }) \)", " ".join(right[k - 1 :]))
    if found is None or right[k + 3 : k + 4] != ["("] or right[k + 3].to != len(found[1].split()) + 1:
        raise Unread("a remainder stands last: + O(\\lVert (a, b) \\rVert^3)")
    inside = right[k + 4 : k + 3 + right[k + 3].to]
    small = [scalar(read(part, names)) for part in split(inside, ",")]
    refuse(any(x.head != "var" for x in small), "a remainder in what is no letter")
    return right[: k - 1], small


def third_order(rest: Term, small: Sequence[Term]) -> bool:
    """Whether an integral is of third order: each term has three of the letters before what stays finite.

    Its range does not depend on the letters, which go through 0, and its body is continuous in all: so what
    stands behind the three is bounded near 0. A page that prints a remainder asks this of the theorem's own,
    whoever found the theorem.
    """
    if rest.head != "int" or any(x.data[1:] != ("R",) for x in small):
        return False
    u, body = opened(rest)
    three = all(sum(k for a, k in powers if a in small) >= 3 for powers, _ in poly(body))
    still = letters(*rest.args[:2]).isdisjoint(small)
    return three and still and all(continuous(body, x) for x in (u, *small))


def _require_meant(h: Formula, names: Names) -> None:
    """What a name stands for in a theorem is what is printed of it."""
    name = plain_name(h.left.data[0])
    letters, body, _ = names.defined[name]
    own = tuple(x.data[0] for x in h.left.args)
    if own[: len(letters)] != letters:
        raise Unread(f"{name} is printed with the letters {letters}, the theorem has {own}")
    one = scalar(read(body, names, {x.data[0]: x for x in h.universal}))
    refuse(not names.same(one, h.right), f"{name} is printed as {one}, the theorem takes {h.right}")


def _supposes(printed: Row, said: Scope, h: Formula, names: Names) -> bool:
    """The same equation, said for at least the values for which the theorem takes it."""
    if not (about(h) <= said.given or about(_unfolded(h, names)) <= said.given):
        return False
    if printed.relation != h.relation or not reaches(said, h.universal & letters(h.left, h.right)):
        return False
    a, _, b, small, _, blocks = said_by(printed, names)
    # what holds to third order alone is not supposed
    pairs = () if small or blocks else zip(a, b, strict=True)
    return any(names.same(x, h.left) and names.same(y, h.right) for x, y in pairs)
