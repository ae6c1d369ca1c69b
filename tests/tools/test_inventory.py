"""Sources and corrections: nothing goes from the lists, and no verdict turns, without a word here."""

import importlib
import inspect
import math
import re

import pytest
import torch

import posenc_lib
from posenc_lib import RelativeAttention, RotarySpec, analysis, apply_rotary, cos_sin, inv_freq
from tools.chapter_numbers import dotted
from tools.contents import text_of
from tools.notebooks import ROOT
from tools.reference import chinese, inventory, notation, records
from tools.reference.records import data

DATA = data("inventory")
NOT_CONFIRMED = [item for item in DATA["items"] if item["verdict"] != "confirmed"]
PAGES = records.read_pages(ROOT)


@pytest.mark.parametrize("item", NOT_CONFIRMED, ids=lambda item: str(item["id"]))
def test_what_is_not_confirmed_is_corrected_on_one_of_its_pages(item):
    pages = {page for c in DATA["corrections"] if c["source"] == item["source"] for page in c["pages"]}
    assert pages & set(item["pages"])


def test_what_a_source_prints_and_a_page_refutes_is_among_the_corrections():
    listed = {label for entry in DATA["corrections"] for label in entry.get("labels", [])}
    refuted = [record for page in PAGES for record in page.results if record["kind"] == "refuted"]
    false = {record["label"]: record["source"] for record in refuted if record["source"]}
    assert len(false) > 20
    assert {label: source for label, source in false.items() if label not in listed} == {}


CODE = sorted({record["library"] for page in PAGES for record in page.results if record["library"]})


@pytest.mark.parametrize("name", CODE)
def test_the_code_beside_a_result_is_there(name):
    module, _, last = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), last))


def test_every_letter_that_is_described_is_used():
    described = data("notation")
    used = [notation.meaning_of(name, described) for name in notation.collect(PAGES)]
    assert [letter for letter, entry in described.items() if entry not in used] == []


def test_the_base_that_is_meant_unless_said_otherwise_is_the_library_s():
    default = inspect.signature(inv_freq).parameters["base"].default
    assert f"{default:.0f} unless said otherwise" in data("notation")["b"]["meaning"]


CHINESE_ROW = re.compile(r"(?m)^\* - \[?(\d+b?).*\n(?:  - .+\n){2}  - \*\*(\w+)\*\*(.*)\n  - (.+)$")


def test_the_chinese_tables_show_what_is_not_confirmed_and_fold_the_rest():
    shown = re.sub(r"(?ms)^:::\{dropdown\}.*?^:::$", "", text_of("book/reference/five-articles-zh"))
    assert [row[0] for row in CHINESE_ROW.findall(shown)] == [str(item["id"]) for item in NOT_CONFIRMED]


def test_the_chinese_table_says_of_each_item_what_the_english_one_says():
    page, order = text_of("book/reference/five-articles-zh"), [str(item["id"]) for item in DATA["items"]]
    rows = sorted(CHINESE_ROW.findall(page), key=lambda row: order.index(row[0]))
    verdicts = dict(zip(("成立", "更正", "说得太满"), inventory.VERDICTS, strict=True))
    for item, (number, verdict, note, links) in zip(DATA["items"], rows, strict=True):
        assert (number, verdicts[verdict]) == (str(item["id"]), item["verdict"])
        assert note or "note" not in item, number
        assert all(f"<../{linked}>`" in links for linked in item["pages"]), number
        assert re.findall(r"\{eq\}`(.+?)`", links) == item.get("labels", []), number


def test_the_words_on_which_a_verdict_hangs_stand_on_the_chinese_page_as_they_were_printed():
    page = text_of("book/reference/five-articles-zh")
    quoted = [entry["quote"] for entry in DATA["corrections"] if "quote" in entry]
    assert len(quoted) == 12 and [words for words in quoted if f"  - {words}\n" not in page] == []


def test_the_chinese_page_counts_every_item_and_shows_its_pictures_in_chinese():
    linked = re.findall(r"`([\d.]*) ?[^`<]*<\.\./(\d-[^>]+)>`", text_of("book/reference/five-articles-zh"))
    assert len(linked) > 90 and [page for said, page in linked if said != dotted(f"book/{page}")] == []
    assert sum(map(int, re.findall(r"\d+(?= 条)", chinese.verdicts(DATA)))) == inventory.COUNT
    pictures = [re.sub("</?tspan.*?>", "", chinese.picture(*shown)) for shown in chinese.PICTURES.values()]
    words = {
        word for drawn in pictures for text in re.findall(r">(.+)</text>", drawn) for word in text.split()
    }
    assert {"平面", "在"} <= words and not [word for word in words if re.match("[a-z]{2}", word)]
    assert r"\mathcal H" in chinese.expansion(PAGES)


def test_what_is_said_of_the_figures_of_listing_1_and_of_base_1000_is_what_is_computed():
    notes = {item["id"]: item["note"] for item in DATA["items"] if item["id"] in (52, 53)}
    bases = (1e8, 1e4)  # the listing squares each frequency
    rows = [torch.cos(torch.arange(60)[:, None] * inv_freq(512, base=base)).sum(-1) for base in bases]
    rise = [int((row.diff() > 0).nonzero()[0]) for row in rows]
    turned = [f"{math.degrees(6 * inv_freq(20, base=base)[1]):.0f}°" for base in bases]
    three, six = (torch.cos(k * inv_freq(20)).sum() for k in (3, 6))
    assert f"PE₀·PE₆ = {six:.2f} > PE₀·PE₃ = {three:.2f};" in notes[52]
    zero = next(x for x in range(1, 1000) if analysis.decay_integral(torch.tensor(x + 1.0), base=1000) < 0)
    assert f"falls to zero near {zero}" in text_of("book/reference/sources-and-corrections")
    assert f"from {rise[0]} to {rise[0] + 1}, and with" in notes[53]
    assert notes[53].endswith(f"from {rise[1]} to {rise[1] + 1}")
    assert f"listing 1 only ({turned[0]}): as defined it has turned by {turned[1]};" in notes[52]


def test_a_number_in_chinese_is_one_of_the_english_page_or_of_the_front_page():
    def numbers(text):
        return set(re.findall(r"\d+\.\d+|\d{2,}", re.sub(r"\{\w+\}`.*?`", "", text)))

    english = text_of("book/index") + text_of("book/reference/sources-and-corrections")
    listed = (ROOT / "tools/reference/inventory.yml").read_text(encoding="utf-8")
    assert numbers(text_of("book/reference/five-articles-zh")) <= numbers(english + listed)


def test_planes_and_positions_have_letters_that_mean_nothing_else():
    found = notation.collect([page for page in PAGES if "/reference/" not in page.name])
    assert found["N"].keys() == {"ℕ₊"}, "the number of planes"
    positions = {"ℕ", "ℤ", "ℝ₊"}  # the last where a temperature grows with the position
    assert found["m"].keys() | found["n"].keys() <= positions and len(found["n"]["ℤ"]) > 10


def test_the_conventions_name_what_code_has():
    named = set(re.findall(r"`(\w+)", text_of("book/reference/notation").split("## Letters")[0]))
    calls = (RotarySpec, RelativeAttention, apply_rotary, cos_sin)
    arguments = {name for call in calls for name in inspect.signature(call).parameters}
    known = arguments | {*dir(posenc_lib), *dir(analysis)}
    assert named - known == {"rope_theta", "theta"}, "what others call the base"
