"""A number that a text says is filled in by execution, shown by a cell near it, or listed with a reason.

Held to this are decimals of two significant digits, whole numbers of three (4293 and 0.38, but not 4096 or
500 000), and any number with a unit. ``given_numbers.yml`` lists those that may stand, and why.
"""

import gzip
import json
import math
import re
from inspect import signature
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
import yaml
from nbformat import v4

from experiments import length_generalisation as grown
from posenc_book.words import in_words
from posenc_lib.encoding.tiles import HEIGHT
from posenc_lib.rotary.scaling.yarn import yarn, yarn_mscale
from tools import contents, try_it
from tools.contents import find_notebooks
from tools.notebooks import ROOT
from tools.reading import STEP, labels
from tools.said import MARKED
from tools.tolerances import WIDEST

GIVEN = yaml.safe_load(Path(__file__).with_name("given_numbers.yml").read_text(encoding="utf-8"))
PATHS = {path.stem: path for path in find_notebooks() if path.stem[0].isdigit()}

_GAP = r"(?:\\,|\{,\}|[  , ])"
_NOT_TEXT = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|\{[a-z:]+\}`[^`]*`|https?://\S+|<!--.*?-->|<[^>]*>|\\tag\{[^}]*\}"
    r"|(?:[Ss]ections?|[Vv]ersions?|arXiv|transformers|kernels|torch|Python)[: ]\d[\d.]*",
    re.DOTALL,
)
_WHOLE = rf"\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)|\d+"
_POWER = r"(?:\s*(?:\\cdot|\\times|·|×)\s*10\^(?:\{(-?\d+)\}|(\d))|\$? (million|billion)\b)?"
_NUMBER = re.compile(
    rf"(?<![\w.])(?<![A-Za-z]-)((?:{_WHOLE})(?:\.\d+)?){_POWER}"
    r"(?P<per_cent>(?:\s|\\,)*\\?%| per cent)?(?!\.?\d)(?![A-Za-z])"
)
_PRINTED = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_FRACTION = re.compile(r"\\frac\{(\d+)\}\{(\d+)\}|(?<![\w./^])(\d+)/(\d+)(?![\w./])")
_PICTURE, _TITLE = re.compile(r"<svg.*?</svg>", re.DOTALL), re.compile(r"<(title|desc|text)[^>]*>(.*?)</\1>")
_PAGE, _EQUATION = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`"), re.compile(r"\{eq\}`([^`]+)`")
_WORD = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
_COUNT = rf"(?:\d+(?:[  ]\d{{3}})*(?:\.\d+)?|twice|once|half an?|an?(?= (?:minute|hour))|{_WORD})"
_TIME = r"µs|ms|milliseconds?|(?:CPU )?seconds|minutes?|hours?"
_UNIT = rf"(?:%|per cent|times|[kMGT]i?B|{_TIME}|nats|in seven|in \d+)"
_MEASURED = re.compile(rf"(?<![\w.])(?:{_COUNT} (?:to|and|or) )?{_COUNT} ?(?:and a half )?{_UNIT}(?!\w)")


class Number(NamedTuple):
    """A number as it is written, its value, the unit of its last digit, and whether it says per cent."""

    written: str
    value: float
    unit: float
    per_cent: bool

    def is_among(self, values):
        """Whether one of the values is this number, to the digits that are written."""
        shown = [100 * v for v in values] + list(values) if self.per_cent else values
        return any(abs(v - self.value) <= self.unit * (0.5 + 1e-9) for v in shown)

    def is_told_by(self, values):
        """Whether it is among them, and a last digit that is one off would not be."""
        near = (self._replace(value=self.value + step * self.unit) for step in (1, -1))
        return self.is_among(values) and not any(it.is_among(values) for it in near)


def flat(text):
    return " ".join(text.split())


def without(text, listed):
    """A text on one line, without what execution fills in and what is listed."""
    text = flat(MARKED.sub(" … ", text))
    for words in listed:
        text = text.replace(flat(words), " $ " if words.count("$") % 2 else " … ")
    return text


def numbers(text):
    """The numbers of a text that say something."""
    prose = re.sub(r"\$[^$]+\$", lambda it: re.sub(r"(?<![\\{]),", ", ", it[0]), _NOT_TEXT.sub(" ", text))
    for found in _NUMBER.finditer(prose):
        digits = re.sub(_GAP, "", found[1])
        power = int(found[2] or found[3] or {"million": 6, "billion": 9}.get(found[4], 0))
        places = len(digits.partition(".")[2])
        if places:
            says = len(digits.replace(".", "").lstrip("0")) > 1
        else:
            beside_a_power = any(n > 0 and not n & (n - 1) for n in range(int(digits) - 1, int(digits) + 2))
            says = len(digits.rstrip("0")) > 2 and not beside_a_power
        if says:
            unit = float(f"1e{power - places}")
            yield Number(found[1], float(f"{digits}e{power}"), unit, bool(found["per_cent"]))


def measured(text):
    """The numbers with a unit; code, formulas and links are not text."""
    plain = re.sub(r"\$[^$]+\$", " … ", _NOT_TEXT.sub(" … ", text))
    return [found[0] for found in _MEASURED.finditer(plain)]


def values(text):
    """All numbers that an output or code holds, thousands and powers of ten however they are written."""
    joined = re.sub(rf"(?<=\d){_GAP}(?=\d{{3}}(?!\d))|(?<=\d)_(?=\d)", "", text)
    fractions = [int(a or c) / int(b or d) for a, b, c, d in _FRACTION.findall(text) if int(b or d)]
    powers = [float(f"{m[1]}e{m[2] or m[3]}") for m in _NUMBER.finditer(joined) if m[2] or m[3]]
    return {float(n) for t in (text, joined) for n in _PRINTED.findall(t)} | {*fractions, *powers}


def printed(cell):
    """The outputs of a cell as text; of a drawing its words, of a result not its certificates."""
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        for kind, content in output.get("data", {}).items():
            if kind != STEP:
                plain = re.sub(r'data:[^"]*', "", content)
                yield _PICTURE.sub(lambda it: "\n".join(w for _, w in _TITLE.findall(it[0])), plain)


class Page:
    """The cells of a notebook, the section of each, and the numbers that each section prints or sets."""

    def __init__(self, path):
        cells = nbformat.read(path, as_version=4).cells
        self.name, self.cells = path.stem, [c for c in cells if "said" not in c.metadata.get("tags", [])]
        self.labels = {label for cell in self.cells for label in labels(cell)}
        texts = [cell.source if cell.cell_type == "markdown" else "" for cell in self.cells]
        headings = accumulate(len(re.findall("^##? ", text, re.MULTILINE)) for text in texts)
        self.texts = list(zip(texts, headings, strict=True))
        self.shown, self.words = {}, []
        for cell, (_, section) in zip(self.cells, self.texts, strict=True):
            held = self.shown.setdefault(section, set())
            if cell.cell_type == "code":
                words = [*printed(cell), cell.source]
                held.update(*map(values, words))
                self.words += words[:-1]
        self.values = set().union(*self.shown.values())

    def unbound(self, pages, listed=()):
        """What it says and neither its section nor the page, nor a page that the cell names, tells."""
        words = flat(" ".join(self.words))
        for text, section in self.texts:
            named = {name.rpartition("/")[2] for name in _PAGE.findall(text)}
            results = set(_EQUATION.findall(text))
            others = [p.values for p in pages if p.name in named or p.labels & results]
            everywhere = self.values.union(*others)
            left = without(text, listed)
            for number in numbers(left):
                if not any(number.is_told_by(pool) for pool in (self.shown[section], everywhere)):
                    yield number.written
            for said in measured(left):
                if not _is_printed(said, words, everywhere):
                    yield said


def _is_printed(said, words, everywhere):
    """With its unit, or each number alone if it has three digits at least."""
    if re.search(rf"(?<![\w.]){re.escape(said)}(?!\w)", words):
        return True
    digits = re.findall(r"\d+(?:\.\d+)?", said)
    found = [Number(n, float(n), 10.0 ** -len(n.partition(".")[2]), False) for n in digits]
    return bool(digits) and all(len(n.written) > 2 and n.is_among(everywhere) for n in found)


PAGES = {name: Page(path) for name, path in PATHS.items()}


@pytest.mark.parametrize("name", PAGES)
def test_a_number_in_a_text_comes_from_somewhere(name):
    unbound = list(PAGES[name].unbound(PAGES.values(), GIVEN.get(name, ())))
    assert unbound == [], "compute it in the cell tagged said, or list it in given_numbers.yml"


RESULTS = yaml.safe_load((ROOT / "tools" / "reference" / "results.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("result", [r for r in RESULTS if "stored" in r], ids=lambda result: result["id"])
def test_a_number_of_a_measured_result_stands_on_its_page(result):
    page = PAGES[Path(result["page"]).name]
    shown = values(contents.text_of(f"book/{result['page']}")) | page.values
    assert [n.written for n in numbers(flat(result["says"])) if not n.is_among(shown)] == []


def constant(file, name):
    """The number to which a module sets a name."""
    text = (ROOT / file).read_text(encoding="utf-8")
    names, numbers = re.search(rf"^([\w, ]*\b{name}\b[\w, ]*) = ([\d_., ]+)", text, re.MULTILINE).groups()
    return dict(zip(names.split(", "), map(float, numbers.split(",")), strict=True))[name]


def copies_on_a_gpu():
    """What each rotation of a long text in half precision costs, by its name."""
    rows = json.loads((ROOT / "posenc_book/results/rotary_gpu.json").read_text(encoding="utf-8"))["rows"]
    asked = ("prefill", "bfloat16", "forward")
    return {r["case"]: r["ratio"] for r in rows if (r["shape"], r["dtype"], r["pass"]) == asked}


def speed_on_a_gpu():
    """Of our four fused rotations of a long text in half precision, as shares of a copy's speed."""
    shares = [
        100 / ratio
        for case, ratio in copies_on_a_gpu().items()
        if case.startswith(("ours, half", "ours, interleaved")) and "place" not in case
    ]
    return f"{min(shares):.0f} to {max(shares):.0f} %"


def near(tokens):
    """The share of a causal matrix that lies in the near blocks of Shaw's term."""
    in_blocks = tokens * (HEIGHT + constant("benchmarks/bias.py", "CLIP"))
    return f"{100 * in_blocks / (tokens * (tokens + 1) / 2):.0f} %"


def documents():
    """By file, sentences with the numbers that they take from elsewhere."""
    site = {
        name: constant("tests/tools/test_pages.py", name)
        for name in ("PAGE", "FRONT_PAGE", "REQUESTS", "LIVE")
    }
    page, front = (f"{site[name] / 1000:.0f} kB" for name in ("PAGE", "FRONT_PAGE"))
    turned = sum('class=\\"live-figure' in path.read_text(encoding="utf-8") for path in find_notebooks()) - 1
    cases, libraries = (
        constant("tests/library/peers/test_peers.py", name) for name in ("CASES", "LIBRARIES")
    )
    script = constant("tests/tools/test_live_site.py", "LIMIT") / 1000
    eager, compiled, fused = (
        copies_on_a_gpu()[case]
        for case in ("ours without Triton, half", "ours without Triton, half, compiled", "ours, half")
    )
    ends = signature(yarn).parameters
    runs = len(grown.SEEDS) * len(grown.tasks.TASKS) * len(grown.model.ENCODINGS)
    return {
        "book/5-practice/55-migration.ipynb": [
            f"{cases:.0f} cases of the test suites of {in_words(libraries)} libraries"
        ],
        "book/reference/config-keys.md": [
            f"for `yarn`, {ends['beta_fast'].default:.0f} and {ends['beta_slow'].default:.0f} unless named",
            rf"for `yarn` it is ${yarn_mscale(math.e) - 1:.1f}\ln s+1$",
        ],
        "posenc_lib/kernels/__init__.py": [speed_on_a_gpu()],
        "README.md": [f"{eager:.1f} copies", f"Compile `apply_rotary_qk` ({compiled:.1f})", f"({fused:.2f})"],
        "benchmarks/README.md": [
            f"which for 2048 tokens, causal, is {near(2048)} of all pairs, for 8192 {near(8192)}"
        ],
        "CONTRIBUTING.md": [f"a classic script of at most {script:.0f} kB"],
        "DESIGN.md": [
            f"A chapter costs a first visit at most {page}, the front page {front}, "
            f"in {site['REQUESTS']:.0f} requests at most, {in_words(site['LIVE'])} more where a figure moves",
            f"page 54, {runs} small models",
            f"more than {WIDEST:,.0f} times both the error",
        ],
        "book/reference/promises.md": [
            f"a chapter at most {page}, the front page {front}",
            f"{cases:.0f} cases of {in_words(libraries)} libraries; one of them",
            f"at most {WIDEST:,.0f} times the error",
        ],
        "CHANGELOG.md": [
            f"the fused rotation runs at {speed_on_a_gpu()} of a copy's speed",
            f"a chapter costs a first visit at most {page}",
            f"**Figures to turn by hand** on {in_words(turned)} pages and the front page",
        ],
    }


COMPUTED = documents()
TEXTS = [*(name for name in {*COMPUTED, *GIVEN} if name.endswith(".md")), "README.md", "book/index.ipynb"]


def text_of(place):
    """What is to be read of a file: all of it, or the text cells of a notebook."""
    return contents.words((ROOT / place).read_text(encoding="utf-8"))


@pytest.mark.parametrize("place", COMPUTED)
def test_what_a_document_says_is_what_was_stored(place):
    text = flat(text_of(place))
    assert [words for words in COMPUTED[place] if words not in text] == [], f"write this in {place}"


@pytest.mark.parametrize("place", sorted(set(TEXTS)))
def test_no_number_with_a_unit_stands_alone_in_a_document(place):
    left = without(text_of(place), [*COMPUTED.get(place, []), *GIVEN.get(place, [])])
    shown = flat(" ".join(Page(ROOT / place).words)) if place.endswith(".ipynb") else ""
    assert [said for said in measured(left) if not _is_printed(said, shown, values(shown))] == []


def test_what_is_listed_is_said():
    gone = {}
    for name, listed in GIVEN.items():
        text = flat(text_of(PATHS[name].relative_to(ROOT) if name in PATHS else name))
        gone[name] = [words for words in listed if flat(words) not in text]
    assert not any(gone.values()), gone


def test_what_the_first_check_loads():
    files = try_it.shipped().values()
    if not files:
        pytest.skip("python -m tools.pyodide loads it")
    packed = sum(min(len(data), len(gzip.compress(data, 6))) for data in files)
    said = f"{packed / 1e6:.0f} to {sum(map(len, files)) / 1e6:.0f} MB"
    assert all(said in flat(text_of(place)) for place in ("book/reference/try-it.md", "CHANGELOG.md")), said


@pytest.mark.parametrize(
    ("text", "shown", "told"),
    [
        ("0.382", "x = 0.38197", True),
        ("0.381", "x = 0.38197", False),
        ("0.47", "0.474 0.48", False),  # its neighbour is shown, too
        (r"$38.2\,\%$", "x = 0.38197", True),
        ("38.2 times", "x = 0.38197", False),
        ("2.25", r"b=L^{\frac{9}{4}}", True),
        ("22,765 or 22 765", "safe: 22764.9", True),
        (r"1.25\cdot10^{-5}", "error 1.2499e-05", True),
        ("1.1 million", "base 1083021", True),
        ("1.2 million", "base 1083021", False),
        ("4096, 500 000, 7, 0.9, `0.123`, [here](x/0.99), section 6.25", "", True),
        ("<!--=x-->0.123<!--/-->", "", True),
    ],
)
def test_a_number_is_shown_if_one_rounds_to_it_and_none_to_its_neighbours(text, shown, told):
    assert all(number.is_told_by(values(shown)) for number in numbers(without(text, []))) == told


@pytest.mark.parametrize("said", ["4.5 times", "89 to 95 %", "eight or nine times", "half a millisecond"])
def test_a_number_with_a_unit_is_seen(said):
    text = f"It costs {said} of that, `2 %` of code, $3$ % aside, in a second layer."
    assert measured(text) == [said] and measured(without(text, [f"costs {said} of"])) == []


def test_a_number_is_shown_in_its_section_on_its_page_or_on_one_that_is_named(tmp_path):
    def page(name, text, output=""):
        cells = [
            v4.new_markdown_cell("## First"),
            v4.new_code_cell("1", outputs=[v4.new_output("stream", text=output)]),
        ]
        nbformat.write(
            v4.new_notebook(cells=[*cells, v4.new_markdown_cell(f"## Second\n\n{text}")]),
            tmp_path / f"{name}.ipynb",
        )
        return Page(tmp_path / f"{name}.ipynb")

    other = page("20-other", "Text.", "0.3816")
    for text, output, left in [
        ("It is 0.382.", "", ["0.382"]),
        ("It is 0.382.", "0.3816", []),
        ("It is 0.382.", "0.3816 0.381", ["0.382"]),
        ("It is 0.382, {doc}`20-other`.", "", []),
        ("It took 2 %.", "12 %", ["2 %"]),
        ("It took 2 %.", "so 2 %", []),
    ]:
        assert list(page("10-page", text, output).unbound([other])) == left
