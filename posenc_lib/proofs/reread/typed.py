r"""LaTeX as an author types it, in the dialect that ``reread`` reads; what is not known is refused by name.

Nothing is guessed: two ways to see a formula are one reason to refuse it. Letters are single; a name is a
letter with what stands below it. ``Hand.forms`` keeps how each name is drawn: a page draws it in one way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .pieces import (
    APPLIED,
    ENDS,
    FORMS,
    KNOWN,
    LETTERS,
    MATRICES,
    SAME,
    SIZES,
    SPACES,
    Misplaced,
    Piece,
    pieces,
)
from .tokens import Unread


class Hand:
    """The forms in which a page draws its names."""

    def __init__(self) -> None:
        self.forms: dict[str, str] = {}
        self.at = 0  # where the piece stands that was looked at last

    def drawn(self, name: str, form: str) -> str:
        """The name, if the page draws it so."""
        if self.forms.setdefault(name, form) != form:
            raise Unread(f"{form} and {self.forms[name]} look alike: a page has one of them")
        return name

    def plain(self, latex: str) -> str:
        """The same formula in the dialect of ``reread``."""
        found = pieces(latex)
        self.at = 0
        try:
            sides = [piece for piece in map(str, found) if piece in (r"\left", r"\right")]
            if 2 * sides.count(r"\left") != len(sides):
                raise Unread("\\left without \\right")
            if "&" in found and not MATRICES & set(found):
                raise Unread("& in no matrix")
            plain = _Plain(found, self).all()
        except Unread as reason:
            raise Misplaced(str(reason), latex, self.at) from None
        return plain.replace(r"\rVert ^{3}", r"\rVert ^3").replace(r" \, d ", r"\, d ")


class _Plain:
    """Goes from left to right, a piece with what belongs to it at a time."""

    def __init__(self, tokens: Sequence[Piece], hand: Hand) -> None:
        self.tokens, self.hand, self.place = list(tokens), hand, 0
        self.bar = False  # whether a bar is open
        self.integrals = 0  # that wait for their measure
        self.range = False  # whether what comes is an end of a sum or integral

    def all(self) -> str:
        out = []
        while self.place < len(self.tokens):
            out.append(self.one())
        if self.bar:
            raise Unread("| without its partner")
        return " ".join(part for part in out if part)

    def peek(self) -> str:
        """The next piece that is no blank."""
        while (piece := self._here()) == " " or piece in SPACES:
            if (
                piece == r"\,"
                and self.integrals
                and "".join(self.tokens[self.place + 1 :]).lstrip()[:1] == "d"
            ):
                break
            self.place += 1
        self.hand.at = getattr(piece, "at", self.hand.at)
        return piece

    def _here(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        piece = self.peek()
        self.place += 1
        return piece

    def group(self) -> list[Piece]:
        """What stands in braces, or one piece."""
        if self.peek() == "{":
            return self._between("{", "}")
        if not self.next():
            raise Unread("something is missing at the end")
        return [self.tokens[self.place - 1]]

    def _between(self, opening: str, closing: str) -> list[Piece]:
        start, depth = self.place + 1, 0
        while self.place < len(self.tokens):
            depth += (self.tokens[self.place] == opening) - (self.tokens[self.place] == closing)
            self.place += 1
            if not depth:
                return self.tokens[start : self.place - 1]
        raise Unread(f"{opening} without its partner")

    def script(self) -> str:
        """What stands above or below: a number of more than one digit has braces."""
        braces, inside = self.peek() == "{", self.group()
        if not braces and inside[0].isdigit() and len(inside[0]) > 1:
            raise Unread(f"{inside[0]} without braces")
        return self.inner(inside)

    def _indexed(self) -> str:
        """The next piece, with what stands below it."""
        one = self.one()
        if self.peek() == "_":
            self.next()
            one += f"_{{{self.script()}}}"
        return one

    def inner(self, tokens: Sequence[Piece]) -> str:
        return _Plain(tokens, self.hand).all()

    def one(self) -> str:
        """The next piece, with what belongs to it."""
        piece = self.peek()
        self.place += 1
        self.range = piece in (r"\int", r"\sum", r"\prod") or (self.range and piece in ("_", "^"))
        for table, take in TAKES:
            if piece in table:
                return take(self, piece)
        if SIZES.match(piece):
            return self._bracket(piece)
        if piece.startswith("\\") and piece not in KNOWN:
            raise Unread(f"the command {piece}")
        if piece == r"\boldsymbol":
            return rf"\boldsymbol{{{self.inner(self.group())}}}"
        if piece == r"\int":
            self.integrals += 1
        if piece == "\\\\" and self.peek().startswith("\\end{"):  # behind the last row
            return ""
        if piece.isalpha():
            return self.hand.drawn(piece, piece)
        return piece

    def _measure(self, piece: str) -> str:
        self.integrals -= 1
        self.peek()
        self.place += 1  # the d
        return rf"\, d {self.one()}"

    def _bracket(self, piece: str) -> str:
        sign = self.next()
        if sign in ("(", ")", "[", "]"):
            return sign
        side = r"\right" if piece[-1] in "rt" and piece != r"\left" else r"\left"
        if sign == "|" or sign in (r"\lvert", r"\rvert", r"\langle", r"\rangle", r"\lVert", r"\rVert"):
            return f"{side}{sign}"
        raise Unread(f"{piece} before {sign or 'the end'}")

    def _bars(self, _: str) -> str:
        """Bars that do not say which side they are: the first opens, the next closes; no |a| b |c|."""
        self.bar = not self.bar
        if not self.bar:
            if self.peek() not in ENDS | {"|", r"\left", "/", "^"} and "|" in self.tokens[self.place :]:
                raise Unread("|a| b |c| may be read in two ways: write \\lvert and \\rvert")
            return r"\right|"
        if self.peek() in ("", "+", "=", ")"):
            raise Unread("a bar that may open or close: write \\lvert and \\rvert")
        return r"\left|"

    def _fraction(self, _: str) -> str:
        if self.peek().isdigit() and len(self.peek()) > 1:  # \frac12
            digits = self.next()
            if len(digits) > 2:
                raise Unread(f"\\frac{digits} without braces")
            return rf"\frac{{{digits[0]}}}{{{digits[1]}}}"
        above, below = self.group(), self.group()
        if len(above) > 1 and str(above[0]) == r"\partial":  # what is derived may stand above
            n = 1 + ("".join(above[1:2]) == "^") * (2 if "".join(above[2:3]) != "{" else 4)
            behind = self.inner(above[n:])
            head = rf"\frac{{{self.inner(above[:n])}}}{{{self.inner(below)}}}"
            return f"{head} {behind}" if behind else head
        return rf"\frac{{{self.inner(above)}}}{{{self.inner(below)}}}"

    def _same(self, piece: str) -> str:
        return self._fraction(piece) if SAME[piece] == r"\frac" else SAME[piece]

    def _form(self, piece: str) -> str:
        return self.hand.drawn(FORMS[piece], piece)

    def _letter(self, piece: str) -> str:
        return self.hand.drawn(piece, piece)

    def _style(self, piece: str) -> str:
        one = "".join(self.group())
        if not (one.isalpha() and len(one) == 1):
            raise Unread(f"{piece} around {one}")
        return self.hand.drawn(one, f"{piece}{{{one}}}")

    def _upright(self, _: str) -> str:
        word = "".join(self.group())
        if word in ("i", "e"):
            return r"\mathrm{i}" if word == "i" else self.hand.drawn("e", r"\mathrm{e}")
        if len(word) == 1:
            raise Unread(f"the upright word {word}")
        return _function(word)

    def _operator(self, _: str) -> str:
        return _function("".join(self.group()))

    def _conjugate(self, piece: str) -> str:
        inside = self.inner(self.group())
        if piece == r"\bar" and not re.fullmatch(r"\\?[a-zA-Z]+", inside):
            raise Unread("\\bar is for one letter: write \\overline")
        if self.peek() == "_":
            self.next()
            inside += f"_{{{self.script()}}}"
        return f"({inside})^{{*}}"

    def _above(self, _: str) -> str:
        declared = self.range or "T" in self.hand.forms
        inside = self.script()
        if inside == "T" and not declared:
            raise Unread("^{T} may be a power: write ^\\top")
        return f"^{{{inside}}}"

    def _below(self, _: str) -> str:
        return f"_{{{self.script()}}}"

    def _applied(self, piece: str) -> str:
        """cos(x); cos x for one letter or number, with nothing behind it."""
        name = {r"\exp": "e^", r"\ln": r"\log"}.get(piece, piece)
        above = ""
        if self.peek() == "^":
            self.next()
            above = f"^{{{self.script()}}}"
        if self.peek() in ("(", "[", "{") or SIZES.match(self.peek()):
            if name == "e^":
                raise Unread("\\exp: write e^{…}")
            return name + above
        run: list[str] = []
        while not run or (self.peek() in LETTERS | set(FORMS) or re.fullmatch(r"[a-zA-Z]|\d+", self.peek())):
            if not re.fullmatch(r"\\?[a-zA-Z]+|\d+", self.peek()):
                raise Unread(f"{piece} without brackets")
            run.append(self._indexed())
        if self.peek() not in ENDS | APPLIED:
            raise Unread(f"{piece} {' '.join(run)} {self.peek()}: write brackets")
        return f"{name}{above}({' '.join(run)})"

    def _over(self, _: str) -> str:
        """a b / c is a b times 1/c; c is one factor, and nothing follows it."""
        sized = SIZES.match(self.peek()) and self.next()
        if self.peek() == "(":
            inside = self._between("(", ")")
            while sized and inside and (inside[-1] == " " or SIZES.match(inside[-1])):
                inside = inside[:-1]
            below = self.inner(inside)
        else:
            below = self._indexed()
        if self.peek() not in ENDS:
            raise Unread(f"behind a/{below}: {self.peek()}: write \\frac")
        return rf"\cdot \frac{{1}}{{{below}}}"

    def _brace(self, piece: str) -> str:
        """An underbrace is what stands above it; what stands below it are words."""
        inside = self.inner(self.group())
        if self.peek() != "_":
            return inside
        self.next()
        words = "".join(self.group()).strip()
        if not words.startswith((r"\text{", r"\text {")):
            raise Unread(f"{piece} has words below it, \\text{{…}}")
        return inside

    def _matrix(self, piece: str) -> str:
        begins = piece.startswith(r"\begin")
        kind = piece[piece.index("{") + 1 : -1]
        plain = r"\begin{matrix}" if begins else r"\end{matrix}"
        if kind == "matrix":
            return plain
        opening = r"\det(" if kind == "vmatrix" else "("
        return opening + plain if begins else f"{plain})"


def _function(word: str) -> str:
    """The name of a function, which is no name of a letter."""
    if not word.isalpha() or f"\\{word}" in LETTERS:
        raise Unread(f"the upright word {word}")
    return rf"\operatorname{{{word}}}"


TAKES: list[tuple[set[str], Callable[[_Plain, str], str]]] = [
    ({r"\,"}, _Plain._measure),
    ({"|"}, _Plain._bars),
    ({r"\frac"}, _Plain._fraction),
    (set(SAME), _Plain._same),
    (set(FORMS), _Plain._form),
    (LETTERS, _Plain._letter),
    ({r"\mathcal", r"\mathfrak", r"\mathbb"}, _Plain._style),
    ({r"\mathrm"}, _Plain._upright),
    ({r"\operatorname"}, _Plain._operator),
    ({r"\overline", r"\bar"}, _Plain._conjugate),
    ({"^"}, _Plain._above),
    ({"_"}, _Plain._below),
    (APPLIED, _Plain._applied),
    ({"/"}, _Plain._over),
    ({r"\underbrace"}, _Plain._brace),
    (MATRICES, _Plain._matrix),
]
