"""Pieces of LaTeX as the kernel's terms, and as matrices of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ..kernel.calculus import derivative
from ..kernel.domains import lies
from ..kernel.terms import OO, ZERO, I, Refused, Term, add, fun, letters, mul, neg, num, sub, var
from .cursor import ENDS, scalar, spelling
from .dots import DOTS, blocks, total
from .matrices import Matrix, Value, determinant, elementwise, inner_product, joined, times
from .named import Named
from .powers import binomial, factorial, inverse, raised
from .ranges import BIG, Ranges, between
from .tokens import Unread

FUNCTIONS = {rf"\{name}": name for name in ("cos", "sin", "tan", "log", "cosh", "sinh", "tanh", "Gamma")}
SPELT = {"Re": "re", "Im": "im", "Ci": "Ci", "Si": "Si", "erf": "erf"}
NUMBER = re.compile(r"\d+(\.\d+)?")
NAME = re.compile(r"\\?[a-zA-Z][a-zA-Z0-9]*")


class Reader(Ranges, Named):
    """Sums, products, fractions, functions, brackets."""

    def sum(self) -> Value:
        parts: list[Value] = []
        while not parts or self.peek() in ("+", "-"):
            minus = self.take("-")
            _ = minus or self.take("+")
            if self.peek() in DOTS and len(parts) == 2 and not minus:  # a + b + ... + c, and nothing else
                self.next()
                self.expect("+")
                last = scalar(self.product())
                if self.peek() in ("+", "-"):
                    raise Unread("a sum with dots stands alone, or in brackets")
                return total(scalar(parts[0]), scalar(parts[1]), last)
            value = self.product()
            parts.append(negative(value) if minus else value)
        return joined(parts)

    def product(self) -> Value:
        value = self.factor()
        if self.peek() in (r"\otimes", r"\odot"):
            self.next()
            value = elementwise(value, self.factor())
            if self.peek() not in ENDS:
                raise Unread("a product entry by entry beside another product")
        while self.peek() not in ENDS:
            if self.peek() in (r"\otimes", r"\odot"):
                raise Unread("a product entry by entry beside another product")
            before = NUMBER.fullmatch(self.pieces[self.place - 1])
            if (
                not self.take(r"\cdot")
                and before
                and (NUMBER.fullmatch(self.peek()) or self.peek() == r"\frac")
            ):
                raise Unread("two numbers side by side")
            value = times(value, self.factor())
        return value

    def factor(self) -> Value:
        start = self.place
        value = self.atom()
        if self.pieces[start : start + 1] == ["{"] and self.peek() == "^":
            _require_level(self.pieces[start + 1 : self.place - 1])
        if self.take("!"):
            value = factorial(scalar(value))
        exponent = self.exponent()
        if exponent is not None:
            value = raised(self, value, exponent)
        if self.peek() == "^":
            raise Unread("two exponents")
        return value

    def atom(self) -> Value:
        piece = self.next()
        if piece == "{":
            return self._one_factor(self.until("{", "}"))
        if piece == "(":
            return self._bracket()
        if piece == "left |":
            inner = self.inside(self.until("{", "}")) if self.take("{") else self.sum()
            self.expect("right |")
            return fun("abs", scalar(inner))
        if piece == "left <>":
            a = self.sum()
            self.expect(",")
            b = self.sum()
            self.expect("right <>")
            return inner_product(a, b)
        if NUMBER.fullmatch(piece):
            return num(Fraction(piece))
        if piece in (r"\max", r"\min") and self.peek() == "(":
            return self._extreme(piece)
        if piece in BIG:
            return self.big(BIG[piece])
        if piece in FUNCTIONS:
            return self._applied(FUNCTIONS[piece])
        return self._special(piece)

    def _special(self, piece: str) -> Value:
        if piece == r"\operatorname":
            word = spelling(self.group())
            return self._applied(SPELT[word]) if word in SPELT else self.named(word)
        if piece == r"\frac":
            return self._fraction()
        if piece == r"\sqrt":
            return fun("sqrt", self.scalar(self.group()))
        if piece == r"\mathrm" and self.group() == ["i"]:
            return I
        if piece == r"\binom":
            return binomial(self.scalar(self.group()), self.scalar(self.group()))
        if piece == r"\bigoplus":
            return self.diagonal()
        if piece == r"\infty":
            return OO
        if piece == r"\begin{matrix}":
            return self._matrix()
        if piece == r"\det":
            return determinant(self.atom())
        if piece == r"\boldsymbol":
            return self.named(spelling(self.group()), bold=True)
        if piece == r"\hat":
            return self.named(f"{spelling(self.group())}hat")
        if NAME.fullmatch(piece):
            return self.named(spelling([piece]))
        raise Unread(f"the piece {piece or 'at the end'}")

    def _one_factor(self, pieces: list[str]) -> Value:
        """What stands in braces, which nobody sees."""
        other = Reader(pieces, self.names, self.bound)
        value = other.factor()
        if other.peek() or NUMBER.fullmatch("".join(pieces)):
            raise Unread(f"braces around {' '.join(pieces)}")
        return value

    def _bracket(self) -> Value:
        """(a + b); and (v_i)_{0 <= i <= N - 1}, one below the other."""
        inner = self.until("(", ")")
        return self.many("column", between(self.group()), inner) if self.take("_") else self.inside(inner)

    def _matrix(self) -> Matrix:
        def cell() -> Term | str:
            return self.next() if self.peek() in DOTS else scalar(self.sum())

        rows = [[cell()]]
        while (piece := self.next()) != r"\end{matrix}":
            if piece not in (r"\\", "&"):
                raise Unread(f"in a matrix: {piece}")
            if piece == r"\\":
                rows.append([])
            rows[-1].append(cell())
        if not any(isinstance(c, str) for row in rows for c in row):
            return Matrix(tuple(tuple(c for c in row if not isinstance(c, str)) for row in rows))
        place = self.names.find("i") or var("i", "N")
        if place.head != "var" or not lies(ZERO, place.data[1]):
            raise Unread("dots count their places with i from 0: say i ∈ ℕ")
        return blocks(rows, place)

    def _applied(self, head: str) -> Value:
        """cos(x), cos^{2}(x), log{(x)}, Re[x]."""
        exponent = self.exponent()
        if exponent is not None and exponent[0] == "-":
            raise Unread(f"{head} with a negative exponent may be its inverse")
        if self.peek() == "{":
            value: Value = fun(head, scalar(self._one_factor(self.group())))
        elif self.peek() in ("(", "["):
            opening = self.next()
            value = fun(head, self.scalar(self.until(opening, {"(": ")", "[": "]"}[opening])))
        else:
            raise Unread(f"{head} without brackets")
        return value if exponent is None else raised(self, value, exponent)

    def _fraction(self) -> Value:
        above, below = self.group(), self.group()
        by = "".join(below[1:2]).removeprefix("\\")  # d/(d + 2) is a quotient
        if above[0] in ("d", r"\partial") and below[0] == above[0] and by.isalpha():
            return self._derivative(above, below)
        return times(self.inside(above), inverse(self.scalar(below)))

    def _derivative(self, above: list[str], below: list[str]) -> Term:
        """By the letters below, the last one first, of the product that follows."""
        sign = below[0]
        by: list[Term] = []
        other = Reader(below, self.names, self.bound)
        while other.peek():
            other.expect(sign)
            start = other.place
            x = scalar(other.atom())
            self._require_apart(x, spelling(below[start : other.place]))
            if x.head != "var" or x.data[1] not in ("R", "R+"):
                raise Unread("a derivative by what is no real letter")
            by += [x] * _order(spelling(other.exponent() or ["1"]))
        order = [] if len(by) == 1 else ["^", "{", str(len(by)), "}"]
        if above[1:] != order:
            raise Unread("a derivative of another order than its letters say")
        t = self.names.unfolded(scalar(self.product()))
        try:
            for x in reversed(by):
                t = derivative(t, x)
        except Refused as reason:
            raise Unread(str(reason)) from reason
        return t

    def _require_apart(self, x: Term, name: str) -> None:
        """Refuse a derivative by a letter that is also put in for another one of a definition."""
        put_in = [value for other, value in self.bound.items() if other != name]
        renamed = x.head == "var" and x.data[0] != name and x.data[0] in self.pieces
        if renamed or any(x in letters(value) for value in put_in):
            raise Unread(f"{name} is derived by, and is what stands for another letter, too: rename it")

    def _extreme(self, piece: str) -> Term:
        """max(a, b) = (a + b + |a - b|)/2."""
        self.expect("(")
        a = scalar(self.sum())
        self.expect(",")
        b = scalar(self.sum())
        self.expect(")")
        if not (lies(a, "R") and lies(b, "R")):
            raise Unread("the larger of two numbers that may not be real")
        gap = fun("abs", sub(a, b))
        return mul(num(Fraction(1, 2)), add(a, b, gap if piece == r"\max" else neg(gap)))


def _require_level(pieces: Sequence[str]) -> None:
    """Refuse an exponent above another: {x^2}^3 looks as x^23 does. A star may have one above."""
    depth = 0
    for k, piece in enumerate(pieces):
        depth += (piece == "{") - (piece == "}")
        if piece == "^" and not depth and list(pieces[k + 1 : k + 4]) != ["{", "*", "}"]:
            raise Unread("an exponent above another")


def _order(written: str) -> int:
    """How often a derivative is taken by one letter."""
    if not re.fullmatch("[1-9]", written):
        raise Unread(f"a derivative of the order {written}")
    return int(written)


def negative(value: Value) -> Value:
    if isinstance(value, Term) and value.head == "num":
        return num(*(-part for part in value.data))
    return times(num(-1), value)
