"""A place among the tokens of an expression, and what may stand there in any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..kernel.terms import Term
from .matrices import Value
from .names import Names
from .tokens import Token, Unread

END = Token("")


class Cursor:
    """Goes from left to right; ``bound`` are the letters of sums, integrals and definitions around it."""

    latest = END  # the token that any of them passed last: where a reader stopped

    def __init__(self, row: Sequence[Token], names: Names, bound: Mapping[str, Term]) -> None:
        self.tokens, self.names, self.bound, self.place = list(row), names, dict(bound), 0
        self.bar = False  # whether a bar is open that may close

    def sum(self) -> Value:
        """The expression that stands here, to where it ends."""
        raise NotImplementedError

    def product(self) -> Value:
        """The product that stands here, to the next sign."""
        raise NotImplementedError

    def peek(self) -> Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else END

    def next(self) -> Token:
        token = self.peek()
        self.place += 1
        Cursor.latest = token or Cursor.latest
        return token

    def take(self, sign: str) -> bool:
        """Whether the sign stands here; then it is passed."""
        here = self.peek() == sign
        if here:
            self.next()
        return here

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise Unread(f"{sign} is expected, not {self.peek() or 'the end'}")

    def bracket(self) -> list[Token]:
        """What stands in the bracket that opens here."""
        start = self.place + 1
        self.place = start + self.next().to
        return self.tokens[start : self.place - 1]

    def group(self) -> list[Token]:
        """The tokens between braces, or the one token that stands without."""
        if self.peek() == "{":
            inside = self.bracket()
        elif len(self.peek()) > 1 and self.peek()[0].isdigit():
            raise Unread(f"{self.peek()} without braces")
        else:
            inside = [self.next()]
        if not any(inside):
            raise Unread("nothing stands where something is expected")
        return inside

    def exponent(self) -> list[Token] | None:
        """What stands above, if anything does."""
        return self.group() if self.take("^") else None

    def power_of(self, name: str) -> list[Token] | None:
        """What stands above the name of a function: a digit, or nothing."""
        exponent = self.exponent()
        if exponent is not None and not (len(exponent) == 1 and exponent[0].isdigit()):
            raise Unread(f"{name} with such an exponent may be its inverse, or its derivative: use brackets")
        return exponent

    def inside(self, row: Sequence[Token], bound: Mapping[str, Term] | None = None) -> Value:
        """The one expression that some tokens are, with more letters bound."""
        return type(self)(row, self.names, {**self.bound, **(bound or {})}).whole()

    def whole(self) -> Value:
        """The one expression that all of it is."""
        value = self.sum()
        if self.peek():
            raise Unread(f"after an expression: {self.next()}")
        return value

    def scalar(self, row: Sequence[Token], bound: Mapping[str, Term] | None = None) -> Term:
        return scalar(self.inside(row, bound))


def scalar(value: Value) -> Term:
    if not isinstance(value, Term):
        raise Unread("a matrix where a number is expected")
    return value
