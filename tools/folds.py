"""A Sphinx extension: a proof in full lies behind one control, and the page goes on after it.

In a notebook a text cell that begins with ``<!-- proof -->`` opens such a fold and one that begins with
``<!-- end of proof -->`` closes it; notebooks do not show either. Headings stay outside.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

LOG = logging.getLogger(__name__)
OPEN, CLOSE = "<!-- proof -->", "<!-- end of proof -->"
COUNTED = {
    "proved": "{} checked",
    "defined": "{} defined",
    "assumed": "{} assumed",
    "refuted": "{} false",
    "cited": "{} cited",
}


class fold(nodes.General, nodes.Element):
    """What a proof consists of."""


class Fold(SphinxPostTransform):
    """Gathers what stands between the two comments."""

    default_priority = 7  # steps come at 5
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for opening in [raw for raw in self.document.findall(nodes.raw) if raw.astext().strip() == OPEN]:
            inside: list[nodes.Node] = []
            place = opening.parent.index(opening) + 1
            while place < len(opening.parent) and not _closes(opening.parent[place]):
                inside.append(opening.parent.pop(place))
            if place == len(opening.parent) or any(isinstance(part, nodes.section) for part in inside):
                LOG.warning("a fold is not closed before the next heading", location=opening)
                continue
            opening.parent.pop(place)
            opening.replace_self(fold("", *inside, said=said(inside)))


def _closes(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == CLOSE


def said(inside: list[nodes.Node]) -> str:
    """How many steps a fold holds, by kind: "5 checked, 1 assumed"."""
    steps = (found for part in inside for found in part.findall(nodes.Element) if found.tagname == "step")
    kinds = [found["record"]["kind"] for found in steps]
    return ", ".join(text.format(kinds.count(kind)) for kind, text in COUNTED.items() if kind in kinds)


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_node(fold, html=(_visit, _depart))
    app.add_post_transform(Fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _visit(writer: Any, node: fold) -> None:
    count = f": {node['said']}" if node["said"] else ""
    writer.body.append(f'<details class="proof"><summary>The steps in full{count}</summary>\n')


def _depart(writer: Any, node: fold) -> None:
    writer.body.append("</details>\n")
