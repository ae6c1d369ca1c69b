"""Numbers in a chapter's text, and whether the page prints or sets them.

A number is held to this if it says something: a decimal of two significant digits, or a whole number of
three, powers of two and their neighbours aside (4293 and 0.38, but not 4096 or 500 000). Versions and
sections are no numbers.
"""

import re
from typing import NamedTuple

import nbformat

from tools.reading import STEP, labels

IN_WORDS = {"million": 6, "billion": 9}
_GAP = r"(?:\\,|\{,\}|[  , ])"
_NOT_TEXT = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|\{[a-z:]+\}`[^`]*`|https?://\S+|<!--.*?-->|<[^>]*>|\\tag\{[^}]*\}"
    r"|(?:[Ss]ections?|[Vv]ersions?|arXiv|transformers|kernels|torch|Python)[: ]\d[\d.]*",
    re.DOTALL,
)
_POWER = r"(?:\s*(?:\\cdot|\\times|·|×)\s*10\^(?:\{(-?\d+)\}|(\d))|\$? (million|billion)\b)?"
_PER_CENT = r"(?P<per_cent>(?:\s|\\,)*\\?%| per cent)?"
_WHOLE = rf"\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)|\d+"
_BEGINS, _ENDS = r"(?<![\w.])(?<![A-Za-z]-)", r"(?!\.?\d)(?![A-Za-z])"
_NUMBER = re.compile(rf"{_BEGINS}((?:{_WHOLE})(?:\.\d+)?){_POWER}{_PER_CENT}{_ENDS}")
_PRINTED = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_FRACTION = re.compile(r"\\frac\{(\d+)\}\{(\d+)\}|(?<![\w./^])(\d+)/(\d+)(?![\w./])")
_FORMULA = re.compile(r"\$[^$]+\$")
_PICTURE, _WORDS = re.compile(r"<svg.*?</svg>", re.DOTALL), re.compile(r"<(title|desc|text)[^>]*>(.*?)</\1>")
_PAGE, _EQUATION = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`"), re.compile(r"\{eq\}`([^`]+)`")


class Number(NamedTuple):
    """A number of a text: as it is written, its value, the unit of its last digit, whether it is per cent."""

    written: str
    value: float
    unit: float
    per_cent: bool


def numbers(text):
    """The numbers of a text that say something."""
    prose = _FORMULA.sub(lambda it: re.sub(r"(?<![\\{]),", ", ", it[0]), _NOT_TEXT.sub(" ", text))
    return [number for digits, number in _read(prose) if _says_something(digits)]


def _read(text):
    """Every number: its digits alone, and what it is."""
    for found in _NUMBER.finditer(text):
        digits = re.sub(_GAP, "", found[1])
        power = int(found[2] or found[3] or IN_WORDS.get(found[4], 0))
        places = len(digits.partition(".")[2])
        written = found[0].removesuffix(found["per_cent"] or "").replace("$", "").strip()
        value, unit = float(f"{digits}e{power}"), float(f"1e{power - places}")
        yield digits, Number(written, value, unit, bool(found["per_cent"]))


def _says_something(digits):
    if "." in digits:
        return len(digits.replace(".", "").lstrip("0")) > 1
    near = int(digits)
    power_of_two = any(it > 0 and not it & (it - 1) for it in (near - 1, near, near + 1))
    return len(digits.rstrip("0")) > 2 and not power_of_two


def values(text):
    """All numbers that a text holds, however thousands and powers of ten are written."""
    joined = re.sub(rf"(?<=\d){_GAP}(?=\d{{3}}(?!\d))|(?<=\d)_(?=\d)", "", text)
    fractions = [int(a or c) / int(b or d) for a, b, c, d in _FRACTION.findall(text) if int(b or d)]
    powers = {number.value for _, number in _read(text)}
    return {float(n) for t in (text, joined) for n in _PRINTED.findall(t)} | {*fractions} | powers


def is_among(number, found):
    """Whether one of the values is the number to the digits that are written; per cent may be a share."""
    half = number.unit * (0.5 + 1e-9)
    return any(
        abs(shown - number.value) <= half
        for value in found
        for shown in ((value, 100 * value) if number.per_cent else (value,))
    )


class Page:
    """A notebook: the numbers of its text, and those that it prints or sets in its code.

    A file stored beside it does not count: among thousands of numbers any two digits are found.
    """

    def __init__(self, path):
        self.cells = nbformat.read(path, as_version=4).cells
        self.name = path.stem
        code = [cell.source for cell in self.cells if cell.cell_type == "code"]
        self.values = set().union(*map(values, [*self._printed(), *code]))
        self.labels = {label for cell in self.cells for label in labels(cell)}

    def _printed(self):
        for cell in self.cells:
            for output in cell.get("outputs", []):
                yield output.get("text", "")
                for kind, content in output.get("data", {}).items():
                    if kind != STEP:  # its certificates hold any number
                        shown = re.sub(r'data:[^"]*', "", content)
                        yield _PICTURE.sub(lambda it: "\n".join(w for _, w in _WORDS.findall(it[0])), shown)

    def said(self):
        """Each number of each text cell, with the pages and results that the cell names."""
        for cell in self.cells:
            if cell.cell_type == "markdown":
                pages = {name.rpartition("/")[2] for name in _PAGE.findall(cell.source)}
                for number in numbers(cell.source):
                    yield number, pages, set(_EQUATION.findall(cell.source))


def unbound(page, pages, listed=()):
    """The numbers of a page that neither it nor a page named in the same cell has, nor the list."""
    for number, named, results in page.said():
        others = [other for other in pages if other.name in named or other.labels & results]
        if number.written not in listed and not any(is_among(number, p.values) for p in [page, *others]):
            yield number.written
