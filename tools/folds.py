"""A proof in full lies behind one control, and the page goes on after it.

In a notebook a text cell ``<!-- proof -->``, or ``<!-- proof: a title -->``, opens such a fold, and one with
``<!-- end of proof -->`` closes it; notebooks show neither. Headings stay outside. What a page teaches is
folded, too, so that it does not stand between the first picture and the text.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.util import logging

LOG = logging.getLogger(__name__)
OPEN, CLOSE = re.compile(r"<!-- proof(?:: (.+))? -->"), "<!-- end of proof -->"
TITLE = "The steps in full"
GOALS = "You will be able to"


class fold(nodes.General, nodes.Element):
    """What a proof consists of."""


def gather(app: Any, doctree: nodes.document, page: str) -> None:
    """Gather what stands between the two comments."""
    for opening in list(doctree.findall(nodes.raw)):
        found = OPEN.fullmatch(opening.astext().strip())
        if not found:
            continue
        inside: list[nodes.Node] = []
        place = opening.parent.index(opening) + 1
        while place < len(opening.parent) and not _closes(opening.parent[place]):
            inside.append(opening.parent.pop(place))
        if place == len(opening.parent) or any(isinstance(part, nodes.section) for part in inside):
            LOG.warning("a fold is not closed before the next heading", location=opening)
            continue
        opening.parent.pop(place)
        opening.replace_self(fold("", *inside, said=said(found[1] or TITLE, inside)))
    for goals in [p for p in doctree.findall(nodes.paragraph) if p.astext() == GOALS]:
        items = goals.parent.pop(goals.parent.index(goals) + 1)
        goals.replace_self(fold("", items, said=GOALS))


def around(node: nodes.Node) -> Iterator[nodes.Element]:
    """What a node stands in, from its parent up."""
    while (node := node.parent) is not None:
        yield node


def _closes(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == CLOSE


def said(title: str, inside: list[nodes.Node]) -> str:
    """The line of a fold; and how many of its steps are false as a source printed them."""
    steps = (found for part in inside for found in part.findall(nodes.Element) if found.tagname == "step")
    records = [step["record"] for step in steps]
    count = sum(record["kind"] == "refuted" and bool(record["source"]) for record in records)
    return f"{title}: {count} false as printed" if count else title


def visit(writer: Any, node: fold) -> None:
    """How a fold begins on the site."""
    writer.body.append(f'<details class="proof"><summary>{escape(node["said"])}</summary>\n')


def depart(writer: Any, node: fold) -> None:
    """How it ends."""
    writer.body.append("</details>\n")
