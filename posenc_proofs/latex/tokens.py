r"""LaTeX as tokens: letters, numbers, commands, brackets with their partners; what is not known is refused.

Letters are single. ``Hand`` keeps how each is drawn: a page draws a name in one way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

PIECE = re.compile(
    r"(?P<space>\s+|\\[,;:\ ]|\\q?quad(?![a-zA-Z])|\\limits(?![a-zA-Z]))"
    r"|(?P<size>\\(?:left|right|[bB]igg?[lr])(?![a-zA-Z]))\s*(?P<sign>\\[a-zA-Z]+|\\?.|$)"
    r"|\\(?P<style>mathcal|mathfrak|mathbb|mathrm|operatorname)(?![a-zA-Z])\s*"
    r"(?:\{\s*(?P<word>[a-zA-Z]+)\s*\}|(?P<one>[a-zA-Z]))"
    r"|\\text\s*\{[^{}\\$]*\}|\\(?:begin|end)\{[a-z]+\}|\\[a-zA-Z]+|\\.|[a-zA-Z]"
    r"|(?<=frac)\d|(?<=frac\d)\d|\d{1,1000}(?:\.\d{1,1000})?|:=|[-+=<>(){}\[\]^_,|!/*&]",
    re.ASCII,
)
MEASURE = re.compile(r"\\,\s*d(?=\s*\\?[a-zA-Z])")  # the d of an integral
# One meaning, two ways to type it.
SAME = {r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne"}
SAME |= dict.fromkeys([r"\ldots", r"\cdots", r"\vdots", r"\ddots"], r"\dots")
SAME |= {r"\ast": "*", r"\ln": r"\log"}
FORMS = {r"\varphi": r"\phi", r"\varepsilon": r"\epsilon", r"\vartheta": r"\theta", r"\varrho": r"\rho"}
SPOKEN = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi "
SPOKEN += "omega pi Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
GREEK = dict(zip(SPOKEN.split(), "αβγδεζηθικλμνξρστφχψωπΓΔΘΛΞΠΣΦΨΩ", strict=True))
NAMED = {sign: name for name, sign in GREEK.items()}
LETTERS = {f"\\{name}" for name in GREEK}
SIGNS = {*LETTERS, r"\mathrm{i}"}
MATRICES = {rf"\begin{{{kind}}}" for kind in ("pmatrix", "bmatrix", "vmatrix")}
BRACKETS = {"(": ")", "[": "]", "{": "}", r"\lvert": r"\rvert", r"\lVert": r"\rVert", r"\langle": r"\rangle"}
BRACKETS |= {"|": "|", r"\int": r"\,d"}  # an integral holds what stands before its letter
BRACKETS |= {begin: begin.replace("begin", "end") for begin in (*MATRICES, r"\begin{aligned}")}
FUNCTIONS = {rf"\{name}": name for name in ["cos", "sin", "tan", "log", "cosh", "sinh", "tanh"]}
SPELT = {"Re": "re", "Im": "im", "Ci": "Ci", "Si": "Si", "erf": "erf"}
BIG = {r"\sum": "sum", r"\prod": "prod", r"\int": "int", r"\max": "max", r"\lim": "lim"}
RELATIONS = {"=": "=", r"\le": "<=", "<": "<", ">": ">", r"\ge": ">=", r"\ne": "!=", ":=": ":="}
KNOWN = {*BRACKETS, *BRACKETS.values(), *FUNCTIONS, *BIG, *RELATIONS, r"\frac", r"\sqrt", r"\binom", r"\min"}
KNOWN |= {r"\dots", r"\to", r"\infty", r"\cdot", r"\top", r"\partial", r"\otimes", r"\odot", r"\bigoplus"}
KNOWN |= {r"\hat", r"\bar", r"\star", r"\boldsymbol", r"\overline", r"\underbrace", r"\substack", r"\\"}
COMMAND = re.compile("|".join([*GREEK, "star", "top", "hat"]))
DEEPEST = 50


class Unread(ValueError):
    """What is printed is nothing that this reader knows."""


def refuse(wrong: object, reason: str) -> None:
    """What is printed is refused where something is wrong with it."""
    if wrong:
        raise Unread(reason)


class Misplaced(Unread):
    """What cannot be read, and where: the row is shown with a mark below the place."""

    def __init__(self, reason: str, latex: str, at: int) -> None:
        super().__init__(f"column {at + 1}: {reason}\n  {latex}\n  {' ' * at}^")
        self.reason, self.latex, self.at = reason, latex, at


class Token(str):
    r"""A command, a letter, a number, a sign; "\,d" for the d of an integral.

    ``at`` is its place in a line, and ``spaced`` says that room is left before it. From a bracket that opens
    it is ``to`` tokens to its partner.
    """

    line: str
    at: int
    spaced: bool
    to: int

    def __new__(cls, text: str, line: str = "", at: int = 0, spaced: bool = False) -> Token:
        token = super().__new__(cls, text)
        token.line, token.at, token.spaced, token.to = line, at, spaced, 0
        return token


class Hand:
    """The forms in which a page draws its names."""

    def __init__(self) -> None:
        self.forms: dict[str, str] = {}

    def drawn(self, name: str, form: str) -> str:
        """The name, if the page draws it so."""
        if self.forms.setdefault(name, form) != form:
            raise Unread(f"{form} and {self.forms[name]} look alike: a page has one of them")
        return name


def tokens(latex: str, hand: Hand) -> list[Token]:
    r"""All tokens of one side, or of a whole row.

    Example:
        >>> tokens(r"\bigl(a + 10\bigr) x_{i}", Hand())
        ['(', 'a', '+', '10', ')', 'x', '_', '{', 'i', '}']
    """
    found: list[Token] = []
    opened: list[int] = []
    place, spaced = 0, False
    try:
        while place < len(latex):
            measure = MEASURE.match(latex, place) if any(found[k] == r"\int" for k in opened) else None
            piece = measure or PIECE.match(latex, place)
            if piece is None:
                asked = "write your formula in the place of the ?"
                raise Unread(asked if latex[place] == "?" else f"the sign {latex[place]!r}")
            if measure or not piece["space"]:
                found.append(Token(r"\,d" if measure else _read(piece, hand), latex, place, spaced))
                _match(found, opened)
            spaced = not measure and bool(piece["space"]) and (spaced or not piece[0].isspace())
            place = piece.end()
        if opened:
            place = found[opened[-1]].at
            partner = BRACKETS[found[opened[-1]]]
            written = r"\,dx, say" if partner == r"\,d" else partner
            raise Unread(f"{found[opened[-1]]} without its partner {written}")
    except Unread as reason:
        raise Misplaced(str(reason), latex, place) from None
    return found


def _read(piece: re.Match[str], hand: Hand) -> str:
    text = piece[0]
    if piece.re is PIECE and piece["size"]:
        return _sized(piece["size"], piece["sign"])
    if piece["style"]:
        return _styled(piece["style"], piece["word"] or piece["one"], hand)
    if text in FORMS or text in LETTERS or text.isalpha():
        return hand.drawn(FORMS.get(text, text), text)
    text = SAME.get(text, text)
    if text.startswith(r"\text") and text.endswith("}"):
        return r"\text"
    refuse(text.startswith("\\") and text not in KNOWN, f"the command {text}")
    return text


def _sized(size: str, sign: str) -> str:
    closes = size == r"\right" or size.endswith("r")
    if sign == "|":
        return r"\rvert" if closes else r"\lvert"
    if sign == "{" or sign not in (BRACKETS.values() if closes else BRACKETS):
        raise Unread(f"{size} before {sign or 'the end'}")
    return sign


def _styled(style: str, word: str, hand: Hand) -> str:
    """A letter in script, the upright i and e, the name of a function that is spelt."""
    if style in ("mathrm", "operatorname"):
        if style == "mathrm" and word in ("i", "e"):
            return r"\mathrm{i}" if word == "i" else hand.drawn("e", r"\mathrm{e}")
        refuse(len(word) == 1 or f"\\{word}" in LETTERS or word.endswith("hat"), f"the upright word {word}")
        return word
    refuse(len(word) > 1, f"\\{style} around {word}")
    return hand.drawn(word, rf"\{style}{{{word}}}")


def _match(found: list[Token], opened: list[int]) -> None:
    """A bracket closes the one that opened last, of its kind."""
    token = found[-1]
    partner = BRACKETS[found[opened[-1]]] if opened else ""
    if token in BRACKETS and not token == partner == "|":  # a bar that is open closes
        opened.append(len(found) - 1)
        refuse(len(opened) > DEEPEST, "brackets in brackets, too many of them")
    elif token in BRACKETS.values():
        refuse(partner != token, f"{token} without its partner")
        first = found[opened[-1]]
        if first.line.startswith(r"\left", first.at) != token.line.startswith(r"\right", token.at):
            raise Unread("\\left without \\right")
        first.to = len(found) - 1 - opened.pop()
    elif token == "&" and not (opened and found[opened[-1]].startswith(r"\begin")):
        raise Unread("& in no matrix")


def outside(row: Sequence[Token]) -> Iterator[int]:
    """The places outside brackets, those where one opens among them."""
    k = 0
    while k < len(row):
        yield k
        k += row[k].to + 1


def split(row: Sequence[Token], *signs: str) -> list[list[Token]]:
    """What stands between signs that are in no bracket."""
    cuts = [k for k in outside(row) if row[k] in signs]
    return [list(row[a + 1 : b]) for a, b in zip([-1, *cuts], [*cuts, len(row)], strict=True)]


def spelling(row: Sequence[str]) -> str:
    """A name without braces and backslashes: "p_m" for p_{m}."""
    return "".join(row).replace("\\", "").replace("{", "").replace("}", "")


def spelt(row: Sequence[str]) -> str:
    """How it is spelt; refused where its letters spell a command: the name would be that of the command."""
    if found := COMMAND.search("".join(sign if len(sign) == 1 else " " for sign in row)):
        raise Unread(f"{' '.join(found[0])} is spelt like \\{found[0]}: name it otherwise")
    return spelling(row)
