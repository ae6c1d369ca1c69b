"""Break it: a closed control in an equation's story; opened, wrong versions, and where each fails."""

import json
import re

import pytest
from site_pages import looked_at
from whole_runs import WHOLE_RUNS, sample

from tools.break_steps import in_place, letter, number, shown
from tools.browser import MEASURE, SITE, WIDTHS
from tools.formulas import typeset
from tools.line_breaks import breaking, cut
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


def test_a_mark_changes_nothing_that_is_drawn_and_what_is_put_there_is_what_was_refuted():
    def drawn(side, mark=""):
        return re.sub(f"{mark}|</span>", "", typeset(rf"\displaystyle {breaking(side)}").seen)

    marked = 0
    broken = [record for page in read_pages(ROOT) for record in page.results if record.get("wrong_versions")]
    for record in sample(broken, 10):
        sides, slips = in_place(record["latex"], record["wrong_versions"])
        for side, (_, right) in zip(sides, cut(record["latex"]).rows, strict=True):
            assert drawn(side, r'<span data-slip="\d+">') == drawn(right), right
            marked += side.count(r"\place")
        assert sum(side.count(r"\place") for side in sides) == len(slips)
    assert marked > (1200 if WHOLE_RUNS else 100)
    _, slips = in_place(
        "f = a + \\frac12", [WRONG | {"latex": r"f = a + \frac{\wrong{2}}2", "model": ["f(x) := x"]}]
    )
    assert slips[0][0] == "2" and "The hypotheses hold with <span" in slips[0][1]
    assert (
        in_place(
            "f = a", [WRONG | {"latex": latex} for latex in (r"f = a \wrong{{}+ 1}", r"f = \wrong{-} a")]
        )[1]
        == []
    )


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
    for (label, versions), html in zip(found.items(), (each["list"] for each in lists), strict=True):
        assert html.count(f'name="break-{label}"') == html.count("Fails") == len(versions)


@looked_at
@pytest.mark.parametrize("width", sample(WIDTHS.values(), 2))
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
@pytest.mark.parametrize("width", sample(WIDTHS.values(), 2))
def test_a_tap_on_a_sign_breaks_its_row_and_another_mends_it(tab, see, axe, width):
    """By mouse, and where the story is open by keyboard; the row says where it fails."""
    tab.set_default_timeout(20_000)
    see("book/4-rotary/43-abel-bound", width)
    calc = tab.locator(".breakable:not(details *):has(.rest + .rel + .rest [data-slip])").first
    before, places, verdict = calc.inner_text(), calc.locator("[data-slip]"), calc.locator(".story > summary")
    row, other = (
        place.locator("xpath=ancestor::*[contains(@class, 'rest')]") for place in (places.first, places.last)
    )
    colour = "e => getComputedStyle(e).color"
    well, right = row.locator(".body").evaluate(colour), places.first.inner_text()
    places.first.click()
    assert row.locator(".fails").inner_text().startswith("Fails at") and verdict.inner_text() == "✘\nrefuted"
    assert row.locator(".body").evaluate(colour) != well and places.first.inner_text() != right
    assert other.locator(".body").evaluate(colour) == well and not tab.evaluate(MEASURE)
    places.first.click()
    assert calc.inner_text() == before and calc.locator(".slip").count() == 0
    verdict.press("Enter")
    calc.locator("[data-slip][tabindex='0']").first.wait_for()  # the page hears of it a moment later
    for _ in range(3):
        tab.keyboard.press("Shift+Tab")
        if tab.evaluate("document.activeElement.matches('[data-slip]')"):
            break
    tab.keyboard.press(" ")
    assert other.locator(".slip:focus").get_attribute("aria-label").startswith("Mend it: ")
    assert other.locator(".fails").count() == 1
    tab.evaluate(
        "calc => document.querySelectorAll('.katex').forEach(e => calc.contains(e) || e.remove())",
        calc.element_handle(),
    )
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
