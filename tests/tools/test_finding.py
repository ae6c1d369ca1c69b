"""Finding: the search's first answer and its excerpts, and what a number says when it is pointed at."""

import functools
import http.server
import threading

import pytest
from site_pages import script

from tools.browser import SITE, WIDTHS, chromium, open_page, pages

looked_at = pytest.mark.skipif(not chromium() or not pages(), reason="no built book, or no Chromium")
ABEL = SITE / "book" / "4-rotary" / "43-abel-bound.html"


@pytest.fixture(scope="module")
def address():
    """The site as a server gives it: a page opened from disk may read no other, so it has no excerpts."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@looked_at
@pytest.mark.parametrize(
    "asked, found, said",
    [
        ("how do I choose", "51-choosing", "encoding"),
        ("how large must the base be", "49-base-bounds", "base"),
        ("rope", "4-rotary/", "rope"),
        ("apply_rotary", "reference/api", ""),
    ],
)
def test_the_first_answer_is_a_page_about_it_and_its_excerpt_a_sentence(tab, address, asked, found, said):
    tab.goto(f"{address}search.html?q={asked.replace(' ', '+')}")
    first = tab.wait_for_selector("#search-results li:first-child a")
    assert found in first.get_attribute("href")
    if said:
        excerpt = tab.wait_for_selector("#search-results li:first-child .context").text_content()
        assert said in excerpt.lower() and excerpt[-1] in ".?!" and "\n" not in excerpt


@looked_at
def test_a_number_shows_its_equation_to_mouse_and_keyboard(tab):
    tab.set_viewport_size({"width": WIDTHS["desktop"], "height": 900})
    open_page(tab, ABEL)
    link = tab.locator('p a[href="#equation-eq-abel-taper"]').first
    tab.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    link.scroll_into_view_if_needed()
    shown = tab.locator(".preview:popover-open")
    link.hover()
    shown.wait_for()
    assert shown.locator(".katex").count() and not shown.locator("[id], details").count()
    box, at = shown.bounding_box(), link.bounding_box()
    assert box["y"] + box["height"] <= at["y"] or box["y"] >= at["y"] + at["height"], "it covers its link"
    assert link.get_attribute("aria-describedby") == "preview"
    tab.keyboard.press("Escape")
    shown.wait_for(state="hidden")
    tab.mouse.move(0, 0)
    link.evaluate("e => e.focus({focusVisible: true})")
    shown.wait_for()


NOTES = script("notes")


@looked_at
@pytest.mark.parametrize("width", [1200, WIDTHS["desktop"], 1600])
def test_what_a_paragraph_cites_stands_beside_it_in_the_margin(tab, width):
    tab.set_viewport_size({"width": width, "height": 900})
    open_page(tab, SITE / "book" / "4-rotary" / "46-recurrences.html")
    notes = tab.evaluate(NOTES)
    assert len({words for words, _, _ in notes}) == len(notes) > 3, "each source once"
    assert any(words.startswith("Hermann Weyl.") for words, _, _ in notes)
    for words, note, paragraph in notes:
        assert paragraph["right"] < note["left"] < note["right"] <= width, words
        assert -4 < note["top"] - paragraph["top"] < 300, words  # lower where another note is above it


@looked_at
@pytest.mark.parametrize(("width", "media"), [(1190, "screen"), (WIDTHS["phone"], "screen"), (1280, "print")])
def test_without_a_margin_the_bibliography_says_it(tab, width, media):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.emulate_media(media=media)
    open_page(tab, SITE / "book" / "4-rotary" / "46-recurrences.html")
    assert tab.evaluate(NOTES) == []
    tab.emulate_media(media="screen")
