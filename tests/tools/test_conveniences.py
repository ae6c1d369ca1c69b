"""What the book's script does besides: code is copied as it is typed, the lists say where the reader is."""

import pytest
from site_pages import looked_at

from tools.browser import WIDTHS

pytestmark = looked_at
ABEL, API = "book/4-rotary/43-abel-bound", "book/reference/api"
#: In place of the clipboard, to which a page that is opened from disk may not write.
NOTED = """Object.defineProperty(navigator, 'clipboard', {
  value: {writeText: async text => { window.copied = text; }}})"""


@pytest.mark.parametrize("page", [ABEL, API], ids=["a cell", "an example with prompts"])
def test_code_is_copied_as_it_is_typed(tab, see, page):
    see(page)
    tab.evaluate(NOTED)
    prompts = ">>> " if page == API else ""
    block = tab.locator(".highlight:visible", has=tab.locator("button.copy"), has_text=prompts).first
    shown = block.locator("pre").text_content()
    button = block.locator("button.copy")
    button.click()
    tab.wait_for_function("window.copied !== undefined")
    copied = tab.evaluate("window.copied")
    assert copied and copied in shown.replace(prompts, "") and not copied.startswith(">>>")
    assert prompts in shown and button.inner_text() == "Copied"


@pytest.mark.parametrize("width", [1700, WIDTHS["phone"]], ids=["a column of its own", "a drawer"])
def test_the_list_of_pages_starts_where_the_reader_is(tab, see, width):
    """Where both share a column, the page's contents come first."""
    see("book/6-models/64-learned-from-content", width, 500)
    here = tab.locator('.bd-links a[aria-current="page"]')
    assert here.count() == 1 and "6.4" in here.text_content()
    if width < 1700:
        tab.click("button.to-pages")
        tab.wait_for_function("document.querySelector('#pages').scrollTop > 0")
    box = here.bounding_box()
    assert box["y"] > 0 and box["y"] + box["height"] < 500, "one has to scroll the list to find it"
    assert tab.locator("#pages input").bounding_box()["y"] > 0, "the search field stays in sight"


def test_the_contents_lead_to_a_section_and_mark_it(tab, see):
    see(ABEL)
    for link in reversed(tab.locator(".page-toc a").all()):
        link.click()
        tab.wait_for_selector(f".page-toc a[aria-current][href='{link.get_attribute('href')}']")
        assert tab.locator(".page-toc a[aria-current]").count() == 1


def test_on_a_phone_the_contents_close_when_one_is_chosen(tab, see):
    see(ABEL, WIDTHS["phone"])
    tab.click("button.to-contents")
    contents = tab.locator("#contents")
    assert contents.is_visible()
    contents.locator("a").last.click()
    contents.wait_for(state="hidden")
    assert tab.url.partition("#")[2]
