"""LaTeX of a displayed equation, in pieces."""

from __future__ import annotations

import re

SKIP = re.compile(r"(\\[,;:! ]|\\quad|\\limits|\s|\\(?:begin|end)\{aligned\}|\\\\\s*\n)+")
BLANK = re.compile(r"(\\[,;:! ]|\s)+")  # in a matrix, where a break begins a row
MEASURE = re.compile(r"\\, ?d ?(?=\\?[a-zA-Z])")
PIECE = re.compile(
    r"(\\left|\\right)\s*(\\[a-zA-Z]+|\\.|.)|\\(?:begin|end)\{matrix\}|\\\\|\\[a-zA-Z]+"
    r"|[a-zA-Z][a-zA-Z0-9]*|\d+(?:\.\d+)?|:=|[-+=<>(){}\[\]^_,|!?*&]"
)
BARS = {"|": "|", r"\lvert": "|", r"\rvert": "|", r"\lVert": "||", r"\rVert": "||"}
BARS |= {r"\langle": "<>", r"\rangle": "<>"}


class Unread(ValueError):
    """What is printed is nothing that this reader knows."""


def tokens(latex: str) -> list[str]:
    r"""Names, numbers, signs; "left |" and "right |"; "measure" for the d of an integral.

    Spaces are left out, and what breaks or aligns rows, outside a matrix.

    Example:
        >>> tokens(r"\left(a + 10\right) x_{i}")
        ['(', 'a', '+', '10', ')', 'x', '_', '{', 'i', '}']
    """
    found: list[str] = []
    place = depth = 0
    while place < len(latex):
        if measure := MEASURE.match(latex, place):
            found.append("measure")
            place = measure.end()
        elif space := (BLANK if depth else SKIP).match(latex, place):
            place = space.end()
        else:
            piece = PIECE.match(latex, place)
            if piece is None:
                raise Unread(f"the sign {latex[place : place + 12]!r}")
            depth += (piece.group() == r"\begin{matrix}") - (piece.group() == r"\end{matrix}")
            if depth or piece.group() != "&":
                found.append(_named(piece))
            place = piece.end()
    return found


def _named(piece: re.Match[str]) -> str:
    side, sign = piece.groups()
    if side is None:
        return piece.group()
    return f"{side[1:]} {BARS[sign]}" if sign in BARS else sign
