"""Sums, products, integrals, maxima and limits; blocks on a diagonal, and one below the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..kernel.domains import from_on, lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, OO, ZERO, Term, bind, mul, neg, num, var
from .cursor import Cursor, scalar
from .matrices import Matrix, Value
from .tokens import LETTERS, Token, Unread, outside, spelling, split

Range = tuple[str, str, Term, Term]  # a letter, its set, and where it begins and ends
PATHS = {"N+": (ONE, OO), "R+": (ZERO, OO)}  # of a letter to infinity


class Ranges(Cursor):
    """What runs over a range."""

    def big(self, kind: str) -> Term:
        """A sum, say, of the product that follows; of several ranges the first is innermost."""
        self.expect("_")
        if kind == "int":
            return self._integral()
        ranges = [
            (name, lo, hi, self._free(name, domain))
            for name, domain, lo, hi in ([self._limit()] if kind == "lim" else self._ranges())
        ]
        outer = self.bound
        self.bound = {**outer, **{name: letter for name, _, _, letter in ranges}}
        minus = self.take("-")
        value = scalar(self.product())
        self.bound = outer
        value = neg(value) if minus else value
        for name, lo, hi, letter in ranges:
            value = bind(kind, name, lo, hi, letter, value)
        return value

    def _free(self, name: str, domain: str) -> Term:
        """A term for the letter that no free letter is, nor that of a range around it."""
        if name in self.bound:
            raise Unread(f"{name} runs over a range in its own range")
        return var(f"{name}__bound{len(self.bound)}", domain)

    def _ranges(self) -> list[Range]:
        """i = 0, with the end above; or 0 <= i <= N - 1, and more of them below each other."""
        below = self.group()
        if "=" in below:
            name, first = _halves(below, "=")
            self.expect("^")
            lo, hi = self.scalar(first), self._end()
            return [(name, from_on(lo), lo, hi)]
        found = []
        for line in split(below[2:-1], r"\\") if below[0] == r"\substack" else [below]:
            before, name, behind = between(line)
            lo, hi = self.scalar(before), self.scalar(behind)
            found.append((name, from_on(lo), lo, hi))
        words = [spelling([token]) for token in below]
        if any(words.count(name) > 1 for name, *_ in found):
            raise Unread("a range that depends on its own letter, or on that of another")
        return found

    def _end(self) -> Term:
        """Where a range ends, which may be infinity: that is no number elsewhere."""
        end = self.group()
        infinite = {(r"\infty",): OO, ("-", r"\infty"): mul(num(-1), OO)}
        return infinite.get(tuple(end)) or self.scalar(end)

    def _limit(self) -> Range:
        """To infinity, through the integers if the scope says so, or to 0 from above."""
        name, target = _halves(self.group(), r"\to")
        if target != [r"\infty"]:
            value, *above = split(target, "^")
            if above not in ([["+"]], [["{", "+", "}"]]):
                raise Unread("a limit from above is expected")
            return name, "R+", OO, self.scalar(value)
        domain = "N+" if name in self.names.whole else "R+"
        return name, domain, *PATHS[domain]

    def _integral(self) -> Term:
        """The letter stands behind the body."""
        lo = self._end()
        self.expect("^")
        hi = self._end()
        depth, start = 1, self.place
        for k in outside(self.tokens[start:]):
            token = self.tokens[start + k]
            depth += (token == r"\int") - (token == "measure")
            if not depth:
                break
        else:
            raise Unread("an integral without its letter")
        end = start + k
        name = _letter(self.tokens[end + 1 : end + 2])
        letter = self._free(name, "R")
        body = self.scalar(self.tokens[start:end], {name: letter})
        self.place = end + 2
        return bind("int", name, lo, hi, letter, body)

    def diagonal(self) -> Matrix:
        """The blocks on a diagonal, one for each value of a letter."""
        self.expect("_")
        name, first = _halves(self.group(), "=")
        self.expect("^")
        ends = (first, self.group())
        outer = self.bound

        def block(bound: Mapping[str, Term]) -> Value:
            self.bound = {**outer, **bound}
            value = self.product()
            self.bound = outer
            return value

        return self.many("diagonal", name, ends, block)

    def many(
        self,
        kind: str,
        name: str,
        ends: tuple[Sequence[Token], Sequence[Token]],
        block: Callable[[Mapping[str, Term]], Value],
    ) -> Matrix:
        """Blocks alike; a theorem about one of them need not know how many there are."""
        letter = self.names.find(name) or var(name, "Z")
        words = {spelling([t]) for t in ends[1] if t.isalpha() or t in LETTERS}
        known = {word: self.names.find(word) or var(word, "Z") for word in words}
        lo, hi = (canon(self.scalar(end, known)) for end in ends)
        if letter.head != "var" or not lies(self._free(name, from_on(lo)), letter.data[1]):
            raise Unread(f"the range from {lo} leaves the set of {name}")
        value = block({name: letter})
        if not isinstance(value, Matrix) or value.many:
            raise Unread("blocks are matrices")
        return value._replace(many=(kind, letter, lo, hi))


def _letter(row: Sequence[Token]) -> str:
    """The one letter that runs."""
    if len(row) != 1 or not (row[0].isalpha() or row[0] in LETTERS):
        raise Unread(f"a letter is expected, not {' '.join(row) or 'the end'}")
    return spelling(row)


def _halves(row: Sequence[Token], sign: str) -> tuple[str, list[Token]]:
    """The letter before a sign, and what stands behind it."""
    parts = split(row, sign)
    if len(parts) != 2:
        raise Unread(f"{sign} is expected, not {' '.join(row)}")
    return _letter(parts[0]), parts[1]


def between(row: Sequence[Token]) -> tuple[list[Token], str, list[Token]]:
    """0 <= i <= N - 1."""
    parts = split(row, r"\le")
    if len(parts) != 3:
        raise Unread("a range has two ends")
    return parts[0], _letter(parts[1]), parts[2]
