r"""Where a formula of a step may break: at relations, before signs of a sum, inside brackets if it is wide.

KaTeX breaks no line between ``\left`` and ``\right``. What is wider than a phone's column therefore has
brackets of a fixed size, as tall as what they hold: the outer ones first, inner ones if that is not enough.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

TOKEN = re.compile(r"\\(?:overset\{\?\}|place\{\d+\})\{[^{}]*\}|\\[a-zA-Z]+|\\.|:=|.", re.DOTALL)
SIGN = re.compile(r"[+-]|\\place\{\d+\}\{[+-]\}")
DEEPER = {"{": 1, r"\left": 1, r"\begin": 1, "}": -1, r"\right": -1, r"\end": -1}
RELATIONS = {":=", "=", "<", ">", r"\le", r"\ge", r"\ne"}
ROUND = {"(": 1, ")": -1}
BREAK = r"\allowbreak "
LEVELS = 3  # how many brackets deep
FRACTION = r"\frac"
GROWING = {"l": r"\left", "r": r"\right"}  # a bracket whose size an author chose
WITH_LIMITS = {r"\sum", r"\int", r"\prod", r"\max", r"\min", r"\lim", r"\bigoplus"}


class Rows(NamedTuple):
    """A chain ``left relation right relation right …``; without a relation, ``left`` alone."""

    left: str
    rows: list[tuple[str, str]]


def cut(latex: str) -> Rows:
    r"""The pieces of a displayed chain.

    Example:
        >>> cut(r"\begin{aligned}" "\n" r"a &= b \\" "\n" r"&\le \frac{1}{c = d}" "\n" r"\end{aligned}")
        Rows(left='a', rows=[('=', 'b'), ('\\le', '\\frac{1}{c = d}')])
    """
    inner = latex.removeprefix("\\begin{aligned}\n").removesuffix("\n\\end{aligned}")
    lines = inner.split(" \\\\\n") if inner != latex else [latex]
    pieces, depth = [""], 0
    for line in lines:
        begins = False  # what stands behind the sign & that aligns a line
        for token in TOKEN.findall(line):
            depth += DEEPER.get(token, 0)
            if depth == 0 and (token in RELATIONS or token.startswith(r"\overset{?}")):
                pieces += [token, ""]
                begins = False
            elif depth == 0 and token == "&":
                begins = True
            elif not (begins and token in (" ", r"\quad")):
                pieces[-1] += token
                begins = False
        pieces[-1] += " "
    left, *rest = map(str.strip, pieces)
    return Rows(left, list(zip(rest[::2], rest[1::2], strict=True)))


def breaking(tex: str, levels: int = 0) -> str:
    r"""A sum that breaks before a sign, as displayed formulas do; KaTeX breaks a line of text after it.

    Args:
        tex: a side of a row, as SymPy prints it
        levels: how many brackets deep it may break; these have a fixed size

    Example:
        >>> breaking("-a + b (c - d)")
        '-a \\allowbreak + \\nobreak  b (c - \\nobreak  d)'
        >>> breaking(r"f \left(-a + b\right)", levels=1)
        'f (-a \\allowbreak + \\nobreak  b)'
    """
    tex = re.sub(r"\\[bB]igg?([lr])(?![a-zA-Z])", lambda m: GROWING[m[1]], tex)
    if levels:  # brackets that an author typed plainly break like others
        tex = re.sub(r"(?<!\\left)\(", r"\\left(", re.sub(r"(?<!\\right)\)", r"\\right)", tex))
    tokens = TOKEN.findall(tex)
    sizes = dict(_fixed(tokens, levels))
    made, depth, inside, before = "", 0, 0, ""
    for k, token in enumerate(tokens):
        left = tokens[k - 1] if k else ""
        if k in sizes:
            made += sizes[k]
        elif left in (r"\left", r"\right"):  # the bracket itself
            made += token
        else:
            depth += DEEPER.get(token, 0)
            inside += ROUND.get(token, 0) if depth == 0 else 0
            sign = depth == 0 and SIGN.fullmatch(token) and before not in ("", "+", "-")
            made += rf"{'' if inside else BREAK}{token} \nobreak " if sign else token
        if token.strip():
            before = "" if left == r"\left" else token
    return made


def _fixed(tokens: Sequence[str], levels: int) -> Iterator[tuple[int, str]]:
    r"""The places of each ``\left`` and ``\right`` that goes, and what sets the bracket's size instead."""
    ends = _partners(tokens)
    closing: dict[int, str] = {}
    depth = 0
    for k, token in enumerate(tokens):
        if token == r"\left" and depth == 0 and len(closing) < levels and _breaks(tokens[k : ends[k]]):
            size = _size(tokens[k + 1 : ends[k]])
            closing[ends[k]] = size and rf"\{size}r"
            yield k, size and rf"\{size}l"
        elif k in closing:
            yield k, closing.pop(k)
        else:
            depth += DEEPER.get(token, 0)


def _partners(tokens: Sequence[str]) -> dict[int, int]:
    begun, ends = [], {}
    for k, token in enumerate(tokens):
        if token == r"\left":
            begun.append(k)
        elif token == r"\right":
            ends[begun.pop()] = k
    return ends


def _breaks(group: Sequence[str]) -> bool:
    """Not a matrix, nor a product of two vectors."""
    return r"\begin" not in group and group[1] != r"\langle"


def _size(inner: Sequence[str]) -> str:
    """KaTeX's name of a bracket's size, from what stands inside in full size, and what in exponents."""
    depth, full = 0, set()
    for token in inner:
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth == 0:
            full.add(token)
    if full & WITH_LIMITS:
        return "Bigg"
    return "bigg" if FRACTION in full else "Big" if FRACTION in inner else ""
