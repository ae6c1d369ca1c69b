"""The short forms of formulas draw what KaTeX's own would."""

import json
from importlib.resources import files

import pytest
import quickjs
from site_pages import looked_at, script

from tools.formulas import typeset
from tools.notebooks import ROOT

STYLES = [ROOT / "assets" / "katex" / "katex.min.css", ROOT / "assets" / "book.css"]
FORMULAS = [
    r"a + b = c, \quad f(x)\,y \ge -z",
    r"\sum_{i=0}^{d-1} q_i^{2} k_{i_j}^{x^y}",
    r"\frac{1 + \frac{a}{b}}{\sqrt{x + \sqrt[3]{y}}}",
    r"\left(\begin{matrix} a & -b \\ \frac{c}{d} & \cos\theta_i \end{matrix}\right)",
    r"\left\{\begin{array}{lr} x & y \\ u & v \\ a & b \\ c & d \\ e & f \end{array}\right.",
    r"\left|\frac{\left(\begin{matrix} a \\ b \\ c \\ d \\ e \\ f \end{matrix}\right)}{2}\right|",
    r"\hat{y} + \overline{z} + \tilde{\boldsymbol{q}}\; \underbrace{a + b}_{n} \mapsto \vec{v}",
    r"\int_0^1 \mathbf{Q}\mathcal{O}(n)\,\mathrm{d}x \max_{0 \le i < n} \lim_{n\to\infty} a_n",
    r"\operatorname{Re}\big[\sin x\big] \text{ for all } k \in \mathbb{Z} \not= \emptyset \bmod 2",
]
PLACES = script("places")


@pytest.fixture(scope="module")
def katex():
    context = quickjs.Context()
    context.eval(files("sphinxcontrib").joinpath("katex.min.js").read_text())
    return context


def own(katex, tex):
    """KaTeX's own markup."""
    said = f"katex.renderToString({json.dumps(tex)}, {{displayMode: true, output: 'html'}})"
    return json.loads(katex.eval(f"JSON.stringify({said})"))


@looked_at
def test_each_letter_and_line_is_where_katex_puts_it(tab, katex, tmp_path):
    line = '<span class="line" style="display:inline-block"></span>'
    both = [f"<p>{line}{html}" for tex in FORMULAS for html in (own(katex, tex), typeset(tex, True).html)]
    links = "".join(f'<link rel="stylesheet" href="{style.as_uri()}">' for style in STYLES)
    text = "".join(both).replace("katex-display", "shown")  # beside the line, not below
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{links}<body>{text}")
    tab.goto((tmp_path / "page.html").as_uri())
    tab.evaluate("() => { document.body.offsetHeight; return document.fonts.ready.then(() => true) }")
    found = tab.evaluate(PLACES)
    for tex, theirs, ours in zip(FORMULAS, found[::2], found[1::2], strict=True):
        assert [place[:-1] for place in theirs] == [place[:-1] for place in ours], tex
        for one, other in zip(theirs, ours, strict=True):
            assert one[-1] == pytest.approx(other[-1], abs=0.03), (tex, one[0])
