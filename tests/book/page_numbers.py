"""Numbers in a chapter's text, and whether its section or page prints or sets them, and not their neighbours.

A number is held to this if it says something: a decimal of two significant digits, or a whole number of
three, powers of two and their neighbours aside (4293 and 0.38, but not 4096 or 500 000). Versions and
sections are no numbers.
"""

import re
from itertools import accumulate
from typing import NamedTuple

import nbformat

from tools.reading import STEP, labels
from tools.said import MARKED

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
_HEADING = re.compile(r"^##? ", re.MULTILINE)
_PAGE, _EQUATION = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`"), re.compile(r"\{eq\}`([^`]+)`")


class Number(NamedTuple):
    """A number of a text: as written, its digits, its value, the unit of the last digit, per cent or not."""

    written: str
    digits: str
    value: float
    unit: float
    per_cent: bool

    def neighbours(self):
        """The numbers with the last digit one up and one down."""
        places = len(self.digits.partition(".")[2])
        for step in (1, -1):
            digits = str(int(self.digits.replace(".", "")) + step).rjust(places + 1, "0")
            with_point = f"{digits[:-places]}.{digits[-places:]}" if places else digits
            yield self._replace(digits=with_point, value=self.value + step * self.unit)


def numbers(text):
    """The numbers of a text that say something."""
    prose = _FORMULA.sub(
        lambda it: re.sub(r"(?<![\\{]),", ", ", it[0]), _NOT_TEXT.sub(" ", MARKED.sub(" ", text))
    )
    return [number for number in _read(prose) if _says_something(number.digits)]


def _read(text):
    """Every number of a text."""
    for found in _NUMBER.finditer(text):
        digits = re.sub(_GAP, "", found[1])
        power = int(found[2] or found[3] or IN_WORDS.get(found[4], 0))
        places = len(digits.partition(".")[2])
        written = found[0].removesuffix(found["per_cent"] or "").replace("$", "").strip()
        value, unit = float(f"{digits}e{power}"), float(f"1e{power - places}")
        yield Number(written, digits, value, unit, bool(found["per_cent"]))


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
    powers = {number.value for number in _read(text)}
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
    """A notebook: the numbers of its text, and those that it prints or sets in its code, in each section.

    A file stored beside it does not count: among thousands of numbers any two digits are found.
    """

    def __init__(self, path):
        cells = nbformat.read(path, as_version=4).cells
        self.cells = [cell for cell in cells if "said" not in cell.metadata.get("tags", [])]
        self.name = path.stem
        self.labels = {label for cell in self.cells for label in labels(cell)}
        self.sections = list(accumulate(len(_HEADING.findall(_text(cell))) for cell in self.cells))
        self.shown = {section: set() for section in self.sections}
        for cell, section in zip(self.cells, self.sections, strict=True):
            self.shown[section].update(*map(values, [*printed(cell), cell.source] if _is_code(cell) else ()))
        self.values = set().union(*self.shown.values())

    def said(self, sentences=()):
        """Each number of a text cell outside the sentences, its section, pages and results named there."""
        for cell, section in zip(self.cells, self.sections, strict=True):
            pages = {name.rpartition("/")[2] for name in _PAGE.findall(_text(cell))}
            for number in numbers(without(_text(cell), sentences)):
                yield number, section, pages, set(_EQUATION.findall(_text(cell)))


def _is_code(cell):
    return cell.cell_type == "code"


def _text(cell):
    return "" if _is_code(cell) else cell.source


def printed(cell):
    """The outputs of a cell as text; of a drawing, its words."""
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        for kind, content in output.get("data", {}).items():
            if kind != STEP:  # its certificates hold any number
                shown = re.sub(r'data:[^"]*', "", content)
                yield _PICTURE.sub(lambda it: "\n".join(w for _, w in _WORDS.findall(it[0])), shown)


def without(text, sentences):
    """A text without some of its sentences, however its lines are broken."""
    for said in sentences:
        mark = " $ " if said.count("$") % 2 else " "
        text = re.sub(r"\s+".join(map(re.escape, said.split())), mark.replace("\\", ""), text)
    return text


def is_told_by(number, found):
    """Whether the values hold the number, and no change of its last digit by one would go unseen."""
    near = number.neighbours()
    return is_among(number, found) and all(
        _says_something(it.digits) and not is_among(it, found) for it in near
    )


def unbound(page, pages, listed=(), sentences=()):
    """The numbers of a page outside the sentences that have no source there.

    A source is the list, the section, or the page and the pages that the cell names. It must tell the number
    from its neighbours: where 0.47 and 0.48 are both printed, only a sentence says which is meant.
    """
    known = {number.value for written in [*listed, *sentences] for number in numbers(written)}
    for number, section, named, results in page.said(sentences):
        others = [other for other in pages if other.name in named or other.labels & results]
        everywhere = page.values.union(known, *(other.values for other in others))
        pools = [page.shown[section] | known, everywhere]
        if number.written not in listed and not any(is_told_by(number, pool) for pool in pools):
            yield number.written
