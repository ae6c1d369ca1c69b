"""The pieces of LaTeX that an author may type, and where each stands."""

from __future__ import annotations

import re

from .tokens import Unread

PIECE = re.compile(
    r"\\begin\{[a-z]+\}|\\end\{[a-z]+\}|\\[a-zA-Z]+|\\.|[a-zA-Z]|\d+(?:\.\d+)?|:=|[-+=<>(){}\[\]^_,|!/*&]|\s+"
)
DOTS = {r"\dots", r"\ldots", r"\cdots", r"\vdots", r"\ddots"}
SPACES = {r"\limits", r"\,", r"\;", r"\:", r"\ ", r"\quad", r"\qquad"}
FRACTIONS = {r"\frac", r"\tfrac", r"\dfrac"}
SAME = {  # one meaning, two ways to type it
    **{r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne"},
    **{r"\ast": "*", r"\lvert": r"\left|", r"\rvert": r"\right|", r"\{": "(", r"\}": ")"},
    **{r"\langle": r"\left\langle", r"\rangle": r"\right\rangle", r"\lbrace": "(", r"\rbrace": ")"},
}
FORMS = {r"\varphi": r"\phi", r"\varepsilon": r"\epsilon", r"\vartheta": r"\theta", r"\varrho": r"\rho"}
SIZES = re.compile(r"\\(?:left|right|[bB]igg?[lr])$")
SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega"
)
LARGE = "pi Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
LETTERS = {f"\\{name}" for name in (*SMALL.split(), *LARGE.split())}
APPLIED = {r"\cos", r"\sin", r"\tan", r"\log", r"\cosh", r"\sinh", r"\tanh", r"\ln", r"\exp"}
KINDS = ("matrix", "pmatrix", "bmatrix", "vmatrix")
MATRICES = {rf"\{side}{{{kind}}}" for side in ("begin", "end") for kind in KINDS}
KNOWN = DOTS | {
    *(
        r"\frac",
        r"\sqrt",
        r"\binom",
        r"\sum",
        r"\prod",
        r"\int",
        r"\max",
        r"\min",
        r"\lim",
        r"\to",
        r"\infty",
    ),
    *(r"\le", r"\ge", r"\ne", r"\cdot", r"\top", r"\partial", r"\otimes", r"\odot", r"\lVert", r"\rVert"),
    *(r"\bigoplus", r"\substack", r"\hat", r"\star", r"\boldsymbol", r"\\"),
}
ENDS = {
    *("", "+", "-", ")", "]", "}", ",", "&", r"\\", "=", "<", ">", ":=", r"\le", r"\ge", r"\ne", r"\cdot"),
    *(
        r"\right|",
        r"\to",
        r"\right",
        r"\bigr",
        r"\Bigr",
        r"\biggr",
        r"\Biggr",
        r"\rangle",
        r"\rvert",
        r"\rVert",
    ),
    *(piece for piece in MATRICES if piece.startswith(r"\end")),
}


class Piece(str):
    """A command, a letter, a number, a sign, or " " for blanks; ``at`` is its place in the line."""

    at: int

    def __new__(cls, text: str, at: int) -> Piece:
        piece = super().__new__(cls, text)
        piece.at = at
        return piece


class Misplaced(Unread):
    """What cannot be read, and where: the row is shown with a mark below the place."""

    def __init__(self, reason: str, latex: str, at: int) -> None:
        super().__init__(f"column {at + 1}: {reason}\n  {latex}\n  {' ' * at}^")
        self.reason, self.latex, self.at = reason, latex, at


def placed(reason: Misplaced, text: str) -> Misplaced:
    """The same error, its place counted in the text of a whole cell, where the row stands there as it is."""
    start = text.find(reason.latex)
    if start < 0:
        return reason
    before = text[: start + reason.at]
    line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
    found = Misplaced(reason.reason, text.split("\n")[line], column)
    found.args = (f"line {line + 1}, {found}",)
    return found


def pieces(latex: str) -> list[Piece]:
    """All of them, in order."""
    found: list[Piece] = []
    place = 0
    while place < len(latex):
        m = PIECE.match(latex, place)
        if m is None:
            asked = latex[place] == "?"
            what = "write your formula in the place of the ?" if asked else f"the sign {latex[place]!r}"
            raise Misplaced(what, latex, place)
        above = [piece for piece in found if piece != " "][-2:-1]
        if m[0].isdigit() and found and found[-1].isalpha() and not FRACTIONS.intersection(above):
            said = (
                f"{found[-1]}{m[0]}: a number behind a letter: write {found[-1]}_{m[0]}, or the number first"
            )
            raise Misplaced(said, latex, place)
        found.append(Piece(" " if m[0].isspace() else m[0], place))
        place = m.end()
    return found
