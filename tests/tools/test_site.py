"""The built site: themes, folds, search, print, keyboard, heads. Page by page it is seen in test_pages."""

import base64
import hashlib
import html
import os
import re
import warnings

import pytest
from site_pages import built, every_page, looked_at, script

from posenc_proofs.derivation.records import MARK, WORD
from tools.browser import MEASURE, PAPER, SCHEMES, SITE, WIDTHS, fonts_of_all, open_page, pages, why_not
from tools.contents import page_names
from tools.notebooks import ROOT
from tools.reference.records import read_pages

PRINTED = {
    "4-rotary/43-abel-bound": 16,
    "2-sinusoid/27-general-H": 15,
    "1-order/13-trained-model": 16,
}  # sheets


def test_there_is_a_site_to_look_at():
    """In continuous integration there must be one; where nobody can look at it, a warning says so."""
    assert pages() or not os.environ.get("CI"), f"the site cannot be tested: {why_not()}"
    if why_not():
        warnings.warn(f"the site is not tested: {why_not()}", stacklevel=1)
        pytest.skip(why_not())


@looked_at
@pytest.mark.parametrize("page", ["book/index", "book/4-rotary/43-abel-bound", "book/5-practice/51-choosing"])
def test_everything_is_visible_in_a_high_contrast_theme(chrome, page):
    """The system's own few colours in place of the book's."""
    for scheme in SCHEMES:
        window = {"width": WIDTHS["desktop"], "height": 900}
        with chrome.new_context(forced_colors="active", color_scheme=scheme, viewport=window) as context:
            tab = context.new_page()
            open_page(tab, SITE / f"{page}.html")
            fonts_of_all(tab)
            assert tab.evaluate("matchMedia('(forced-colors: active)').matches")
            assert tab.evaluate(MEASURE) == []


@looked_at
@pytest.mark.parametrize("chapter", PRINTED)
def test_print(tab, see, chapter):
    """On A4: nothing cut off, no half-empty sheets, no more sheets than stated above."""
    tab.emulate_media(media="print", color_scheme="light")
    see(f"book/{chapter}", *PAPER)
    fonts_of_all(tab)
    found = tab.evaluate(MEASURE)
    assert not found, "\n".join(found)
    counted = "s => [...document.querySelectorAll(s)].filter(e => e.clientHeight).length"
    printed = ("details.sd-dropdown .sd-summary-content", "details.sd-dropdown .cell_output")
    for some in (*printed, "details.hide", "details.digest", "details.sd-dropdown .cell_input"):
        seen = tab.evaluate(counted, some)
        assert bool(seen) == (some in printed), f"{seen} of {some} printed"
    full = tab.evaluate("document.querySelector('.bd-article').scrollHeight") / PAPER[1]
    sheets = len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format="A4")))
    assert sheets <= PRINTED[chapter], f"{sheets} sheets"
    assert sheets <= 1.25 * full + 1, f"{sheets} sheets for what fills {full:.1f}"


STEP = r'<div class="calc [^>]*id="equation-([^"]+)"(.*?)</summary>'
GROUND = "getComputedStyle(document.documentElement).backgroundColor"


@looked_at
def test_the_scheme_is_the_systems_until_a_reader_chooses(tab, see):
    """And paper is white, whatever was chosen; with scripts the choice is kept."""
    see("book/how-to-read")
    ground = {}
    for scheme in SCHEMES:
        tab.emulate_media(color_scheme=scheme)
        ground[scheme] = tab.evaluate(GROUND)
    assert ground["light"] != ground["dark"]
    for chosen in ("auto", "light", "dark"):
        assert tab.locator("button.theme").inner_text() == f"Theme: {chosen}"
        assert tab.evaluate(GROUND) == ground["dark" if chosen == "auto" else chosen]
        tab.click("button.theme")
    tab.evaluate("localStorage.theme = 'dark'")
    tab.reload()
    assert tab.evaluate(GROUND) == ground["dark"]
    tab.emulate_media(media="print")
    assert tab.evaluate(GROUND) == "rgb(255, 255, 255)"


@looked_at
def test_code_can_be_hidden_and_stays_hidden(tab, see):
    see("book/4-rotary/43-abel-bound")
    code, answer = tab.locator(".cell_input:visible"), tab.locator(".output.stream:visible")
    shown, answers = code.count(), answer.count()
    assert shown > 3 and answers > 3
    tab.click("button.code")
    assert tab.locator("button.code").inner_text() == "Code: hidden"
    assert (code.count(), answer.count()) == (0, answers)
    tab.reload()
    assert code.count() == 0
    tab.click("button.code")
    assert code.count() == shown


@looked_at
@pytest.mark.parametrize("label", ["eq-abel-step", "eq-abel-better"])  # in a proof, in a solution
def test_a_link_into_a_fold_opens_it(tab, see, label):
    see("book/4-rotary/43-abel-bound")
    step = tab.locator(f"#equation-{label}")
    assert not step.is_visible()
    tab.evaluate("label => { location.hash = `equation-${label}`; }", label)
    step.wait_for(state="visible")


@looked_at
def test_paper_has_the_proofs_if_they_are_asked_for(tab, see):
    see("book/4-rotary/43-abel-bound")
    tab.evaluate("window.print = () => {}")
    tab.emulate_media(media="print")
    step = tab.locator("#equation-eq-abel-step .body").first
    for how, seen in (("proofs", True), ("", False)):
        tab.evaluate("how => document.querySelector(`[data-print='${how}']`).click()", how)
        chosen = "how => ('proofs' in document.documentElement.dataset) === (how !== '')"
        tab.wait_for_function(chosen, arg=how)
        assert step.is_visible() == seen, how


@built
def test_every_result_stands_on_its_page_with_its_number_its_reasons_and_its_story():
    for page in read_pages(ROOT):
        text = (SITE / f"{page.name}.html").read_text()
        steps = {label: rest for label, rest in re.findall(STEP, text, flags=re.DOTALL)}
        for record in page.results:
            if record["kind"] not in ("recalled", "words"):
                shown = steps[record["label"]]
                reasons = re.findall(r'class="why"><span><span[^>]*>(.*?)</span>', shown)
                said = list(map(html.unescape, reasons))
                assert said == [why for why in record["reasons"] if why], record["label"]
                assert shown.count('class="rest"') == record["rows"], record["label"]
                assert re.search(r"\(\d+(\.\d+)*[a-z]*\)</a>", shown), record["label"]
                assert f'class="tick">{MARK[record["kind"]]}<' in shown, record["label"]


@looked_at
@pytest.mark.parametrize("page", ["book/1-order/12-taylor-argument", "book/4-rotary/43-abel-bound"])
def test_a_checked_row_is_heard_as_one_sentence(tab, see, page):
    """With its reason and its verdict; the pieces of it that are seen are silent."""
    see(page)
    tab.evaluate("document.querySelectorAll('details:not(.story)').forEach(fold => { fold.open = true; })")
    (results,) = (found.results for found in read_pages(ROOT) if found.name == page)
    for record in (record for record in results if record["kind"] not in ("recalled", "words")):
        heard = tab.locator(f"#equation-{record['label']}").aria_snapshot()
        rows = re.findall(r'- paragraph:\n +- math: .+\n +- text: "(?:, (.*))?: (.*)"', heard)
        assert [why for why, _ in rows] == record["reasons"], heard
        refuted = record["kind"] == "refuted"
        assert {verdict for _, verdict in rows} <= {WORD[record["kind"]], "refuted" if refuted else ""}, heard
        others = 3 if refuted else 2  # number, mark, and where it fails
        assert len(re.findall("^- ", heard, re.MULTILINE)) == len(rows) + others, heard


RING = script("ring")


@looked_at
@pytest.mark.parametrize("page", ["book/index", "book/4-rotary/43-abel-bound"])
def test_the_keyboard_is_seen_everywhere(tab, see, page):
    see(page)
    unseen, reached = set(), 0
    for _ in range(500):
        tab.keyboard.press("Tab")
        missed, left, reached = tab.evaluate(RING)
        unseen |= {missed} - {""}
        if left and reached > 1:
            break
    assert left and reached > 40, f"Tab reached {reached} elements and did not come to an end"
    assert not unseen, "no visible focus:\n" + "\n".join(sorted(unseen))


@built
@every_page
def test_equations_are_named_by_number(page):
    text = re.sub(r"<svg.*?</svg>", "", page.read_text(), flags=re.DOTALL)  # the ledger's graphs name labels
    links = re.findall(r"<a\b[^>]*>(?:<[^>]*>)*(eq-[\w-]+)", text)
    assert not links, f"links named by labels: {links}"


@built
@every_page
def test_the_sidebar_lists_every_page_in_reading_order(page):
    (sidebar,) = re.findall(r'<nav class="bd-links.*?</nav>', page.read_text(), flags=re.DOTALL)
    links = re.findall(r'<a class="[^"]*reference internal" href="([^"#]*)', sidebar)
    listed = [(page.parent / link).resolve() if link else page for link in links]
    assert listed == [SITE / f"{name}.html" for name in page_names()]


@built
def test_heads():
    """Title, description, language and icon of every page; none says the book's title twice."""
    titles = {}
    for page in SITE.rglob("*.html"):
        if "_static" in page.relative_to(SITE).parts:
            continue
        head = page.read_text().partition("<body")[0]
        name = page.relative_to(SITE).as_posix()
        (title,) = re.findall(r"<title>(.+?)</title>", head)
        titles.setdefault(title, []).append(name)
        parts = [part.strip() for part in title.split("&#8212;")]
        assert len(set(parts)) == len(parts), f"{name}: {title}"
        language = "zh-Hans" if name.endswith("-zh.html") else "en"
        assert re.search(rf'<html\b[^>]*\blang="{language}"', head), name
        assert 'rel="icon"' in head, name
        if name not in ("index.html", "404.html"):
            (told,) = re.findall(r'<meta name="description" content="(.*?)"', head)
            assert 15 < len(told) <= 170 and not re.search(r"[\\{}$]", told), f"{name}: {told}"
    assert [names for names in titles.values() if len(names) > 1] in ([], [["index.html", "book/index.html"]])


@looked_at
def test_the_root_leads_on_and_a_wrong_address_back():
    first, lost = ((SITE / name).read_text() for name in ("index.html", "404.html"))
    (front,) = re.findall(r'http-equiv="refresh" content="0; url=(.*?)"', first)
    assert (SITE / front).is_file() and f'<a href="{front}">' in first
    (address,) = re.findall(r'rel="canonical" href="(https://.*?)"', first)
    assert address.endswith("/" + front)
    assert f'<a href="{address}">' in lost and "src=" not in lost


@looked_at
@pytest.mark.parametrize("width", WIDTHS.values())
def test_search(tab, see, width):
    """Ctrl+K leads to the field, on a phone in its drawer; what is typed is found, on a page of its own."""
    see("book/index", width)
    tab.keyboard.press("Control+k")
    tab.keyboard.type("Abel summation")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html?q=*")
    tab.wait_for_selector("#search-results a[href*='43-abel-bound.html']")
    assert tab.input_value("main input") == "Abel summation"


@looked_at
def test_drawers_and_menus_need_no_script(scriptless):
    scriptless.goto((SITE / "book" / "4-rotary" / "43-abel-bound.html").as_uri())
    for button in ("to-pages", "to-contents", "to-actions"):
        opened = scriptless.locator("#" + button.removeprefix("to-"))
        assert not opened.is_visible()
        scriptless.click(f".{button}")
        assert opened.is_visible()
        scriptless.keyboard.press("Escape")
        assert not opened.is_visible()
    assert scriptless.locator(".katex-html").first.bounding_box()["width"] > 5


@built
def test_every_page_states_its_policy():
    """Scripts run only from the site's files, and the one line whose digest is given."""
    for page in SITE.rglob("*.html"):
        if "_static" not in page.relative_to(SITE).parts:
            text = page.read_text()
            (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)
            (scripts,) = re.findall(r"script-src ([^;]*);", policy)
            inline = re.findall(r"<script(?: data-drawn)?>(.*?)</script>", text, flags=re.DOTALL)
            digests = [base64.b64encode(hashlib.sha256(line.encode()).digest()).decode() for line in inline]
            assert scripts.split() == ["'self'", *(f"'sha256-{digest}'" for digest in digests)], page
            assert not re.search(r"<[^>]* on\w+=|javascript:", text), page


@built
def test_no_file_is_there_for_nothing():
    """Of scripts and styles the site has those that a page loads."""
    pages_text = "".join(page.read_text() for page in [*SITE.glob("*.html"), *pages()])
    loaded = set(re.findall(r'(?:src|href)="[^"]*?([\w.-]+\.(?:js|css))\b', pages_text))
    there = {path.name for path in (SITE / "_static").rglob("*") if path.suffix in (".js", ".css")}
    assert there <= loaded, there - loaded


@looked_at
def test_the_policy_is_obeyed(tab, see):
    see("book/how-to-read")
    smuggle = """() => {
      const script = Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' });
      document.body.append(script);
    }"""
    said = []
    tab.on("console", lambda message: said.append(message.text))
    tab.evaluate(smuggle)
    assert tab.evaluate("window.ran") is None and any("Content Security Policy" in text for text in said)
    copied = tab.evaluate("document.querySelectorAll('button.copy').length")
    assert copied, "the site's own script did not run"
