"""Formulas and words on the page: their letters came, they fit, and the measurement of it can fail."""

import pytest
from site_pages import looked_at, script

from tools.browser import MEASURE, SITE, WIDTHS, lay_out_all

pytestmark = looked_at
DRAWN = script("drawn")


@pytest.mark.parametrize("page", ["2-sinusoid/25-sum-and-integral", "4-rotary/47-several-axes"])
def test_the_width_of_a_formula_is_known_before_it_is_drawn(tab, see, page):
    see(f"book/{page}")
    lay_out_all(tab)
    widths = tab.evaluate(DRAWN)
    assert len(widths) > 50 and max(drawn for _, drawn in widths) > 15
    wrong = [(known, drawn) for known, drawn in widths if abs(known - drawn) > 0.2 + 0.02 * drawn]
    assert not wrong, wrong


def test_tables_of_words_fit_a_phone(tab, see):
    """The column with the links is the last."""
    see("book/reference/sources-and-corrections", WIDTHS["phone"])
    wide = "() => [...document.querySelectorAll('.bd-article table')].map(e => e.scrollWidth - innerWidth)"
    assert max(tab.evaluate(wide)) <= 0


BLOCK = "style='display:inline-block;width:20px"
SCROLLS = "<span class=math style='display:inline-block;overflow-x:scroll;width:99px'>"
SVG = "<figure class=plot><svg width=90 height=40>"


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<div style='overflow:hidden;width:99px'><table><td style='min-width:300px'>x</table>", "cut off"),
        ("<div style='width:3000px'>x</div>", "the page is"),
        ("<figure class=plot><svg><text y=9 style='fill:#bbb'>pale</text></svg></figure>", "contrast"),
        (f"{SVG}<text y=30 style='fill:color-mix(in srgb, #000 30%, #fff)'>mixed", "contrast 2."),
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
    article = f"<article class=bd-article>{html}</article>"
    tab.set_content(f"<!doctype html><body style='background:#fff'>{article}")
    assert any(problem in found for found in tab.evaluate(MEASURE))


@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
def test_no_formula_is_cut_off_where_all_statements_stand(tab, see, width):
    """A matrix that is too wide scrolls in its own box."""
    off = []
    for page in (SITE / "rocq").glob("*.html"):
        see(f"rocq/{page.stem}", width)
        lay_out_all(tab)
        off += tab.evaluate("[...document.querySelectorAll('.flow')].map(e => e.scrollWidth - e.clientWidth)")
        assert tab.evaluate(MEASURE) == [], page
    assert len(off) > 800 and sum(more > 1 for more in off) < 40


ON_A_LINE = script("on_a_line")


@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
@pytest.mark.parametrize("page", ["1-order/12-taylor-argument", "4-rotary/43-abel-bound"])
def test_number_and_mark_stand_on_the_last_line_of_their_row(tab, see, page, width):
    see(f"book/{page}", width)
    lay_out_all(tab)
    tab.evaluate("document.querySelectorAll('.story').forEach(story => { story.open = false; })")
    count, off = tab.evaluate(ON_A_LINE)
    assert count > 20 and not off


@pytest.mark.parametrize("page", ["book/index.html", "book/4-rotary/43-abel-bound.html"])
def test_a_first_visit_shows_the_letters_of_the_book(chrome, served, page):
    with chrome.new_context() as first:
        tab = first.new_page()
        tab.goto(served + page, wait_until="load")
        session = first.new_cdp_session(tab)
        for method in ("DOM.enable", "CSS.enable"):
            session.send(method)
        root = session.send("DOM.getDocument")["root"]["nodeId"]
        for part in ("h1", ".bd-article section > p:not(.facts)"):
            node = session.send("DOM.querySelector", {"nodeId": root, "selector": part})["nodeId"]
            fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            assert fonts[0]["familyName"] == "Posenc Serif", part


def test_without_its_style_sheet_a_page_is_not_hidden_by_a_drawing(tab):
    tab.route("**/book.css*", lambda route: route.abort())
    tab.goto((SITE / "book" / "how-to-read.html").as_uri())
    filled = "[...document.querySelectorAll('header svg *')].map(e => getComputedStyle(e).fill)"
    assert set(tab.evaluate(filled)) == {"none"}


PARTED = script("parted")


def test_no_line_of_a_phone_begins_with_the_punctuation_of_a_formula(tab, see):
    would_part = []
    for page in ("2-sinusoid/25-sum-and-integral", "4-rotary/45-all-relative", "reference/five-articles-zh"):
        see(f"book/{page}", WIDTHS["phone"])
        lay_out_all(tab)
        count, parted = tab.evaluate(PARTED)
        assert count > 25 and not parted
        tab.add_style_tag(content=".together { white-space: normal !important }")
        would_part += tab.evaluate(PARTED)[1]
    assert would_part  # it would be seen


COMMAS = script("commas")


@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
def test_no_line_of_the_chinese_tables_begins_with_the_comma_of_a_link(tab, see, width):
    see("book/reference/five-articles-zh", width)
    lay_out_all(tab)
    count, parted = tab.evaluate(COMMAS)
    assert count > 100 and not parted
    tab.add_style_tag(content="td a { display: inline-block !important }")
    assert tab.evaluate(COMMAS)[1]  # it would be seen
