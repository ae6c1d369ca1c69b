"""A printed statement in rows, and printed definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .cursor import RELATIONS, apart, spelling
from .expressions import Reader
from .names import Definition, Names, require_own
from .tokens import Unread, tokens

OPENING = ("{", "(", "[", r"\begin{matrix}", "left |", "left <>", "left ||")
CLOSING = ("}", ")", "]", r"\end{matrix}", "right |", "right <>", "right ||")


class Row(NamedTuple):
    left: list[str]
    relation: str
    right: list[str]


def rows(latex: str) -> list[Row]:
    """A chain of relations, row by row."""
    sides: list[list[str]] = [[]]
    relations = []
    depth = 0
    for piece in tokens(latex):
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece in RELATIONS and not depth:
            relations.append(RELATIONS[piece])
            sides.append([])
        else:
            sides[-1].append(piece)
    return [Row(*row) for row in zip(sides, relations, sides[1:], strict=False)]


def one_row(latex: str) -> Row:
    """What has one relation."""
    found = rows(latex)
    if len(found) != 1:
        raise Unread(f"one row is expected, not {len(found)}: {latex[:80]}")
    return found[0]


def definitions(printed: Iterable[str]) -> dict[str, Definition]:
    """The names that are defined, and how.

    A letter below a name is an argument if what the name stands for contains it, else a part of the name.
    """
    found: dict[str, Definition] = {}
    for latex in printed:
        left, relation, body = one_row(latex)
        if relation != ":=":
            raise Unread("a definition is expected")
        name, letters = head(left, body)
        require_own(name)
        this = Definition(letters, tuple(body))
        if name in found and not found[name].whole and _alike(found[name]) != _alike(this):
            raise Unread(f"{name} is defined twice")
        if not letters and r"\begin{matrix}" not in body and name in {spelling([piece]) for piece in body}:
            raise Unread(f"{name} is defined by itself")
        found[name] = this
        if "(" not in left and letters:
            found.setdefault(f"{name}_{','.join(letters)}", Definition((), tuple(body), whole=True))
    return found


def _alike(d: Definition) -> list[str]:
    """The body, whatever the letters are called."""
    places = {letter: f"{k}" for k, letter in enumerate(d.letters)}
    return [f"#{places[spelling([p])]}" if spelling([p]) in places else p for p in d.body]


def head(left: list[str], body: list[str] | None) -> tuple[str, tuple[str, ...]]:
    """The name that stands left, and its letters; without a body all that stands below it are letters."""
    first = Reader(left, Names([], {}), {})
    hat = first.peek() == r"\hat"
    while first.peek() in (r"\hat", r"\boldsymbol", r"\operatorname"):
        first.next()
    name = spelling(first.group()) + "hat" * hat
    if first.take("^"):
        name += f"__{spelling(first.group())}"
    letters: tuple[str, ...] = ()
    if first.take("_"):
        below = first.group()
        letters = tuple(map(spelling, apart(below)))
        here = set(letters) if body is None else {spelling([piece]) for piece in body}
        arguments = all(map(str.isalpha, letters)) and set(letters) <= here
        if first.peek() == "(" or not arguments:
            name, letters = f"{name}_{spelling(below)}", ()
    if first.take("("):
        letters = tuple(map(spelling, apart(first.until("(", ")"))))
    if first.peek() or not name[:1].isalpha():
        raise Unread(f"the head of a definition: {' '.join(left)}")
    return name, letters
