"""What a sentence works out with numbers alone, ``2^{11}=2048`` or ``\\sqrt{50}\\approx7``, is right.

A formula in a sentence is typed, so nobody checked it. Where both sides of a sign hold nothing but numbers,
both are worked out. A decimal number on the right is the left side, rounded to the digits that it shows.
"""

import math
import re

import pytest
from sympy import N
from sympy.parsing import sympy_parser as parser

from tools.contents import find_notebooks, words
from tools.said import MARKED

TEXTS = {path.stem: words(path.read_text(encoding="utf-8")) for path in find_notebooks()}
READ = (*parser.standard_transformations, parser.implicit_multiplication_application, parser.rationalize)
#: One after the other, until nothing changes: what stands in innermost braces becomes what SymPy reads.
PYTHON = [
    (r"\\[,;! ]|\\(?:left|right)(?![a-z])|°", ""),
    (r"\\[dt]frac", r"\\frac"),
    (r"\\frac(\d)", r"\\frac{\1}"),
    (r"(\\frac\{[^{}]*\})(\d)", r"\1{\2}"),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt\{([^{}]*)\}", r" sqrt(\1) "),
    (r"\be\^", f"{math.e}^"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"\^(\d)", r"**\1 "),
    (r"\\(?:ln|cos|sin)(?= *[\d\\])", lambda it: it[0] + "@"),
    (r"@ *(\d+(?:\.\d+)?|\\pi)", r"(\1)"),
    (r"\\cdot|\\times", "*"),
    (r"\\(ln|cos|sin|pi)", r" \1 "),
    ("−", "-"),
]


def value(tex):
    """What an expression of numbers is worth; None if there are letters in it, or a form that is not read."""
    before = None
    while before != tex:
        before = tex
        for old, new in PYTHON:
            tex = re.sub(old, new, tex)
    if re.search(r"[\\{}_]|\b(?!ln|cos|sin|sqrt|pi)[^\W\d]", tex) or not tex.strip():
        return None
    try:
        return float(N(parser.parse_expr(tex, transformations=READ)))
    except (AttributeError, SyntaxError, TypeError, ValueError, parser.TokenError):
        return None


def worked_out(text):
    """Each claim about numbers alone, and whether it holds as far as its right side shows."""
    for formula in re.findall(r"(?<![$\\])\$([^$\n]+)\$(?!\$)", MARKED.sub(r"\2", text)):
        parts = re.split(r"(=|\\approx)", formula)
        for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            decimal = re.fullmatch(r"-?\d+(?:\.(\d+))?°?", re.sub(r"\\[,;! ]", "", right).strip())
            a, b = value(left), value(right)
            if a is not None and b is not None and (decimal or sign == "="):
                step = 10.0 ** -len(decimal[1] or "") if decimal else 0
                yield left + sign + right, abs(a - b) <= max(step / 2, 1e-12 * abs(a)) * (1 + 1e-9)


@pytest.mark.parametrize("name", TEXTS)
def test_sums_of_a_text_are_right(name):
    assert [claim for claim, right in worked_out(TEXTS[name]) if not right] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"2^{11}=2048", r"2^{12}=2048"),
        (r"180°/22.8°\approx7.9", r"180°/22.8°\approx8.1"),
        (r"\sqrt{50}\approx7", r"\sqrt{50}\approx8"),
        (r"-\ln0.9\approx0.105", r"\ln0.9\approx0.105"),
        (r"\ln4/\ln8=\frac23", r"\ln4/\ln8=\frac32"),
        (r"500\,000=2^5\,5^6", r"500\,000=2^5\,5^5"),
        (r"4\cdot\frac45+3\cdot\frac35=5", r"4\cdot\frac45-3\cdot\frac35=5"),
        (r"5-2\pi\approx-1.283", r"5-2\pi\approx1.283"),
    ],
)
def test_a_slip_is_seen(right, wrong):
    assert [ok for _, ok in worked_out(f"so ${right}$.")] == [True]
    assert [ok for _, ok in worked_out(f"so ${wrong}$, and $2n=1$, $\\gamma=2$, $2^{{n}}=4$.")] == [False]
