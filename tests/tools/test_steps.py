"""A checked step on the site: what its rows are cut from, what a fold says that it holds; Chinese words."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_from_doctree
from docutils.utils import new_document

from tools.folds import CLOSE, gather
from tools.languages import keep_numbers, name_chinese
from tools.line_breaks import cut
from tools.notebooks import ROOT
from tools.reference.records import read_pages
from tools.steps import as_rows, step

LAYOUT = re.compile(r"\\(?:begin|end)\{aligned\}|\\quad|\\\\|[&\s]")
RESULTS = [r for page in read_pages(ROOT) for r in page.results if r["kind"] != "words"]


def test_the_rows_are_the_equation_that_was_compared_and_nothing_else():
    for record in RESULTS:
        left, rows = cut(record["latex"])
        again = " ".join([left, *(part for row in rows for part in row)])
        assert LAYOUT.sub("", again) == LAYOUT.sub("", record["latex"]), record["label"]
        assert len(rows) == record["rows"], record["label"]


def test_each_row_has_its_own_reason():
    assert all(len(record["reasons"]) == record["rows"] for record in RESULTS)


def page(*parts):
    document = new_document("page")
    document += parts
    return document


def marker(text):
    return nodes.raw("", text, format="html")


def shown(kind, source=""):
    return nodes.container("", step("", record={"kind": kind, "source": source}))


def test_a_number_that_no_result_stands_behind_is_a_warning(caplog):
    document = page(nodes.math_block("", "1 = 2", number=1, label="eq-typed", ids=["equation-eq-typed"]))
    as_rows(None, document, "book/4-rotary/43-abel-bound")
    assert "numbered, but no result of this page: 1 = 2" in caplog.text
    caplog.clear()
    as_rows(None, page(nodes.math_block("", "1 = 2")), "book/4-rotary/43-abel-bound")
    assert not caplog.text


@pytest.mark.parametrize(
    ("metadata", "named"), [({}, ["不是唯一解", "线性Attention的。"]), ({"lang": "zh-Hans"}, [])]
)
def test_chinese_words_on_an_english_page_name_their_language_and_no_word_is_lost(metadata, named):
    words = "Not the only one (不是唯一解), of linear attention (线性Attention的。)."
    document = page(nodes.paragraph("", words), nodes.literal_block("", "代码"))
    name_chinese(SimpleNamespace(env=SimpleNamespace(metadata={"a": metadata})), document, "a")
    assert [span.astext() for span in document.findall(nodes.inline)] == named
    assert document[0].astext() == words
    html = publish_from_doctree(document, writer_name="html5").decode()
    assert [f'<span lang="zh-Hans">{part}</span>' in html for part in named] == [True] * len(named)


def test_no_line_ends_inside_a_number():
    document = page(
        nodes.paragraph("", "at 1 321 078, T5 114 and 20 years"), nodes.literal_block("", "8 192")
    )
    keep_numbers(None, document, "a")
    assert [part.astext() for part in document] == ["at 1\u00a0321\u00a0078, T5 114 and 20 years", "8 192"]


def test_a_fold_gathers_what_stands_between_its_marks():
    document = page(
        nodes.paragraph("", "before"), marker("<!-- proof -->"), shown("proved"), nodes.paragraph("", "and"),
        shown("refuted"), shown("refuted", "a paper"), marker(CLOSE), shown("refuted", "a paper"),
    )  # fmt: skip
    gather(None, document, "a")
    assert [part.tagname for part in document] == ["paragraph", "fold", "container"]
    assert document[1]["said"] == "The steps in full: 1 false as printed"
    assert len(document[1]) == 4


@pytest.mark.parametrize("parts", [(shown("proved"),), (nodes.section(), marker(CLOSE))])
def test_a_fold_that_is_not_closed_is_a_warning(parts, caplog):
    gather(None, page(marker("<!-- proof: it -->"), *parts), "a")
    assert "a fold is not closed before the next heading" in caplog.text
