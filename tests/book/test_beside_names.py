"""What stands beside a name agrees with it: citation and author, mark and word, equation and code.

Each could be moved to another one that exists, and every link would still lead somewhere.
"""

import importlib
import inspect
import re
import unicodedata

import nbformat
import pytest

from posenc_proofs.derivation.records import MARK
from tools.contents import page_names, source_of
from tools.notebooks import ROOT
from tools.reference import api, inventory, records


def text_of(name):
    path = source_of(name, ROOT)
    if path is None or path.suffix == ".md":
        return path.read_text(encoding="utf-8") if path else ""
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


TEXTS = {name: text_of(name) for name in page_names(ROOT)}


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
CITED = re.compile(r"([\w-]+)(?:['’]s?| et al\.)? \{cite(?::\w+)?\}`([\w,]+)`")


def astray(text):
    """The citations right behind a name that is not theirs."""
    for name, keys in CITED.findall(text):
        whose = BY_AUTHOR.get(plain(name), set())
        if whose and not whose & set(keys.split(",")):
            yield f"{name}: {keys}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_citation_behind_an_author_is_of_that_author(name):
    assert list(astray(TEXTS[name])) == []


def test_a_citation_that_went_astray_is_seen():
    assert list(astray("Abel's {cite}`lindemann1882zahl`")) == ["Abel: lindemann1882zahl"]
    assert list(astray("Abel's {cite}`abel1826reihe`, the word {cite}`shaw2018relative`")) == []
    beside = [name for text in TEXTS.values() for name, _ in CITED.findall(text) if plain(name) in BY_AUTHOR]
    assert len(beside) > 12


def test_a_mark_has_its_word():
    legends = [
        found for text in TEXTS.values() for found in re.findall(r"([✔≔◇✘]) \*{0,2}(\w+)(?=[,. ])", text)
    ]
    words = {mark: {word, word.removesuffix("d")} for word, mark in MARK.items()} | {"≔": {"defined", "a"}}
    assert len(legends) > 4
    assert [pair for pair in legends if pair[1] not in words[pair[0]] | {"stands"}] == []


# --- the five articles: their names, their credit, and the numbers of their equations in docstrings


@pytest.mark.parametrize("name", TEXTS)
def test_a_reader_meets_the_articles_by_name(name):
    numbered = {"how-to-read", "reference/five-articles-zh", "reference/sources-and-corrections"}
    bare = re.findall(r"(?i)sources? 00\d|(?<![\w.,}-])(?<!\d )00[0-4](?![\w-])", TEXTS[name])
    assert not bare or name.removeprefix("book/") in numbered


def test_what_is_printed_from_a_record_names_the_article():
    assert [said for r in RESULTS if re.search(r"\b00\d\b", said := records.in_print(r["source"]))] == []


def numbers(said):
    """Article and number of each equation that is named: of "source 003 (4)-(6)" the three from 4 to 6."""
    article, last = "", None
    for code, (known, _) in records.ARTICLES.items():
        said = said.replace(known, code)
    for code, dash, number in re.findall(r"\b(00\d)\b|([-–])?\((\d+)\)", said):
        article = code or article
        if number and article:
            first = last + 1 if dash and last else int(number)
            yield from ((article, k) for k in range(first, int(number) + 1))
            last = int(number)


NAMED = tuple(name for name, _ in records.ARTICLES.values())


def sources(value):
    """Equations of the articles that a docstring names, in those parts of it that begin with an article."""
    said = (inspect.getdoc(value) or "").partition("\nSource:\n")[2]
    parts = [part for part in said.split(";") if part.strip().startswith(NAMED)]
    return {pair for part in parts for pair in numbers(part)}


RESULTS = [record for page in records.read_pages(ROOT) for record in page.results if record["source"]]
ITEMS = inventory.load()
LISTED = {pair for record in RESULTS for pair in numbers(record["source"])}
LISTED |= {
    pair
    for part in ("items", "corrections")
    for i in ITEMS[part]
    for pair in numbers(f"{i['source']} {i['at']}")
}


@pytest.mark.parametrize("name", sorted(api.public("posenc_lib")))
def test_a_docstring_names_the_equations_that_the_book_has_beside_its_code(name):
    module, _, last = name.rpartition(".")
    named = sources(getattr(importlib.import_module(module), last))
    assert named <= LISTED
    beside = {pair for record in RESULTS if record["library"] == name for pair in numbers(record["source"])}
    articles = {article for article, _ in beside}
    assert {(article, k) for article, k in named if article in articles} <= beside
