"""The built pages in a real browser: nothing cut off, nothing unreadable, nothing fetched from elsewhere."""

import gzip
from pathlib import Path

import pytest

from tools.browser import MEASURE, SCHEMES, SITE, WIDTHS, browser, chromium, open_page, pages

pytestmark = [
    pytest.mark.skipif(not pages(), reason="no built book to look at: make book"),
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine: install it or set CHROMIUM"),
]

FIRST_LOAD_LIMIT = 1_200_000  # bytes, gzipped; the theme, its icons and MathJax are about 0.93 MB of it


@pytest.fixture(scope="module")
def chrome():
    with browser() as launched:
        yield launched


@pytest.fixture
def tab(chrome):
    opened = chrome.new_page()
    yield opened
    opened.close()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(SITE).as_posix())
def test_everything_is_visible_and_local(tab, page):
    requests, errors = [], []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("requestfailed", lambda request: errors.append(f"not found: {request.url}"))
    tab.on("pageerror", lambda error: errors.append(f"script error: {error}"))
    tab.emulate_media(color_scheme="light")
    open_page(tab, page)
    assert not errors
    elsewhere = [url for url in requests if not url.startswith(("file:", "data:", "blob:"))]
    assert not elsewhere, f"fetched from elsewhere: {elsewhere}"

    found = []
    for width_name, width in WIDTHS.items():
        tab.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            tab.emulate_media(color_scheme=scheme)
            tab.wait_for_function("scheme => document.documentElement.dataset.theme === scheme", arg=scheme)
            found += [f"{width_name}, {scheme}: {problem}" for problem in tab.evaluate(MEASURE)]
    assert not found, "\n".join(found)


def test_first_load_is_light(tab):
    loaded = []
    tab.on("request", lambda request: loaded.append(request.url.split("?")[0]))
    open_page(tab, SITE / "book" / "index.html")
    files = {url.removeprefix("file://") for url in loaded if url.startswith("file:")}
    weight = sum(len(gzip.compress(Path(file).read_bytes())) for file in files)
    assert weight < FIRST_LOAD_LIMIT, f"{weight} bytes gzipped in {len(files)} files"


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        (
            "<div style='overflow:hidden;width:100px'><table><td style='min-width:300px'>x</table></div>",
            "cut off",
        ),
        ("<div style='width:3000px'>x</div>", "the page is"),
        ("<p class=check style='color:#bbb;background:#fff'>pale</p>", "contrast"),
        ("<img src='' style='width:9px;height:9px'>", "no alt text"),
        ("<span class=math>x</span>", "not typeset"),
    ],
)
def test_the_measurement_sees_each_fault(tab, html, problem):
    tab.set_content(
        f"<!doctype html><body style='background:#fff'><article class=bd-article>{html}</article>"
    )
    assert any(problem in found for found in tab.evaluate(MEASURE))
