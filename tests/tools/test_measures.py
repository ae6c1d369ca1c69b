"""What ``tools.measures`` counts on a page: what can be seen with all folds closed."""

import pytest

from tools.browser import chromium
from tools.measures import MEASURES, as_row

PAGE = """<!doctype html><article class="bd-article">
<p style="height: 900px; margin: 0">Two words</p>
<figure><svg width="10" height="10"></svg></figure>
<details><p style="height: 900px">Three more words</p><figure></figure></details>
<div class="cell_input"><pre style="height: 450px; margin: 0">one
two</pre></div>
<p><strong>1.</strong> <em>(To warm up.)</em> Why?</p><p><strong>No</strong> <em>exercise</em></p>
</article><style>[data-code="hidden"] .cell_input { display: none }</style>"""


@pytest.mark.skipif(not chromium(), reason="no Chromium on this machine")
def test_a_page_is_measured_with_its_folds_closed(chrome):
    tab = chrome.new_page(viewport={"width": 1280, "height": 900})
    tab.set_content(PAGE)
    found = tab.evaluate(MEASURES)
    tab.close()
    assert (found["pictures"], found["lines"], found["exercises"]) == (1, 2, 1)
    assert found["words"] == 2 + 5 + 2 and found["rows"] == 0
    assert found["code"] - found["screens"] == 450
    assert found["open"] - found["code"] > 900 and found["first"] >= 900


def test_a_row_says_lengths_in_screens_and_a_missing_picture_with_a_dash():
    measured = {"screens": 1800, "code": 2700, "open": 2700, "words": 5, "rows": 1, "pictures": 0,
                "first": None, "lines": 0, "exercises": 2}  # fmt: skip
    assert as_row(measured).split() == ["2.0", "3.0", "3.0", "5", "1", "0", "–", "0", "2"]
