"""The checker in the page, in a real browser: what a reader types is answered, and nothing else is loaded."""

import gzip
import json
import re
import time
import zipfile
from html import unescape
from urllib.parse import urlsplit

import pytest
from site_pages import built, looked_at
from whole_runs import whole_runs

from tools import pyodide, try_it
from tools.browser import MEASURE, SCHEMES, SITE, WIDTHS, open_page, pages
from tools.notebooks import ROOT

PAGE = "book/reference/try-it.html"
FILES = SITE / try_it.PLACE / "files.json"
loaded = pytest.mark.skipif(not pyodide.is_loaded(), reason="no Pyodide: python -m tools.pyodide")
shipped = pytest.mark.skipif(not FILES.exists(), reason="a site without the checker: make book")

PATIENCE = 300_000  # ms, for a slow machine
PROVED = "sin(a)^2 + cos(a)^2 = 1"
LETTERS = "for all a, b, x, y in R\n"
POWER = "(cos(a) + sin(b) + x + y)^60"
AXED = {(WIDTHS["desktop"], "light"), (WIDTHS["phone"], "dark")}  # as in test_pages
SLOW = f"{LETTERS}{POWER}*(a + b) = a*{POWER} + b*{POWER}"  # minutes


class Editor:
    """The page in a tab, with all that it asks for and complains of."""

    def __init__(self, chrome, served, fragment=""):
        self.tab = chrome.new_page(reduced_motion="reduce")
        self.tab.set_default_timeout(PATIENCE)
        self.address, self.requests, self.errors = served + PAGE, [], []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.tab.goto(self.address + fragment)
        self.tab.wait_for_selector("form.try-it:not([hidden])")

    def loaded(self):
        """The names of this page's own files that were asked for."""
        return {urlsplit(url).path.rpartition("/")[2] for url in self.requests if "/_static/try/" in url}

    def check(self, text=None):
        """The verdicts, each as (kind, words, formula); and what is announced."""
        if text is not None:
            self.tab.fill("#try-text", text)
        self.tab.click("button[type=submit]")
        self.tab.wait_for_selector("[data-stop]:disabled")
        said = """all => all.map(e => [e.querySelector('.check').className.split('check-')[1],
          e.querySelector('.check').textContent, e.querySelector('math')?.textContent ?? ''])"""
        found = self.tab.eval_on_selector_all(".try-answers > li", said)
        return found, self.tab.inner_text(".try-it [role=status]")


@pytest.fixture(scope="module")
def editor(chrome, served):
    """One tab: the checker is loaded once, and again after it was stopped."""
    opened = Editor(chrome, served)
    yield opened
    opened.tab.close()


@looked_at
@shipped
def test_nothing_is_loaded_before_a_reader_asks(editor):
    assert editor.loaded() == {"try.js", "try.css", "files.json"}
    assert editor.tab.input_value("#try-text").startswith("for all a, b in R\ncos(a - b)")


@looked_at
@shipped
def test_an_identity_is_proved(editor):
    """The first check loads everything, from the site alone, and with the policy that all pages have."""
    start = time.perf_counter()
    [(kind, said, formula)], announced = editor.check()
    print(f"first verdict after {time.perf_counter() - start:.1f} s")
    shown = "✔ proved · identity · for all a, b ∈ ℝ · 7 wrong versions refuted · SymPy: 0 after expand("
    assert kind == "proved" and said == f"{shown}func=True, trig=True)"
    assert formula.startswith("cos\u2061(a−b)=") and "\\" not in formula
    assert announced == f"eq-1 {said}"
    origin = editor.address.removesuffix(PAGE)
    assert all(url.startswith(origin) for url in editor.requests)
    own = {"files.json", "try.js", "try.css", "worker.mjs"}
    assert editor.loaded() == own.union(json.loads(FILES.read_text()))
    assert not editor.errors


@looked_at
@shipped
def test_a_wrong_one_is_refuted_with_its_point(editor):
    [(kind, said, formula)], announced = editor.check(LETTERS + "cos(a - b) = cos(a)*cos(b) - sin(a)*sin(b)")
    point = "a = 2, b = -1: left side -0.989992, right side 0.540302"
    assert (kind, said) == ("refuted", f"✘ refuted: eq-1, row 1: false at {point}")
    assert "=?" in formula and said in announced


@looked_at
@shipped
def test_what_is_no_equation_is_answered_in_words_and_never_run(editor):
    [(kind, said, formula)], announced = editor.check(LETTERS + "cos(a) = sin(c)")
    undeclared = "✎ not checked: line 2, column 22: the name c is not declared"
    assert kind == "undecided" and said.startswith(undeclared)
    assert said in announced and "=?" in formula
    hostile = "<img src=x onerror=alert(1)>"
    [(kind, said, _)], _ = editor.check(f"{LETTERS}cos(a) = {hostile}")
    assert said.startswith("✎ not checked: line 2") and hostile in editor.tab.inner_text(".try-answers pre")
    assert not editor.tab.locator(".try-answers img").count() and not editor.errors


@looked_at
@shipped
def test_examples_and_exercises_are_answered_as_their_words_say(editor):
    expected = {
        "An identity": ["proved"],
        "A bound": ["proved", "proved"],
        "A wrong sign": ["refuted"],
        "A derivation": ["defined", "defined", "proved"],
        "Exercise: odd numbers": ["undecided"],
        "Exercise: the variance": ["refuted"],
    }
    examples = editor.tab.locator("[data-examples] button")
    assert examples.all_inner_texts() == list(expected)
    for name, kinds in expected.items():
        editor.tab.get_by_role("button", name=name, exact=True).click()
        assert [kind for kind, *_ in editor.check()[0]] == kinds, name


@looked_at
@shipped
@pytest.mark.parametrize(
    ("name", "solution", "place"),
    [
        ("Exercise: odd numbers", " [induction N]", "your reason$"),
        ("Exercise: the variance", "= sum(w_j^2, j, 0, d - 1)/d - (sum(w_k, k, 0, d - 1)/d)^2 ", "= 0 "),
    ],
)
def test_a_solution_that_the_page_gives_is_accepted(editor, name, solution, place):
    assert solution.strip() in (ROOT / PAGE).with_suffix(".md").read_text()
    editor.tab.get_by_role("button", name=name, exact=True).click()
    text = editor.tab.input_value("#try-text")
    solved = re.sub(place, lambda found: (found[0] if "reason" in place else "") + solution, text)
    assert [kind for kind, *_ in editor.check(solved)[0]] == ["proved"]


@looked_at
@shipped
def test_everyone_can_use_it(editor, axe):
    """With verdicts on the page: nothing cut off, WCAG 2.2, large enough for fingers, in light and dark."""
    tab, found = editor.tab, []
    wide = "eq-two: a" + 20 * " + a*b*cos(x)" + " = b"
    verdicts, _ = editor.check(f"{LETTERS}eq-one: sin(a)^2 + cos(a)^2 = 1 -- the circle\n{wide}")
    assert [kind for kind, *_ in verdicts] == ["proved", "refuted"]
    tab.evaluate("document.querySelector('.bd-sidebar-primary').scrollTo(0, 0)")
    for width in WIDTHS.values():
        tab.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            tab.emulate_media(color_scheme=scheme)
            looks = (*tab.evaluate(MEASURE), *(axe(tab) if (width, scheme) in AXED else ()))
            found += [f"{width}, {scheme}: {problem}" for problem in looks]
    tab.set_viewport_size({"width": WIDTHS["desktop"], "height": 900})
    assert not found, "\n".join(found)
    heights = tab.eval_on_selector_all(".try-it :is(button, textarea)", "all => all.map(e => e.offsetHeight)")
    assert min(heights) >= 24


@looked_at
@shipped
def test_it_is_used_by_keyboard(editor):
    tab = editor.tab
    tab.fill("#try-text", LETTERS + PROVED)
    tab.keyboard.press("Control+Enter")
    tab.wait_for_selector(".try-answers .check-proved")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Check"


@looked_at
@shipped
@whole_runs
def test_a_check_can_be_stopped_and_ends_by_itself_when_its_time_is_over(editor):
    tab = editor.tab
    assert tab.get_attribute("form.try-it", "data-seconds") == "60"
    tab.eval_on_selector("form.try-it", "form => { form.dataset.seconds = 2; }")
    found, announced = editor.check(SLOW)
    assert (found, announced) == ([], "Stopped after 2 s. A smaller step may be quicker.")
    tab.eval_on_selector("form.try-it", "form => { form.dataset.seconds = 60; }")
    tab.click("button[type=submit]")
    tab.click("[data-stop]")  # while the checker is loaded again
    assert tab.inner_text(".try-it [role=status]") == "Stopped."
    assert tab.is_disabled("[data-stop]") and not tab.inner_text("[data-progress]")
    [(kind, *_)], _ = editor.check(LETTERS + PROVED)
    assert kind == "proved"


@looked_at
@shipped
def test_a_link_brings_a_derivation_of_another_page(editor):
    other = (SITE / "book" / "reference" / "what-the-checker-accepts.html").read_text()
    fragments = re.findall(r'href="try-it\.html(#text=[^"]*eq-acc-added[^"]*)"', other)
    editor.tab.goto(editor.address + fragments[0])
    found, announced = editor.check()
    assert [kind for kind, *_ in found] == ["proved"] * 4
    assert announced.startswith("eq-acc-more ✔")


@looked_at
@shipped
def test_a_link_brings_an_exercise_with_its_words_and_leads_back(editor):
    """The task as it comes, and the left side said again, are no solution; another form is."""
    page = SITE / "book" / "1-order" / "12-taylor-argument.html"
    (fragment,) = re.findall(r'#text=[^"]*eq-002-sine-first[^"]*from=[^"]*', page.read_text())
    tab = editor.tab
    tab.goto(editor.address + unescape(fragment))
    tab.get_by_text("Back to the exercise").wait_for()
    tab.wait_for_selector(".try-task .katex")
    assert tab.is_hidden("[data-examples]")
    for width in reversed(WIDTHS.values()):  # ends as wide as the other tests expect
        tab.set_viewport_size({"width": width, "height": 900})
        assert not tab.evaluate(MEASURE)
    [(kind, said, _)], _ = editor.check()
    assert kind == "undecided" and "write your formula in the place of the ?" in said
    text = tab.input_value("#try-text")
    left = re.search(r"eq-002-sine-first: (.*)", text)[1]
    [(kind, said, _)], _ = editor.check(text.replace("?", left))
    assert kind == "undecided" and "the right side repeats the left" in said
    tab.click(".try-task > a")
    tab.wait_for_url("**/12-taylor-argument.html#exercise-5")
    assert tab.locator("#exercise-5").inner_text().startswith("5.")
    tab.goto(editor.address)
    tab.wait_for_selector("[data-examples] button")
    assert tab.is_hidden(".try-task")


@looked_at
@shipped
def test_a_file_that_does_not_come_is_named_and_a_notebook_offered(chrome, served):
    editor = Editor(chrome, served, fragment="#text=100%")  # a link that was cut
    assert editor.tab.input_value("#try-text").startswith("for all a, b in R")
    editor.tab.route("**/sympy-*.whl", lambda route: route.fulfill(status=404))
    found, announced = editor.check()
    stopped = r"The checker stopped by itself: .*/sympy-.* cannot be loaded .404."
    assert not found and re.fullmatch(stopped, announced)
    assert editor.tab.is_visible(".try-absent a[href='check-your-own.html']")
    editor.tab.close()


@looked_at
def test_where_it_cannot_run_the_page_says_why_and_offers_a_notebook(tab, served, scriptless):
    tab.route("**/files.json", lambda route: route.fulfill(status=404))
    tab.goto(served + PAGE)
    tab.get_by_text("This copy of the book was built without the checker's files.").wait_for()
    open_page(tab, SITE / PAGE)
    tab.get_by_text("Opened from disk, a page may not start the checker.").wait_for()
    assert tab.is_hidden("form.try-it") and tab.is_visible(".try-absent a[href='check-your-own.html']")
    scriptless.goto(served + PAGE)
    assert scriptless.get_by_text("Without scripts the checker cannot run here.").is_visible()


@loaded
def test_a_file_with_another_digest_is_not_shipped(monkeypatch):
    assert set(pyodide.files()) <= set(try_it.shipped())
    paths, read = type(pyodide.PINS), type(pyodide.PINS).read_bytes
    monkeypatch.setattr(paths, "read_bytes", lambda path: read(path) + b"!" * (path.suffix == ".wasm"))
    with pytest.raises(ValueError, match=r"pyodide\.asm\.wasm .* is not pinned"):
        pyodide.files()


def test_while_it_is_loaded_no_script_runs_and_every_digest_is_compared(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(pyodide, "CACHE", tmp_path)
    monkeypatch.setattr(pyodide, "npm", lambda words, _: asked.extend(words))
    monkeypatch.setattr(pyodide, "require", asked.extend)
    monkeypatch.setattr(pyodide.subprocess, "run", lambda words, **_: words)
    pyodide.load()
    assert {"ci", "--ignore-scripts", "download", "--require-hashes"} <= set(asked)


def test_without_pyodide_nothing_is_shipped(monkeypatch, tmp_path):
    monkeypatch.setattr(pyodide, "CACHE", tmp_path)
    assert try_it.shipped() == {}


def test_the_checker_is_shipped_as_its_wheel_holds_it(wheels, tmp_path):
    (tmp_path / "shipped.zip").write_bytes(try_it.checker())
    ours, wheel = zipfile.ZipFile(tmp_path / "shipped.zip"), zipfile.ZipFile(wheels["posenc-proofs"])
    names = {name for name in wheel.namelist() if name.endswith((".py", ".pyi"))}
    assert set(ours.namelist()) == names and all(ours.read(name) == wheel.read(name) for name in names)
    assert try_it.checker() == try_it.checker()


@loaded
def test_what_a_reader_s_browser_loads_stays_small():
    """Bytes over the wire: archives are packed, a server compresses the rest."""
    packed = {
        name: len(data) if name.endswith((".whl", ".zip")) else len(gzip.compress(data))
        for name, data in try_it.shipped().items()
    }
    print(*(f"{size:>12,} {name}" for name, size in packed.items()), f"{sum(packed.values()):>12,}", sep="\n")
    assert sum(packed.values()) < 25e6


@built
def test_only_its_page_loads_the_script():
    loading = [page.relative_to(SITE).as_posix() for page in pages() if "_static/try/" in page.read_text()]
    assert loading == [PAGE]
