"""Break it: a closed control in an equation's story; opened, wrong versions, and where each fails."""

import json

import pytest
from site_pages import looked_at

from tools.break_steps import letter, number, shown
from tools.browser import MEASURE, SITE, WIDTHS
from tools.notebooks import ROOT
from tools.reference.records import read_pages

PAGE = "book/2-sinusoid/21-definition-and-shift"
STORIES = "document.querySelectorAll('.story').forEach(story => { story.open = true; })"

WRONG = {
    "row": 1,
    "changed": "a sign",
    "latex": r"a \wrong{-} b = \wrong{\phantom{+ c}}",
    "point": [["m", "1"], ["h[0]", "0 + 0i"], ["h[1]", "0 + 0i"], ["θ", "π/2"]],
    "entry": [1, 2],
    "left": "0 - 1i",
    "right": "0.540302",
    "model": [],
}


def test_a_version_is_set_with_its_mark_and_its_point():
    html = shown("eq-x", 1, [WRONG])
    assert "<mo>≠</mo>" in html and "<mo>=</mo>" not in html
    assert html.count('mathcolor="red"') == 2 and "<mphantom>" in html
    sides = "left side −i, right side ≈ 0.540302"
    assert f"Fails: in row 1, column 2, {sides}. Behind the row: <i>m</i> = 1" in html
    shows = shown("eq-x", 1, [{**WRONG, "latex": r"\theta \wrong{\ge} h_{m} + \phantom{b}"}])
    assert '<mstyle mathcolor="red"><mo>≱</mo></mstyle>' in shows
    assert "<i>m</i> = 1, <i>h</i><sub>0</sub> = <i>h</i><sub>1</sub> = 0, <i>θ</i> = π/2:" in shows
    assert "row 1: a sign" not in html and "row 1: a sign" in shown("eq-x", 2, [WRONG])
    assert "The hypotheses hold with" in shown("eq-x", 1, [{**WRONG, "model": ["f(x) := x"]}])


def test_names_and_numbers_as_people_write_them():
    assert letter("x_1") == "<i>x</i><sub>1</sub>" and letter("f(1, -2)") == "<i>f</i>(1, -2)"
    assert letter("W^K[0, 1]") == "<i>W<sup>K</sup></i><sub>0, 1</sub>"
    assert letter("a<b") == "<i>a&lt;b</i>"
    assert [number(text) for text in ("1/2 - 3i", "-0.5", "12.5664")] == ["1/2 − 3 i", "−0.5", "≈ 12.5664"]


@looked_at
def test_every_equation_with_wrong_versions_has_a_control_and_its_script_their_lists():
    (here,) = (page for page in read_pages(ROOT) if page.name == PAGE)
    found = {r["label"]: r["wrong_versions"] for r in here.results if r.get("wrong_versions")}
    page, script = SITE / f"{PAGE}.html", SITE / f"{PAGE}.wrong.js"
    lists = json.loads(script.read_text().removeprefix("wrongVersions(").removesuffix(")\n"))
    assert len(found) == len(lists) == page.read_text().count('<details class="break"') > 10
    for (label, versions), html in zip(found.items(), lists, strict=True):
        assert html.count(f'name="break-{label}"') == html.count("Fails") == len(versions)


@looked_at
@pytest.mark.parametrize("width", WIDTHS.values())
def test_opened_it_shows_a_formula_and_a_point(tab, see, axe, width):
    """By keyboard, from disk; nothing is cut off, buttons are large enough, and axe has no complaint."""
    requests = []
    tab.on("request", lambda request: requests.append(request.url))
    see(PAGE, width)
    assert not any(url.endswith(".wrong.js") for url in requests)
    tab.evaluate(STORIES)
    control = tab.locator(".break").nth(2)
    control.locator("> summary").focus()
    tab.keyboard.press("Enter")
    first = control.locator("li details").first
    first.locator("summary").focus()
    tab.keyboard.press("Enter")
    first.locator("math").first.wait_for(state="visible")
    assert "Fails at" in first.inner_text() and "≠" in first.inner_text()
    shown = "e => e.scrollWidth <= e.clientWidth"
    assert first.locator(".wrong").evaluate(shown)
    assert min(s.bounding_box()["height"] for s in control.locator("summary").all()) >= 24
    assert [url.endswith(".wrong.js") for url in requests].count(True) == 1
    look = "e => [getComputedStyle(e).color, getComputedStyle(e).outlineStyle]"
    colour, outline = first.locator("mstyle[mathcolor]").first.evaluate(look)
    other, _ = first.locator("math").first.evaluate(look)
    assert colour != other and outline == "dashed"
    assert not tab.evaluate(MEASURE)
    formulas = "[...document.querySelectorAll('.katex')].slice(10)"  # axe need not look at all
    tab.evaluate(f"() => {formulas}.forEach(e => e.closest('.break') || e.remove())")
    assert not axe(tab)


@looked_at
def test_it_is_not_printed_and_needs_a_script(tab, see, scriptless):
    see(PAGE)
    tab.evaluate(STORIES)
    assert tab.locator(".break > summary").first.is_visible()
    tab.emulate_media(media="print")
    assert not tab.locator(".break > summary").first.is_visible()
    scriptless.goto((SITE / f"{PAGE}.html").as_uri())
    scriptless.locator(".story > summary").first.click()
    assert scriptless.locator(".story dl").first.is_visible()
    assert not scriptless.locator(".break > summary").first.is_visible()
