"""A chapter's number is the one in its file's name, on every page that shows it."""

import re

import pytest

from tools.browser import SITE, pages
from tools.chapter_numbers import number
from tools.contents import page_names

built = pytest.mark.skipif(not pages(), reason="no built book to look at: make book")


def test_within_a_part_numbers_go_up_in_the_order_of_reading():
    numbers = [number(page) for page in page_names() if number(page)]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers) > 20


@built
def test_the_list_of_pages_and_the_equations_carry_it():
    text = (SITE / "book" / "4-rotary" / "43-abel-bound.html").read_text(encoding="utf-8")
    listed = re.findall(r'href="[^"]*?([\w-]+)\.html"[^>]*>(\d+\.\d+)\. ', text)
    assert ("41-complex-solution", "4.1") in listed and len(set(listed)) > 20
    for page, shown in listed:
        assert page.startswith(shown.replace(".", "") + "-"), page
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", text)[0].startswith('<span class="section-number">4.3. </span>')
    assert not re.search(r'<h[2-6][^>]*><span class="section-number">', text), "sections have no number"
    equations = re.findall(r'class="eqno"[^>]*>\(([\d.]+)\)', text)
    assert equations and all(re.fullmatch(r"4\.3\.\d+", shown) for shown in equations)
