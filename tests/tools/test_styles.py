"""Style sheets lose what no page needs, and nothing else."""

import re

from site_pages import built

from tools.browser import SITE, pages
from tools.notebooks import ROOT

BOOK = (ROOT / "assets" / "book.css").read_text()
KATEX = ROOT / "assets" / "katex" / "katex.min.css"
SERVED = SITE / "_static" / "katex" / "katex.min.css"
NAMED = r"\.([a-z][\w-]*)"


def selectors(style):
    return {each for many in re.findall(r"([^{}]+)\{", style.read_text()) for each in many.split(",")}


def test_browsers_that_do_not_know_light_dark_have_every_colour():
    (old,) = re.findall(r"@supports not \(color: light-dark.*?\n}", BOOK, re.DOTALL)
    schemes = re.findall(r"(--\w+): light-dark\(", BOOK)
    assert len(schemes) > 5 and set(schemes) <= set(re.findall(r"(--\w+): #", old))


def test_a_style_sheet_says_of_no_formula_that_nothing_checked_it_because_something_is_not_there():
    verdicts = re.findall(r"([^{}]*)\{ content: \"in words\"", BOOK)
    assert [rule.split("*/")[-1].strip() for rule in verdicts] == [".bd-article div.in-words::after"]


@built
def test_in_words_is_said_of_what_code_displays_besides_results_and_of_nothing_else():
    """``tests/book/test_typed_displays.py`` names the cell."""
    said = {page.stem: page.read_text().count('class="in-words math"') for page in pages()}
    assert {page: count for page, count in said.items() if count} == {"32-biases": 2}


@built
def test_every_class_and_font_that_a_page_asks_for_is_served():
    lists = (re.findall(r'class="([^"]*)"', page.read_text()) for page in SITE.rglob("*.html"))
    held = {name for names in lists for name in " ".join(names).split()}
    served = SERVED.read_text()
    wanted = {selector for selector in selectors(KATEX) if set(re.findall(NAMED, selector)) <= held}
    assert len(wanted) > 30 and wanted <= selectors(SERVED)
    faces = "".join(re.findall(r"@font-face\{[^}]*\}", served))
    rest = re.sub(r"@font-face\{[^}]*\}", "", served)
    assert set(re.findall(r"KaTeX_\w+", rest)) <= set(re.findall(r"font-family:(KaTeX_\w+)", faces))
    files = re.findall(r"url\(fonts/([^)]*)\)", faces)
    assert files and all((SERVED.parent / "fonts" / file).is_file() for file in files)
