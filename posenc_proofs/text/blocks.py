r"""A page's text: what is said of letters, then definitions, hypotheses and results, each row in LaTeX.

    for all n ∈ ℕ₊, x ∈ ℤ and every real sequence θ
    S_j := \sum_{l=0}^{j-1} e^{\mathrm i x\theta_l}               -- after j arrows
    eq-abel-step: S_{j+1} - S_j
      = e^{\mathrm i x\theta_j}                                   -- all terms but the last cancel
      source: source 004, below (36)

What stands before -- is what a reader sees; behind it the reason, and in brackets the rule, if it is
not the identity.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..latex.tokens import Misplaced, Unread

SIGN = re.compile(r":=|=|<|\\leq?(?![a-zA-Z])|\\geq?(?![a-zA-Z])|>|\\neq?(?![a-zA-Z])")
HEAD = re.compile(r"(?:(assume|recall|refute|model|let)\s+)?(?:([a-zA-Z][\w-]*):(?!=)\s*)?")
WORDS = re.compile(r"words\s+([a-zA-Z][\w-]*)\s*\(([^)]*)\):\s*")
BESIDE = re.compile(r"(source|library|at|steps):\s*")
REASON = re.compile(r"\s--(?:\s|$)")
RULE = re.compile(r"\s*\[([^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]\s*$")
DEEPER = {"{": 1, "}": -1, "(": 1, ")": -1}


class Misread(Unread):
    """A text that is not of the form above."""


class Row(NamedTuple):
    relation: str
    right: str
    reason: str
    rule: str


class Block(NamedTuple):
    kind: str
    label: str
    left: str
    rows: tuple[Row, ...]
    beside: dict[str, str]

    @property
    def only(self) -> Row:
        """The one row."""
        if len(self.rows) != 1:
            raise Misread(f"one row is expected of {self.kind} {self.left}")
        return self.rows[0]


def blocks(text: str) -> Iterator[Block | str]:
    """The scope lines, as they stand, and the blocks; an indented line belongs to the line before."""
    for part in re.split(r"\n(?=\S)", text.strip("\n")):
        lines = [re.sub(r"(?<!\\)#.*", "", line).rstrip() for line in part.split("\n")]
        if lines := list(filter(None, lines)):
            yield " ".join(map(str.strip, lines)) if lines[0].startswith("for ") else _block(lines)


def _block(lines: list[str]) -> Block:
    if lines[0].startswith("words "):
        return _words(lines)
    _, kind, label, first = HEAD.split(lines[0], maxsplit=1)
    beside = _beside(lines)
    rows: list[list[str]] = [["", ""]]
    for line in [first, *map(str.strip, lines[1:])]:
        body, *why = REASON.split(line, maxsplit=1)
        (_, piece), *more = _cut(body)
        rows[-1][1] = f"{rows[-1][1]} {piece}".strip()
        rows += map(list, more)
        rows[-1] += why
    (_, left, *_), *rest = rows
    made = []
    for sign, right, *why in rest:
        reason, rule, *_ = [*RULE.split("".join(why[:1]).strip(), maxsplit=1), ""]
        made.append(Row(sign, right, reason.strip(), rule))
        if not right:
            raise Misread(f"nothing stands behind {sign} in: {lines[0]}")
    if not made or not left:
        raise Misread(f"a row is expected, such as  = right side  -- reason: {lines[0]}")
    kind = kind or ("define" if made[0].relation == ":=" else "prove")
    if kind not in ("define", "let", "model") and any(row.relation == ":=" for row in made):
        raise Misread(f":= in a result: {lines[0]}")
    if kind in ("prove", "refute") and not label:
        raise Misread(f"a label is expected: eq-name: {lines[0]}")
    return Block(kind, label or "", left, tuple(made), beside)


def _beside(lines: list[str]) -> dict[str, str]:
    """What the last lines say beside the rows."""
    beside = {}
    while len(lines) > 1 and (found := BESIDE.match(lines[-1].strip())):
        beside[found[1]] = lines.pop().strip()[found.end() :]
    return beside


def _words(lines: list[str]) -> Block:
    head, beside = WORDS.match(lines[0]), _beside(lines)
    if head is None or not beside.get("steps"):
        raise Misread(f"a title and steps are expected, words thm-name (Theorem): …, steps: eq-a: {lines[0]}")
    words = "\n".join([lines[0][head.end() :], *map(str.strip, lines[1:])])
    return Block("words", head[1], words, (), {**beside, "title": head[2]})


def _cut(line: str, signs: re.Pattern[str] = SIGN) -> Iterator[tuple[str, str]]:
    """The pieces at relations, or other signs, that are in no bracket."""
    places, start, sign = set(outside(line)), 0, ""
    for found in signs.finditer(line):
        if found.start() in places:
            yield sign, line[start : found.start()].strip()
            sign, start = found[0], found.end()
    yield sign, line[start:].strip()


def outside(text: str) -> Iterator[int]:
    """The places that are in no bracket, those where one opens among them, and the end."""
    depth = 0
    for found in re.finditer(r"(?s)\\?.|\Z", text):
        if not depth:
            yield found.start()
        depth += DEEPER.get(found[0], 0)


def closing(text: str) -> int:
    """Where the bracket closes with which a text begins."""
    behind = [*outside(text)][1:2]
    if not behind:
        raise Misread(f"a bracket is open in {text}")
    return behind[0] - 1


def parts(text: str) -> list[str]:
    """What stands between commas that are in no bracket."""
    return [piece for _, piece in _cut(text, re.compile(",")) if piece]


def placed(reason: Misplaced, text: str) -> Misplaced:
    """The same error, its place counted in the text of a whole cell, where the row stands there as it is."""
    start = text.find(reason.latex)
    if start < 0:
        return reason
    *above, before = text[: start + reason.at].split("\n")
    found = Misplaced(reason.reason, text.split("\n")[len(above)], len(before))
    found.args = (f"line {len(above) + 1}, {found}",)
    return found
