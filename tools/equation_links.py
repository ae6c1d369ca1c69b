"""Beneath an equation, what it rests on is named by number, as everywhere in the text.

The checker links labels, ``<a href="#equation-eq-abel-end">eq-abel-end</a>``; the book prints "(4.3.10)",
linked to the page where that equation stands; a label that no page has is a warning, as it is in prose.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref

_LINK = re.compile(r'<a href="#equation-([^"]+)">\1</a>')


def numbers_for_labels(app: Any, doctree: nodes.document, page: str) -> None:
    """Turn links named by a label into references, which Sphinx then numbers."""
    for raw in list(doctree.findall(nodes.raw)):
        if _LINK.search(raw.astext()):
            raw.replace_self(list(_with_references(raw, page)))


def _with_references(raw: nodes.raw, docname: str) -> Iterator[nodes.Node]:
    for index, part in enumerate(_LINK.split(raw.astext())):  # HTML, label, HTML, …, HTML
        if index % 2:
            yield reference(part, docname)
        else:
            yield nodes.raw("", part, format=raw["format"])


def reference(label: str, docname: str) -> nodes.inline:
    """A label's number, as a link from the page ``docname``, once Sphinx has resolved it."""
    wanted = {"refdomain": "math", "reftype": "eq", "reftarget": label, "refdoc": docname}
    return nodes.inline("", "", pending_xref("", nodes.literal(text=label), refwarn=True, **wanted))
