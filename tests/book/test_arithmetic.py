"""What a sentence works out with numbers alone, ``2^{11}=2048``, or with letters, ``(a+b)c=ac+bc``, is right.

A formula in a sentence is typed, so nobody checked it. Where both sides of a sign hold nothing but numbers,
both are worked out. A decimal number on the right is the left side, rounded to the digits that it shows.
Where both hold the same letters, the checker looks for numbers at which the relation fails. What it cannot
read is for people: ``python -m pytest -sqk listed tests/book/test_arithmetic.py`` lists it.
"""

import math
import re

import pytest
from sympy import N
from sympy.parsing import sympy_parser as parser

from posenc_proofs import answers
from posenc_proofs.latex.tokens import GREEK
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


FORMULA = re.compile(r"(?<![$\\])\$([^$\n]+)\$(?!\$)")
#: Commands that are no letters, and the e of a power.
COMMANDS = re.compile(
    r"\\(?:[dt]?frac|sqrt|cdot|left|right|mathrm i|cos|sin|tan|ln|pi|exp|bar)(?![a-z])|(?<![a-zA-Z])e(?=\^)"
)
#: No claims for all numbers, although both sides hold the same letters.
CONDITIONS = {
    "g(-k)=g(k)": "of even functions",
    r"\tan\frac x2=x": "an equation to be solved",
    "M(n-m)=M(-m)M(n)": "of a matrix that depends on the position",
    r"\chi(p+q)=\chi(p)\chi(q)": "what makes a character",
    "K^2\\le K": "where K lies between 0 and 1",
    r"1/(1-b^{-4/d})\le d/(4\ln b)": "a step of an article, refuted on its page",
    r"\sin y\ge0.95\,y": "for small y, as the sentence says",
}


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
    for formula in FORMULA.findall(MARKED.sub(r"\2", text)):
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


def letters(side):
    """The letters of one side as a scope says them, ``α`` and ``x``; an index is one of them."""
    found = re.findall(r"\\[a-zA-Z]+|[a-zA-Z]", COMMANDS.sub(" ", side))
    return {GREEK.get(letter.removeprefix("\\"), letter) for letter in found}


def in_letters(text):
    """Relations between sides of the same letters: the checker's words for real, whole, positive numbers."""
    for formula in FORMULA.findall(MARKED.sub(r"\2", text)):
        parts = re.split(r"(=|\\[gl]eq?(?![a-z])|[<>])", formula)
        for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            if (names := letters(left)) and names == letters(right):
                claim, all_of = left + sign + right, ", ".join(sorted(names))
                asked = (f"for all {all_of} ∈ {numbers}\n{claim}" for numbers in ("ℝ", "ℤ", "ℝ₊"))
                yield claim.strip(), {answer.kind for text in asked for answer in answers(text)}


def fails(kinds):
    """Whether there are numbers at which a relation fails, whatever they are said to be."""
    return kinds <= {"refuted", "unread"} and "refuted" in kinds


@pytest.mark.parametrize("name", TEXTS)
def test_relations_of_a_text_hold(name):
    wrong = [claim for claim, kinds in in_letters(TEXTS[name]) if fails(kinds) and claim not in CONDITIONS]
    assert not wrong, (
        "the checker finds numbers at which it fails: if it claims nothing, add it to CONDITIONS"
    )


def test_what_the_reader_of_latex_cannot_read_is_counted_and_listed():
    found = {claim: kinds for text in TEXTS.values() for claim, kinds in in_letters(text)}
    unread = [claim for claim, kinds in found.items() if kinds == {"unread"}]
    evaluated = len(found) - len(unread)
    print(f"{evaluated} relations of letters evaluated, {len(unread)} for people:", *unread, sep="\n")
    assert evaluated >= 20 and {claim for claim in found if fails(found[claim])} == {*CONDITIONS}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("-r(m-n)=-rm+rn", "-r(m-n)=-rm-rn"),
        ("(-1)^{m+n}=(-1)^{m-n}", "(-1)^{m+n}=-(-1)^{m-n}"),
        (
            r"\cos(\alpha-\beta)=\cos\alpha\cos\beta+\sin\alpha\sin\beta",
            r"\cos(\alpha-\beta)=\cos\alpha-\cos\beta",
        ),
        (r"1-\cos y\le\frac{y^2}2", r"1-\cos y\ge\frac{y^2}2"),
    ],
)
def test_a_slip_in_letters_is_seen(right, wrong):
    assert [fails(kinds) for _, kinds in in_letters(f"so ${right}$, and $x=2y$.")] == [False]
    assert [fails(kinds) for _, kinds in in_letters(f"so ${wrong}$.")] == [True]
