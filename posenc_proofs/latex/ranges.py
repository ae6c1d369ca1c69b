"""Sums, products, integrals, maxima, limits; blocks on a diagonal, or one below the other."""

from collections.abc import Callable, Mapping, Sequence

from ..kernel.domains import from_on, lies
from ..kernel.ring import canon
from ..kernel.terms import INTEGERS, ONE, OO, ZERO, Term, bind, letters, mul, neg, num, substitute, var
from .cursor import Cursor, scalar
from .matrices import Matrix, Value, entrywise
from .tokens import BIG, LETTERS, Token, Unread, outside, refuse, spelling, split

Range = tuple[str, str, Term, Term]  # a letter, its set, and where it begins and ends
Ends = tuple[Sequence[Token], Sequence[Token]]  # as they are printed


class Ranges(Cursor):
    """What runs over a range."""

    def big(self, kind: str) -> Term:
        """A sum, say, of the product that follows; of several ranges the first is innermost."""
        self.expect("_")
        if kind == "int":
            return self._integral()
        found = [self._limit()] if kind == "lim" else self._ranges()
        ranges = [(name, lo, hi, self._free(name, domain)) for name, domain, lo, hi in found]
        minus, start = self.take("-"), self.place
        value = scalar(self._product({name: letter for name, _, _, letter in ranges}))
        value = neg(value) if minus else value
        if kind in ("prod", "max"):
            self.require_one(start, "what it runs over", *BIG)
        for name, lo, hi, letter in ranges:
            value = bind(kind, name, lo, hi, letter, value)
        return value

    def require_one(self, start: int, of: str, *others: str) -> None:
        """Refuse a product of which one may think that an operator before it ends at its dot, say."""
        row = self.tokens[start : self.place]
        if found := [row[k] for k in outside(row) if row[k] in (r"\cdot", "/") or (k and row[k] in others)]:
            raise Unread(f"{found[0]} behind {of}: write brackets around all of it")

    def _product(self, bound: Mapping[str, Term]) -> Value:
        """The product that stands here, with more letters bound."""
        outer = self.bound
        self.bound = {**outer, **bound}
        value = self.product()
        self.bound = outer
        return value

    def _free(self, name: str, domain: str) -> Term:
        """A term for the letter that no free letter is, nor that of a range around it."""
        refuse(name in self.bound, f"{name} runs over a range in its own range")
        known = self.names.find(name)
        if domain in INTEGERS and known is not None and known.head == "var" and known.data[1] not in INTEGERS:
            raise Unread(f"{name} runs over whole numbers, and is any number in the scope: rename one")
        if self.names.starts(f"{name}__"):
            raise Unread(f"{name} runs over a range, and has a label above it elsewhere")
        taken, n = {x.data[0] for x in letters(*self.bound.values())}, len(self.bound)
        while f"{name}__bound{n}" in taken:  # by an argument of the definition that is read
            n += 1
        return var(f"{name}__bound{n}", domain)

    def _ranges(self) -> list[Range]:
        """i = 0, with the end above; or 0 <= i <= N - 1, and more of them below each other."""
        below = self.group()
        if "=" in below:
            name, first = _halves(below, "=")
            self.expect("^")
            lo, hi = self.scalar(first), self._end()
            return [(name, from_on(lo), lo, hi)]
        several = below[:2] == [r"\substack", "{"] and below[1].to == len(below) - 2
        lines = split(below[2:-1], r"\\") if several else [below]
        found = [(name, self.scalar(a), self.scalar(b)) for a, name, b in map(between, lines)]
        words = [spelling([token]) for token in below]
        if any(words.count(name) > 1 for name, *_ in found):
            raise Unread("a range that depends on its own letter, or on that of another")
        return [(name, from_on(lo), lo, hi) for name, lo, hi in found]

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
            refuse(above not in ([["+"]], [["{", "+", "}"]]), "a limit from above is expected")
            return name, "R+", OO, self.scalar(value)
        return (name, "N+", ONE, OO) if name in self.names.whole else (name, "R+", ZERO, OO)

    def _integral(self) -> Term:
        """The letter stands behind the body."""
        integral = self.place - 2
        end = integral + self.tokens[integral].to
        lo = self._end()
        self.expect("^")
        hi = self._end()
        name = _letter(self.tokens[end + 1 : end + 2])
        letter = self._free(name, "R")
        body = self.scalar(self.tokens[self.place : end], {name: letter})
        self.place = end + 2
        if self.peek() in ("^", "_", "d"):
            raise Unread(f"behind the d{name} of an integral stands {self.peek()}: write brackets")
        return bind("int", name, lo, hi, letter, body)

    def diagonal(self) -> Matrix:
        """The blocks on a diagonal, one for each value of a letter."""
        self.expect("_")
        name, first = _halves(self.group(), "=")
        self.expect("^")
        return self.many("diagonal", name, (first, self.group()), self._product)

    def many(self, kind: str, name: str, ends: Ends, block: Callable[[Mapping[str, Term]], Value]) -> Matrix:
        """Blocks alike; a theorem about one of them need not know how many there are."""
        letter = self.names.find(name) or var(name, "Z")
        if name in self.names.limited:
            raise Unread(f"{name} runs over blocks, and more is said of it than its set: rename it")
        words = {spelling([t]) for t in ends[1] if t.isalpha() or t in LETTERS}
        unknown = words.difference(self.bound, self.names.defined)
        known = {word: self.names.find(word) or var(word, "Z") for word in unknown}
        lo, hi = (canon(self.scalar(end, known)) for end in ends)
        if letter.head != "var" or not lies(self._free(name, from_on(lo)), letter.data[1]):
            raise Unread(f"the range from {lo} leaves the set of {name}")
        inner = self._free(name, letter.data[1])
        value = block({name: inner})
        if not isinstance(value, Matrix) or value.many:
            raise Unread("blocks are matrices")
        if letter in letters(lo, hi, *value.entries):  # by the meaning of a name, say
            raise Unread(f"{name} runs over blocks, and stands for another number in them")
        named = entrywise(lambda entry: substitute(entry, {inner: letter}), value)
        return named._replace(many=(kind, letter, lo, hi))


def _letter(row: Sequence[Token]) -> str:
    """The one letter that runs."""
    if len(row) != 1 or not (row[0].isalpha() or row[0] in LETTERS):
        raise Unread(f"a letter is expected, not {' '.join(row) or 'the end'}")
    return spelling(row)


def _halves(row: Sequence[Token], sign: str) -> tuple[str, list[Token]]:
    """The letter before a sign, and what stands behind it."""
    parts = split(row, sign)
    refuse(len(parts) != 2, f"{sign} is expected, not {' '.join(row)}")
    return _letter(parts[0]), parts[1]


def between(row: Sequence[Token]) -> tuple[list[Token], str, list[Token]]:
    """0 <= i <= N - 1."""
    parts = split(row, r"\le")
    refuse(len(parts) != 3, "a range has two ends: i = 0, or 0 \\le i \\le N - 1")
    return parts[0], _letter(parts[1]), parts[2]
