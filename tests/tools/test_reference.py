"""The reference pages say what the notebooks say, and what does not fit together is refused."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tools import contents, make_reference
from tools.notebooks import ROOT
from tools.reference import cards, graph, inventory, ledger, records, results
from tools.reference.records import STEP, Page, data


def record(label, uses=(), **changes):
    """A result as a notebook stores it."""
    plain = {
        "label": label, "derivation": "t", "kind": "proved", "latex": "a = b",
        "letters": {},
        "status": "proved", "methods": ["identity"], "scope": "for all x ∈ ℝ", "rows": 1,
        "axioms": [], "certificates": {},
        "uses": list(uses), "rests_on": [], "source": "", "library": "", "counterexample": "",
        "mutants": {"refuted": 3, "equal": [], "open": 0},
    }  # fmt: skip
    return plain | changes


def page(*results, name="book/x/1"):
    return Page(name, "A title", results)


def assumed(label):
    return record(label, kind="assumed", status="assumed")


@pytest.fixture(scope="module")
def book():
    return records.read_pages(ROOT)


def recalling(label, **changes):
    certificates = {f"{label}@t": "{}"}
    return record(label, kind="recalled", status="recalled", **{"certificates": certificates, **changes})


def worded(label, uses, **changes):
    empty = {"mutants": {"refuted": 0, "equal": [], "open": 0}, "methods": [], "rows": 0, "latex": ""}
    said = {"title": "Theorem 1", "words": "Circles are *round*."}
    return record(label, uses, kind="words", status="words", **empty, **said, **changes)


# --- what is refused

A = record("eq-a")
#: Results of a page, those of a second, and what is said of them.
FITTING = [
    ([A], [recalling("eq-a")], None),
    ([A, worded("thm-a", ["eq-a"]), worded("thm-b", ["thm-a", "eq-a"])], [], None),
    ([A], [A], "the label eq-a is used by 2 results"),
    ([record("eq-a", ["eq-b"])], [], "eq-a uses eq-b, which no page shows"),
    ([record("eq-a", ["eq-b"]), record("eq-b", ["eq-c"]), record("eq-c", ["eq-a"])], [],
     "results rest on each other: eq-a → eq-b → eq-c → eq-a"),
    ([recalling("eq-b"), record("eq-a", ["eq-b"])], [recalling("eq-a"), record("eq-b", ["eq-a"])],
     "results rest on each other: eq-a → eq-b → eq-a"),
    ([record("eq-a", status="undecided")], [], "eq-a is undecided"),
    ([record("eq-a", mutants={"refuted": 0, "equal": ["2 x"], "open": 3})], [], "none of its wrong versions"),
    ([], [recalling("eq-a")], "no page proves it"),
    ([A], [recalling("eq-a", certificates={})], "eq-a is recalled, but it has no certificate"),
    ([assumed("eq-a")], [recalling("eq-a")], "says assumed"),
    ([record("eq-a", kind="defined", status="defined")], [recalling("eq-a")], "says defined"),
    ([A], [worded("thm-a", ["eq-a"])], "thm-a is in words: not all of its steps are proved here: eq-a"),
    ([A, worded("thm-a", [])], [], "thm-a is in words: not all of its steps are proved here"),
    ([assumed("eq-h"), worded("thm-a", ["eq-h"])], [], "not all of its steps are proved here: eq-h"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "complaint"), FITTING)
def test_results_that_do_not_fit_together_are_named(first, second, complaint):
    found = records.problems([page(*first), page(*second, name="book/x/2")])
    assert len(found) == (complaint is not None) and all(complaint in what for what in found)


def test_what_crosses_a_page_stands_in_the_ledger_and_in_the_graph():
    near = record("eq-b", uses=["eq-a"], rests_on=["eq-a"], axioms=["linear"])
    pages = [page(record("eq-a", axioms=["triangle"])), page(recalling("eq-a"), near, name="book/y/2")]
    pages[0] = replace(pages[0], title="A title & more words than there is room for in a box")
    own, other = ledger.as_markdown(pages).split("On {doc}`../y/2`: 1 result, ")
    assert "{eq}`eq-a` on {doc}`../x/1`" in other and "on {doc}`../x/1`" not in own
    assert "definitions; axioms `linear`, `triangle`" in other
    assert ledger.totals(pages)["by_axiom"] == {"triangle": 2, "linear": 1}
    assert ledger.as_json(pages)["results"][1]["axioms"] == ["linear", "triangle"]
    assert f'\nversion = "{ledger.as_json(pages)["version"]}"\n' in (ROOT / "pyproject.toml").read_text()
    drawn = graph.svg(pages[1], pages)
    texts = [text.text for text in ElementTree.fromstring(drawn).findall(".//text")]
    assert texts == ["✔ a", "↩ A title & more words than …", "✔ b"]
    assert 'href="../x/1.html#equation-eq-a"' in drawn and graph.svg(pages[0], pages) == ""


def test_a_theorem_in_words_has_its_own_line_and_is_not_counted_as_proved():
    step = record("eq-a", certificates={"eq-a": "{}"})
    pages = [page(step, worded("thm-a", ["eq-a"]))]
    assert ledger.totals(pages)["by_verdict"] == {"proved": 1, "words": 1}
    assert ledger.totals(pages)["claims"] == ledger.totals(pages)["rows"] == 1
    text = ledger.as_markdown(pages)
    assert "1 proved, 1 stated in words, its steps are proved" in text
    line = next(part for part in text.split("\n- ") if part.startswith("{ref}`Theorem 1 <thm-a>` `thm-a`"))
    assert "stated in words, its steps are proved" in line and "{eq}`eq-a`" in line
    drawn = graph.svg(pages[0], pages)
    assert '1.html#thm-a"' in drawn and "¶ thm-a" in drawn and 'class="given"' in drawn


def test_the_build_refuses_a_letter_without_a_meaning(book):
    new = record("eq-new", letters={"unheard": "ℝ", "k_new": "ℝ"})
    assert make_reference.all_problems([*book, page(new)]) == [
        "notation: unheard is used on book/x/1 but not in tools/reference/notation.yml"  # an indexed k is a k
    ]


# --- what is computed


def test_rests_on_follows_uses_to_the_hypotheses():
    results = [assumed("eq-h"), assumed("eq-g"), record("eq-a", uses=["eq-h"]), record("eq-b", uses=["eq-a"])]
    known = records.own_results([page(*results)])
    assert records.rests_on("eq-b", known) == ["eq-h"]
    assert records.rests_on("eq-h", known) == []


# --- the book as it is


def test_the_book_s_results_fit_together(book):
    assert make_reference.all_problems(book) == []


def test_the_ledger_shows_every_result_of_every_notebook(book):
    shown = set(re.findall(r"^- \{(?:eq|ref)\}`[^`]+` `([^`]+)`", ledger.as_markdown(book), flags=re.M))
    stored = {
        output["data"][STEP]["label"]
        for p in book if (ROOT / f"{p.name}.ipynb").exists()
        for cell in json.loads((ROOT / f"{p.name}.ipynb").read_text())["cells"]
        for output in cell.get("outputs", []) if STEP in output.get("data", {})
    }  # fmt: skip
    assert shown == stored and len(shown) > 100


def test_the_front_page_lists_every_page_once_in_reading_order():
    assert "{include} reference/generated/pages.md" in (ROOT / "book" / "index.ipynb").read_text()
    listed = re.findall(r"^\{doc\}`(.*?)`", cards.as_markdown(contents.parts()), flags=re.M)
    assert [f"book/{page}" for page in listed] == contents.page_names()[1:]


def test_the_inventory_refuses_dead_links_unknown_verdicts_and_silent_items(book):
    good = data("inventory")
    first, before = good["items"][0], inventory.problems(good, book)
    for change, complaint in [
        ({"pages": ["9-none/91"]}, "no page book/9-none/91"),
        ({"labels": ["eq-none"]}, "no page shows eq-none"),
        ({"verdict": "true"}, "verdict must be one of"),
        ({"verdict": "corrected"}, "its corrections say confirmed"),
        ({"pages": []}, "names the pages"),
    ]:
        spoilt = {**good, "items": [first | change, *good["items"][1:]]}
        found = [what for what in inventory.problems(spoilt, book) if what not in before]
        assert len(found) == 1 and complaint in found[0]
    assert "item 1 is missing" in inventory.problems({**good, "items": good["items"][1:]}, book)[0]


def test_a_result_of_the_book_is_refused_where_its_page_does_not_show_it_or_its_number_moves(book):
    first, second, *rest = data("results")
    assert "R2 stands where R1 is expected" in results.problems([second, first, *rest], book)[0]
    moved = results.problems([first | {"page": second["page"], "labels": ["eq-none"]}, second], book)
    assert moved == [f"results: R1 names eq-none, which book/{second['page']} does not show"]
    assert "neither labels nor" in results.problems([first | {"labels": []}], book)[0]


def test_a_result_of_the_book_says_what_the_records_say():
    step, other = record("eq-a"), record("eq-b")
    entry = {"id": "R1", "title": "T", "says": "S.", "page": "x/1", "since": "0.1.0", "nearest": "N."}
    pages = [
        page(step, other, worded("thm-a", ["eq-a"]), record("eq-c", status="refuted", source="source 001"))
    ]
    labels, part = ["eq-a", "eq-b", "thm-a", "eq-c"], "49-base-bounds#weightings"
    shown = results.as_markdown([entry | {"labels": labels, "stored": [part]}], pages)
    assert (
        "(R1)=\n### R1. T\n\nS." in shown
        and "{eq}`eq-a`, {eq}`eq-b` proved; " in shown
        and "*Nearest:* N." in shown
    )
    assert "{ref}`Theorem 1 <thm-a>` in words, 1 of its 1 steps proved, 0 again by Rocq" in shown
    assert "{eq}`eq-c` false as printed" in shown and "computation in ball arithmetic" in shown
    assert f" under `weightings`, run on {results.stored('49-base-bounds')['weightings']['date']}" in shown


def test_a_flipped_label_in_a_notebook_s_output_is_noticed(book):
    target = next(p for p in book if any(r["label"] == "eq-004-36" for r in p.results))
    results = tuple(r | {"label": "eq-x"} if r["label"] == "eq-abel-end" else r for r in target.results)
    spoilt = [replace(p, results=results) if p is target else p for p in book]
    assert any("eq-004-36 uses eq-abel-end" in what for what in records.problems(spoilt))


@pytest.mark.parametrize("entry", data("results"), ids=lambda entry: entry["id"])
def test_a_number_of_a_result_stands_on_its_page(entry):
    """Those of two digits and more, as the page prints them."""
    page = (ROOT / "book" / f"{entry['page']}.ipynb").read_text(encoding="utf-8")
    said = re.findall(r"(?<![\w.])\d+(?:[.,]\d+)+|(?<![\w.])\d{2,}(?!\w)", entry["says"])
    assert [number for number in said if number not in page and number.replace(",", "") not in page] == []
