r"""Slips that people make, in the LaTeX that is shown: each has to fail at a point."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..kernel import Refused
from ..latex.statements import Said
from ..search import equations
from ..search.normal import unfolded
from ..search.proof import NotFound
from ..text.blocks import Block
from ..text.reading import Known
from .failing import Sides, failure, has_limit, is_not_of_third_order

SHOWN = 3  # of a row
ABOVE = re.compile(r"\^(\*|\{\*\}|\\ast\b|\{\\ast\}|\\top\b|\{\\top\})")
CLOSING = {")": "(", "]": "[", "}": "{"}
PIECE = re.compile(r"\\(?:begin|end)\{[a-z]+\}|\\[a-zA-Z]+|\\.|[a-zA-Z]|\d+(?:\.\d+)?|:=|\s+|.")
SIZES = re.compile(r"\\(?:left|right|[bB]igg?[lr])$")
GREATER = (r"\ge", r"\geq", ">")
#: Of a whole right side, by its relation: what changes, the factor before it, and the sign of 1 behind it.
WHOLE = {"=": ("the sign of the whole", "-", "+"), **dict.fromkeys(GREATER, ("twice of it", "2", "+"))}
ARGUMENT = {"_", "^", r"\frac", r"\tfrac", r"\dfrac", r"\sqrt", r"\binom"}  # what takes one piece behind it


@dataclass
class Counts:
    """How wrong versions fared: refuted at a certified point, true as well, or left open."""

    refuted: int = 0
    equal: list[str] = field(default_factory=list)
    open: int = 0


class Slip(NamedTuple):
    """What changed; the wrong side with the change marked, and as it would be typed."""

    what: str
    marked: str
    typed: str


def slips(latex: str, relation: str) -> Iterator[Slip]:
    """Wrong versions of a right side."""
    found = pieces(latex)
    ends, below = _places(found)
    for k in range(len(found)):
        yield from _at(found, k, ends, below)
    what, factor, sign = WHOLE.get(relation, ("half of it", r"\tfrac{1}{2}", "-"))
    yield Slip(what, rf"\wrong{{{factor}}} \left({latex}\right)", f"{factor}({latex})")
    yield Slip("1 more" if sign == "+" else "1 less", rf"{latex} \wrong{{{{}}{sign} 1}}", f"{latex} {sign} 1")
    if relation == "=" and "O" in found and found[0] not in "+-":  # a remainder has no sign to be turned
        yield Slip("a sign", rf"\wrong{{-}} {latex}", f"-{latex}")


def pieces(latex: str) -> list[str]:
    """Commands, letters, numbers and signs; " " for blanks."""
    return [" " if piece.isspace() else piece for piece in PIECE.findall(latex)]


def _at(t: Sequence[str], k: int, ends: set[int], below: set[int]) -> Iterator[Slip]:
    """Those that change what stands at one place."""
    piece, free = t[k], k not in ends and k not in below
    before = next((p for p in reversed(t[:k]) if p != " "), "")
    if piece in ("+", "-") and k not in ends:
        yield _put(t, k, 1, "a sign", "-" if piece == "+" else "+")
    if piece in (r"\cos", r"\sin"):
        other = r"\sin" if piece == r"\cos" else r"\cos"
        yield _put(t, k, 1, f"{other[1:]} for {piece[1:]}", other)
    if piece == r"\overline":
        end = _partner(t, k + 1)
        yield _put(t, k, end + 1 - k, "a conjugate left out", "".join(t[k + 2 : end]))
    if above := ABOVE.match("".join(t[k : k + 4])):
        n, start = len(pieces(above[0])), _base(t, k)
        what = "a transpose left out" if "top" in above[0] else "a conjugate left out"
        yield _put(t, start, k + n - start, what, "".join(t[start:k]))
    if piece == "_" and k not in ends and t[k + 1].isalpha():
        yield _put(t, k + 1, 1, "an index", f"{{{t[k + 1]}+1}}", f"{t[k + 1]}+1")
    if k in below and "".join(t[k : k + 3]) == "+1}":
        yield _put(t, k - 1, 3, "an index", t[k - 1])
    if piece == "^" and k - 1 in ends and t[k + 1] == "{":
        end = _partner(t, k + 1)
        yield _put(t, k + 2, end - k - 2, "a bound", f"{''.join(t[k + 2 : end])}+1")
    if piece.isdigit() and free and before != "_" and not (before.endswith("frac") and len(piece) > 1):
        yield _put(t, k, 1, "a number", str(int(piece) + 1))


def _base(t: Sequence[str], k: int) -> int:
    """Where what is below an exponent begins: a letter with its index, or brackets."""
    start = _partner(t, k - 1)
    if start and t[start - 1] == "_":
        start -= 2
    while start and (t[start - 1] in (" ", r"\boldsymbol", r"\hat") or SIZES.match(t[start - 1])):
        start -= 1
    return start


def _put(t: Sequence[str], k: int, n: int, what: str, new: str, mark: str = "") -> Slip:
    before, after = "".join(t[:k]), "".join(t[k + n :])
    marked = rf"\wrong{{{mark or new}}}"
    if k and t[k - 1] in ARGUMENT:
        marked = f"{{{marked}}}"
    return Slip(what, before + marked + after, f"{before}{new}{' ' * new.startswith(chr(92))}{after}")


def _partner(t: Sequence[str], k: int) -> int:
    """Where a brace closes, or a bracket opens that closes here; the place itself of any other piece."""
    other = {"{": "}", **CLOSING}.get(t[k])
    depth, place = int(other is not None), k
    while depth:
        place += 1 if t[k] == "{" else -1
        depth += (t[place] == t[k]) - (t[place] == other)
    return place


def _places(t: Sequence[str]) -> tuple[set[int], set[int]]:
    """Where the ends of sums stand, and what stands below names."""
    ends: set[int] = set()
    below: set[int] = set()
    for k, piece in enumerate(t):
        if piece in (r"\sum", r"\prod", r"\int", r"\max", r"\lim"):
            n = k + 1
            while n < len(t) and t[n] in ("_", "^", " "):
                end = n if t[n] == " " else _partner(t, n + 1)
                ends |= set(range(n, end + 1))
                n = end + 1
        elif piece == "_" and "".join(t[k + 1 : k + 2]) == "{":
            below |= set(range(k, _partner(t, k + 1) + 1))
    return ends, below - ends


def of_rows(sides: Sides, block: Block, said: list[Said]) -> tuple[list[dict[str, Any]], Counts]:
    """How the slips of each row fare; a few of each, for readers to look at."""
    D = sides.D
    shown: list[dict[str, Any]] = []
    counts = Counts()
    lefts = [block.left, *(row.right for row in block.rows)]
    for n, (left, row, here) in enumerate(zip(lefts, block.rows, said, strict=False), 1):
        seen, of_row = {(here.left, here.right)}, dict[str, dict[str, Any]]()
        for slip in slips(row.right, row.relation):
            wrong = None
            with suppress(ValueError):  # a slip that says nothing
                wrong = D.reading.row(left, row.relation, slip.typed)
            if wrong is None or (wrong.left, wrong.right) in seen:
                continue
            seen.add((wrong.left, wrong.right))
            if here.small:
                counts.refuted += is_not_of_third_order(D, wrong)
                continue
            if any(map(has_limit, here.left)) and row.relation == "=":
                wrong = wrong._replace(left=here.right)  # a limit is the right side, and has no other value
            if (found := failure(sides, wrong)) is not None:
                counts.refuted += 1
                latex = f"{left} {row.relation} {slip.marked}"
                record = {"row": n, "changed": slip.what, "entry": found.entry, "latex": latex}
                turned = row.relation in GREATER  # read from right to left
                both = (found.right, found.left) if turned else (found.left, found.right)
                record |= {"left": both[0], "right": both[1], "point": found.point}
                of_row.setdefault(slip.what, record | {"model": _model(D, here)})
            elif row.relation == "=" and _proved(D, wrong):
                counts.equal.append(slip.typed)
            elif row.relation == "=" and not any(map(has_limit, (*wrong.left, *wrong.right))):
                raise NotFound(f"{block.label}, row {n}: the wrong version {slip.typed} was not refuted")
            else:
                counts.open += 1
        shown += list(of_row.values())[:SHOWN]
    return shown, counts


def _model(D: Known, said: Said) -> list[str]:
    """The model of the hypotheses, where a row speaks of what it is given for."""
    text = " ".join(str(D.opened(side).right) for side in (*said.left, *said.right))
    touched = any(m.left.data[0].removesuffix("[]") in text for m in D.models.values())
    return list(D.shown_models) if touched else []


def _proved(D: Known, said: Said) -> bool:
    """Whether a row is an identity where the model is put in."""
    every = {**D.meanings, **D.models}
    with suppress(NotFound, Refused, ValueError):
        for a, b in zip(said.left, said.right, strict=True):
            left, right = (unfolded(D.proof, side, every).right for side in (a, b))
            equations.identity(D.proof, left, right)
        return True
    return False
