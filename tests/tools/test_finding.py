"""Finding: the search's first answer and its excerpts, and what a number says when it is pointed at."""

import pytest
from site_pages import looked_at, script

from tools.browser import SITE, WIDTHS, open_page

#: What is asked, the page that should come first, and, where it is a part of it, which.
ASKED = {
    "rope": "41-complex-solution", "how do I choose a position encoding": "51-choosing",
    "yarn": "48-extending", "how large must the base be": "49-base-bounds", "alibi": "32-biases",
    "relative position bias t5": "32-biases", "Abel bound": "43-abel-bound",
    "does rope decay": "43-abel-bound", "taylor": "12-taylor", "kv cache": "56-cookbook",
    "NoPE": "62-layers", "m-rope": "63-values-latents-video#interleaved-m-rope",
    "RoPE 2D": "47-several-axes", "theta 500000": "61-which-planes", "long context": "48-extending",
    "linear attention": "44-linear", "precision float32 bfloat16": "52-precision", "4.9": "49-base-bounds",
    "huggingface llama": "model-types", "notation": "notation", "config.json": "config-keys",
    "apply_rotary": "api#posenc_lib.apply_rotary", "cos_sin float64": "api#posenc_lib.cos_sin",
    "eq 4.3.3e": "43-abel-bound#equation-eq-abel-end", "eq-abel-end": "43-abel-bound#equation-eq-abel-end",
    "苏剑林": "five-articles-zh", "旋转": "five-articles-zh", "位置编码": "five-articles-zh",
}  # fmt: skip


@pytest.fixture(scope="module")
def search(chrome):
    """The search page, opened from disk."""
    opened = chrome.new_page()
    open_page(opened, SITE / "search.html")
    yield opened
    opened.close()


@looked_at
@pytest.mark.parametrize("asked", ASKED)
def test_the_first_answer_is_the_page_about_it_and_its_excerpt_a_sentence(search, asked):
    search.fill("main input", asked)
    page, _, part = ASKED[asked].partition("#")
    found = search.locator("#search-results li:first-child a").get_attribute("href")
    assert page in found.partition("#")[0] and part in found, found
    excerpt = search.locator("#search-results li:first-child .context").text_content()
    assert excerpt and "\n" not in excerpt and len(excerpt) < 310
    address, _, target = found.partition("#")
    assert f'id="{target}"' in (SITE / address).read_text()


@looked_at
def test_what_nobody_wrote_about_is_not_found(search):
    search.fill("main input", "xylophone")
    assert search.locator("#search-results li").count() == 0
    assert "Nothing found" in search.locator("[role=status]").text_content()


@looked_at
def test_a_number_shows_its_equation_to_mouse_and_keyboard(tab, see):
    see("book/4-rotary/43-abel-bound")
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
def test_what_a_paragraph_cites_stands_beside_it_in_the_margin(tab, see, width):
    see("book/4-rotary/46-recurrences", width)
    notes = tab.evaluate(NOTES)
    assert len({words for words, _, _ in notes}) == len(notes) > 3, "each source once"
    assert any(words.startswith("Hermann Weyl.") for words, _, _ in notes)
    for words, note, paragraph in notes:
        assert paragraph["right"] < note["left"] < note["right"] <= width, words
        assert -4 < note["top"] - paragraph["top"] < 300, words  # lower where another note is above it


@looked_at
@pytest.mark.parametrize(("width", "media"), [(1190, "screen"), (WIDTHS["phone"], "screen"), (1280, "print")])
def test_without_a_margin_the_bibliography_says_it(tab, see, width, media):
    tab.emulate_media(media=media)
    see("book/4-rotary/46-recurrences", width)
    assert tab.evaluate(NOTES) == []
