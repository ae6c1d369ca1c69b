"""A printed statement in rows, and printed definitions."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .cursor import Cursor
from .names import Definition, Names, require_own
from .tokens import LETTERS, MATRICES, RELATIONS, Hand, Token, Unread, outside, spelling, spelt, split, tokens


class Row(NamedTuple):
    left: list[Token]
    relation: str
    right: list[Token]


def rows(latex: str, hand: Hand) -> list[Row]:
    """A chain of relations, row by row, as a page stores it: aligned, if there is more than one."""
    row = tokens(latex, hand)
    if row[:1] == [r"\begin{aligned}"] and row[0].to == len(row) - 1:
        row = _aligned(row[1:-1])
    relations = [RELATIONS[row[k]] for k in outside(row) if row[k] in RELATIONS]
    sides = split(row, *RELATIONS)
    return [Row(*one) for one in zip(sides, relations, sides[1:], strict=False)]


def _aligned(inner: Sequence[Token]) -> list[Token]:
    """Its lines behind each other: & stands once in each, before a relation; what is left stands once."""
    row: list[Token] = []
    for line in split(inner, r"\\"):
        before, *behind = split(line, "&")
        related = len(behind) == 1 and behind[0][:1] in [[sign] for sign in RELATIONS]
        if not related or bool(before) == bool(row):
            raise Unread("a line of a chain is & and a relation with its right side")
        row += [*before, *behind[0]]
    return row


def one_row(latex: str, hand: Hand) -> Row:
    """What has one relation."""
    found = rows(latex, hand)
    if len(found) != 1:
        raise Unread(f"one row is expected, not {len(found)}: {latex[:80]}")
    return found[0]


def definitions(printed: Iterable[Row]) -> dict[str, Definition]:
    """The names that are defined, and how.

    A letter below a name is an argument if what the name stands for contains it, else a part of the name.
    """
    found: dict[str, Definition] = {}
    for left, relation, body in printed:
        if relation != ":=":
            raise Unread("a definition is expected")
        name, letters = head(left, body)
        require_own(name)
        this = Definition(letters, tuple(body), left[0] == r"\boldsymbol")
        here = {spelling([token]) for token in body}
        if strange := [x for x in letters if not re.fullmatch(r"(?!hat)[a-zA-Z]+(_\w+)?", x)]:
            raise Unread(f"the letter {strange[0]} of a definition: take a plain one")
        if unused := [x for x in letters if x.partition("_")[0] not in here]:
            raise Unread(f"{name} does not depend on {unused[0]}: leave it out")
        if found.get(name, this) != this:
            raise Unread(f"{name} is defined twice")
        if not letters and MATRICES.isdisjoint(body) and name in here:
            raise Unread(f"{name} is defined by itself")
        found[name] = this
    return found


def head(left: Sequence[Token], body: Sequence[Token] | None) -> tuple[str, tuple[str, ...]]:
    """The name that is defined, and its letters; without a body all that stands below it are letters."""
    first = Cursor(left, Names([], {}), {})
    hat = first.take(r"\hat")
    _ = hat or first.take(r"\boldsymbol")
    base = first.group()
    name = spelling(base) + "hat" * hat
    if first.take("^"):
        name += f"__{spelt(first.group())}"
    letters: tuple[str, ...] = ()
    if first.take("_"):
        below = first.group()
        letters = tuple(map(spelling, split(below, ",")))
        here = set(letters) if body is None else {spelling([token]) for token in body}
        if first.peek() == "(" or not (all(map(str.isalpha, letters)) and set(letters) <= here):
            name, letters = f"{name}_{spelt(below)}", ()
    if first.peek() == "(":
        letters = tuple(map(spelling, split(first.bracket(), ",")))
    if first.peek() or len(base) != 1 or not (base[0].isalpha() or base[0] in LETTERS):
        raise Unread(f"the head of a definition: {' '.join(left)}")
    return name, letters
