"""A derivation on a page has a link that takes it to "Try it here".

The link's fragment is the text of a ``%%derive`` cell, with what is said, defined and supposed before it in
the same derivation, and the earlier results that it uses. What rests on another page, or is in words, stays
without a link. Where a cell is the answer of an exercise, a link above its solution brings the task, whose
right sides are to be written, and the exercise's address: the page shows its text, and leads back.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

from docutils import nodes

from posenc_proofs.text.blocks import Block, blocks

PAGE = "book/reference/try-it"
CELL = re.compile(r"%%derive[ \t]+([\w-]+)[ \t]*\n")
WORD = re.compile(r"[^\W\d][\w-]*")
AT_NEED = {"prove", "refute", "words", "recall"}  # what a text brings only where it is used
TO_WRITE = "  = ?  -- your line"


class Part(NamedTuple):
    """One scope, definition or result of a text, as it is written, and as it is read."""

    text: str
    block: Block | str

    @property
    def kind(self) -> str:
        """ "scope", or the block's."""
        return "scope" if isinstance(self.block, str) else self.block.kind


class Linked(NamedTuple):
    """What a cell needs, and its own parts."""

    given: list[Part]
    own: list[Part]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(part.text for part in [*self.given, *self.own])

    @property
    def task(self) -> str:
        """The same without what stands on the right sides of the cell's own equations."""
        return "\n".join([*(part.text for part in self.given), *map(_asked, self.own)])


def _asked(part: Part) -> str:
    if isinstance(part.block, str) or part.kind != "prove":
        return part.text
    return f"{part.block.label}: {part.block.left}\n{TO_WRITE}"


def alone(cells: Sequence[str]) -> Linked | None:
    """The last cell, a derivation, with what it needs; None if it is in words, or rests on another page.

    Args:
        cells: the code cells of a page, in order, down to this one
    """
    derivations = [(at[1], _parts(cell[at.end() :])) for cell in cells if (at := CELL.match(cell))]
    (name, own), given = derivations[-1], []
    used = _mentioned(own)
    for part in reversed([part for other, parts in derivations[:-1] if other == name for part in parts]):
        if part.kind not in AT_NEED or (isinstance(part.block, Block) and part.block.label in used):
            given.insert(0, part)
            used |= _mentioned([part])
    if {part.kind for part in [*given, *own]} & {"recall", "words"}:
        return None
    return Linked(given, own) if {part.kind for part in own} & {"prove", "refute"} else None


@cache
def _parts(text: str) -> list[Part]:
    cut = re.split(r"\n(?=\S)", re.sub(r"(?<!\\)#.*", "", text).strip("\n"))
    return [Part(part.rstrip(), next(blocks(part))) for part in cut if part.strip()]


def _mentioned(parts: Sequence[Part]) -> set[str]:
    """The words in the rules of rows, labels among them."""
    rows = (row for part in parts if isinstance(part.block, Block) for row in part.block.rows)
    return {word for row in rows for word in WORD.findall(row.rule)}


def links(cells: Sequence[str]) -> dict[int, Linked]:
    """For each cell with a derivation that can stand alone: its number, and what it is."""
    derived = {k: alone(cells[: k + 1]) for k, cell in enumerate(cells) if CELL.match(cell)}
    return {k: linked for k, linked in derived.items() if linked is not None}


def add_links(app: Any, doctree: nodes.document, page: str) -> None:
    sources = [node for node in doctree.findall(nodes.literal_block) if _is_code(node)]
    there, folds = app.builder.get_relative_uri(page, PAGE), _solutions(doctree)
    for k, linked in links([node.astext() for node in sources]).items():
        sources[k].parent.append(_link(there, "Try it here", quote(linked.text)))
        if fold := folds.get(id(sources[k])):
            place, exercise = fold.parent.index(fold), _begun(fold)
            exercise["ids"] = exercise["ids"] or [nodes.make_id(f"exercise-{exercise.astext()[:2]}")]
            back = f"{app.builder.get_relative_uri(PAGE, page)}#{exercise['ids'][0]}"
            words = "Write it and let it be checked"
            fold.parent.insert(place, _link(there, words, f"{quote(linked.task)}&from={quote(back)}"))


def _begun(fold: nodes.Element) -> nodes.Element:
    """Where an exercise begins: the last paragraph with a number before its solution, or the first."""
    before = [p for p in fold.parent.children[: fold.parent.index(fold)] if isinstance(p, nodes.paragraph)]
    return next((p for p in reversed(before) if re.match(r"\d+\. ", p.astext())), before[0])


def _link(there: str, words: str, fragment: str) -> nodes.paragraph:
    link = nodes.reference("", words, refuri=f"{there}#text={fragment}", internal=True)
    return nodes.paragraph("", "", link, classes=["try-link"])


def _solutions(doctree: nodes.document) -> dict[int, nodes.Element]:
    """The fold of the solution in which code stands, by the identity of the code."""
    folds = [node for node in doctree.findall(nodes.Element) if node.tagname == "dropdown_main"]
    return {id(code): fold for fold in folds for code in fold.findall(nodes.literal_block)}


def _is_code(node: nodes.Element) -> bool:
    return isinstance(node.parent, nodes.Element) and node.parent.get("nb_element") == "cell_code_source"
