"""Formulas and words on the page: their letters came, they fit, and the measurement of it can fail."""

import functools

import pytest
from fontTools.ttLib import TTFont
from site_pages import every_page, looked_at, script

from tools.browser import (
    MEASURE,
    SITE,
    WIDTHS,
    lay_out_all,
    open_page,
    pages,
)
from tools.notebooks import ROOT

DRAWN = script("drawn")


@looked_at
@pytest.mark.parametrize("page", ["2-sinusoid/25-sum-and-integral", "4-rotary/47-several-axes"])
def test_the_width_of_a_formula_is_known_before_it_is_drawn(tab, page):
    open_page(tab, SITE / "book" / f"{page}.html")
    lay_out_all(tab)
    widths = tab.evaluate(DRAWN)
    assert len(widths) > 50 and max(drawn for _, drawn in widths) > 15
    wrong = [(known, drawn) for known, drawn in widths if abs(known - drawn) > 0.2 + 0.02 * drawn]
    assert not wrong, wrong


WORDS = script("words")


@functools.cache
def drawn_by(font):
    with TTFont(font) as opened:
        return set(map(chr, opened.getBestCmap()))


@looked_at
@every_page
def test_every_letter_of_a_word_is_in_the_fonts_that_came(tab, page):
    open_page(tab, page)
    for style, text in tab.evaluate(WORDS).items():
        whole, came = (
            path / "fonts" / f"serif-{style}.woff2" for path in (ROOT / "assets", SITE / "_static")
        )
        assert not set(text) & (drawn_by(whole) - drawn_by(came)), style


@looked_at
@every_page
def test_every_letter_of_a_formula_is_in_the_fonts_that_came(tab, page):
    """The fonts are cut to what the pages show. (Zero-width blanks are drawn with any.)"""
    open_page(tab, page)
    session = tab.context.new_cdp_session(tab)
    for method in ("DOM.enable", "CSS.enable"):
        session.send(method)
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    tab.evaluate("for (const e of document.querySelectorAll('.vlist-s')) e.remove()")
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": ".katex-html"})["nodeIds"]
    used = {
        font["familyName"]
        for node in nodes
        for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    }
    assert all(name.startswith("KaTeX_") for name in used), used


@looked_at
def test_tables_of_words_fit_a_phone(tab):
    """The column with the links is the last."""
    tab.set_viewport_size({"width": WIDTHS["phone"], "height": 900})
    open_page(tab, SITE / "book" / "reference" / "sources-and-corrections.html")
    wide = "() => [...document.querySelectorAll('.bd-article table')].map(e => e.scrollWidth - innerWidth)"
    assert max(tab.evaluate(wide)) <= 0


@looked_at
@pytest.mark.parametrize("page", ["51-choosing", "57-upstream-slots"])
@pytest.mark.parametrize(("width", "shown"), [("desktop", "svg"), ("phone", "ul"), ("small phone", "ul")])
def test_a_list_stands_on_a_phone_for_a_drawing_of_many_words(tab, page, width, shown):
    tab.set_viewport_size({"width": WIDTHS[width], "height": 900})
    open_page(tab, SITE / "book" / "5-practice" / f"{page}.html")
    seen = """() => [...document.querySelector("figure:has(> .narrow)").children]
        .filter(e => e.getClientRects().length).map(e => e.localName)"""
    assert {"svg", "ul"} & set(tab.evaluate(seen)) == {shown}


BLOCK = "style='display:inline-block;width:20px"
SCROLLS = "<span class=math style='display:inline-block;overflow-x:scroll;width:99px'>"
SVG = "<figure class=plot><svg width=90 height=40>"


@looked_at
@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<div style='overflow:hidden;width:99px'><table><td style='min-width:300px'>x</table>", "cut off"),
        ("<div style='width:3000px'>x</div>", "the page is"),
        ("<figure class=plot><svg><text y=9 style='fill:#bbb'>pale</text></svg></figure>", "contrast"),
        (f"{SVG}<text y=9 font-size=5>small", "is 5.0 px high, needs 10.0"),
        (f"{SVG}<text y=30 x=-9>half", "reaches past its drawing"),
        (f"{SVG}<text y=30>one</text><text y=31>two", "lie on each other"),
        ("<img src='' style='width:9px;height:9px'>", "no alt text"),
        (f"<span class=katex><span {BLOCK};height:20px'><svg width=20 height=1></svg>", "is not drawn"),
        ("<span class=math>x</span>", "not typeset"),
        (r"<p>\[x\]</p>", "TeX is left"),
        ("<span class=math tabindex=0><math>x</math></span>", "a tab stop"),
        (f"{SCROLLS}<span class=katex-html><span class=base {BLOCK}'>x", "has a scrollbar, though it fits"),
    ],
)
def test_the_measurement_sees_each_fault(tab, html, problem):
    tab.set_content(
        f"<!doctype html><body style='background:#fff'><article class=bd-article>{html}</article>"
    )
    assert any(problem in found for found in tab.evaluate(MEASURE))


#: Sides of checked equations that scroll.
SCROLLING = """[...document.querySelectorAll('.calc :is(.lhs, .body)')]
  .filter(e => e.clientWidth && !e.closest('.story') && e.scrollWidth > e.clientWidth + 4)
  .map(e => e.closest('[id]').id.replace('equation-', ''))"""


@looked_at
@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
def test_equations_fit_the_column(tab, width):
    tab.set_viewport_size({"width": width, "height": 900})
    for page in (page for page in pages() if page.parent.name[0].isdigit()):
        open_page(tab, page)
        lay_out_all(tab)
        assert not tab.evaluate(SCROLLING), page.stem


PARTED = script("parted")


@looked_at
@pytest.mark.parametrize("page", ["2-sinusoid/25-sum-and-integral", "4-rotary/45-all-relative"])
def test_no_line_of_a_phone_begins_with_the_punctuation_of_a_formula(tab, page):
    tab.set_viewport_size({"width": WIDTHS["phone"], "height": 900})
    open_page(tab, SITE / "book" / f"{page}.html")
    lay_out_all(tab)
    count, parted = tab.evaluate(PARTED)
    assert count > 40 and not parted
    tab.add_style_tag(content=".together { white-space: normal !important }")
    assert tab.evaluate(PARTED)[1]  # it would be seen
