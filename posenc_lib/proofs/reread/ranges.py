"""Sums, products, integrals, maxima and limits; blocks on a diagonal, and one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..kernel.domains import lies
from ..kernel.ring import canon
from ..kernel.terms import ONE, OO, ZERO, Term, bind, neg, var
from .cursor import ENDS, Cursor, halves, scalar, spelling
from .matrices import Matrix
from .tokens import Unread

BIG = {r"\sum": "sum", r"\prod": "prod", r"\int": "int", r"\max": "max", r"\lim": "lim"}
PATHS = {"N+": (ONE, OO), "R+": (ZERO, OO)}  # of a letter to infinity


class Range(NamedTuple):
    """A letter as it is printed, as a term that nothing else is, and where it begins and ends."""

    name: str
    letter: Term
    lo: Term
    hi: Term

    def bind(self, kind: str, body: Term) -> Term:
        return bind(kind, self.name, self.lo, self.hi, self.letter, body)


class Ranges(Cursor):
    """What runs over a range."""

    def big(self, kind: str) -> Term:
        """A sum, say, of the product that follows."""
        if kind == "int":
            return self._integral()
        ranges = self._limit() if kind == "lim" else self._ranges()
        outer = dict(self.bound)
        self.bound |= {r.name: r.letter for r in ranges}
        minus = self.take("-")
        body = scalar(self.product())
        self.bound = outer
        value = neg(body) if minus else body
        for r in ranges:
            value = r.bind(kind, value)
        return value

    def _ranges(self) -> list[Range]:
        self.expect("_")
        below = self.group()
        if below[0] != r"\substack":
            return [self._range(below)]
        inner = below[2:-1]
        cuts = [k for k, piece in enumerate(inner) if piece == r"\\"]
        lines = zip([0, *(k + 1 for k in cuts)], [*cuts, len(inner)], strict=True)
        ranges = [self._range(inner[first:last]) for first, last in lines]
        if any(inner.count(piece) > 1 for r in ranges for piece in inner if spelling([piece]) == r.name):
            raise Unread("a range that depends on the letter of another")
        return ranges

    def _range(self, below: list[str]) -> Range:
        """i = 0, with the end above; or 0 <= i <= N - 1."""
        if "=" in below:
            letter, first = halves(below, "=")
            self.expect("^")
            lo, hi = self.scalar(first), self.scalar(self.group())
            return self._over(spelling(letter), "Z", lo, hi)
        first, name, last = between(below)
        return self._over(name, "Z", self.scalar(first), self.scalar(last))

    def _over(self, name: str, domain: str, lo: Term, hi: Term) -> Range:
        """With a term for the letter that no free letter is, nor that of a range around it.

        What begins with a natural number stays among them.
        """
        if domain == "Z":
            domain = next(d for d in ("N+", "N", "Z") if d == "Z" or lies(lo, d))
        return Range(name, var(f"{name}__bound{len(self.bound)}", domain), lo, hi)

    def _limit(self) -> list[Range]:
        """To infinity, through the integers if the scope says so, or to 0 from above."""
        self.expect("_")
        letter, target = halves(self.group(), r"\to")
        name = spelling(letter)
        if target != [r"\infty"]:
            value, above = halves(target, "^") if "^" in target else (target, [])
            if above not in (["+"], ["{", "+", "}"]):
                raise Unread("a limit from above is expected")
            return [self._over(name, "R+", OO, self.scalar(value))]
        domain = "N+" if name in self.names.whole else "R+"
        return [self._over(name, domain, *PATHS[domain])]

    def _integral(self) -> Term:
        """The letter stands behind the body."""
        self.expect("_")
        lo = self.scalar(self.group())
        self.expect("^")
        hi = self.scalar(self.group())
        depth, place = 1, self.place
        while depth and place < len(self.pieces):
            depth += (self.pieces[place] == r"\int") - (self.pieces[place] == "measure")
            place += 1
        if depth or place == len(self.pieces):
            raise Unread("an integral without its letter")
        over = self._over(spelling([self.pieces[place]]), "R", lo, hi)
        body = scalar(self.inside(self.pieces[self.place : place - 1], {over.name: over.letter}))
        self.place = place + 1
        return over.bind("int", body)

    def diagonal(self) -> Matrix:
        """The blocks on a diagonal, one for each value of a letter."""
        self.expect("_")
        letter, first = halves(self.group(), "=")
        self.expect("^")
        return self.many("diagonal", (first, spelling(letter), self.group()), self._factors())

    def _factors(self) -> list[str]:
        """The pieces of the product that follows."""
        start, depth = self.place, 0
        while depth or self.peek() not in ENDS:
            piece = self.next()
            if not piece:
                raise Unread("a bracket without its partner")
            depth += (piece in ("{", "(")) - (piece in ("}", ")"))
        return self.pieces[start : self.place]

    def many(self, kind: str, ends: tuple[list[str], str, list[str]], block: Sequence[str]) -> Matrix:
        """Blocks alike; a theorem about one of them need not know how many there are."""
        first, name, last = ends
        letter = self.names.find(name) or var(name, "Z")
        known = {word: var(word, "Z") for word in map(spelling, ([p] for p in last)) if word.isalpha()}
        named = {word: self.names.find(word) or x for word, x in known.items()}
        lo, hi = (canon(scalar(self.inside(end, named))) for end in (first, last))
        if letter.head != "var" or not lies(self._over(name, "Z", lo, hi).letter, letter.data[1]):
            raise Unread(f"the range from {lo} leaves the set of {name}")
        value = self.inside(block, {name: letter})
        if not isinstance(value, Matrix) or value.many:
            raise Unread("blocks are matrices")
        return value._replace(many=(kind, letter, lo, hi))


def between(pieces: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """0 <= i <= N - 1."""
    signs = [k for k, piece in enumerate(pieces) if piece in (r"\le", r"\leq")]
    if len(signs) != 2:
        raise Unread("a range has two ends")
    a, b = signs
    return list(pieces[:a]), spelling(pieces[a + 1 : b]), list(pieces[b + 1 :])
