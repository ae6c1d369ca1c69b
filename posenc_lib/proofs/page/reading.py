"""What is declared and defined, and rows of LaTeX read as terms of the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..kernel.terms import BINDERS, FUNCTIONS, Term, letters, num, subterms, var
from ..reread.cursor import Cursor
from ..reread.definitions import definitions, head
from ..reread.expressions import Reader
from ..reread.matrices import Matrix
from ..reread.names import Definition, Names, plain_name
from ..reread.pieces import FORMS, Misplaced, pieces
from ..reread.scopes import Scope, columns, empty, joined, scopes, whole
from ..reread.statements import TURNED, entries, sides, without_remainder
from ..reread.tokens import Unread, tokens
from ..reread.typed import Hand
from ..reread.variants import plain

KERNEL = {"2Z": "Z", "column": "M", "invertible M": "M"}
BLOCKS = re.compile(r"\\bigoplus|\\[cvd]dots|\\l?dots(?![a-z])|\)_\{0")
RELATIONS = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", r"\ne": "!=", r"\neq": "!="}


class Said(NamedTuple):
    """A row, entry by entry, of so many ``columns``; ``small``: it holds up to third order in these."""

    left: tuple[Term, ...]
    relation: str
    right: tuple[Term, ...]
    small: tuple[Term, ...] = ()
    columns: int = 1


class Declared(Names):
    """The letters, sequences, functions and matrices of a scope; an ``opaque`` one stays a name."""

    def __init__(self, said: Scope, defined: Mapping[str, Definition], opaque: Iterable[str] = ()) -> None:
        hidden = {plain_name(name) for name in opaque}
        mine = {n: d for n, d in defined.items() if n not in hidden and n.split("_")[0] not in hidden}
        super().__init__((), mine, columns([said]), frozenset(), whole([said]))
        for name, domain in said.domains.items():
            plain, kind = name.removesuffix("()"), KERNEL.get(domain, domain)
            plain += "__" * (plain in FUNCTIONS)
            self.of_any_size |= kind == "M"
            if name.endswith(("[]", "()")):
                alone = kind == "M" and plain not in said.depending
                self.known[plain] = Term("app", (plain, kind), () if alone else (num(1),))
                continue
            self.known[plain] = Term("var", (plain, kind))
            head, _, below = name.partition("_")
            if below in said.domains:
                raise Unread(
                    f"in the scope: {name} is a letter, and so is {below}: declare a sequence {head}"
                )
            if below and f"{head}[]" in said.domains:
                raise Unread(f"in the scope: {name} is a letter, and {head} a sequence")

    def value(self, of: Term, args: tuple[Term, ...]) -> Term:
        return Term("app", of.data, args)


class Reading:
    """What a derivation says of its letters, what it defines, and how it draws its names."""

    def __init__(self) -> None:
        self.hand = Hand()
        self.said = empty()
        self.meant: list[str] = []  # definitions, as the reader sees them
        self._plain: list[str] = []  # and as they are read
        self.opaque: set[str] = set()  # names that are defined, and stay names

    def declare(self, said: str) -> None:
        """``for all m, n ∈ ℤ and every real sequence θ, with n constant``: more letters."""
        self.said = joined(self.said, scopes(plain(said, self.hand))[0])
        self.names()

    def define(self, head: str, body: str) -> tuple[str, bool]:
        """One more name, and whether the scope declares it: then it stays a name in the kernel."""
        plain = f"{self.hand.plain(head)} := {self.hand.plain(body)}"
        name = next(iter(definitions([plain])))
        _require_first(name, definitions([*self._plain, plain]))
        self.meant.append(f"{head} := {body}")
        self._plain.append(plain)
        declared = any(name + ending in self.said.domains for ending in ("[]", "()", ""))
        return name, declared and r"\boldsymbol" not in head

    def spoken(self, latex: str) -> set[str]:
        """The letters of a formula about blocks, of which a theorem says what each of them is."""
        if not BLOCKS.search(latex):
            return set()
        written = {piece.removeprefix("\\") for piece in pieces(latex)}
        return {name for name in self.said.domains if name in written}

    def head(self, latex: str) -> tuple[str, tuple[str, ...]]:
        """The name and the letters of the head of a definition."""
        return head(tokens(self.hand.plain(latex)), None)

    def conditions(self) -> Iterator[tuple[Term, str, Term]]:
        """What the scope says of two letters."""
        known = self.names().known
        yield from ((known[a], sign, known[b]) for a, sign, b in self.said.conditions)

    def matrix(self, latex: str, letters: Iterable[str] = ()) -> list[list[Term]]:
        """A matrix that is written out."""
        names = self.names()
        bound = {x: names.known.get(x) or var(x, "Z") for x in letters}
        found = Reader([], names, bound).inside(tokens(self.hand.plain(latex)))
        if not isinstance(found, Matrix) or found.many:
            raise Unread(f"a matrix is expected, not {latex}")
        return [list(row) for row in found.rows]

    def names(self) -> Declared:
        return Declared(self.said, definitions(self._plain), self.opaque)

    def term(self, latex: str) -> Term:
        """One number."""
        with placed(latex, read := _numbered(self.hand.plain(latex))):
            found = entries(Reader([], self.names(), {}).inside(read))
        if len(found) != 1:
            raise Unread(f"a number is expected, not {latex}")
        return found[0]

    def row(self, left: str, relation: str, right: str) -> Said:
        """A relation of two sides of one shape."""
        sign = RELATIONS.get(relation, relation)
        if sign in TURNED:
            left, sign, right = right, TURNED[sign], left
        names = self.names()
        first, second = (_numbered(self.hand.plain(side)) for side in (left, right))
        with placed(left, first), placed(right, second):
            last, small = without_remainder(second, names)
            a, b = sides(first, last, names)
        free = {x.data[0] for x in letters(*a, *b)}
        for name in sorted({u.hint for t in (*a, *b) for u in subterms(t) if u.head in BINDERS} & free):
            raise Unread(f"{name} runs over a range, and stands outside it, too")
        shown = Reader([], names, {}).inside(first)
        return Said(a, sign, b, tuple(small), shown.shape[1] if isinstance(shown, Matrix) else 1)


def _require_first(name: str, every: Mapping[str, Definition]) -> None:
    """Refuse a definition in which its own name stands, or in the meaning of a name in it."""
    if len(set(every[name].letters)) < len(every[name].letters):
        raise Unread(f"{name} is defined for one letter twice")
    reached, more = set[str](), [name]
    while more:
        body = re.sub(r"[{}]", "", "".join(every[more.pop()].body))
        ending = {n: "" if every[n].letters else "_" for n in every}
        found = [n for n in every if re.search(rf"(?<![A-Za-z_]){re.escape(n)}(?![A-Za-z{ending[n]}])", body)]
        if name in found:
            raise Unread(f"{name} stands in its own definition")
        more += [n for n in found if n not in reached]
        reached.update(found)


class _Numbered(str):
    """A piece that is no other one, though it reads the same."""


def _numbered(plain: str) -> list[str]:
    return [_Numbered(piece) for piece in tokens(plain)]


@contextmanager
def placed(latex: str, read: Sequence[str]) -> Iterator[None]:
    """Where the reader stops at one of the pieces that it was given, say at which place of the author's row.

    Pieces of one kind stand in one order in both: the place is that of as many of them.
    """
    try:
        yield
    except Misplaced:
        raise
    except Unread as reason:
        here = next((k for k, piece in enumerate(read) if piece is Cursor.latest), None)
        if here is None:
            raise
        written = [p for p in pieces(latex) if FORMS.get(p, p) == read[here]]
        count = read[:here].count(read[here])
        raise Misplaced(
            str(reason), latex, written[min(count, len(written) - 1)].at if written else 0
        ) from None
