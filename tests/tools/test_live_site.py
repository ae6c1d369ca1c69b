"""The live figures in a real browser: with mouse, finger, keyboard, screen reader, on paper, without scripts.

Each is looked at alone, as its notebook stores it, with the book's styles; the built pages need not be there.
"""

import gzip
import re

import nbformat
import pytest
from site_pages import built, every_page, script

from tools import live_figures
from tools.browser import MEASURE, SCHEMES, chromium
from tools.contents import find_notebooks
from tools.notebooks import ROOT

looked_at = pytest.mark.skipif(not chromium(), reason="no Chromium on this machine")

FOLDER = live_figures.FOLDER
LIMIT, SHARED_LIMIT = 3000, 4000  # bytes of a script, gzipped: a figure's, and those that all figures share
NARROW = 320  # px: a small phone, or a page at four times its size


def stored():
    """The figures in the book that have an element of their own: its name → their HTML, page by page.
    And page → the figure's name, its HTML, and what the page says, prints and shows, in words.
    """
    found, said = {}, {}
    for path in find_notebooks():
        page, live = [], None
        for cell in nbformat.read(path, as_version=4).cells:
            page += [cell.source] if cell.cell_type == "markdown" else []
            for output in cell.get("outputs", []):
                page += [output.get("text", ""), output.get("data", {}).get("text/plain", "")]
                html = output.get("data", {}).get("text/markdown", "")
                for name in re.findall(r'<([\w-]+) class="live-figure"', html):
                    found.setdefault(name, []).append(html)
                    live = live or (name, html)
        if live:
            said[path.stem] = (*live, "\n".join(page))
    return found, said


HELD, SAID = stored()
#: The name of each live figure, with its place among those of its name that differ.
EACH = [f"{name} {k}" for name, html in sorted(HELD.items()) for k in range(len(set(html)))]
every_figure = pytest.mark.parametrize("name", EACH)


@pytest.fixture
def page_of(tmp_path):
    def write(name, html=""):
        name, _, place = name.partition(" ")
        html = html or [*dict.fromkeys(HELD[name])][int(place)]
        files = [FOLDER / file for file in live_figures.needed(html)]
        styles = [*(file for file in files if file.suffix == ".css"), ROOT / "assets" / "book.css"]
        head = "".join(f'<link rel="stylesheet" href="{file.as_uri()}">' for file in styles)
        scripts = [file for file in files if file.suffix == ".js"]
        head += "".join(f'<script defer src="{file.as_uri()}"></script>' for file in scripts)
        page = tmp_path / f"{name}.html"
        page.write_text(
            f'<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>{name}</title>'
            f'<meta name="viewport" content="width=device-width">{head}'
            f'<main style="padding: 10px 10px 2000px"><h1>{name}</h1>'
            f'<article class="bd-article">{html}</article></main>',
            encoding="utf-8",
        )
        return page

    return write


@pytest.fixture
def open_figure(chrome, page_of):
    """Opens a figure's page in a window of its own; a script error fails the test."""
    opened, errors = [], []

    def show(name, width=800, html="", **context):
        options = {"viewport": {"width": width, "height": 900}, "reduced_motion": "reduce", **context}
        opened.append(chrome.new_context(**options))
        tab = opened[-1].new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(page_of(name, html).as_uri())
        return tab

    yield show
    for context in opened:
        context.close()
    assert not errors, errors


def seen(tab):
    """State, picture and words of the figure."""
    return tab.evaluate("""() => { const figure = document.querySelector('.live-figure');
      return {state: {...figure.state}, picture: figure.box.innerHTML, words: figure.said.textContent}; }""")


def test_each_script_belongs_to_a_figure_of_the_book():
    assert set(HELD) == set(live_figures.figures()) and HELD
    for texts in HELD.values():
        assert not any("<script" in html for html in texts)


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.name)
def test_files_are_light_and_formulas_live_in_one(file):
    text = file.read_bytes()
    size, most = len(gzip.compress(text)), SHARED_LIMIT if file.name in live_figures.SHARED else LIMIT
    assert size <= most, f"{file.name} has {size} bytes gzipped, and {most} at most"
    assert file.name == "formulas.js" or not re.search(rb"Math\.(cos|sin|exp|sqrt)\b", text)
    assert b"import " not in text and b"http" not in text
    assert not re.search(rb"^\s*export\b", text, re.MULTILINE)  # a module does not load from disk


@looked_at
@every_figure
@pytest.mark.parametrize("width", [390, 412, 731])  # two phones, and the column of a desktop
def test_the_text_below_stays_where_it_is_when_the_figure_begins_to_move(name, width, open_figure):
    reserved, drawn = open_figure(name, width).evaluate("""() => {
      const figure = document.querySelector('.live-figure');
      const high = () => figure.getBoundingClientRect().height;
      const drawn = high(); figure.classList.remove('is-live'); figure.panel.remove();
      return [high(), drawn]; }""")
    # a tenth of the window at most: then the layout's shift stays below 0.1, which Lighthouse calls good
    assert abs(drawn - reserved) < 90, f"{drawn:.0f} px high, {reserved:.0f} reserved"


@built
@every_page
def test_built_pages_load_what_they_hold(page):
    text = page.read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|href)="[^"]*_static/figures/([\w.-]+)', text)
    assert loaded == live_figures.needed(text)


@looked_at
@every_figure
def test_a_screen_reader_is_told(open_figure, axe, name):
    """Every knob has a name, every drawing a role and a label, and changes are said politely."""
    tab = open_figure(name)
    drawings = tab.locator(".live-picture > svg").all()
    assert drawings and all(drawing.get_attribute("role") == "img" for drawing in drawings)
    assert all(len(drawing.get_attribute("aria-label")) > 20 for drawing in drawings)
    said = tab.locator(".live-figure output")
    assert said.get_attribute("aria-live") == "polite" and len(said.inner_text()) > 40
    sliders = tab.get_by_role("slider").all()
    assert sliders and all(slider.get_attribute("aria-valuetext") for slider in sliders)
    for scheme in SCHEMES:
        tab.evaluate("scheme => { document.documentElement.dataset.theme = scheme; }", scheme)
        found = axe(tab)
        assert not found, found


@looked_at
@every_figure
def test_every_knob_turns_by_the_keyboard(open_figure, name):
    tab = open_figure(name)
    knobs = tab.locator(".live-knobs :is(input, select, button)")
    tab.locator("h1").evaluate("e => { e.tabIndex = -1; e.focus(); }")
    for place in range(knobs.count()):
        tab.keyboard.press("Tab")
        knob = knobs.nth(place)
        assert knob.evaluate("e => e === document.activeElement"), f"Tab does not reach knob {place}"
        kind = knob.evaluate("e => e.type")
        before = seen(tab)
        told = knob.get_attribute("aria-valuetext")
        if kind == "range":
            at_end = knob.evaluate("e => +e.value >= +e.max")
            for _ in range(5):
                tab.keyboard.press("ArrowLeft" if at_end else "ArrowRight")
            assert knob.get_attribute("aria-valuetext") != told
        else:
            tab.keyboard.press({"checkbox": "Space", "button": "Enter"}.get(kind, "ArrowDown"))
        after = seen(tab)
        assert after["state"] != before["state"], knob.evaluate("e => e.outerHTML")
        if knob.get_attribute("name") != "together":  # that one changes what dragging does
            assert after["picture"] != before["picture"], knob.evaluate("e => e.outerHTML")


GRIPS = "[...new Set([...document.querySelectorAll('.live-picture [data-grip]')].map(e => e.dataset.grip))]"
#: Where a grip can be taken: the middle of what shows it, on the page.
MIDDLE = """grip => {
  const box = document.querySelector(`.live-picture [data-grip="${grip}"] .grip`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2]; }"""


def in_step(tab):
    """Every slider stands where the state is."""
    return tab.evaluate("""() => {
      const figure = document.querySelector('.live-figure'), {knobs} = figure.constructor;
      return [...figure.querySelectorAll('input[type=range]')].every(input => {
        const {log, min, max} = knobs[input.name];
        const shown = log ? LiveFigure.power(input.value, min, max) : +input.value;
        const step = log ? figure.state[input.name] / 50 : +input.step / 2;
        return Math.abs(shown - Math.max(figure.state[input.name], min)) <= step;
      });
    }""")


@looked_at
@every_figure
def test_the_mouse_drags_every_grip(open_figure, name):
    tab = open_figure(name)
    for grip in tab.evaluate(GRIPS):
        x, y = tab.evaluate(MIDDLE, grip)
        before = seen(tab)
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 35, y + 25, steps=4)
        during = seen(tab)
        tab.mouse.up()
        assert during["state"] != before["state"], grip
        assert during["picture"] != before["picture"] and during["words"] != before["words"], grip
        assert in_step(tab), grip
        tab.mouse.move(x - 60, y - 40)
        assert seen(tab) == during, f"{grip} follows a mouse that has let go"


def finger(tab, x, y, right, down):
    """A finger goes down, moves in four steps, and is lifted."""
    touch = tab.context.new_cdp_session(tab)
    path = [{"x": x + right * step / 4, "y": y + down * step / 4} for step in range(5)]
    moves = [("touchMove", [point]) for point in path[1:]]
    for kind, points in (("touchStart", path[:1]), *moves, ("touchEnd", [])):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


#: Waits until the page no longer scrolls.
RESTS = """() => new Promise(done => { let last = -1, same = 0;
  const look = () => { same = scrollY === last ? same + 1 : 0; last = scrollY;
    if (same > 9) done(); else requestAnimationFrame(look); };
  look(); })"""


@looked_at
@every_figure
def test_a_finger_drags_every_grip(open_figure, name):
    """To the end of its way: it is not taken for a scroll. Up and down it scrolls, where it may."""
    tab = open_figure(name, 390, has_touch=True, is_mobile=True)
    tab.evaluate("""() => { window.taken = 0;
      document.addEventListener('pointercancel', () => { window.taken += 1; }, true); }""")
    for grip in tab.evaluate(GRIPS):
        held = f'.live-picture [data-grip="{grip}"]'
        tab.locator(held).first.scroll_into_view_if_needed()
        freely = tab.locator(f"{held}.freely").count()
        before = seen(tab)["state"]
        finger(tab, *tab.evaluate(MIDDLE, grip), *((20, -60) if freely else (40, 0)))
        assert seen(tab)["state"] != before and tab.evaluate("window.taken") == 0, grip
        if not freely:
            at = tab.evaluate("scrollY")
            finger(tab, *tab.evaluate(MIDDLE, grip), 0, -120)
            tab.wait_for_function("at => scrollY > at + 50", arg=at)
            tab.evaluate(RESTS)
            tab.evaluate("window.taken = 0")


NUMBER = r"([-\d.,]*\d)"
#: Page; what is changed in its figure's state; where the page says a number; where the figure reads it out.
PICTURES, DECAY, FAR = "22-pictures-and-heat-maps", "24-decay-integral", {"m": 11, "n": 0, "sigma": 0.02}
READ = [
    ("index", {}, f"a level line at {NUMBER}", f"the score is {NUMBER}"),
    ("41-complex-solution", FAR, rf"^scores, σ = 0\.02: .*, {NUMBER} …", f"the score is {NUMBER}"),
    ("12-taylor-argument", {}, f"cross term {NUMBER}", f"{NUMBER} from the cross term"),
    ("21-definition-and-shift", {}, f"same angle, clockwise: {NUMBER}°", f"turns by {NUMBER}°"),
    ("25-sum-and-integral", {}, rf"^Beyond x\* = {NUMBER}", f"At distance {NUMBER}"),
    (PICTURES, {"m": 6}, "last (three) hands have .* by position 6", r"(\d) of 10 hands less"),
    (PICTURES, {"m": 6}, rf"^1\.000 .* {NUMBER}$", f"position 0 is {NUMBER}"),
    (PICTURES, {"m": 710}, f"At 710, which is {NUMBER} turns", f"has made {NUMBER} turns"),
    (DECAY, {}, f"at distance 128 the integral is still {NUMBER}", f"128 .* integral has {NUMBER}"),
    (DECAY, {}, f"^sum, d=128 .* {NUMBER}$", f"the sum has {NUMBER},"),
    ("43-abel-bound", {"x": 0}, f"the bound falls in waves from {NUMBER}", f"bound is {NUMBER} ×"),
    ("43-abel-bound", {"x": 100}, f"^distance 100: {NUMBER}$", f"bound is {NUMBER} ×"),
    ("43-abel-bound", {"x": 150, "contents": "ahead"}, f"by 150 +highest {NUMBER}", f"end {NUMBER} ×"),
    ("43-abel-bound", {}, f"divided by {NUMBER}, the number of arrows", f"bound is .* × {NUMBER}"),
    ("48-extending-context", {}, f"that is {NUMBER} of 64", f"{NUMBER} made less than one turn"),
    ("49-base-bounds", {}, r"safe base of its length, (\d+ \d+)", f"every base from {NUMBER} on"),
]


@looked_at
@pytest.mark.parametrize(("page", "state", "sentence", "readout"), READ)
def test_a_figure_reads_out_what_its_page_says(open_figure, page, state, sentence, readout):
    name, html, text = SAID[page]
    tab = open_figure(name, html=html)
    tab.evaluate("state => document.querySelector('.live-figure').set(state)", state)
    found = re.search(sentence, text, re.M)[1], re.search(readout, seen(tab)["words"].replace("−", "-"))[1]
    told, shown = (float({"three": "3"}.get(v, re.sub("[, ]", "", v))) for v in found)
    digits = min(len(v.partition(".")[2]) for v in found)
    assert round(told, digits) == round(shown, digits), found


LETTERS = script("letters")


@looked_at
@every_figure
@pytest.mark.parametrize("width", [NARROW, 390, 1280])
def test_everything_can_be_read(open_figure, name, width):
    tab = open_figure(name, width)
    for scheme in SCHEMES:
        tab.evaluate("scheme => { document.documentElement.dataset.theme = scheme; }", scheme)
        assert tab.evaluate(MEASURE) == []
        assert tab.evaluate(LETTERS) == []


STILL, LIVE = ".live-figure > svg", ".live-panel"


@looked_at
@every_figure
def test_paper_and_a_browser_without_scripts_have_the_still_figure(open_figure, name):
    tab = open_figure(name)
    assert tab.locator(LIVE).is_visible() and not tab.locator(STILL).is_visible()
    tab.emulate_media(media="print")
    assert tab.locator(STILL).is_visible() and not tab.locator(LIVE).is_visible()
    plain = open_figure(name, java_script_enabled=False)
    assert plain.locator(STILL).is_visible() and plain.locator(LIVE).count() == 0
