"""Text with places in it, and the error that names one."""

from __future__ import annotations

from dataclasses import dataclass


class Misread(ValueError):
    """What is written is no derivation: the line, the column, what was expected, what to write instead."""


@dataclass(frozen=True)
class Piece:
    """A part of a text, which knows where it stands."""

    whole: str
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.whole[self.start : self.end]

    def part(self, start: int, end: int | None = None) -> Piece:
        """The part from ``start`` to ``end``, counted from this one's start, without blanks around it."""
        text = self.text[start:end]
        inside = text.strip()
        first = self.start + start + (len(text) - len(text.lstrip()) if inside else 0)
        return Piece(self.whole, first, first + len(inside))

    def misread(self, message: str, at: int = 0) -> Misread:
        """The error, ``at`` so many characters after the start of this piece."""
        place = min(self.start + at, len(self.whole))
        before = self.whole[:place]
        line, column = before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
        shown = self.whole.split("\n")[line - 1]
        return Misread(f"line {line}, column {column}: {message}\n  {shown}\n  {' ' * (column - 1)}^")
