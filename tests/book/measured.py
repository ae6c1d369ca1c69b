"""Numbers with a unit in a text, and what a page prints: whether the one is among the other.

A number here is written in digits or as a word, alone or as a pair ("4.5 times", "89 to 95 %", "half a
millisecond"). Code, formulas and the targets of links are not text.
"""

import json
import re
from pathlib import Path

from tools.said import MARKED

WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
TIMES = {1: "once", 2: "twice"}

_TIME = r"µs|ms|milliseconds?|(?:CPU )?seconds|minutes?|hours?"
_UNIT = rf"(?:%|per cent|times|[kMGT]i?B|{_TIME}|nats|in seven|in \d+)"
_DIGITS = r"\d+(?:[  ]\d{3})*(?:\.\d+)?"
_NUMBER = rf"(?:{_DIGITS}|twice|once|half an?|an?(?= (?:minute|hour))|{'|'.join(WORDS)}|twenty|thirty)"
MEASURED = re.compile(rf"(?<![\w.])(?:{_NUMBER} (?:to|and|or) )?{_NUMBER} ?(?:and a half )?{_UNIT}(?!\w)")
_NOT_TEXT = re.compile(
    r"```.*?```|\$\$.*?\$\$|\$[^$]+\$|`[^`]*`|\]\([^)]*\)|\{[a-z:]+\}|https?://\S+", re.DOTALL
)
_PRINTED = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")


def flat(text: str) -> str:
    """Text on one line, a single blank between words."""
    return " ".join(text.split())


def text_of(path: Path) -> str:
    """What is to be read: all of a Markdown file, the text cells of a notebook."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = (cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "markdown")
        source = MARKED.sub("…", "\n\n".join("".join(cell["source"]) for cell in cells))
    return flat(source)


def printed_by(path: Path) -> str:
    """The outputs of a notebook as text: what its cells print, and what its figures say of themselves."""
    shown = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            shown += ["".join(output.get("text", "")), "".join(output.get("data", {}).get("text/plain", ""))]
    return flat("\n".join(shown))


def measured(text: str) -> list[tuple[int, int]]:
    """Where numbers with a unit stand in a text."""
    plain = _NOT_TEXT.sub(lambda found: "\0" * len(found[0]), text)
    return [found.span() for found in MEASURED.finditer(plain)]


def is_printed(said: str, printed: str) -> bool:
    """Whether it is printed with its unit, or each number is, to the digits that are said, three at least."""
    if re.search(rf"(?<![\w.]){re.escape(said)}(?!\w)", printed):
        return True
    digits = re.findall(r"\d+(?:\.\d+)?", said)
    return bool(digits) and all(_rounds(d, printed) for d in digits)


def _rounds(said: str, printed: str) -> bool:
    places = len(said.partition(".")[2])
    found = {f"{float(number):.{places}f}" for number in _PRINTED.findall(printed)}
    return len(said.replace(".", "").lstrip("0")) > 2 and said in found


def unbound(text: str, sentences: list[str], printed: str = "") -> list[str]:
    """Numbers with a unit that are neither in one of the sentences nor printed, with what stands around."""
    found = [at.span() for said in sentences for at in re.finditer(re.escape(flat(said)), text)]
    return [
        f"… {text[max(a - 40, 0) : b + 20]} …"
        for a, b in measured(text)
        if not any(c <= a and b <= d for c, d in found) and not is_printed(text[a:b], printed)
    ]
