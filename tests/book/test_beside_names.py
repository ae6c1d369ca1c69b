"""What stands beside a name agrees with it: citation and author, mark and word, equation and code.

Each could be moved to another one that exists, and every link would still lead somewhere.
"""

import re
import unicodedata

import pytest

from posenc_proofs.derivation.records import MARK
from tools.contents import page_names, text_of
from tools.notebooks import ROOT
from tools.reference import records

TEXTS = {name: text_of(name) for name in page_names()}


def plain(text):
    """Letters alone, without accents, small."""
    letters = unicodedata.normalize("NFKD", re.sub(r"\\.|[{}]", "", text)).lower()
    return "".join(letter for letter in letters if letter.isascii() and letter.isalpha())


def by_author():
    """The entries of the bibliography, by the surnames of their authors."""
    found: dict[str, set[str]] = {}
    bibliography = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    for key, entry in re.findall(r"^@\w+\{([^,]+),\n(.*?)^\}", bibliography, re.MULTILINE | re.DOTALL):
        authors = re.search(r"^ *author *= *\{(.*)\},?$", entry, re.MULTILINE)[1]
        for author in authors.split(" and "):
            found.setdefault(plain(author.split(",")[0]), set()).add(key)
    return found


BY_AUTHOR = by_author()
KEYS = set().union(*BY_AUTHOR.values())
CITED = re.compile(r"([\w-]+)(\*\*)?(?:['’]s?| et al\.)? \{cite(?::\w+)?\}`([\w,]+)`")


def astray(text):
    """The citations right behind the name of an author, or in bold of a method, that is not theirs."""
    for name, bold, keys in CITED.findall(text):
        method = re.compile(r"\D+\d{4}" + re.escape(name.lower().replace("-", "")))
        whose = BY_AUTHOR.get(plain(name), set()) | {key for key in KEYS if bold and method.fullmatch(key)}
        if whose and not whose & set(keys.split(",")):
            yield f"{name}: {keys}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_citation_behind_an_author_is_of_that_author(name):
    elsewhere = ["M-RoPE: wang2024qwen2vl"]  # which made it; another article has it in its key
    assert [behind for behind in astray(TEXTS[name]) if behind not in elsewhere] == []


def test_a_citation_that_went_astray_is_seen():
    assert list(astray("Abel's {cite}`lindemann1882zahl`")) == ["Abel: lindemann1882zahl"]
    assert list(astray("**ALiBi** {cite}`chi2022kerple`")) == ["ALiBi: chi2022kerple"]
    assert list(astray("Abel's {cite}`abel1826reihe`, the word {cite}`shaw2018relative`")) == []
    beside = [
        name for text in TEXTS.values() for name, _, _ in CITED.findall(text) if plain(name) in BY_AUTHOR
    ]
    assert len(beside) > 12


def test_a_mark_has_its_word():
    legends = [
        found for text in TEXTS.values() for found in re.findall(r"([✔≔◇✘]) \*{0,2}(\w+)(?=[,. ])", text)
    ]
    words = {mark: {word, word.removesuffix("d")} for word, mark in MARK.items()} | {"≔": {"defined", "a"}}
    assert len(legends) > 4
    assert [pair for pair in legends if pair[1] not in words[pair[0]] | {"stands"}] == []


#: A word of evidence, the end of what it is about, or a link to a result.
EVIDENCE = re.compile(r"(?i)\b(prove|disprove|refute|assume|define)[ds]?\b|[.;:|]\s|\{eq\}`([\w-]+)`")
KINDS = {r["label"]: r["kind"] for page in records.read_pages(ROOT) for r in page.results}


def evidence(text):
    """Each word of evidence with a result linked behind it, in the same clause, and whether it is its own."""
    word = ""
    for found in EVIDENCE.finditer(text):
        if found[2] and word:
            yield (f"{word}: {found[2]}", KINDS.get(found[2]) == word)
        elif not found[2]:
            word = f"{found[1].lower()}d".replace("disproved", "refuted") if found[1] else ""


@pytest.mark.parametrize("name", TEXTS)
def test_a_word_of_evidence_is_that_of_the_result_beside_it(name):
    wrong = [said for said, right in evidence(TEXTS[name]) if not right]
    assert not wrong, (
        "the page found another; if the word is about something else, end its clause before the link"
    )


def test_a_denial_is_seen():
    (label, *_) = (label for label, kind in KINDS.items() if kind == "proved")
    assert [right for _, right in evidence(f"We prove the bound, {{eq}}`{label}`")] == [True]
    assert [right for _, right in evidence(f"We disprove the bound, {{eq}}`{label}`")] == [False]
    assert sum(1 for text in TEXTS.values() for _ in evidence(text)) > 40


@pytest.mark.parametrize("name", TEXTS)
def test_a_reader_meets_the_articles_by_name(name):
    numbered = {"how-to-read", "reference/five-articles-zh", "reference/sources-and-corrections"}
    bare = re.findall(r"(?i)sources? 00\d|(?<![\w.,}-])(?<!\d )00[0-4](?![\w-])", TEXTS[name])
    assert not bare or name.removeprefix("book/") in numbered


def test_what_is_printed_from_a_record_names_the_article():
    said = [records.in_print(r["source"]) for page in records.read_pages(ROOT) for r in page.results]
    assert any(said) and not [text for text in said if re.search(r"\b00\d\b", text)]
