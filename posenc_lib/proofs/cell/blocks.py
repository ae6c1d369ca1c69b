"""A text into definitions, hypotheses and results: which lines belong together, and what each says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .source import Piece

MEANING = {"≤": "<=", "≥": ">="}
LABEL = re.compile(r"[^\W\d][\w-]*(?=\s*:(?!=))")
BECAUSE = re.compile(r"(?:^|\s)--(?:\s|$)")
SIGN = re.compile(r":=|<=|>=|≤|≥|<|>|=")
BESIDE = re.compile(r"(source|library):\s*")


class Row(NamedTuple):
    """``relation right -- reason [rule]``."""

    relation: str
    right: Piece
    reason: Piece
    rule: Piece | None


class Block(NamedTuple):
    """``label: left`` and its rows; ``kind`` is "prove", "assume", "recall" or "define".

    ``beside`` says where it is printed, and which function of the library computes it. A
    label may be missing: "".
    """

    kind: str
    label: str
    left: Piece
    rows: tuple[Row, ...]
    beside: dict[str, str]


def blocks(text: str) -> Iterator[Block]:
    """The parts of a text: a line that is not indented begins one.

    Raises:
        Misread: naming the line, and how a part is written.
    """
    lines = list(_lines(re.sub(r"#[^\n]*", lambda remark: " " * len(remark.group()), text)))
    if not lines:
        raise Piece(text, 0, 0).misread("an equation is expected, such as eq-even: cos(-a) = cos(a)")
    starts = [k for k, line in enumerate(lines) if line.whole[line.start - 1 : line.start] in ("", "\n")]
    if 0 not in starts:
        raise lines[0].misread("a line at the margin is expected, such as eq-name: left side")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        below, beside = lines[start + 1 : end], {}
        while below and (found := BESIDE.match(below[-1].text)):
            beside[found.group(1)] = below.pop().text[found.end() :]
        block = _block(lines[start], below, beside)
        if beside and block.kind != "prove":
            raise lines[start].misread("a source or a library is said of a result alone")
        yield block


def _lines(text: str) -> Iterator[Piece]:
    place = 0
    for line in text.split("\n"):
        if line.strip():
            yield Piece(text, place, place + len(line)).part(0)
        place += len(line) + 1


def _block(head: Piece, rest: list[Piece], beside: dict[str, str]) -> Block:
    if head.text.startswith("assume "):
        label, left, row = _labelled(head.part(len("assume ")), rest)
        if len(row) != 1 or row[0].relation != "=":
            raise head.misread("one equation is assumed: write assume eq-name: left = right -- reason")
        return Block("assume", label, left, tuple(row), beside)
    if head.text.startswith("recall "):
        label, left, row = _labelled(head.part(len("recall ")), rest)
        if not label or len(row) != 1 or row[0].relation == ":=":
            raise head.misread("one statement is recalled: write recall eq-name: left <= right")
        if row[0].reason.text or row[0].rule:
            raise row[0].reason.misread("nothing is expected here: the reason stands where it is proved")
        return Block("recall", label, left, tuple(row), beside)
    label, left, rows = _labelled(head, rest)
    if not rows:
        raise head.misread("a row is expected below: write   = right side   -- reason")
    defines = rows[0].relation == ":="
    if defines and len(rows) > 1:
        raise rows[1].right.misread("a definition has one right side")
    return Block("define" if defines else "prove", label, left, tuple(rows), beside)


def _labelled(head: Piece, rest: list[Piece]) -> tuple[str, Piece, list[Row]]:
    """The label, if there is one, the left side, and the rows."""
    found = LABEL.match(head.text)
    label = found.group() if found else ""
    body = head.part(head.text.index(":", len(label)) + 1) if found else head
    joined = _joined(body, rest)
    return label, joined[0], [_row(piece) for piece in joined[1:]]


def _joined(body: Piece, rest: list[Piece]) -> list[Piece]:
    """The left side and each row, a line that begins with no relation being part of the one before."""
    sign = _outside(body)
    starts = [body.start] if sign is None else [body.start, body.start + sign]
    starts += [line.start for line in rest if SIGN.match(line.text)]
    end = rest[-1].end if rest else body.end
    whole = Piece(body.whole, body.start, end)
    return [
        whole.part(a - body.start, b - body.start) for a, b in zip(starts, [*starts[1:], end], strict=True)
    ]


def _outside(piece: Piece) -> int | None:
    """Where the first relation stands that is in no bracket, before the reason."""
    depth, text = 0, BECAUSE.split(piece.text, maxsplit=1)[0]
    for place, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if depth <= 0 and SIGN.match(text, place):
            return place
    return None


def _row(piece: Piece) -> Row:
    sign = SIGN.match(piece.text)
    assert sign is not None
    relation = MEANING.get(sign.group(), sign.group())
    because = BECAUSE.search(piece.text)
    body = piece.part(len(sign.group()), because.start() if because else None)
    if not body.text:
        raise piece.misread(f"a right side is expected after {sign.group()}")
    if (again := _outside(body)) is not None:
        raise body.misread("one relation a line is expected: write the next one on a line of its own", again)
    said = piece.part(because.end() if because else len(piece.text))
    rule = None
    if said.text.endswith("]") and "[" in said.text:
        first = _bracket(said.text)
        rule, said = said.part(first + 1, len(said.text) - 1), said.part(0, first)
    return Row(relation, body, said, rule)


def _bracket(text: str) -> int:
    """Where the bracket opens that is closed at the end."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == "]") - (text[place] == "[")
        if not depth:
            return place
    return 0
