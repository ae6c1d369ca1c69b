"""A chapter's number is the one in its file's name, on every page that shows it."""

import re
from collections import namedtuple
from functools import partial
from types import SimpleNamespace

from docutils import nodes
from docutils.utils import new_document
from site_pages import built

from tools import chapter_numbers
from tools.browser import SITE
from tools.chapter_numbers import equations, number
from tools.contents import page_names


def test_within_a_part_numbers_go_up_in_the_order_of_reading():
    numbers = [number(page) for page in page_names() if number(page)]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers) > 20


def test_what_stands_open_is_numbered_without_holes_and_folds_have_letters():
    page, names = new_document("page"), list("abcdefgh")
    step = {name: nodes.math_block("", "", ids=[name]) for name in names}
    fold, end = (nodes.raw("", f"<!-- {text} -->") for text in ("proof: Why", "end of proof"))
    page += [step["a"], step["b"], fold, step["c"], nodes.container("", step["d"]), end, step["e"]]
    page += nodes.container("", nodes.paragraph("", "", step["f"]), design_component="dropdown")
    page += nodes.container("", step["g"], hide_mode="all")
    page += nodes.container("", step["h"], hide_mode="input")
    called = equations(page, names)
    assert called == dict(zip(names, ("1", "2", "2a", "2b", "3", "3a", "3b", "4"), strict=True))


def test_a_long_fold_before_the_first_equation():
    page, names = new_document("page"), [f"e{k}" for k in range(28)]
    page += [nodes.raw("", "<!-- proof -->"), *(nodes.math_block("", "", ids=[name]) for name in names)]
    called = list(equations(page, names).values())
    assert called[:2] + called[25:] == ["0a", "0b", "0z", "0aa", "0ab"]


def test_a_changed_page_renews_the_others_only_where_they_may_speak_of_it(monkeypatch):
    monkeypatch.setattr(chapter_numbers, "_count", lambda collector, env: None)
    cite = namedtuple("Cite", "docname line")("a", 3)
    domains = {name: {"objects": {}, "labels": {}, "anonlabels": {}} for name in ("math", "py", "std")}
    domains["cite"] = {"citation_refs": [cite]}
    env = SimpleNamespace(domaindata=domains, titles={}, toc_fignumbers={}, metadata={}, found_docs={"a"})
    renewed = partial(chapter_numbers._assign_equations, None, env)
    assert renewed() == ["a"] and renewed() == []
    domains["cite"]["citation_refs"] = [cite._replace(line=4)]
    assert renewed() == []
    env.titles["a"] = nodes.title("", "Another")
    assert renewed() == ["a"] and renewed() == []
    domains["math"]["objects"]["eq-x"] = ("a", 1)
    assert renewed() == ["a"] and renewed() == []


@built
def test_the_list_of_pages_and_the_equations_carry_it():
    text = (SITE / "book" / "4-rotary" / "43-abel-bound.html").read_text(encoding="utf-8")
    listed = re.findall(r'href="[^"]*?([\w-]+)\.html"[^>]*>(\d+\.\d+)\. ', text)
    assert ("41-complex-solution", "4.1") in listed and len(set(listed)) > 20
    for page, shown in listed:
        assert page.startswith(shown.replace(".", "") + "-"), page
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", text)[0].startswith('<span class="section-number">4.3. </span>')
    assert not re.search(r'<h[2-6][^>]*><span class="section-number">', text), "sections have no number"
    found = re.findall(r'class="eqno"[^>]*>\(([\w.]+)\)', text)
    assert all(re.fullmatch(r"4\.3\.\d+[a-z]*", shown) for shown in found)
    opened = [int(shown.split(".")[2]) for shown in found if shown[-1].isdigit()]
    assert opened == list(range(1, len(opened) + 1)) and len(opened) > 4
