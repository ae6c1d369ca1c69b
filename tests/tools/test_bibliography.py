"""What an entry of the bibliography says in two ways agrees, and what was compared with its source stays."""

import hashlib
import re
import unicodedata
from pathlib import Path

import pytest
import yaml
from pybtex.database import parse_string
from pybtex.plugin import find_plugin

from tools.citations import letter
from tools.notebooks import ROOT

TEXT = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
ENTRIES = {
    found[1]: dict(re.findall(r"^ *(\w+) *= *\{(.*)\},?$", found[2], re.MULTILINE))
    for found in re.finditer(r"^@\w+\{([^,]+),\n(.*?)^\}", TEXT, re.MULTILINE | re.DOTALL)
}
FORMATTED = parse_string(TEXT, "bibtex")
STYLE = find_plugin("pybtex.style.formatting", "plain")()
PREPRINTS = {key: entry for key, entry in ENTRIES.items() if "eprint" in entry}
COMPARED = yaml.safe_load((Path(__file__).parent / "citations.yml").read_text(encoding="utf-8"))


def test_a_preprint_that_the_library_names_is_in_the_bibliography():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "posenc_lib").rglob("*.py")]
    named = {number for text in texts for number in re.findall(r"arXiv (\d{4}\.\d{5})", text)}
    assert len(named) > 5 and named <= set(re.findall(r"\d{4}\.\d{5}", TEXT))


@pytest.mark.parametrize("key", PREPRINTS)
def test_a_preprint_has_one_number_and_came_before_its_publication(key):
    entry = PREPRINTS[key]
    fields = " ".join(entry.values())
    named = re.findall(r"arxiv\.org/abs/([\w./-]+)|arXiv[.:]([\d.]+)", fields, re.IGNORECASE)
    assert {a or b for a, b in named} <= {entry["eprint"]}
    posted = 2000 + int(entry["eprint"].rpartition("/")[2][:2])  # math/0607437 is of 2006, too
    assert posted <= int(entry["year"]) <= posted + 3


@pytest.mark.parametrize("key", sorted(ENTRIES.keys() - {"dlmf"}))
def test_a_key_names_the_first_author(key):
    named = re.match(r"[a-z]+?(?=\d)", key)[0]
    first = ENTRIES[key]["author"].split(" and ")[0]
    assert unaccented(named) in unaccented(first), first


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_can_be_printed_and_its_address_is_as_written(key):
    entry = FORMATTED.entries[key]
    shown = next(STYLE.format_entries([entry])).text.render_as("text")
    addresses = re.findall(r"\\url\{([^}]+)\}", entry.fields.get("howpublished", ""))
    assert all(address in shown for address in [*addresses, entry.fields.get("url", "")])


def digest(entry):
    return hashlib.sha256(repr(sorted(entry.items())).encode()).hexdigest()[:12]


def test_the_entries_are_those_that_were_compared():
    assert list(COMPARED) == list(ENTRIES)


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_says_what_was_compared_with_its_source(key):
    """Where it fails: look the work up, mend the entry, and say in citations.yml what you compared."""
    line = COMPARED[key]
    assert line["against"] and line.keys() <= {"read", "against", "open"}
    assert line["read"] == digest(ENTRIES[key]), f"compare {key}, then: {digest(ENTRIES[key])}"


def test_works_that_would_be_cited_alike_have_years_of_their_own():
    entries = parse_string(TEXT, "bibtex").entries
    letter(entries.values())
    letter(entries.values())  # a second build finds them as the first left them
    years = {key: entries[key].fields["year"] for key in entries}
    su = [years[f"su2021{work}"] for work in ("sinusoidal", "rope", "rope2d", "fused")]
    assert su == ["2021b", "2021c", "2021d", "2021a"]
    assert years["su2021roformer"] == "2024" and years["unknown000rotation"] == "n.d."
    assert {len(year) for key, year in years.items() if key.startswith("yang2025")} == {5}


def unaccented(text):
    plain = unicodedata.normalize("NFKD", re.sub(r"\\.|[{}]", "", text))
    return "".join(letter for letter in plain.lower() if letter.isascii() and letter.isalpha())
