"""Signs that Python's parser does not have: |x|, ^, −, ·, and lines that go on."""

from __future__ import annotations

from .source import Piece

SIGNS = {"^": "**", "−": "-", "·": "*", "×": "*", "\n": " ", "\t": " "}


def plain(piece: Piece) -> tuple[str, list[int]]:
    """Python for the piece, and for each of its characters the place that it comes from.

    A bar opens a modulus where an expression may begin, and closes one after a value.
    """
    python, origin = [], []
    open_bars: list[tuple[int, int]] = []  # how many brackets are open around it, and its place
    depth, before = 0, ""
    for place, sign in enumerate(piece.text):
        written = SIGNS.get(sign, sign)
        if sign == "|":
            after_value = before.isalnum() or before in tuple(")]_")
            closes = after_value and open_bars and open_bars[-1][0] == depth
            if after_value and not closes:
                raise piece.misread("a sign is expected before |: a product is written with *", place)
            if closes:
                open_bars.pop()
            else:
                open_bars.append((depth, place))
            written = ")" if closes else "abs("
            before = ")" if closes else "("
        elif not sign.isspace():
            depth += (sign in "([") - (sign in ")]")
            before = sign
        python.append(written)
        origin += [place] * len(written)
    if open_bars:
        raise piece.misread("this | has no partner", open_bars[-1][1])
    return "".join(python), [*origin, len(piece.text)]
