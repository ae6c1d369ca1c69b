"""What a page says of itself to those who find, share and cite it; the address is said in one place."""

import html
import json
import re
from types import SimpleNamespace
from xml.etree.ElementTree import parse

import pytest
from fontTools.ttLib import TTFont
from site_pages import built, every_page, looked_at

from tools.browser import SITE, pages
from tools.chapter_numbers import number
from tools.contents import page_names
from tools.notebooks import ROOT
from tools.page_head import address
from tools.preview import picture
from tools.sharing import LICENSE

(REPOSITORY,) = re.findall(r"^  url: (\S+)", (ROOT / "_config.yml").read_text(), re.MULTILINE)
ADDRESS = address(SimpleNamespace(html_theme_options={"repository_url": REPOSITORY}, html_baseurl=""))


def said(text, name):
    values = re.findall(rf'<meta (?:property|name)="{name}" content="(.*?)">', text)
    return list(map(html.unescape, values))


@built
@every_page
def test_a_page_of_the_book_says_where_it_is_and_what_it_is_and_no_other_is_for_search_engines(page):
    text, place = page.read_text(), page.relative_to(SITE).as_posix()
    assert text.count('name="viewport"') == 1
    assert ('<meta name="robots" content="noindex">' in text) == (not place.startswith("book/"))
    if not place.startswith("book/"):
        return
    (canonical,) = re.findall(r'<link rel="canonical" href="(.*?)"', text)
    assert canonical == ADDRESS + place
    assert said(text, "og:url") == said(text, "citation_public_url") == [canonical]
    (image,) = said(text, "og:image")
    assert (SITE / image.removeprefix(ADDRESS)).read_bytes().startswith(b"\x89PNG")
    (graph,) = map(json.loads, re.findall(r'<script type="application/ld\+json">(.*?)</script>', text))
    assert graph["url"] == canonical
    assert said(text, "og:title") == said(text, "citation_title") == [graph["name"]]
    assert (graph["@type"] == "Chapter") == bool(number(place.removesuffix(".html")))
    assert graph["description"] and graph["license"] == LICENSE
    (cited,) = re.findall(r'<details class="cite">.*?<pre>(.*?)</pre>', text, re.DOTALL)
    kinds = ("@incollection{", "@book{posenc,")
    assert f"url = {{{canonical}}}" in cited and html.unescape(cited).startswith(kinds)


@built
def test_each_chapter_has_a_picture_of_its_own():
    chapters = [page for page in pages() if number(f"book/{page.parent.name}/{page.stem}")]
    images = [said(page.read_text(), "og:image") for page in chapters]
    assert len(images) > 30 and len(set(map(tuple, images))) > 0.9 * len(images)


@built
def test_the_map_of_the_site_lists_the_pages_of_the_book_and_the_feed_what_changed():
    (SITE / "robots.txt").read_text().index(f"Sitemap: {ADDRESS}sitemap.xml")
    places = [place.text for place in parse(SITE / "sitemap.xml").getroot().findall(".//{*}loc")]
    assert places == [f"{ADDRESS}{name}.html" for name in page_names()]
    news = list(parse(SITE / "feed.xml").getroot().iter("item"))
    versions = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert [item.findtext("title") for item in news] == versions
    for item in news:
        file, _, target = item.findtext("link").removeprefix(ADDRESS).partition("#")
        assert f'id="{target}"' in (SITE / file).read_text() and len(item.findtext("description")) > 100


@built
@pytest.mark.parametrize("page", ["search.html", "genindex.html", "404.html"])
def test_what_is_generated_is_not_for_search_engines(page):
    assert '<meta name="robots" content="noindex">' in (SITE / page).read_text()


@looked_at
def test_who_followed_a_link_to_an_equation_cites_it(tab, see):
    see("book/4-rotary/43-abel-bound")
    tab.click(".cite summary")
    tab.click(".cite summary")
    assert "note" not in tab.locator(".cite pre").text_content()
    tab.evaluate("location.hash = 'equation-eq-abel-end'")
    tab.click(".cite summary")
    cited = tab.locator(".cite pre")
    cited.wait_for()
    assert "43-abel-bound.html#equation-eq-abel-end}" in cited.text_content()
    assert re.search(r",\n  note = \{Equation \(4\.3\.\d+[a-z]*\)\}\n\}$", cited.text_content())


def test_a_picture_has_the_title_in_the_book_s_own_letters():
    figure = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9" stroke="currentColor"/></svg>'
    drawn = picture("4.3. A title", "Book", figure)
    assert drawn[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
    retitled = picture("4.3. Another title", "Book", figure)
    assert drawn != retitled != picture("4.3. A title", "Book", "<svg ></svg>")
    with TTFont(ROOT / "assets" / "fonts" / "serif-normal.woff2") as font:
        assert font["name"].getDebugName(1) == "Posenc Serif"  # by which tools/preview.py asks for it
