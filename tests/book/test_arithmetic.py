"""What a sentence works out with numbers alone is right: typed formulas that no derivation checks."""

import nbformat
import pytest
from arithmetic import NotNumbers, claims, holds, value

from tools.contents import page_names, source_of
from tools.notebooks import ROOT

PAGES = {name: source_of(name, ROOT) for name in page_names(ROOT)}
TEXTS = {
    name: "\n\n".join(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown")
    for name, path in PAGES.items()
    if path and path.suffix == ".ipynb"
}


def worked_out(text):
    """Each claim about numbers alone, and whether it holds."""
    for claim in claims(text):
        try:
            yield "".join(claim), holds(*claim)
        except NotNumbers:
            continue


@pytest.mark.parametrize("name", TEXTS)
def test_sums_of_a_text_are_right(name):
    assert [claim for claim, right in worked_out(TEXTS[name]) if not right] == []


def test_there_are_some():
    assert sum(len(list(worked_out(text))) for text in TEXTS.values()) > 25


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"2^{11}=2048", r"2^{12}=2048"),
        (r"180°/22.8°\approx7.9", r"180°/22.8°\approx8.1"),
        (r"\sqrt{50}\approx7", r"\sqrt{50}\approx8"),
        (r"0.9^{20}\approx0.12", r"0.9^{20}\approx0.21"),
        (r"-\ln0.9\approx0.105", r"\ln0.9\approx0.105"),
        (r"\ln4/\ln8=\frac23", r"\ln4/\ln8=\frac32"),
        (r"500\,000=2^5\,5^6", r"500\,000=2^5\,5^5"),
        (r"4\cdot\frac45+3\cdot\frac35=5", r"4\cdot\frac45-3\cdot\frac35=5"),
        (r"1/(1+255/31)=31/286", r"1/(1+255/31)=31/268"),
        (r"5-2\pi\approx-1.283", r"5-2\pi\approx1.283"),
    ],
)
def test_a_slip_is_seen(right, wrong):
    assert [ok for _, ok in worked_out(f"so ${right}$.")] == [True]
    assert [ok for _, ok in worked_out(f"so ${wrong}$.")] == [False]


@pytest.mark.parametrize("letters", [r"2n", r"\gamma", r"2^{n}", r"(1", r"\frac2", r""])
def test_what_is_no_number_is_left_alone(letters):
    with pytest.raises(NotNumbers):
        value(letters)
