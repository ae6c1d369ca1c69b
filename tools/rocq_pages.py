"""The statements of each page, and what Rocq was given of them and proved, on a page of its own, ``rocq/…``.

Nothing here is typed: formulas are the records', terms and proofs those that ``python -m formal`` compiles.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from formal.__main__ import theorem
from formal.claims import Book, One, gathered
from formal.export import Writer, identifier
from tools.formulas import in_lines, typeset
from tools.notebooks import ROOT
from tools.reference.ledger import WORDS, verdict
from tools.reference.records import proved_again, read_pages, rocq_page

INTRODUCTION = (
    "The labelled results of <a href='../{page}.html'>{title}</a> as statements. The folds show what "
    "those that are proved say in Rocq, and the proof: a computation on a certificate, and "
    "<code>check_sound</code>, the theorem that what passes it is true. What a term means is defined in "
    "<code>formal/Denote.v</code>, and in words in <code>FORMAT.md</code> beside it."
)


def pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, context and template of each, for Sphinx."""
    book = gathered([ROOT / "book"])
    claims = {one.claim.name: (page, one) for page, own in book.pages.items() for one in own}
    for page in read_pages(ROOT):
        own = [r for r in page.results if r["kind"] != "recalled"]
        if own:
            title = f"Statements, also in Rocq: {page.title}"
            introduction = INTRODUCTION.format(page=page.name, title=escape(page.title))
            body = [f"<h1>{escape(title)}</h1><p>{introduction}</p>"]
            numbers = app.env.toc_fignumbers[page.name]["displaymath"]
            for record in own:
                body.append(_statement(page.name, record, numbers))
                if shown := "\n".join(_claim(book, *claims[name]) for name in record["certificates"]):
                    body.append(f'<details class="proof"><summary>In Rocq</summary>{shown}</details>')
            name = rocq_page(page.name)
            yield name, {"title": title, "body": "\n".join(body), "meta": None}, "page.html"


def _statement(page: str, record: dict[str, Any], numbers: dict[str, tuple[int, ...]]) -> str:
    """Its number or title, with a link to where it stands, its verdict, and what it says."""
    label, known = record["label"], verdict(record)
    if record["kind"] == "words":
        anchor, name = label, record["title"]
        told = re.sub(r"\$(.+?)\$", lambda found: typeset(found[1], mathml=True).html, record["words"])
        said = re.sub(r"\*(.+?)\*", r"<em>\1</em>", f"<p>{told}</p>")
    else:
        anchor, name = f"equation-{label}", f"({'.'.join(map(str, numbers[f'equation-{label}']))})"
        said = f'<div class="math flow">{in_lines(record["latex"])}</div>'
    link = f'<a href="../{page}.html#{anchor}">{name}</a>'
    return f'<h2 id="{label}">{link} <code>{label}</code>: {WORDS.get(known, known)}</h2>\n{said}'


def _claim(book: Book, page: str, one: One) -> str:
    written = Writer(one.certificate, one.sources.__getitem__).written()
    given = f"Definition {identifier(one.claim.name)} : cert := {written}."
    said = theorem(book, page, one) if one.claim.name in proved_again() else "(* not proved again yet *)"
    fold = f'<details><summary>Its certificate</summary><pre class="term">{escape(given)}</pre></details>'
    return f'<pre class="term">{escape(said)}</pre>\n{fold}'
