"""Every link of the built pages leads somewhere, nothing is loaded from elsewhere, no mark-up is left."""

import functools
import re
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from site_pages import built, every_page

from tools.browser import SITE, pages
from tools.notebooks import ROOT
from tools.reference.records import own_results, read_pages

LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
NUMBER = re.compile(r"\(\d+\.\d+\.\d+[a-z]*\)")
FORMULA = re.compile(r'<var class="katex-html".*?</var>|<math.*?</math>', re.DOTALL)  # links nowhere
NAMED = {"next", "prev", "canonical", "search", "index"}  # and not loaded
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())


MARK_UP = re.compile(r"\[\^[\w-]+\]|\{(?:eq|doc|cite|ref|numref)[\w:]*\}`|:::\{|```\{|\]\((?:\.|http)|\*\*\w")


class Page:
    """What a page links to, loads and can be linked to, and its words outside of code and formulas."""

    def __init__(self, text):
        page = BeautifulSoup(FORMULA.sub("", text), "html.parser")
        tags = page.find_all(True)
        self.links = [tag["href"] for tag in tags if tag.name == "a" and "href" in tag.attrs]
        called = [tag for tag in tags if tag.name == "a" and NUMBER.fullmatch(tag.get_text().strip())]
        self.called = {(tag["href"], tag.get_text().strip()) for tag in called}
        numbers = page.select("a.eqno[href]")
        self.numbers = {tag["href"].removeprefix("#"): tag.get_text().strip() for tag in numbers}
        self.places = {tag[name] for tag in tags for name in ("id", "name") if name in tag.attrs}
        loads = [tag for tag in tags if LOADED.get(tag.name) in tag.attrs]
        self.loads = [tag[LOADED[tag.name]] for tag in loads if not NAMED.intersection(tag.get("rel", []))]
        for silent in page.find_all(["pre", "code", "script", "style"]):
            silent.decompose()
        self.words = page.get_text(" ")


@functools.cache
def read(path):
    return Page(path.read_text(encoding="utf-8"))


@built
def test_every_result_of_the_ledger_stands_as_a_statement():
    known = own_results(read_pages(ROOT))
    shown = [label for page in (SITE / "rocq").glob("*.html") for label in read(page).places & known.keys()]
    assert sorted(shown) == sorted(known)


@built
@every_page
def test_every_link_within_the_site_leads_to_a_place_that_is_there(page):
    lost = []
    for link in read(page).links:
        url = urlsplit(link)
        if url.scheme or url.netloc:
            continue
        target = (page.parent / unquote(url.path)).resolve() if url.path else page
        if not target.is_file() or not _place_is_there(target, unquote(url.fragment)):
            lost.append(link)
    assert not lost


@built
@every_page
def test_a_link_calls_an_equation_by_the_number_that_it_has(page):
    wrong = []
    for link, said in read(page).called:
        path, _, place = unquote(link).partition("#")
        number = read((page.parent / path).resolve() if path else page).numbers.get(place)
        if said != number:
            wrong.append((link, said, number))
    assert not wrong


def _place_is_there(target, place):
    named = place and not place.startswith("text=")  # which a script reads: what is to be tried
    return not named or target.suffix != ".html" or place in read(target).places


@built
@every_page
def test_nothing_is_loaded_from_elsewhere_and_nothing_prepared(page):
    elsewhere = [url for url in read(page).loads if urlsplit(url).netloc]
    assert not elsewhere


@built
@every_page
def test_no_mark_up_is_left_in_the_words(page):
    words = " ".join(read(page).words.split())
    assert not MARK_UP.findall(words)


@built
@pytest.mark.parametrize("page", [p for p in pages() if "4-rotary" in p.parts], ids=lambda page: page.name)
def test_a_chapter_can_be_launched_edited_and_reported(page):
    """Binder and Colab open the notebook, and the repository's own page of it can be edited."""
    source = page.relative_to(SITE).with_suffix(".ipynb").as_posix()
    url, branch = CONFIG["repository"]["url"], CONFIG["repository"]["branch"]
    where = url.removeprefix("https://github.com/")
    links = read(page).links
    binder = f"https://mybinder.org/v2/gh/{where}/{branch}?"
    assert any(link.startswith(binder) and source in link for link in links)
    assert f"https://colab.research.google.com/github/{where}/blob/{branch}/{source}" in links
    assert f"{url}/edit/{branch}/{source}" in links
    assert any(link.startswith(f"{url}/issues/new?") for link in links)
