"""What is declared and defined, and rows of LaTeX read as terms; what a derivation knows so far."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..kernel.terms import BINDERS, FUNCTIONS, Term, letters, num, subterms, var
from ..kernel.theorem import Theorem
from ..latex.cursor import CONSTANTS, scalar
from ..latex.definitions import Row, definitions, head
from ..latex.expressions import read
from ..latex.matrices import Matrix
from ..latex.names import Definition, Names, plain_name
from ..latex.scopes import Scope, empty, require_new, scope
from ..latex.statements import Said, said_by
from ..latex.tokens import MATRICES, RELATIONS, SAME, Hand, Unread, spelling, tokens
from ..search.normal import both, unfolded
from ..search.proof import Proof
from .blocks import Misread
from .scope import joined

REPLACED = {*CONSTANTS, "delta", "I"}  # what is known of a letter until a scope declares it
KERNEL = {"column": "M", "invertible M": "M"}
BLOCKS = re.compile(r"\\bigoplus|\\[cvd]dots|\\l?dots(?![a-z])|\)_\{0")


class Declared(Names):
    """The letters, sequences, functions and matrices of a scope; an ``opaque`` one stays a name."""

    def __init__(self, said: Scope, defined: Mapping[str, Definition], opaque: Iterable[str] = ()) -> None:
        hidden = {plain_name(name) for name in opaque}
        require_new(said, defined)
        mine = {n: d for n, d in defined.items() if n not in hidden and n.split("_")[0] not in hidden}
        super().__init__((), mine, said.columns, said.whole)
        self.every = defined  # the opaque ones, too
        self.limited = said.limited
        for name, domain in said.domains.items():
            plain, kind = name.removesuffix("()"), KERNEL.get(domain, domain)
            plain += "__" * (plain in FUNCTIONS)
            self.of_any_size |= kind == "M"
            if name.endswith(("[]", "()")):
                alone = kind == "M" and plain not in said.depending
                self.known[plain] = Term("app", (plain, kind), () if alone else (num(1),))
                continue
            if f"{name}()" in said.domains:
                raise Unread(f"in the scope: {name} is a letter, and a function: rename one")
            self.known[plain] = Term("var", (plain, kind))
            head, _, below = name.partition("_")
            if below in said.domains:
                remedy = f"declare a sequence {head}"
                raise Unread(f"in the scope: {name} is a letter, and so is {below}: {remedy}")
            if below and f"{head}[]" in said.domains:
                raise Unread(f"in the scope: {name} is a letter, and {head} a sequence")

    def value(self, of: Term, args: tuple[Term, ...]) -> Term:
        meant = self.every.get(plain_name(of.data[0]))
        vector = meant is None or MATRICES.intersection(meant.body)  # of entries with the same name
        if meant and not vector and len(meant.letters) != len(args):
            raise Unread(f"{plain_name(of.data[0])} has {len(meant.letters)} arguments, not {len(args)}")
        return Term("app", of.data, args)


class Reading:
    """What a derivation says of its letters, what it defines, and how it draws its names."""

    def __init__(self) -> None:
        self.hand = Hand()
        self.said = empty()
        self.meant: list[str] = []  # definitions, as the reader sees them
        self._defined: list[Row] = []  # and as they are read
        self.opaque: set[str] = set()  # names that are defined, and stay names

    def declare(self, said: str) -> None:
        """``for all m, n ∈ ℤ and every real sequence θ, with n constant``: more letters."""
        more, defined = scope(said, self.hand), definitions(self._defined)
        read = {spelling([token]) for row in self._defined for token in row.right}
        known = (read & REPLACED) | {name for name in defined if name not in self.opaque}
        if late := known & {re.sub(r"\(\)|\[\]", "", name) for name in more.domains}:
            raise Unread(f"in the scope: {min(late)} is known above, and would be another: say it first")
        self.said = joined(self.said, more)
        self.names()

    def define(self, head: str, body: str) -> tuple[str, bool]:
        """One more name, and whether the scope declares it: then it stays a name in the kernel."""
        this = Row(tokens(head, self.hand), ":=", tokens(body, self.hand))
        name = next(iter(definitions([this])))
        _require_first(name, [*self._defined, this])
        if "(" in head and name in self.said.domains:
            raise Unread(f"{name} is declared as a number, and defined as a function")
        self.meant.append(f"{head} := {body}")
        self._defined.append(this)
        self.names()
        declared = any(name + ending in self.said.domains for ending in ("[]", "()", ""))
        return name, declared and r"\boldsymbol" not in head

    def spoken(self, latex: str) -> set[str]:
        """The letters of a formula about blocks, of which a theorem says what each of them is."""
        if not BLOCKS.search(latex):
            return set()
        seen = tokens(latex.replace(r"\overset{?}", ""), self.hand)  # which a refuted row bears
        return self.said.domains.keys() & {spelling([token]) for token in seen}

    def head(self, latex: str) -> tuple[str, tuple[str, ...]]:
        """The name and the letters of the head of a definition."""
        return head(tokens(latex, self.hand), None)

    def conditions(self) -> Iterator[tuple[Term, str, Term]]:
        """What the scope says of two letters."""
        known = self.names().known
        if unknown := [x for a, _, b in self.said.conditions for x in (a, b) if x not in known]:
            raise Unread(
                f"in the scope: {unknown[0]} has a condition, and no set: say for all {unknown[0]} ∈ ℕ, say"
            )
        yield from ((known[a], sign, known[b]) for a, sign, b in self.said.conditions)

    def matrix(self, latex: str, letters: Iterable[str] = ()) -> list[list[Term]]:
        """A matrix that is written out."""
        names = self.names()
        bound = {x: names.known.get(x) or var(x, "Z") for x in letters}
        found = read(tokens(latex, self.hand), names, bound)
        if not isinstance(found, Matrix) or found.many:
            raise Unread(f"a matrix is expected, not {latex}")
        return [list(row) for row in found.rows]

    def names(self) -> Declared:
        return Declared(self.said, definitions(self._defined), self.opaque)

    def term(self, latex: str) -> Term:
        """One number."""
        return scalar(read(tokens(latex, self.hand), self.names()))

    def row(self, left: str, relation: str, right: str) -> Said:
        """A relation of two sides of one shape."""
        sign = RELATIONS[SAME.get(relation, relation)]
        said = said_by(Row(tokens(left, self.hand), sign, tokens(right, self.hand)), self.names())
        every = (*said.left, *said.right)
        free = {x.data[0] for x in letters(*every)}
        for name in sorted({u.hint for t in every for u in subterms(t) if u.head in BINDERS} & free):
            raise Unread(f"{name} runs over a range, and stands outside it, too")
        return said


def _require_first(name: str, defined: Sequence[Row]) -> None:
    """Refuse a definition in which its own name stands, or in the meaning of a name in it.

    A bold vector may be made of a sequence of the same letter.
    """
    every = definitions(defined)
    bold = {head(row.left, row.right)[0] for row in defined if row.left[0] == r"\boldsymbol"}
    if len(set(every[name].letters)) < len(every[name].letters):
        raise Unread(f"{name} is defined for one letter twice")
    ending = {n: "" if every[n].letters else "_" for n in every}
    before = {n: r"\\boldsymbol\\?" if n in bold else "(?<![A-Za-z_])" for n in every}
    reached, more = set[str](), {name}
    while more - reached:
        reached |= more
        body = re.sub(r"[{}]", "", " ".join("".join(every[n].body) for n in reached))
        more = {n for n in every if re.search(rf"{before[n]}{re.escape(n)}(?![A-Za-z{ending[n]}])", body)}
        if name in more:
            raise Unread(f"{name} stands in its own definition")


class Known:
    """The state of a derivation, which its rules, its wrong versions and its records read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reading, self.proof = Reading(), Proof()
        self.results: dict[str, Any] = {}  # by label
        self.meanings: dict[str, Theorem] = {}  # of names that are declared and defined
        self.models: dict[str, Theorem] = {}
        self.shown_models: list[str] = []
        self.matrix_models: dict[str, tuple[tuple[str, ...], list[list[Term]]]] = {}
        self.size = 0  # of the matrices in the model
        self.supposed: dict[str, list[Theorem]] = {}
        self.spoken: dict[str, list[Theorem]] = {}  # what a result uses of earlier ones, at their values
        self.chains: dict[str, list[list[Theorem]]] = {}
        self.claimed: dict[str, Theorem] = {}

    def opened(self, t: Term) -> Theorem:
        """t = t without names that are defined."""
        return unfolded(self.proof, t, self.meanings)

    def equations(self, label: str, at: Mapping[Term, Term]) -> list[Theorem]:
        """An earlier result as equations: its first side against each row reached by equalities."""
        chain = self._chain(label)
        equal = list(itertools.takewhile(lambda ths: all(th.relation == "=" for th in ths), chain))
        entries = (entry for n in range(1, len(equal) + 1) for entry in zip(*equal[:n], strict=True))
        return [self._instance(label, list(entry), at) for entry in entries]

    def whole(self, label: str, at: Mapping[Term, Term]) -> Theorem:
        """An earlier result, its first side against the last."""
        (entry,) = zip(*self._chain(label), strict=True)
        return self._instance(label, list(entry), at)

    def _chain(self, label: str) -> list[list[Theorem]]:
        if label not in self.chains:
            raise Misread(f"{label} is no earlier result; there are {', '.join(self.chains) or 'none'}")
        return self.chains[label]

    def _instance(self, label: str, entry: list[Theorem], at: Mapping[Term, Term]) -> Theorem:
        th = self.proof.chain(entry)
        if at:
            th = self.proof.step("instantiate", th, list(at.items()), [])
        found = both(self.proof, th, self.meanings)
        self.spoken.setdefault(label, []).append(found)
        return found
