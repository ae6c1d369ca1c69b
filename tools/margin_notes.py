"""A source that a paragraph cites stands beside it, where the window has a margin.

The note, one for each source of a page, says what the bibliography's entry says; ``assets/book.css`` shows it
from 1200 px on. An author's own note is the theme's directive ``{margin}``.
"""

from typing import Any

from docutils import nodes

from tools.folds import around

#: In these a float has no margin beside it, or the reader has to open it first.
_WITHOUT_MARGIN = (nodes.table, nodes.figure, nodes.topic, nodes.footnote, nodes.container)


def sources_beside(app: Any, doctree: nodes.document, page: str) -> None:
    """Put a note before each paragraph that is the first to cite an entry."""
    seen: set[str] = set()
    for cited in list(doctree.findall(nodes.reference)):
        target, said = cited.get("refuri", ""), cited.attributes.pop("reftitle", "")
        if not said or "references.html#" not in target or target in seen:
            continue
        paragraph = _paragraph(cited)
        if paragraph is not None:
            seen.add(target)
            note = nodes.sidebar("", nodes.paragraph(text=said), classes=["margin", "source"])
            paragraph.parent.insert(paragraph.parent.index(paragraph), note)


def _paragraph(node: nodes.Node) -> nodes.paragraph | None:
    """The one around ``node``, unless a node between it and the page has no margin."""
    above = list(around(node))
    if any(isinstance(part, _WITHOUT_MARGIN) for part in above):
        return None
    return next((part for part in reversed(above) if isinstance(part, nodes.paragraph)), None)
