"""Lines that declare the letters of a text, as a notebook's cell does: ``a, b = reals("a b")``."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from ..terms import symbols
from .source import Misread, Piece

MANY = ("integers", "evens", "naturals", "counts", "reals", "positives", "complexes")
ONE = (
    *("real_sequence", "complex_sequence", "real_function", "positive_function"),
    *("smooth_function", "complex_function"),
)
MAKERS = {name: getattr(symbols, name) for name in (*MANY, *ONE)}
NAME = r"[^\W\d]\w*"
DECLARATION = re.compile(rf"{NAME}(?:\s*,\s*{NAME})*\s*=\s*(?:{'|'.join(MAKERS)})\s*\(")
FORM = 'letters are declared as a, b = reals("a b"), each with its name'


class Letter(NamedTuple):
    """A letter as it is declared: the function that makes it, and the name that it is printed by."""

    maker: str
    spelled: str

    def made(self) -> Any:
        return MAKERS[self.maker](self.spelled)


def declared(text: str) -> tuple[dict[str, Letter], str]:
    """The letters that a text declares, and the text with blanks for these lines, so that places stay.

    Raises:
        Misread: for a declaration of another form, and for a name that is declared twice.

    Example:
        >>> letters, rest = declared('''m = integers("m")
        ... eq-even: cos(-m) = cos(m)''')
        >>> letters["m"].maker, rest.split()
        ('integers', ['eq-even:', 'cos(-m)', '=', 'cos(m)'])
    """
    found: dict[str, Letter] = {}
    rest, place = [], 0
    for line in text.split("\n"):
        piece = Piece(text, place, place + len(line))
        here = _read(piece) if DECLARATION.match(line) else {}
        if again := [name for name in here if name in found]:
            raise piece.misread(f"{again[0]} is declared above: one declaration is expected")
        found |= here
        rest.append(" " * len(line) if here else line)
        place += len(line) + 1
    return found, "\n".join(rest)


def _read(piece: Piece) -> dict[str, Letter]:
    try:
        line, *more = ast.parse(piece.text).body
    except SyntaxError as error:
        raise piece.misread(f"{FORM} ({error.msg})", max((error.offset or 1) - 1, 0)) from None
    if more or not isinstance(line, ast.Assign):
        raise piece.misread(FORM)
    names = [node.id for node in _each(line.targets[0]) if isinstance(node, ast.Name)]
    letters = [letter for call in _each(line.value) for letter in _made(piece, call)]
    if len(names) != len(letters) or len(set(names)) != len(names):
        raise piece.misread(f"{FORM}, got {len(names)} names for {len(letters)} letters")
    return dict(zip(names, letters, strict=True))


def _each(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _made(piece: Piece, call: ast.expr) -> list[Letter]:
    match call:
        case ast.Call(func=ast.Name(id=maker), args=[ast.Constant(value=str(said))], keywords=[]):
            spelled = said.replace(",", " ").split()
        case _:
            raise _misread(piece, call, FORM)
    if maker not in MAKERS:
        raise _misread(piece, call, f"one of {', '.join(MAKERS)} is expected, not {maker}")
    if maker in ONE and len(spelled) != 1:
        raise _misread(piece, call, f"{maker} takes one name, got {said!r}")
    if wrong := [name for name in spelled if not name.isidentifier()]:
        raise _misread(piece, call, f"a name of letters, digits and _ is expected, not {wrong[0]!r}")
    return [Letter(maker, name) for name in spelled]


def _misread(piece: Piece, node: ast.expr, message: str) -> Misread:
    """The error at a node; Python counts columns in bytes."""
    return piece.misread(message, len(piece.text.encode()[: node.col_offset].decode()))
