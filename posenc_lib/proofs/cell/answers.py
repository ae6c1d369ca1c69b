"""A text that stands alone, letters and derivation, and what the checker says of each part, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..show.printer import RELATION_LATEX, aligned
from ..show.results import MARK
from ..terms.verdict import ProofError, Refuted, Undecided
from ..write.derivation import Derivation
from .blocks import Block, blocks
from .derive import entered
from .expressions import parsed
from .letters import declared

SIGN = {"refuted": MARK["refuted"], "undecided": "?", "unread": "✎"}
WORD = {"refuted": "refuted", "undecided": "undecided", "unread": "not checked"}
SAME = "= true, but the right side repeats the left: write what it is equal to in another form"


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
    """The parts of ``text``, checked one after the other up to the first that is not accepted.

    Lines such as ``a, b = reals("a b")`` declare letters; all others are read as ``derive`` reads them, where
    an equation without a label is given one. Nothing is evaluated; what is wrong is answered, not raised.

    Example:
        >>> text = 'a, b = reals("a b")' + chr(10) + 'cos(a - b) = cos(a)*cos(b) - sin(a)*sin(b)'
        >>> [answer] = answers(text)
        >>> answer.kind, answer.said
        ('refuted', '✘ refuted at a = 1, b = 1: left side 1, right side -0.416147')
    """
    label = latex = ""
    try:
        letters, rest = declared(text)
        D, names = Derivation("page"), {name: letter.made() for name, letter in letters.items()}
        for number, block in enumerate(blocks(rest), 1):
            label, latex = block.label or f"eq-{number}", ""
            if block.kind == "prove":
                block = block._replace(label=label)
            latex = _asked(block, names)
            result = entered(D, block, names)
            kind, said = ("same", SAME) if _says_it_again(block, names) else (result.kind, result.badge())
            yield Answer(kind, result.label, result.latex(), result.reasons(), said, [])
    except (ProofError, ValueError, TypeError) as problem:
        yield _stopped(problem, label, latex)


def _says_it_again(block: Block, names: Mapping[str, Any]) -> bool:
    """Whether an equation ends where it began: true, and no answer to anything."""
    if block.kind != "prove" or {row.relation for row in block.rows} != {"="}:
        return False
    return bool(parsed(block.left, names).expression == parsed(block.rows[-1].right, names).expression)


def _asked(block: Block, names: Mapping[str, Any]) -> str:
    """The equation as it is written, with a question mark: it is not known to hold."""
    left, *rights = (
        parsed(side, names).written.parts() for side in (block.left, *(r.right for r in block.rows))
    )
    signs = (rf"\overset{{?}}{{{RELATION_LATEX[row.relation]}}}" for row in block.rows)
    return aligned(left, [(sign, right, "") for sign, right in zip(signs, rights, strict=True)])


def _stopped(problem: Exception, label: str, latex: str) -> Answer:
    """The line that says the verdict, and the others: which row, its reason, the difference of its sides."""
    kinds = (("refuted", Refuted), ("undecided", Undecided), ("unread", Exception))
    kind = next(kind for kind, error in kinds if isinstance(problem, error))
    lines = [line for line in str(problem).split("\n") if line.strip() != "reason given:"]
    at = next((k for k, line in enumerate(lines) if line.strip().startswith(kind)), 0)
    said = " ".join(line.strip() for line in lines[at:]) if at else f"{WORD[kind]}: {lines[0]}"
    return Answer(kind, label, latex, [], f"{SIGN[kind]} {said}", lines[:at] or lines[1:])
