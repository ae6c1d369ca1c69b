"""A place among the pieces of an equation, and what may stand there in any expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from ..kernel.terms import Term
from .matrices import Value
from .names import Names
from .tokens import Unread

RELATIONS = {"=": "=", r"\le": "<=", "<": "<", ">": ">", r"\ge": ">=", r"\ne": "!=", ":=": ":="}
ENDS = {"+", "-", "}", ")", "]", ",", "&", r"\\", r"\end{matrix}", "measure", r"\leq", r"\to", *RELATIONS}
ENDS |= {"right |", "right ||", "right <>", ""}


class Cursor:
    """Goes from left to right; ``bound`` are the letters of sums, integrals and definitions around it."""

    latest = ""  # the piece that any of them passed last: where a reader stopped

    def __init__(self, pieces: Sequence[str], names: Names, bound: Mapping[str, Term]) -> None:
        self.pieces, self.names, self.bound, self.place = list(pieces), names, dict(bound), 0

    def sum(self) -> Value:
        """The expression that stands here, to where it ends."""
        raise NotImplementedError

    def product(self) -> Value:
        """The product that stands here, to the next sign."""
        raise NotImplementedError

    def peek(self) -> str:
        return self.pieces[self.place] if self.place < len(self.pieces) else ""

    def next(self) -> str:
        self.place += 1
        piece = self.pieces[self.place - 1] if self.place <= len(self.pieces) else ""
        Cursor.latest = piece or Cursor.latest
        return piece

    def take(self, piece: str) -> bool:
        """Whether the piece stands here; then it is passed."""
        here = self.peek() == piece
        self.place += here
        return here

    def expect(self, piece: str) -> None:
        if not self.take(piece):
            raise Unread(f"{piece} is expected, not {self.peek() or 'the end'}")

    def group(self) -> list[str]:
        """The pieces between braces, or the one piece that stands without."""
        if self.take("{"):
            return self.until("{", "}") or _missing("between braces")
        if not self.peek():
            _missing("at the end")
        if len(self.peek()) > 1 and not self.peek().startswith("\\"):
            raise Unread(f"{self.peek()} without braces")
        return [self.next()]

    def until(self, opening: str, closing: str) -> list[str]:
        """The pieces up to the partner of a bracket that was passed."""
        start, depth = self.place, 1
        while depth:
            piece = self.next()
            if not piece:
                raise Unread(f"{opening} without its partner")
            depth += (piece == opening) - (piece == closing)
        return self.pieces[start : self.place - 1]

    def exponent(self) -> list[str] | None:
        """What stands above, if anything does."""
        return self.group() if self.take("^") else None

    def inside(self, pieces: Sequence[str], bound: Mapping[str, Term] | None = None) -> Value:
        """The one expression that some pieces are, with more letters bound."""
        other = type(self)(pieces, self.names, {**self.bound, **(bound or {})})
        value = other.sum()
        if other.peek():
            raise Unread(f"after an expression: {other.peek()}")
        return value

    def scalar(self, pieces: Sequence[str]) -> Term:
        return scalar(self.inside(pieces))


def _missing(where: str) -> NoReturn:
    raise Unread(f"nothing stands {where}")


def scalar(value: Value) -> Term:
    if not isinstance(value, Term):
        raise Unread("a matrix where a number is expected")
    return value


def halves(pieces: list[str], sign: str) -> tuple[list[str], list[str]]:
    """What stands before a sign, and behind it."""
    if sign not in pieces:
        raise Unread(f"{sign} is expected, not {' '.join(pieces)}")
    k = pieces.index(sign)
    return pieces[:k], pieces[k + 1 :]


def spelling(pieces: Sequence[str]) -> str:
    """A name without braces and backslashes: "p_m" for p_{m}."""
    return "".join(pieces).replace("\\", "").replace("{", "").replace("}", "")


def apart(pieces: Sequence[str]) -> list[list[str]]:
    """What stands between commas."""
    parts: list[list[str]] = [[]]
    depth = 0
    for piece in pieces:
        depth += (piece in ("{", "(")) - (piece in ("}", ")"))
        if piece == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts
