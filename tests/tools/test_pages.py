"""Each built page, visited once in a real browser: it is light, local, readable, and everybody can use it."""

import functools
import gzip
from urllib.parse import unquote, urlsplit

import pytest
from fontTools.ttLib import TTFont
from site_pages import SOURCES, looked_at, script

from tools.browser import (
    MEASURE,
    PAPER,
    SCHEMES,
    SITE,
    WIDTHS,
    fonts_of_all,
    lay_out_all,
    next_frame,
    open_page,
    pages,
)
from tools.notebooks import ROOT

pytestmark = looked_at

#: Bytes that a first visit transfers, text gzipped, fonts as they are; and in how many requests.
FRONT_PAGE, PAGE, REQUESTS, LIVE = 120_000, 160_000, 16, 4  # a live figure has four files of its own
#: The search loads what it looks through.
OTHERS = {"book/index.html": FRONT_PAGE, "search.html": 400_000}
FACES = script("faces")
THIN = script("thin")
FINGERS = {"runOnly": {"type": "rule", "values": ["target-size", "link-name", "button-name"]}}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
#: Sides of checked equations that scroll.
SCROLLING = """[...document.querySelectorAll('.calc :is(.lhs, .body)')]
  .filter(e => e.clientWidth && !e.closest('.story') && e.scrollWidth > e.clientWidth + 4)
  .map(e => e.closest('[id]').id.replace('equation-', ''))"""


class Visit:
    """A page in a tab of its own, with all that it asks for and complains of."""

    def __init__(self, chrome, page):
        self.page, self.files, self.problems = page, set(), []
        self.tab = tab = chrome.new_page(reduced_motion="reduce")
        tab.set_default_timeout(120_000)  # the ledger on a slow machine
        tab.on("request", lambda request: self._asks(request.url))
        tab.on("requestfailed", lambda request: self.problems.append(f"not found: {request.url}"))
        tab.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        tab.on("console", lambda m: self.problems.append(f"console: {m.text}") if m.type == "error" else None)
        self.see()
        open_page(tab, page)

    def _asks(self, url):
        if url.startswith("file:"):
            self.files.add(local_file(url))
        elif not url.startswith(("data:", "blob:")):
            self.problems.append(f"fetched from elsewhere: {url}")

    def see(self, width=WIDTHS["desktop"], scheme="light", height=900, media="screen"):
        self.tab.set_viewport_size({"width": width, "height": height})
        self.tab.emulate_media(media=media, color_scheme=scheme)


EVERY_FILE = sorted(
    {*SITE.glob("*.html"), *pages(), *SOURCES} - {SITE / "index.html"}
)  # that leads on at once


@pytest.fixture(scope="module", params=EVERY_FILE, ids=lambda page: page.relative_to(SITE).as_posix())
def visit(request, chrome):
    visited = Visit(chrome, request.param)
    yield visited
    visited.tab.close()


def local_file(url):
    return unquote(urlsplit(url).path)


def test_a_folder_may_have_any_name(tmp_path):
    file = tmp_path / "a b" / "über 100%.css"
    assert local_file(file.as_uri() + "?v=1") == str(file)


@functools.cache
def weight(file):
    """What a server that gzips sends; fonts and pictures are packed already."""
    with open(file, "rb") as opened:
        data = opened.read()
    return len(data) if file.endswith((".woff2", ".png")) else len(gzip.compress(data, 6))


def test_it_comes_whole_from_here_and_is_light(visit):
    assert not visit.problems
    loaded = sum(map(weight, visit.files))
    limit = OTHERS.get(visit.page.relative_to(SITE).as_posix(), PAGE)
    parts = sorted(((weight(file), file.rpartition("/")[2]) for file in visit.files), reverse=True)
    most = REQUESTS + LIVE * any(file.endswith("/live.js") for file in visit.files)
    assert loaded <= limit and len(visit.files) <= most, (
        f"{loaded} bytes in {len(visit.files)} requests: {parts}"
    )


def test_everything_is_visible(visit):
    fonts_of_all(visit.tab)
    found = []
    for width_name, width in WIDTHS.items():
        for scheme in SCHEMES if width_name == "desktop" else SCHEMES[:1]:  # colours do not depend on it
            visit.see(width, scheme)
            next_frame(visit.tab)
            found += [f"{width_name}, {scheme}: {problem}" for problem in visit.tab.evaluate(MEASURE)]
    if visit.tab.locator("figure.plot").count():  # whose letters must be legible on paper, too
        visit.see(PAPER[0], "light", PAPER[1], "print")
        found += [f"paper: {problem}" for problem in visit.tab.evaluate(MEASURE)]
    assert not found, "\n".join(found)


@functools.cache
def drawn_by(font):
    with TTFont(font) as opened:
        return {*map(chr, opened.getBestCmap()), "\u200b", "\n"}


def test_every_letter_is_in_the_fonts_that_came(visit):
    """The fonts are cut to what the pages show. Letters that the whole serif lacks are others' to draw."""
    for face, text in visit.tab.evaluate(FACES).items():
        if face.startswith("Posenc"):
            name = f"fonts/serif-{'italic' if face.endswith('Italic') else 'normal'}.woff2"
            unknown = set(text) - drawn_by(ROOT / "assets" / name)
            came = drawn_by(SITE / "_static" / name)
        else:
            file = f"{face}{'Regular' * face.endswith('-')}.woff2"
            unknown, came = set(), drawn_by(SITE / "_static" / "katex" / "fonts" / file)
        assert not set(text) - unknown - came, face


def test_equations_fit_the_column(visit):
    lay_out_all(visit.tab)
    for width in (WIDTHS["desktop"], WIDTHS["phone"]):
        visit.see(width)
        next_frame(visit.tab)
        assert not visit.tab.evaluate(SCROLLING), width


def test_wcag(visit, axe):
    """No violation of WCAG 2.2 A or AA that axe-core sees. Dark has other colours, a phone small buttons."""
    visit.see()
    visit.tab.evaluate(THIN)
    found = axe(visit.tab)
    visit.see(scheme="dark")
    found += [f"dark: {problem}" for problem in axe(visit.tab, COLOURS)]
    visit.see(WIDTHS["phone"], "dark")
    found += [f"phone: {problem}" for problem in axe(visit.tab, FINGERS)]
    assert not found, "\n".join(found)
