"""What Rocq has proved again is said of the certificates that the pages hold now, and of no others."""

import json
import re
from pathlib import Path

import pytest

from formal import stored
from formal.claims import gathered
from formal.export import Writer
from formal.rocq import ALLOWED, LIBRARY, Failed, assumptions, require_allowed, require_proved
from posenc_proofs.kernel import replay  # noqa: F401  it brings all rules
from posenc_proofs.kernel.axioms import AXIOMS
from posenc_proofs.kernel.theorem import RULES
from tools.notebooks import ROOT
from tools.reference import records

FORMAL = ROOT / "formal"
FORMAT = (FORMAL / "FORMAT.md").read_text(encoding="utf-8")
SOURCES = {name: (FORMAL / f"{name}.v").read_text(encoding="utf-8") for name in LIBRARY}


@pytest.fixture(scope="module")
def book():
    return gathered([ROOT / "book"])


def test_most_claims_are_proved_again(book):
    """After a change of a page: make formal."""
    assert len(stored.proved_again(book)) > 0.93 * len(book.homes)


def test_a_changed_certificate_counts_no_longer_nor_what_rests_on_it(book):
    ones = {one.claim.name: one for own in book.pages.values() for one in own}
    kept = stored.proved_again(book)
    rests = next(name for name in sorted(kept) if ones[name].needs)
    below = ones[rests].needs[0]
    old = ones[below]
    claim = old.claim._replace(certificate=old.claim.certificate.replace("1", "2", 1))
    new = old._replace(claim=claim)
    pages = {page: [new if one == old else one for one in own] for page, own in book.pages.items()}
    lost = kept - stored.proved_again(book._replace(pages=pages))
    assert {below, rests} <= lost


def test_after_a_change_of_the_proofs_nothing_counts(book, monkeypatch):
    monkeypatch.setattr(stored, "sources", lambda: "others")
    assert stored.proved_again(book) == set()


def test_a_story_says_how_far_rocq_has_come(monkeypatch):
    monkeypatch.setattr(records, "proved_again", lambda: {"eq-a[1]", "eq-b"})
    said = [records.by_rocq({"certificates": dict.fromkeys(names, "")}) for names in SAID]
    assert said == list(SAID.values())


SAID = {
    ("eq-b",): "proved again",
    ("eq-a[1]", "eq-a[2]"): "1 of 2 claims proved again",
    ("eq-c",): "not yet proved again",
    (): "",
}


def test_a_statement_is_whole_and_names_its_letters(book):
    """What the site shows as a claim's theorem can be read without its certificate."""
    statements = [Writer(one.certificate).statement() for own in book.pages.values() for one in own]
    assert not any("Ref " in said for said in statements)
    assert "(Var 365(*m*) DZ)" in "".join(statements)


def tables(*heads):
    """The names in the first columns of the tables that begin so."""
    found = re.findall(rf"^\| (?:{'|'.join(heads)})\b.*\n\|.*\n((?:\|.*\n)+)", FORMAT, re.MULTILINE)
    first = [line.split("|")[1] for table in found for line in table.splitlines()]
    return {name for cell in first for name in re.findall(r"`([a-z_]+)`", cell)}


def test_the_format_names_every_rule_and_every_row():
    assert tables("rule and arguments") == RULES.keys()
    assert tables("row") == AXIOMS.keys()


def test_every_rule_has_its_lemma():
    proved = set(re.findall(r"^Lemma r_([a-z_]+)_ok\b", "".join(SOURCES.values()), re.MULTILINE))
    assert proved == RULES.keys()


def test_every_row_has_its_case():
    rooms = SOURCES["Axioms"] + SOURCES["Calculus"] + SOURCES["Far"]
    there = set(re.findall(r"\| (\w+)[^\n|]*=>", rooms))
    titles = {name: "".join(word.capitalize() for word in name.split("_")) for name in AXIOMS}
    titles["real"] = "Real_"
    assert set(titles.values()) <= there


SILENT = ["Axiom a : False.", "Lemma a : False. Admitted.", "Parameter n : nat.", "Variable n : nat."]


@pytest.mark.parametrize("text", [*SILENT, "admit.", "#[bypass_check(guard)] Fixpoint f"])
def test_what_is_assumed_in_silence_is_refused(text):
    with pytest.raises(Failed, match=r"Some\.v, line 2: assumed, not proved"):
        require_proved("Some", f"(* Axiom: a word *)\n{text}\n")


def test_nothing_is_assumed_in_the_files_and_another_axiom_is_seen():
    for name, text in SOURCES.items():
        require_proved(name, text)
    printed = "Axioms:\nclassic : forall P : Prop, P \\/ ~ P\nmine : False\n"
    assert assumptions(printed) == {"classic", "mine"} and len(ALLOWED) == 6
    for more in ("mine : False", "Mine.classic : False", "boom is assumed to be guarded."):
        with pytest.raises(Failed, match=re.escape(more.split(" :")[0])):
            require_allowed(f"Axioms:\nclassic : forall P : Prop, P\n{more}\n")


def test_attacks_are_kept_as_certificates():
    rows = [json.loads(line) for line in Path(FORMAL / "attacks.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) > 250 and all(reason is not True for _, reason, *_ in rows)
