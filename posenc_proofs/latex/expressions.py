"""Tokens of LaTeX as the kernel's terms, and as matrices of them."""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from ..kernel.calculus import derivative
from ..kernel.domains import lies
from ..kernel.replay import meant
from ..kernel.terms import BINDERS, ZERO, I, Refused, Term, fun, letters, mul, num, substitute, subterms, var
from .cursor import Bound, Cursor, scalar
from .dots import blocks, total
from .matrices import Matrix, Value, determinant, elementwise, inner_product, joined, times
from .names import Names, plain_name
from .powers import binomial, factorial, inverse, larger
from .ranges import Ranges, between
from .tokens import BIG, FUNCTIONS, MATRICES, SIGNS, SPELT, Misplaced, Token, Unread, refuse, spelling, split

NUMBER = re.compile(r"\d+(\.\d+)?")
ENDS = {"", "+", "-", ",", r"\,d"}  # before these a product ends


def read(row: Sequence[Token], names: Names, bound: Bound = None, derived: Iterable[str] = ()) -> Value:
    """The one expression that some tokens are, with letters bound, or derived by, around it.

    Raises:
        Misplaced: for what cannot be read, with its place.
    """
    Cursor.latest = row[0] if row else Token("")
    try:
        return Reader((), names, {}).at(row, bound, derived).whole()
    except (Unread, Refused) as reason:  # by the kernel: what is printed is no term
        here = Misplaced(str(reason), Cursor.latest.line, Cursor.latest.at)
        raise reason if isinstance(reason, Misplaced) else here from None
    except RecursionError:
        raise Unread("brackets in brackets, too many of them") from None


class Reader(Ranges):
    """Sums, products, fractions, functions, brackets."""

    def sum(self) -> Value:
        parts: list[Value] = []
        signs: list[bool] = []
        while not parts or self.peek() in ("+", "-"):
            signs.append(minus := self.take("-"))
            _ = minus or self.take("+")
            if signs == [False] * 3 and self.take(r"\dots"):  # a + b + ... + c, and nothing else
                self.expect("+")
                last = scalar(self.product())
                refuse(self.peek() in ("+", "-"), "a sum with dots stands alone, or in brackets")
                return total(scalar(parts[0]), scalar(parts[1]), last)
            value = self._braced(minus) if self.take(r"\underbrace") else self.product()
            parts.append(negative(value) if minus else value)
        return joined(parts)

    def _braced(self, minus: bool) -> Value:
        """An underbrace is what stands above it; what stands below it are words."""
        inside = self.group()
        refuse(self.take("_") and self.group() != [r"\text"], r"\underbrace has words below it, \text{…}")
        if self.peek() not in ENDS or (minus and len(split(inside, "+", "-")) > 1):
            raise Unread(r"\underbrace beside something: write brackets")
        return self.inside(inside)

    def product(self) -> Value:
        first, value = self.place, self.factor()
        entrywise = self.take(r"\otimes") or self.take(r"\odot")
        if entrywise:
            value = elementwise(value, self.factor())
        while self.peek() not in ENDS:
            if entrywise or self.peek() in (r"\otimes", r"\odot"):
                raise Unread("a product entry by entry beside another product")
            if self.take("/"):
                value = times(value, self._below())
                continue
            if not self.take(r"\cdot"):
                self._require_apart(self.tokens[first : self.place])
            first = self.place
            value = times(value, self.factor())
        return value

    def _require_apart(self, before: Sequence[Token]) -> None:
        """Refuse a number behind a letter, or behind another number: it may be an index, or a digit."""
        here = self.peek()
        if len(before) == 1 and NUMBER.fullmatch(before[0]) and (NUMBER.fullmatch(here) or here == r"\frac"):
            raise Unread("two numbers side by side")
        if NUMBER.fullmatch(here) and not here.spaced:
            name = self.next() and "".join(before)
            write = f"{name}{here}: a number behind a letter: write {name}_{here}, or the number first"
            raise Unread(write if len(before) == 1 else f"{here} behind {name}: write \\cdot")

    def _below(self) -> Term:
        """What stands behind a/: one factor, with nothing behind it."""
        start = self.place
        below = scalar(self.atom())
        if self.peek() not in {*ENDS, r"\cdot"}:
            behind = "".join(self.tokens[start : self.place])
            raise Unread(f"behind a/{behind}: {self.next()}: write \\frac")
        return mul(num(1), inverse(below))

    def factor(self) -> Value:
        value = self.atom()
        if self.take("!"):
            value = factorial(scalar(value))
        value = self.raised(value, self.exponent())
        refuse(self.peek() == "^", "two exponents")
        return value

    def atom(self) -> Value:
        token = self.peek()
        if token == "(" or token in MATRICES:
            return self._bracket()
        if token in ("|", r"\lvert"):
            return self._modulus(self.bracket(), token == "|")
        if token == r"\langle":
            parts = [self.inside(part) for part in split(self.bracket(), ",")]
            refuse(len(parts) != 2, f"{token} around {len(parts)} parts")
            return inner_product(*parts)
        if token == "{":
            raise Unread(f"braces around {' '.join(self.bracket())}, which nobody sees: write ( and )")
        self.next()
        if NUMBER.fullmatch(token):
            return num(Fraction(token))
        if token in (r"\max", r"\min") and self.peek() == "(":
            return larger(self.arguments(), token == r"\max")
        if token in BIG:
            return self.big(BIG[token])
        if token in FUNCTIONS or token in SPELT:
            return self._applied(token)
        if token in SPECIAL:
            return SPECIAL[token](self)
        if token.isalpha() or token in SIGNS:
            return self.named(spelling([token]))
        raise Unread(f"the {'command' if token[:1] == chr(92) else 'piece'} {token or 'at the end'}")

    def _bracket(self) -> Value:
        """(a + b), a matrix; and (v_i)_{0 <= i <= N - 1}, one below the other."""
        start = self.place
        inside = self.bracket()
        block = self.tokens[start : self.place]
        if self.take("_"):
            first, name, last = between(self.group())
            return self.many("column", name, (first, last), lambda bound: self.inside(block, bound))
        if block[0] == "(":
            return self.inside(inside)
        matrix = self._matrix(inside)
        bars = block[0] == r"\begin{vmatrix}"
        refuse(bars and matrix.shape == (1, 1), "bars around one number may be a modulus")
        return determinant(matrix) if bars else matrix

    def _modulus(self, inside: list[Token], bars: bool) -> Term:
        """Of bars that do not say which side they are the first opens, the next closes; no |a| b |c|."""
        sure = self.peek() in {*ENDS, "|", "/", "^", r"\cdot", r"\lvert"}
        if bars and not sure and "|" in self.tokens[self.place :]:
            raise Unread("bars that may open or close: write \\lvert and \\rvert")
        return fun("abs", self.scalar(inside))

    def _matrix(self, inside: Sequence[Token]) -> Matrix:
        lines = split(inside, r"\\")
        # Behind the last row may stand a break.
        cells = [split(line, "&") for line in (lines if lines[-1] else lines[:-1])]
        if not any([r"\dots"] in line for line in cells):
            refuse(len(set(map(len, cells))) != 1, "rows of one length are expected")
            return Matrix(tuple(tuple(map(self.scalar, line)) for line in cells))
        counting = self.at((), derived=["i"] * (r"\dots" in inside))  # the places
        rows = [[cell[0] if cell == [r"\dots"] else counting.scalar(cell) for cell in line] for line in cells]
        place = self.names.find("i") or var("i", "N")
        if place.head != "var" or not lies(ZERO, place.data[1]) or "i" in self.names.limited:
            raise Unread("dots count their places with i from 0: say i ∈ ℕ, and no more of it")
        return blocks(rows, place)

    def _applied(self, token: Token) -> Value:
        """cos(x), cos^2(x); cos x for letters and numbers, or one fraction, with nothing behind them."""
        exponent = self.power_of(token)
        of = self.scalar(self.bracket()) if self.peek() in ("(", "[") else self._run(token)
        return self.raised(fun({**FUNCTIONS, **SPELT}[token], of), exponent)

    def _run(self, token: Token) -> Term:
        start = self.place
        alone = self.peek() in (r"\frac", r"\sqrt")
        if alone:
            self.atom()
        while not alone and (NUMBER.fullmatch(here := self.peek()) or here.isalpha() or here in SIGNS):
            if here.spaced and self.place > start:
                raise Unread(f"{token} {' '.join(self.tokens[start : self.place])} {here}: write brackets")
            self.next()
            if self.take("_"):
                self.group()
        run = self.tokens[start : self.place]
        refuse(not run or token in SPELT, f"{token} without brackets")
        if self.peek() not in {*FUNCTIONS, *ENDS, r"\cdot"}:
            raise Unread(f"{token} {' '.join(run)} {self.next()}: write brackets")
        return self.scalar(run)

    def _conjugate(self, bar: bool) -> Term:
        inside = self.group()
        if (bar and len(inside) > 1) or self.peek() == "_":
            raise Unread("\\bar is for one letter: write \\overline{x_1}, say")
        return fun("conj", self.scalar(inside))

    def _fraction(self) -> Value:
        above, below = self.group(), self.group()
        by = spelling(below[1:2]).isalpha()  # d/(d + 2) is a quotient
        if above[0] in ("d", r"\partial") and below[0] == above[0] and by:
            if above[0] == "d" and (self.names.find("d") or "d" in {*self.bound, *self.names.defined}):
                raise Unread("d is a letter here: a derivative is written with \\partial")
            return self._derivative(above, below)
        return times(self.inside(above), inverse(self.scalar(below)))

    def _derivative(self, above: list[Token], below: list[Token]) -> Term:
        """By the letters below, the last one first, of what stands above, or of the product that follows."""
        by: list[Term] = []
        own: dict[str, Term] = {}  # what a definition is read at stands still while it is derived
        put_in = letters(*self.bound.values())
        other = self.at(below)
        while other.peek():
            other.expect(above[0])
            start, x = other.place, scalar(other.atom())
            name = spelling(below[start : other.place])
            refuse(x.head != "var" or x.data[1] not in ("R", "R+"), "a derivative by what is no real letter")
            if name in self.bound:
                x = own.setdefault(name, var(f"{name}__by{len(put_in)}", x.data[1]))
            if x.data[0] in self.names.limited:
                raise Unread(f"{name} is derived by, and more is said of it than its set")
            if x in put_in:
                raise Unread(f"{name} is derived by, and is what stands for another letter, too: rename it")
            by += [x] * _order(other)
        named = {plain_name(x.data[0].partition("__by")[0]) for x in by}
        outer, self.derived = self.derived, self.derived | named
        other = self.at(above[1:], own)
        refuse(_order(other) != len(by), "a derivative of another order than its letters say")
        start = self.place
        t = scalar(other.whole() if other.peek() else self._product(own))
        self.require_one(start, "what is derived")
        meant(t)  # what is derived away, too
        if any(s.head == "lim" or (s.head in BINDERS and s.hint in self.derived) for s in subterms(t)):
            raise Unread("under a derivative stands a limit, which may not exist, or its own letter bound")
        self.derived, t = outer, self.names.unfolded(t)
        for x in reversed(by):
            t = derivative(t, x)
        return substitute(t, {x: self.bound[name] for name, x in own.items()})


SPECIAL: dict[str, Callable[[Reader], Value]] = {
    r"\frac": Reader._fraction,
    r"\sqrt": lambda at: fun("sqrt", at.scalar(at.group())),
    r"\mathrm{i}": lambda at: I,
    r"\binom": lambda at: binomial(at.scalar(at.group()), at.scalar(at.group())),
    r"\overline": lambda at: at._conjugate(False),
    r"\bar": lambda at: at._conjugate(True),
    r"\bigoplus": Reader.diagonal,
    r"\boldsymbol": lambda at: at.named(spelling(at.group()), bold=True),
    r"\hat": lambda at: at.named(f"{spelling(at.group())}hat"),
}


def _order(at: Cursor) -> int:
    """How often a derivative is taken."""
    written = spelling(at.exponent() or ["1"])
    refuse(not re.fullmatch("[1-9]", written), f"a derivative of the order {written}")
    return int(written)


def negative(value: Value) -> Value:
    if isinstance(value, Term) and value.head == "num":
        return num(*(-part for part in value.data))
    return times(num(-1), value)
