"""What these tests share: the distributions, built as a user's pip would build them, and a browser."""

import functools
import http.server
import subprocess
import sys
import threading

import pytest
from site_pages import script

from tools.browser import SITE, WIDTHS, browser, open_page
from tools.notebooks import ROOT

#: The folder of each distribution, beside the name that pip knows it by.
FOLDERS = {
    "posenc_lib": ROOT,
    "posenc-proofs": ROOT / "distributions" / "proofs",
    "posenc-book": ROOT / "distributions" / "book",
}


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """Each distribution's wheel."""
    return {name: build("wheel", folder, tmp_path_factory.mktemp(name)) for name, folder in FOLDERS.items()}


@pytest.fixture(scope="session")
def sdist(tmp_path_factory):
    """The library's sources, packed."""
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


def build(target, folder, out):
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", out]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def chrome():
    with browser() as launched:
        yield launched


@pytest.fixture
def tab(chrome):
    opened = chrome.new_page(reduced_motion="reduce")
    opened.set_default_timeout(120_000)  # the ledger on a slow machine
    yield opened
    opened.close()


@pytest.fixture
def see(tab):
    """Opens a page of the site in the tab, in a window of this size."""

    def opened(page, width=WIDTHS["desktop"], height=900):
        tab.set_viewport_size({"width": width, "height": height})
        open_page(tab, SITE / f"{page}.html")

    return opened


@pytest.fixture
def scriptless(chrome):
    """A tab of a phone that runs no scripts."""
    window = {"width": WIDTHS["phone"], "height": 800}
    with chrome.new_context(java_script_enabled=False, viewport=window) as context:
        yield context.new_page()


@pytest.fixture(scope="session")
def served():
    """The address of the site as a server gives it: a page opened from disk asks for its fonts later."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


#: Contrast is most of axe's time, and is the same for all words that look alike.
LOOKS = script("looks")
MARKED = "axe.configure({rules: [{id: 'color-contrast', selector: '[data-look]'}]})"
AXE = """rules => axe.run(document, {preload: false, resultTypes: ['violations'], ...rules}).then(found =>
  found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 150)}`)))"""
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # else an experiment
}


@pytest.fixture
def axe():
    """What axe-core finds on a tab's page, of WCAG 2.2 A and AA or of the rules that are named."""
    from axe_playwright_python.base import AXE_SCRIPT  # where no site is looked at, nobody needs it

    def found(tab, rules=WCAG):
        if not tab.evaluate("'axe' in window"):
            tab.evaluate(AXE_SCRIPT)
            tab.evaluate(MARKED)
        tab.evaluate(LOOKS)
        return tab.evaluate(AXE, rules)

    return found
