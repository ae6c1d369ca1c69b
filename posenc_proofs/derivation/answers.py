"""A text that stands alone, and what the checker says of each part, as data."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..kernel.terms import Term, has_words
from ..search.proof import NotFound
from ..text import plainly
from ..text.blocks import HEAD, SIGN, Block, blocks
from .derivation import Derivation, Refuted
from .records import as_written

SAME = "= true, but the right side repeats the left: write what it is equal to in another form"
STOPPED = {Refuted: ("refuted", "✘ refuted:"), NotFound: ("undecided", "? undecided:")}


class Answer(NamedTuple):
    """What is said of one part of a text.

    Args:
        kind: "proved", "defined", "assumed", "refuted", "undecided", "same" for what only repeats its left
            side, or "unread" for what is no derivation
        label: of the equation; "" where none was read
        latex: the equation; "" where none was read
        reasons: of its rows
        said: one line: mark, word, method, scope, wrong versions refuted; or what is wrong, and where
        more: further lines, of an equation that is not accepted
    """

    kind: str
    label: str
    latex: str
    reasons: list[str]
    said: str
    more: list[str]


def answers(text: str) -> Iterator[Answer]:
    r"""The parts of ``text``, checked one after the other up to the first that is not accepted.

    An equation without a label is given one. Nothing is evaluated; what is wrong is answered, not raised.

    Example:
        >>> text = "for all a, b ∈ ℝ\n\\cos(a - b) = \\cos a \\cos b - \\sin a \\sin b"
        >>> [answer] = answers(text)
        >>> answer.said
        '✘ refuted: eq-1, row 1: false at a = 2, b = -1: left side -0.989992, right side 0.540302'
    """
    label = latex = ""
    try:
        D, text = Derivation("page"), labelled(plainly.latex(text))
        for block in blocks(text):
            if isinstance(block, Block) and block.kind != "words":
                label, latex = block.label, as_written(block, false=True)
            result = D.enter(block, text)
            label = latex = ""  # the next may not be read
            if result is None:
                continue
            again = isinstance(block, Block) and _says_it_again(D, block)
            kind, said = ("same", SAME) if again else (result.kind, result.badge())
            record = result.record()
            yield Answer(kind, result.label, record["latex"], [r for r in record["reasons"] if r], said, [])
    except (NotFound, ValueError, NotImplementedError) as problem:
        kind, word = STOPPED.get(type(problem), ("unread", "✎ not checked:"))
        first, *more = str(problem).split("\n")
        yield Answer(kind, label, latex, [], f"{word} {first}", more)


def labelled(text: str) -> str:
    """The same text; an equation without a label is eq-1, eq-2, …, in its place among all."""
    found = []
    for number, part in enumerate(re.split(r"\n(?=\S)", text.strip("\n"))):
        head = HEAD.match(part)
        sign = SIGN.search(part)
        bare = head is not None and not any(head.groups()) and sign is not None and sign[0] != ":="
        found.append(f"eq-{number}: {part}" if bare and not part.startswith("for ") else part)
    return "\n".join(found)


def _says_it_again(D: Derivation, block: Block) -> bool:
    """Whether an equation ends where it began: true, and no answer to anything."""
    if block.kind != "prove" or {row.relation for row in block.rows} != {"="}:
        return False
    said = D.reading.row(block.left, "=", block.rows[-1].right)
    if D.reading.meant or has_words(*said.left, *said.right):  # what names mean, and (AB)^⊤, are read at once
        return block.left.split() == block.rows[-1].right.split()
    return [*map(_sorted, said.left)] == [*map(_sorted, said.right)]


def _sorted(t: Term) -> Any:
    """A term with the parts of its sums and products in one order."""
    parts = [_sorted(part) for part in t.args]
    return t.head, t.data, tuple(sorted(parts, key=repr) if t.head in ("+", "*") else parts)
