"""The map of the chapters, and what stands below a chapter's title."""

import re
from collections import Counter

import pytest
from docutils import nodes
from site_pages import built

from tools import contents, page_facts
from tools.browser import SITE
from tools.chapter_numbers import dotted, number
from tools.notebooks import ROOT
from tools.reference import chart
from tools.reference.cards import core
from tools.reference.records import read_pages

CHAPTERS = [page for page in contents.page_names() if number(page)]


def test_the_map_has_a_circle_for_each_chapter_and_marks_the_core():
    drawing = chart.as_markdown(read_pages(ROOT), ROOT)
    links = re.findall(r'<a href="([^"]+)\.html"( class="core")?>', drawing)
    assert [f"book/{page}" for page, _ in links] == CHAPTERS
    assert [f"book/{page}" for page, mark in links if mark] == core()


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_chapter_says_what_to_read_before_it(page):
    assert chart.BEFORE.search(contents.text_of(page)), "add *Before this page:* and what it needs"


def test_no_chapter_asks_for_a_later_one_of_its_part():
    asked = list(chart.needs(ROOT))
    assert len({page for page, _ in asked}) > len(CHAPTERS) - 5
    for page, before in asked:
        assert number(page)[0] != number(before)[0] or number(page) > number(before), (page, before)


def document(*inside):
    page = nodes.document("", None)
    page.extend(inside)
    return page


def test_minutes_are_those_of_what_stands_open():
    text = "word " * 1300
    shut = nodes.Element()
    shut.tagname = "fold"
    shut += nodes.paragraph(text=text)
    assert page_facts.minutes(document(nodes.paragraph(text=text), shut)) == 10
    pictures = [nodes.raw("", "<figure></figure>", format="html") for _ in range(10)]
    assert page_facts.minutes(document(nodes.paragraph(text=text), *pictures)) == 20
    assert page_facts.minutes(document()) == 5


@built
def test_each_chapter_says_its_number_and_the_core_takes_the_hours_that_the_front_page_says():
    taken = Counter()
    for page in CHAPTERS:
        text = (SITE / f"{page}.html").read_text(encoding="utf-8")
        line, *on = re.findall(r'<p class="facts">(.*?)</p>', text)
        said, rest = re.fullmatch(r"Chapter ([\d.]+), about (.*)", line).groups()
        assert said == dotted(page)
        assert ("of a first reading" in rest) == (page in core())
        assert len(on) == (page in core()[:-1])
        taken[page in core()] += int(rest.split()[0])
    assert round(taken[True] / 60) == 2, f"{taken[True]} minutes; the front page says two hours"
