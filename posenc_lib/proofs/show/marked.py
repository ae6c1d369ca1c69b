r"""Two formulas in LaTeX, and where they differ: ``\wrong{…}`` around that place of the second."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import TypeAlias

TOKEN = re.compile(
    r"(?:\\(?:left|right)\s*(?:\\[a-zA-Z]+|\\.|.)|\\(?:begin|end)\{[a-z]+\}|\\[a-zA-Z]+|\\.|\d+|.)\s*",
    re.DOTALL,
)
ARGUMENTS = {
    **dict.fromkeys((r"\frac", r"\binom", r"\overset"), 2),
    **dict.fromkeys((r"\sqrt", r"\operatorname", r"\mathrm", r"\boldsymbol", r"\hat", r"\text"), 1),
}
NAMES = (r"\operatorname", r"\mathrm", r"\boldsymbol", r"\hat", r"\text")  # marked as a whole
CLOSING = {"{": "}", "(": ")", "[": "]"}
MARKED = re.compile("\1(.*?)\2", re.DOTALL)
SCRIPTS, SEPARATORS = ("^", "_"), ("&", r"\\", ",")


@dataclass(frozen=True)
class Node:
    """Pieces that belong together: a group between brackets, or a sign with what is put to it."""

    parts: tuple[Piece, ...]
    group: bool = False

    def __str__(self) -> str:
        return _text(self.parts)


Piece: TypeAlias = "str | Node"
Pieces: TypeAlias = Sequence[Piece]


def marked(right: str, wrong: str) -> str:
    r"""``wrong`` with what is other than in ``right`` inside ``\wrong{…}``; what is missing leaves its room.

    Example:
        >>> print(marked(r"\cos(m - n)", r"\cos(m + n)"))
        \cos(m \wrong{+} n)
        >>> print(marked(r"e^{i m} x_{1}", r"e^{i} x_{1}"))
        e^{i\wrong{\phantom{m}}} x_{1}
    """
    return _shown(_marked(_pieces(right), _pieces(wrong)))


def marked_terms(right: Sequence[str], wrong: Sequence[str]) -> tuple[str, ...]:
    r"""The terms of a wrong sum, with marks where none of the right one's terms is the same.

    Example:
        >>> marked_terms(("a", "- b", "+ c"), ("a", "+ c", "+ b"))
        ('a', '+ c', '\\wrong{+} b')
    """
    return tuple(map(_shown, _with_marks(right, wrong)))


def changed_length(right: Sequence[str], wrong: Sequence[str]) -> int:
    r"""How many signs of the wrong terms are marked; 0 where both are printed alike.

    Example:
        >>> changed_length(("a", "- b"), ("a", "+ b"))
        1
    """
    return sum(len(_bare([change])) for term in _with_marks(right, wrong) for change in MARKED.findall(term))


def in_order_of(author: Sequence[str], right: Sequence[str], wrong: Sequence[str]) -> tuple[str, ...] | None:
    """The wrong terms in the order in which the author wrote the right ones; None where that is not clear.

    Example:
        >>> in_order_of(("x", "+ a"), ("a", "+ x"), ("a", "- x"))
        ('- x', '+ a')
    """
    lost, new = _unmatched(right, wrong), _unmatched(wrong, right)
    own = list(map(_signed, author))
    if len(new) > len(lost) or not {_signed(right[place]) for place in lost} <= set(own):
        return None
    put = {own.index(_signed(right[place])): k for k, place in enumerate(lost)}
    texts = [
        wrong[new[put[n]]] if put.get(n, -1) in range(len(new)) else term for n, term in enumerate(author)
    ]
    kept = [term for n, term in enumerate(texts) if put.get(n, -1) < len(new)]
    return tuple(term if n else term.removeprefix("+ ") for n, term in enumerate(_with_signs(kept)))


def _with_marks(right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    lost, new = _unmatched(right, wrong), _unmatched(wrong, right)
    found = list(wrong)
    for k, place in enumerate(new):
        before = _led_like(right[lost[k]], wrong[place]) if k < len(lost) else ""
        found[place] = _marked(_pieces(before), _pieces(wrong[place]))
    return [*found, *(_changed(_pieces(right[place]), []) for place in lost[len(new) :])]


def _led_like(term: str, other: str) -> str:
    """A term with a plus sign where the other one is led by a sign, without where it is not."""
    bare = term.removeprefix("+ ")
    return f"+ {bare}" if other[:1] in "+-" and bare[:1] not in "+-" else bare


def _shown(text: str) -> str:
    return MARKED.sub(lambda found: rf"\wrong{{{found[1]}}}", text)


def _with_signs(terms: list[str]) -> list[str]:
    return [term if term[:1] in "+-" else f"+ {term}" for term in terms]


def _signed(term: str) -> str:
    return "".join((term if term[:1] in "+-" else f"+{term}").split())


def _unmatched(terms: Sequence[str], others: Sequence[str]) -> list[int]:
    rest = list(map(_signed, others))
    found = []
    for place, term in enumerate(map(_signed, terms)):
        if term in rest:
            rest.remove(term)
        else:
            found.append(place)
    return found


def _pieces(latex: str) -> list[Piece]:
    return _until("", TOKEN.findall(latex))[0]


def _until(closing: str, tokens: list[str]) -> tuple[list[Piece], list[str]]:
    """The pieces before a closing bracket, and the tokens from it on."""
    found: list[Piece] = []
    while tokens:
        token, *tokens = tokens
        plain = token.strip()
        if closing and (plain.startswith(closing) if closing == r"\right" else plain == closing):
            return found, [token, *tokens]
        end = r"\right" if plain.startswith(r"\left") else CLOSING.get(plain, "")
        inner, after = (
            _until(end or plain.replace("begin", "end"), tokens) if end or "begin" in plain else ([], [])
        )
        if after:
            found.append(Node((token, *inner, after[0]), group=True))
            tokens = after[1:]
        else:
            found.append(token)
        _gather(found)
    return found, []


def _gather(found: list[Piece]) -> None:
    """Join a command with its last argument, a base with what stands above or below it."""
    for count in (1, 2):
        head = found[-1 - count] if len(found) > count else ""
        groups = all(isinstance(piece, Node) for piece in found[-count:])
        if groups and isinstance(head, str) and ARGUMENTS.get(head.strip()) == count:
            found[-1 - count :] = [Node(tuple(found[-1 - count :]))]
            return
    if len(found) > 2 and _is(found[-2], SCRIPTS):
        base = found[-3]
        scripted = isinstance(base, Node) and any(_is(part, SCRIPTS) for part in base.parts[1:2])
        own = base.parts if isinstance(base, Node) and scripted and not base.group else (base,)
        found[-3:] = [Node((*own, *found[-2:]))]


def _is(piece: Piece, signs: Sequence[str]) -> bool:
    return isinstance(piece, str) and piece.strip() in signs


def _marked(right: Pieces, wrong: Pieces) -> str:
    a, b = [_bare([piece]) for piece in right], [_bare([piece]) for piece in wrong]
    start = _common(a, b)
    end = _common(a[start:][::-1], b[start:][::-1])
    old, new = right[start : len(a) - end], wrong[start : len(b) - end]
    return _text(wrong[:start]) + _changed(old, new) + _text(wrong[len(b) - end :])


def _common(a: list[str], b: list[str]) -> int:
    """How many are the same from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _changed(old: Pieces, new: Pieces) -> str:
    if not old and not new:
        return ""
    if any(_is(piece, SEPARATORS) for piece in (*old, *new)):
        cells: Iterable[tuple[Pieces, Pieces]] = zip_longest(_cells(old), _cells(new), fillvalue=())
        return "".join(_marked(a, b) for a, b in cells)
    if len(old) == len(new) == 1 and isinstance(old[0], Node) and isinstance(new[0], Node):
        if old[0].group and new[0].group:
            ends = [(node.parts[0], node.parts[-1]) for node in (old[0], new[0])]
            if _bare(ends[0]) == _bare(ends[1]):
                return f"{ends[1][0]}{_marked(old[0].parts[1:-1], new[0].parts[1:-1])}{ends[1][1]}"
        elif _alike(old[0], new[0]):
            return "".join(_marked([a], [b]) for a, b in zip(old[0].parts, new[0].parts, strict=True))
    shown = _text(new) if new else rf"\phantom{{{_text(old).strip()}}}"
    return f"\1{shown.strip()}\2{shown[len(shown.rstrip()) :]}"


def _alike(old: Node, new: Node) -> bool:
    """Of one kind: a fraction and a fraction, a base with a power and another."""
    if old.group or new.group or _is(new.parts[0], NAMES):
        return False
    signs = (*SCRIPTS, *ARGUMENTS)
    kinds = [[_bare([part]) if _is(part, signs) else "" for part in node.parts] for node in (old, new)]
    return kinds[0] == kinds[1]


def _cells(side: Pieces) -> list[Pieces]:
    """What stands between the separators of a matrix, and they themselves."""
    found: list[list[Piece]] = [[]]
    for piece in side:
        if _is(piece, SEPARATORS):
            found += [[piece], []]
        else:
            found[-1].append(piece)
    return list(found)


def _text(pieces: Pieces) -> str:
    return "".join(map(str, pieces))


def _bare(pieces: Pieces) -> str:
    return "".join(_text(pieces).split())
