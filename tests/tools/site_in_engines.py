"""The site in Firefox and WebKit: ``make engines``. Other tests drive Chromium, which forgives more."""

import pytest
from engines import firefox, missing, until, webkit

from tools.browser import MEASURE, SITE, WIDTHS, next_frame, open_page

PAGES = [
    "index",
    "1-order/12-taylor-argument",
    "2-sinusoid/25-sum-and-integral",
    "4-rotary/41-complex-solution",
    "4-rotary/43-abel-bound",
    "5-practice/56-cookbook",
    "6-models/61-which-planes-turn",
    "../rocq/45-all-relative",
    "reference/results",
    "reference/try-it",
]
LINKS = [
    "reference/ledger.html#the-taylor-argument-on-a-trained-model",
    "reference/ledger.html#the-abel-summation-decay-bound",
    "4-rotary/43-abel-bound.html#equation-eq-abel-step",  # in a fold, which opens
]
FONTS = "document.fonts.ready.then(() => true)"
UNFOLD = "document.querySelectorAll('details:not(.break, .break *)').forEach(fold => { fold.open = true; })"
#: Signs that MathML says, and that have no room; but for those that are heard only.
SQUEEZED = """[...document.querySelectorAll(':not(.katex-mathml) > math mo')]
  .filter(e => e.checkVisibility() && !/^[\\s\\u200b\\u2061-\\u2064]*$/.test(e.textContent)
    && !e.getBoundingClientRect().width).map(e => e.textContent)"""
RIGHT = "\ue014"  # the arrow key, as WebDriver writes it


@pytest.fixture(scope="module", params=[firefox, webkit], ids=lambda engine: engine.__name__)
def engine(request, tmp_path_factory):
    if missing():
        pytest.exit(f"make engines needs: apt-get install {' '.join(missing())}", 1)
    with request.param(tmp_path_factory.mktemp("engine")) as tab:
        yield tab


@pytest.fixture
def visit(engine):
    def see(page, width):
        engine.set_viewport_size({"width": width, "height": 900})
        open_page(engine, SITE / "book" / f"{page}.html")
        return engine

    engine.problems.clear()
    yield see
    assert not engine.problems


@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
@pytest.mark.parametrize("page", PAGES)
def test_everything_is_visible_in_both_schemes(visit, page, width):
    tab = visit(page, width)
    tab.evaluate(UNFOLD)
    tab.evaluate(FONTS)
    assert tab.evaluate("innerWidth") == width
    assert tab.evaluate(MEASURE) == [] and tab.evaluate(SQUEEZED) == []
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    next_frame(tab)
    assert tab.evaluate(MEASURE) == []


@pytest.mark.parametrize("link", LINKS)
def test_a_link_lands_where_it_says(engine, link):
    engine.set_viewport_size({"width": WIDTHS["desktop"], "height": 900})
    engine.goto((SITE / "book" / link.partition("#")[0]).as_uri() + "#" + link.partition("#")[2])
    engine.evaluate(FONTS)
    assert 0 <= engine.evaluate("document.querySelector(':target').getBoundingClientRect().top") <= 100


@pytest.mark.parametrize("width", [WIDTHS["desktop"], WIDTHS["phone"]])
def test_break_it_shows_where_a_wrong_version_fails(visit, width):
    tab = visit("4-rotary/43-abel-bound", width)
    tab.evaluate(UNFOLD)
    tab.evaluate("document.querySelector('.break > summary').click()")
    until(lambda: tab.evaluate("document.querySelectorAll('.break li').length"))
    tab.evaluate("document.querySelector('.break li summary').click()")
    tab.evaluate("document.querySelector('.break li p').scrollIntoView()")
    next_frame(tab)
    assert "Fails" in tab.evaluate("document.querySelector('.break li p').innerText")
    assert tab.evaluate(SQUEEZED) == [] and tab.evaluate(MEASURE) == []


@pytest.mark.parametrize("page", ["4-rotary/41-complex-solution", "4-rotary/43-abel-bound"])
def test_a_live_figure_answers_mouse_and_keys(visit, page):
    tab = visit(page, WIDTHS["desktop"])
    x, y, width, height = tab.evaluate("""() => {
      const slider = document.querySelector('.live-figure [type=range]');
      slider.scrollIntoView({block: 'center'});
      const {x, y, width, height} = slider.getBoundingClientRect();
      return [x, y, width, height]; }""")
    said = "document.querySelector('.live-figure output').innerText"
    texts = [tab.evaluate(said)]
    tab.drag((x + width / 2, y + height / 2), (x + 0.7 * width, y + height / 2))
    texts.append(tab.evaluate(said))
    tab.press(RIGHT)
    texts.append(tab.evaluate(said))
    assert len({*texts}) == 3


def test_a_tap_on_a_sign_breaks_its_row_and_another_mends_it(visit):
    tab = visit("4-rotary/43-abel-bound", WIDTHS["desktop"])
    tab.evaluate(UNFOLD)
    sign, fails = (
        "document.querySelector('.breakable [data-slip]')",
        "document.querySelector('.breakable .fails')?.innerText",
    )
    until(lambda: tab.evaluate(f"{sign} !== null"))
    tab.evaluate(f"{sign}.scrollIntoView()")
    tab.evaluate(f"{sign}.click()")
    assert until(lambda: tab.evaluate(fails)).startswith("Fails at")
    assert tab.evaluate(SQUEEZED) == [] and tab.evaluate(MEASURE) == []
    tab.evaluate(f"{sign}.click()")
    assert tab.evaluate(f"{fails} ?? 'mended'") == "mended"
