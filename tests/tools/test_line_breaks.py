"""Formulas break where a reader expects it, and a bracket spans what it holds."""

import re

import pytest
from whole_runs import WHOLE_RUNS, sample

from tools.formulas import typeset
from tools.line_breaks import breaking, cut
from tools.notebooks import ROOT
from tools.reference.records import read_pages
from tools.steps import NARROW

HOLDS = {
    r"\left(a + b\right)": (r"(", r")"),
    r"\left(\frac{a}{b} + c\right)": (r"\biggl(", r"\biggr)"),
    r"\left(b^{\frac{2 i}{n}} + b^{\frac{2}{n} - 1}\right)": (r"\Bigl(", r"\Bigr)"),
    r"\left\lvert \int\limits_{0}^{1} h(t)\, dt + c \right\rvert": (r"\Biggl\lvert", r"\Biggr\rvert"),
}


@pytest.mark.parametrize("tex", HOLDS)
def test_a_bracket_of_fixed_size_is_as_tall_as_what_it_holds(tex):
    begin, end = HOLDS[tex]
    opened = breaking(tex, levels=1)
    assert opened.startswith(begin) and opened.endswith(end) and r"\allowbreak + \nobreak" in opened

    def tall(text):
        heights = re.findall(r'class="strut" style="height:([\d.]+)em', typeset(text).html)
        return max(map(float, heights), default=1.0)  # where a line's own height is enough, none is stated

    whole = tall(rf"\displaystyle {tex}")
    assert abs(tall(rf"\displaystyle {opened}") - whole) < 0.36 * whole  # a step from one size to the next


@pytest.mark.parametrize(
    "whole",
    [
        r"\left(\begin{matrix}a & - b\\c & d\end{matrix}\right)",
        r"\left\langle a,\, b - c\right\rangle",
        r"\frac{1}{\left(a + b\right)}",
        r"e^{\left(a + b\right)}",
    ],
)
def test_matrices_and_products_of_vectors_and_what_is_not_in_the_line_stay_whole(whole):
    assert breaking(whole, levels=3) == whole


def test_no_line_ends_in_a_sign():
    """KaTeX would break behind one, in the brackets of a function's argument, too."""
    shown = breaking(r"a + \left(\cos((m - n) t) - b\right)", levels=1)
    alone = shown.replace(r"\left(m - n\right)", "")  # in brackets that grow no line ends
    assert alone.count("-") + alone.count("+") == alone.count(r"\nobreak") == 2
    assert shown.count(r"\allowbreak") == 2  # none in the argument


def test_what_is_in_inner_brackets_stays_together():
    outer = r"t \left(x \left(9 a - 12 b\right) + y \left(18 a - 15 b\right) - 3 a\right) + 1"
    assert breaking(outer, levels=1).count(r"\allowbreak") == 3


def test_only_matrices_are_wider_than_a_phone():
    """In one result of eight; once a week in every one, as a browser sees them on each page."""
    results = [result for page in read_pages(ROOT) for result in page.results if result["latex"]]
    chains = [(result["label"], cut(result["latex"])) for result in sample(results, 8)]
    sides = [(name, side) for name, (left, rows) in chains for side in (left, *(right for _, right in rows))]
    assert len(sides) > (1500 if WHOLE_RUNS else 150)
    wide = [
        label
        for label, side in sides
        if "matrix" not in side
        and all(typeset(rf"\displaystyle {breaking(side, k)}").widest > NARROW for k in range(4))
    ]
    assert not wide
