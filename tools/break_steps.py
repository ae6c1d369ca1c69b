"""A proved equation can be broken: a tap on a sign turns it, and the row says where it fails now.

The checker stores wrong versions beside the equation (``posenc_proofs/refutation/slips.py``). In the formula
the places that they change are marked; the story lists them all under "Break it". What either shows is in a
script beside the page, ``41-complex-solution.wrong.js``, which ``assets/book.js`` loads when the first is
asked for: a script, because a page that is opened from disk can load nothing else. What stands at a place is
drawn as the formula is; the list is MathML, which is light, each relation denied: none holds.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any
from unicodedata import normalize

from docutils import nodes

from tools.formulas import in_parts, typeset
from tools.line_breaks import breaking, cut
from tools.steps import item, step

NAME = re.compile(r"([^\[(_]+)(?:_([^\[(]+))?(?:\[(.*)\])?(\(.*\))?")
COMPLEX = re.compile(r"(\S+) ([+-]) (\S+)i")
ROUNDED = 6  # digits
DENIED = {"=": "≠", "<": "≮", ">": "≯", r"\le": "≰", r"\ge": "≱", r"\ne": "="}
GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
BARE = re.compile(rf"(\\frac(?:{GROUP}|[^\\{{]|\\[a-z]+)?)(\\wrong{GROUP})")  # TeX needs brackets around it
CHANGE = re.compile(rf"(.*)\\wrong({GROUP})(.*)", re.DOTALL)
MARKED_RELATION = re.compile(rf"\\wrong\{{({'|'.join(map(re.escape, DENIED))})\}}")


def add_controls(app: Any, doctree: nodes.document, page: str) -> None:
    """Add a control to the story of each step that has wrong versions."""
    script = Path(app.outdir, f"{page}.wrong.js")
    lists: list[dict[str, Any]] = []
    for made in list(doctree.findall(step)):
        record = made["record"]
        if versions := record.get("wrong_versions"):
            source = "" if lists else f' data-from="{script.name}"'
            control = f'<details class="break"{source} hidden><summary>Break it</summary></details>'
            made[0] += item("Try a slip", nodes.raw("", control, format="html"))
            made["sides"], slips = in_place(record["latex"], versions)
            lists.append({"list": shown(record["label"], record["rows"], versions), "slips": slips})
    if lists:
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(f"wrongVersions({json.dumps(lists, ensure_ascii=False)})\n", encoding="utf-8")


def in_place(latex: str, versions: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    r"""The right sides of a chain, with the places marked that slips change, and for each what it shows.

    That is what then stands there, drawn, and where the row fails. Of two that overlap the first is taken; a
    slip of a whole side has no place.

    Example:
        >>> wrong = {"row": 1, "entry": [], "left": "2", "right": "0", "point": [["m", "1"]], "model": []}
        >>> in_place("f = m + 1", [wrong | {"latex": r"f = m \wrong{-} 1"}])
        (['m \\place{0}{+} 1'], [['−', 'Fails at <i>m</i> = 1: left side 2, right side 0.']])
    """
    sides = [" ".join(right.split()) for _, right in cut(latex).rows]
    places: list[tuple[int, int, int, str]] = []  # row, from, to, what is marked there
    slips = []
    for wrong in versions:
        before, changed, after = CHANGE.findall(cut(wrong["latex"]).rows[-1][1])[0]
        row, side = wrong["row"] - 1, sides[wrong["row"] - 1]
        start, end, marked = len(before), len(side) - len(after), r"\place{%d}{%s}"
        if not (side.startswith(before) and side.endswith(after)):  # rac12 becomes rac{\wrong{2}}2
            start, end, marked = start - 1, end + 1, r"{\place{%d}{%s}}"
        right = side[start:end]
        overlaps = any(row == n and start < last and first < end for n, first, last, _ in places)
        whole = right and changed != "{}" and not after.startswith("^")  # what is set as without a mark
        if whole and "(" not in right and not overlaps:  # brackets may break on a phone
            places.append((row, start, end, marked % (len(slips), right)))
            side = breaking(rf"{before}\place{{0}}{changed}{after}")
            slips.append([_drawn(typeset(rf"\displaystyle {side}").seen), _fails(wrong)])
    for row, start, end, marked in sorted(places, reverse=True):
        sides[row] = sides[row][:start] + marked + sides[row][end:]
    return sides, slips


def _drawn(html: str) -> str:
    """What is drawn at the marked place."""
    inner = html.partition('<span data-slip="0">')[2]
    depth = 1
    for tag in re.finditer("<(/?)span", inner):
        depth += -1 if tag[1] else 1
        if not depth:
            return inner[: tag.start()]
    raise ValueError(f"the place is not drawn: {html}")


def _fails(wrong: Mapping[str, Any]) -> str:
    said = failure(wrong, _letters(denied(wrong["latex"])))
    return f"{said} The hypotheses hold with {_model([wrong])}." if wrong["model"] else said


def _model(versions: Iterable[Mapping[str, Any]]) -> str:
    """What the wrong versions take the letters of the hypotheses to be."""
    meanings = dict.fromkeys(meaning for wrong in versions for meaning in wrong["model"])
    return ", ".join(typeset(meaning, mathml=True).html for meaning in meanings)


def shown(label: str, rows: int, versions: list[dict[str, Any]]) -> str:
    """What an open control shows, as HTML: what may be changed, each of which opens its formula."""
    items = "".join(f"<li>{_version(label, wrong, rows > 1)}</li>" for wrong in versions)
    model = _model(versions)
    said = f"<p>The hypotheses hold with {model}. There each of these fails:</p>" if model else ""
    return f"{said}<ul>{items}</ul>"


def _version(label: str, wrong: Mapping[str, Any], numbered: bool) -> str:
    changed = f"row {wrong['row']}: {wrong['changed']}" if numbered else wrong["changed"]
    row = denied(wrong["latex"])
    shows = f'<div class="wrong flow">{row}</div><p>{failure(wrong, _letters(row))}</p>'
    return f'<details name="break-{label}"><summary>{escape(changed)}</summary>{shows}</details>'


def denied(latex: str) -> str:
    r"""The row with its relation denied, in parts between which a line may break.

    Example:
        >>> re.sub(r"<.*?>|\s", "", denied(r"f(m) = m \wrong{+} 1"))
        'f(m)≠m+1'
    """
    latex = BARE.sub(r"\1{\2}", latex)
    relation = MARKED_RELATION.search(latex)
    left, ((sign, right),) = cut(latex.replace(relation[0], relation[1]) if relation else latex)
    denial = f"<mo>{DENIED[sign]}</mo>"
    if relation:
        denial = f'<mstyle mathcolor="red">{denial}</mstyle>'
    return in_parts(left, f"<math>{denial}</math>", right)


def _letters(html: str) -> set[str]:
    """The letters of a formula that are seen."""
    seen = re.sub("<mphantom>.*?</mphantom>", "", html)
    return {normalize("NFKC", found) for found in re.findall("<mi>(.)</mi>", seen)}


def failure(wrong: Mapping[str, Any], letters: Collection[str]) -> str:
    """Where a wrong version fails: the values of the letters that it shows, then of those behind them.

    Example:
        >>> point = [["m", "1"], ["θ[0]", "π/2"]]
        >>> failure({"point": point, "entry": [], "left": "1", "right": "-1"}, {"m", "θ"})
        'Fails at <i>m</i> = 1, <i>θ</i><sub>0</sub> = π/2: left side 1, right side −1.'
        >>> failure({"point": point, "entry": [], "left": "1", "right": "-1"}, {"m", "f"})
        'Fails at <i>m</i> = 1: left side 1, right side −1. Behind the row: <i>θ</i><sub>0</sub> = π/2.'
    """
    parts = ([pair for pair in wrong["point"] if (pair[0][0] in letters) is seen] for seen in (True, False))
    point, behind = (", ".join(_values(part)) for part in parts)
    entry = "in row {}, column {}, ".format(*wrong["entry"]) if wrong["entry"] else ""
    sides = f"left side {number(wrong['left'])}, right side {number(wrong['right'])}"
    more = f" Behind the row: {behind}." if behind else ""
    return f"Fails{' at ' * bool(point)}{point}: {entry}{sides}.{more}"


def _values(point: Iterable[tuple[str, str]]) -> Iterator[str]:
    """``m = 1``, and ``h_0 = h_1 = 0`` where entries of one sequence have one value."""
    for (_, value), some in groupby(point, key=lambda pair: (pair[0].partition("[")[0], pair[1])):
        yield " = ".join([*(letter(name) for name, _ in some), number(value)])


def letter(name: str) -> str:
    """The name of a letter, an entry or a value of a function: θ_1, h[0], f(2)."""
    found = NAME.fullmatch(name)
    if found is None:
        return escape(name)
    head, *below, argument = found.groups()
    index = ", ".join(escape(part) for part in below if part).replace("-", "−")
    written = re.sub(r"\^(.+)", r"<sup>\1</sup>", escape(head))
    return f"<i>{written}</i>" + (f"<sub>{index}</sub>" if index else "") + escape(argument or "")


def number(text: str) -> str:
    """A number as people write it; ≈ before one that is rounded.

    Example:
        >>> [number(text) for text in ("-1", "0 + 1i", "1 - 1/2i", "0.540302")]
        ['−1', 'i', '1 − 1/2 i', '≈ 0.540302']
    """
    shown = text
    if found := COMPLEX.fullmatch(text):
        real, sign, imaginary = found.groups()
        unit = "i" if imaginary == "1" else f"{imaginary} i"
        both = f"{real} {sign} {unit}" if real != "0" else f"{sign.strip('+')}{unit}"
        shown = real if imaginary == "0" else both
    rounded = any(len(digits) > ROUNDED for digits in re.findall(r"\d*\.\d+", text))
    return "≈ " * rounded + shown.replace("-", "−")
