"""What Rocq was given of each page and what it proved, on a page of its own, ``rocq/…``.

Nothing here is typed: formulas are the records', terms and proofs those that ``python -m formal`` compiles.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from formal.__main__ import theorem
from formal.claims import Book, One, gathered
from formal.export import Writer, identifier
from tools.formulas import in_lines
from tools.notebooks import ROOT
from tools.reference.records import proved_again, read_pages, rocq_page

INTRODUCTION = (
    "What each checked result of <a href='../{page}.html'>{title}</a> says in Rocq, and its proof: a "
    "computation on its certificate, and <code>check_sound</code>, the theorem that what passes it is true. "
    "What a term means is defined in <code>formal/Denote.v</code>, and in words in <code>FORMAT.md</code> "
    "beside it."
)


def pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, context and template of each, for Sphinx."""
    book = gathered([ROOT / "book"])
    claims = {one.claim.name: (page, one) for page, own in book.pages.items() for one in own}
    for page in read_pages(ROOT):
        own = [r for r in page.results if r["certificates"] and r["kind"] != "recalled"]
        if own:
            title = f"Rocq: {page.title}"
            introduction = INTRODUCTION.format(page=page.name, title=escape(page.title))
            body = [f"<h1>{escape(title)}</h1><p>{introduction}</p>"]
            for record in own:
                body.append(_head(page.name, record))
                body += (_claim(book, *claims[name]) for name in record["certificates"])
            name = rocq_page(page.name)
            yield name, {"title": title, "body": "\n".join(body), "meta": None}, "page.html"


def _head(page: str, record: dict[str, Any]) -> str:
    label = record["label"]
    link = f'<a href="../{page}.html#equation-{label}">{label}</a>'
    return f'<h2 id="{label}">{link}</h2>\n<div class="math flow">{in_lines(record["latex"])}</div>'


def _claim(book: Book, page: str, one: One) -> str:
    written = Writer(one.certificate, one.sources.__getitem__).written()
    given = f"Definition {identifier(one.claim.name)} : cert := {written}."
    said = theorem(book, page, one) if one.claim.name in proved_again() else "(* not proved again yet *)"
    fold = f'<details><summary>Its certificate</summary><pre class="term">{escape(given)}</pre></details>'
    return f'<pre class="term">{escape(said)}</pre>\n{fold}'
