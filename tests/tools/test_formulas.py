"""Formulas are set while the pages are written: what KaTeX draws, how wide it is, what it refuses."""

import io
import re
import subprocess
import sys
from xml.etree.ElementTree import fromstring

import pytest
from fontTools.ttLib import TTFont

from tools.browser import SITE, pages
from tools.fonts import characters, cut
from tools.formulas import typeset
from tools.lean_site import lighter_code
from tools.notebooks import ROOT

KATEX = ROOT / "assets" / "katex"


def test_a_formula_is_drawn_and_read():
    html = typeset(r"\frac{a}{b}", display=True).html
    assert "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html  # for screen readers
    assert 'class="katex-html" aria-hidden="true"' in html  # for eyes
    assert "annotation" not in html and "tabindex" not in html


def test_all_mathml_says_what_mathml_core_knows():
    """As many children as an element takes, no empty attribute, of variants upright: else it is an error."""
    takes = dict.fromkeys(("msub", "msup", "munder", "mover", "mfrac", "mroot"), 2)
    takes |= dict.fromkeys(("msubsup", "munderover"), 3)
    shown = [typeset(rf"\theta_{{\min}} + {tex}").html for tex in (r"x_{\max}^2", r"\frac{\sin}{2^{\cos}}")]
    shown += [path.read_text().replace(r"\"", '"') for path in [*pages(), *SITE.rglob("*.wrong.js")]]
    found = [math for text in shown for math in re.findall("<math.*?</math>", text, re.DOTALL)]
    assert not [m for m in found if any(len(e) != takes.get(e.tag, len(e)) for e in fromstring(m).iter())]
    assert not [m for m in found if re.search(r'=""|mathvariant="(?!normal")', m)]


@pytest.mark.parametrize(
    ("tex", "letters"),
    [(r"\boldsymbol{q}\mathbf{W}", "𝒒𝐖"), (r"\mathbb{R}\mathbb{X}", "ℝ𝕏"),
     (r"\mathcal{O}\mathcal{H}h", "𝒪ℋh"), (r"\boldsymbol{\theta}\boldsymbol{\varepsilon}", "𝜽𝜺")],
)  # fmt: skip
def test_a_letter_in_bold_or_of_another_alphabet_is_a_sign_of_its_own(tex, letters):
    """No browser draws MathML's variants any more, but upright: a vector would be printed as a number."""
    assert "".join(re.findall("<mi>(.)</mi>", typeset(tex, mathml=True).html)) == letters


def test_the_font_that_browsers_draw_mathml_with_grows_brackets():
    page = typeset(r"\left\langle\frac{a}{b}\right\rangle", mathml=True).html
    shown = characters([page])["math"]
    assert set("⟨⟩𝑎𝑏") <= shown and not characters([typeset("x").html])["math"]
    with TTFont(io.BytesIO(cut((ROOT / "assets" / "fonts" / "math.woff2").read_bytes(), shown))) as font:
        grown = font["MATH"].table.MathVariants.VertGlyphCoverage.glyphs
        assert {font.getBestCmap()[ord(bracket)] for bracket in "⟨⟩"} <= set(grown)


def test_where_hundreds_of_formulas_stand_each_is_mathml_alone():
    _, width, html = typeset(r"\frac{a}{b}", display=True, mathml=True)
    assert width == 0 and "<mfrac>" in html and "katex-html" not in html


@pytest.mark.parametrize("tex", [r"\nosuchcommand", r"\frac{a}", "x_a_b", "é"])
def test_what_katex_refuses_is_an_error(tex):
    with pytest.raises(ValueError, match=r"in '"):
        typeset(tex)


def test_a_refused_formula_stops_the_build(tmp_path):
    (tmp_path / "conf.py").write_text("extensions = ['tools.formulas']\nmath_numfig = True\n")
    (tmp_path / "index.rst").write_text("Page\n====\n\n:math:`a + b`\n\n.. math:: \\nosuchcommand\n")
    options = ["-q", "-W", "--keep-going", "-b", "html", tmp_path, tmp_path / "out"]
    command = [sys.executable, "-m", "sphinx", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode and "nosuchcommand" in done.stderr and "index.rst:6" in done.stderr
    assert "katex-html" in (tmp_path / "out" / "index.html").read_text()


def test_fonts_are_cut_to_what_pages_show_and_nothing_is_said_of_it(tmp_path, caplog):
    caplog.set_level("INFO")
    page = (
        "<p>é<em>w</em><code>b</code></p>"
        + typeset(r"\mathbf{Q} + \left\{\begin{matrix}x\\y\\z\\u\end{matrix}\right.").html
    )
    shown = characters([page])
    assert shown["KaTeX_Main-Bold"] == {"Q"} and set("xyzu") <= shown["KaTeX_Math-Italic"]
    assert shown["serif-italic"] == {"w"}
    assert "é" in shown["serif"] and "+" in shown["KaTeX"] and "⎨" in shown["KaTeX"]
    whole = (KATEX / "fonts" / "KaTeX_Main-Bold.woff2").read_bytes()
    (tmp_path / "cut.woff2").write_bytes(cut(whole, shown["KaTeX_Main-Bold"]))
    with TTFont(tmp_path / "cut.woff2") as font:
        assert set(font.getBestCmap()) == {ord("Q")}
    assert (tmp_path / "cut.woff2").stat().st_size < len(whole) / 10
    assert not caplog.records


def test_every_font_that_katex_s_style_names_is_there():
    named = re.findall(r"url\(fonts/([\w-]+\.woff2)\)", (KATEX / "katex.min.css").read_text())
    assert named and all((KATEX / "fonts" / file).is_file() for file in named)


def test_code_keeps_its_text_and_its_colours():
    marked = (
        '<span></span><span class="n">a</span><span class="w"> </span><span class="s1">&#39;b&#39;</span>'
    )
    assert lighter_code(f"<pre>{marked}</pre>") == '<pre>a <span class="s1">&#39;b&#39;</span></pre>'


@pytest.mark.parametrize("tex", [r"\frac u\wrong{3}", r"\frac{u}\wrong{3}", r"\tfrac\pi\wrong{4}"])
def test_a_mark_stands_wherever_one_sign_may(tex):
    assert "red" in typeset(tex).html
